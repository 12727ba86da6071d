"""`mahjong-table diag`: the technician's questions, to the running service or straight to the board."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from controller.cli import diag_config, diag_records, diag_service, diag_signals
from controller.cli.diag_blackbox import blackbox
from controller.cli.diag_desk import (
    AsJson,
    ConfigFile,
    Language,
    Serial,
    Url,
    agreed,
    asked_desk,
    print_json,
    remark,
    settings,
    show,
)
from controller.cli.errors import CliError
from controller.cli.score_text import Lang

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
def status(
    serial: Serial = None,
    url: Url = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
    lang: Language = Lang.BOTH,
) -> None:
    """Who the board is, what the machine does, where things stand; exit 1 if it cannot be used."""
    from controller.diag.text import status_lines

    with asked_desk(serial, url, config, as_json=as_json, lang=lang) as desk:
        told = desk.status()
    if as_json:
        print_json(told.as_json())
    else:
        show(status_lines(told, lang))
    if told.problem_zh is not None and told.problem_en is not None:
        raise CliError(lang.say(told.problem_zh, told.problem_en, " / "))


@app.command()
def counters(
    serial: Serial = None,
    url: Url = None,
    config: ConfigFile = None,
    asks: Annotated[
        int,
        typer.Option(
            "--asks", help="Questions to time, when the board is asked directly.", min=0, max=10_000
        ),
    ] = 100,
    as_json: AsJson = False,
    lang: Language = Lang.BOTH,
) -> None:
    """Counters of both ends of the wire, and what they say about the cable."""
    from controller.diag.text import counters_lines, wire_words

    with asked_desk(serial, url, config, as_json=as_json, lang=lang) as desk:
        told = desk.counters(asks)
    if as_json:
        zh, en = wire_words(told.counters)
        print_json({**told.as_json(), "verdict": en, "verdict_zh": zh})
    else:
        show(counters_lines(told, lang))


@app.command()
def faults(
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
    serial: Serial = None,
    url: Url = None,
    config: ConfigFile = None,
    data: Annotated[
        Path | None, typer.Option("--data", help="Data folder whose ledger tells past faults.", metavar="DIR")
    ] = None,
    as_json: AsJson = False,
    lang: Language = Lang.BOTH,
) -> None:
    """The standing fault with what to do, and the last ones of the ledger; CODE or --all: the table."""
    if log:
        if code is not None or every or clear:
            raise typer.BadParameter("--log stands alone: no CODE, no --all, no --clear")
        diag_records.fault_log(serial, url, config, as_json=as_json, lang=lang)
        return
    from controller.diag.past import past_faults
    from controller.diag.text import explain_lines, fault_name, past_lines, table_lines
    from firmware_bridge.fault_steps import steps_of
    from firmware_bridge.faults import FAULTS

    if code is not None or every:
        if code is not None and code not in FAULTS:
            raise CliError(
                lang.say(f"没有故障 {code}，见 --all", f"there is no fault {code}, see --all", " / ")
            )
        rows = [FAULTS[code]] if code is not None else list(FAULTS.values())
        if as_json:
            print_json({"faults": [_fault_row(row, steps_of(row)) for row in rows]})
        else:
            show(explain_lines(code, lang) if code is not None else table_lines(rows, lang))
        return
    with asked_desk(serial, url, config, as_json=as_json, lang=lang) as desk:
        if clear:
            desk.clear()
        told = desk.status()
        past = past_faults(data or settings(config).data)
    if as_json:
        standing = {"code": told.fault, "key": told.fault_key, "side": told.side}
        fault = standing if told.fault_key else None
        print_json({"source": told.source, "place": told.place, "fault": fault, "past": past})
        return
    print(f"{lang.say('现在', 'now')}  {fault_name(told.fault, told.fault_key, told.side, lang)}")
    if told.fault:
        show(explain_lines(told.fault, lang))
    if past is None:
        print(lang.say("没有可读的账本（--data 指明）", "no ledger to read (name it with --data)", " / "))
    elif past:
        print(lang.say("账本里最近的故障", "the ledger's last faults") + ":")
        show(past_lines(past, lang))


def _fault_row(row: Any, steps: tuple[tuple[str, ...], tuple[str, ...]]) -> dict[str, Any]:
    names = ("code", "key", "severity", "side", "zh", "en", "cause_zh", "cause_en", "remedy_zh", "remedy_en")
    told = {name: getattr(row, name) for name in names}
    return {**told, "technician_zh": list(steps[0]), "technician_en": list(steps[1])}


@app.command()
def selftest(
    move: Annotated[
        list[MoveName] | None,
        typer.Option(
            "--move",
            help="Also move this, in the order given, after a question: lamps, dice, home, dome, trays."
            " Needs the board itself (no service) and hands off the table.",
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Nobody's hand is in the machine: do not ask.")] = False,
    serial: Serial = None,
    url: Url = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
    lang: Language = Lang.BOTH,
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

    with asked_desk(serial, url, config, as_json=as_json, lang=lang) as desk:
        told = asked.selftest(desk)
        if not as_json:
            show(selftest_lines(told, lang))
        moved = _moves(desk, [name.value for name in move or []], yes=yes, quiet=as_json, lang=lang)
    checks = checks_of(told.ran, told.failed)
    if as_json:
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
    bad = [lang.say(each.zh, each.en) for each, ok in checks if not ok]
    bad += [lang.say(result.zh, result.en) for result in moved if not result.ok]
    if bad:
        raise CliError(f"{lang.say('没有通过', 'failed')}: {', '.join(bad)}")


def _moves(desk: Desk, names: list[str], *, yes: bool, quiet: bool, lang: Lang) -> list[MoveResult]:
    """Do the movements that were asked for, once a person has agreed; the first that fails ends it."""
    from controller.diag import Board, DiagError
    from controller.diag.moves import MOVES, objections, run_move
    from controller.diag.text import move_line

    if not names:
        return []
    if not isinstance(desk, Board):
        raise DiagError(
            "service_holds",
            "服务在跑，只有它能让机器动：先 sudo systemctl stop mahjong-table，再带 --serial 试",
            "the service runs and only it may move the machine: sudo systemctl stop mahjong-table first, "
            "then use --serial",
        )
    wanted = [MOVES[name] for name in names]
    against = objections(desk.raw_status(), wanted)
    if against:
        raise DiagError("interlock", "；".join(zh for zh, _ in against), "; ".join(en for _, en in against))
    for each in wanted:
        remark(f"要动：{each.what_zh}", f"will move: {each.what_en}", lang)
    if not yes and not agreed(lang):
        raise DiagError("not_confirmed", "没有确认，什么也没动", "not confirmed, nothing has moved")
    done: list[MoveResult] = []
    for each in wanted:
        result = run_move(desk, each)
        done.append(result)
        if not quiet:
            print(move_line(result, lang), flush=True)
        if not result.ok:
            break
    return done
