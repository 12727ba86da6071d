"""`mahjong-table wall --jsonl`: seats, dealer, walls, opening, deal and tail, one JSON object a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from controller.cli.jsonl import run_jsonl
from controller.cli.rule_lines import answering
from rules import seating_ops as _seating_ops  # noqa: F401  registers its ops
from rules.fields import Fields
from rules.ops import find_op
from rules.procedure_ops import SLUG

app = typer.Typer(rich_markup_mode=None, add_completion=False)


def answer_wall(line: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the answer to one op; its fields stand in `in`, or beside `op` where there is no `in`."""
    fields = Fields(line)
    function = find_op(fields.text("op"), SLUG)
    return function(fields.object("in") if fields.has("in") else fields, fields)


@app.command()
def wall(
    jsonl: Annotated[bool, typer.Option("--jsonl", help="Read ops from stdin, answer on stdout.")] = False,
) -> None:
    """Answer who sits where, who deals, how the wall opens, how it is dealt, and where its tail is.

    A line is {"op": NAME, "in": {...}} with the ops of the rules text table-procedure: dice_to_seat,
    dice_odds, dice_valid, seat_labels, walls, break_two_throw, break_one_throw, break_one_throw_sum,
    break_own_wall_sum, deal, deal_singles, tail, flower_replacement, first_seating, reseat_winner_dice,
    reseat_wind_stack, reseat_thrower, mcr_seats, first_dealer, next_dealer, leave.
    """
    if not jsonl:
        raise typer.BadParameter("ops are read as JSON lines: add --jsonl")
    run_jsonl(answering(answer_wall))
