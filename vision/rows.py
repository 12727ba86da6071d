"""Tiles laid in rows, read as a person reads them: row by row, left to right, also in a turned picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

ONE_DIRECTION = 0.3
"""Length of the mean of all (doubled) directions, 0 to 1, from which the tiles have one in common; 0.5 when
every fourth tile lies across, 0 when half of them do."""
SAME_ROW = 0.5
"""Tiles that lie lower by less than this part of a tile's length are of one row."""


@dataclass(frozen=True, slots=True)
class Lying:
    """How a tile lies in a picture: centre in pixels, long side in pixels, reading direction in degrees
    counter-clockwise from straight up, of which only the axis is sure."""

    x: float
    y: float
    size: float
    up_deg: float


def in_rows(tiles: Sequence[Lying]) -> list[list[int]]:
    """Return the indices of the tiles row by row, top row first, each from left to right.

    "Top" and "left" are those of the direction that most tiles share: straight up, or up to a quarter turn
    from it; rows that lie across are read with their tops at the picture's left, upwards.
    """
    if not tiles:
        return []
    turn = math.radians(_common_turn(tiles))
    across = [tile.x * math.cos(turn) - tile.y * math.sin(turn) for tile in tiles]
    down = [tile.x * math.sin(turn) + tile.y * math.cos(turn) for tile in tiles]
    lengths = sorted(tile.size for tile in tiles)
    apart = SAME_ROW * (lengths[len(tiles) // 2] + lengths[(len(tiles) - 1) // 2]) / 2.0
    rows: list[list[int]] = []
    for index in sorted(range(len(tiles)), key=down.__getitem__):
        if rows and down[index] - down[rows[-1][-1]] <= apart:
            rows[-1].append(index)
        else:
            rows.append([index])
    return [sorted(row, key=across.__getitem__) for row in rows]


def _common_turn(tiles: Sequence[Lying]) -> float:
    """Return the turn of the axes that most tiles share, -80 to 100 degrees counter-clockwise; 0 if they have
    none in common."""
    doubled = [math.radians(2.0 * tile.up_deg) for tile in tiles]
    c = sum(map(math.cos, doubled)) / len(tiles)
    s = sum(map(math.sin, doubled)) / len(tiles)
    if math.hypot(c, s) < ONE_DIRECTION:
        return 0.0
    turn = math.degrees(math.atan2(s, c)) / 2.0
    return turn + 180.0 if turn < -80.0 else turn
