"""The white dragon: frames, ornaments, a written 白, a joke in the frame, or nothing at all."""

# ruff: noqa: RUF005  (an array plus a pair of numbers is a shift here, not a longer tuple)
from __future__ import annotations

import numpy as np

from .characters import put
from .sheet import Colour, Points, Sheet, ellipse
from .style import Style, choose

KINDS = ("notched", "double", "thin", "ornate", "key", "blank", "char", "joke", "letter", "beads")
_KIND_WEIGHTS = (5.0, 2.5, 1.0, 1.5, 1.0, 0.8, 0.8, 0.8, 0.7, 0.6)
_JOKES = "福祿壽喜財才證券耀發富貴龍鳳白板百"


def draw(sheet: Sheet, style: Style) -> None:
    """Draw this maker's white dragon."""
    rng = style.stream("P")
    kind = choose(rng, KINDS, _KIND_WEIGHTS)
    if kind == "letter" and not style.corner:
        kind = "notched"
    ink = style.palette.frame
    half = 2.0 / style.aspect
    a = half * float(rng.uniform(0.56, 0.78))
    b = a * float(rng.uniform(1.25, 1.6))
    b = min(b, 1.68)
    if kind == "blank":
        return
    if kind == "char":
        put(sheet, style, style.dragon, choose(rng, "白板", (0.9, 0.1)), ink, (0, 0, a * 1.7, b * 1.5), 1.3)
        return
    bold = float(rng.uniform(0.08, 0.26))
    if kind == "thin":
        _band(sheet, ink, a, b, bold * 0.5, float(rng.uniform(0, 0.25)))
        return
    if kind in ("ornate", "key", "beads"):
        _ornament(sheet, ink, a, b, kind, rng)
    else:
        _band(sheet, ink, a, b, bold, float(rng.choice([0.0, 0.08, 0.2])))
        gap = bold + float(rng.uniform(0.05, 0.16))
        inner_a, inner_b = a - gap, b - gap
        line = float(rng.uniform(0.035, 0.1))
        if kind == "double":
            _band(sheet, ink, inner_a, inner_b, line, 0.04)
        else:
            _notched(sheet, ink, inner_a, inner_b, line, float(rng.uniform(0.16, 0.42)), rng)
    if kind in ("joke", "letter") or (style.corner and rng.random() < 0.12):
        text = choose(rng, "BPW" if kind == "letter" else _JOKES)
        face = style.latin if kind == "letter" else style.flower
        tint = choose(rng, (style.palette.red, ink, style.palette.green), (0.7, 0.2, 0.1))
        size = a * float(rng.uniform(0.5, 0.95))
        put(sheet, style, face, text, tint, (0, 0, size, size * 1.15), 1.3, plain=True)


def _rounded(a: float, b: float, radius: float) -> Points:
    if radius <= 0:
        return np.array([[-a, -b], [a, -b], [a, b], [-a, b]])
    t = np.linspace(0, np.pi / 2, 5)
    arc = np.stack([np.cos(t), np.sin(t)], axis=1) * radius
    corner = arc + (a - radius, b - radius)
    quarter = [corner, (corner * (-1, 1))[::-1], corner * (-1, -1), (corner * (1, -1))[::-1]]
    return np.vstack(quarter)


def _band(sheet: Sheet, ink: Colour, a: float, b: float, width: float, radius: float) -> None:
    sheet.fill(ink, _rounded(a, b, radius), _rounded(a - width, b - width, max(0.0, radius - width)))


def _notched(
    sheet: Sheet, ink: Colour, a: float, b: float, line: float, cut: float, rng: np.random.Generator
) -> None:
    """A thin line inside: corners cut off, or stepped, or bowed; sometimes the corner itself filled."""
    kind = choose(rng, ("cut", "step", "bow", "cross"), (3, 2, 1.5, 1))
    if kind == "cut":
        corner = [(a, b - cut), (a - cut, b)]
    elif kind == "step":
        corner = [(a, b - cut), (a - cut, b - cut), (a - cut, b)]
    elif kind == "bow":
        t = np.linspace(0, np.pi / 2, 6)
        corner = [(a - cut * np.sin(u), b - cut * np.cos(u)) for u in t]
    else:
        corner = [(a, b - cut), (a - cut, b), (a, b), (a - cut * 0.8, b - cut * 0.8), (a, b), (a - cut, b)]
    c = np.array(corner, np.float64)
    path = np.vstack([c, (c * (-1, 1))[::-1], c * (-1, -1), (c * (1, -1))[::-1]])
    sheet.line(ink, path, line, closed=True)
    if rng.random() < 0.4:
        for sx in (-1, 1):
            for sy in (-1, 1):
                triangle = np.array([[a, b], [a - cut * 0.7, b], [a, b - cut * 0.7]]) * (sx, sy)
                if rng.random() < 2:
                    sheet.line(ink, triangle, line, closed=True)
    if rng.random() < 0.5:
        sheet.line(ink, _rounded(a, b, 0.0), line, closed=True)


def _ornament(sheet: Sheet, ink: Colour, a: float, b: float, kind: str, rng: np.random.Generator) -> None:
    """A broad band with a pattern in it."""
    width = float(rng.uniform(0.3, 0.5))
    line = float(rng.uniform(0.04, 0.08))
    filled = rng.random() < 0.45
    _band(sheet, ink, a, b, width if filled else line, 0.0)
    if not filled:
        _band(sheet, ink, a - width + line, b - width + line, line, 0.0)
    mid_a, mid_b = a - width / 2, b - width / 2
    tint = None if filled else ink
    step = width * float(rng.uniform(0.85, 1.3))
    for along, fixed, span in ((0, mid_b, mid_a), (1, mid_a, mid_b)):
        count = max(2, round(2 * span / step))
        for k in range(count + 1):
            at = -span + 2 * span * k / count
            for side in (-1, 1):
                x, y = (at, side * fixed) if along == 0 else (side * fixed, at)
                _motif(sheet, tint, kind, x, y, width * 0.34, line)


def _motif(sheet: Sheet, ink: Colour | None, kind: str, x: float, y: float, r: float, line: float) -> None:
    if kind == "beads":
        sheet.disc(ink, x, y, r * 0.8)
    elif kind == "key":
        path = np.array([[-r, r], [-r, -r], [r, -r], [r, 0.5 * r], [-0.2 * r, 0.5 * r], [-0.2 * r, -0.2 * r]])
        sheet.line(ink, path + (x, y), line)
    else:
        sheet.fill(ink, ellipse(x, y, r, r * 0.4, 45), ellipse(x, y, r, r * 0.4, -45))
