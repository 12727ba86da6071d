"""What lies on the table, as the camera's world: places of tiles, dice and lamps, nothing about pixels.

Positions are table millimetres (hardware/table/geometry.toml); `angle_deg` is counter-clockwise seen from
above, 0 = upright for the player of side 1, (side - 1) * 90 = upright for the player of `side`.
`hardware.twin.renderer.layout` turns "a hand on side 2" into placed tiles.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass

BACK = "back"
"""A tile lying face down."""
SIDE = "side"
"""A concealed tile standing on its edge: the camera sees a narrow bamboo box and never the face."""


@dataclass(frozen=True, slots=True)
class PlacedTile:
    """One tile: `face` is tile text ("5m", "E", "a"), "back" or "side"; `layer` 1 lies on another tile;
    `set` 1 or 2 tells the colour of its back."""

    face: str
    x_mm: float
    y_mm: float
    angle_deg: float
    layer: int = 0
    set: int = 1


@dataclass(frozen=True, slots=True)
class PlacedDie:
    """One die with `pips` 1-6 up."""

    pips: int
    x_mm: float
    y_mm: float
    angle_deg: float


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything the camera can see: `lamp_side` 0 = all lamps off, 1-4 = the lamp of that side is lit."""

    tiles: tuple[PlacedTile, ...] = ()
    dice: tuple[PlacedDie, ...] = ()
    lamp_side: int = 0
    dome_up: bool = False

    def digest(self) -> bytes:
        """Return 32 bytes that depend on the visible content only (0.01 mm and 0.01 degree), not on order.

        >>> tile = PlacedTile("5m", 0, 0, 0)
        >>> Scene((tile,)).digest() == Scene((PlacedTile("5m", 0.0, 0.0, 0.0),)).digest()
        True
        """
        lines = sorted(
            f"t {t.face} {_hundredths(t.x_mm, t.y_mm, t.angle_deg)} {t.layer}" + " second" * (t.set == 2)
            for t in self.tiles
        )
        lines += sorted(f"d {d.pips} {_hundredths(d.x_mm, d.y_mm, d.angle_deg)}" for d in self.dice)
        lines.append(f"lamp {self.lamp_side} dome {int(self.dome_up)}")
        return hashlib.sha256("\n".join(lines).encode()).digest()


def to_table(side: int, x: float, y: float) -> tuple[float, float]:
    """Return table (x, y) of a point in the local coordinates of `side` (1-4).

    >>> to_table(2, 0.0, -400.0)
    (400.0, 0.0)
    """
    for _ in range((side - 1) % 4):
        x, y = -y, x
    return x + 0.0, y + 0.0


def to_local(side: int, x: float, y: float) -> tuple[float, float]:
    """Return the local coordinates of `side` for a table point; the inverse of `to_table`.

    >>> to_local(2, 400.0, 0.0)
    (0.0, -400.0)
    """
    for _ in range((side - 1) % 4):
        x, y = y, -x
    return x + 0.0, y + 0.0


def upright(side: int) -> float:
    """Return the angle in degrees at which a tile is upright for the player of `side`."""
    return (side - 1) % 4 * 90.0


def place(side: int, face: str, x: float, y: float, turn_deg: float = 0.0, layer: int = 0) -> PlacedTile:
    """Return a tile at local (x, y) of `side`, turned `turn_deg` counter-clockwise from upright."""
    table_x, table_y = to_table(side, x, y)
    return PlacedTile(face, table_x, table_y, (upright(side) + turn_deg) % 360.0, layer)


def _hundredths(*values: float) -> str:
    return " ".join(str(math.floor(value * 100 + 0.5)) for value in values)
