"""Without the board, the camera or the pages: what people and seat keys can still say, on a fake clock."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from controller.inputs import CameraState, Edge, PortUp
from controller.state import Phase

HAND = "[555p,2] 123m 45699s EE + E"
GONE = list(itertools.product([False, True], repeat=3))


def name_of(gone: tuple[bool, bool, bool]) -> str:
    words = [word for word, is_gone in zip(("camera", "link", "browser"), gone, strict=True) if is_gone]
    return "-".join(words) or "nothing"


def lose_camera(table: Any) -> None:
    table.eyes.gone = "down"
    table.feed(CameraState("down"))


def to_playing(table: Any, *, link: bool, page: bool) -> None:
    """Bring a hand to play from between two hands, by whatever is there."""
    dealer = table.state.upcoming[0] if table.state.upcoming else table.state.dealer
    side = table.state.side_of(dealer)
    if not link:
        table.ok("by_hand") if page else table.press(side, 1_200)
        table.at(Phase.DICE, "ask")
    else:
        while table.phase is not Phase.DICE:
            table.key("lift_a")
            table.run(30_000)
        table.key(f"dice_{table.state.side_of(table.state.thrower())}")
        table.run(6_000)
        if table.phase is Phase.DICE and table.step == "throw":
            table.key(f"dice_{table.state.side_of(table.state.thrower())}")
            table.run(6_000)
    while page and (table.phase, table.step) in ((Phase.DICE, "ask"), (Phase.DICE, "throw")):
        table.ok("set_dice", pips=[3, 4])
    table.press(side)
    table.at(Phase.PLAYING)


@pytest.mark.parametrize("gone", GONE, ids=map(name_of, GONE))
def test_a_hand_is_carried_with_what_is_left(table: Any, gone: tuple[bool, bool, bool]) -> None:
    camera, link, page = (not each for each in gone)
    table.unplug() if not link else None
    lose_camera(table) if not camera else None
    for hand in (1, 2):
        to_playing(table, link=link, page=page)
        opening = table.state.opening
        assert (opening is None) == (not page and not (link and camera))
        table.press(2)
        table.run(700)
        table.press(4)
        table.press(2)
        table.run(25_000)
        if not camera:
            table.at(Phase.REVIEW)
            if page:
                table.ok("correct", hand=HAND)
        for side in (1, 3, 4):
            table.press(side)
        table.at(Phase.SETTLED)
        last = table.view["last"]
        assert last["hand"] == hand
        assert sum(table.scores()) == 0
        if camera or page:
            assert (last["kind"], last["hand_text"], last["unread"]) == ("win", HAND, [])
            assert last["deltas"] == {"E": 0, "S": 1, "W": 0, "N": -1}
        else:
            assert (last["kind"], last["hand_text"]) == ("void", None)
            assert last["unread"] == [{"seat": "S", "by": "discard", "from": "N"}]
            assert table.scores() == [0, 0, 0, 0]


def test_a_hand_put_aside_is_entered_later_with_its_kongs(table: Any) -> None:
    table.to_playing()
    lose_camera(table)
    table.ok("declare_kong", seat="S", kind="concealed_kong", tile="7p")
    kong = table.scores()
    table.ok("claim", seat="S", by="self_draw")
    table.press(2)
    table.run(25_000)
    table.at(Phase.REVIEW)
    table.press(1)
    table.press(1)
    assert table.view["aside"] == ["E"]
    assert table.view["notices"][-1]["code"] == "refuse.agreed"
    table.press(3)
    table.press(4)
    table.at(Phase.SETTLED)
    assert table.scores() == [0, 0, 0, 0]
    body = {"hand": 1, "kind": "win", "winner": "S", "by": "self_draw", "reason": "no camera", "seat": "S"}
    table.ok("correct_result", **body, hand_text="(7777p) 123m 45699s EE + E")
    for side in (1, 3, 4):
        table.press(side)
    last = table.view["last"]
    assert (last["kind"], last["seat"], last["unread"]) == ("win", "S", [])
    assert table.scores() == [paid + won for paid, won in zip(kong, table.state.last.deltas, strict=True)]
    assert kong == [-4, 12, -4, -4]


def test_a_new_photo_or_hand_takes_the_agreement_to_put_it_aside_away(table: Any) -> None:
    table.to_playing()
    lose_camera(table)
    table.ok("claim", seat="S", by="discard", from_="N")
    table.press(2)
    table.run(25_000)
    for side in (1, 3):
        table.press(side)
    assert table.view["aside"] == ["E", "W"]
    table.eyes.gone = None
    table.feed(CameraState("up"))
    table.press(2)  # the winner: look again
    table.run(2_000)
    table.at(Phase.CONFIRM)
    assert table.view["aside"] == []
    table.ok("dispute", seat="N")
    answer = table.do("set_aside", seat="E")
    assert answer.code == "refuse.set_aside"  # it is read and a win: what is disputed is corrected
    table.press(4)
    table.at(Phase.REVIEW)


def test_nobody_plays_by_hand_beside_a_machine_that_works(table: Any) -> None:
    assert table.do("by_hand").code == "refuse.by_hand"
    table.press(1, 1_200)
    assert table.view["notices"][-1]["code"] == "refuse.seat_long"
    table.at(Phase.IDLE)


def test_only_the_dealer_says_by_key_that_the_walls_stand(table: Any) -> None:
    table.unplug()
    table.press(3, 1_200)
    assert table.view["notices"][-1] == {"code": "refuse.seat", "params": {"seat": "E"}}
    table.press(1, 1_200)
    table.at(Phase.DICE, "ask")
    table.press(3)
    table.at(Phase.DICE, "ask")
    table.press(1)
    table.at(Phase.PLAYING)
    assert table.state.opening is None
    assert table.state.by_hand


def test_the_break_of_the_wall_is_said_without_dice(table: Any) -> None:
    table.unplug()
    table.ok("by_hand")
    assert table.do("set_wall", seat="W", stack=18).params == {"field": "stack"}
    table.ok("set_wall", seat="W", stack=9)
    table.at(Phase.DEALING)
    assert table.view["dice"]["opening"] == {"count_seat": "W", "count": 8, "seat": "W", "stack": 9}
    assert table.do("set_wall", seat="W", stack=9).code == "refuse.set_wall"


def test_the_next_hand_is_the_machines_again_when_the_link_is_back(table: Any) -> None:
    table.to_ready()
    table.unplug()
    table.ok("by_hand")
    table.ok("set_dice", pips=[1, 2])
    table.feed(PortUp())
    table.run(2_000)
    table.ok("throw", seat=table.state.thrower().value)  # the second throw is the machine's
    table.run(6_000)
    table.at(Phase.DEALING)
    assert [throw.source for throw in table.state.throws] == ["page", "camera"]
    table.ok("dealt")
    table.ok("washout", seat="E")
    for seat in "SWN":
        table.ok("confirm", seat=seat)
    table.at(Phase.SETTLED)
    table.ok("start")
    table.run(10_000)
    table.at(Phase.BUILDING, "empty")  # the walls that people took out may not be all of them: looked after
    table.ok("start")
    table.run(10_000)
    table.at(Phase.BUILDING, "load")


def test_a_fault_in_the_middle_of_a_build_is_left_behind_and_cleared_in_play(table: Any) -> None:
    table.to_fault()
    table.ok("by_hand")
    table.at(Phase.DICE, "ask")
    assert table.do("throw", seat="E").code == "refuse.fault"
    table.ok("set_dice", pips=[3, 4])
    assert table.do("clear_fault", role="technician").ok
    table.run(2_000)
    table.at(Phase.DICE, "throw")
    assert table.state.fault is None
    assert table.state.emptying  # walls that nobody played with stand below


def test_a_second_fault_in_a_hand_by_hand_leads_back_into_that_hand(table: Any) -> None:
    table.to_fault()
    table.ok("by_hand")
    table.feed(Edge("estop", 1))
    table.run(500)
    table.at(Phase.FAULT)
    table.feed(Edge("estop", 0))
    assert table.do("clear_fault", role="technician").ok
    table.run(2_000)
    table.at(Phase.DICE, "ask")


def test_people_without_a_page_deal_though_one_of_their_throws_was_not_read(table: Any) -> None:
    table.to_dice()
    side = table.state.side_of(table.state.dealer)
    table.press(side)
    table.at(Phase.DICE, "throw")  # nothing was thrown yet
    lose_camera(table)
    table.key(f"dice_{side}")
    table.run(25_000)
    table.at(Phase.DICE, "ask")
    table.eyes.gone = None
    table.feed(CameraState("up"))
    table.key(f"dice_{side}")
    table.run(6_000)
    table.at(Phase.DICE, "throw")  # it was the second throw to them, and the first to the table
    table.press(side)
    table.at(Phase.PLAYING)
    assert table.state.opening is None


def test_nothing_of_it_is_lost_in_a_restart(table: Any) -> None:
    table.unplug()
    table.ok("by_hand")
    table.ok("set_dice", pips=[3, 4])
    table.restart()
    assert table.state.by_hand
    table.at(Phase.DICE, "throw")
    table.press(1)
    table.at(Phase.DICE, "throw")  # the link is back: the machine throws
