"""What the winner states beside the checked value, and what counts of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from controller.state import Phase


def settle(table: Any) -> None:
    for seat in "EWN":
        table.ok("confirm", seat=seat)
    table.at(Phase.SETTLED)


def test_the_checked_value_is_settled_and_both_are_shown(table: Any) -> None:
    table.to_confirm()
    total, deltas = table.state.result.total, table.state.result.deltas
    table.ok("confirm", seat="E")
    table.ok("state_points", seat="S", points=total + 5)
    assert table.view["stated"] == {"points": total + 5, "checked": total, "counted": total}
    assert table.view["confirm"]["E"] == "yes"  # nothing changed for the others
    for seat in "WN":
        table.ok("confirm", seat=seat)
    table.at(Phase.SETTLED)
    assert tuple(table.scores()) == deltas
    body = table.rows[-2].body
    assert (body["total"], body["stated"], body["counted"]) == (total, total + 5, total)
    assert table.view["last"]["stated"]["points"] == total + 5
    assert table.view["stated"] is None


@pytest.mark.parametrize("less", [1, 0, -1])
def test_points_not_stated_are_lost_by_option(make_table: Callable[..., Any], less: int) -> None:
    table = make_table(procedure={"stated_counts": "stated_max"})
    table.connect()
    table.to_confirm()
    total, deltas = table.state.result.total, table.state.result.deltas
    assert total >= 1
    table.ok("confirm", seat="E")
    table.ok("state_points", seat="S", points=total - less)
    table.at(Phase.CONFIRM)
    assert table.view["confirm"]["E"] is None  # another amount may be asked of him now
    counted = min(total, total - less)
    assert table.view["stated"]["counted"] == counted
    settle(table)
    assert table.scores()[1] * total == deltas[1] * counted
    assert sum(table.scores()) == 0
    assert table.rows[-2].body["counted"] == counted
    assert table.rows[-2].body["total"] == total


def test_stated_before_the_photo(make_table: Callable[..., Any]) -> None:
    table = make_table(procedure={"stated_counts": "stated_max"})
    table.connect()
    table.to_playing()
    table.ok("claim", seat="S", by="discard", from_="N")
    table.ok("state_points", seat="S", points=1)
    assert table.view["stated"] == {"points": 1, "checked": None, "counted": None}
    table.restart()
    table.press(2)
    table.run(1_000)
    table.at(Phase.CONFIRM)
    assert table.view["stated"]["counted"] == 1
    table.ok("dispute", seat="N")
    table.ok("claim", seat="S", by="self_draw")  # stated anew how it was won: the points stay said
    assert table.view["stated"]["points"] == 1
    table.ok("dispute", seat="N")
    table.ok("withdraw", seat="S")
    assert table.view["stated"] is None


def test_only_the_winner_states_and_only_points(table: Any) -> None:
    table.to_confirm()
    assert table.do("state_points", seat="E", points=3).code == "refuse.seat"
    for wrong in (None, -1, True, "8", 100_001, 2.5):
        assert table.do("state_points", seat="S", points=wrong).code == "refuse.invalid"
    table.ok("dispute", seat="N")
    table.ok("state_points", seat="S", points=3)
    table.ok("correct", hand="[555p,2] 123m 456s 99s EE + S")
    table.ok("false_win", seat="S")
    assert table.do("state_points", seat="S", points=3).code == "refuse.state_points"
