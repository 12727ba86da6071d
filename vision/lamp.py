"""Which dealer lamp is lit: the light at four known places, against each other and against the table around
them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from .calibration import Calibration
from .readings import LampReading
from .table import SIDES, geometry, to_table

Image = NDArray[np.uint8]

LIT_GLOW = 60.0
"""Red-minus-blue glow (grey levels) of a lit lamp above its surroundings; see `_glow`. Lit ones of 400 fresh
frames measure 110 and more, dark ones 35 at most."""
CLEAR_LEAD = 1.8
"""A lit lamp must outshine the next by this factor, or two are lit."""


def lamp_glows(image: Image, calibration: Calibration) -> tuple[float, float, float, float]:
    """Return the glow of the lamps of sides 1 to 4 in grey levels above their surroundings."""
    first, second, third, fourth = (_glow(image, calibration, side) for side in SIDES)
    return first, second, third, fourth


def _glow(image: Image, calibration: Calibration, side: int) -> float:
    """Return how much warmer and brighter the lamp's disc is than the ring around it."""
    plan = geometry()["lamps"]
    x, y = to_table(side, float(plan["x"]), float(plan["y"]))
    radius = float(plan["radius"])
    u, v = calibration.table_to_pixel(x, y)
    edge_u, edge_v = calibration.table_to_pixel(x + radius, y)
    radius_px = max(2.0, float(np.hypot(edge_u - u, edge_v - v)))
    reach = int(np.ceil(radius_px * 4.0)) + 2
    left, top = round(u) - reach, round(v) - reach
    height, width = image.shape[:2]
    if left < 0 or top < 0 or left + 2 * reach >= width or top + 2 * reach >= height:
        return 0.0
    patch = image[top : top + 2 * reach + 1, left : left + 2 * reach + 1].astype(np.float32)
    rows, columns = np.mgrid[0 : patch.shape[0], 0 : patch.shape[1]]
    distance = np.hypot(columns + left - u, rows + top - v)
    warmth = patch[..., 2] - 0.5 * patch[..., 0]
    disc = warmth[distance <= radius_px * 0.7]
    ring = warmth[(distance >= radius_px * 2.6) & (distance <= radius_px * 3.8)]
    return float(np.mean(disc) - np.median(ring))


def read_lamp(image: Image, calibration: Calibration) -> LampReading:
    """Return the side of the one lamp that is lit, None if none or more than one is.

    The score of a lit lamp falls with the light of the next one; the score of "none" with the strongest glow.
    """
    blurred = np.asarray(cv2.GaussianBlur(image, (3, 3), 0), dtype=np.uint8)
    glows = lamp_glows(blurred, calibration)
    order = sorted(range(4), key=lambda index: -glows[index])
    strongest, second = glows[order[0]], max(glows[order[1]], 1.0)
    if strongest < LIT_GLOW or strongest < CLEAR_LEAD * second:
        return LampReading(None, round(float(np.clip(1.0 - strongest / (2 * LIT_GLOW), 0.0, 1.0)), 4))
    margin = min(strongest / LIT_GLOW - 1.0, strongest / second / CLEAR_LEAD - 1.0)
    return LampReading(order[0] + 1, round(float(1.0 - 0.5 * np.exp(-6.0 * margin)), 4))
