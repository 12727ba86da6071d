"""Two sets of tiles: one lies on the table while the other is built below it, and they never mix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from hardware.twin.plant.collision import Collision
from hardware.twin.plant.conservation import check_conservation
from hardware.twin.plant.plant import SIDES, Plant, stand_walls
from hardware.twin.plant.schedule import Schedule
from hardware.twin.plant.tiles import ASIDE, DRUM, TABLE, LostTile, mouth, wall
from hardware.twin.table.layout import TableTop
from hardware.twin.table.scenes import scene_of
from tests.hardware.test_twin_plant import Bench


def raise_walls(bench: Bench) -> None:
    """Trays up and down again: the walls stay on the ledges."""
    bench.drive("tray_raise", 2.3)
    bench.drive("tray_lower", 2.0)


def build(bench: Bench) -> float:
    bench.counts = dict.fromkeys(SIDES, 0)
    seconds = bench.build(each=lambda: check_conservation(bench.plant))
    for device in ("turn", "ring", *(f"feed_{side}" for side in SIDES)):
        bench.plant.on_output(device, False)
    return seconds


def sets_at(plant: Plant, *places: str) -> set[int]:
    return {plant.tiles.set_of(number) for place in places for number in plant.tiles.at(place)}


def on_table(plant: Plant) -> Counter[int]:
    stacks = [stack for side in SIDES for stack in plant.standing(side)]
    return Counter(plant.tiles.set_of(number) for stack in stacks for number in stack)


@pytest.fixture
def evening() -> Bench:
    """The first set stands on the table, the second one has been pushed in."""
    bench = Bench(4, sets=2)
    bench.load()
    build(bench)
    raise_walls(bench)
    bench.load()
    check_conservation(bench.plant)
    return bench


def test_the_other_set_is_built_while_walls_stand_on_the_table(evening: Bench) -> None:
    plant = evening.plant
    assert on_table(plant) == {1: 136}
    assert sets_at(plant, DRUM) == {2}
    before = [list(stack) for stack in plant.standing(1)]
    build(evening)
    assert plant.standing(1) == before
    assert sets_at(plant, *(wall(side) for side in SIDES)) == {2}
    assert [len(side.stacks) for side in plant.sides.values()] == [17] * 4


def test_the_sets_change_over_hand_after_hand(evening: Bench) -> None:
    plant = evening.plant
    for hand in range(4):
        build(evening)
        plant.sweep()
        evening.load()
        check_conservation(plant)
        raise_walls(evening)
        playing = 2 - hand % 2
        assert on_table(plant) == {playing: 136}
        assert sets_at(plant, DRUM) == {3 - playing}
        assert plant.tiles.count(ASIDE) == 0


def test_a_hand_is_swept_while_the_other_set_is_half_built(evening: Bench) -> None:
    plant = evening.plant
    evening.counts = dict.fromkeys(SIDES, 0)
    evening.build(limit_s=9.0)
    half = [list(stack) for side in plant.sides.values() for stack in side.stacks]
    assert 0 < len(half) < 60
    plant.sweep()
    check_conservation(plant)
    assert plant.tiles.count(TABLE) == 136
    assert sets_at(plant, TABLE) == {1}
    assert [list(stack) for side in plant.sides.values() for stack in side.stacks] == half


def test_a_cut_build_is_taken_out_and_only_its_own_set_goes_in_again(evening: Bench) -> None:
    """People look at the backs: the rest of the second set is inside, so the first one goes into its box."""
    plant = evening.plant
    evening.counts = dict.fromkeys(SIDES, 0)
    evening.build(limit_s=9.0)
    for device in ("turn", "ring", *(f"feed_{side}" for side in SIDES), *(f"stack_{n}" for n in SIDES)):
        plant.on_output(device, False)
    plant.sweep()
    evening.drive("tray_raise", 2.3)
    plant.sweep()
    evening.drive("tray_lower", 2.0)
    assert sets_at(plant, TABLE) == {1, 2}
    evening.load()
    check_conservation(plant)
    assert (plant.tiles.count(DRUM), sets_at(plant, DRUM), sets_at(plant, ASIDE)) == (136, {2}, {1})


def test_trays_never_lift_a_wall_into_the_one_in_play(evening: Bench) -> None:
    build(evening)
    with pytest.raises(Collision, match="into one that stands"):
        evening.plant.on_output("tray_raise", True)


def test_stackers_turn_below_walls_in_play_but_not_below_raised_trays(evening: Bench) -> None:
    evening.drive("tray_raise", 2.3)
    with pytest.raises(Collision, match="stacker of side 2"):
        evening.plant.on_output("stack_2", True)


def swap(plant: Plant, place: str, other: str) -> None:
    """Two tiles change places in every book but one: counts and holders agree."""
    one, two = plant.tiles.at(place)[0], plant.tiles.at(other)[0]
    plant.tiles.move(one, place, other)
    plant.tiles.move(two, other, place)
    for side in plant.sides.values():
        for stack in (*side.stacks, *side.ledge):
            stack[:] = [{one: two, two: one}.get(number, number) for number in stack]
        side.queue[:] = [{one: two, two: one}.get(number, number) for number in side.queue]


@pytest.mark.parametrize(
    ("mix", "told"),
    [
        (lambda plant: swap(plant, "ledge_2", wall(2)), "both sets are on the trays"),
        (lambda plant: swap(plant, "ledge_1", DRUM), "both sets are on the way"),
    ],
    ids=["walls", "drum"],
)
def test_mixed_sets_do_not_pass_unseen(evening: Bench, mix: Callable[[Plant], None], told: str) -> None:
    evening.counts = dict.fromkeys(SIDES, 0)
    evening.build(limit_s=9.0)
    check_conservation(evening.plant)
    mix(evening.plant)
    with pytest.raises(LostTile, match=told):
        check_conservation(evening.plant)


def test_one_set_stays_on_its_trays() -> None:
    bench = Bench(4)
    bench.load()
    build(bench)
    bench.drive("tray_raise", 2.3)
    assert [len(bench.plant.standing(side)) for side in SIDES] == [17] * 4
    assert all(not side.ledge and side.stacks for side in bench.plant.sides.values())
    assert not sets_at(bench.plant, *(mouth(side) for side in SIDES))


def test_backs_show_their_set() -> None:
    plant = Plant(5, 136, Schedule(), lambda device, on: None, lambda line, level: None, 2)
    stand_walls(plant)
    top = TableTop(plant)
    assert {tile.set for tile in scene_of(top).tiles} == {1}
    number = top.take_from_wall(1, 1, "top")
    top.places[1].concealed.append(number)
    plant.tiles.move(number, TABLE, ASIDE)
    other = plant.tiles.at(ASIDE)[-1]
    assert plant.tiles.set_of(other) == 2
    top.places[1].concealed[:] = [other]
    assert Counter(tile.set for tile in scene_of(top).tiles) == {1: 135, 2: 1}
