"""Which dealer lamp is lit: what lies at four known places, each judged by the shape of its light.

A burning lamp is more than bright: its core is pale, its rim amber-red, the cloth round it glows red and
fades. A napkin, a white dragon or glare on a socket has none of that, a red chip no core and no glow. Four
socket places belong together: a lit lamp is believed only beside a dark one, and "none is lit" only when all
four can be seen.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .calibration import Calibration
from .readings import LampReading
from .table import SIDES, Zone, geometry, to_table

Image = NDArray[np.uint8]
Colour = tuple[float, float, float]

PX_PER_MM = 2.0
CORE = (0.0, 0.4)
RIM = (0.65, 0.95)
GLOW = (1.4, 2.0)
CLOTH = (3.0, 4.0)
"""Rings round the lamp's middle, in lamp radii."""

# Least value of a lit lamp and steepness of the score around it, in grey levels (the ratio: in times), from
# 124 lit and 452 dark sockets of 144 frames with calm and varied looks; "lit" and "dark" are the extremes.
CORE_GREEN = (130.0, 20.0)
"""Green of the core: lit 214 and more, dark 49 at most."""
RIM_OVER_BLUE = (110.0, 13.0)
"""Red less blue of the rim: lit 161, dark 52."""
RIM_OVER_GREEN = (68.0, 5.0)
"""Red less green of the rim: lit 88, dark 51."""
CORE_OVER_RIM = (1.25, 0.07)
"""Green of the core in times that of the rim: lit 1.54; one flat colour has 1."""
GLOW_OVER_CLOTH = (18.0, 4.0)
"""How much redder (red less blue) the glow is than the cloth farther out: lit 33, dark 7."""
RIM_OVER_GLOW = (50.0, 13.0)
"""Red of the rim less that of the glow: lit 104; something red that is larger than a lamp has 0."""

DARK_RED, DARK_GREEN = 150.0, 85.0
"""Most red and green of an unlit socket's core (seen: 122 and 49)."""


@dataclass(frozen=True, slots=True)
class SocketLight:
    """What one lamp's place shows: the chance that a lamp burns there, and whether a dark socket is seen."""

    lit: float
    is_dark: bool


def socket_light(image: Image, calibration: Calibration, side: int) -> SocketLight:
    """Return what the place of a side's lamp shows; outside the picture it is neither lit nor dark."""
    plan = geometry()["lamps"]
    x, y, radius = float(plan["x"]), float(plan["y"]), float(plan["radius"])
    reach = (CLOTH[1] + 0.2) * radius
    area = Zone(x - reach, x + reach, y - reach, y + reach)
    height, width = image.shape[:2]
    for corner in itertools.product((area.x0, area.x1), (area.y0, area.y1)):
        u, v = calibration.table_to_pixel(*to_table(side, *corner))
        if not (0.0 <= u < width and 0.0 <= v < height):
            return SocketLight(0.0, False)
    view = calibration.rectify(image, side, area, PX_PER_MM).astype(np.float64)
    rows, columns = np.mgrid[0 : view.shape[0], 0 : view.shape[1]]
    away = np.hypot(rows - (view.shape[0] - 1) / 2, columns - (view.shape[1] - 1) / 2) / PX_PER_MM / radius

    def mean(ring: tuple[float, float]) -> Colour:
        blue, green, red = view[(away >= ring[0]) & (away < ring[1])].mean(axis=0)
        return float(blue), float(green), float(red)

    return _judge(mean(CORE), mean(RIM), mean(GLOW), mean(CLOTH))


def _judge(core: Colour, rim: Colour, glow: Colour, cloth: Colour) -> SocketLight:
    """Return the verdict on four mean colours (blue, green, red): the weakest sign of a lamp decides."""
    signs = (
        (core[1], CORE_GREEN),
        (rim[2] - rim[0], RIM_OVER_BLUE),
        (rim[2] - rim[1], RIM_OVER_GREEN),
        (core[1] / max(rim[1], 1.0), CORE_OVER_RIM),
        ((glow[2] - glow[0]) - (cloth[2] - cloth[0]), GLOW_OVER_CLOTH),
        (rim[2] - glow[2], RIM_OVER_GLOW),
    )
    weakest = min((value - least) / spread for value, (least, spread) in signs)
    is_dark = core[2] <= DARK_RED and core[1] <= DARK_GREEN
    return SocketLight(1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, weakest)))), is_dark)


def read_lamp(image: Image, calibration: Calibration) -> LampReading:
    """Return the side of the one lamp that is lit, with the chance of that; None if none is, if more than one
    seems to be, or if it cannot be told (score 0: a place is covered by something that is no lamp)."""
    lights = [socket_light(image, calibration, side) for side in SIDES]
    order = sorted(range(4), key=lambda index: -lights[index].lit)
    strongest, second = lights[order[0]], lights[order[1]]
    chance = strongest.lit * (1.0 - second.lit)
    if strongest.lit >= 0.5 and second.lit < 0.5 and any(light.is_dark for light in lights):
        return LampReading(order[0] + 1, round(chance, 4))
    if all(light.is_dark for light in lights):
        return LampReading(None, round(1.0 - strongest.lit, 4))
    return LampReading(None, 0.0)
