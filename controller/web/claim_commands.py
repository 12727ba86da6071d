"""The commands around a win: stated points, false wins, the referee's check, what was not in order."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from controller.web.command_kit import WHOLE, CommandBody, CommandRow, SeatName


class StatePoints(CommandBody):
    """What the winner says his hand is worth."""

    seat: SeatName
    points: Annotated[int, Field(ge=0, le=100_000, strict=True), WHOLE]


class FalseWin(CommandBody):
    """A win that is none: whose, and who says so."""

    seat: SeatName
    by: SeatName | None = None


class RuleFalseWin(CommandBody):
    """A referee's ruling: whose win is none; where it was meant, another amount for every other player."""

    seat: SeatName
    deliberate: Annotated[bool, Field(strict=True)] = False
    each: Annotated[int | None, Field(ge=0, le=1000, strict=True)] = None


class CheckWin(CommandBody):
    """What the referee finds: the win as agreed, or none."""

    ok: Annotated[bool, Field(strict=True)]


class NoteIrregularity(CommandBody):
    """What was not in order, of whom, and who says so."""

    seat: SeatName
    kind: Literal["premature_reveal", "early_draw", "out_of_turn", "late_claim", "over_time", "wrong_call"]
    by: SeatName | None = None


CLAIMS: tuple[CommandRow, ...] = (
    CommandRow("state_points", StatePoints, "State the points", "报番数", {"seat": "S", "points": 12}),
    CommandRow(
        "false_win", FalseWin, "Say that a win is none; the others agree", "报诈和", {"seat": "S", "by": "W"}
    ),
    CommandRow(
        "rule_false_win",
        RuleFalseWin,
        "Rule that a win is none",
        "裁定诈和",
        {"seat": "S", "deliberate": True, "each": 20},
        "referee",
    ),
    CommandRow(
        "irregularity",
        NoteIrregularity,
        "Note what was not in order",
        "记一次",
        {"seat": "W", "kind": "early_draw", "by": "E"},
    ),
    CommandRow("check_win", CheckWin, "Check a win that all agreed to", "裁判核和", {"ok": True}, "referee"),
)
