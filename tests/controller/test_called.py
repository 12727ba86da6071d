"""A kong called by seat key where no page hears it: noted with the hand, paid only by what is known."""

from __future__ import annotations

from typing import Any

import pytest

from controller.state import Phase

WITH_KONG = "(CCCC) 123m 45699s EE + E"


def tap(table: Any, side: int, times: int) -> None:
    for _ in range(times):
        table.press(side, 150)


def test_three_taps_call_a_kong_and_play_goes_on(table: Any) -> None:
    table.to_playing()
    tap(table, 3, 3)
    table.at(Phase.PLAYING)
    assert table.view["kongs_called"] == ["W"]
    assert table.view["notices"][-1] == {"code": "kong.called", "params": {"seat": "W"}}
    assert (table.view["kongs"], table.scores()) == ([], [0, 0, 0, 0])
    assert table.kinds()[-4:] == ["phase", "kong_called", "withdrawn", "phase"]
    table.restart()
    assert table.view["kongs_called"] == ["W"]


def test_two_taps_are_a_claim_still(table: Any) -> None:
    table.to_playing()
    tap(table, 2, 2)
    table.at(Phase.CLAIM, "from")
    table.run(2_500)
    tap(table, 2, 1)
    table.at(Phase.CLAIM, "from")
    assert table.view["notices"][-1]["code"] == "refuse.self"
    table.press(4)
    table.at(Phase.CLAIM, "lay")
    claim = table.view["claim"]
    assert (claim["seat"], claim["from"], table.view["kongs_called"]) == ("S", "N", [])


def test_another_claim_of_the_tile_stands_after_the_kong(table: Any) -> None:
    table.to_playing()
    tap(table, 2, 1)
    tap(table, 3, 1)
    tap(table, 2, 2)
    table.at(Phase.CLAIM, "from")
    assert (table.view["claim"]["seat"], table.view["kongs_called"]) == ("W", ["S"])


def test_a_page_says_later_which_kong_it_was(table: Any) -> None:
    table.to_playing()
    tap(table, 3, 3)
    tap(table, 2, 3)
    table.ok("declare_kong", seat="W", kind="concealed_kong", tile="C")
    assert table.view["kongs_called"] == ["S"]
    assert table.scores() == [-4, -4, 12, -4]
    table.ok("declare_kong", seat="N", kind="concealed_kong", tile="F")
    assert table.view["kongs_called"] == ["S"]


@pytest.mark.parametrize("calls", [0, 1, 2])
def test_the_camera_pays_what_the_winner_called_and_lays_down(table: Any, look: Any, calls: int) -> None:
    table.eyes.hand = [look(WITH_KONG)]
    table.to_playing()
    for _ in range(calls):
        tap(table, 2, 3)
    table.press(2, 1_200)
    table.press(2)
    table.run(500)
    if not calls:
        table.at(Phase.REVIEW)
        assert table.view["reading"]["problems"] == ["kong.undeclared"]
        return
    table.at(Phase.CONFIRM)
    [kong] = table.view["kongs"]
    assert (kong["seat"], kong["kind"], kong["tile"]) == ("S", "concealed_kong", "C")
    assert table.scores() == [-4, 12, -4, -4]
    assert table.view["kongs_called"] == ["S"] * (calls - 1)


@pytest.mark.parametrize(("meld", "feeder"), [("[CCCC,3]", "W"), ("[CCCC,2]", "N"), ("[CCCC]", None)])
def test_a_kong_of_a_discard_is_paid_by_whom_its_turned_tile_names(
    table: Any, look: Any, meld: str, feeder: str | None
) -> None:
    table.eyes.hand = [look(f"{meld} 123m 45699s EE + E")]
    table.to_playing()
    tap(table, 2, 3)
    table.press(2, 1_200)
    table.press(2)
    table.run(1_000)
    table.at(Phase.REVIEW if feeder is None else Phase.CONFIRM)
    assert [kong["from"] for kong in table.view["kongs"]] == ([] if feeder is None else [feeder])
    assert table.view["kongs_called"] == (["S"] if feeder is None else [])


def test_a_doubtful_photo_pays_no_kong(table: Any, look: Any) -> None:
    table.eyes.hand = [look(WITH_KONG, doubt=5)]
    table.to_playing()
    tap(table, 2, 3)
    table.press(2, 1_200)
    table.press(2)
    table.run(2_000)
    table.at(Phase.REVIEW)
    assert (table.view["kongs"], table.view["kongs_called"]) == ([], ["S"])


def test_a_kong_that_nobody_told_stays_with_the_hand(table: Any) -> None:
    table.to_playing()
    tap(table, 3, 3)
    table.press(2)
    table.run(700)
    table.press(4)
    table.press(2)
    table.run(500)
    for side in (1, 3, 4):
        table.press(side)
    table.at(Phase.SETTLED)
    last = table.view["last"]
    assert (last["kind"], last["kongs_called"], sum(table.scores())) == ("win", ["W"], 0)
    assert (table.view["kongs_called"], table.state.sheet[-1].called) == ([], (table.state.seat_at(3),))
    body = {"hand": 1, "kind": "drawn", "reason": "no win"}
    table.ok("correct_result", **body)
    for side in (1, 2, 3, 4):
        table.press(side)
    assert (table.view["last"]["kind"], table.view["last"]["kongs_called"]) == ("drawn", ["W"])
    table.ok("correct_result", **body, kongs=[{"seat": "W", "kind": "concealed_kong", "tile": "C"}])
    for side in (1, 2, 3, 4):
        table.press(side)
    assert (table.view["last"]["kongs_called"], table.scores()) == ([], [-4, -4, 12, -4])
    assert table.state.sheet[-1].called == ()


def test_where_kongs_pay_nothing_there_is_nothing_to_note(make_table: Any) -> None:
    table = make_table(variant="mcr")
    table.connect()
    table.to_playing()
    tap(table, 3, 3)
    table.at(Phase.PLAYING)
    assert table.view["kongs_called"] == []
    assert table.kinds()[-1] == "phase"
