"""A corrected result tells everything: all winners of the tile, and the kongs of the hand."""

from __future__ import annotations

from typing import Any

import pytest

from controller.facts import Fact
from controller.live_values import Live
from controller.projections import history_view, state_view
from controller.sheet_views import sheet_view, statistics_view
from tests.controller.evening import HAND, Evening, four

OTHER_HAND = "123789m 234p 777s E + E"
OTHER_TILE = "123789m 234p 77s EE + 7s"
ROBS = "[555p,2] 123m 45s 99s EEE + 6s"
WITH_KONG = "(2222m) [555p,2] 45699s EE + E"
WON: dict[str, Any] = {"hand": 1, "kind": "win", "by": "discard", "from_": "N"}
BY_SOUTH: dict[str, Any] = {**WON, "winner": "S", "hand_text": HAND}
WEST: dict[str, Any] = {"winner": "W", "hand_text": OTHER_HAND}
CONCEALED: dict[str, Any] = {"seat": "W", "kind": "concealed_kong", "tile": "9m"}
"""Simplest rules, base 1 point = 2 units: a discarder gives 2, a concealed kong brings 4 of each other, any
other kong 2."""


def several() -> Evening:
    return Evening(options={"multi_win": True})


def with_kong() -> Evening:
    """A hand with a kong whose amounts no rule gives: so it shows when they are taken over."""
    evening = Evening()
    evening.start()
    evening.kong("E", "9p", four(3, -1, -1, -1))
    evening.settle("win", four(0, 2, 0, -2), "S", seat="S", by="discard", from_="N", total=1, text=HAND)
    return evening


def refusal(evening: Evening, **ask: Any) -> tuple[str, Any]:
    made = evening.do("correct_result", seat="E", reason="why", **ask)
    assert not made.ok
    assert evening.state.correction is None
    return made.code, next(iter(made.params.values()))


# ---------------------------------------------------------------------- several winners


def test_a_second_winner_of_the_tile_is_added_and_taken_away_again() -> None:
    evening = several()
    evening.win("S", "N", 2)
    evening.agreed("correct_result", **BY_SOUTH, also=[WEST])
    assert evening.scores() == {"p1": 0, "p2": 2, "p3": 2, "p4": -4}
    (row,) = evening.state.sheet
    assert [(win.seat, win.by, win.from_seat) for win in row.outcome.wins] == [
        ("S", "discard", "N"),
        ("W", "discard", "N"),
    ]
    last = evening.state.last
    assert last is not None
    assert (last.seat, [seat for seat, _ in last.also]) == ("S", ["W"])
    counted = {line["player"]: line for line in statistics_view(evening.state, {})["players"]}
    assert [counted[player]["wins"] for player in ("p1", "p2", "p3", "p4")] == [0, 1, 1, 0]
    assert counted["p4"]["deal_ins"] == 2
    (shown,) = history_view(evening.rows)["hands"]
    assert (shown["seat"], [one["seat"] for one in shown["also"]]) == ("S", ["W"])
    evening.check()
    evening.agreed("correct_result", **{**WON, "winner": "W", "hand_text": OTHER_HAND})
    assert evening.scores() == {"p1": 0, "p2": 0, "p3": 2, "p4": -2}
    assert [win.seat for win in evening.state.sheet[0].outcome.wins] == ["W"]
    evening.check()


def test_the_nearest_to_the_discarder_stands_first_whoever_is_told_first() -> None:
    evening = several()
    evening.win("S", "N", 2)
    evening.agreed("correct_result", **WON, **WEST, also=[{"winner": "S", "hand_text": HAND}])
    assert [win.seat for win in evening.state.sheet[0].outcome.wins] == ["S", "W"]
    assert evening.rows[-1].body["hand_text"] == HAND
    evening.check()


def test_what_a_winner_stated_and_was_given_is_his_alone() -> None:
    evening = Evening("simplest", {"stated_counts": "stated_max"}, options={"multi_win": True, "base": 3})
    evening.start()
    evening.book(Fact("stated", {"seat": "S", "points": 1, "source": "page"}))
    evening.book(Fact("reveal_penalty", {"seat": "E", "winner": "S", "deltas": four(-5, 5, 0, 0)}))
    evening.settle("win", four(0, 2, 0, -2), "S", seat="S", by="discard", from_="N", total=3, text=HAND)
    evening.agreed("correct_result", **BY_SOUTH, also=[WEST])
    assert evening.scores() == {"p1": -5, "p2": 5 + 2, "p3": 6, "p4": -8}  # 1 of his 3 points, and all 3
    evening.agreed("correct_result", **WON, **WEST)
    assert evening.scores() == {"p1": 0, "p2": 0, "p3": 6, "p4": -6}
    evening.check()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"also": [{"winner": "S", "hand_text": OTHER_HAND}]}, ("refuse.invalid", "also")),
        ({"also": [{"winner": "N", "hand_text": OTHER_HAND}]}, ("refuse.invalid", "from")),
        ({"also": [{"winner": "W", "hand_text": OTHER_TILE}]}, ("refuse.not_win", "other_tile")),
        (
            {"also": [{"winner": "W", "hand_text": "[555p,2] 123m 456s 99s EE + S"}]},
            ("refuse.not_win", "not_win"),
        ),
        ({"also": ["W"]}, ("refuse.invalid", "also")),
        ({"also": [WEST], "by": "self_draw", "from_": None}, ("refuse.invalid", "also")),
    ],
)
def test_winners_that_cannot_be_together_are_refused(change: dict[str, Any], says: tuple[str, str]) -> None:
    evening = several()
    evening.win("S", "N", 2)
    assert refusal(evening, **{**BY_SOUTH, **change}) == says


def test_where_one_tile_has_one_winner_no_second_one_is_taken() -> None:
    evening = Evening()
    evening.win("S", "N", 2)
    assert refusal(evening, **BY_SOUTH, also=[WEST]) == ("refuse.invalid", "also")


# ---------------------------------------------------------------------- kongs


def test_kongs_that_are_not_told_stand_as_they_were_booked() -> None:
    evening = with_kong()
    evening.agreed("correct_result", hand=1, kind="drawn")
    assert evening.scores() == {"p1": 3, "p2": -1, "p3": -1, "p4": -1}
    evening.check()


def test_a_forgotten_kong_is_paid_by_the_rules_beside_the_one_that_was_booked() -> None:
    evening = with_kong()
    booked = {"seat": "E", "kind": "added_kong", "tile": "9p"}
    evening.agreed("correct_result", hand=1, kind="drawn", kongs=[booked, CONCEALED])
    assert evening.scores() == {"p1": 3 - 4, "p2": -1 - 4, "p3": -1 + 12, "p4": -1 - 4}
    (row,) = evening.state.sheet
    assert [(kong.seat, kong.tile) for kong in row.kongs] == [("E", "9p"), ("W", "9m")]
    evening.agreed("undo_result")
    assert set(evening.scores().values()) == {0}
    evening.agreed("correct_result", hand=1, kind="drawn", kongs=[CONCEALED])
    assert evening.scores() == {"p1": -4, "p2": -4, "p3": 12, "p4": -4}
    evening.agreed("correct_result", hand=1, kind="drawn", kongs=[])
    assert set(evening.scores().values()) == {0}
    evening.check()


def test_a_kong_from_a_discard_is_scored_anew_when_its_source_is_told() -> None:
    evening = Evening(options={"exposed_payer": "feeder"})
    evening.win("S", "N", 2)
    exposed = {"seat": "W", "kind": "exposed_kong", "tile": "9m", "from": "N"}
    evening.agreed("correct_result", **BY_SOUTH, kongs=[exposed])
    assert evening.scores() == {"p1": 0, "p2": 2, "p3": 6, "p4": -8}
    evening.agreed("correct_result", **BY_SOUTH, kongs=[{**exposed, "from": "E"}])
    assert evening.scores() == {"p1": -6, "p2": 2, "p3": 6, "p4": -2}
    evening.check()


def test_a_kong_told_later_can_be_the_one_that_was_robbed() -> None:
    evening = Evening()
    evening.win("S", "N", 2)
    added = {"seat": "N", "kind": "added_kong", "tile": "6s"}
    robs = {**WON, "by": "rob_kong", "winner": "S", "hand_text": ROBS}
    assert refusal(evening, **robs) == ("refuse.not_win", "rob_kong")
    evening.agreed("correct_result", **robs, kongs=[added, CONCEALED])
    (row,) = evening.state.sheet
    assert [kong.robbed for kong in row.kongs] == [True, False]
    settled = row.outcome.deltas
    assert evening.scores() == {"p1": settled[0] - 4, "p2": settled[1] - 4, "p3": settled[2] + 12} | {
        "p4": settled[3] - 4
    }
    evening.check()


def test_a_hand_put_aside_is_entered_later_with_its_kongs() -> None:
    evening = Evening()
    evening.start()
    evening.settle("void", four(0, 0, 0, 0))
    mine = {"seat": "S", "kind": "concealed_kong", "tile": "2m"}
    assert refusal(evening, **{**BY_SOUTH, "hand_text": WITH_KONG}, kongs=[CONCEALED]) == (
        "refuse.not_win",
        "kong_untold",
    )
    evening.agreed("correct_result", **{**BY_SOUTH, "hand_text": WITH_KONG}, kongs=[mine, CONCEALED])
    assert evening.scores() == {"p1": -8, "p2": 12 - 4 + 2, "p3": 12 - 4, "p4": -8 - 2}
    evening.check()


@pytest.mark.parametrize(
    ("kongs", "says"),
    [
        ([{"seat": "W", "kind": "exposed_kong", "tile": "9m"}], ("refuse.from", "from")),
        ([{**CONCEALED, "from": "E"}], ("refuse.invalid", "from")),
        ([{**CONCEALED, "kind": "exposed_kong", "from": "W"}], ("refuse.invalid", "from")),
        ([CONCEALED, {**CONCEALED, "seat": "E"}], ("refuse.kong", "9m")),
        ([{**CONCEALED, "kind": "big"}], ("refuse.invalid", "kind")),
        ([{**CONCEALED, "tile": "5p"}], ("refuse.not_win", "five_copies")),
        (["9m"], ("refuse.invalid", "kongs")),
        ([CONCEALED] * 17, ("refuse.invalid", "kongs")),
    ],
)
def test_kongs_that_cannot_be_are_refused(kongs: list[Any], says: tuple[str, str]) -> None:
    evening = Evening()
    evening.win("S", "N", 2)
    assert refusal(evening, **BY_SOUTH, kongs=kongs) == says


def test_a_hand_that_does_not_count_has_no_kongs_to_tell() -> None:
    assert refusal(with_kong(), hand=1, kind="void", kongs=[]) == ("refuse.invalid", "kongs")


# ---------------------------------------------------------------------- what pages need to ask for it


def test_pages_are_told_the_kongs_and_who_sat_where_in_the_hand() -> None:
    evening = with_kong()
    evening.agreed("swap_players", seats=["E", "S"], from_hand=1, stay=False)
    (row,) = sheet_view(evening.state, {})["rows"]
    assert row["kongs"] == [{"seat": "E", "kind": "added_kong", "tile": "9p", "robbed": False}]
    assert row["seats"] == {"E": "p2", "S": "p1", "W": "p3", "N": "p4"}
    evening.ok("correct_result", seat="E", reason="x", hand=1, kind="drawn", kongs=[])
    view = state_view(evening.state, Live())
    assert view["correction"] is not None
    assert view["correction"]["players"] == row["seats"]
    assert (view["table"]["several"], view["table"]["kongs"]) == (False, True)
    assert state_view(several().state, Live())["table"]["several"]
    evening.ok("rule_correction", "referee", accept=False)
    evening.ok("undo_result", seat="E", reason="x")
    view = state_view(evening.state, Live())
    assert view["correction"] is not None
    assert view["correction"]["players"] == {}
