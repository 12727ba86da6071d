"""Pictures on tiles that are none of the 42: dragons, figures, boats and houses, fish, coins, clowns."""

# ruff: noqa: RUF005  (an array plus a pair of numbers is a shift here, not a longer tuple)
from __future__ import annotations

import numpy as np

from .characters import put
from .plants import Garden
from .sheet import Colour, Sheet, curve, ellipse, ribbon
from .style import Style, choose

Inks = tuple[Colour, Colour, Colour]


def three(style: Style) -> Inks:
    p = style.palette
    return p.red, p.green, p.dark


def scribble(
    sheet: Sheet, rng: np.random.Generator, ink: Colour, at: tuple[float, float], radius: float, line: float
) -> None:
    """Bent strokes inside a circle: what a joker's round picture looks like from a distance."""
    for _ in range(int(rng.integers(12, 34))):
        a, b = rng.uniform(0, 2 * np.pi, 2)
        r0, r1 = radius * np.sqrt(rng.uniform(0.05, 1.0, 2))
        start, end = np.array([r0 * np.cos(a), r0 * np.sin(a)]), np.array([r1 * np.cos(b), r1 * np.sin(b)])
        end = start + (end - start) * min(1.0, 0.8 * radius / (np.hypot(*(end - start)) + 1e-6))
        bend = (start + end) / 2 + rng.normal(0, 0.12, 2)
        sheet.line(ink, curve([tuple(start), tuple(bend), tuple(end)]) + at, line)


def clown(sheet: Sheet, rng: np.random.Generator, inks: Inks, y: float) -> None:
    """A clown: round head, a cap with points."""
    sheet.ring(inks[2], 0, y, 0.6, 0.52)
    for x in (-0.22, 0.22):
        sheet.disc(inks[2], x, y - 0.1, 0.08)
    sheet.line(inks[0], curve([(-0.3, y + 0.2), (0, y + 0.36), (0.3, y + 0.2)]), 0.08)
    sheet.disc(inks[0], 0, y + 0.05, 0.1)
    for k in range(3):
        x = -0.6 + 0.6 * k
        sheet.fill(
            inks[k], np.array([[x * 0.6 - 0.2, y - 0.5], [x * 0.6 + 0.2, y - 0.5], [x * 1.2, y - 1.05]])
        )
        sheet.disc(inks[0], x * 1.2, y - 1.08, 0.09)


def dragon_body(sheet: Sheet, rng: np.random.Generator, inks: Inks, size: float, y0: float = 0.0) -> None:
    """A snake of scales with legs, whiskers and a jagged back."""
    ink = inks[0] if rng.random() < 0.5 else inks[1]
    if rng.random() < 0.12:
        ink = inks[2]
    sway = float(rng.uniform(0.3, 0.6)) * (1 if rng.random() < 0.5 else -1)
    spine = np.array(
        [
            (0.0, -1.25),
            (sway, -0.7),
            (-sway * 0.6, -0.1),
            (sway * 0.8, 0.6),
            (-sway, 1.15),
            (-sway * 0.2, 1.45),
        ]
    )
    line = curve([tuple(p) for p in spine * size], 8) + (0, y0)
    wide = float(rng.uniform(0.32, 0.52)) * size
    solid, dotted = rng.random() < 0.45, rng.random() < 0.5
    body = ribbon(line, (wide * 0.8, wide, wide, wide * 0.7, wide * 0.2))
    sheet.fill(ink if solid else None, body)
    thin = float(rng.uniform(0.05, 0.09))
    if not solid:
        sheet.line(ink, body, thin, closed=True)
    for k in range(2, len(line) - 3, 2):
        way = line[k + 1] - line[k]
        side = np.array([-way[1], way[0]]) / (np.hypot(*way) + 1e-9)
        if dotted:
            for across in (-0.22, 0.22):
                spot = line[k] + side * wide * across
                sheet.disc(None if solid else ink, spot[0], spot[1], thin)
        else:
            bar = np.array([line[k] - side * wide * 0.4, line[k] + side * wide * 0.4])
            sheet.line(None if solid else ink, bar, thin * 0.9)
        sheet.fill(
            ink,
            np.array(
                [line[k] + side * wide * 0.5, line[k + 1] + side * wide * 0.5, line[k] + side * wide * 0.85]
            ),
        )
        if k in (10, 12, 24, 26):  # legs
            foot = line[k] - side * wide * 1.3 + (0, 0.12)
            sheet.line(ink, np.array([line[k] - side * wide * 0.3, foot, foot + (0.14, 0.1)]), thin * 1.6)
    hx, hy = line[0]
    sheet.fill(ink if solid else None, ellipse(hx, hy, wide * 0.8, wide * 0.55, 20))
    sheet.line(ink, ellipse(hx, hy, wide * 0.8, wide * 0.55, 20), thin, closed=True)
    sheet.disc(None if solid else ink, hx, hy - 0.05, 0.08)
    for k in range(3):
        sheet.line(
            ink,
            curve([(hx, hy - 0.1), (hx - 0.2 + 0.25 * k, hy - 0.3), (hx - 0.5 + 0.5 * k, hy - 0.42)]),
            thin,
        )


def figure(sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    """A robed person: head, hat, gown, something in the hand."""
    inks = three(style)
    gown, hat = choose(rng, inks), choose(rng, inks)
    line = float(rng.uniform(0.06, 0.1))
    x, lean = float(rng.uniform(-0.2, 0.2)), float(rng.uniform(-0.25, 0.25))
    solid = rng.random() < 0.5
    wide = float(rng.uniform(0.6, 0.95))
    body = np.array([[x - 0.25, -0.5], [x + 0.25, -0.5], [x + wide + lean, 1.4], [x - wide + lean, 1.4]])
    sheet.fill(gown if solid else None, body)
    sheet.line(gown, body, line, closed=True)
    for k in range(int(rng.integers(1, 4))):
        at = x - 0.3 + 0.3 * k
        sheet.line(
            None if solid else choose(rng, inks),
            curve([(at * 0.5, -0.3), (at, 0.5), (at * 1.5 + lean, 1.3)]),
            line,
        )
    for side in (-1, 1):
        sheet.brush(
            choose(rng, inks),
            curve([(x, -0.3), (x + side * 0.5, 0.1), (x + side * float(rng.uniform(0.2, 0.8)), 0.4)]),
            (0.2, 0.14),
        )
    sheet.fill(None, ellipse(x, -0.85, 0.3, 0.34))
    sheet.line(inks[2], ellipse(x, -0.85, 0.3, 0.34), line, closed=True)
    sheet.disc(inks[2], x + 0.1, -0.9, 0.05)
    sheet.fill(
        hat, np.array([[x - 0.45, -1.05], [x + 0.45, -1.05], [x + float(rng.uniform(-0.3, 0.3)), -1.6]])
    )
    if rng.random() < 0.6:
        sheet.line(choose(rng, inks), curve([(x + 0.7, 0.4), (x + 0.9, -0.6), (x + 1.1, -1.4)]), line)
    if rng.random() < 0.4:
        mark(sheet, style, rng)


def scene(sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    """Boat, house, tree or mountain with a number and one of 福祿壽貴."""
    inks = three(style)
    line = float(rng.uniform(0.05, 0.09))
    kind = choose(rng, ("boat", "house", "palm", "pine"))
    ink, other = choose(rng, inks), choose(rng, inks)
    if kind == "boat":
        sheet.fill(None, ellipse(0, 0.9, 0.8, 0.2))
        sheet.line(ink, curve([(-0.8, 0.7), (-0.4, 1.0), (0.5, 1.0), (0.9, 0.65)]), line * 1.4)
        sheet.line(ink, np.array([[0.0, 0.9], [0.05, -0.4], [0.6, 0.5], [0.05, 0.5]]), line)
    elif kind == "house":
        for k in range(3):
            y, wide = -0.3 + 0.55 * k, 0.4 + 0.12 * k
            sheet.line(
                ink, curve([(0.3 - wide, y + 0.1), (0.3, y - 0.12), (0.3 + wide, y + 0.1)]), line * 1.4
            )
            for x in (0.3 - wide * 0.6, 0.3 + wide * 0.6):
                sheet.line(ink, np.array([[x, y], [x, y + 0.5]]), line)
    else:
        sheet.brush(ink, curve([(0.1, 1.4), (0.0, 0.6), (0.1, -0.2)]), (0.2, 0.14, 0.1))
        for a in np.linspace(-200, 20, 7):
            t = np.radians(a)
            sheet.brush(
                other if kind == "pine" else ink,
                curve(
                    [
                        (0.1, -0.2),
                        (0.1 + 0.4 * np.cos(t), -0.45 + 0.3 * np.sin(t)),
                        (0.1 + 0.85 * np.cos(t), -0.1 + 0.5 * np.sin(t)),
                    ]
                ),
                (0.1, 0.05),
            )
    for k in range(int(rng.integers(2, 5))):
        y = 1.2 + 0.14 * k
        sheet.line(
            choose(rng, inks), curve([(-0.9, y), (-0.3, y - 0.07), (0.3, y + 0.05), (0.9, y - 0.04)]), line
        )
    for x in rng.uniform(-0.9, 0.9, int(rng.integers(0, 4))):
        sheet.line(other, np.array([[x - 0.25, 0.5], [x, 0.1], [x + 0.25, 0.5], [x - 0.25, 0.5]]), line)
    mark(sheet, style, rng)


def mark(sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    shared = style.stream("extra marks")
    number = int(rng.integers(4))
    half = 2.0 / style.aspect
    size = float(shared.uniform(0.6, 0.85))
    inks = three(style)
    chars = choose(shared, ("福祿壽貴", "福禄寿贵", "漁樵耕讀", "琴棋書畫"))
    put(
        sheet,
        style,
        style.latin,
        str(number + 1),
        choose(shared, inks),
        (-(half - 0.4), -1.45, size * 0.65, size),
        1.3,
        plain=True,
    )
    put(
        sheet,
        style,
        style.flower,
        chars[number],
        choose(shared, inks),
        (half - 0.5, -1.4, size, size),
        1.2,
        plain=True,
    )


def fish(sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    inks = three(style)
    garden = Garden(style, rng)
    ink = choose(rng, inks)
    turn, x = float(rng.uniform(-40, 40)), float(rng.uniform(-0.2, 0.2))
    garden.shape(sheet, ink, ellipse(x, 0, 0.85, 0.45, turn))
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    tail = np.array([[0.7, 0.0], [1.2, -0.4], [1.1, 0.0], [1.2, 0.4]]) @ np.array([[c, s], [-s, c]]) + (x, 0)
    sheet.fill(choose(rng, inks), tail)
    sheet.disc(None, x - 0.5 * c, -0.5 * s, 0.12)
    sheet.disc(inks[2], x - 0.5 * c, -0.5 * s, 0.06)
    for k in range(int(rng.integers(0, 5))):
        sheet.line(
            choose(rng, inks),
            curve([(-0.9, 0.9 + 0.2 * k), (0, 0.8 + 0.2 * k), (0.9, 0.95 + 0.2 * k)]),
            garden.line,
        )


def coin(sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    """A coin, an ingot or a purse."""
    inks = three(style)
    ink = choose(rng, inks)
    y = float(rng.uniform(-0.3, 0.3))
    if rng.random() < 0.5:
        sheet.ring(ink, 0, y, 0.8, 0.7)
        sheet.box(ink, 0, y, 0.5, 0.5)
        sheet.box(None, 0, y, 0.36, 0.36)
        for k, char in enumerate("招財進寶"):
            spot = ((0, -0.5), (0, 0.5), (0.5, 0), (-0.5, 0))[k]
            put(sheet, style, style.flower, char, ink, (spot[0], y + spot[1], 0.3, 0.3), plain=True)
        return
    sheet.fill(
        ink,
        np.vstack(
            [
                curve([(-1.0, y - 0.1), (-0.6, y + 0.5), (0.6, y + 0.5), (1.0, y - 0.1)]),
                [[0.45, y + 0.05], [-0.45, y + 0.05]],
            ]
        ),
    )
    sheet.fill(choose(rng, inks), ellipse(0, y - 0.05, 0.45, 0.32))
    mark(sheet, style, rng)
