"""Faces with writing: the character suit, winds and dragons."""

from __future__ import annotations

from .glyphs import glyph
from .svg import BLUE, GREEN, INK, RED, box, frame

_NUMERALS = "一二三四五六七八九"


def face(rank: int) -> str:
    """Return what is printed on the character tile of `rank` 1-9: the numeral in ink over a red 萬."""
    tall = {1: 44.0, 2: 112.0, 3: 128.0}.get(rank, 140.0)
    return glyph(_NUMERALS[rank - 1], 150, 108, 186, tall, INK) + glyph("萬", 150, 282, 196, 164, RED)


def honor(char: str) -> str:
    """Return the face of a wind (東南西北) or a dragon (中發); `char` "P" is the framed white dragon."""
    if char == "P":
        return white()
    colour = {"中": RED, "發": GREEN}.get(char, INK)
    return glyph(char, 150, 200, 176 if char == "中" else 224, 300 if char == "中" else 276, colour)


def white() -> str:
    """Return the white dragon: a double frame, its corners tied with small squares."""
    parts = frame(46, 52, 208, 296, 14, BLUE, 20) + frame(77, 83, 146, 234, 6, BLUE, 7)
    for x in (77, 223):
        for y in (83, 317):
            parts += box(x - 15, y - 15, 30, 30, 5, BLUE)
    return parts
