"""`mahjong-table twin`: the simulated table without a screen, and long runs on the simulated board."""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated

import typer

from controller.cli.campaign import campaign
from controller.cli.errors import CliError
from rules.variants import PLAYED

if TYPE_CHECKING:
    from controller.play import PlayResult

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Play hands on the simulated table without a screen.",
    pretty_exceptions_enable=False,
)


@app.callback()
def _group() -> None:
    """Play hands on the simulated table without a screen."""


app.command()(campaign)


@app.command()
def play(
    hands: Annotated[int, typer.Option(help="How many hands.", min=1, max=100_000)] = 1,
    seed: Annotated[int, typer.Option(help="The same seed plays the same hands.", min=0)] = 1,
    variant: Annotated[str, typer.Option(help="Rule set.", metavar="SLUG")] = PLAYED,
    sets: Annotated[
        int,
        typer.Option(
            help="Sets of tiles; of 2 one is played while the other is built.", metavar="N", min=1, max=2
        ),
    ] = 1,
    faults: Annotated[
        Path | None, typer.Option(help="Faults to arm, one JSON object a line.", metavar="FILE", exists=True)
    ] = None,
    trace: Annotated[Path | None, typer.Option(help="Write one JSON line a hand.", metavar="FILE")] = None,
    pins: Annotated[
        Path | None,
        typer.Option(
            help="Write pins and bytes to DIR/board.vcd (GTKWave), the machine to DIR/plant.jsonl.",
            metavar="DIR",
        ),
    ] = None,
    sabotage: Annotated[
        str | None,
        typer.Option(help="Prove that the figures can fail; `list` names them.", metavar="NAME|list"),
    ] = None,
    keep: Annotated[
        Path | None, typer.Option(help="Keep ledger, photos and the twin's record here.", metavar="DIR")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The summary as one JSON object.")] = False,
) -> None:
    """Play whole hands on real firmware and pixels; exit 1 when a line of the summary is missed."""
    from controller.errors import ControllerError
    from controller.play import SABOTAGES, PlayOrder, write_trace
    from controller.play import play as play_hands
    from rules.errors import RuleError

    if sabotage == "list":
        for name, text in SABOTAGES.items():
            print(f"{name:14} {text}")
        return
    try:
        order = PlayOrder(hands, seed, variant, faults, sabotage, sets, pins)
        with contextlib.ExitStack() as stack:
            sink = None if trace is None else stack.enter_context(trace.open("w", encoding="utf-8"))
            result = play_hands(order, keep, progress=lambda text: print(text, file=sys.stderr, flush=True))
            if sink is not None:
                write_trace(result.rows, sink)
    except (ControllerError, RuleError) as error:
        raise CliError(str(error)) from error
    except OSError as error:
        raise CliError(f"{error.filename or trace}: {error.strerror}") from error
    _tell(result, as_json)
    missed = result.summary.missed(hands)
    if missed:
        raise CliError("; ".join(missed))


def _tell(result: PlayResult, as_json: bool) -> None:
    summary = result.summary
    if as_json:
        told = summary.as_json()
        if result.changeovers_s:
            told |= {
                "changeover_seconds": round(median(result.changeovers_s), 3),
                "changeovers": len(result.changeovers_s),
            }
        print(json.dumps(told), flush=True)
        return
    for row in result.rows:
        for text in row.differences:
            print(f"hand {row.hand}: {text}")
    print(f"{summary.hands} hands: {summary.wins} won, {summary.washouts} drawn, {summary.void} void")
    print(
        f"read exactly: {summary.wins_read_exact} winning hands, dice of {summary.dice_read_exact} hands, "
        f"dealer lamp of {summary.lamp_read_exact} hands"
    )
    print(f"wrong and confident: {summary.wrong_and_confident}")
    matches = "matches" if summary.ledger_matches_truth else "differs from"
    print(f"the ledger {matches} the truth, sum {summary.ledger_sum}, 账本印 {result.head[:8]}")
    if result.changeovers_s:
        print(
            f"{len(result.changeovers_s)} change-overs of the sets, from the key to walls on the table: "
            f"median {median(result.changeovers_s):.1f} s, longest {max(result.changeovers_s):.1f} s"
        )
    print(f"{summary.seconds} s, {result.virtual_ms / 1000:.0f} s at the table")
