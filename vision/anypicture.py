"""Tiles and dice in a picture without table marks: the finders are run at several scales, the best scale
answers.

An honest first form: made for tiles lying flat, filling a good part of the picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from .dice import DIE_PX, DiceFinder, DieSpot
from .readings import Box
from .tiles import Seen, Spot, TileFinder

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]
Likeness = Callable[[Sequence[Seen]], float]

TILE_LONG_SIDES_PX = (46, 60, 78, 100, 120, 150, 195, 255, 330, 430, 560, 725, 945, 1230)
"""Long side of the picture at each trial; a tile is 40 pixels long for the finder."""
DICE_LONG_SIDES_PX = (240, 420, 640, 900)
SAMPLED = 40
"""Places of a scale whose faces are looked at to judge the scale."""
MARGIN_PX = 16
LEAST = 0.5
"""Places less sure than this are left out: there is no table drawing to say where tiles can lie."""


def _scaled(image: Image, long_sides: tuple[int, ...]) -> Iterator[tuple[Image, float]]:
    """Yield the picture at each long side (never enlarged more than twice) with a margin, and its scale."""
    longest = max(image.shape[:2])
    for long_side in long_sides:
        scale = min(long_side / longest, 2.0)
        width, height = (max(8, round(size * scale)) for size in (image.shape[1], image.shape[0]))
        method = cv2.INTER_AREA if scale < 1.0 else cv2.INTER_LINEAR
        small = cv2.resize(image, (width, height), interpolation=method)
        edge = cv2.copyMakeBorder(small, *(MARGIN_PX,) * 4, cv2.BORDER_CONSTANT, value=(70, 90, 40))
        yield np.asarray(edge, dtype=np.uint8), scale
        if scale >= 2.0:
            return


def find_tiles(image: Image, finder: TileFinder, likeness: Likeness) -> list[Seen]:
    """Return the tiles of the best scale, each with its reading direction nearest to upright.

    Args:
        likeness: how much some places look like tiles, 0 to 1: at a wrong scale parts of tiles are found, and
            those have no face.
    """
    best: list[Seen] = []
    best_worth = 0.0
    for small, scale in _scaled(image, TILE_LONG_SIDES_PX):
        spots = finder.find(small, LEAST)
        matrix = _to_picture(scale)
        seen = [Seen(spot, matrix, _nearest_up(spot)) for spot in spots]
        worth = (
            sum(spot.score for spot in spots) * likeness(seen[:: -(-len(seen) // SAMPLED)]) ** 2
            if seen
            else 0.0
        )
        if worth > best_worth:
            best_worth, best = worth, seen
    return sorted(best, key=lambda item: (round(item.spot.y / 30), item.spot.x))


def find_dice(image: Image, finder: DiceFinder) -> list[tuple[DieSpot, Box]]:
    """Return the dice of the scale that sees most."""
    best: list[tuple[DieSpot, Box]] = []
    best_worth = 0.0
    for small, scale in _scaled(image, DICE_LONG_SIDES_PX):
        spots = finder.find(small, LEAST)
        worth = sum(spot.heat * spot.chance for spot in spots)
        if worth > best_worth:
            best_worth, best = worth, [(spot, _die_box(spot, scale)) for spot in spots]
    return best


def _nearest_up(spot: Spot) -> float:
    return spot.axis_deg if spot.axis_deg <= 135.0 else spot.axis_deg - 180.0


def _to_picture(scale: float) -> Matrix:
    return np.array(
        [[1 / scale, 0.0, -MARGIN_PX / scale], [0.0, 1 / scale, -MARGIN_PX / scale], [0.0, 0.0, 1.0]]
    )


def _die_box(spot: DieSpot, scale: float) -> Box:
    size = round(DIE_PX / scale)
    return (
        round((spot.x - MARGIN_PX - DIE_PX / 2) / scale),
        round((spot.y - MARGIN_PX - DIE_PX / 2) / scale),
        size,
        size,
    )
