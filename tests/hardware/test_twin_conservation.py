"""Every tile somewhere, exactly once, after everything that happens; and each way to break that is caught."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_bridge import messages as m
from hardware.campaigns.rig import Rig
from hardware.twin import command
from hardware.twin.plant.conservation import check_conservation
from hardware.twin.plant.plant import SIDES, Plant, stand_walls
from hardware.twin.plant.schedule import Schedule
from hardware.twin.plant.tiles import DRUM, TABLE, LostTile, mouth
from hardware.twin.plant.walls import wall_order
from hardware.twin.twin import Twin
from tests.hardware.test_twin_contacts import Pins, driven


def walls() -> Plant:
    plant = Plant(5, 136, Schedule(), lambda device, on: None, lambda line, level: None)
    check_conservation(plant)
    stand_walls(plant)
    check_conservation(plant)
    return plant


def pop(plant: Plant) -> None:
    plant.sides[1].stacks[3].pop()


def swap_in_a_second(plant: Plant) -> None:
    """The same tile in two stacks: every count is right."""
    plant.sides[2].stacks[0][0] = plant.sides[2].stacks[1][0]


def in_two_walls(plant: Plant) -> None:
    plant.sides[2].stacks[0][0] = plant.sides[3].stacks[0][0]


def put_elsewhere(plant: Plant) -> None:
    """A tile is moved and the stack still has it; another fills the count."""
    tiles = plant.tiles
    tiles._places[plant.sides[4].stacks[0][1]] = TABLE


def count_wrong(plant: Plant) -> None:
    plant.tiles._sizes[TABLE] += 1


def no_place(plant: Plant) -> None:
    plant.tiles._places[7] = "pocket"


def comes_twice(plant: Plant) -> None:
    plant.sweep()
    plant.dome.put(1.0)
    assert plant.push_in()
    plant.sides[1].queue = [1, 2, 3]
    plant.sides[2].queue = [3, 4]


def comes_from_the_table(plant: Plant) -> None:
    plant.sweep()
    plant.sides[1].queue = [1]


@pytest.mark.parametrize(
    ("break_it", "told"),
    [
        (pop, "nobody holds it"),
        (swap_in_a_second, "twice"),
        (in_two_walls, "is held at wall_2 and is at wall_3|nobody holds it"),
        (put_elsewhere, "counts"),
        (count_wrong, "counts"),
        (no_place, "no place"),
        (comes_twice, "2 times"),
        (comes_from_the_table, "from table"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_every_way_to_lose_a_tile_is_caught(break_it: Callable[[Plant], None], told: str) -> None:
    plant = walls()
    break_it(plant)
    with pytest.raises(LostTile, match=told):
        check_conservation(plant)


@pytest.mark.e2e
def test_a_build_of_the_real_firmware_is_checked_at_every_event() -> None:
    looks = 0
    with Rig(3) as rig:
        plant, schedule = rig.machine.plant, rig.machine.schedule
        check = schedule.after_each
        assert check is not None, "campaigns look after everything that happens"

        def look() -> None:
            nonlocal looks
            looks += 1
            check()

        schedule.after_each = look
        rig.home()
        rig.load()
        assert plant.tiles.count(DRUM) == 136
        since = rig.mark()
        assert rig.order(m.Build(136)) == "ok"
        assert rig.build_ended(since, 60_000) is not None
        assert looks > 3 * 136, "each tile at the counter and behind it, each stack"
        plant.sides[1].stacks[0][0] = plant.sides[1].stacks[1][0]
        with pytest.raises(LostTile, match="twice"):
            rig.raise_and_sweep()


@pytest.mark.e2e
def test_a_tile_swapped_in_the_middle_of_a_build_ends_it_there() -> None:
    """What the counts at the motor edges cannot see: a tile in two stackers, and another one in none."""
    with Rig(4) as rig:
        rig.home()
        rig.load()
        assert rig.order(m.Build(136)) == "ok"
        rig.run(4_000)
        plant = rig.machine.plant
        first, second, *_ = (side for side in plant.sides.values() if side.stacks)
        first.stacks[0][0], lost = second.stacks[0][0], first.stacks[0][0]
        plant.check()  # counts alone: all is well
        with pytest.raises(LostTile) as caught:
            rig.run(2_000)
        assert f"tile {lost} " in str(caught.value) or "held at wall" in str(caught.value)


def test_the_order_of_the_walls_is_told_stack_by_stack() -> None:
    plant = walls()
    told = wall_order(plant)
    assert told["up"]
    assert told["build"] == 1
    assert sorted(told["sides"]) == ["1", "2", "3", "4"]
    for side in SIDES:
        rows = told["sides"][str(side)]
        assert [row["stack"] for row in rows] == list(range(1, 18))
        assert [[row["lower"]["tile"], row["upper"]["tile"]] for row in rows] == plant.sides[side].stacks
        assert all(row["upper"]["face"] == str(plant.tiles.faces[row["upper"]["tile"]]) for row in rows)
    taken = plant.sides[2].stacks[4][1]
    plant.take(2, taken)
    row = wall_order(plant)["sides"]["2"][4]
    assert row["upper"] is None
    assert row["lower"] is not None
    assert plant.tiles.count(mouth(2)) == 0


def test_a_tile_that_is_nowhere_ends_the_twin_with_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    twin = Twin(command.setup_of(command.parser().parse_args(["--stepped"])), Pins())

    def broken(*_: object) -> None:
        twin.machine.plant.tiles._places[5] = "pocket"
        twin.machine.take(driven("lamp_1"))

    monkeypatch.setattr(command, "_run", broken)
    assert command.main(["--stepped", "--socket", str(tmp_path / "s")]) == 1
    told = capsys.readouterr().err
    assert told.startswith("twin: tile 5 ")
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "is_checked"),
    [
        (("--stepped",), True),
        (("--stepped", "--no-check"), False),
        (("--realtime",), False),
        (("--realtime", "--check"), True),
    ],
)
def test_tiles_are_looked_for_in_lockstep_and_where_asked_to(
    words: tuple[str, ...], is_checked: bool
) -> None:
    assert command.setup_of(command.parser().parse_args(words)).check == is_checked
