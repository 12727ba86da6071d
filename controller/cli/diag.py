"""`mahjong-table diag`: the technician's questions, to the running service or straight to the board."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from controller.cli import diag_config, diag_records, diag_service, diag_signals
from controller.cli.diag_blackbox import blackbox
from controller.cli.diag_desk import Ask, asking, confirm, held_board, print_json, settings, show
from controller.cli.errors import CliError

if TYPE_CHECKING:
    from controller.diag import Desk
    from controller.diag.moves import MoveResult

HELP = """Ask the machine: status, signals, self-test, counters, faults; move it in service mode.

A running service is asked over its own interface, because it holds the port; without one the board is asked
directly. Nothing moves unless you ask for it (jog, count, selftest --move) and confirm.
"""
app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help=HELP,
    pretty_exceptions_enable=False,
)

for command in (
    diag_signals.inputs,
    diag_signals.edges,
    diag_signals.margin,
    diag_signals.analog,
    diag_signals.loopback,
    diag_service.service,
    diag_service.lamps,
    diag_service.jog,
    diag_service.count,
    diag_records.statistics,
    blackbox,
):
    app.command()(command)
app.add_typer(diag_config.app, name="config")


class MoveName(StrEnum):
    """What --move may name."""

    LAMPS = "lamps"
    DICE = "dice"
    HOME = "home"
    DOME = "dome"
    TRAYS = "trays"


@app.command()
@asking
def status(ask: Ask) -> None:
    """Who the board is, what the machine does, where things stand; exit 1 if it cannot be used."""
    from controller.diag.text import status_lines

    with ask.desk() as desk:
        told = desk.status()
    ask.tell(told, status_lines)
    if told.problem_zh is not None and told.problem_en is not None:
        raise CliError(ask.say(told.problem_zh, told.problem_en))


@app.command()
@asking
def counters(
    ask: Ask,
    asks: Annotated[
        int,
        typer.Option(
            "--asks", help="Questions to time, when the board is asked directly.", min=0, max=10_000
        ),
    ] = 100,
) -> None:
    """Counters of both ends of the wire, and what they say about the cable."""
    from controller.diag.text import counters_lines, wire_words

    with ask.desk() as desk:
        told = desk.counters(asks)
    zh, en = wire_words(told.counters)
    ask.tell(told, counters_lines, verdict=en, verdict_zh=zh)


@app.command()
@asking
def faults(
    ask: Ask,
    code: Annotated[
        int | None, typer.Argument(help="Explain this fault; no table is asked.", metavar="[CODE]")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="List every fault; no table is asked.")] = False,
    clear: Annotated[
        bool, typer.Option("--clear", help="Unlatch: I have put the cause right. Nothing moves by it.")
    ] = False,
    log: Annotated[
        bool, typer.Option("--log", help="The faults that the board itself remembers, newest first.")
    ] = False,
    data: Annotated[
        Path | None,
        typer.Option("--data", help="Data folder here whose ledger tells past faults.", metavar="DIR"),
    ] = None,
) -> None:
    """The standing fault with what to do, and the last ones of the ledger; CODE or --all: the table."""
    if log:
        if code is not None or every or clear:
            zh, en = "--log 单独用：不带 CODE、--all、--clear", "--log stands alone: no CODE, --all, --clear"
            raise typer.BadParameter(ask.say(zh, en))
        diag_records.fault_log(ask)
    elif code is not None or every:
        _explain(ask, code)
    else:
        _standing(ask, clear=clear, data=data)


def _explain(ask: Ask, code: int | None) -> None:
    """Explain one fault of the table, or list all."""
    from controller.diag.text import explain_lines, table_lines
    from firmware_bridge.fault_steps import steps_of
    from firmware_bridge.faults import FAULTS

    if code is not None and code not in FAULTS:
        raise CliError(ask.say(f"没有故障 {code}，见 --all", f"there is no fault {code}, see --all"))
    rows = [FAULTS[code]] if code is not None else list(FAULTS.values())
    if ask.as_json:
        print_json({"faults": [_fault_row(row, steps_of(row)) for row in rows]})
    else:
        show(explain_lines(code, ask.lang) if code is not None else table_lines(rows, ask.lang))


def _standing(ask: Ask, *, clear: bool, data: Path | None) -> None:
    """Tell the fault that stands, cleared before if wanted, and what this machine's ledger says of before."""
    from controller.diag.past import STOP, past_of
    from controller.diag.text import explain_lines, fault_name, past_lines

    with ask.desk() as desk:
        if clear:
            desk.clear()
        told = desk.status()
        past = past_of(data or settings(ask.config, ask.lang).data)
    if ask.as_json:
        standing = {"code": told.fault, "key": told.fault_key, "side": told.side}
        fault = None if told.fault_key in (None, STOP) else standing
        about = {"source": told.source, "place": told.place, "fault": fault, "stopped": told.stopped}
        print_json({**about, **past.as_json()})
        return
    key = told.fault_key or (STOP if told.stopped else None)
    print(f"{ask.lang.say('现在', 'now')}  {fault_name(told.fault, key, told.side, ask.lang)}")
    if told.fault:
        show(explain_lines(told.fault, ask.lang))
    show(past_lines(past, ask.lang))


def _fault_row(row: Any, steps: tuple[tuple[str, ...], tuple[str, ...]]) -> dict[str, Any]:
    names = ("code", "key", "severity", "side", "zh", "en", "cause_zh", "cause_en", "remedy_zh", "remedy_en")
    told = {name: getattr(row, name) for name in names}
    return {**told, "technician_zh": list(steps[0]), "technician_en": list(steps[1])}


@app.command()
@asking
def selftest(
    ask: Ask,
    move: Annotated[
        list[MoveName] | None,
        typer.Option(
            "--move",
            help="Also move this, in the order given, after a question: lamps, dice, home, dome, trays."
            " Needs the board itself (no service) and hands off the table.",
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Nobody's hand is in the machine: do not ask.")] = False,
) -> None:
    """The board's own test: nothing moves; says what it proves and what not. Exit 1 if a part fails."""
    from controller.diag import asked
    from controller.diag.selftests import (
        NOT_PROVEN_EN,
        NOT_PROVEN_ZH,
        PROVES_EN,
        PROVES_ZH,
        checks_of,
    )
    from controller.diag.text import selftest_lines

    with ask.desk() as desk:
        told = asked.selftest(desk)
        if not ask.as_json:
            show(selftest_lines(told, ask.lang))
        moved = _moves(ask, desk, [name.value for name in move or []], yes=yes)
    checks = checks_of(told.ran, told.failed)
    if ask.as_json:
        rows = [{"key": each.key, "zh": each.zh, "en": each.en, "ok": ok} for each, ok in checks]
        print_json(
            {
                **told.as_json(),
                "ok": not told.failed and all(result.ok for result in moved),
                "tests": rows,
                "moves": [result.as_json() for result in moved],
                "proves": PROVES_EN,
                "proves_zh": PROVES_ZH,
                "not_proven": NOT_PROVEN_EN,
                "not_proven_zh": NOT_PROVEN_ZH,
            }
        )
    bad = [ask.lang.say(each.zh, each.en) for each, ok in checks if not ok]
    bad += [ask.lang.say(result.zh, result.en) for result in moved if not result.ok]
    if bad:
        raise CliError(f"{ask.lang.say('没有通过', 'failed')}: {', '.join(bad)}")


def _moves(ask: Ask, desk: Desk, names: list[str], *, yes: bool) -> list[MoveResult]:
    """Do the movements that were asked for, once a person has agreed; the first that fails ends it."""
    from controller.diag import DiagError
    from controller.diag.moves import MOVES, objections, run_move
    from controller.diag.text import move_line

    if not names:
        return []
    board = held_board(desk)
    wanted = [MOVES[name] for name in names]
    against = objections(board.raw_status(), wanted)
    if against:
        raise DiagError("interlock", "；".join(zh for zh, _ in against), "; ".join(en for _, en in against))
    confirm(ask, [(each.what_zh, each.what_en) for each in wanted], yes=yes)
    done: list[MoveResult] = []
    for each in wanted:
        result = run_move(board, each)
        done.append(result)
        if not ask.as_json:
            print(move_line(result, ask.lang), flush=True)
        if not result.ok:
            break
    return done
