"""Two things at once: a pause, a stop, a release while a side turns back, pushes a stack, a tile passes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from firmware_bridge import messages as m
from tests.hardware.test_firmware_core import MOTOR, SIDES, Desk, made_desk, tile
from tests.hardware.test_firmware_pause import DRUM, dome, pause
from tests.hardware.test_firmware_protection import building, stacker_due, told

TURNING = {f"{kind}_{n}" for kind in ("feed", "stack") for n in SIDES}
SERVICE = m.Service(True, 1234)


@pytest.fixture(params=[1, 7], ids=["smooth", "jumping"])
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    yield from made_desk(request.param)


@pytest.fixture(scope="module")
def smooth() -> Iterator[Desk]:
    yield from made_desk(1)


def relay_rests(desk: Desk) -> bool:
    """Return whether no relay was ever switched while a motor behind it ran."""
    on: set[str] = set()
    for _, name, level in desk.edges:
        if name in TURNING:
            (on.add if level else on.discard)(name)
        elif name == "reverse" and on:
            return False
    return True


# ---------------------------------------------------------------- a tile that stands under its eye


@pytest.mark.parametrize("dark_ms", range(3_328, 3_360))
def test_a_tile_counts_however_long_the_pause_kept_it_under_its_eye(smooth: Desk, dark_ms: int) -> None:
    desk = smooth
    desk.again()
    desk.homed()
    assert desk.order(m.Build(136)) == "ok"
    begun = desk.now
    desk.set(count_4=1)
    desk.run(20)
    pause(desk)
    assert desk.order(m.Pause(False)) == "ok"
    dome(desk, False)
    desk.run(begun + dark_ms - desk.now)
    desk.set(count_4=0)
    desk.run(50)
    assert desk.status().count_4 == 1


# ---------------------------------------------------------------- a side is turned back


@pytest.mark.parametrize("after_ms", [0, 30, 100, 160, 190, 250, 300, 350, 420, 450, 550])
def test_a_pause_while_a_side_is_turned_back(desk: Desk, after_ms: int) -> None:
    """The relays go back at rest, the other side's push is finished, and the dome opens."""
    world = building(desk)
    stacker_due(world, 2)
    desk.set(stack_home_2=0)
    world.held.add("feed_1")
    world.live(2_000, lambda: (361, 1) in told(desk))
    world.held.clear()
    world.live(after_ms)
    assert desk.order(m.Pause(True)) == "ok"
    world.live(1_000, lambda: "stack_2" in desk.motors and "reverse" not in desk.motors)
    assert "stack_2" in desk.motors
    world.live(150)
    desk.set(stack_home_2=1)
    world.live(1_200, lambda: "dome_raise" in desk.motors)
    assert relay_rests(desk)
    assert told(desk) == [(361, 1)]
    assert desk.motors == {"dome_raise"}


def test_home_right_after_a_stop_in_the_turn_back(desk: Desk) -> None:
    """The stacker that stands half way is turned as soon as it may, not given up."""
    world = building(desk)
    stacker_due(world, 2)
    desk.set(stack_home_2=0)
    world.held.add("feed_1")
    world.live(2_000, lambda: {"reverse", "feed_1"} <= desk.motors)
    assert desk.order(m.Stop(), 3) == "ok"
    stops = desk.status().stops
    assert desk.order(m.ClearFault(stops), 3) == "ok"
    assert desk.order(m.Home(), 3) == "ok"
    desk.run(300)
    assert "stack_2" in desk.motors
    desk.set(stack_home_2=1)
    desk.run(100)
    assert desk.events(m.HomeDone)[-1:] == [m.HomeDone()]
    assert told(desk) == [(361, 1)]


def test_another_stacker_held_right_after_one_was_freed_is_named(desk: Desk) -> None:
    world = building(desk)
    world.held.add("stack_1")
    stacker_due(world, 1)
    world.after_back = world.held.clear
    world.live(3_000, lambda: world.turned_back == 1)
    world.live(100)
    desk.set(stack_home_1=0)
    stacker_due(world, 2)
    world.held.add("stack_2")
    world.live(80)
    desk.set(stack_home_1=1)
    world.live(3_000, lambda: (362, 2) in told(desk))
    assert told(desk)[:2] == [(361, 1), (362, 2)]


def test_a_jam_that_comes_back_again_and_again_is_a_fault(desk: Desk) -> None:
    world = building(desk)
    world.held.add("feed_3")
    world.after_back = world.held.clear
    passing = iter((1, 2, 4))
    for turn in range(12):
        seen, freed = len(told(desk)), len(desk.events(m.Freed))
        world.live(3_000, lambda seen=seen: len(told(desk)) > seen)  # type: ignore[misc]
        if told(desk)[-1] == (303, 3):
            break
        world.live(3_000, lambda freed=freed: len(desk.events(m.Freed)) > freed)  # type: ignore[misc]
        if turn % 3 == 2:  # tiles come on the other sides meanwhile
            side = next(passing)
            for level in (1, 0):
                desk.set(**{f"count_{side}": level})
                world.live(35)
        world.held.add("feed_3")
    assert told(desk) == [(363, 3)] * 8 + [(303, 3)]


# ---------------------------------------------------------------- counts, and people


def test_a_tile_too_many_that_fell_in_a_stop_is_told_by_the_next_build(desk: Desk) -> None:
    desk.homed()
    assert desk.order(m.Build(136, 34, 34, 34, 34)) == "ok"
    for _ in range(33):
        tile(desk, 1)
    desk.run(600)
    desk.set(count_1=1)
    desk.run(30)
    desk.set(count_1=0)
    desk.run(30)
    assert desk.order(m.Stop(), 3) == "ok"
    desk.set(count_1=1)
    desk.run(30)
    desk.set(count_1=0)
    desk.run(600)
    for first in (True, False):
        assert desk.order(m.ClearFault(desk.status().stops)) == "ok"
        assert desk.order(m.Home()) == "ok"
        desk.run(300)
        assert desk.order(m.Build(136, 34, 34, 34, 34)) == "ok"
        desk.run(50)
        assert told(desk) == [(342, 1)], "once: then it has been taken out"
        assert (desk.status().state == m.State.fault) == first


def test_a_released_count_test_ends_though_a_stack_is_pushed(desk: Desk) -> None:
    desk.homed()
    assert desk.order(SERVICE) == "ok"
    assert desk.order(m.CountTest(1, 8)) == "ok"
    desk.run(50)
    for level in (1, 0, 1, 0):
        desk.set(count_1=level)
        desk.run(35)
    assert "stack_1" in desk.motors
    desk.set(stack_home_1=0)
    desk.run(10)
    assert desk.order(m.Jog(MOTOR_ID["turn"], 0), 3) == "ok"
    assert not DRUM & desk.motors
    assert "stack_1" in desk.motors
    desk.set(stack_home_1=1)
    desk.run(50)
    assert desk.motors == set()
    assert desk.events(m.CountTested)


def test_two_seconds_are_two_seconds_whatever_else_is_jogged(desk: Desk) -> None:
    desk.homed()
    assert desk.order(SERVICE) == "ok"
    begun = desk.now
    while desk.now - begun < 6_000:
        desk.order(m.Jog(MOTOR_ID["turn"], 2_000), 3)
        desk.run(100)
        if "turn" not in desk.motors:
            desk.order(m.Jog(MOTOR_ID["dome_lower"], 10), 3)
    on_ms, since = 0, 0
    for at_ms, name, level in desk.edges:
        if name == "turn":
            on_ms += 0 if level else at_ms - since
            since = at_ms
    assert on_ms <= 2_050, "it was never let go"


MOTOR_ID = {name: bit for bit, name in MOTOR.items()}
