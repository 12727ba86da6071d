"""Every tile is somewhere, exactly once: drum, channels, stackers, walls and table make up the programme.

`Plant.check` compares counts at every motor edge; this walks through the objects and believes nobody's count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hardware.twin.plant.plant import SIDES, Plant
from hardware.twin.plant.tiles import (
    ASIDE,
    DRUM,
    FLOOR,
    OUTSIDE,
    TABLE,
    LostTile,
    feed,
    ledge,
    mouth,
    wall,
)

PLACES = (
    DRUM,
    TABLE,
    ASIDE,
    FLOOR,
    OUTSIDE,
    *(each(side) for each in (feed, mouth, wall, ledge) for side in SIDES),
)
_KNOWN = frozenset(PLACES)


def check_conservation(plant: Plant) -> None:
    """Check that every tile of the programme (and of another set that came in) is somewhere, exactly once.

    Raises:
        LostTile: naming the tile and where it is twice or not at all.
    """
    if not _all_well(plant):
        _look_closely(plant)


def _all_well(plant: Plant) -> bool:
    """Return whether nothing is wrong, five times as fast as `_look_closely`, which can say what is."""
    tiles = plant.tiles
    places = tiles.places
    sizes = Counter(places)
    if not _KNOWN.issuperset(sizes) or any(tiles.count(place) != sizes[place] for place in PLACES):
        return False
    for place, held in _holders(plant):
        if len(held) != sizes[place] or len(set(held)) != len(held):
            return False
        if not {places[number] for number in held} <= {place}:
            return False
    coming = [number for side in plant.sides.values() for number in side.queue]
    if len(set(coming)) != len(coming) or not {places[number] for number in coming} <= {DRUM}:
        return False
    return tiles.sets == 1


def _look_closely(plant: Plant) -> None:
    tiles = plant.tiles
    at: dict[str, set[int]] = {place: set() for place in PLACES}
    for number in range(len(tiles.faces)):
        place = tiles.place(number)
        if place not in at:
            raise LostTile(f"tile {number} ({tiles.faces[number]}) is at {place!r}, which is no place")
        at[place].add(number)
    if sum(map(len, at.values())) != len(tiles.faces):
        raise LostTile(f"{sum(map(len, at.values()))} tiles of {len(tiles.faces)}")
    for place, numbers in at.items():
        if tiles.count(place) != len(numbers):
            raise LostTile(f"{place} counts {tiles.count(place)} tiles, {len(numbers)} are there")
    for place, held in _holders(plant):
        _compare(plant, place, held, at[place])
    _check_queues(plant, at[DRUM])
    _check_sets(plant, at)


def _holders(plant: Plant) -> Iterator[tuple[str, list[int]]]:
    for side in plant.sides.values():
        yield from side.pieces()


def _compare(plant: Plant, place: str, held: list[int], there: set[int]) -> None:
    faces = plant.tiles.faces
    twice = [number for number, times in Counter(held).items() if times > 1]
    if twice:
        raise LostTile(f"tile {twice[0]} ({faces[twice[0]]}) is twice at {place}")
    for number in sorted(there ^ set(held)):
        where = plant.tiles.place(number)
        if number in there:
            raise LostTile(f"tile {number} ({faces[number]}) is at {place} and nobody holds it there")
        raise LostTile(f"tile {number} ({faces[number]}) is held at {place} and is at {where}")


def _check_queues(plant: Plant, drum: set[int]) -> None:
    """What will come to the sides lies in the drum, and comes to one of them."""
    coming = Counter(number for side in plant.sides.values() for number in side.queue)
    for number, times in coming.items():
        if times > 1 or number not in drum:
            where = f"{times} times" if times > 1 else f"from {plant.tiles.place(number)}"
            raise LostTile(f"tile {number} ({plant.tiles.faces[number]}) is to come {where}")


def _check_sets(plant: Plant, at: dict[str, set[int]]) -> None:
    """Two sets never mix in the machine: what is shuffled is of one back, and so is what stands built."""
    tiles = plant.tiles
    if tiles.sets == 1:
        return
    under_way = [DRUM, *(each(side) for each in (feed, mouth) for side in SIDES)]
    for where, places in (
        ("on the way", under_way),
        ("on the trays", [wall(side) for side in SIDES]),
        ("on the ledges", [ledge(side) for side in SIDES]),
    ):
        sets = {tiles.set_of(number) for place in places for number in at[place]} - {0}
        if len(sets) > 1:
            raise LostTile(f"tiles of both sets are {where}")
