"""One maker's set: inks, hands, sizes, body and print, drawn once per set and the same on all its faces.

What all faces share is a field here; what one kind of picture alone needs (the bird's pose, the dots' rings)
is drawn from `Style.stream(name)`, which answers the same numbers for the same set and name.
Ranges come from looking at the fifteen photographed sets and widening what differs between them.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from . import fonts
from .sheet import Colour

T = TypeVar("T")

KAI = {"maker": 1.0, "kai": 0.9, "brush": 0.9, "song": 0.25, "hei": 0.25, "hand": 0.15}
"""Hands of numerals and winds: most makers write kai with a broad brush."""
ANY = {"maker": 0.35, "kai": 1.0, "brush": 0.6, "song": 0.7, "hei": 0.7, "hand": 0.3}
LATIN = {"maker": 0.0, "song": 1.0, "hei": 1.5, "kai": 0.2}

BLACKS: tuple[Colour, ...] = ((32, 30, 30), (45, 42, 38), (52, 50, 34), (70, 62, 58))
BLUES: tuple[Colour, ...] = ((168, 62, 22), (150, 60, 12), (190, 80, 30), (120, 66, 44), (140, 40, 40))
REDS: tuple[Colour, ...] = (
    (48, 42, 212),
    (40, 38, 232),
    (52, 34, 170),
    (48, 28, 122),
    (60, 70, 205),
    (90, 30, 190),
)
GREENS: tuple[Colour, ...] = (
    (52, 84, 34),
    (62, 118, 30),
    (88, 150, 42),
    (58, 70, 30),
    (70, 100, 60),
    (96, 120, 10),
)
BODIES: tuple[tuple[Colour, float], ...] = (
    ((242, 243, 244), 3.0),  # white
    ((232, 232, 230), 2.0),  # cool white
    ((222, 236, 242), 2.0),  # ivory
    ((206, 228, 236), 1.5),  # cream
    ((214, 226, 230), 1.0),  # bone
    ((196, 200, 202), 0.6),  # grey
    ((214, 228, 214), 0.5),  # greenish
    ((170, 208, 222), 0.5),  # yellowed
)
BACKS: tuple[Colour, ...] = (
    (70, 140, 40), (60, 110, 20), (170, 90, 30), (200, 140, 60), (30, 120, 230), (60, 70, 190),
    (60, 160, 200), (40, 40, 40), (150, 60, 110), (110, 160, 180), (130, 170, 60), (90, 110, 150),
)  # fmt: skip
"""Colours of the back layer: greens, blues, orange, red, yellow, black, purple, bamboo, jade."""


def choose(rng: np.random.Generator, options: Sequence[T], weights: Sequence[float] | None = None) -> T:
    """Return one of the options."""
    p = None if weights is None else np.asarray(weights) / np.sum(weights)
    return options[int(rng.choice(len(options), p=p))]


def near(rng: np.random.Generator, colour: Colour, spread: float = 12.0) -> Colour:
    """Return a colour near this one."""
    b, g, r = np.clip(np.asarray(colour) + rng.normal(0, spread, 3), 0, 255)
    return int(b), int(g), int(r)


@dataclass(frozen=True, slots=True)
class Palette:
    """Inks (BGR) by what they are used for."""

    number: Colour  # numerals of the wan
    wan: Colour
    wind: Colour
    red: Colour
    green: Colour
    dark: Colour  # the third ink of dots and bamboo
    frame: Colour  # white dragon
    corner: Colour  # corner digits


@dataclass(frozen=True, slots=True)
class Hand:
    """How this maker deforms a font's characters."""

    slant: float  # degrees that upright strokes lean to the right
    rise: float  # degrees that level strokes rise to the right
    weight: int  # pixels of EM_PX added to (or taken from) the strokes' width
    flat: float  # how much wider than high the brush is, and
    nib: float  # its turn in degrees
    warp: float  # largest bend, part of the em
    seed: int


@dataclass(frozen=True, slots=True)
class Corner:
    """Arabic digits and letters in a corner of the face."""

    right: bool
    size: float  # units high
    x: float  # distance of the middle from the edges, units
    y: float
    both: bool  # also upside down in the opposite corner


@dataclass(frozen=True, slots=True)
class Ink:
    """How the ink lies in the grooves."""

    engraved: float  # strength of light and dark edges, 0 = printed
    depth: float  # width of those edges, pixels at 192 rows
    core: float  # strength of the light line in the middle of thick strokes
    core_at: float  # pixels from the stroke's edge at which it begins
    mottle: float  # unevenness of the colour
    wear: float  # how much ink is missing
    wash: float  # how far the whole print is washed out
    bleed: float  # blur of the ink's edge, pixels
    opacity: float


@dataclass(frozen=True, slots=True)
class Body:
    """The blank tile."""

    colour: Colour
    back: Colour
    radius: float  # of the corners, part of the width
    bevel: float  # width of the round edge, part of the width
    gloss: float  # how bright the edges' highlights are
    translucent: float  # how far the colour deepens near the edges
    grain: float  # bone streaks
    layers: int  # 1 = one material, 2 = coloured back, 3 = a light line between
    back_part: float  # how deep the back layer is, part of the tile's depth


@dataclass(frozen=True, slots=True)
class Style:
    """One set of one maker. Equal seeds give equal sets (with the same fonts installed)."""

    seed: int
    aspect: float  # height / width
    palette: Palette
    numeral: fonts.Face
    wan: fonts.Face
    wind: fonts.Face
    dragon: fonts.Face
    flower: fonts.Face
    latin: fonts.Face
    hand: Hand
    corner: Corner | None
    ink: Ink
    body: Body
    place: tuple[float, float, float, float]  # print's scale x, scale y, offset x, offset y (units)

    def stream(self, name: str) -> np.random.Generator:
        """Return this set's own random numbers for one subject."""
        return np.random.default_rng([self.seed, zlib.crc32(name.encode())])

    def matrix(self) -> NDArray[np.float64]:
        """Return where the print lies on the face, face units to face units."""
        sx, sy, x, y = self.place
        return np.array([[sx, 0, x], [0, sy, y]])

    @classmethod
    def random(cls, rng: np.random.Generator) -> Style:
        """Return a new maker's set."""
        return cls.of(int(rng.integers(2**32)))

    @classmethod
    def of(cls, seed: int) -> Style:
        """Return the set of this seed."""
        rng = np.random.default_rng(seed)
        corner = _corner(rng) if rng.random() < 0.33 else None
        numeral = fonts.pick(rng, KAI)
        one_hand = rng.random() < 0.55
        aspect = float(np.clip(rng.normal(1.34, 0.05), 1.18, 1.48))
        scale = min(1.0, 1.34 / aspect) * float(rng.uniform(0.88, 1.1)) * (0.9 if corner else 1.0)
        away = 0.1 if corner else 0.0
        shift = (-away if corner and corner.right else away) + float(rng.normal(0, 0.02))
        return cls(
            seed=seed,
            aspect=aspect,
            palette=_palette(rng),
            numeral=numeral,
            wan=numeral if one_hand else fonts.pick(rng, KAI),
            wind=numeral if one_hand else fonts.pick(rng, KAI),
            dragon=numeral if rng.random() < 0.4 else fonts.pick(rng, ANY),
            flower=fonts.pick(rng, {**ANY, "maker": 0.0}),
            latin=fonts.pick(rng, LATIN),
            hand=_hand(rng),
            corner=corner,
            ink=_ink(rng),
            body=_body(rng),
            place=(
                scale * float(rng.uniform(0.94, 1.03)),
                scale,
                shift,
                float(rng.normal(-0.02, 0.06)) + (0.1 if corner else 0.0),
            ),
        )


def _palette(rng: np.random.Generator) -> Palette:
    black, blue = near(rng, choose(rng, BLACKS), 8), near(rng, choose(rng, BLUES))
    red, green = near(rng, choose(rng, REDS)), near(rng, choose(rng, GREENS))
    kind = choose(rng, ("black", "blue", "mixed"), (0.46, 0.42, 0.12))
    main = black if kind == "black" else blue
    number, wind, wan = main, main, red
    if kind == "mixed":
        number = choose(rng, (black, blue, green, red))
        wind = choose(rng, (black, blue, green, red))
        wan = choose(rng, (red, red, black, blue, green))
    dark = main if rng.random() < 0.85 else choose(rng, (green, black, blue))
    frame = main if rng.random() < 0.8 else choose(rng, (blue, black, green, red))
    corner = choose(rng, (red, main, green), (0.7, 0.25, 0.05))
    return Palette(number, wan, wind, red, green, dark, frame, corner)


def _hand(rng: np.random.Generator) -> Hand:
    return Hand(
        slant=float(rng.normal(0, 3)) if rng.random() < 0.5 else 0.0,
        rise=float(rng.normal(1, 4)) if rng.random() < 0.5 else 0.0,
        weight=int(rng.integers(-2, 18)),
        flat=float(rng.uniform(0.7, 2.4)) if rng.random() < 0.6 else 1.0,
        nib=float(rng.uniform(-60, 60)),
        warp=float(rng.uniform(0.01, 0.05)) if rng.random() < 0.6 else 0.0,
        seed=int(rng.integers(2**31)),
    )


def _corner(rng: np.random.Generator) -> Corner:
    size = float(rng.uniform(0.42, 0.72))
    return Corner(
        right=rng.random() < 0.35,
        size=size,
        x=size * 0.32 + float(rng.uniform(0.06, 0.22)),
        y=size * 0.5 + float(rng.uniform(0.06, 0.24)),
        both=rng.random() < 0.06,
    )


def _ink(rng: np.random.Generator) -> Ink:
    kind = choose(rng, ("engraved", "groove", "printed", "thin"), (0.42, 0.26, 0.25, 0.07))
    return Ink(
        engraved=0.0 if kind == "printed" else float(rng.uniform(0.15, 0.8)),
        depth=float(rng.uniform(0.7, 2.2)),
        core=float(rng.uniform(0.2, 0.75)) if kind == "groove" else 0.0,
        core_at=float(rng.uniform(1.6, 3.4)),
        mottle=float(rng.uniform(0.0, 0.22)) if kind != "thin" else float(rng.uniform(0.15, 0.45)),
        wear=float(rng.uniform(0.05, 0.35)) if rng.random() < 0.1 else 0.0,
        wash=float(rng.uniform(0.1, 0.5)) if rng.random() < 0.12 else 0.0,
        bleed=float(rng.uniform(0.0, 1.0)),
        opacity=float(rng.uniform(0.78, 0.95)) if kind == "thin" else float(rng.uniform(0.9, 1.0)),
    )


def _body(rng: np.random.Generator) -> Body:
    colour = choose(rng, [c for c, _ in BODIES], [w for _, w in BODIES])
    return Body(
        colour=near(rng, colour, 2.5),
        back=near(rng, choose(rng, BACKS), 14),
        radius=float(rng.uniform(0.02, 0.15)),
        bevel=float(rng.uniform(0.015, 0.08)),
        gloss=float(rng.uniform(0.0, 0.5)),
        translucent=float(rng.uniform(0.0, 0.16)),
        grain=float(rng.uniform(0.2, 1.0)) if rng.random() < 0.15 else 0.0,
        layers=int(choose(rng, (1, 2, 3), (0.25, 0.5, 0.25))),
        back_part=float(rng.uniform(0.25, 0.6)),
    )
