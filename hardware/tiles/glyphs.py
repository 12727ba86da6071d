"""Characters as outlines, taken once from Noto Serif CJK (SIL OFL 1.1), so that no page needs a font."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from .svg import fill, number

FONT = Path(os.environ.get("MAHJONG_TABLE_FONT", "/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc"))
"""Debian package fonts-noto-cjk; another path by the environment."""
FACE_INDEX = 3
"""Noto Serif CJK TC in the collection: the traditional forms that mahjong tiles carry."""


class FontMissing(RuntimeError, FileNotFoundError):
    """The font that the faces are drawn from is not installed."""


@lru_cache(maxsize=1)
def _font() -> Any:
    from fontTools.ttLib import TTFont

    if not FONT.is_file():
        raise FontMissing(f"no font at {FONT}: install the Debian package fonts-noto-cjk")
    return TTFont(FONT, fontNumber=FACE_INDEX, lazy=True)


def available() -> bool:
    """Return whether the faces can be drawn again here: fontTools and the font are there."""
    try:
        _font()
    except (ImportError, FontMissing):
        return False
    return True


def glyph(char: str, x: float, y: float, width: float, height: float, colour: str) -> str:
    """Return the outline of `char` in a box of `width` x `height` centred on (x, y), stretched to fill it.

    A side that would be stretched more than 1.3 times the other keeps that limit: 一 stays a stroke.
    """
    from fontTools.pens.boundsPen import BoundsPen
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.pens.transformPen import TransformPen

    font = _font()
    glyphs = font.getGlyphSet()
    outline = glyphs[font.getBestCmap()[ord(char)]]
    bounds = BoundsPen(glyphs)
    outline.draw(bounds)
    left, bottom, right, top = bounds.bounds
    scale_x, scale_y = width / (right - left), height / (top - bottom)
    scale_x, scale_y = min(scale_x, scale_y * 1.3), min(scale_y, scale_x * 1.3)
    pen = SVGPathPen(glyphs, ntos=number)
    move_x = x - scale_x * (left + right) / 2
    move_y = y + scale_y * (bottom + top) / 2
    outline.draw(TransformPen(pen, (scale_x, 0, 0, -scale_y, move_x, move_y)))
    return fill(pen.getCommands(), colour)
