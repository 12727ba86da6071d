"""The dots (p): the big wheel of 1p and the rings, wheels, crosses and suns of the others."""

# ruff: noqa: RUF005  (an array plus a pair of numbers is a shift here, not a longer tuple)
from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .sheet import Colour, Sheet, ellipse, turned
from .style import Style, choose

KINDS = ("rings", "outline", "disc", "cross", "wheel", "petals", "target")
_KIND_WEIGHTS = (5.0, 2.5, 1.0, 1.0, 1.0, 0.7, 2.0)


def draw(sheet: Sheet, style: Style, rank: int) -> None:
    """Draw the face of this rank (1-9)."""
    if rank == 1:
        wheel(sheet, style)
        return
    rng = style.stream("dots")
    kind = choose(rng, KINDS, _KIND_WEIGHTS)
    size, spread = float(rng.uniform(0.88, 1.06)), float(rng.uniform(0.94, 1.06))
    seed = int(rng.integers(2**31))
    for x, y, radius, colour in layout(style, rank):
        one_dot(sheet, kind, x * spread, y * spread, radius * size, colour, np.random.default_rng(seed))


def layout(style: Style, rank: int) -> list[tuple[float, float, float, Colour]]:
    """Return (x, y, radius, ink) of each dot of a rank 2-9."""
    g, r, d = style.palette.green, style.palette.red, style.palette.dark
    rng = style.stream("dot layout")
    flip, red_top, plain = rng.random() < 0.25, rng.random() < 0.15, rng.random() < 0.2
    tall, gap = float(rng.uniform(0.92, 1.08)), float(rng.uniform(0.0, 0.12))
    one, two = (d, g) if flip else (g, d)
    four = [d] * 4 if plain else [one, two, two, one]
    if rank == 2:
        radius = float(rng.uniform(0.54, 0.74))
        return [(0, -0.78 * tall, radius, one), (0, 0.78 * tall, radius, d if plain else two)]
    if rank == 3:
        dx, dy = float(rng.uniform(0.6, 0.84)), float(rng.uniform(0.85, 1.2))
        radius = float(rng.uniform(0.4, 0.54))
        return [(-dx, -dy, radius, one), (0, 0, radius, r), (dx, dy, radius, two)]
    if rank in (4, 5):
        dx, dy = float(rng.uniform(0.58, 0.84)), float(rng.uniform(0.8, 1.12)) * tall
        radius = float(rng.uniform(0.38, 0.52)) * (1.0 if rank == 4 else 0.95)
        spots = [(-dx, -dy), (dx, -dy), (-dx, dy), (dx, dy)]
        dots = [(x, y, radius, c) for (x, y), c in zip(spots, four, strict=True)]
        return dots if rank == 4 else [*dots, (0, 0, radius, r)]
    step = float(rng.uniform(0.78, 1.04))
    radius = step * float(rng.uniform(0.43, 0.52))
    top, low = (r, one) if red_top else (one if rank == 6 else g, r)
    if rank == 6:
        even = rng.random() < 0.2
        rows = (-1.05, 0.0, 1.05) if even else (-1.0 - gap, 0.25 + gap, 0.25 + gap + step)
        return [
            (s * step / 2, y, radius, top if i == 0 else low) for i, y in enumerate(rows) for s in (-1, 1)
        ]
    if rank == 7:
        slope = float(rng.uniform(0.2, 0.42))
        wide = min(step * 0.9, 1.24 - radius)
        three = [(k * wide, -0.98 - gap + k * slope, radius, top) for k in (-1, 0, 1)]
        return three + [(s * step / 2, 0.35 + gap + t * step, radius, low) for t in (0, 1) for s in (-1, 1)]
    if rank == 8:
        radius = float(rng.uniform(0.35, 0.43))
        step_y = radius * float(rng.uniform(2.0, 2.15))
        half = radius * float(rng.uniform(1.0, 1.2))
        return [(s * half, (row - 1.5) * step_y, radius, d) for row in range(4) for s in (-1, 1)]
    radius = float(rng.uniform(0.34, 0.44))
    step_x = radius * float(rng.uniform(2.0, 2.3))
    step_y = step_x * float(rng.uniform(1.0, 1.25))
    inks = choose(rng, ((one, r, two), (one, r, one), (g, r, d), (d, r, g)))
    return [(s * step_x, t * step_y, radius, inks[t + 1]) for t in (-1, 0, 1) for s in (-1, 0, 1)]


def one_dot(
    sheet: Sheet, kind: str, x: float, y: float, radius: float, ink: Colour, rng: np.random.Generator
) -> None:
    """Draw one dot; the same `rng` state gives the same ornament."""
    _DOTS[kind](sheet, x, y, radius, ink, rng)


def _rings(s: Sheet, x: float, y: float, r: float, ink: Colour, rng: np.random.Generator) -> None:
    """A filled disc with thin light rings."""
    s.disc(ink, x, y, r)
    count = int(rng.integers(1, 4)) if r > 0.45 else int(rng.integers(1, 3))
    line = r * float(rng.uniform(0.08, 0.16))
    for k in range(count):
        at = r * (0.82 - 0.62 * k / max(1, count - 0.4))
        s.ring(None, x, y, at, max(0.0, at - line))
    if rng.random() < 0.5:
        s.disc(None, x, y, r * float(rng.uniform(0.06, 0.16)))


def _outline(s: Sheet, x: float, y: float, r: float, ink: Colour, rng: np.random.Generator) -> None:
    """Lines around a light space, with a core."""
    line = r * float(rng.uniform(0.14, 0.3))
    s.ring(ink, x, y, r, r - line)
    core = r * float(rng.uniform(0.3, 0.5))
    if rng.random() < 0.6:
        s.ring(ink, x, y, core, core * 0.5)
    else:
        s.disc(ink, x, y, core)
    if r > 0.45 and rng.random() < 0.6:
        s.ring(ink, x, y, r * 0.68, r * 0.58)


def _disc(s: Sheet, x: float, y: float, r: float, ink: Colour, rng: np.random.Generator) -> None:
    s.disc(ink, x, y, r)
    hole = r * float(rng.uniform(0.15, 0.45))
    s.disc(None, x, y, hole)
    if rng.random() < 0.5:
        s.disc(ink, x, y, hole * 0.5)


def _cross(s: Sheet, x: float, y: float, r: float, ink: Colour, rng: np.random.Generator) -> None:
    """A disc with four petals or a cross left light."""
    s.disc(ink, x, y, r)
    start, petal = float(choose(rng, (0.0, 45.0))), float(rng.uniform(0.16, 0.3))
    for k in range(4):
        spot = turned(np.array([[0.5 * r, 0.0]]), start + 90 * k)[0]
        s.fill(None, ellipse(x + spot[0], y + spot[1], 0.3 * r, petal * r, start + 90 * k))


def _wheel(s: Sheet, x: float, y: float, r: float, ink: Colour, rng: np.random.Generator) -> None:
    """Spokes between a rim and a hub."""
    rim = float(rng.uniform(0.72, 0.86))
    s.disc(ink, x, y, r)
    spokes, hub = int(rng.integers(6, 11)), float(rng.uniform(0.2, 0.36))
    for k in range(spokes):
        a = 2 * np.pi * k / spokes
        b = a + 2 * np.pi / spokes * 0.72
        s.fill(None, _sector(x, y, r * (hub + 0.1), r * rim, a, b))
    if rng.random() < 0.5:
        s.disc(None, x, y, r * hub * 0.5)


def _petals(s: Sheet, x: float, y: float, r: float, ink: Colour, rng: np.random.Generator) -> None:
    count = int(rng.integers(5, 10))
    for k in range(count):
        a = 360.0 * k / count
        spot = turned(np.array([[0.64 * r, 0.0]]), a)[0]
        s.fill(ink, ellipse(x + spot[0], y + spot[1], 0.36 * r, 1.9 * r / count, a))
    s.disc(ink, x, y, r * 0.34)
    s.disc(None, x, y, r * 0.18)


def _target(s: Sheet, x: float, y: float, r: float, ink: Colour, rng: np.random.Generator) -> None:
    """A bold ring and a bold core."""
    inner = float(rng.uniform(0.58, 0.76))
    s.ring(ink, x, y, r, r * inner)
    s.disc(ink, x, y, r * inner * float(rng.uniform(0.55, 0.8)))
    if rng.random() < 0.7:
        s.disc(None, x, y, r * float(rng.uniform(0.1, 0.2)))


_DOTS: dict[str, Callable[[Sheet, float, float, float, Colour, np.random.Generator], None]] = {
    "rings": _rings,
    "outline": _outline,
    "disc": _disc,
    "cross": _cross,
    "wheel": _wheel,
    "petals": _petals,
    "target": _target,
}


def _sector(x: float, y: float, inner: float, outer: float, a: float, b: float) -> np.ndarray:
    t = np.linspace(a, b, 5)
    arc = np.stack([np.cos(t), np.sin(t)], axis=1)
    return np.vstack([arc * outer, arc[::-1] * inner]) + (x, y)


def wheel(sheet: Sheet, style: Style) -> None:
    """Draw 1p: from the rim inwards, a band after the other until the core."""
    rng = style.stream("1p")
    inks = [style.palette.green, style.palette.dark, style.palette.red]
    outer = float(rng.uniform(0.9, 1.28))
    main = choose(rng, inks, (0.6, 0.33, 0.07))
    core_ink = choose(rng, inks, (0.15, 0.15, 0.7))
    radius = _rim(sheet, rng, outer, main)
    bands = 0
    while radius > outer * 0.36 and bands < 4:
        ink = main if rng.random() < 0.6 else choose(rng, inks)
        radius = _band(sheet, rng, radius, outer, ink)
        bands += 1
    _core(sheet, rng, radius, core_ink, style)


def _rim(sheet: Sheet, rng: np.random.Generator, outer: float, ink: Colour) -> float:
    kind = choose(rng, ("scallop", "ring", "double", "disc"), (0.35, 0.35, 0.15, 0.15))
    if kind == "scallop":
        count = int(rng.integers(12, 21))
        size = outer * np.pi / count * float(rng.uniform(0.9, 1.1))
        at = outer - size
        hollow = rng.random() < 0.65
        for k in range(count):
            a = 2 * np.pi * k / count
            x, y = at * np.cos(a), at * np.sin(a)
            sheet.fill(ink, ellipse(x, y, size * 1.15, size, np.degrees(a)))
            if hollow:
                sheet.fill(None, ellipse(x, y, size * 0.7, size * 0.55, np.degrees(a)))
        inner = at - size
        sheet.ring(ink, 0, 0, inner + 0.05, inner - 0.05)
        return float(inner - 0.09)
    if kind == "disc":
        sheet.disc(ink, 0, 0, outer)
        return outer * float(rng.uniform(0.86, 0.95))
    width = outer * float(rng.uniform(0.05, 0.2))
    sheet.ring(ink, 0, 0, outer, outer - width)
    if kind == "double":
        sheet.ring(ink, 0, 0, outer - 1.6 * width, outer - 2.2 * width)
        return outer - 2.8 * width
    return outer - width * 1.3


def _band(sheet: Sheet, rng: np.random.Generator, radius: float, outer: float, ink: Colour) -> float:
    """Draw one band inwards from `radius`; return where the next begins."""
    deep = outer * float(rng.uniform(0.14, 0.34))
    inner = max(outer * 0.2, radius - deep)
    kind = choose(rng, ("spokes", "petals", "beads", "solid", "line", "leaves"), (3, 2, 1, 1.5, 1.5, 1.5))
    count = int(rng.integers(10, 25))
    mid, half = (radius + inner) / 2, (radius - inner) / 2
    turns = [360.0 * k / count for k in range(count)]
    if kind == "solid":
        sheet.ring(ink, 0, 0, radius, inner)
        if rng.random() < 0.5:
            sheet.ring(None, 0, 0, mid + half * 0.2, mid - half * 0.2)
    elif kind == "line":
        sheet.ring(ink, 0, 0, mid + half * 0.25, mid - half * 0.25)
    elif kind == "spokes":
        solid = rng.random() < 0.5
        if solid:
            sheet.ring(ink, 0, 0, radius, inner)
        for a in np.radians(turns):
            wide = np.pi / count * float(0.9 if solid else 1.1)
            sheet.fill(None if solid else ink, _sector(0, 0, inner + 0.05, radius - 0.03, a, a + wide))
    else:
        solid = rng.random() < 0.45
        if solid:
            sheet.ring(ink, 0, 0, radius, inner)
        across = {"petals": mid * np.pi / count, "beads": half * 0.5, "leaves": mid * np.pi / count * 0.6}[
            kind
        ]
        along = half * (0.5 if kind == "beads" else 0.85)
        for a in turns:
            x, y = mid * np.cos(np.radians(a)), mid * np.sin(np.radians(a))
            sheet.fill(None if solid else ink, ellipse(x, y, along, across * 0.85, a))
            if kind == "petals" and not solid and rng.random() < 2:
                sheet.fill(None, ellipse(x, y, along * 0.6, across * 0.45, a))
    return inner - outer * float(rng.uniform(0.02, 0.06))


def _core(sheet: Sheet, rng: np.random.Generator, radius: float, ink: Colour, style: Style) -> None:
    kind = choose(rng, ("disc", "rings", "flower", "cross", "empty", "char"), (2, 3, 3, 1.5, 0.6, 0.6))
    radius = max(radius, 0.14)
    if kind == "disc":
        sheet.disc(ink, 0, 0, radius * 0.9)
        sheet.disc(None, 0, 0, radius * float(rng.uniform(0.1, 0.5)))
    elif kind == "rings":
        sheet.ring(ink, 0, 0, radius, radius * 0.72)
        sheet.disc(ink, 0, 0, radius * 0.45)
        sheet.disc(None, 0, 0, radius * 0.18)
    elif kind == "flower":
        one_dot(sheet, "petals", 0, 0, radius, ink, rng)
    elif kind == "cross":
        one_dot(sheet, "cross", 0, 0, radius, ink, rng)
    elif kind == "char":
        from .characters import put

        sheet.ring(ink, 0, 0, radius, radius * 0.86)
        put(
            sheet, style, style.dragon, choose(rng, "福寿卍田井品回"), ink, (0, 0, radius * 1.1, radius * 1.1)
        )
