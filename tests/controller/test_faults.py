"""What goes wrong is named and has a way on; play is not interrupted by the machine."""

from __future__ import annotations

from typing import Any

import pytest

from controller.inputs import Edge, PortUp
from controller.state import Phase
from firmware_bridge import messages as m


def _sent(table: Any, kind: type) -> int:
    return sum(isinstance(message, kind) for message in table.board.sent)


def _build_under_way(table: Any) -> None:
    table.to_load()
    table.ok("start")
    table.run(10_000)
    table.at(Phase.BUILDING, "build")


def test_a_watchdog_reset_during_a_build(table: Any) -> None:
    _build_under_way(table)
    table.board.reboot(table.now)
    table.run(500)
    table.at(Phase.FAULT)
    fault = table.view["fault"]
    assert fault["key"] == "fault.reset"
    assert fault["remedy_zh"]
    assert table.do("start").code == "refuse.start"
    builds = _sent(table, m.Build)
    table.ok("clear_fault")
    table.run(8_000)
    assert _sent(table, m.Home) == 2
    table.at(Phase.BUILDING, "empty")  # tiles passed uncounted while the board hung
    assert {act["do"] for act in table.view["act"]} == {"empty"}
    table.ok("start")
    table.run(12_000)
    table.at(Phase.BUILDING, "load")
    table.ok("start")
    table.run(40_000)
    table.at(Phase.READY)
    assert _sent(table, m.Build) == builds + 1


def test_a_jam_during_a_build(table: Any) -> None:
    _build_under_way(table)
    table.board.fail(303, 3, table.now)
    table.run(500)
    table.at(Phase.FAULT)
    assert table.view["fault"]["side"] == 3
    assert (table.view["fault"]["code"], table.view["fault"]["key"]) == (303, "fault.jam")
    table.run(60_000)
    assert _sent(table, m.Build) == 1
    table.ok("clear_fault")
    table.run(30_000)
    table.at(Phase.READY)


def test_the_cable_is_pulled_during_a_build(table: Any) -> None:
    _build_under_way(table)
    table.unplug()
    table.at(Phase.FAULT)
    assert table.view["fault"]["key"] == "fault.link"
    assert table.view["health"]["link"] == "down"
    assert table.do("clear_fault").code == "refuse.link"
    table.board.state = m.State.safe
    table.board.latched = True
    table.feed(PortUp())
    table.run(2_000)
    table.at(Phase.FAULT)
    assert _sent(table, m.Build) == 1
    table.ok("clear_fault")
    table.run(30_000)
    table.at(Phase.READY)


def test_a_fault_beside_the_standing_one_is_kept_once(table: Any) -> None:
    _build_under_way(table)
    table.unplug()
    table.board.fault, table.board.latched, table.board.state = 201, True, m.State.safe
    table.feed(PortUp())
    table.run(60_000)
    assert _kept_beside(table) == [("fault.heartbeat", 0)]
    table.board.fault, table.board.side = 303, 2
    table.run(10_000)
    table.board.fault, table.board.side = 201, 0
    table.run(10_000)
    assert _kept_beside(table) == [("fault.heartbeat", 0), ("fault.jam", 2)]
    table.ok("clear_fault")
    table.run(500)
    _build_again(table)
    assert len(_kept_beside(table)) == 3, "beside another fault it is news"


def _kept_beside(table: Any) -> list[tuple[str, int]]:
    bodies = [row.body for row in table.rows if row.body.get("event") == "fault"]
    return [(body["key"], body["side"]) for body in bodies]


def _build_again(table: Any) -> None:
    table.run(30_000)
    table.unplug()
    table.board.fail(302, 1, table.now)
    table.feed(PortUp())
    table.run(2_000)
    table.board.fault, table.board.side = 201, 0
    table.run(10_000)


def test_the_cable_is_pulled_while_nothing_moves(table: Any) -> None:
    table.to_ready()
    table.unplug()
    table.at(Phase.READY)
    assert table.do("lift").code == "refuse.link"
    table.feed(PortUp())
    table.run(200)
    table.ok("lift")
    table.run(4_000)
    table.at(Phase.DICE, "throw")


def test_a_lost_link_leaves_the_dice_to_people(table: Any) -> None:
    table.to_dice()
    table.unplug()
    table.at(Phase.DICE, "throw")
    assert table.do("throw").code == "refuse.link"
    table.ok("set_dice", pips=[3, 4])
    table.ok("set_dice", pips=[2, 3])
    table.at(Phase.DEALING)


@pytest.mark.parametrize("phase", ["BUILDING", "READY", "PLAYING", "CONFIRM"])
def test_the_emergency_stop(table: Any, phase: str) -> None:
    {
        "BUILDING": lambda: _build_under_way(table),
        "READY": table.to_ready,
        "PLAYING": table.to_playing,
        "CONFIRM": table.to_confirm,
    }[phase]()
    table.feed(Edge("estop", 1))
    table.run(100)
    assert table.board.stops == 1
    assert table.view["fault"]["key"] == "fault.estop"
    assert table.phase.value == (phase if phase in ("PLAYING", "CONFIRM") else "FAULT")
    assert table.do("clear_fault").code == "refuse.estop"
    table.feed(Edge("estop", 0))
    table.ok("clear_fault")
    table.run(300)
    assert table.view["fault"] is None
    assert table.phase.value == phase


@pytest.mark.parametrize(
    "go",
    [
        "connect",
        "to_load",
        "to_ready",
        "to_dice",
        "to_dealing",
        "to_playing",
        "to_claim",
        "to_confirm",
        "to_review",
        "to_settled",
    ],
)
def test_stop_is_taken_in_every_phase(table: Any, go: str) -> None:
    getattr(table, go)()
    table.ok("stop")
    table.run(100)
    assert table.board.stops == 1
    assert table.view["fault"]["key"] == "fault.stop"
    table.ok("clear_fault")
    table.run(500)
    assert table.view["fault"] is None


def test_a_stop_stays_until_somebody_clears_it(table: Any) -> None:
    _build_under_way(table)
    table.ok("stop")
    table.run(100)
    table.board.tell(m.FaultCleared(), table.now)  # nobody asked for it
    table.board.tell(m.StateChanged(m.State.idle), table.now)
    table.board.latched, table.board.state = False, m.State.idle  # STATUS says stopped = 0, as after a reset
    table.run(60_000)
    table.at(Phase.FAULT)
    assert table.view["fault"]["key"] == "fault.stop"
    table.ok("clear_fault")
    table.run(500)
    table.at(Phase.BUILDING, "home")


def test_a_stop_during_another_fault_takes_its_place(table: Any) -> None:
    _build_under_way(table)
    table.board.fail(302, 2, table.now)
    table.run(100)
    table.at(Phase.FAULT)
    table.ok("stop")
    table.run(2_000)
    assert table.view["fault"]["key"] == "fault.stop"
    table.ok("clear_fault")
    table.run(500)
    table.at(Phase.BUILDING, "home")
    assert table.view["fault"] is None


def test_play_goes_on_beside_a_fault_and_the_next_hand_waits(table: Any) -> None:
    table.to_confirm()
    table.board.fail(302, 2, table.now)
    table.run(2_000)
    table.at(Phase.CONFIRM)
    assert table.view["fault"]["side"] == 2
    for seat in "EWN":
        table.ok("confirm", seat=seat)
    table.at(Phase.SETTLED)
    assert table.view["act"][0]["do"] == "clear"
    assert table.do("start").code == "refuse.fault"
    table.ok("clear_fault")
    table.run(500)
    table.ok("start")


def test_a_refused_order_is_named_after_three_tries(table: Any) -> None:
    table.board.refusing[m.Lift] = m.Reason.lid_open
    table.ok("start")
    table.run(20_000)
    table.at(Phase.FAULT)
    assert table.view["fault"]["key"] == "fault.refused"
    assert _sent(table, m.Lift) == 3
    table.board.refusing.clear()
    table.ok("clear_fault")
    table.run(10_000)
    table.at(Phase.BUILDING, "load")


def test_a_motor_that_rests_is_waited_for(table: Any) -> None:
    table.board.refusing[m.Lift] = m.Reason.resting
    table.ok("start")
    table.run(60_000)
    table.at(Phase.BUILDING, "open")
    assert table.state.fault is None
    assert 5 <= _sent(table, m.Lift) <= 13, "asked again every few seconds, not at every STATUS"
    assert ("order.refused", "resting") in [
        (each["code"], each["params"]["reason"]) for each in table.view["notices"]
    ]
    table.board.refusing[m.Lift] = m.Reason.lid_open
    table.run(20_000)
    assert table.view["fault"]["key"] == "fault.refused", "other reasons count as ever"
    table.board.refusing.clear()
    table.ok("clear_fault")
    table.run(10_000)
    table.at(Phase.BUILDING, "load")


def test_an_order_that_never_ends_is_named(table: Any) -> None:
    table.board.deaf.add(m.Home)
    table.ok("start")
    table.run(60_000)
    table.at(Phase.FAULT)
    assert table.view["fault"]["key"] == "fault.timeout"
    assert _sent(table, m.Home) == 1


def test_a_missing_tile_after_a_build(table: Any) -> None:
    table.board.built = [34, 34, 33, 34]
    table.to_load()
    table.ok("start")
    table.run(30_000)
    table.at(Phase.FAULT)
    fault = table.view["fault"]
    assert (fault["key"], fault["side"], fault["detail"]) == ("fault.missing", 3, 1)
    table.board.built = [34] * 4
    table.ok("clear_fault")
    table.run(30_000)
    table.at(Phase.READY)


def test_the_lamp_that_lies_is_only_told(table: Any) -> None:
    table.eyes.lamp = [3]
    table.to_dice()
    assert table.view["lamp"]["agree"] is False
    assert [notice["code"] for notice in table.view["notices"]] == ["lamp.disagree"]


def test_beats_are_fast_while_something_moves(table: Any) -> None:
    table.run(3_000)
    table.board.beats.clear()
    table.run(10_000)
    assert 9 <= len(table.board.beats) <= 11
    table.ok("start")
    table.board.beats.clear()
    table.run(2_000)
    assert len(table.board.beats) >= 19
    gaps = [b - a for a, b in zip(table.board.beats, table.board.beats[1:], strict=False)]
    assert max(gaps) <= 100


def test_a_stale_photo_is_put_aside(table: Any, look: Any) -> None:
    from controller.inputs import PhotoFailed, PhotoRead

    table.to_confirm()
    before = len(table.rows)
    table.feed(PhotoRead("1:hand:9:0#3", "hand", look("11m + 1m"), None))
    table.feed(PhotoFailed("x", "down"))
    assert len(table.rows) == before


@pytest.mark.parametrize("go", ["to_load", "to_ready"])
def test_a_hand_that_was_not_dealt_can_be_called_off(table: Any, go: str) -> None:
    getattr(table, go)()
    table.unplug()
    assert table.do("start" if go == "to_load" else "lift").code == "refuse.link"
    table.ok("void", reason="dead board")
    table.at(Phase.SETTLED)
    assert (table.scores(), table.state.last.kind) == ([0] * 4, "void")
    table.board.homed = False
    table.feed(PortUp())
    table.run(500)
    table.ok("start")
    table.run(10_000)
    table.at(Phase.BUILDING, "empty" if go == "to_ready" else "load")
    assert table.state.hand == 2


def test_nothing_is_called_off_while_the_machine_moves(table: Any) -> None:
    _build_under_way(table)
    assert table.do("void").code == "refuse.busy"
    table.run(30_000)
    table.ok("lift")
    table.at(Phase.LIFTING)
    assert table.do("void").code == "refuse.busy"


def test_a_fault_of_a_dead_board_says_why_it_stays(table: Any) -> None:
    _build_under_way(table)
    table.unplug()
    table.at(Phase.FAULT)
    answer = table.do("clear_fault")
    assert (answer.code, answer.params) == ("refuse.link", {"link": "down", "why": "unplugged"})
    table.ok("void")
    table.at(Phase.SETTLED)


def test_a_second_fault_leaves_a_row(table: Any) -> None:
    _build_under_way(table)
    for _ in range(2):
        table.board.fail(303, 3, table.now)
        table.run(100)
    table.board.fail(302, 2, table.now)
    table.run(100)
    table.at(Phase.FAULT)
    assert table.view["fault"]["side"] == 3
    beside = [row.body for row in table.rows if row.kind == "machine_event" and row.body["event"] == "fault"]
    assert [(body["code"], body["side"]) for body in beside] == [(302, 2)]


def test_a_void_in_fault_ends_the_hand(table: Any) -> None:
    _build_under_way(table)
    table.board.fail(303, 3, table.now)
    table.run(100)
    table.ok("void")
    table.at(Phase.SETTLED)
    table.ok("clear_fault")
    table.run(300)
    table.at(Phase.SETTLED)
