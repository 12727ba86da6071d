"""The last tile of the wall is taken where it lies, whichever end took its neighbour."""

from __future__ import annotations

from typing import Any, cast

import pytest

from hardware.twin.robots.dealing import Wall
from rules.seats import ALL_SEATS, Seat
from rules.variant import resolve_options
from rules.variants import get_variant


class Stacks:
    """Walls of real stacks, numbered from 1: what lies in a layer can be taken once."""

    def __init__(self, stacks: int) -> None:
        places = ((side, stack) for side in range(4) for stack in range(1, stacks + 1))
        self.lying = {(*place, layer) for place in places for layer in ("top", "bottom")}

    def take_from_wall(self, side: int, stack: int, layer: str) -> int:
        self.lying.remove((side, stack, layer))  # KeyError: nothing lies there
        return 0


@pytest.mark.parametrize("tail_first", ["top", "bottom"])
@pytest.mark.parametrize("slug", ["simplest", "mcr"])
@pytest.mark.parametrize("tails", range(8))
@pytest.mark.parametrize("tail_is_last", [False, True])
def test_every_tile_can_be_drawn(slug: str, tails: int, tail_first: str, tail_is_last: bool) -> None:
    variant = get_variant(slug)
    options = resolve_options(variant, {"tail_first": tail_first})
    sides = {seat: place for place, seat in enumerate(ALL_SEATS)}
    for throws in ([(1, 2), (3, 4)], [(6, 6), (1, 1)], [(2, 5), (6, 4)]):
        top = Stacks(variant.tiles // 8)
        wall = Wall(cast(Any, top), variant, options, Seat.E, throws, sides)
        for _ in range(tails):
            wall.replace()
        while wall.left > (1 if tail_is_last else 0):
            wall.draw()
        if tail_is_last:
            wall.replace()
        assert (wall.left, top.lying) == (0, set())
