"""What was not in order is noted; tiles shown too early pay the winner by option; the referee's check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from controller.state import Phase

OTHERS = "EWN"


def points(table: Any) -> list[int | float]:
    return [table.view["seats"][seat]["score"] for seat in "ESWN"]


def agree(table: Any, seats: str = OTHERS) -> None:
    for seat in seats:
        table.ok("confirm", seat=seat)


def test_tiles_shown_early_are_noted_and_cost_nothing_by_default(table: Any) -> None:
    table.to_confirm()
    deltas = table.state.result.deltas
    table.ok("irregularity", seat="N", kind="premature_reveal", by="S")
    assert table.view["irregularities"] == [{"seat": "N", "kind": "premature_reveal", "by": "S"}]
    agree(table)
    table.at(Phase.SETTLED)
    assert tuple(table.scores()) == deltas
    assert "reveal_penalty" not in table.kinds()
    table.ok("start")
    assert table.view["irregularities"] == []


def test_by_option_they_pay_the_winner_in_an_entry_of_its_own(make_table: Callable[..., Any]) -> None:
    table = make_table(procedure={"reveal_penalty": 5})
    table.connect()
    table.to_review()
    before = table.state.result.deltas
    for seat in "NE":
        table.ok("irregularity", seat=seat, kind="premature_reveal")
    for again in "NS":  # tiles lie open once; the winner lays his out
        assert table.do("irregularity", seat=again, kind="premature_reveal").code == "refuse.reveal"
    table.ok("correct", hand="[555p,2] 123m 45699s EE + E")
    agree(table)
    table.at(Phase.SETTLED)
    unit = table.state.table.unit
    own = [row for row in table.rows if row.kind == "reveal_penalty"]
    assert [row.body["deltas"] for row in own] == [{"E": -5 * unit, "S": 10 * unit, "W": 0, "N": -5 * unit}]
    assert own[0].seq == table.rows[-2].seq - 1
    assert table.scores() == [
        a + b for a, b in zip(before, (-5 * unit, 10 * unit, 0, -5 * unit), strict=True)
    ]
    assert table.state.sheet[-1].outcome.paid == (-5 * unit, 10 * unit, 0, -5 * unit)


def test_a_win_that_was_taken_back_is_paid_nothing_for(make_table: Callable[..., Any]) -> None:
    table = make_table(procedure={"reveal_penalty": 5})
    table.connect()
    table.to_review()
    table.ok("irregularity", seat="N", kind="premature_reveal")
    table.ok("withdraw", seat="S")
    table.ok("claim", seat="W", by="discard", from_="S")
    table.press(3)
    table.run(1_000)
    agree(table, "ESN")
    table.at(Phase.SETTLED)
    assert "reveal_penalty" not in table.kinds()


@pytest.mark.parametrize("kind", ["early_draw", "out_of_turn", "late_claim", "over_time", "wrong_call"])
def test_others_are_only_noted_as_often_as_they_happen(table: Any, kind: str) -> None:
    table.to_playing()
    assert table.do("irregularity", seat="N", kind="premature_reveal").code == "refuse.reveal"
    assert table.do("irregularity", seat="N", kind="laughing").code == "refuse.invalid"
    for _ in range(2):
        table.ok("irregularity", seat="W", kind=kind, by="E")
    assert [one["seat"] for one in table.view["irregularities"]] == ["W", "W"]
    table.restart()
    assert len(table.view["irregularities"]) == 2
    table.ok("void", reason="agreed")
    assert points(table) == [0, 0, 0, 0]


def test_a_hand_takes_so_many_notes(table: Any) -> None:
    table.to_playing()
    for _ in range(64):
        table.ok("irregularity", seat="W", kind="over_time")
    assert table.do("irregularity", seat="W", kind="over_time").code == "refuse.irregularity"


@pytest.fixture
def checked(make_table: Callable[..., Any]) -> Any:
    table = make_table(procedure={"referee": True})
    table.connect()
    table.to_confirm()
    return table


def test_the_referee_checks_after_all_agreed(checked: Any) -> None:
    assert checked.do("check_win", role="referee", ok=True).code == "refuse.check_win"
    agree(checked)
    checked.at(Phase.CONFIRM)
    assert checked.view["referee"]
    assert checked.do("check_win", ok=True).code == "refuse.referee"
    assert checked.do("check_win", role="referee", ok="yes").code == "refuse.invalid"
    checked.restart()
    assert checked.view["referee"]
    assert checked.do("check_win", role="referee", ok=True).ok
    checked.at(Phase.SETTLED)
    assert not checked.view["referee"]
    assert checked.kinds()[-3:] == ["checked", "settled", "phase"]


def test_a_check_that_fails_is_a_false_win(checked: Any) -> None:
    agree(checked)
    assert checked.do("check_win", role="referee", ok=False).ok
    checked.at(Phase.PLAYING)
    assert points(checked) == [10, -30, 10, 10]
    assert checked.view["seats"]["S"]["dead"]


def test_who_changes_his_mind_before_the_check_disputes(checked: Any) -> None:
    agree(checked)
    checked.ok("dispute", seat="W")
    checked.at(Phase.REVIEW)
    assert not checked.view["referee"]


def test_a_drawn_hand_and_a_false_win_need_no_check(make_table: Callable[..., Any]) -> None:
    table = make_table(procedure={"referee": True})
    table.connect()
    table.to_playing()
    table.ok("false_win", seat="S", by="W")
    agree(table, "EN")
    table.at(Phase.PLAYING)
    table.ok("washout", seat="E")
    assert table.do("irregularity", seat="N", kind="premature_reveal").code == "refuse.reveal"
    agree(table, "SWN")
    table.at(Phase.SETTLED)
