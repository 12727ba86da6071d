"""The exported order of the walls is what players draw, what the camera sees standing, and what lies open."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from hardware.twin.plant.plant import Plant, stand_walls
from hardware.twin.plant.schedule import Schedule
from hardware.twin.plant.walls import wall_order
from hardware.twin.robots.dealing import Wall
from hardware.twin.scene import BACK, to_local
from hardware.twin.table.layout import TableTop
from hardware.twin.table.scenes import scene_of
from rules.procedure import head_draw
from rules.scoring import resolve_options
from rules.seats import ALL_SEATS, Seat
from rules.variants import get_variant


def table() -> TableTop:
    plant = Plant(7, 136, Schedule(), lambda device, on: None, lambda line, level: None)
    stand_walls(plant)
    return TableTop(plant)


def standing(order: dict[str, Any]) -> dict[int, list[int]]:
    """Return the height of every stack of each side, as exported."""
    return {
        int(side): [sum(stack[layer] is not None for layer in ("upper", "lower")) for stack in stacks]
        for side, stacks in order["sides"].items()
    }


def seen(top: TableTop) -> dict[int, int]:
    """Return how many tiles the camera sees standing before each side."""
    backs = [tile for tile in scene_of(top).tiles if tile.face == BACK]
    return Counter(side_of(tile.x_mm, tile.y_mm) for tile in backs)


def side_of(x: float, y: float) -> int:
    """Return the side before whom a point of the table lies."""
    return min((1, 2, 3, 4), key=lambda side: to_local(side, x, y)[1])


def test_the_camera_sees_as_many_tiles_standing_as_are_told() -> None:
    top = table()
    assert standing(wall_order(top.plant)) == {side: [2] * 17 for side in (1, 2, 3, 4)}
    assert seen(top) == dict.fromkeys((1, 2, 3, 4), 34)
    for side, stack, layer in ((1, 3, "top"), (1, 3, "bottom"), (2, 17, "top"), (4, 1, "top")):
        top.take_from_wall(side, stack, layer)
    heights = standing(wall_order(top.plant))
    assert (heights[1][2], heights[2][16], heights[4][0]) == (0, 1, 1)
    assert seen(top) == {side: sum(heights[side]) for side in heights} == {1: 32, 2: 33, 3: 34, 4: 33}


@pytest.mark.parametrize("throws", [[(3, 4), (1, 2)], [(6, 6), (5, 4)]])
def test_players_draw_the_tiles_in_the_order_that_is_told(throws: list[tuple[int, int]]) -> None:
    """Along the wall from where it is broken, upper before lower, every tile of the export once."""
    top = table()
    told = wall_order(top.plant)["sides"]
    variant = get_variant("simplest")
    options = resolve_options(variant, {})
    sides = {seat: side for side, seat in enumerate(ALL_SEATS, 1)}
    wall = Wall(top, variant, options, Seat.E, throws, sides)
    for _ in range(wall.left):
        place = wall_place(wall, wall.heads)
        side, stack, layer = sides[place[0]], place[1], place[2]
        number = wall.draw()
        row = told[str(side)][stack - 1]["upper" if layer == "top" else "lower"]
        assert (row["tile"], row["face"]) == (number, str(top.tile(number)))
    assert standing(wall_order(top.plant)) == {side: [0] * 17 for side in (1, 2, 3, 4)}


def wall_place(wall: Wall, draws: int) -> tuple[Seat, int, str]:
    place = head_draw(wall.walls, wall.opening, draws)
    return place.seat, place.stack, place.layer


def test_what_lies_open_has_the_faces_that_were_told() -> None:
    top = table()
    told = wall_order(top.plant)["sides"]["2"]
    hand = [top.take_from_wall(2, stack, layer) for stack in range(1, 8) for layer in ("top", "bottom")]
    top.places[2].concealed, top.places[2].laid = hand[:13], hand[13]
    faces = [stack[layer]["face"] for stack in told[:7] for layer in ("upper", "lower")]
    open_tiles = [tile.face for tile in scene_of(top).tiles if tile.face != BACK]
    assert Counter(open_tiles) == Counter(faces)
