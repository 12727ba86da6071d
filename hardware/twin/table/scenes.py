"""From tiles and dice on the table to what a camera sees of it."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import replace

from hardware.twin.plant.chance import stream
from hardware.twin.renderer.layout import (
    LaidMeld,
    Nudge,
    lay_flowers,
    lay_hand,
    lay_river,
    lay_wall,
    stand_hand,
)
from hardware.twin.scene import BACK, PlacedDie, PlacedTile, Scene
from hardware.twin.table.layout import Place, TableMeld, TableTop
from rules.hand import MeldKind

JITTER_MM = 1.0
JITTER_DEG = 1.5
RIVER_MAX = 32
DICE_REACH_MM = 40.0
DICE_APART_MM = 30.0
HEAP_HALF_MM = 260.0
HEAP_PITCH_MM = 46.0
DOME_KEEP_MM = 95.0


def nudge_from(rng: random.Random) -> Nudge:
    """Return the unevenness of a human hand: +-1 mm and +-1.5 degrees."""

    def nudge() -> tuple[float, float, float]:
        return (
            rng.uniform(-JITTER_MM, JITTER_MM),
            rng.uniform(-JITTER_MM, JITTER_MM),
            rng.uniform(-JITTER_DEG, JITTER_DEG),
        )

    return nudge


def scene_of(top: TableTop) -> Scene:
    """Return the present scene; a pure function of what lies there and of the seed."""
    plant = top.plant
    tiles: list[PlacedTile] = []
    for side, place in top.places.items():
        mine = [*_hand(top, side, place), *_river(top, side, place), *_flowers(top, side, place)]
        tiles += _with_back(top, place.numbers(), mine)
        stacks = plant.standing(side)
        if plant.walls_are_up and any(stacks):
            rng = stream(plant.seed, "wall-lies", plant.raised_build, side)
            heights = [len(stack) for stack in stacks]
            wall = _kept(lay_wall(side, [2] * len(heights), nudge_from(rng)), heights)
            tiles += _with_back(top, (number for stack in stacks for number in stack), wall)
    tiles += _heap(top)
    return Scene(tuple(tiles), _dice(top), plant.lamp_side, not plant.dome.is_down)


def _with_back(top: TableTop, numbers: Iterable[int], tiles: list[PlacedTile]) -> list[PlacedTile]:
    """Return the tiles with the backs of the set they are of: what one player has is of one set."""
    number = next(iter(numbers), None)
    of = 1 if number is None else top.plant.tiles.set_of(number)
    return [replace(tile, set=of) for tile in tiles] if of > 1 else tiles


def _kept(full: list[PlacedTile], heights: list[int]) -> list[PlacedTile]:
    """Return those tiles of a full wall that still stand, each where it always was."""
    kept = []
    for index, height in enumerate(heights):
        kept += full[2 * index : 2 * index + height]
    return kept


def _hand(top: TableTop, side: int, place: Place) -> list[PlacedTile]:
    melds = [_laid(top, meld) for meld in place.melds]
    rng = stream(top.plant.seed, "hand-lies", top.heaps, side, place.lays)
    if place.laid is None:
        count = len(place.concealed) + (place.drawn is not None)
        return stand_hand(side, melds, count, nudge_from(rng)) if count or melds else []
    faces = [str(tile) for tile in sorted(top.tiles(place.concealed))]
    return lay_hand(side, melds, faces, str(top.tile(place.laid)), nudge_from(rng))


def _laid(top: TableTop, meld: TableMeld) -> LaidMeld:
    numbers = list(meld.numbers)
    if meld.kind is MeldKind.CHOW and meld.claimed is not None:
        numbers.sort(key=lambda number: (number != meld.claimed, top.tile(number)))
    return LaidMeld(meld.kind.value, tuple(str(top.tile(number)) for number in numbers), meld.source)


def _river(top: TableTop, side: int, place: Place) -> list[PlacedTile]:
    faces = [str(top.tile(number)) for number in place.river][:RIVER_MAX]
    rng = stream(top.plant.seed, "river-lies", top.heaps, side)
    return lay_river(side, faces, nudge_from(rng))


def _flowers(top: TableTop, side: int, place: Place) -> list[PlacedTile]:
    faces = [str(top.tile(number)) for number in place.flowers]
    rng = stream(top.plant.seed, "flowers-lie", top.heaps, side)
    return lay_flowers(side, faces, nudge_from(rng))


def _heap(top: TableTop) -> list[PlacedTile]:
    if not top.heap:
        return []
    rng = stream(top.plant.seed, "heap", top.heaps)
    steps = int(2 * HEAP_HALF_MM / HEAP_PITCH_MM)
    spots = [
        (x, y)
        for row in range(steps + 1)
        for column in range(steps + 1)
        if math.hypot(x := column * HEAP_PITCH_MM - HEAP_HALF_MM, y := row * HEAP_PITCH_MM - HEAP_HALF_MM)
        > DOME_KEEP_MM
    ]
    rng.shuffle(spots)
    tiles = []
    for index, number in enumerate(top.heap):
        x, y = spots[index % len(spots)]
        face = str(top.tile(number)) if rng.random() < 0.5 else BACK
        turned = PlacedTile(face, x, y, rng.uniform(0.0, 360.0), index // len(spots))
        tiles += _with_back(top, [number], [turned])
    return tiles


def _dice(top: TableTop) -> tuple[PlacedDie, ...]:
    plant = top.plant
    if plant.pips is None:
        return ()
    rng = stream(plant.seed, "dice-lie", plant.throws)
    spots: list[tuple[float, float]] = []
    while len(spots) < 2:
        x, y = rng.uniform(-DICE_REACH_MM, DICE_REACH_MM), rng.uniform(-DICE_REACH_MM, DICE_REACH_MM)
        apart = all(math.hypot(x - u, y - v) >= DICE_APART_MM for u, v in spots)
        if math.hypot(x, y) <= DICE_REACH_MM and apart:
            spots.append((x, y))
    return tuple(
        PlacedDie(pips, x, y, rng.uniform(0.0, 90.0)) for pips, (x, y) in zip(plant.pips, spots, strict=True)
    )
