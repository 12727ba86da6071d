"""What a correction must not take along: the points that another winner stated, tiles shown too early."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from controller.sheet_views import sheet_view

HAND = "[555p,2] 123m 45699s EE + E"


def agreed(table: Any, **ask: Any) -> None:
    table.ok("correct_result", seat="E", reason="mistake", hand=1, kind="win", hand_text=HAND, **ask)
    for seat in "SWN":
        table.ok("agree_correction", seat=seat)


@pytest.mark.parametrize(("winner", "paid"), [("S", [0, 14, 0, -14]), ("W", [0, 0, 2, -2])])
def test_tiles_shown_early_stay_paid_to_the_winner_they_were_shown_for(
    make_table: Callable[..., Any], winner: str, paid: list[int]
) -> None:
    table = make_table(procedure={"reveal_penalty": 6})
    table.connect()
    table.to_confirm()
    table.ok("irregularity", seat="N", kind="premature_reveal")
    for seat in "EWN":
        table.ok("confirm", seat=seat)
    assert table.scores() == [0, 14, 0, -14]
    agreed(table, winner=winner, by="discard", from_="N")
    assert table.scores() == paid
    assert [row["totals"]["p4"] * 2 for row in table_sheet(table)] == [paid[3]]


def table_sheet(table: Any) -> list[Any]:
    rows: list[Any] = sheet_view(table.state, {})["rows"]
    return rows


@pytest.mark.parametrize(("winner", "counts"), [("S", 1), ("W", 3)])
def test_each_winner_of_several_is_held_to_what_he_stated_himself(
    make_table: Callable[..., Any], look: Callable[..., Any], winner: str, counts: int
) -> None:
    table = make_table(options={"multi_win": True, "base": 3}, procedure={"stated_counts": "stated_max"})
    table.connect()
    table.eyes.hand = [look(HAND), look("123789m 234p 777s E + E")]
    table.to_playing()
    table.ok("claim", seat="S", by="discard", from_="N")
    table.ok("claim", seat="W", by="discard", from_="N")
    table.ok("state_points", seat="S", points=1)
    for seat, side in (("S", 2), ("W", 3)):
        table.press(side)
        table.run(1_000)
        for other in "ESWN":
            if other != seat:
                table.ok("confirm", seat=other)
    assert table.scores() == [0, 2, 6, -8]
    agreed(table, winner=winner, by="discard", from_="N")
    units = 2 * counts
    assert table.scores() == [0, units * (winner == "S"), units * (winner == "W"), -units]
