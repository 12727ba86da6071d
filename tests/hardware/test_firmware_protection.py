"""Motors that are held, cut, shorted or worked too long, on the core: what is noticed, done and told.

`World` gives the currents that the motors of a desk draw at every step: 625 mA each, 2500 mA when held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from firmware_bridge import link as fb
from firmware_bridge import messages as m
from hardware.firmware.devices import load_devices
from tests.hardware.test_firmware_core import SIDES, Desk, made_desk, tile

ANALOG = [row["id"] for row in load_devices()["devices"]["analog"]]
RUNNING = {"tray": 1250, "dice": 200}
HELD_MA = {"dice": 800}
MAIN = ("turn", "ring", "tray", "dome", "dice")


@pytest.fixture(params=[1, 7], ids=["smooth", "jumping"])
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    yield from made_desk(request.param)


@dataclass
class World:
    """What hinders which motor, and the time that passes with it."""

    desk: Desk
    held: set[str] = field(default_factory=set)
    cut: set[str] = field(default_factory=set)
    shorted: set[str] = field(default_factory=set)
    turned_back: int = 0
    after_back: Callable[[], None] = lambda: None

    def ma(self, sensor: str) -> int:
        kinds = {"feed_current": ("feed",), "stack_current": ("stack",), "main_current": MAIN}[sensor]
        total = 0
        for motor in (self.desk.motors | self.shorted) - self.cut:
            kind = motor.partition("_")[0]
            if kind in kinds:
                total += HELD_MA.get(kind, 2500) if motor in self.held else RUNNING.get(kind, 625)
        return total

    def live(self, ms: int, until: Callable[[], bool] = lambda: False) -> None:
        """Let time pass, at most until something is so."""
        end = self.desk.now + ms
        while self.desk.now < end and not until():
            back = "reverse" in self.desk.motors
            for sensor in ("feed_current", "stack_current", "main_current"):
                self.desk.ask(f"a {ANALOG.index(sensor)} {self.ma(sensor) // 2}")
            self.desk.run(7)
            if back and "reverse" not in self.desk.motors:
                self.turned_back += 1
                self.after_back()


def building(desk: Desk) -> World:
    desk.homed()
    assert desk.order(m.Build(136)) == "ok"
    world = World(desk)
    world.live(300)
    return world


def stacker_due(world: World, side: int) -> None:
    for level in (1, 0, 1, 0):
        world.desk.set(**{f"count_{side}": level})
        world.live(35)


def push(world: World) -> None:
    """Stackers that turn leave home and come back."""
    turning = [side for side in SIDES if f"stack_{side}" in world.desk.motors]
    for level in (0, 1):
        world.desk.set(**{f"stack_home_{side}": level for side in turning})
        world.live(80)


def told(desk: Desk) -> list[tuple[int, int]]:
    return desk.faults()


def test_currents_of_a_build_are_told(desk: Desk) -> None:
    world = building(desk)
    world.live(200)
    assert desk.order(m.ReadAnalog()) == "ok"
    (report,) = [
        e.response for e in desk.heard if isinstance(e, fb.Done) and isinstance(e.response, m.AnalogReport)
    ]
    assert (report.feed_ma, report.stack_ma, report.main_ma) == (2500, 0, 1250)
    assert (report.supply_mv, report.temperature_mv) == (4000, 2500)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("frees_at", [1, 2])
def test_a_held_feed_is_found_turned_back_and_free(desk: Desk, side: int, frees_at: int) -> None:
    world = building(desk)
    world.held.add(f"feed_{side}")

    def frees() -> None:
        if world.turned_back == frees_at:
            world.held.clear()

    world.after_back = frees
    world.live(6_000, lambda: bool(desk.events(m.Freed)))
    assert desk.events(m.Freed) == [m.Freed(side, frees_at)]
    assert told(desk) == [(360 + side, side)] * frees_at
    world.live(300)
    assert desk.status().state == m.State.building
    assert {"turn", "ring", *(f"feed_{n}" for n in SIDES)} <= desk.motors
    assert "reverse" not in desk.motors


def test_what_two_turns_do_not_free_is_a_jam_of_that_side(desk: Desk) -> None:
    world = building(desk)
    world.held.add("feed_3")
    world.live(6_000, lambda: (303, 3) in told(desk))
    assert told(desk) == [(363, 3), (363, 3), (303, 3)]
    assert world.turned_back == 2
    assert desk.motors == set()
    assert not desk.events(m.Freed)


def test_the_relays_switch_at_rest_only(desk: Desk) -> None:
    world = building(desk)
    world.held.add("feed_2")
    world.live(6_000, lambda: (302, 2) in told(desk))
    turning = {f"{kind}_{n}" for kind in ("feed", "stack") for n in SIDES}
    on: set[str] = set()
    stopped_at, switched = 0, []
    for at_ms, name, level in desk.edges:
        if name in turning:
            (on.add if level else on.discard)(name)
            stopped_at = at_ms if not on else stopped_at
        elif name == "reverse":
            switched.append(at_ms - stopped_at)
            assert not on, f"{on} run while the relays switch at {at_ms}"
    assert len(switched) == 4
    assert min(switched) >= 150 - 7


def test_a_held_stacker_is_turned_back_and_pushes_then(desk: Desk) -> None:
    world = building(desk)
    world.held.add("stack_4")
    world.after_back = world.held.clear
    stacker_due(world, 4)
    world.live(1_500, lambda: world.turned_back == 1)
    world.live(100)
    desk.set(stack_home_4=0)
    world.live(300)
    desk.set(stack_home_4=1)
    world.live(2_000, lambda: bool(desk.events(m.Freed)))
    assert told(desk) == [(364, 4)]
    assert desk.events(m.Freed) == [m.Freed(4, 1)]
    assert "stack_4" not in desk.motors


def test_a_stacker_turned_back_from_home_comes_home_and_goes_on_to_its_push(desk: Desk) -> None:
    """Backwards it leaves home too; the home it finds then is where its turn begins."""
    world = building(desk)
    world.held.add("stack_1")
    stacker_due(world, 1)
    world.live(1_000, lambda: {"reverse", "stack_1"} <= desk.motors)
    world.held.clear()
    desk.set(stack_home_1=0)  # backwards out of home
    world.live(1_000, lambda: "stack_1" in desk.motors and "reverse" not in desk.motors)
    world.live(100)
    desk.set(stack_home_1=1)
    world.live(100)
    assert "stack_1" in desk.motors, "this home was the beginning"
    desk.set(stack_home_1=0)
    world.live(300)
    desk.set(stack_home_1=1)
    world.live(100)
    assert "stack_1" not in desk.motors


def test_a_cut_stacker_is_a_fault_at_once(desk: Desk) -> None:
    world = building(desk)
    world.cut.add("stack_2")
    stacker_due(world, 2)
    world.live(800)
    assert told(desk) == [(312, 2)]
    assert desk.events(m.Fault)[-1].detail == 0  # type: ignore[attr-defined]


def test_a_cut_feed_is_told_when_its_side_lags(desk: Desk) -> None:
    world = building(desk)
    world.cut.add("feed_4")
    for turn in range(12):
        for level in (1, 0):
            desk.set(**{f"count_{turn % 3 + 1}": level})
            world.live(50)
        push(world)
    world.live(500)
    assert told(desk)[-1:] == [(318, 4)]


def test_a_side_that_lags_for_another_reason_is_left_alone(desk: Desk) -> None:
    world = building(desk)
    for turn in range(12):
        for level in (1, 0):
            desk.set(**{f"count_{turn % 3 + 1}": level})
            world.live(50)
        push(world)
    assert told(desk) == []
    world.live(100)
    assert "feed_4" in desk.motors


def test_one_that_is_held_while_another_is_asked_does_not_make_it_a_cut_one(desk: Desk) -> None:
    """Seed 19 of feed_stuck_light: what the held one drew more hid what the asked one drew."""
    world = building(desk)
    for turn in range(30):
        for level in (1, 0):
            desk.set(**{f"count_{turn % 3 + 1}": level})
            world.live(50, lambda: "feed_4" not in desk.motors)
        if "feed_4" not in desk.motors:
            break
        push(world)
    assert "feed_4" not in desk.motors, "it was never asked"
    world.held.add("feed_1")
    world.live(1_500, lambda: bool(told(desk)))
    assert told(desk) == [(361, 1)]


@pytest.mark.parametrize("motor", ["turn", "ring"])
def test_a_held_drum_stops_the_build(desk: Desk, motor: str) -> None:
    world = building(desk)
    world.held.add(motor)
    world.live(1_000)
    (fault,) = desk.events(m.Fault)
    assert fault == m.Fault(103, 0, 3)
    assert desk.motors == set()


def test_a_held_dome_is_told_before_its_time_is_over(desk: Desk) -> None:
    world = World(desk.homed())
    assert desk.order(m.Lift(m.Target.dome, m.Direction.up)) == "ok"
    desk.set(dome_down=0)
    world.live(500)
    world.held.add("dome_raise")
    world.live(500)
    assert told(desk) == [(411, 0)]
    assert desk.motors == set()


def test_a_driver_that_conducts_without_an_order_is_told(desk: Desk) -> None:
    world = World(desk.homed())
    world.shorted.add("feed_2")
    world.live(1_000)
    assert desk.events(m.Fault) == [m.Fault(104, 0, 1)]
    assert desk.order(m.Home()) == "latched"


@pytest.mark.parametrize(("hinder", "faults"), [("", []), ("held", [(421, 0)]), ("cut", [(421, 0)])])
def test_dice_that_do_not_spin_are_told_and_nothing_stops(
    desk: Desk, hinder: str, faults: list[tuple[int, int]]
) -> None:
    world = World(desk.homed())
    if hinder:
        getattr(world, hinder).add("dice")
    assert desk.order(m.Dice(1_000)) == "ok"
    world.live(2_500)
    assert told(desk) == faults
    assert desk.events(m.DiceDone) == [m.DiceDone()]
    assert not desk.status().stopped


def test_a_motor_that_runs_too_much_is_stopped_and_rests() -> None:
    for desk in made_desk(7):
        desk.homed()
        while (513, 0) not in told(desk):
            assert desk.order(m.Build(136)) == "ok"
            turns = 0
            while not desk.status().stopped:
                tile(desk, turns % 4 + 1)
                desk.jump = 50
                desk.run(9_000)
                desk.jump = 7
                turns += 1
            assert told(desk)[-1][0] in (352, 513)
            assert 380_000 < desk.now < 520_000 or told(desk)[-1][0] == 352
            assert desk.order(m.ClearFault(desk.status().stops), 50) == "ok"
            assert desk.order(m.Home(), 500) == "ok"
        before = len(told(desk))
        for _ in range(3):
            assert desk.order(m.Build(136)) == "resting"
        assert told(desk)[before:] == [(512, 0)], "told once"
        assert desk.order(m.Lift(m.Target.dome, m.Direction.up)) == "ok", "others may run"
        desk.set(dome_down=0, dome_up=1)
        desk.run(300)
        assert desk.order(m.Lift(m.Target.dome, m.Direction.down)) == "ok"
        desk.set(dome_down=1, dome_up=0)
        desk.run(70_000)
        assert desk.order(m.Build(136)) == "ok", "cool again"


def test_a_start_for_no_known_reason_waits_for_a_person(desk: Desk) -> None:
    desk.power(m.ResetCause.unknown).up()
    status = desk.status()
    assert (status.state, status.fault, status.stopped) == (m.State.fault, 905, True)
    assert desk.order(m.Home()) == "latched"
    assert desk.order(m.ClearFault(status.stops), 50) == "ok"
    assert desk.order(m.Home(), 100) == "ok"


def test_a_lid_opened_while_a_side_rests_between_its_turns_keeps_all_off(desk: Desk) -> None:
    world = building(desk)
    world.held.add("feed_2")
    world.live(2_000, lambda: world.turned_back == 1)
    assert desk.motors == set()
    desk.set(lid=1)
    edges = len(desk.edges)
    world.live(500)
    assert told(desk)[-1] == (601, 0)
    assert [edge for edge in desk.edges[edges:] if edge[2]] == []
