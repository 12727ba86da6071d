"""Corrections: asked for, agreed or ruled, booked as new rows; totals and the next deal follow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from controller.facts import Fact
from controller.history import History
from controller.snapshots import read_snapshot, snapshot_of, write_snapshot
from controller.state import Phase
from tests.controller.evening import HAND, Evening, four
from tests.controller.sheet_story import FOURTEEN

ROBS = "[555p,2] 123m 45s 99s EEE + 6s"


@pytest.fixture
def evening() -> Evening:
    return Evening()


def test_the_last_result_is_undone_by_a_new_row_and_its_dealer_deals_again(evening: Evening) -> None:
    evening.win("S", "N", 3)
    before = list(evening.rows)
    assert evening.state.upcoming is not None
    assert evening.state.upcoming[0] == "S"
    evening.agreed("undo_result", reason="wrong payer")
    evening.check()
    assert evening.rows[: len(before)] == before
    assert [row.kind for row in evening.rows[len(before) :]] == [
        "correction_proposed",
        *["correction_agreed"] * 3,
        "result_undone",
    ]
    assert evening.scores() == {"p1": 0, "p2": 0, "p3": 0, "p4": 0}
    assert evening.state.upcoming == ("E", 1, 1)
    (row,) = evening.state.sheet
    assert row.outcome.kind == "void"
    assert row.amended[0].before is not None
    assert row.amended[0].before.deltas == (0, 3, 0, -3)
    assert (row.amended[0].reason, row.amended[0].role, row.amended[0].asked_by) == (
        "wrong payer",
        "seats",
        "E",
    )
    assert row.amended[0].seats == ("E", "S", "W", "N")
    assert row.amended[0].head == evening.rows[-1].hash[:8]
    assert evening.state.last is not None
    assert (evening.state.last.kind, evening.state.last.head) == ("void", evening.rows[-1].hash[:8])
    evening.start()
    assert (evening.state.hand, evening.state.dealer) == (2, "E")


def test_undoing_again_goes_one_hand_further_back(evening: Evening) -> None:
    evening.win("S", "N", 3)
    evening.win("W", None, 2)
    evening.agreed("undo_result")
    assert evening.scores() == {"p1": 0, "p2": 3, "p3": 0, "p4": -3}
    assert evening.state.upcoming == ("S", 1, 1)
    evening.agreed("undo_result")
    assert evening.scores() == {"p1": 0, "p2": 0, "p3": 0, "p4": 0}
    assert evening.state.upcoming == ("E", 1, 1)
    assert evening.do("undo_result", reason="x", seat="E").code == "refuse.undo_result"
    evening.check()


def test_kongs_go_back_with_an_undone_hand_but_a_false_win_stays_paid(evening: Evening) -> None:
    evening.start()
    evening.kong("E", "5p", four(3, -1, -1, -1))
    evening.fine("W", four(10, 10, -30, 10))
    evening.settle("win", four(0, 6, 0, -6), "S", seat="S", by="discard", from_="N", total=6, text=HAND)
    assert evening.scores() == {"p1": 13, "p2": 15, "p3": -31, "p4": 3}
    evening.agreed("undo_result")
    assert evening.scores() == {"p1": 10, "p2": 10, "p3": -30, "p4": 10}
    assert evening.state.last is not None
    assert [one.seat for one in evening.state.last.false_wins] == ["W"]
    evening.agreed("correct_result", hand=1, kind="drawn")  # a drawn hand has its kongs again
    assert evening.scores() == {"p1": 13, "p2": 9, "p3": -31, "p4": 9}
    evening.check()


def test_nothing_changes_before_the_last_seat_agrees(evening: Evening) -> None:
    evening.win("S", "N", 3)
    evening.ok("undo_result", seat="W", reason="wrong payer")
    for seat in "EN":
        evening.ok("agree_correction", seat=seat)
        assert evening.scores()["p2"] == 3
    assert evening.do("agree_correction", seat="E").code == "refuse.agreed"
    assert evening.do("swap_players", seat="S", reason="x", seats=["E", "S"], from_hand=1).code == (
        "refuse.correction_open"
    )
    evening.ok("reject_correction", seat="S")
    assert evening.state.correction is None
    assert evening.scores()["p2"] == 3
    assert evening.do("agree_correction", seat="S").code == "refuse.agree_correction"
    evening.check()


def test_an_answer_to_another_wish_than_the_one_that_stands_is_refused(evening: Evening) -> None:
    evening.win("S", "N", 3)
    evening.ok("undo_result", seat="W", reason="wrong payer")
    assert evening.state.correction is not None
    seen = evening.state.correction.id
    evening.ok("reject_correction", seat="W", id=seen)
    evening.ok("end_game", seat="W", reason="late")
    for name in ("agree_correction", "reject_correction"):
        assert evening.do(name, seat="S", id=seen).code == "refuse.old"
    assert evening.do("rule_correction", "referee", accept=True, id=seen).code == "refuse.old"
    evening.ok("agree_correction", seat="S", id=evening.state.correction.id)
    evening.check()


@pytest.mark.parametrize("accept", [True, False])
def test_a_referee_decides_alone_and_is_named_by_id(evening: Evening, accept: bool) -> None:
    evening.win("S", "N", 3)
    evening.ok("undo_result", reason="the tile was mine", seat="W")
    for role in ("player", "spectator", "technician"):
        made = evening.do("rule_correction", role, accept=accept)
        assert (made.ok, made.code) == (False, "refuse.referee")
    evening.ok("rule_correction", "referee", accept=accept, referee="club-7")
    assert evening.scores()["p2"] == (0 if accept else 3)
    assert evening.state.correction is None
    if accept:
        (amendment,) = evening.state.sheet[0].amended
        assert (amendment.role, amendment.referee, amendment.seats) == ("referee", "club-7", ("W",))
    evening.check()


def test_an_older_result_is_corrected_and_what_came_after_stands_on_it(evening: Evening) -> None:
    evening.win("S", "N", 3)
    evening.win("W", "E", 2)
    evening.agreed("correct_result", hand=1, kind="win", winner="S", by="discard", from_="W", hand_text=HAND)
    first, second = evening.state.sheet
    value = first.outcome.deltas[1]
    assert value > 0
    assert first.outcome.deltas == (0, value, -value, 0)
    assert evening.scores() == {"p1": -2, "p2": value, "p3": 2 - value, "p4": 0}
    assert first.amended[0].before is not None
    assert first.amended[0].before.deltas == (0, 3, 0, -3)
    assert second.amended == ()
    assert (second.dealer, evening.state.upcoming[0]) == ("S", "W")  # type: ignore[index]
    assert evening.state.last is not None
    assert evening.state.last.hand == 2
    evening.check()


def test_the_next_deal_follows_a_corrected_last_result(evening: Evening) -> None:
    evening.win("S", "N", 3)
    evening.agreed(
        "correct_result",
        hand=1,
        kind="win",
        winner="E",
        by="discard",
        from_="N",
        hand_text=HAND.replace("E", "S"),
    )
    assert evening.state.upcoming == ("E", 1, 2)
    assert evening.state.last is not None
    assert evening.state.last.seat == "E"
    assert evening.state.last.head == evening.rows[-1].hash[:8]
    evening.agreed("correct_result", hand=1, kind="drawn")
    assert evening.scores() == {"p1": 0, "p2": 0, "p3": 0, "p4": 0}
    assert [one.what for one in evening.state.sheet[0].amended] == ["result", "result"]
    evening.check()


@pytest.mark.parametrize(
    ("phase", "dealer"), [(Phase.BUILDING, "E"), (Phase.READY, "E"), (Phase.DICE, "S"), (Phase.PLAYING, "S")]
)
def test_a_hand_that_nobody_has_dealt_takes_the_dealer_that_follows(
    evening: Evening, phase: Phase, dealer: str
) -> None:
    evening.win("S", "N", 3)
    evening.start(phase)
    evening.agreed("undo_result")
    assert evening.state.dealer == dealer
    evening.check()


@pytest.mark.parametrize(("by", "reason"), [("discard", "five_copies"), ("rob_kong", "rob_kong")])
def test_a_result_that_cannot_be_at_one_table_is_refused_with_its_reason(
    evening: Evening, by: str, reason: str
) -> None:
    evening.start()
    evening.kong("N", "5p" if by == "discard" else "7s", four(-1, -1, -1, 3))
    evening.settle("win", four(0, 2, 0, -2), "S", seat="S", by="discard", from_="N", total=1, text=HAND)
    ask = {"hand": 1, "kind": "win", "winner": "S", "from_": "N", "hand_text": ROBS}
    made = evening.do("correct_result", seat="E", reason="why", by=by, **ask)
    assert (made.code, made.params) == ("refuse.not_win", {"reason": reason})


def test_what_the_winner_stated_still_binds_him_and_nobody_else() -> None:
    evening = Evening("mcr", {"stated_counts": "stated_max"})
    evening.start()
    evening.book(Fact("stated", {"seat": "N", "points": 10, "source": "page"}))
    evening.settle("win", four(-18, -8, -8, 34), "S", seat="N", by="discard", from_="E", total=14)
    evening.start()
    evening.book(Fact("stated", {"seat": "E", "points": 8, "source": "page"}))  # of the hand that is open
    ask = {"hand": 1, "kind": "win", "by": "discard", "hand_text": FOURTEEN, "flowers": ["e"]}
    evening.agreed("correct_result", winner="N", from_="W", **ask)
    assert evening.scores() == {"p1": -8, "p2": -8, "p3": -18, "p4": 34}  # 8 and the stated 10
    evening.agreed("correct_result", winner="S", from_="W", **ask)
    assert evening.scores() == {"p1": -8, "p2": 38, "p3": -22, "p4": -8}  # 8 and all 14
    evening.check()


def test_a_robbed_kong_is_paid_back_and_paid_again(evening: Evening) -> None:
    evening.start()
    evening.kong("N", "6s", four(-2, -2, -2, 6))
    evening.settle("win", four(0, 2, 0, -2), "S", seat="S", by="discard", from_="N", total=1, text=HAND)
    assert evening.scores() == {"p1": -2, "p2": 0, "p3": -2, "p4": 4}
    ask = {"hand": 1, "kind": "win", "winner": "S", "by": "rob_kong", "from_": "N", "hand_text": ROBS}
    evening.agreed("correct_result", **ask)
    (row,) = evening.state.sheet
    assert (row.outcome.paid, [kong.robbed for kong in row.kongs]) == ((0, 0, 0, 0), [True])
    assert evening.scores() == dict(zip(("p1", "p2", "p3", "p4"), row.outcome.deltas, strict=True))
    evening.agreed("correct_result", hand=1, kind="drawn")
    assert evening.scores() == {"p1": -2, "p2": -2, "p3": -2, "p4": 6}
    evening.check()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"hand": 7}, "refuse.no_hand"),
        ({"winner": "W", "from_": "W"}, "refuse.invalid"),
        ({"by": "self_draw"}, "refuse.invalid"),
        ({"from_": None}, "refuse.invalid"),
        ({"hand_text": None}, "refuse.invalid"),
        ({"hand_text": "123m ?"}, "refuse.tiles"),
        ({"hand_text": "[555p,2] 123m 456s 99s EE + S"}, "refuse.not_win"),
        ({"kind": "lost"}, "refuse.invalid"),
        ({"flowers": ["a"]}, "refuse.invalid"),
        ({"reason": ""}, "refuse.invalid"),
    ],
)
def test_senseless_results_are_not_asked_for(evening: Evening, change: dict[str, Any], code: str) -> None:
    evening.win("S", "N", 3)
    ask = {"hand": 1, "kind": "win", "winner": "S", "by": "discard", "from_": "N", "hand_text": HAND}
    made = evening.do("correct_result", seat="E", **{"reason": "why", **ask, **change})
    assert (made.ok, made.code) == (False, code)
    assert evening.state.correction is None


def test_players_who_sat_wrong_get_what_their_true_places_brought(evening: Evening) -> None:
    evening.win("E", "S", 5)
    evening.win("E", "S", 7)
    evening.win("S", "W", 2)
    evening.agreed("swap_players", seats=["E", "S"], from_hand=2)
    # from hand 2 on p2 sat at E and p1 at S
    assert evening.scores() == {"p1": 5 - 7 + 2, "p2": -5 + 7, "p3": -2, "p4": 0}
    assert [place.player for place in evening.state.seats] == ["p2", "p1", "p3", "p4"]
    evening.win("E", "N", 1)
    assert evening.scores()["p2"] == 3
    evening.check()


def test_players_who_went_back_to_their_places_change_only_what_was_played(evening: Evening) -> None:
    evening.win("E", "S", 5)
    evening.agreed("swap_players", seats=["S", "E"], from_hand=1, stay=False)
    assert evening.scores() == {"p1": -5, "p2": 5, "p3": 0, "p4": 0}
    assert [place.player for place in evening.state.seats] == ["p1", "p2", "p3", "p4"]
    evening.check()


def test_what_was_paid_in_the_open_hand_belongs_to_who_sits_there(evening: Evening) -> None:
    evening.win("E", "S", 5)
    evening.start()
    evening.kong("E", "5p", four(3, -1, -1, -1))
    evening.agreed("swap_players", seats=["E", "S"], from_hand=2)
    assert evening.scores() == {"p1": 4, "p2": -2, "p3": -1, "p4": -1}
    evening.settle("drawn", four(0, 0, 0, 0))
    assert evening.scores() == {"p1": 4, "p2": -2, "p3": -1, "p4": -1}
    assert evening.state.sheet[-1].entries == ("p2", "p1", "p3", "p4")
    evening.check()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"seats": ["E", "E"]}, "refuse.invalid"),
        ({"seats": ["E"]}, "refuse.invalid"),
        ({"from_hand": 2}, "refuse.no_hand"),
        ({"from_hand": 0}, "refuse.no_hand"),
        ({"stay": 1}, "refuse.invalid"),
    ],
)
def test_senseless_swaps_are_not_asked_for(evening: Evening, change: dict[str, Any], code: str) -> None:
    evening.win("E", "S", 5)
    made = evening.do(
        "swap_players", **{"seat": "E", "reason": "x", "seats": ["E", "S"], "from_hand": 1, **change}
    )
    assert (made.ok, made.code) == (False, code)


def test_a_substitute_plays_for_the_place_and_his_hands_are_told_apart(evening: Evening) -> None:
    evening.win("W", "E", 4)
    evening.agreed("replace_player", place="W", reason="must go home")
    assert evening.state.seats[2].player == "p5"
    evening.win("W", "E", 3)
    assert evening.scores() == {"p1": -7, "p2": 0, "p3": 7, "p4": 0}
    assert [row.players[2] for row in evening.state.sheet] == ["p3", "p5"]
    assert [row.entries[2] for row in evening.state.sheet] == ["p3", "p3"]
    assert evening.do("replace_player", seat="E", reason="x", place="E", player="p5").code == (
        "refuse.player_here"
    )
    evening.agreed("replace_player", place="W", player="p3")  # he is back
    assert (evening.state.seats[2].player, evening.state.guests) == ("p3", 5)
    evening.agreed("replace_player", place="N")
    assert evening.state.seats[3].player == "p6"
    evening.check()


def test_an_empty_place_is_not_asked_any_more(evening: Evening) -> None:
    evening.win("W", "E", 4)
    evening.agreed("replace_player", place="W", leaves=True)
    assert (evening.state.seats[2].player, evening.state.seats[2].score) == ("", 4)
    assert evening.do("replace_player", seat="E", reason="x", place="W", leaves=True).code == "refuse.invalid"
    evening.ok("undo_result", seat="E", reason="x")
    for seat in "SN":
        evening.ok("agree_correction", seat=seat)
    assert evening.scores()["p3"] == 0
    evening.check()


def test_a_game_is_ended_and_the_hand_that_is_open_called_off(evening: Evening) -> None:
    evening.win("W", "E", 4)
    evening.start()
    evening.kong("E", "5p", four(3, -1, -1, -1))
    evening.agreed("end_game", reason="late")
    assert (evening.state.phase, evening.state.is_open) == (Phase.SETTLED, False)
    assert evening.scores() == {"p1": -4, "p2": 0, "p3": 4, "p4": 0}
    assert evening.state.over is not None
    assert (evening.state.over.cause, evening.state.over.reason) == ("forced", "late")
    assert evening.do("start").code == "refuse.game_over"
    assert evening.do("end_game", seat="E", reason="x").code == "refuse.game_over"
    evening.agreed("undo_result")  # also after the end: then the hand is to be played again
    assert evening.state.over is None
    assert evening.scores()["p3"] == 0
    evening.check()


def test_seat_keys_answer_between_hands(table: Any) -> None:
    table.connect()
    table.to_settled()
    table.press(1)
    assert table.view["notices"][-1]["code"] == "refuse.seat_short"
    won = table.scores()
    assert any(won)
    table.ok("undo_result", seat="E", reason="wrong payer")
    assert table.view["act"] == [{"side": side, "do": "amend"} for side in (2, 3, 4)]
    table.press(2, ms=1_200)
    assert table.state.correction is None
    assert table.scores() == won
    table.ok("undo_result", seat="E", reason="wrong payer")
    for side in (2, 3, 4):
        table.press(side)
    assert table.scores() == [0, 0, 0, 0]
    assert table.view["act"] == [{"side": 1, "do": "start"}]
    table.restart()
    assert table.scores() == [0, 0, 0, 0]


def test_a_new_game_knows_nothing_of_the_corrections_of_the_old_one(evening: Evening) -> None:
    evening.win("S", "N", 3)
    evening.agreed("replace_player", place="W")
    evening.ok("undo_result", seat="E", reason="x")
    evening.book(Fact("game_started", dict(evening.rows[0].body)))
    assert (evening.state.sheet, evening.state.correction, evening.state.guests) == ((), None, 5)
    evening.check()


def test_a_snapshot_keeps_the_sheet_and_what_is_asked_for(tmp_path: Path) -> None:
    evening = Evening()
    evening.start()
    evening.kong("N", "6s", four(-2, -2, -2, 6))
    evening.fine("W", four(10, 10, -30, 10))
    evening.settle("win", four(0, 2, 0, -2), "S", seat="S", by="discard", from_="N", total=1, text=HAND)
    evening.agreed("swap_players", seats=["E", "S"], from_hand=1)
    evening.agreed("replace_player", place="W")
    evening.agreed("end_game")
    evening.ok("correct_result", seat="E", reason="x", hand=1, kind="drawn")
    path = tmp_path / "snapshot.json"
    write_snapshot(path, snapshot_of(evening.state, History()))
    read = read_snapshot(path)
    assert read is not None
    assert read.state == evening.state
    evening.state = read.state
    for seat in "SWN":
        evening.ok("agree_correction", seat=seat)
    evening.check()
