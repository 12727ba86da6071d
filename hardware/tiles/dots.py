"""Faces of the dot suit (1p-9p): coins with a ring, and one great rosette."""

from __future__ import annotations

from .svg import BLUE, GREEN, IVORY, RED, circle, group, petal, polar, ring


def coin(x: float, y: float, r: float, colour: str) -> str:
    """Return one coin: rim, ivory ring, core with a bright centre."""
    return circle(x, y, r, colour) + ring(x, y, r * 0.66, IVORY, r * 0.17) + circle(x, y, r * 0.2, IVORY)


def rosette() -> str:
    """Return the single great coin of 1p."""
    x, y = 150.0, 200.0
    parts = circle(x, y, 112, GREEN) + circle(x, y, 98, IVORY)
    for step in range(24):
        bead_x, bead_y = polar(x, y, 88, step * 15)
        parts += circle(bead_x, bead_y, 6.5, BLUE)
    parts += circle(x, y, 76, RED) + circle(x, y, 68, IVORY)
    for step in range(8):
        parts += group(petal(62, 34, GREEN if step % 2 else RED), x=x, y=y, turn=step * 45)
    return parts + circle(x, y, 21, IVORY) + circle(x, y, 15, RED) + circle(x, y, 5, IVORY)


_PLACES: dict[int, tuple[tuple[float, float, float, str], ...]] = {
    2: ((150, 112, 58, GREEN), (150, 288, 58, BLUE)),
    3: ((82, 90, 47, BLUE), (150, 200, 47, RED), (218, 310, 47, GREEN)),
    4: ((88, 108, 50, BLUE), (212, 108, 50, GREEN), (88, 292, 50, GREEN), (212, 292, 50, BLUE)),
    5: (
        (78, 92, 48, BLUE), (222, 92, 48, GREEN), (150, 200, 48, RED),
        (78, 308, 48, GREEN), (222, 308, 48, BLUE),
    ),
    6: tuple(
        (x, y, 46, GREEN if y < 100 else RED) for y in (78, 208, 320) for x in (90, 210)
    ),
    7: (
        (64, 66, 38, GREEN), (150, 104, 38, GREEN), (236, 142, 38, GREEN),
        *((x, y, 42, RED) for y in (236, 330) for x in (98, 202)),
    ),
    8: tuple((x, y, 41, BLUE) for y in (64, 155, 245, 336) for x in (96, 204)),
    9: tuple(
        (x, y, 40, colour)
        for y, colour in ((82, GREEN), (200, RED), (318, BLUE))
        for x in (62, 150, 238)
    ),
}  # fmt: skip


def face(rank: int) -> str:
    """Return what is printed on the dot tile of `rank` 1-9."""
    return rosette() if rank == 1 else "".join(coin(*place) for place in _PLACES[rank])
