"""Small pictures of plants for flowers and seasons: blossoms, leaves, stems, pots, put together at random."""

# ruff: noqa: RUF005  (an array plus a pair of numbers is a shift here, not a longer tuple)
from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .sheet import Colour, Points, Sheet, curve, ellipse, ribbon, turned
from .style import Style, choose

BLOSSOMS = ("rose", "plum", "mum", "peony", "lotus", "simple")


class Garden:
    """Inks and ways of one maker's plants; positions are in face units about (0, 0.35)."""

    def __init__(self, style: Style, rng: np.random.Generator) -> None:
        p = style.palette
        shared = style.stream("garden")
        self.rng = rng
        self.leaf: Colour = p.green if shared.random() < 0.85 else p.dark
        self.petal: Colour = p.red if shared.random() < 0.8 else choose(shared, (p.dark, p.green))
        self.wood: Colour = choose(shared, (p.green, p.dark, p.red, (40, 60, 90)), (0.5, 0.3, 0.1, 0.1))
        self.dark: Colour = p.dark
        self.line = float(shared.uniform(0.06, 0.115))
        self.solid = float(shared.uniform(0.0, 1.0)) if shared.random() < 0.45 else 0.0

    def u(self, low: float, high: float) -> float:
        return float(self.rng.uniform(low, high))

    def filled(self) -> bool:
        return bool(self.rng.random() < self.solid)

    def shape(self, sheet: Sheet, ink: Colour, outline: Points, solid: bool | None = None) -> bool:
        fill = self.filled() if solid is None else solid
        sheet.fill(ink if fill else None, outline)
        if not fill:
            sheet.line(ink, outline, self.line, closed=True)
        return fill


def blossom(sheet: Sheet, g: Garden, kind: str, x: float, y: float, r: float) -> None:
    """Draw one flower head."""
    _HEADS[kind](sheet, g, x, y, r)


def _rose(sheet: Sheet, g: Garden, x: float, y: float, r: float) -> None:
    """Petals folded around each other."""
    count = int(g.rng.integers(4, 7))
    start = g.u(0, 360)
    for k in range(count):
        a = np.radians(start + 360 * k / count)
        g.shape(
            sheet,
            g.petal,
            ellipse(
                x + 0.55 * r * np.cos(a), y + 0.55 * r * np.sin(a), 0.55 * r, 0.42 * r, np.degrees(a) + 90
            ),
            False,
        )
    sheet.fill(None, ellipse(x, y, 0.5 * r, 0.5 * r))
    t = np.linspace(0, 4.2 * np.pi, 26)
    spiral = np.stack([np.cos(t), np.sin(t)], axis=1) * (t / t[-1])[:, None] * 0.5 * r + (x, y)
    sheet.line(g.petal, spiral, g.line)


def _plum(sheet: Sheet, g: Garden, x: float, y: float, r: float) -> None:
    """Five round petals."""
    start = g.u(0, 72)
    solid = g.filled()
    for k in range(5):
        a = np.radians(start + 72 * k)
        g.shape(
            sheet,
            g.petal,
            ellipse(x + 0.58 * r * np.cos(a), y + 0.58 * r * np.sin(a), 0.38 * r, 0.38 * r),
            solid,
        )
    sheet.disc(None, x, y, 0.3 * r)
    sheet.disc(g.petal if g.rng.random() < 0.6 else g.dark, x, y, 0.18 * r)


def _mum(sheet: Sheet, g: Garden, x: float, y: float, r: float) -> None:
    """Many narrow petals."""
    count = int(g.rng.integers(9, 17))
    solid = g.filled()
    for k in range(count):
        a = 360 * k / count
        spot = turned(np.array([[0.62 * r, 0.0]]), a)[0]
        g.shape(sheet, g.petal, ellipse(x + spot[0], y + spot[1], 0.38 * r, 1.6 * r / count, a), solid)
    sheet.disc(None, x, y, 0.3 * r)
    sheet.ring(g.petal, x, y, 0.28 * r, 0.12 * r)


def _peony(sheet: Sheet, g: Garden, x: float, y: float, r: float) -> None:
    """A round head with a net of lines."""
    t = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    wave = r * (0.9 + 0.13 * np.cos(t * int(g.rng.integers(7, 11))))
    solid = g.shape(sheet, g.petal, np.stack([x + wave * np.cos(t), y + wave * 0.85 * np.sin(t)], axis=1))
    ink = None if solid else g.petal
    for k in range(-2, 3):
        bow = curve([(x + 0.32 * k * r, y - 0.6 * r), (x + 0.42 * k * r, y), (x + 0.3 * k * r, y + 0.6 * r)])
        sheet.line(ink, bow, g.line * 0.7)
        level = curve(
            [(x - 0.7 * r, y + 0.26 * k * r), (x, y + 0.34 * k * r), (x + 0.7 * r, y + 0.26 * k * r)]
        )
        sheet.line(ink, level, g.line * 0.7)


def _lotus(sheet: Sheet, g: Garden, x: float, y: float, r: float) -> None:
    """Pointed petals in a row above a flat leaf or bowl."""
    for k in (-2, 2, -1, 1, 0):
        a = -90 + 28 * k
        spot = turned(np.array([[0.55 * r, 0.0]]), a)[0]
        g.shape(
            sheet,
            g.petal if g.rng.random() < 0.8 else g.leaf,
            ellipse(x + spot[0], y + spot[1], 0.55 * r, 0.2 * r, a),
            False,
        )
    g.shape(sheet, g.petal, ellipse(x, y + 0.35 * r, 1.05 * r, 0.34 * r))
    sheet.fill(g.leaf if g.rng.random() < 0.5 else None, ellipse(x, y + 0.35 * r, 0.4 * r, 0.12 * r))


def _simple(sheet: Sheet, g: Garden, x: float, y: float, r: float) -> None:
    """A ring with a cross: the two-line flower of cheap sets."""
    g.shape(sheet, g.petal, ellipse(x, y, r * 0.8, r * 0.75), False)
    sheet.line(g.petal, np.array([[x - 0.6 * r, y - 0.4 * r], [x + 0.5 * r, y + 0.4 * r]]), g.line)
    sheet.line(g.petal, np.array([[x - 0.5 * r, y + 0.5 * r], [x + 0.6 * r, y - 0.4 * r]]), g.line)
    sheet.disc(g.petal, x, y, 0.2 * r)


_HEADS: dict[str, Callable[[Sheet, Garden, float, float, float], None]] = {
    "rose": _rose,
    "plum": _plum,
    "mum": _mum,
    "peony": _peony,
    "lotus": _lotus,
    "simple": _simple,
}


def leaf(
    sheet: Sheet, g: Garden, x: float, y: float, length: float, degrees: float, slim: float = 0.32
) -> None:
    """Draw a pointed leaf from (x, y) outwards."""
    t = np.linspace(0, np.pi, 9)
    upper = np.stack([(1 - np.cos(t)) / 2 * length, np.sin(t) * slim * length / 2], axis=1)
    outline = turned(np.vstack([upper, (upper * (1, -1))[::-1]]), degrees) + (x, y)
    solid = g.shape(sheet, g.leaf, outline)
    vein = turned(np.array([[0.1 * length, 0.0], [0.85 * length, 0.0]]), degrees) + (x, y)
    if g.rng.random() < 0.6:
        sheet.line(None if solid else g.leaf, vein, g.line * 0.6)


def stem(sheet: Sheet, g: Garden, line: Points, leaves: int, length: float, slim: float = 0.32) -> None:
    """Draw a stem with leaves to both sides."""
    sheet.brush(g.wood, line, (g.line * 1.3, g.line))
    for k in range(leaves):
        i = int((k + 0.6) / leaves * (len(line) - 1))
        way = line[min(i + 1, len(line) - 1)] - line[max(i - 1, 0)]
        ahead = np.degrees(np.arctan2(way[1], way[0]))
        leaf(sheet, g, *line[i], length * g.u(0.7, 1.2), ahead + g.u(35, 80) * (1 if k % 2 else -1), slim)


def plum(sheet: Sheet, g: Garden) -> None:
    """Bare angular twigs with round blossoms."""
    x = g.u(-0.4, 0.4)
    trunk = np.array(
        [
            [x - 0.3, 1.65],
            [x + g.u(-0.3, 0.2), 1.0],
            [x + g.u(0.0, 0.4), 0.3],
            [x * 0.3, -0.6],
            [g.u(0.0, 0.5), -1.1],
        ]
    )
    sheet.brush(g.wood, trunk, (g.line * 2.4, g.line * 1.6, g.line))
    for k in range(int(g.rng.integers(1, 4))):
        start = trunk[1 + k]
        end = start + (g.u(0.4, 0.9) * (1 if k % 2 else -1), -g.u(0.2, 0.6))
        sheet.brush(g.wood, np.array([start, (start + end) / 2 + (0, 0.06), end]), (g.line * 1.5, g.line))
        blossom(sheet, g, choose(g.rng, ("plum", "plum", "rose")), end[0], end[1], g.u(0.24, 0.36))
    for _ in range(int(g.rng.integers(1, 3))):
        i = int(g.rng.integers(1, 4))
        blossom(sheet, g, "plum", trunk[i][0], trunk[i][1], g.u(0.26, 0.44))
    for _ in range(int(g.rng.integers(0, 5))):
        sheet.disc(g.petal, g.u(-0.7, 0.7), g.u(-0.8, 1.0), g.line * 0.8)


def orchid(sheet: Sheet, g: Garden) -> None:
    """Long bent blades from one tuft and one or two small flowers."""
    x, y = g.u(-0.35, 0.35), g.u(1.2, 1.6)
    for _ in range(int(g.rng.integers(4, 8))):
        reach, tall = g.u(-1.1, 1.1), g.u(0.9, 2.3)
        blade = curve(
            [
                (x, y),
                (x + reach * 0.25, y - tall * 0.75),
                (x + reach * 0.7, y - tall),
                (x + reach, y - tall * g.u(0.6, 0.95)),
            ]
        )
        if g.solid > 0.4:
            sheet.fill(g.leaf, ribbon(blade, (0.05, g.line * 2.2, 0.02)))
        else:
            sheet.line(g.leaf, blade, g.line)
    for _ in range(int(g.rng.integers(1, 3))):
        fx, fy = x + g.u(-0.7, 0.7), y - g.u(0.4, 1.4)
        sheet.line(g.wood, curve([(x, y), (x + (fx - x) * 0.3, fy + 0.3), (fx, fy)]), g.line)
        for a in g.rng.uniform(0, 360, int(g.rng.integers(3, 6))):
            spot = turned(np.array([[0.17, 0.0]]), float(a))[0]
            g.shape(sheet, g.petal, ellipse(fx + spot[0], fy + spot[1], 0.2, 0.09, float(a)))
    if g.rng.random() < 0.4:
        sheet.line(g.leaf, curve([(-0.7, y + 0.05), (0, y), (0.7, y + 0.06)]), g.line)


def chrysanthemum(sheet: Sheet, g: Garden) -> None:
    """One or two full heads on leafy stems."""
    base = (g.u(-0.3, 0.3), 1.65)
    for k in range(int(g.rng.integers(1, 4))):
        fx, fy = g.u(-0.6, 0.6), g.u(-0.8, 0.6) + 0.25 * k
        line = curve([base, (base[0] + g.u(-0.4, 0.4), 0.9), (fx, fy)])
        stem(sheet, g, line, int(g.rng.integers(2, 6)), g.u(0.35, 0.6), g.u(0.3, 0.55))
        blossom(sheet, g, choose(g.rng, ("mum", "mum", "rose", "peony", "plum")), fx, fy, g.u(0.34, 0.6))


def bamboo(sheet: Sheet, g: Garden) -> None:
    """Jointed canes, upright or fallen aslant, with small tufts of pointed leaves."""
    canes = int(g.rng.integers(1, 5))
    fallen = g.rng.random() < 0.15
    ink = g.wood if g.rng.random() < 0.5 else g.leaf
    wide, joints = g.u(0.12, 0.26), int(g.rng.integers(3, 6))
    outlined = wide > 2.2 * g.line and g.rng.random() < 0.6
    for cane in range(canes):
        x = (cane - (canes - 1) / 2) * g.u(0.35, 0.6) + g.u(-0.1, 0.1)
        foot = np.array([x - (0.6 if fallen else 0.0), g.u(1.35, 1.65)])
        top = np.array(
            [x + (0.7 if fallen else g.u(-0.15, 0.15)), g.u(-0.2, 0.4) if fallen else g.u(-1.2, -0.4)]
        )
        for k in range(joints):
            part = np.array([foot + (top - foot) * k / joints, foot + (top - foot) * (k + 0.84) / joints])
            g.shape(sheet, ink, ribbon(part, wide if outlined else 0.7 * wide), not outlined)
            if k and g.rng.random() < 0.75:
                _tuft(sheet, g, *part[1], int(g.rng.integers(2, 5)), g.u(0.25, 0.5))
        _tuft(sheet, g, *top, int(g.rng.integers(2, 6)), g.u(0.3, 0.55))
    for _ in range(int(g.rng.integers(0, 6))):
        x = g.u(-0.8, 0.8)
        sheet.line(g.leaf, np.array([[x, 1.65], [x + g.u(-0.15, 0.15), 1.35]]), g.line)
    if g.rng.random() < 0.3:
        for x in (-0.6, 0.6):
            sheet.disc(g.petal, x, g.u(-0.4, 0.0), g.line)


def _tuft(sheet: Sheet, g: Garden, x: float, y: float, leaves: int, length: float) -> None:
    """Narrow leaves fanning out to one side, hanging or rising."""
    middle = g.u(-60, 60) if g.rng.random() < 0.5 else g.u(120, 240)
    for k in range(leaves):
        turn = middle + (k - (leaves - 1) / 2) * g.u(24, 40)
        line = turned(np.array([[0.0, 0.0], [0.5, 0.0], [1.0, 0.0]]) * length * g.u(0.8, 1.2), turn) + (x, y)
        sheet.fill(g.leaf, ribbon(line, (0.02, g.line * 1.5, 0.02)))


def bouquet(sheet: Sheet, g: Garden) -> None:
    """A large bloom with leaves, on a stem, as a bush, in a pot or a bowl."""
    kind = choose(g.rng, ("stem", "bush", "pot", "bowl", "vine"), (3, 2, 1.5, 1.5, 2))
    head = choose(g.rng, BLOSSOMS)
    if kind in ("stem", "vine"):
        bend = g.u(-0.6, 0.6)
        line = curve([(g.u(-0.5, 0.5), 1.65), (bend, 0.9), (-bend * 0.5, 0.2), (g.u(-0.4, 0.4), -0.5)])
        stem(sheet, g, line, int(g.rng.integers(3, 8)), g.u(0.4, 0.7), g.u(0.3, 0.6))
        blossom(sheet, g, head, line[-1][0], line[-1][1], g.u(0.4, 0.62))
        if kind == "vine":
            blossom(sheet, g, head, line[8][0] + g.u(-0.4, 0.4), line[8][1], g.u(0.3, 0.5))
        return
    if kind == "bush":
        for a in np.linspace(-160, -20, int(g.rng.integers(5, 9))):
            leaf(sheet, g, 0.0, 0.7, g.u(0.9, 1.4), float(a) + g.u(-8, 8), g.u(0.2, 0.4))
        blossom(sheet, g, head, g.u(-0.2, 0.2), 0.7, g.u(0.5, 0.7))
        for a in (20, 160, 60, 120):
            leaf(sheet, g, 0.0, 1.0, g.u(0.6, 0.9), a, 0.3)
        return
    for _ in range(int(g.rng.integers(2, 5))):
        fx, fy = g.u(-0.7, 0.7), g.u(-0.6, 0.3)
        stem(sheet, g, curve([(0, 0.9), (fx * 0.4, 0.4), (fx, fy)]), int(g.rng.integers(1, 4)), 0.4)
        blossom(sheet, g, head, fx, fy, g.u(0.24, 0.42))
    ink = choose(g.rng, (g.dark, g.petal, g.leaf, g.wood))
    wide = g.u(0.45, 0.75)
    low = 0.55 if kind == "pot" else 0.8
    pot = np.array([[-wide, 0.85], [wide, 0.85], [wide * low, 1.55], [-wide * low, 1.55]])
    solid = g.shape(sheet, ink, pot)
    sheet.line(None if solid else ink, np.array([[-wide * 0.9, 1.08], [wide * 0.9, 1.08]]), g.line)
    sheet.line(ink, np.array([[-wide * 0.8, 1.68], [wide * 0.8, 1.68]]), g.line)


def spring(sheet: Sheet, g: Garden) -> None:
    """One large bloom in profile on a leaning stem, a few broad leaves low on one side."""
    side = 1 if g.rng.random() < 0.75 else -1
    top = (-side * g.u(0.0, 0.4), g.u(-0.5, 0.0))
    foot = (side * g.u(-0.1, 0.3), g.u(1.2, 1.6))
    line = curve([foot, (foot[0] - side * g.u(-0.1, 0.3), 0.8), top])
    sheet.brush(g.wood, line, (g.line * 1.2, g.line))
    for k in range(int(g.rng.integers(2, 5))):
        i = int((k + 0.3) / 5 * len(line))
        leaf(sheet, g, *line[i], g.u(0.6, 0.95), (-20 if side > 0 else 200) + g.u(-45, 50), g.u(0.45, 0.7))
    blossom(sheet, g, choose(g.rng, ("rose", "rose", "peony", "lotus")), *top, g.u(0.42, 0.6))


def summer(sheet: Sheet, g: Garden) -> None:
    """A bloom in the middle of curling stems, or a lotus over water."""
    if g.rng.random() < 0.35:
        pond(sheet, g)
        return
    x, y = g.u(-0.2, 0.3), g.u(0.1, 0.6)
    for _ in range(int(g.rng.integers(2, 4))):
        a = g.u(0, 2 * np.pi)
        far = (x + 1.0 * np.cos(a), min(1.6, y + 1.0 * np.sin(a)))
        bend = ((x + far[0]) / 2 + g.u(-0.4, 0.4), (y + far[1]) / 2 + g.u(-0.4, 0.4))
        stem(sheet, g, curve([(x, y), bend, far], 8), int(g.rng.integers(1, 4)), 0.4, g.u(0.3, 0.6))
    blossom(sheet, g, choose(g.rng, ("plum", "lotus", "rose", "simple")), x, y, g.u(0.45, 0.65))


def autumn(sheet: Sheet, g: Garden) -> None:
    """A leafy branch with one or two round heads (chrysanthemum, fruit)."""
    line = curve(
        [(g.u(-0.3, 0.3), 1.6), (g.u(-0.5, 0.1), 0.8), (g.u(-0.2, 0.4), 0.1), (g.u(-0.5, 0.3), -0.8)]
    )
    stem(sheet, g, line, int(g.rng.integers(3, 8)), g.u(0.3, 0.55), g.u(0.35, 0.7))
    head = choose(g.rng, ("peony", "simple", "plum", "mum"))
    for k in range(int(g.rng.integers(1, 3))):
        x, y = line[4 + 7 * k]
        blossom(sheet, g, head, x + g.u(0.1, 0.5) * (1 - 2 * k), y + g.u(-0.2, 0.2), g.u(0.28, 0.45))


def winter(sheet: Sheet, g: Garden) -> None:
    """A small flower above a tuft or bush of leaves, or bare twigs."""
    if g.rng.random() < 0.25:
        plum(sheet, g)
        return
    x = g.u(-0.3, 0.3)
    for _ in range(int(g.rng.integers(3, 7))):
        far = (x + g.u(-0.9, 0.9), g.u(-0.3, 0.9))
        line = curve([(x, 1.5), ((x + far[0]) / 2 + g.u(-0.1, 0.1), (1.5 + far[1]) / 2 - 0.1), far])
        stem(sheet, g, line, int(g.rng.integers(1, 5)), g.u(0.25, 0.5), g.u(0.3, 0.6))
    top = (x + g.u(-0.5, 0.3), g.u(-0.7, -0.2))
    sheet.line(g.wood, curve([(x, 1.4), ((x + top[0]) / 2, 0.4), top]), g.line)
    blossom(sheet, g, choose(g.rng, ("rose", "plum", "peony", "mum")), *top, g.u(0.26, 0.42))


def pond(sheet: Sheet, g: Garden) -> None:
    """A lotus over water."""
    blossom(sheet, g, "lotus", 0.0, 0.5, g.u(0.6, 0.8))
    for k in range(3):
        y = 1.1 + 0.2 * k
        sheet.line(g.leaf, np.array([[-0.8 + 0.1 * k, y], [0.8 - 0.15 * k, y + 0.03]]), g.line)
    sheet.line(g.leaf, np.array([[-0.5, 0.6], [-0.7, -0.6]]), g.line)
    sheet.disc(g.petal, -0.7, -0.7, 0.16)


PICTURES: dict[str, Callable[[Sheet, Garden], None]] = {
    "a": spring,
    "b": summer,
    "c": autumn,
    "d": winter,
    "e": plum,
    "f": orchid,
    "g": chrysanthemum,
    "h": bamboo,
}
