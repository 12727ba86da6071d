"""Flowers and seasons: a number, a character, a plant, in the corners and inks a maker likes."""

from __future__ import annotations

import numpy as np

from .characters import put
from .plants import PICTURES, Garden, bouquet
from .sheet import Colour, Sheet
from .style import Style, choose

SEASONS, PLANTS = "abcd", "efgh"
_CHARS = {
    "a": "春", "b": "夏", "c": "秋", "d": "冬", "e": "梅", "f": "蘭", "g": "菊", "h": "竹",
}  # fmt: skip


def draw(sheet: Sheet, style: Style, face: str) -> None:
    """Draw one of the eight."""
    group = SEASONS if face in SEASONS else PLANTS
    number = group.index(face) + 1
    rng = style.stream("group " + group)
    number_ink, char_ink = _inks(style, group)
    spot = _Corners(style, group, rng)
    mode = _mode(style, group)
    picture(sheet, style, face if mode in ("numeral", "number") else _plant(style, face))
    char = _CHARS[face]
    if face == "f" and style.stream("orchid").random() < 0.55:
        char = "兰"
    if mode in ("both", "number"):
        chinese = group == SEASONS and style.stream("flower digits").random() < 0.12
        spot.digit(sheet, "一二三四"[number - 1] if chinese else str(number), number_ink)
    if mode in ("both", "char"):
        spot.char(sheet, char, char_ink, digits=mode == "both")
    if mode == "numeral":
        spot.char(sheet, "一二三四"[number - 1], char_ink, digits=False)


def _mode(style: Style, group: str) -> str:
    """Which marks this group carries. A group without a character is told by its plants or its numerals."""
    roll = style.stream("flower marks").random()
    if roll < 0.80:
        return "both"
    if roll < 0.89:
        return "char"
    if roll < 0.95:
        return "numeral" if group == SEASONS else "number"
    return "both" if group == SEASONS else "number"


def _plant(style: Style, face: str) -> str:
    """Return whose plant a face with a character carries: in a third of the sets any, since makers agree
    on the characters and on little else."""
    any_plant = style.stream("any plant").random() < 0.33
    return choose(style.stream("whose plant " + face), (*SEASONS, *PLANTS)) if any_plant else face


def _inks(style: Style, group: str) -> tuple[Colour, Colour]:
    """Inks of number and character: makers tell the groups apart by swapping red and the dark ink."""
    rng = style.stream("flower inks")
    p = style.palette
    main = p.dark if rng.random() < 0.8 else p.green
    kind = choose(rng, ("swap", "one", "plain"), (0.6, 0.2, 0.2))
    if kind == "one":
        return (p.red, p.red) if group == SEASONS else (main, main)
    if kind == "plain":
        return main, main
    swap = (group == SEASONS) == (rng.random() < 0.75)
    return (main, p.red) if swap else (p.red, main)


class _Corners:
    """Where number and character stand, in tile units from the middle."""

    def __init__(self, style: Style, group: str, rng: np.random.Generator) -> None:
        self.style = style
        half = 2.0 / style.aspect
        self.size = float(rng.uniform(0.65, 1.1))
        self.char_size = self.size * float(rng.uniform(0.95, 1.3))
        inset = float(rng.uniform(0.12, 0.3))
        self.left = rng.random() < (0.8 if group == SEASONS else 0.4)  # the number's side
        self.x = half - inset - self.size * 0.32
        self.char_x = half - inset - self.char_size * 0.48
        self.y = -(2.0 - inset - self.size * 0.5)
        self.char_y = -(2.0 - inset - self.char_size * 0.5) + float(rng.uniform(0, 0.15))
        self.latin = style.latin if rng.random() < 0.7 else style.flower
        self.squeeze = float(rng.uniform(0.9, 1.15))

    def digit(self, sheet: Sheet, text: str, ink: Colour) -> None:
        x = -self.x if self.left else self.x
        put(
            sheet,
            self.style,
            self.latin,
            text,
            ink,
            (x, self.y, self.size * 0.62, self.size),
            1.3,
            plain=True,
        )

    def char(self, sheet: Sheet, text: str, ink: Colour, digits: bool) -> None:
        x = self.char_x if self.left else -self.char_x
        box = (x, self.char_y, self.char_size * self.squeeze, self.char_size)
        put(sheet, self.style, self.style.flower, text, ink, box, 1.2, most=9)


def picture(sheet: Sheet, style: Style, face: str) -> None:
    """Draw the plant of a face, a little smaller where the corners are full."""
    rng = style.stream("plant " + face)
    shared = style.stream("plant size")
    garden = Garden(style, rng)
    size = float(shared.uniform(0.78, 0.98))
    drop = float(shared.uniform(0.2, 0.45))
    keep = sheet.place
    wide = size * float(shared.uniform(1.0, 1.35))
    own = np.array([[wide, 0, float(rng.normal(0, 0.05))], [0, size, drop], [0, 0, 1]])
    sheet.place = (np.vstack([keep, [0, 0, 1]]) @ own)[:2]
    if face in SEASONS and shared.random() < 0.3:  # any bouquet will do for a season
        bouquet(sheet, garden)
    else:
        PICTURES[face](sheet, garden)
    sheet.place = keep
