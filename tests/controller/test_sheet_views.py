"""Score sheet, statistics, report and what the state tells of corrections: figures worked out by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import TypeAdapter

from controller.live_values import Live
from controller.projections import history_view, state_view
from controller.sheet_views import SCORE_VIEWS, report_view, sheet_view, statistics_view
from controller.views_sheet import ReportView, SheetView, StatisticsView
from controller.web.examples_sheet import REPORT, SHEET, STATISTICS
from tests.controller.evening import HAND, Evening, four
from tests.controller.sheet_story import NAMES, TOTALS, told


def view(evening: Evening) -> Any:
    return state_view(evening.state, Live(), names=NAMES)


@pytest.mark.parametrize(
    ("name", "shape", "example"),
    [("sheet", SheetView, SHEET), ("statistics", StatisticsView, STATISTICS), ("report", ReportView, REPORT)],
)
def test_the_examples_are_what_three_played_hands_give(name: str, shape: Any, example: Any) -> None:
    made = json.loads(json.dumps(SCORE_VIEWS[name](told().state, NAMES)))
    assert made == example
    TypeAdapter(shape).validate_python(made, strict=True)


def test_all_surfaces_tell_the_same_totals() -> None:
    evening = told()
    sheet, report = sheet_view(evening.state, NAMES), report_view(evening.state, NAMES)
    assert sheet["totals"] == TOTALS
    assert sheet["rows"][-1]["totals"] == TOTALS
    assert {row["entry"]: row["points"] for row in report["ranking"]} == TOTALS
    by_entry = dict.fromkeys(TOTALS, 0)
    for row in statistics_view(evening.state, NAMES)["players"]:
        by_entry[row["entry"]] += int(row["points"])
    assert by_entry == TOTALS
    seats = view(evening)["seats"]
    assert {seat["entry"]: seat["score"] for seat in seats.values()} == TOTALS
    in_history = dict.fromkeys("ESWN", 0)
    for hand in history_view(evening.rows)["hands"]:
        for seat, amount in hand["deltas"].items():
            in_history[seat] += amount
    assert in_history == {seat: row["score"] for seat, row in seats.items()}


def test_the_history_shows_the_corrected_hand_with_what_stood_before() -> None:
    hands = history_view(told().rows)["hands"]
    assert [hand["hand"] for hand in hands] == [3, 2, 1]
    corrected = hands[1]
    assert (corrected["from"], corrected["deltas"]) == ("W", {"E": -8, "S": -8, "W": -22, "N": 38})
    (one,) = corrected["amended"]
    assert one["before"] == {
        "kind": "win",
        "deltas": {"E": -22, "S": -8, "W": -8, "N": 38},
        "winners": ["N"],
        "total": 14,
        "seq": 8,
    }
    assert (one["reason"], one["asked_by"], one["seats"]) == ("it was my discard", "W", ["E", "S", "W", "N"])
    assert (one["head"], corrected["head"]) == ("0000000e", "0000000e")
    assert hands[0]["amended"] == hands[2]["amended"] == []


def test_state_and_history_agree_on_the_last_hand_after_every_kind_of_correction() -> None:
    evening = told()
    for name, ask in (
        ("swap_players", {"seats": ["E", "N"], "from_hand": 2}),
        ("correct_result", {"hand": 3, "kind": "drawn"}),
        ("undo_result", {}),
    ):
        evening.agreed(name, **ask)
        assert history_view(evening.rows)["hands"][0] == view(evening)["last"]
    last = view(evening)["last"]
    assert [one["what"] for one in last["amended"]] == ["swap", "result", "undo"]
    assert (last["kind"], last["seat"], last["hand_text"]) == ("void", None, None)
    # hands 2 and 3 swapped between p1 and p4, hand 3 undone: p1 -20 + 38, p4 -20 - 8
    assert sheet_view(evening.state, NAMES)["totals"] == {"p1": 18, "p2": 52, "p3": -42, "p4": -28}
    assert [seat["name"] for seat in view(evening)["seats"].values()] == ["茉莉", "普洱", "毛尖", "龙井"]


def test_an_open_wish_tells_what_it_would_do_and_who_is_still_asked() -> None:
    evening = told()
    assert (view(evening)["correction"], view(evening)["over"]) == (None, None)
    evening.ok("undo_result", seat="S", reason="misread")
    evening.ok("agree_correction", seat="N")
    told_of = view(evening)["correction"]
    assert told_of["answers"] == {"E": None, "S": "yes", "W": None, "N": "yes"}
    assert (told_of["what"], told_of["reason"], told_of["seat"]) == ("undo", "misread", "S")
    assert [(one["name"], one["was"], one["will"]) for one in told_of["changes"]] == [
        ("龙井", -36, -28),
        ("普洱", 24, 52),
        ("乌龙", 2, -42),
        ("茉莉", 10, 18),
    ]


def test_half_points_are_shown_as_they_are() -> None:
    evening = Evening()
    evening.start()
    evening.kong("E", "5p", four(3, -1, -1, -1))  # units of half a point
    assert sheet_view(evening.state, NAMES)["open"] == {"p1": 1.5, "p2": -0.5, "p3": -0.5, "p4": -0.5}
    evening.settle("win", four(0, 2, 0, -2), "S", seat="S", by="discard", from_="N", total=1, text=HAND)
    sheet = sheet_view(evening.state, NAMES)
    assert sheet["rows"][0]["deltas"] == {"p1": 1.5, "p2": 0.5, "p3": -0.5, "p4": -1.5}
    assert sheet["totals"] == sheet["rows"][0]["totals"]
    evening.agreed("correct_result", hand=1, kind="drawn")
    (row,) = sheet_view(evening.state, NAMES)["rows"]
    assert row["deltas"] == {"p1": 1.5, "p2": -0.5, "p3": -0.5, "p4": -0.5}
    before = row["amended"][0]["before"]
    assert before is not None
    assert before["deltas"] == {"E": 1.5, "S": 0.5, "W": -0.5, "N": -1.5}  # with the kong, as it was


def test_several_winners_and_averages_are_counted_by_player() -> None:
    evening = Evening("mcr")
    wins = [
        {"seat": "E", "by": "discard", "from": "W", "total": 8},
        {"seat": "S", "by": "discard", "from": "W", "total": 25},
    ]
    first = {"seat": "E", "by": "discard", "from_": "W", "total": 8}
    evening.hand("win", four(16, 33, -49, 0), "E", wins=wins, **first)
    evening.hand("win", four(24, -8, -8, -8), "E", seat="E", by="self_draw", total=9)
    evening.start()
    evening.fine("W", four(5, 5, -15, 5))
    evening.settle("drawn", four(0, 0, 0, 0), "S")
    evening.start()
    evening.ok("void", reason="tiles fell")
    rows = {row["player"]: row for row in statistics_view(evening.state, NAMES)["players"]}
    assert {row["hands"] for row in rows.values()} == {3}
    east, south, west = rows["p1"], rows["p2"], rows["p3"]
    assert (east["wins"], east["self_draws"], east["average_fan"], east["biggest"]) == (2, 1, 8.5, 9)
    assert (east["biggest_hand"], east["points"]) == (2, 45)
    assert (south["wins"], south["average_fan"], south["biggest"], south["deal_ins"]) == (1, 25, 25, 0)
    assert (west["wins"], west["deal_ins"], west["average_fan"], west["points"]) == (0, 2, None, -72)
    assert [row["false_wins"] for row in rows.values()] == [0, 0, 1, 0]


@pytest.mark.parametrize(
    ("scores", "places", "transfers"),
    [
        ((0, 0, 0, 0), [1, 1, 1, 1], []),
        ((5, -5, 3, -3), [1, 2, 3, 4], [("p2", "p1", 5), ("p4", "p3", 3)]),
        ((10, 10, -20, 0), [1, 1, 3, 4], [("p3", "p1", 10), ("p3", "p2", 10)]),
        ((7, -1, -2, -4), [1, 2, 3, 4], [("p4", "p1", 4), ("p3", "p1", 2), ("p2", "p1", 1)]),
    ],
)
def test_the_report_ranks_and_evens_out(
    scores: tuple[int, int, int, int], places: list[int], transfers: list[tuple[str, str, int]]
) -> None:
    evening = Evening("mcr")
    evening.hand("win", four(*scores), "S", seat="E", by="self_draw", total=8)
    report = report_view(evening.state, NAMES)
    assert [row["place"] for row in report["ranking"]] == places
    assert [(one["from"], one["to"], one["points"]) for one in report["transfers"]] == transfers


def test_an_ended_game_says_so_everywhere() -> None:
    evening = told()
    evening.agreed("end_game", seat="N", reason="late")
    over = {"cause": "forced", "reason": "late", "asked_by": "N", "role": "seats", "hand": 3}
    assert view(evening)["over"] == report_view(evening.state, NAMES)["over"] == over
    assert view(evening)["act"] == []
