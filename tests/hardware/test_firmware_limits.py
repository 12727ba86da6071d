"""Limits that are held closed, seen off again, or pushed against, on the core: such an end is not believed.

A switch of the dome or of a tray that stays on while the lift leaves it makes both of its ends look reached.
"""

from __future__ import annotations

import pytest

from firmware_bridge import link as fb
from firmware_bridge import messages as m
from firmware_bridge.wire import Message
from tests.hardware.service_desk import jog, serve
from tests.hardware.test_firmware_core import Desk, desk
from tests.hardware.test_firmware_protection import World

__all__ = ["desk"]
S = m.State
TRAYS_UP = m.Lift(m.Target.trays, m.Direction.up)
DOME_UP, DOME_DOWN = m.Lift(m.Target.dome, m.Direction.up), m.Lift(m.Target.dome, m.Direction.down)
BOTH_DOME = {"dome_down": 1, "dome_up": 1}
BOTH_TRAY = {"tray_down_3": 1, "tray_up_3": 1}


@pytest.mark.parametrize(
    ("levels", "order", "answer", "faults"),
    [
        (BOTH_DOME, m.Build(136), "dome_not_down", []),
        (BOTH_DOME, TRAYS_UP, "dome_not_down", []),
        (BOTH_DOME, DOME_UP, "ok", [(406, 0)]),
        (BOTH_DOME, DOME_DOWN, "ok", [(406, 0)]),
        (BOTH_DOME, m.Home(), "ok", [(406, 0)]),
        (BOTH_TRAY, m.Build(136), "trays_not_down", []),
        (BOTH_TRAY, DOME_UP, "trays_not_down", []),
        (BOTH_TRAY, TRAYS_UP, "ok", [(405, 3)]),
        (BOTH_TRAY, m.Home(), "ok", [(405, 3)]),
    ],
)
def test_with_both_limits_on_nothing_moves(
    desk: Desk, levels: dict[str, int], order: Message, answer: str, faults: list[tuple[int, int]]
) -> None:
    desk.homed()
    desk.set(**levels)
    desk.run(60)
    status = desk.status()
    assert m.Position.unknown in (status.trays, status.dome)
    assert desk.order(order, 100) == answer
    assert (desk.faults(), desk.edges) == (faults, [])
    assert not desk.events(m.LiftDone)
    desk.quiet_minute()


@pytest.mark.parametrize(("levels", "fault"), [(BOTH_DOME, (406, 0)), (BOTH_TRAY, (405, 3))])
def test_a_limit_that_closes_in_a_build_stops_it(
    desk: Desk, levels: dict[str, int], fault: tuple[int, int]
) -> None:
    desk.homed()
    assert desk.order(m.Build(136), 200) == "ok"
    desk.set(**levels)
    desk.run(40)
    assert (desk.faults(), desk.motors) == ([fault], set())


@pytest.mark.parametrize("when", ["standing", "raising", "open", "lowering"])
def test_a_pause_does_not_go_on_with_the_dome_up(desk: Desk, when: str) -> None:
    """The lower switch of the dome sticks: from then on nobody knows where the dome is."""
    desk.homed()
    assert desk.order(m.Build(136), 200) == "ok"
    assert desk.order(m.Pause(True)) == "ok"
    for step in ("standing", "raising", "open", "lowering"):
        stuck = step == when
        if step == "raising":
            desk.run(600)
            assert desk.motors == {"dome_raise"}
            desk.set(dome_down=int(when in ("standing", "raising")))
        elif step == "open":
            desk.run(900)
            desk.set(dome_up=1)
            desk.run(60)
            desk.set(dome_down=int(when in ("standing", "raising", "open")))
        elif step == "lowering" and stuck:
            assert desk.order(m.Pause(False)) == "ok"
            desk.set(dome_down=1)
    desk.run(60)
    assert desk.faults() == [(406, 0)]
    assert desk.order(m.Pause(False)) == "latched"
    desk.run(500)
    assert (desk.status().state, desk.motors) == (S.fault, set())


@pytest.mark.parametrize("gone_for_ms", range(6, 13))
def test_a_limit_that_goes_off_just_when_its_lift_is_ordered(desk: Desk, gone_for_ms: int) -> None:
    """It was there when the motor should have started: a lift without a motor has no longest run."""
    desk.homed()
    desk.set(dome_down=0, dome_up=1)
    desk.run(50)
    desk.set(dome_up=0)
    desk.run(gone_for_ms)
    assert desk.order(DOME_UP, 1) in ("ok", "nothing")
    desk.run(4_000)
    assert desk.status().state in (S.fault, S.idle, S.loading)
    assert desk.faults() in ([], [(411, 0)])
    assert bool(desk.faults()) != bool(desk.events(m.LiftDone))


@pytest.mark.parametrize("name", ["dome_raise", "tray_raise"])
def test_a_lift_that_is_held_in_service_mode_is_told(desk: Desk, name: str) -> None:
    world = World(serve(desk))
    world.held.add(name)
    assert jog(desk, name, 2_000) == "ok"
    desk.set(dome_down=int(name == "tray_raise"))
    world.live(600)
    assert desk.events(m.Fault) == [m.Fault(103, 0, 3)]
    assert desk.motors == set()


def test_a_driver_that_still_conducts_is_not_cleared(desk: Desk) -> None:
    world = World(desk.homed())
    world.shorted.add("stack_2")
    world.live(1_000)
    assert desk.events(m.Fault) == [m.Fault(104, 0, 2)]
    assert desk.order(m.ClearFault(desk.status().stops)) == "latched"
    world.shorted.clear()
    world.live(200)
    assert desk.order(m.ClearFault(desk.status().stops)) == "ok"


def test_a_start_for_no_known_reason_is_told_with_the_estop_pressed_too(desk: Desk) -> None:
    desk.set(estop=1)
    desk.power(m.ResetCause.unknown).up()
    status = desk.status()
    assert (status.state, status.fault, status.stopped) == (S.estop, 905, True)
    assert desk.order(m.ClearFault(status.stops)) == "estop"
    desk.set(estop=0)
    desk.run(60)
    assert desk.order(m.Home()) == "estop"
    assert desk.order(m.ClearFault(desk.status().stops), 50) == "ok"
    assert desk.order(m.Home(), 100) == "ok"


def test_a_stacker_that_waits_for_its_relay_is_watched_too(desk: Desk) -> None:
    """Paused while side 1 turns back: nothing runs, and the push of side 2 would go on by itself."""
    desk.homed()
    assert desk.order(m.Build(136)) == "ok"
    for level in (1, 0):
        desk.set(count_1=level)
        desk.run(30)
    desk.set(jam_1=1)
    desk.run(650)
    for level in (1, 0, 1, 0):
        desk.set(count_2=level)
        desk.run(30)
    assert "stack_2" in desk.motors
    desk.set(stack_home_2=0)
    for _ in range(500):
        desk.run(1)
        if {"reverse", "feed_1"} <= desk.motors:
            break
    desk.run(20)
    assert desk.order(m.Pause(True), 5) == "ok"
    assert desk.motors <= {"reverse"}
    before = len(desk.edges)
    desk.set(tray_down_3=0)
    desk.run(50)
    assert desk.faults() == [(361, 1), (403, 3)]
    desk.run(300)
    assert [edge for edge in desk.edges[before:] if edge[2]] == []


@pytest.mark.parametrize(("levels", "failed"), [({}, 0), (BOTH_TRAY, 8), (BOTH_DOME, 16)])
def test_the_boards_own_test_names_them(desk: Desk, levels: dict[str, int], failed: int) -> None:
    desk.up()
    desk.set(**levels)
    desk.run(60)
    assert desk.order(m.SelfTest()) == "ok"
    (report,) = [
        e.response for e in desk.heard if isinstance(e, fb.Done) and isinstance(e.response, m.SelfTestReport)
    ]
    assert report.failed == failed
