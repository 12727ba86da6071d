"""Dice in a picture without table marks: the finder is run at several scales, the best one answers.

An honest first form: made for dice seen from above that fill a good part of the picture.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from .dice import DIE_PX, DiceFinder, DieSpot
from .readings import Box

Image = NDArray[np.uint8]

DICE_LONG_SIDES_PX = (240, 420, 640, 900)
MARGIN_PX = 16
LEAST = 0.5
"""Dice less sure than this are left out: there is no table drawing to say where they can lie."""


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


def _die_box(spot: DieSpot, scale: float) -> Box:
    size = round(DIE_PX / scale)
    return (
        round((spot.x - MARGIN_PX - DIE_PX / 2) / scale),
        round((spot.y - MARGIN_PX - DIE_PX / 2) / scale),
        size,
        size,
    )
