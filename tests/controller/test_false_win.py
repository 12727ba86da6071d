"""False win: called and agreed, or ruled; paid at once; the hand goes on without him or is played again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from controller.fold import fold
from controller.state import Phase
from rules.seats import Seat

NOT_WON = "[555p,2] 123m 456s 99s EE + S"
S = Seat.S


def to_doubt(table: Any) -> None:
    """South has laid out a hand that does not win, and the table looks at it."""
    table.to_review()
    table.ok("correct", hand=NOT_WON)
    table.at(Phase.REVIEW)
    assert not table.state.result.legal


def points(table: Any) -> list[int | float]:
    return [table.view["seats"][seat]["score"] for seat in "ESWN"]


def agree(table: Any, seats: str) -> None:
    for seat in seats:
        table.ok("confirm", seat=seat)


def test_the_others_agree_and_play_goes_on_without_his_claims(table: Any) -> None:
    to_doubt(table)
    table.ok("false_win", seat="S", by="W")
    table.at(Phase.CONFIRM)
    assert table.view["false_win"] == {
        "seat": "S",
        "by": "W",
        "hand": "offender_dead",
        "deltas": {"E": 10, "S": -30, "W": 10, "N": 10},
    }
    assert table.view["confirm"] == {"E": None, "W": "yes", "N": None}
    assert {one["side"] for one in table.view["act"]} == {1, 4}
    assert not table.do("confirm", seat="S").ok
    agree(table, "EN")
    table.at(Phase.PLAYING)
    assert points(table) == [10, -30, 10, 10]
    assert (table.state.claim, table.state.reading, table.state.accused) == (None, None, None)
    assert table.view["seats"]["S"]["dead"]
    assert table.do("claim", seat="S", by="self_draw").code == "refuse.dead"
    assert table.do("declare_kong", seat="S", kind="concealed", tile="5m").code == "refuse.dead"
    assert table.do("false_win", seat="S").code == "refuse.dead"
    table.press(2)  # his key says so on the pages
    assert [notice["code"] for notice in table.view["notices"]] == ["refuse.dead"]


def test_the_next_hand_is_his_again_and_the_row_tells_of_it(table: Any) -> None:
    to_doubt(table)
    table.ok("false_win", seat="S", by="W")
    agree(table, "EN")
    table.ok("claim", seat="W", by="discard", from_="S")
    table.press(3)
    table.run(1_000)
    agree(table, "ESN")
    table.at(Phase.SETTLED)
    settled = table.rows[-2].body
    assert settled["false_wins"] == [
        {"seat": "S", "deltas": {"E": 20, "S": -60, "W": 20, "N": 20}}
    ]  # units are halves
    assert sum(table.scores()) == 0
    assert table.view["last"]["false_wins"][0]["seat"] == "S"
    assert table.state.dead == frozenset()
    table.ok("start")
    assert not any(seat["dead"] for seat in table.view["seats"].values())


def test_the_hand_is_played_again_by_option(make_table: Callable[..., Any]) -> None:
    table = make_table(procedure={"false_win_hand": "void", "false_win_each": 5})
    table.connect()
    table.to_playing()
    table.ok("declare_kong", seat="W", kind="concealed", tile="5m")
    table.ok("claim", seat="S", by="discard", from_="N")
    table.ok("false_win", seat="S")
    table.at(Phase.CONFIRM)
    agree(table, "EWN")  # nobody named himself, so three are asked
    table.at(Phase.SETTLED)
    assert points(table) == [5, -15, 5, 5]  # the kong is paid back, what the false win cost stays
    last = table.view["last"]
    assert (last["kind"], last["false_wins"][0]["deltas"]["S"]) == ("void", -15)
    assert table.state.upcoming == (Seat.E, 1, 1)
    assert table.rows[-3].body["reason"] == "false_win"


def test_keys_alone(table: Any) -> None:
    to_doubt(table)
    table.press(4, 1_200)  # not the claimant: "it is none"
    table.at(Phase.CONFIRM)
    assert table.state.accused.by is Seat.N
    table.press(1)
    table.press(3)
    table.at(Phase.PLAYING)
    assert points(table) == [10, -30, 10, 10]


def test_the_claimants_own_long_press_takes_his_win_back(table: Any) -> None:
    to_doubt(table)
    table.press(2, 1_200)
    table.at(Phase.PLAYING)
    assert points(table) == [0, 0, 0, 0]


@pytest.mark.parametrize("seat", ["S", "E"])
def test_who_disagrees_brings_the_hand_back(table: Any, seat: str) -> None:
    to_doubt(table)
    reading = table.state.reading
    table.ok("false_win", seat="S", by="W")
    table.ok("dispute", seat=seat)
    table.at(Phase.REVIEW)
    assert table.state.accused is None
    assert table.state.reading == reading
    assert (table.state.confirmed, table.state.disputed) == (frozenset(), frozenset())
    assert table.rows[-2].body == {"seat": seat, "source": "page"}
    table.ok("correct", hand="[555p,2] 123m 45699s EE + E")
    table.at(Phase.CONFIRM)


def test_a_call_is_taken_back_by_whom_it_came_from(table: Any) -> None:
    to_doubt(table)
    table.ok("false_win", seat="S", by="W")
    for other in "SE":
        assert table.do("withdraw", seat=other).code == "refuse.seat"
    table.ok("withdraw", seat="W")
    table.at(Phase.REVIEW)


def test_before_anything_was_laid_out(table: Any) -> None:
    table.to_playing()
    table.ok("false_win", seat="N", by="E")  # he said the word and put his tiles down, no key was pressed
    table.ok("dispute", seat="N")
    table.at(Phase.PLAYING)
    table.ok("claim", seat="S", by="discard", from_="N")
    assert table.do("false_win", seat="N").code == "refuse.false_win_other"
    table.ok("false_win", seat="S")
    table.ok("dispute", seat="S")
    table.at(Phase.CLAIM, "lay")


def test_what_rules_and_reading_vouch_for_is_corrected_first(table: Any) -> None:
    table.to_review()
    assert table.state.result.legal
    assert table.do("false_win", seat="S", by="W").code == "refuse.false_win_legal"
    table.press(3, 1_200)
    table.at(Phase.REVIEW)


def test_a_referee_rules_alone_and_sets_the_amount_where_it_was_meant(table: Any) -> None:
    table.to_confirm()
    assert table.do("rule_false_win", seat="S").code == "refuse.referee"
    for wrong in ({"each": 20}, {"each": True, "deliberate": True}, {"deliberate": 1}):
        assert table.do("rule_false_win", role="referee", seat="S", **wrong).code == "refuse.invalid"
    answer = table.do("rule_false_win", role="referee", seat="S", deliberate=True, each=20)
    assert answer.ok
    table.at(Phase.PLAYING)
    assert points(table) == [20, -60, 20, 20]
    assert table.rows[-2].body["deliberate"]
    assert table.rows[-2].body["source"] == "referee"


def test_a_kong_waits_while_a_false_win_is_talked_over(table: Any) -> None:
    table.to_playing()
    table.ok("declare_kong", seat="W", kind="concealed", tile="5m")
    table.ok("false_win", seat="N", by="E")
    assert table.do("withdraw_kong", seat="W", tile="5m").code == "refuse.withdraw_kong"
    table.ok("void", reason="tiles fell")
    table.at(Phase.SETTLED)
    assert points(table) == [0, 0, 0, 0]
    assert table.state.accused is None


@pytest.mark.parametrize(
    ("hand", "each"), [("123m 456p 789s EE SS + W", 10), ("1359m 147p 258s ESWN + C", 20)]
)
def test_a_variant_with_its_own_amounts(make_table: Callable[..., Any], hand: str, each: int) -> None:
    table = make_table(variant="mcr")
    table.connect()
    table.to_playing()
    table.ok("claim", seat="S", by="discard", from_="N")
    table.eyes.gone = "down"
    table.press(2)
    table.run(30_000)
    table.ok("correct", hand=hand, flowers=[])
    table.at(Phase.REVIEW)
    table.ok("false_win", seat="S", by="W")
    agree(table, "EN")
    assert points(table) == [each, -3 * each, each, each]


def test_a_restart_in_between_forgets_nothing(table: Any) -> None:
    to_doubt(table)
    table.ok("false_win", seat="S", by="W")
    table.restart()
    agree(table, "EN")
    table.restart()
    assert table.state.dead == frozenset({S})
    assert points(table) == [10, -30, 10, 10]


def test_a_ledger_of_an_older_table_has_the_defaults(table: Any) -> None:
    rows = table.rows
    old = next(row for row in rows if row.kind == "game_started")
    assert old.body["procedure"]["false_win_hand"] == "offender_dead"
    del old.body["procedure"]
    state = fold(rows)
    assert state.table is not None
    assert state.table.procedure == {}
