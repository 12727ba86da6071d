"""1s: a bird, of which no two makers have the same: sparrows on a twig, cranes, peacocks, parrots, phoenixes.

One bird is a spine from beak to tail, a width along it, feathers that fan out from shoulder and tail, and
small things (crest, legs, perch). The poses are ranges of these numbers.
"""

# ruff: noqa: RUF005  (an array plus a pair of numbers is a shift here, not a longer tuple)
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .sheet import Colour, Points, Sheet, curve, ellipse, ribbon
from .style import Style, choose

POSES = ("perched", "sparrow", "crane", "swoop", "peacock", "phoenix", "chick")
_POSE_WEIGHTS = (5.0, 2.0, 1.2, 2.2, 2.0, 3.0, 0.5)


@dataclass(frozen=True, slots=True)
class Bird:
    """One bird's inks, its way of drawing and its random numbers."""

    rng: np.random.Generator
    head: Colour
    body: Colour
    wing: Colour
    tail: Colour
    other: Colour
    solid: float  # how often a part is filled rather than outlined
    line: float

    def u(self, low: float, high: float) -> float:
        return float(self.rng.uniform(low, high))


def draw(sheet: Sheet, style: Style) -> None:
    """Draw this maker's bird."""
    rng = style.stream("1s")
    p = style.palette
    inks = [p.green, p.red, p.dark]
    main = choose(rng, inks, (0.5, 0.2, 0.3))
    head = choose(rng, (main, *inks))
    wing = main if rng.random() < 0.5 else choose(rng, inks)
    tail = choose(rng, (main, *inks))
    other = choose(rng, (p.red, p.green, p.dark), (0.6, 0.2, 0.2))
    bird = Bird(
        rng, head, main, wing, tail, other, float(rng.uniform(0.1, 0.9)), float(rng.uniform(0.06, 0.11))
    )
    pose = choose(rng, POSES, _POSE_WEIGHTS)
    keep = sheet.place
    mirror = -1.0 if rng.random() < 0.4 else 1.0
    size = float(rng.uniform(0.85, 1.06))
    turn = np.radians(float(rng.normal(0, 6)))
    c, s = np.cos(turn) * size, np.sin(turn) * size
    own = np.array([[mirror * c, -mirror * s, 0.0], [s, c, 0.0], [0, 0, 1]])
    sheet.place = (np.vstack([keep, [0, 0, 1]]) @ own)[:2]
    {
        "perched": _perched,
        "sparrow": _sparrow,
        "crane": _crane,
        "swoop": _swoop,
        "peacock": _peacock,
        "phoenix": _phoenix,
        "chick": _chick,
    }[pose](sheet, bird)
    sheet.place = keep


def _part(sheet: Sheet, bird: Bird, ink: Colour, outline: Points, solid: bool | None = None) -> bool:
    """Fill a part or draw its edge (with its inside cleared, since it lies in front)."""
    filled = bool(bird.rng.random() < bird.solid) if solid is None else solid
    sheet.fill(ink if filled else None, outline)
    if not filled:
        sheet.line(ink, outline, bird.line, closed=True)
    return filled


def _head(sheet: Sheet, bird: Bird, x: float, y: float, radius: float, look: float) -> None:
    """Draw head, eye, beak and crest; `look` is where the beak points, degrees clockwise from the right."""
    angle = np.radians(look)
    way = np.array([np.cos(angle), np.sin(angle)])
    side = np.array([-way[1], way[0]])
    tip = way * radius * bird.u(1.6, 2.6)
    beak = np.array(
        [way * radius * 0.7 + side * radius * 0.5, tip, way * radius * 0.7 - side * radius * 0.5]
    ) + (x, y)
    sheet.fill(choose(bird.rng, (bird.other, bird.head)), beak)
    filled = _part(sheet, bird, bird.head, ellipse(x, y, radius, radius * bird.u(0.85, 1.1), look))
    eye = np.array([x, y]) + way * radius * 0.2 - side * radius * bird.u(0.0, 0.25)
    white = radius * bird.u(0.3, 0.55)
    sheet.disc(None if filled else choose(bird.rng, (bird.other, bird.head)), eye[0], eye[1], white)
    if bird.rng.random() < 0.7:
        sheet.disc(bird.other if filled else None, eye[0], eye[1], white * 0.5)
    for k in range(int(bird.rng.integers(0, 4))):  # crest
        fan = np.radians(look - 115 - 24 * k)
        far = np.array([np.cos(fan), np.sin(fan)]) * radius * bird.u(1.7, 2.5)
        near_ = np.array([np.cos(fan), np.sin(fan)]) * radius
        bend = (near_ + far) / 2 + side * radius * 0.3
        sheet.line(
            choose(bird.rng, (bird.other, bird.head)),
            curve([tuple(near_), tuple(bend), tuple(far)]) + (x, y),
            bird.line,
        )


def _fan(
    sheet: Sheet,
    bird: Bird,
    at: tuple[float, float],
    angles: tuple[float, float],
    count: int,
    length: tuple[float, float],
    width: float,
    ink: Colour,
    bend: float,
    eyes: bool = False,
) -> None:
    """Draw feathers from one point: from the first angle to the second (degrees clockwise from the right)."""
    for k in range(count):
        part = k / max(1, count - 1)
        angle = np.radians(angles[0] + (angles[1] - angles[0]) * part)
        reach = length[0] + (length[1] - length[0]) * part
        way = np.array([np.cos(angle), np.sin(angle)])
        side = np.array([-way[1], way[0]])
        line = curve([(0, 0), tuple(way * reach * 0.5 + side * bend * reach), tuple(way * reach)]) + at
        if width > bird.line * 1.6:
            _part(sheet, bird, ink, ribbon(line, (width * 0.4, width, width * 0.9, width * 0.3)))
        else:
            sheet.brush(ink, line, (bird.line, width, bird.line * 0.8))
        if eyes:
            x, y = line[-1]
            sheet.disc(ink, x, y, width * 0.9)
            sheet.disc(bird.other if bird.rng.random() < 0.5 else None, x, y, width * 0.5)


def _hatch(sheet: Sheet, bird: Bird, line: Points, width: float, ink: Colour | None, count: int) -> None:
    """Draw short bars or scales across a line."""
    kind = bird.rng.random()
    for k in range(count):
        at = (k + 1) / (count + 1) * (len(line) - 1)
        i = min(int(at), len(line) - 2)
        x, y = line[i]
        way = line[i + 1] - line[i]
        way = way / (np.hypot(*way) + 1e-9)
        side = np.array([-way[1], way[0]]) * width / 2
        if kind < 0.55:
            bow = way * width * 0.25
            sheet.line(ink, curve([tuple(-side), tuple(bow), tuple(side)]) + (x, y), bird.line * 0.8)
        else:
            sheet.disc(ink, x, y, width * 0.2)


def _perched(sheet: Sheet, bird: Bird) -> None:
    """Upright, seen from the front or side; a horizontal twig with curled ends; the tail hangs."""
    lean = bird.u(-0.2, 0.35)
    spine = curve([(-0.1, -1.0), (-0.05, -0.3), (0.05 + lean * 0.4, 0.5), (lean, bird.u(1.3, 1.75))], 8)
    twig_y = bird.u(-0.1, 0.5)
    reach = bird.u(0.85, 1.2)
    twig = curve(
        [
            (-reach, twig_y + bird.u(-0.2, 0.2)),
            (-0.4, twig_y),
            (0.4, twig_y + 0.05),
            (reach, twig_y + bird.u(-0.25, 0.25)),
        ]
    )
    twig_ink = choose(bird.rng, (bird.body, bird.other, bird.tail))
    sheet.brush(twig_ink, twig, (bird.line, bird.line * 1.3, bird.line))
    for x, y in (twig[0], twig[-1]):
        sheet.ring(twig_ink, x, y, bird.u(0.12, 0.2), 0.07)
    wide = bird.u(0.55, 0.95)
    filled = _part(
        sheet, bird, bird.body, ribbon(spine, (wide * 0.5, wide, wide * 0.85, wide * 0.5, bird.u(0.08, 0.2)))
    )
    wing = curve([(0.1, -0.4), (0.28 + lean * 0.3, 0.2), (lean * 0.9 + 0.06, 1.0)])
    _part(sheet, bird, bird.wing, ribbon(wing, (0.1, wide * 0.42, 0.08)), solid=not filled)
    _hatch(sheet, bird, spine[10:], wide * 0.45, None if filled else bird.tail, int(bird.rng.integers(2, 6)))
    if bird.rng.random() < 0.7:
        count = int(bird.rng.integers(2, 5))
        ink = choose(bird.rng, (bird.tail, bird.other))
        _fan(sheet, bird, (lean * 0.4, 0.5), (76, 104), count, (0.9, 1.1), bird.line, ink, 0.03)
    _fan(sheet, bird, (lean, 1.2), (70, 110), int(bird.rng.integers(1, 4)), (0.4, 0.5), 0.1, bird.tail, 0.05)
    _head(sheet, bird, -0.1, -1.1, bird.u(0.3, 0.44), choose(bird.rng, (180.0, 0.0, 150.0)))
    if bird.rng.random() < 0.4:
        sheet.line(bird.other, curve([(-0.6, -1.7), (-0.2, -1.6), (0.1, -1.75), (0.5, -1.6)]), bird.line)


def _sparrow(sheet: Sheet, bird: Bird) -> None:
    """A round bird at the top of a leafy twig that runs to a lower corner."""
    twig = curve([(0.5, bird.u(0.1, 0.4)), (0.0, 0.7), (-0.5, 1.0), (-0.95, bird.u(1.2, 1.6))])
    sheet.brush(bird.tail, twig, bird.line * 1.2)
    for k in range(int(bird.rng.integers(4, 9))):
        x, y = twig[int((k + 1) / 10 * len(twig))]
        angle = bird.u(60, 130) if k % 2 else bird.u(-60, 10)
        spot = np.radians(angle)
        _part(
            sheet,
            bird,
            bird.tail,
            ellipse(x + 0.25 * np.cos(spot), y + 0.25 * np.sin(spot), bird.u(0.18, 0.3), 0.08, angle),
            solid=True,
        )
    spine = curve([(0.0, -1.0), (0.15, -0.4), (0.1, 0.2), (-0.2, 0.75)])
    wide = bird.u(0.6, 0.9)
    filled = _part(sheet, bird, bird.body, ribbon(spine, (wide * 0.6, wide, wide * 0.7, 0.1)))
    _hatch(sheet, bird, spine[4:], wide * 0.6, None if filled else bird.wing, int(bird.rng.integers(3, 6)))
    _fan(sheet, bird, (-0.05, 0.5), (95, 150), 3, (0.7, 1.0), bird.line * 1.3, bird.tail, 0.06)
    _head(sheet, bird, -0.05, -1.05, bird.u(0.34, 0.46), choose(bird.rng, (0.0, -35.0, 200.0)))


def _crane(sheet: Sheet, bird: Bird) -> None:
    """Wings up in many feathers, neck and red head below, thin clouds above."""
    at = (bird.u(-0.1, 0.2), bird.u(-0.1, 0.3))
    for k in range(int(bird.rng.integers(0, 4))):
        y = -1.6 + 0.3 * k
        sheet.line(
            bird.tail, curve([(-0.9, y), (-0.6, y - 0.12), (-0.3, y + 0.02), (0.05, y - 0.1)]), bird.line
        )
    count = int(bird.rng.integers(4, 8))
    _fan(
        sheet,
        bird,
        at,
        (-55, -125),
        count,
        (bird.u(1.2, 1.6), bird.u(0.7, 1.2)),
        bird.u(0.12, 0.28),
        bird.wing,
        bird.u(-0.2, 0.2),
    )
    if bird.rng.random() < 0.7:
        _fan(
            sheet,
            bird,
            at,
            (200, 165),
            count - 1,
            (bird.u(1.0, 1.3), 0.9),
            bird.u(0.1, 0.22),
            bird.wing,
            bird.u(-0.1, 0.25),
        )
    spine = curve([(at[0] + 0.5, at[1] - 0.2), at, (at[0] - 0.35, at[1] + 0.6)])
    _part(sheet, bird, bird.body, ribbon(spine, (0.15, bird.u(0.4, 0.6), 0.14)))
    neck = curve([(at[0] - 0.25, at[1] + 0.4), (at[0] - 0.45, at[1] + 0.85), (at[0] - 0.2, at[1] + 1.1)])
    sheet.brush(bird.other, neck, (0.16, 0.1))
    _head(sheet, bird, at[0] - 0.25, at[1] + 1.15, bird.u(0.16, 0.26), bird.u(60, 200))
    _fan(
        sheet,
        bird,
        (at[0] + 0.2, at[1] + 0.5),
        (40, 95),
        int(bird.rng.integers(2, 5)),
        (1.1, 1.2),
        bird.line * 1.2,
        bird.other,
        0.12,
    )


def _swoop(sheet: Sheet, bird: Bird) -> None:
    """Diving under clouds: two broad barred wings, one up and one level, head low, ribbons behind."""
    for k in range(int(bird.rng.integers(2, 5))):
        x, y = -0.95 + 0.2 * k * bird.u(0.6, 1.2), -1.5 + 0.3 * k
        wave = [(x + 0.22 * i, y + (0.1 if i % 2 else -0.08)) for i in range(int(bird.rng.integers(3, 6)))]
        sheet.line(bird.tail, curve(wave, 3), bird.line)
    root = np.array([bird.u(0.2, 0.45), bird.u(0.3, 0.6)])
    up = curve([tuple(root), (root[0] + 0.1, -0.4), (root[0] + bird.u(0.1, 0.5), bird.u(-1.5, -1.1))], 8)
    level = curve([tuple(root), (root[0] - 0.6, root[1] - bird.u(0.3, 0.55)), (-1.1, bird.u(0.1, 0.5))], 8)
    for wing, wide in ((level, bird.u(0.4, 0.65)), (up, bird.u(0.5, 0.75))):
        filled = _part(sheet, bird, bird.wing, ribbon(wing, (0.2, wide, wide * 0.8, 0.12)))
        side = 1 if bird.rng.random() < 0.5 else -1
        for k in range(2, len(wing) - 2, 2):
            way = wing[k + 1] - wing[k]
            out = np.array([-way[1], way[0]]) / (np.hypot(*way) + 1e-9) * side * wide * 0.45
            sheet.line(None if filled else bird.wing, np.array([wing[k], wing[k] + out]), bird.line * 0.9)
    body = curve(
        [tuple(root - (0.0, 0.2)), (root[0] + 0.05, root[1] + 0.45), (root[0] - 0.35, root[1] + 0.6)]
    )
    _part(sheet, bird, bird.body, ribbon(body, (0.2, bird.u(0.35, 0.5), 0.16)))
    neck = curve(
        [(root[0] - 0.3, root[1] + 0.6), (root[0] - 0.55, root[1] + 0.75), (root[0] - 0.8, root[1] + 0.35)]
    )
    sheet.brush(bird.other, neck, bird.line * 1.2)
    _head(sheet, bird, root[0] - 0.8, root[1] + bird.u(0.3, 0.5), bird.u(0.18, 0.26), bird.u(90, 200))
    for k in range(int(bird.rng.integers(1, 4))):
        x = root[0] + 0.25 + 0.2 * k
        tail = curve(
            [
                (x, root[1] + 0.2),
                (x + 0.2, root[1] + 0.6),
                (x - 0.02, root[1] + 0.85),
                (x + 0.2, root[1] + 1.1),
            ]
        )
        sheet.line(bird.other, tail, bird.line * 1.1)


def _peacock(sheet: Sheet, bird: Bird) -> None:
    """A small head on a bent neck, the long tail with eyes to the ground or as a wheel."""
    ground = 1.6
    sheet.line(
        bird.tail,
        curve([(-0.9, ground), (-0.3, ground - 0.08), (0.4, ground), (0.9, ground - 0.06)]),
        bird.line,
    )
    for x in (-0.15, 0.1):
        sheet.line(
            choose(bird.rng, (bird.other, bird.body)), np.array([[x, 0.8], [x - 0.02, ground]]), bird.line
        )
    if bird.rng.random() < 0.55:  # hanging tail
        tail = curve([(0.0, 0.2), (0.45, 0.6), (0.75, 1.1), (0.85, 1.5)], 8)
        wide = bird.u(0.5, 0.85)
        filled = _part(sheet, bird, bird.tail, ribbon(tail, (0.3, wide, wide, 0.3)))
        for k in range(int(bird.rng.integers(5, 12))):
            x, y = tail[6 + k % 12] + bird.rng.uniform(-0.2, 0.2, 2)
            sheet.ring(None if filled else bird.other, x, y, 0.11, 0.05)
    else:
        _fan(
            sheet,
            bird,
            (0.05, 0.5),
            (bird.u(-150, -110), bird.u(10, 50)),
            int(bird.rng.integers(7, 12)),
            (bird.u(1.2, 1.6), bird.u(1.0, 1.3)),
            bird.u(0.1, 0.18),
            bird.tail,
            0.0,
            eyes=True,
        )
    body = curve([(-0.35, -0.2), (-0.15, 0.3), (0.25, 0.75)])
    filled = _part(sheet, bird, bird.body, ribbon(body, (0.25, bird.u(0.5, 0.75), 0.2)))
    _hatch(sheet, bird, body, 0.35, None if filled else bird.wing, 3)
    neck = curve([(-0.3, 0.1), (-0.5, -0.5), (-0.3, -0.9), (-0.4, -1.3)])
    sheet.brush(bird.body, neck, (0.34, 0.2, 0.14))
    _head(sheet, bird, -0.4, -1.35, bird.u(0.14, 0.22), bird.u(150, 200))


def _phoenix(sheet: Sheet, bird: Bird) -> None:
    """Flying aslant: round body, two wings to the sides, a long striped tail to the opposite corner."""
    at = np.array([bird.u(-0.3, 0.0), bird.u(-0.6, -0.2)])
    down = bird.u(40, 95)
    _fan(
        sheet,
        bird,
        (at[0], at[1]),
        (down - 14, down + 14),
        int(bird.rng.integers(3, 6)),
        (bird.u(1.5, 2.0), bird.u(1.4, 1.9)),
        bird.u(0.12, 0.22),
        bird.tail,
        bird.u(-0.1, 0.1),
    )
    sheet.line(
        bird.other,
        np.array([at, at + 1.6 * np.array([np.cos(np.radians(down)), np.sin(np.radians(down))])]),
        bird.line * 1.5,
    )
    for middle in (down - 100, down + 100):
        _fan(
            sheet,
            bird,
            (at[0], at[1]),
            (middle - 30, middle + 30),
            int(bird.rng.integers(3, 6)),
            (bird.u(0.7, 1.1), bird.u(0.5, 1.0)),
            bird.u(0.1, 0.22),
            bird.wing,
            bird.u(-0.15, 0.15),
        )
    filled = _part(sheet, bird, bird.body, ellipse(at[0], at[1], bird.u(0.35, 0.5), bird.u(0.26, 0.38), down))
    if bird.rng.random() < 0.4:  # the yellow breast of some makers
        sheet.fill((60, 190, 235), ellipse(at[0], at[1], 0.24, 0.2, down))
    elif filled:
        sheet.disc(None, at[0], at[1], 0.14)
    up = np.radians(down + 180 + bird.u(-25, 25))
    head = at + 0.62 * np.array([np.cos(up), np.sin(up)])
    _head(sheet, bird, head[0], head[1], bird.u(0.2, 0.32), float(np.degrees(up)) + bird.u(-50, 50))


def _chick(sheet: Sheet, bird: Bird) -> None:
    """A plump standing bird of a few lines."""
    body = ellipse(0.05, 0.25, bird.u(0.6, 0.85), bird.u(0.6, 0.8), 0)
    filled = _part(sheet, bird, bird.body, body)
    wing = ellipse(0.2, 0.3, 0.42, 0.26, 20)
    sheet.fill(None if filled else bird.wing, wing)
    _fan(sheet, bird, (0.6, 0.2), (-40, 20), 3, (0.6, 0.6), 0.12, bird.tail, 0.1)
    for x in (-0.15, 0.2):
        sheet.line(bird.other, np.array([[x, 0.95], [x, 1.5], [x - 0.25, 1.55]]), bird.line)
    _head(sheet, bird, -0.4, -0.6, bird.u(0.36, 0.48), 185.0)
