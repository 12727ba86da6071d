"""Two dice in the middle of the table: one small net answers places and pips at once, whatever their turn."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from .nets import THREADS, Backend, Net

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

DICE_PX_PER_MM = 2.5
"""Scale of the picture that the net was trained on: a die is 50 pixels wide."""
STRIDE = 4
DIE_PX = 50.0
DIE_SCORE = 0.35
"""Least heat of a place; on 80 fresh frames true dice have 0.69 and more, all else 0.13 at most."""
APART_PX = 0.7 * DIE_PX
DICE_EXPECTED = 2


@dataclass(frozen=True, slots=True)
class DieSpot:
    """A die in the rectified picture: centre in pixels, pips of the most likely face, its chance, its
    heat."""

    x: float
    y: float
    pips: int
    chance: float
    heat: float


class DiceFinder:
    """Dice in a picture of `DICE_PX_PER_MM`."""

    def __init__(
        self, threads: int = THREADS, *, models: Path | None = None, backend: Backend = "onnxruntime"
    ) -> None:
        self._net = Net("dice", threads, models=models, backend=backend)

    def find(self, image: Image, least: float = DIE_SCORE) -> list[DieSpot]:
        """Return the dice in an (h, w, 3) uint8 BGR picture, surest first."""
        height, width = image.shape[:2]
        padded = cv2.copyMakeBorder(image, 0, -height % 16, 0, -width % 16, cv2.BORDER_REPLICATE)
        return spots_of(self._net.run(np.asarray(padded, dtype=np.uint8)[None])[0], least)


def spots_of(answer: Floats, least: float) -> list[DieSpot]:
    """Return the dice of the net's raw answer (9, rows, columns): heat logit, offset x, y in cells, six pip
    logits."""
    heat = 1.0 / (1.0 + np.exp(-answer[0]))
    ring = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= least) & (heat >= ring))
    order = np.argsort(-heat[rows, columns])
    spots: list[DieSpot] = []
    for row, column in zip(rows[order], columns[order], strict=True):
        x = (float(column) + 0.5 + float(answer[1, row, column])) * STRIDE
        y = (float(row) + 0.5 + float(answer[2, row, column])) * STRIDE
        if any(math.hypot(x - spot.x, y - spot.y) < APART_PX for spot in spots):
            continue
        logits = answer[3:9, row, column].astype(np.float64)
        chances = np.exp(logits - logits.max())
        chances /= chances.sum()
        pips = int(np.argmax(chances))
        spots.append(DieSpot(x, y, pips + 1, float(chances[pips]), float(heat[row, column])))
    return spots
