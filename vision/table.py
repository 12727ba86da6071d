"""The table's places in millimetres, read as data from `hardware/table/geometry.toml`.

Table frame: origin at the centre, x right, y up, seen from above; local frame of a side: that player's right
and away from the player (side 1 local = table).
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

SIDES = (1, 2, 3, 4)
ZoneName = Literal["hand", "hand_centres", "flowers", "flower_centres", "wall", "river", "dice", "table"]


@dataclass(frozen=True, slots=True)
class Zone:
    """A rectangle in local millimetres."""

    x0: float
    x1: float
    y0: float
    y1: float

    @property
    def width(self) -> float:
        """Extent in local x."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Extent in local y."""
        return self.y1 - self.y0

    def holds(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Whether a local point lies inside, `margin` mm beyond the edge allowed."""
        return self.x0 - margin <= x <= self.x1 + margin and self.y0 - margin <= y <= self.y1 + margin


@lru_cache(maxsize=1)
def geometry() -> dict[str, Any]:
    """Return the table's drawing as parsed TOML."""
    text = (files("hardware") / "table" / "geometry.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@lru_cache(maxsize=16)
def zone(name: ZoneName) -> Zone:
    """Return a named zone with the margin that jitter and tile height need."""
    plan = geometry()
    if name == "hand":
        hand = plan["hand"]
        return Zone(hand["x"][0] - 20.0, hand["x"][1] + 20.0, hand["y"][0] - 12.0, hand["y"][1] + 8.0)
    if name == "hand_centres":
        hand = plan["hand"]
        return Zone(hand["x"][0] - 5.0, hand["x"][1] + 5.0, hand["row_y"] - 16.0, hand["win_y"] + 14.0)
    if name in ("flowers", "flower_centres"):
        return _flowers(name == "flower_centres")
    if name == "wall":
        wall = plan["wall"]
        first = max(wall["first_x"], wall["first_x_18"])
        return Zone(-first - 30.0, first + 30.0, wall["y"] - 36.0, wall["y"] + 36.0)
    if name == "river":
        river = plan["river"]
        last = river["first_x"] + river["pitch"] * (river["per_row"] - 1)
        return Zone(
            river["first_x"] - 30.0, last + 30.0, min(river["rows_y"]) - 30.0, max(river["rows_y"]) + 20.0
        )
    if name == "dice":
        radius = float(plan["dice"]["radius"]) + 12.0
        return Zone(-radius, radius, -radius, radius)
    half = float(plan["field"]["half"])
    return Zone(-half, half, -half, half)


def _flowers(centres: bool) -> Zone:
    """Return the place of the flowers laid aside, or where the centres of its tiles may lie."""
    plan = geometry()["flowers"]
    first, rows = float(plan["first_x"]), [float(y) for y in plan["rows_y"]]
    last = first + float(plan["pitch"]) * (int(plan["per_row"]) - 1)
    if centres:
        return Zone(first - 14.0, last + 16.0, min(rows) - 18.0, max(rows) + 18.0)
    return Zone(first - 26.0, last + 26.0, min(rows) - 32.0, max(rows) + 28.0)


def to_table(side: int, x: float, y: float) -> tuple[float, float]:
    """Return table (x, y) of a local point of `side`.

    >>> to_table(2, 0.0, -400.0)
    (400.0, 0.0)
    """
    for _ in range((side - 1) % 4):
        x, y = -y, x
    return x + 0.0, y + 0.0


def to_local(side: int, x: float, y: float) -> tuple[float, float]:
    """Return the local point of `side` for a table point.

    >>> to_local(2, 400.0, 0.0)
    (0.0, -400.0)
    """
    for _ in range((side - 1) % 4):
        x, y = y, -x
    return x + 0.0, y + 0.0


def side_matrix(side: int) -> tuple[tuple[float, float, float], ...]:
    """Return the 3x3 matrix from local to table coordinates of `side`."""
    turn = math.radians(90.0 * ((side - 1) % 4))
    c, s = round(math.cos(turn)), round(math.sin(turn))
    return ((float(c), float(-s), 0.0), (float(s), float(c), 0.0), (0.0, 0.0, 1.0))
