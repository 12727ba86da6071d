"""Parts of a bird: outlines, head, feathers that fan out, bars across."""

# ruff: noqa: RUF005  (an array plus a pair of numbers is a shift here, not a longer tuple)
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .sheet import Colour, Points, Sheet, curve, ellipse, ribbon
from .style import choose


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


def draw_part(sheet: Sheet, bird: Bird, ink: Colour, outline: Points, solid: bool | None = None) -> bool:
    """Fill a part or draw its edge (with its inside cleared, since it lies in front)."""
    filled = bool(bird.rng.random() < bird.solid) if solid is None else solid
    sheet.fill(ink if filled else None, outline)
    if not filled:
        sheet.line(ink, outline, bird.line, closed=True)
    return filled


def draw_head(sheet: Sheet, bird: Bird, x: float, y: float, radius: float, look: float) -> None:
    """Draw head, eye, beak and crest; `look` is where the beak points, degrees clockwise from the right."""
    angle = np.radians(look)
    way = np.array([np.cos(angle), np.sin(angle)])
    side = np.array([-way[1], way[0]])
    tip = way * radius * bird.u(1.6, 2.6)
    beak = np.array(
        [way * radius * 0.7 + side * radius * 0.5, tip, way * radius * 0.7 - side * radius * 0.5]
    ) + (x, y)
    sheet.fill(choose(bird.rng, (bird.other, bird.head)), beak)
    filled = draw_part(sheet, bird, bird.head, ellipse(x, y, radius, radius * bird.u(0.85, 1.1), look))
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


def draw_fan(
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
        share = k / max(1, count - 1)
        angle = np.radians(angles[0] + (angles[1] - angles[0]) * share)
        reach = length[0] + (length[1] - length[0]) * share
        way = np.array([np.cos(angle), np.sin(angle)])
        side = np.array([-way[1], way[0]])
        line = curve([(0, 0), tuple(way * reach * 0.5 + side * bend * reach), tuple(way * reach)]) + at
        if width > bird.line * 1.6:
            draw_part(sheet, bird, ink, ribbon(line, (width * 0.4, width, width * 0.9, width * 0.3)))
        else:
            sheet.brush(ink, line, (bird.line, width, bird.line * 0.8))
        if eyes:
            x, y = line[-1]
            sheet.disc(ink, x, y, width * 0.9)
            sheet.disc(bird.other if bird.rng.random() < 0.5 else None, x, y, width * 0.5)


def draw_hatch(sheet: Sheet, bird: Bird, line: Points, width: float, ink: Colour | None, count: int) -> None:
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
