"""Everything that is written: numerals of the wan, winds, dragons, corner digits."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np

from . import fonts
from .sheet import Colour, Image, Sheet, curve, ribbon
from .style import Hand, Style, choose

WINDS = dict(zip("ESWN", "東南西北", strict=True))
_WIND_SHAPES = {"E": (0.9, 1.0), "S": (1.0, 0.9), "W": (1.05, 0.74), "N": (1.02, 0.76)}
"""Parts of width and height that brush writers give each wind: 東 tall, 西 and 北 broad."""
Box = tuple[float, float, float, float]
"""Middle x, y, width, height in face units."""


@lru_cache(maxsize=512)
def _shaped(face: fonts.Face, char: str, hand: Hand) -> Image:
    """Return the character as this maker's hand writes it: weight, slant and a gentle bend of the whole."""
    mask = fonts.ink(face, char)
    pad = 26
    mask = cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_CONSTANT)
    if hand.weight < 0:
        thinner = cv2.erode(mask, _nib(-hand.weight, 1.0, 0.0))
        mask = thinner if thinner.sum() > 0.45 * mask.sum() else mask
    elif hand.weight:
        mask = _bold(mask, hand)
    height, width = mask.shape
    if hand.warp or hand.slant or hand.rise:
        rng = np.random.default_rng([hand.seed, ord(char[0])])
        coarse = rng.normal(0, 1, (2, 4, 4)).astype(np.float32) * (hand.warp * fonts.EM_PX * 0.6)
        bend = [cv2.resize(c, (width, height), interpolation=cv2.INTER_CUBIC) for c in coarse]
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        lean = np.float32(np.tan(np.radians(hand.slant))) * (y - height / 2)
        climb = np.float32(np.tan(np.radians(hand.rise))) * (x - width / 2)
        mask = cv2.remap(mask, x + bend[0] + lean, y + bend[1] + climb, cv2.INTER_LINEAR)
    rows, columns = np.flatnonzero(mask.max(axis=1) > 60), np.flatnonzero(mask.max(axis=0) > 60)
    if not len(rows):
        return mask
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _bold(mask: Image, hand: Hand) -> Image:
    """Widen the strokes, less where the character's light would fill up."""
    rows, columns = np.flatnonzero(mask.max(axis=1) > 60), np.flatnonzero(mask.max(axis=0) > 60)
    room = float((rows[-1] - rows[0] + 1) * (columns[-1] - columns[0] + 1))
    before = float(np.count_nonzero(mask > 127)) / room
    grown = float(hand.weight)
    while grown >= 1:
        bold = cv2.dilate(mask, _nib(grown, hand.flat, hand.nib))
        after = float(np.count_nonzero(bold > 127)) / room
        if after <= max(0.55, 1.25 * before):
            return bold
        grown *= 0.6
    return mask


def _nib(size: float, flat: float, degrees: float) -> Image:
    """Return the kernel of a brush: an ellipse of about `size` + 1 pixels, wider by `flat`, turned."""
    half = size / 2
    a, b = half * np.sqrt(flat), half / np.sqrt(flat)
    reach = int(np.ceil(max(a, b)))
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    kernel[((x * c + y * s) / (a + 0.5)) ** 2 + ((y * c - x * s) / (b + 0.5)) ** 2 <= 1] = 1
    kernel[reach, reach] = 1
    return kernel


def put(
    sheet: Sheet,
    style: Style,
    face: fonts.Face,
    char: str,
    colour: Colour,
    box: Box,
    stretch: float = 1.45,
    degrees: float = 0.0,
    plain: bool = False,
    most: int | None = None,
) -> None:
    """Write one character into a box, filled both ways as far as `stretch` (of one side to the other) lets.

    `plain` leaves the maker's deformation out (small print); `most` limits how bold it is.
    """
    hand = style.hand if most is None else replace(style.hand, weight=min(style.hand.weight, most))
    mask = fonts.ink(face, char) if plain else _shaped(face, char, hand)
    x, y, width, height = box
    sx, sy = width / mask.shape[1], height / mask.shape[0]
    sx, sy = min(sx, sy * stretch), min(sy, sx * stretch)
    angle = np.radians(degrees)
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([[c * sx, -s * sy], [s * sx, c * sy]])
    middle = turn @ (mask.shape[1] / 2, mask.shape[0] / 2)
    sheet.stamp(colour, mask, np.column_stack([turn, (x - middle[0], y - middle[1])]))


def word(
    sheet: Sheet,
    style: Style,
    face: fonts.Face,
    text: str,
    colour: Colour,
    box: Box,
    degrees: float = 0.0,
    arc: float = 0.0,
) -> None:
    """Write letters side by side in a box; `arc` bends the line (degrees in all)."""
    x, y, width, height = box
    step = width / len(text)
    for k, char in enumerate(text):
        if char == " ":
            continue
        at = (k + 0.5) * step - width / 2
        turn = degrees + arc * (at / width)
        drop = abs(at / width) ** 2 * np.radians(arc) * width
        put(sheet, style, face, char, colour, (x + at, y + drop, step * 0.86, height), 1.6, turn, plain=True)


_FLAT = (0.5, 0.66, 0.88, 0.74, 1.0, 1.0, 1.0, 0.86, 1.0)
"""How high the numerals 1-9 are beside 六: makers write 二 and 四 flat."""


def wan(sheet: Sheet, style: Style, rank: int) -> None:
    """Draw a numeral above 萬."""
    rng = style.stream("wan")
    five = "伍" if rng.random() < 0.68 else "五"
    ten_thousand = "萬" if rng.random() < 0.93 else "万"
    char = f"一二三四{five}六七八九"[rank - 1]
    wide, high = float(rng.uniform(1.6, 2.3)), float(rng.uniform(1.05, 1.5))
    lower_wide, lower_high = float(rng.uniform(1.6, 2.4)), float(rng.uniform(1.4, 1.95))
    gap = float(rng.uniform(-0.02, 0.25))
    shrink = min(1.0, 3.5 / (high + gap + lower_high))
    high, lower_high = high * shrink, lower_high * shrink
    total = high + gap + lower_high
    top = -total / 2 + float(rng.normal(0, 0.05))
    stretch, lower_stretch = float(rng.uniform(1.1, 1.7)), float(rng.uniform(1.05, 1.5))
    p = style.palette
    flat = _FLAT[rank - 1] if style.stream("flat").random() < 0.75 else 1.0
    put(sheet, style, style.numeral, char, p.number, (0, top + high / 2, wide, high * flat), stretch)
    put(
        sheet,
        style,
        style.wan,
        ten_thousand,
        p.wan,
        (0, top + high + gap + lower_high / 2, lower_wide, lower_high),
        lower_stretch,
    )


def wind(sheet: Sheet, style: Style, face: str) -> None:
    """Draw a wind in the middle."""
    rng = style.stream("winds")
    wide, high = float(rng.uniform(1.7, 2.5)), float(rng.uniform(1.9, 3.0))
    if rng.random() < 0.7:
        wide, high = wide * _WIND_SHAPES[face][0], high * _WIND_SHAPES[face][1]
    char = WINDS[face]
    if face == "E" and rng.random() < 0.06:
        char = "东"
    put(sheet, style, style.wind, char, style.palette.wind, (0, 0, wide, high), float(rng.uniform(1.05, 1.5)))


def red_dragon(sheet: Sheet, style: Style) -> None:
    """Draw 中: written, drawn out, or as a lance."""
    rng = style.stream("C")
    ink = style.palette.red if rng.random() < 0.96 else style.palette.dark
    if rng.random() < 0.35:
        _lance(sheet, ink, rng)
        return
    wide, high = float(rng.uniform(1.2, 1.9)), float(rng.uniform(2.1, 3.1))
    put(sheet, style, style.dragon, "中", ink, (0, 0, wide, high), float(rng.uniform(1.2, 2.0)))


def _lance(sheet: Sheet, ink: Colour, rng: np.random.Generator) -> None:
    """A small banner on a long shaft, as carvers cut 中."""
    wide, high = float(rng.uniform(1.0, 1.5)), float(rng.uniform(0.65, 1.0))
    tall, at = float(rng.uniform(2.5, 3.2)), float(rng.uniform(-0.5, -0.15))
    stroke = float(rng.uniform(0.14, 0.24))
    a, b, bow = wide / 2, high / 2, float(rng.uniform(-0.08, 0.12))
    lean = float(rng.uniform(0.0, 0.14))
    left = curve([(-a, at - b), (-a + bow + lean, at), (-a * 0.86 + lean, at + b)])
    right = curve([(a, at - b), (a - bow - lean, at), (a * 0.86 - lean, at + b)])
    top = curve([(-a - 0.06, at - b + 0.1), (0, at - b - 0.02), (a + 0.08, at - b - 0.08)])
    base = curve([(-a * 0.86, at + b), (0, at + b - 0.06), (a * 0.9, at + b - 0.08)])
    for side in (left, right):
        sheet.brush(ink, side, (stroke * 1.3, stroke * 0.8, stroke * 1.2))
    sheet.brush(ink, top, (stroke * 0.7, stroke * 0.8, stroke * 1.4))
    sheet.brush(ink, base, (stroke * 0.9, stroke * 0.7))
    shaft = curve([(0, -tall / 2), (0.01, 0), (-0.02, tall / 2)], 8)
    end = float(rng.choice([0.1, 0.5, 1.0]))
    sheet.fill(ink, ribbon(shaft, (stroke * 0.4, stroke * 1.5, stroke * 1.2, stroke, stroke * end)))


def green_dragon(sheet: Sheet, style: Style) -> None:
    """Draw 發 (rarely 発 or 发)."""
    rng = style.stream("F")
    char = choose(rng, "發発发", (0.86, 0.05, 0.09))
    wide, high = float(rng.uniform(1.6, 2.3)), float(rng.uniform(1.8, 2.7))
    ink = style.palette.green if rng.random() < 0.95 else style.palette.dark
    put(sheet, style, style.dragon, char, ink, (0, 0, wide, high), float(rng.uniform(1.05, 1.45)))


def corner(
    sheet: Sheet, style: Style, text: str, colour: Colour | None = None, right: bool | None = None
) -> None:
    """Write a digit or letter into the style's corner (units of the tile, not of the print)."""
    mark = style.corner
    if mark is None:
        return
    ink = colour or style.palette.corner
    side = mark.right if right is None else right
    half = 2.0 / style.aspect
    x = (half - mark.x) if side else -(half - mark.x)
    y = -(2.0 - mark.y)
    keep, sheet.place = sheet.place, np.array([[1.0, 0, 0], [0, 1.0, 0]])
    put(sheet, style, style.latin, text, ink, (x, y, mark.size * 0.7, mark.size), 1.3, plain=True)
    if mark.both:
        put(
            sheet, style, style.latin, text, ink, (-x, -y, mark.size * 0.7, mark.size), 1.3, 180.0, plain=True
        )
    sheet.place = keep
