"""Which dealer lamp is lit: the light at four known places, measured against each other.

Green is looked at: a dark socket and warm light on the cloth are red, only a burning lamp is green as well.
The other three sockets see the same light, so the lead over the brightest of them does not depend on the
lamp over the table.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from .calibration import Calibration
from .readings import LampReading
from .table import SIDES, geometry, to_table

Image = NDArray[np.uint8]

LIT_LEAD = 75.0
"""Grey levels of green by which a lit lamp leads the brightest other one. 220 varied frames: lit 118 and
more, none lit 38 at most."""
LEAD_SPREAD = 12.0
"""Steepness of the score around `LIT_LEAD`: the least lit lamp of those frames scores 0.97."""
LIT_RATIO = 1.6
"""Least ratio to the brightest other one (lit: 2.5 and more): glare over all four does not count."""


def lamp_lights(image: Image, calibration: Calibration) -> tuple[float, float, float, float]:
    """Return the green light (0-255) of the lamps of sides 1 to 4; 0 for one outside the picture."""
    first, second, third, fourth = (_light(image, calibration, side) for side in SIDES)
    return first, second, third, fourth


def _light(image: Image, calibration: Calibration, side: int) -> float:
    plan = geometry()["lamps"]
    x, y = to_table(side, float(plan["x"]), float(plan["y"]))
    radius = float(plan["radius"])
    u, v = calibration.table_to_pixel(x, y)
    edge_u, edge_v = calibration.table_to_pixel(x + radius, y)
    radius_px = max(1.5, 0.7 * math.hypot(edge_u - u, edge_v - v))
    reach = math.ceil(radius_px) + 2
    left, top = round(u) - reach, round(v) - reach
    height, width = image.shape[:2]
    if left < 0 or top < 0 or left + 2 * reach >= width or top + 2 * reach >= height:
        return 0.0
    patch = cv2.GaussianBlur(image[top : top + 2 * reach + 1, left : left + 2 * reach + 1, 1], (3, 3), 0)
    rows, columns = np.mgrid[0 : 2 * reach + 1, 0 : 2 * reach + 1]
    inside = np.hypot(columns + left - u, rows + top - v) <= radius_px
    return float(np.mean(np.asarray(patch)[inside]))


def read_lamp(image: Image, calibration: Calibration) -> LampReading:
    """Return the side of the one lamp that is lit, None if none or more than one is, with the chance of
    that."""
    lights = lamp_lights(image, calibration)
    order = sorted(range(4), key=lambda index: -lights[index])
    strongest, second = lights[order[0]], lights[order[1]]
    chance = 1.0 / (1.0 + math.exp(-(strongest - second - LIT_LEAD) / LEAD_SPREAD))
    if chance < 0.5 or strongest < LIT_RATIO * second:
        return LampReading(None, round(1.0 - min(chance, 0.5), 4))
    return LampReading(order[0] + 1, round(chance, 4))
