"""Two sets of tiles with different backs: which one people push into the dome."""

from __future__ import annotations

from collections.abc import Iterable

from hardware.twin.plant.tiles import ASIDE, DRUM, TABLE, TileSet, feed, mouth


def set_to_push(tiles: TileSet, sides: Iterable[int], walls_are_up: bool) -> int:
    """Return the set that goes in: the rest of what is inside already, or of the swept table, or of the box.

    While walls stand on the table its tiles are in play, and stay there.
    """
    inside = [DRUM, *(place(side) for side in sides for place in (feed, mouth))]
    for places in (inside, [] if walls_are_up else [TABLE], [ASIDE]):
        sets = {tiles.set_of(number) for place in places for number in tiles.at(place)} - {0}
        if sets:
            return min(sets)
    return 1
