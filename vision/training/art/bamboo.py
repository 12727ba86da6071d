"""The bamboo (s): sticks of many shapes, their places and inks. 1s is in `birds`."""

from __future__ import annotations

import numpy as np

from .sheet import Colour, Points, Sheet, turned
from .style import Style, choose

KINDS = ("bone", "waist", "plain", "chain", "flared", "reed", "outline")
_KIND_WEIGHTS = (5.0, 1.5, 1.0, 1.0, 1.0, 1.0, 2.0)


def draw(sheet: Sheet, style: Style, rank: int) -> None:
    """Draw the face of this rank (2-9)."""
    rng = style.stream("sticks")
    kind = choose(rng, KINDS, _KIND_WEIGHTS)
    fat = float(rng.uniform(0.9, 1.15))
    seed = int(rng.integers(2**31))
    for x, y, length, width, degrees, ink in layout(style, rank):
        stick(sheet, kind, (x, y), (length, width * fat), degrees, ink, np.random.default_rng(seed))


def layout(style: Style, rank: int) -> list[tuple[float, float, float, float, float, Colour]]:
    """Return (x, y, length, width, degrees from upright, ink) of each stick."""
    rng = style.stream("stick layout")
    g, r, d = style.palette.green, style.palette.red, style.palette.dark
    tall, wide = float(rng.uniform(0.9, 1.08)), float(rng.uniform(0.9, 1.1))
    long2, long3 = float(rng.uniform(1.15, 1.5)) * tall, float(rng.uniform(0.86, 1.0)) * tall
    thick = float(rng.uniform(0.24, 0.44))
    row = 0.78 * tall * float(rng.uniform(0.95, 1.1))
    second = d if rng.random() < 0.15 else g
    red3, mid7, nine = rng.random() < 0.12, choose(rng, (g, d, r)), rng.random() < 0.9
    if rank == 2:
        return [(0, -row, long2, thick, 0, second), (0, row, long2, thick, 0, g)]
    if rank == 3:
        dx = float(rng.uniform(0.42, 0.75)) * wide
        top = r if red3 else second
        return [
            (0, -row, long2, thick, 0, top),
            (-dx, row, long2, thick, 0, g),
            (dx, row, long2, thick, 0, g),
        ]
    if rank in (4, 5):
        dx = float(rng.uniform(0.4, 0.75)) * wide if rank == 4 else float(rng.uniform(0.7, 0.95)) * wide
        four = [
            (s * dx, t * row, long2, thick, 0.0, second if t * s > 0 else g) for t in (-1, 1) for s in (-1, 1)
        ]
        return four if rank == 4 else [*four, (0, 0, long2, thick, 0, r if rng.random() < 0.93 else d)]
    dx = float(rng.uniform(0.5, 0.8)) * wide
    if rank == 6:
        top = second if rng.random() < 0.8 else d
        return [(s * dx, t * row, long2, thick, 0, top if t < 0 else g) for t in (-1, 1) for s in (-1, 0, 1)]
    thin = thick * 0.9
    if rank == 7:
        lower = [
            (s * dx, y * tall, long3, thin, 0.0, mid7 if s == 0 else g)
            for y in (0.1, 1.15)
            for s in (-1, 0, 1)
        ]
        return [(0.0, -0.98 * tall, long3, thin, 0.0, r), *lower]
    if rank == 8:
        return _eight(rng, tall, wide, thin, g, second)
    rows = float(rng.uniform(0.98, 1.1)) * tall
    if nine:
        inks = {-1: g, 0: r, 1: d if rng.random() < 0.12 else g}
        return [(s * dx, t * rows, long3, thin, 0, inks[s]) for t in (-1, 0, 1) for s in (-1, 0, 1)]
    bands = {-1: g, 0: r, 1: d}
    return [(s * dx, t * rows, long3, thin, 0, bands[t]) for t in (-1, 0, 1) for s in (-1, 0, 1)]


def _eight(
    rng: np.random.Generator, tall: float, wide: float, thick: float, g: Colour, second: Colour
) -> list[tuple[float, float, float, float, float, Colour]]:
    """Two upright and two leaning sticks above, the same mirrored below: M over W, or W over M."""
    dx, dy = float(rng.uniform(0.8, 1.0)) * wide, float(rng.uniform(0.74, 0.86)) * tall
    long = float(rng.uniform(1.15, 1.4)) * tall
    lean = float(rng.uniform(25, 42))
    diamond = rng.random() < 0.75  # leaning sticks meet outside (top row like a roof)
    reach = dx * float(rng.uniform(0.42, 0.5))
    out: list[tuple[float, float, float, float, float, Colour]] = []
    for t, ink in ((-1, second), (1, g)):
        for s in (-1, 1):
            out.append((s * dx, t * dy, long, thick, 0.0, ink))
            angle = lean * s * (1 if (t < 0) == diamond else -1)
            out.append((s * reach, t * dy, long * 0.92, thick, -angle, ink))
    return out


def stick(
    sheet: Sheet,
    kind: str,
    at: tuple[float, float],
    size: tuple[float, float],
    degrees: float,
    ink: Colour,
    rng: np.random.Generator,
) -> None:
    """Draw one stick: `size` is length and width; the same `rng` state gives the same ornament."""
    length, width = size
    half, wide = length / 2, width / 2

    def place(points: Points) -> Points:
        return turned(points, degrees) + at

    if kind == "chain":
        _chain(sheet, place, half, wide, ink, rng)
        return
    outline = _profile(kind, half, wide, rng)
    sheet.fill(ink, place(outline))
    if kind == "outline":
        line = width * float(rng.uniform(0.2, 0.32))
        inner = outline * ((wide - line) / wide, (half - line) / half)
        sheet.fill(None, place(inner))
        if rng.random() < 0.6:
            core = np.array([[0, -half * 0.62], [0, half * 0.62]])
            sheet.line(ink, place(core), width * float(rng.uniform(0.1, 0.2)))
        return
    _marks(sheet, place, half, wide, ink, rng, kind)


def _profile(kind: str, half: float, wide: float, rng: np.random.Generator) -> Points:
    """Return the outline of an upright stick about the origin."""
    t = np.linspace(-1, 1, 25)
    end = np.sqrt(np.clip(1 - np.abs(t) ** float(rng.uniform(8, 20)), 0, 1))
    if kind == "bone" or kind == "outline":
        lobes = int(choose(rng, (2, 3, 3, 4)))
        depth = float(rng.uniform(0.08, 0.3)) if kind == "bone" else float(rng.uniform(0.0, 0.2))
        shape = 1 - depth * (1 + np.cos(np.pi * lobes * (t + 1))) / 2
        if rng.random() < 0.5:
            shape = 1 - depth * (1 - np.cos(np.pi * lobes * (t + 1))) / 2
    elif kind == "waist":
        shape = 0.62 + 0.38 * np.abs(np.sin(np.pi * (t + 1) * float(choose(rng, (0.5, 1.0))) + np.pi / 2))
    elif kind == "flared":
        shape = 0.6 + 0.4 * np.abs(t) ** 3 + 0.4 * np.exp(-((t / 0.12) ** 2))
        end = np.ones_like(t)
    elif kind == "reed":
        shape = 0.72 + 0.28 * np.exp(-((t / 0.1) ** 2)) + 0.18 * np.abs(t) ** 6
        end = np.ones_like(t)
    else:
        shape = np.ones_like(t)
    x = np.minimum(shape, 1.15) * end * wide
    right = np.stack([x, t * half], axis=1)
    return np.vstack([right, (right * (-1, 1))[::-1]])


def _chain(sheet: Sheet, place, half: float, wide: float, ink: Colour, rng: np.random.Generator) -> None:  # type: ignore[no-untyped-def]
    """Links one after the other."""
    links = int(choose(rng, (3, 4)))
    step = 2 * half / links
    hole = float(rng.uniform(0.3, 0.55))
    for k in range(links):
        x, y = place(np.array([[0.0, -half + step * (k + 0.5)]]))[0]
        radius = min(step * 0.56, wide * 1.15)
        sheet.ring(ink, x, y, radius, radius * hole)
    for k in range(links - 1):
        line = np.array([[-wide * 0.55, -half + step * (k + 1)], [wide * 0.55, -half + step * (k + 1)]])
        sheet.line(ink, place(line), wide * 0.4)


def _marks(
    sheet: Sheet,
    place,
    half: float,
    wide: float,
    ink: Colour,
    rng: np.random.Generator,
    kind: str,  # type: ignore[no-untyped-def]
) -> None:
    """Take light lines out of a filled stick: down the middle, across the knots, or dashes."""
    mark = choose(rng, ("line", "dashes", "knots", "none", "rings", "line and knots"), (4, 2, 2, 1, 1, 1))
    if kind in ("flared", "reed", "plain") and mark == "none":
        mark = "knots"
    line = wide * float(rng.uniform(0.18, 0.42))
    if "line" in mark:
        sheet.line(None, place(np.array([[0, -half * 0.8], [0, half * 0.8]])), line)
    if mark == "dashes":
        for k in (-1, 0, 1):
            sheet.line(
                None, place(np.array([[0, (k * 0.6 - 0.2) * half], [0, (k * 0.6 + 0.2) * half]])), line
            )
    if "knots" in mark:
        for y in (0.0,) if rng.random() < 0.6 else (-0.34, 0.34):
            sheet.line(None, place(np.array([[-wide, y * half], [wide, y * half]])), line * 0.9)
    if mark == "rings":
        for k in (-1, 0, 1):
            x, y = place(np.array([[0.0, k * 0.6 * half]]))[0]
            sheet.disc(None, x, y, wide * 0.45)
