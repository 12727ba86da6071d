"""Finding tiles on the calibrated table, seen from above: the net `find` gives places (centre, axis, face or
back up) in a picture of 1 pixel per millimetre.

Places come before names (`namer`), so a tile whose face is unreadable is still a tile ("?").
"""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from .nets import THREADS, Backend, Net
from .tiles import Spot

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

FIND_PX_PER_MM = 1.0
"""Scale of the picture that the finder was trained on: a tile is 30 x 40 pixels."""
STRIDE = 4
"""Pixels per cell of the finder's answer."""
BAND_PX, BAND_RIM_PX = 256, 64
"""A large picture is looked at in bands of so many rows; as many more on both sides are thrown away."""
FIND_SCORE = 0.35
"""Least heat of a place: the least of 10,000 true places of fresh frames has 0.47."""
APART_MM = 20.0
"""Two places closer than this are one tile: the nearest two tiles of a table lie 30 mm apart."""


class TileFinder:
    """Places of tiles in a picture of `FIND_PX_PER_MM`."""

    def __init__(
        self, threads: int = THREADS, *, models: Path | None = None, backend: Backend = "onnxruntime"
    ) -> None:
        self._net = Net("find", threads, models=models, backend=backend)

    def find(self, image: Image, least: float = FIND_SCORE) -> list[Spot]:
        """Return the tiles in an (h, w, 3) uint8 BGR picture, surest first."""
        height, width = image.shape[:2]
        padded = np.asarray(
            cv2.copyMakeBorder(image, 0, -height % 16, 0, -width % 16, cv2.BORDER_REPLICATE), dtype=np.uint8
        )
        answers = []
        for top in range(0, padded.shape[0], BAND_PX):  # bands, so that a whole table needs little memory
            first, last = max(0, top - BAND_RIM_PX), min(padded.shape[0], top + BAND_PX + BAND_RIM_PX)
            answer = self._net.run(padded[first:last][None])[0]
            skip = (top - first) // STRIDE
            answers.append(answer[:, skip : skip + BAND_PX // STRIDE])
        return spots_of(np.concatenate(answers, axis=1), least)


def spots_of(answer: Floats, least: float) -> list[Spot]:
    """Return the spots of the finder's raw answer (7, rows, columns).

    Channels: heat of face-up, face-down and standing tiles (logits; standing ones are left out), centre
    offset x, y in cells, cos and sin of twice the axis.
    """
    heat = 1.0 / (1.0 + np.exp(-answer[:3]))
    peak = heat.max(axis=0)
    ring = cv2.dilate(peak, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((peak >= least) & (peak >= ring))
    order = np.argsort(-peak[rows, columns])
    spots: list[Spot] = []
    standing: list[bool] = []
    for row, column in zip(rows[order], columns[order], strict=True):
        dx, dy, cos2, sin2 = answer[3:7, row, column]
        x = (float(column) + 0.5 + float(dx)) * STRIDE
        y = (float(row) + 0.5 + float(dy)) * STRIDE
        if any(math.hypot(x - spot.x, y - spot.y) < APART_MM for spot in spots):
            continue
        axis = math.degrees(math.atan2(float(sin2), float(cos2))) / 2.0 % 180.0
        kind = int(np.argmax(heat[:, row, column]))
        spots.append(Spot(x, y, axis, kind == 1, float(peak[row, column])))
        standing.append(kind == 2)
    return [spot for spot, stands in zip(spots, standing, strict=True) if not stands]
