"""The plant without a board: tiles are never lost, builds do not depend on timing, faults have a cause."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hardware.twin.plant.conservation import check_conservation
from hardware.twin.plant.motion import Switch, Travel
from hardware.twin.plant.plant import SIDES, Plant
from hardware.twin.plant.schedule import Schedule, cancel
from hardware.twin.plant.tiles import DRUM, TABLE, LostTile, TileSet
from hardware.twin.plant.wiring import load_wiring


class Bench:
    """A plant with an idealised controller on its pins; `lag_us` makes it slower, `late_us` lets
    feeds run on."""

    def __init__(
        self, seed: int = 1, tiles: int = 136, lag_us: int = 4_000, late_us: int = 0, sets: int = 1
    ) -> None:
        self.schedule = Schedule()
        self.inputs: dict[str, bool] = {}
        self.lines: dict[str, int] = {}
        self.counts = dict.fromkeys(SIDES, 0)
        self._lag_us, self._late_us, self._share = lag_us, late_us, tiles // 4
        self.plant = Plant(seed, tiles, self.schedule, self._tell, self.lines.__setitem__, sets)
        self.plant.tell_all()

    def _tell(self, device: str, on: bool) -> None:
        changed = self.inputs.get(device) != on
        self.inputs[device] = on
        name, _, side = device.rpartition("_")
        if not changed or not on:
            return
        if name == "count":
            number = int(side)
            self.counts[number] += 1
            if self.counts[number] % 2 == 0:
                self.later(60_000, f"stack_{number}", True)
            if self.counts[number] == self._share:
                self.later(self._lag_us + self._late_us, f"feed_{number}", False)
        elif name == "stack_home":
            self.later(self._lag_us, f"stack_{side}", False)

    def later(self, delay_us: int, device: str, on: bool) -> None:
        self.schedule.after(delay_us, lambda: self.plant.on_output(device, on))

    def drive(self, device: str, seconds: float) -> None:
        self.plant.on_output(device, True)
        self.schedule.play(self.schedule.now_us + int(seconds * 1e6))
        self.plant.on_output(device, False)

    def load(self) -> None:
        self.drive("dome_raise", 1.5)
        assert self.plant.push_in()
        self.drive("dome_lower", 1.5)

    def _feeds_to_run(self) -> list[str]:
        return [f"feed_{side}" for side in SIDES if self.counts[side] < self._share]

    def build(self, limit_s: float = 200.0, each: Callable[[], None] = lambda: None) -> float:
        start = self.schedule.now_us
        for device in ("turn", "ring", *self._feeds_to_run()):
            self.plant.on_output(device, True)
        while (due := self.schedule.next_us()) is not None and due < start + limit_s * 1e6:
            self.schedule.play(due)
            self.plant.check()
            each()
        return (self.schedule.now_us - start) / 1e6


def wall_of(plant: Plant) -> list[list[list[int]]]:
    return [side.stacks for side in plant.sides.values()]


@pytest.mark.parametrize(("tiles", "stacks"), [(136, 17), (144, 18)])
def test_a_build_makes_four_full_walls(tiles: int, stacks: int) -> None:
    bench = Bench(3, tiles)
    bench.load()
    bench.build()
    assert [len(side.stacks) for side in bench.plant.sides.values()] == [stacks] * 4
    assert all(len(stack) == 2 for wall in wall_of(bench.plant) for stack in wall)
    built = sorted(number for wall in wall_of(bench.plant) for stack in wall for number in stack)
    assert built == list(range(tiles))
    assert bench.plant.tiles.count(DRUM) == 0


def test_the_order_of_tiles_does_not_depend_on_timing() -> None:
    quick, slow = Bench(5, lag_us=1_000), Bench(5, lag_us=9_000)
    for bench in (quick, slow):
        bench.load()
        bench.build()
    assert wall_of(quick.plant) == wall_of(slow.plant)
    other = Bench(6)
    other.load()
    other.build()
    assert wall_of(other.plant) != wall_of(quick.plant)


def test_a_feed_that_is_not_stopped_takes_more_than_its_share() -> None:
    bench = Bench(4)
    bench.load()
    bench._share = 1000  # the controller never stops the feed
    for device in ("turn", "ring", "feed_1"):
        bench.plant.on_output(device, True)
    for _ in range(600):
        bench.schedule.play(bench.schedule.now_us + 500_000)
        bench.plant.check()
    assert bench.plant.sides[1].built > 34
    assert bench.plant.sides[1].built + bench.plant.tiles.count(DRUM) == 136
    assert [bench.plant.sides[side].built for side in (2, 3, 4)] == [0, 0, 0]


def test_a_side_that_stops_late_leaves_another_short() -> None:
    bench = Bench(4, late_us=3_000_000)
    bench.load()
    bench.build()
    built = [bench.plant.sides[side].built for side in SIDES]
    assert max(built) > 34
    assert min(built) < 34
    assert sum(built) == 136


def test_a_tile_that_nobody_counted_makes_another_side_short_and_is_sent_round() -> None:
    bench = Bench(3)
    bench.load()
    side = bench.plant.sides[3]
    bench.schedule.after(5_000_000, lambda: side.silence(True))
    bench.schedule.after(5_600_000, lambda: side.silence(False))
    bench.build(limit_s=120)
    assert side.built > 34
    short = next(number for number in SIDES if bench.counts[number] < 34)
    for _ in range(side.built - 34):
        assert bench.plant.find_tiles() == 0
        assert bench.plant.send_round(short)
        bench.build(limit_s=60)
    assert [bench.plant.sides[number].built for number in SIDES] == [34] * 4
    assert [bench.counts[number] for number in SIDES] == [34] * 4


def test_an_interrupted_build_goes_on_with_the_same_tiles() -> None:
    whole, broken = Bench(7), Bench(7)
    for bench in (whole, broken):
        bench.load()
    whole.build()
    broken.build(limit_s=6.0)
    for device in list(broken.plant.motors_on):
        broken.plant.on_output(device, False)
    broken.schedule.play(broken.schedule.now_us + 5_000_000)
    broken.plant.check()
    for side in SIDES:  # a stacker cut short completes its push at homing
        if not broken.inputs[f"stack_home_{side}"]:
            broken.plant.on_output(f"stack_{side}", True)
    broken.schedule.play(broken.schedule.now_us + 600_000)
    broken.build()
    assert wall_of(broken.plant) == wall_of(whole.plant)


def test_build_times_are_those_of_the_machine_model() -> None:
    times = []
    for seed in range(60):
        bench = Bench(seed)
        bench.load()
        times.append(bench.build())
    times.sort()
    assert 22 < times[len(times) // 2] < 28
    assert times[int(len(times) * 0.95)] < 45


def test_a_jam_stops_its_side_only_and_shows() -> None:
    bench = Bench(1)
    bench.load()
    bench.plant.sides[2].jam(True)
    assert not bench.inputs["jam_2"]
    bench.build(limit_s=60)
    assert bench.inputs["jam_2"]
    assert [bench.counts[side] for side in SIDES] == [34, 1, 34, 34]
    bench.plant.sides[2].jam(False)
    bench.build()
    assert bench.counts[2] == 34


def test_a_silent_counter_lets_no_more_than_three_tiles_by() -> None:
    bench = Bench(1)
    bench.load()
    bench.plant.sides[3].silence(True)
    bench.build(limit_s=60)
    assert bench.counts[3] == 0
    assert bench.plant.tiles.count("mouth_3") == 3
    bench.plant.sides[3].silence(False)
    bench.plant.find_tiles()
    bench.build()
    assert bench.counts[3] == 34
    assert len(bench.plant.sides[3].stacks) == 17


def test_a_strange_tile_waits_while_another_lies_under_the_counter() -> None:
    bench = Bench(20)
    bench.load()
    for side in bench.plant.sides.values():
        side.add_foreign()
    bench.build(each=lambda: check_conservation(bench.plant))
    assert [side.built for side in bench.plant.sides.values()] == [34] * 4


def test_a_lost_tile_is_missing_and_can_be_found() -> None:
    bench = Bench(2)
    bench.plant.lose_tile()
    bench.load()
    bench.build(limit_s=120)
    assert sum(bench.counts.values()) == 135
    bench.plant.find_tiles()
    bench.build()
    assert sum(bench.counts.values()) == 136


def test_a_stuck_tray_closes_no_switch() -> None:
    bench = Bench()
    bench.plant.stick_tray(3)
    bench.drive("tray_raise", 3.0)
    assert [bench.inputs[f"tray_up_{side}"] for side in SIDES] == [True, True, False, True]
    bench.plant.stick_tray(0)
    assert bench.inputs["tray_up_3"]


def test_a_stuck_dome_never_arrives() -> None:
    bench = Bench()
    bench.plant.stick_dome(0.5)
    bench.drive("dome_raise", 3.0)
    assert not bench.inputs["dome_up"]
    assert not bench.plant.push_in()


def test_dice_and_lamps() -> None:
    bench = Bench(9)
    thrown: list[tuple[int, int]] = []
    bench.plant.on_throw = thrown.append
    bench.plant.on_output("dice", True)
    assert bench.plant.pips is None
    bench.schedule.play(1_000_000)
    bench.plant.on_output("dice", False)
    bench.schedule.play(2_000_000)
    assert thrown == [bench.plant.pips]
    bench.plant.on_output("lamp_3", True)
    bench.schedule.play(3_000_000)
    assert bench.plant.lamp_side == 3
    assert bench.lines["lamp3"] == 1
    for name in ("ready_2", "ready_4", "buzzer"):
        bench.plant.on_output(name, True)
    assert bench.plant.ready_sides == (2, 4)
    assert bench.plant.buzzes
    assert bench.plant.lamp_side == 3, "the camera and the Pi see dealer lamps only"
    assert bench.plant.motors_on == frozenset()


def test_travel_meets_its_switches_on_the_way() -> None:
    schedule = Schedule()
    told: list[tuple[str, bool, int]] = []
    travel = Travel(
        schedule,
        1_000_000,
        500_000,
        [
            Switch(0.0, 0.1, lambda on: told.append(("down", on, schedule.now_us))),
            Switch(0.9, 1.0, lambda on: told.append(("up", on, schedule.now_us))),
        ],
    )
    travel.drive(True, False)
    schedule.play(5_000_000)
    assert [(name, on) for name, on, _ in told] == [("down", False), ("up", True)]
    assert told[1][2] == pytest.approx(900_000, abs=2)
    assert travel.is_up
    travel.drive(False, True)
    schedule.play(9_000_000)
    assert travel.is_down
    assert [(name, on) for name, on, _ in told[2:]] == [("up", False), ("down", True)]


def test_schedule_runs_in_order_and_forgets_what_was_cancelled() -> None:
    schedule = Schedule()
    ran: list[str] = []
    schedule.after(20, lambda: ran.append("late"))
    gone = schedule.after(5, lambda: ran.append("never"))
    schedule.after(10, lambda: schedule.after(0, lambda: ran.append("nested")))
    cancel(gone)
    assert schedule.next_us() == 10
    assert schedule.play(15) == 2
    assert ran == ["nested"]
    schedule.play(30)
    assert ran == ["nested", "late"]


def test_a_tile_is_never_in_two_places() -> None:
    tiles = TileSet(136)
    tiles.move(0, "aside", DRUM)
    with pytest.raises(LostTile):
        tiles.move(0, "aside", TABLE)
    tiles.check([(DRUM, 1), (TABLE, 0)])
    with pytest.raises(LostTile):
        tiles.check([(DRUM, 2)])


def test_the_pin_map_has_no_pin_twice() -> None:
    wiring = load_wiring()
    assert len(wiring.by_pin) == len(wiring.devices)
    assert ("E", 0) not in wiring.by_pin, "the host's serial line"
