"""From a style to pictures of its tiles."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from . import bamboo, birds, body, characters, dots, flowers, foreign, frames
from .ink import lay
from .sheet import Image, Sheet
from .style import Style

FACES: tuple[str, ...] = (*(f"{n}{s}" for s in "mps" for n in range(1, 10)), *"ESWNCFP", *"abcdefgh")
"""The 42 faces in the order of the tile text."""
FOREIGN = "X"
"""A tile of the set that is none of the 42."""


def _draw(sheet: Sheet, style: Style, face: str, rng: np.random.Generator | None) -> None:
    """Draw the ink of one face.

    Raises:
        ValueError: if there is no such face.
    """
    if face == FOREIGN:
        foreign.draw(sheet, style, style.stream("X") if rng is None else rng)
        return
    if len(face) == 2 and face in FACES:
        rank = int(face[0])
        if face == "1s":
            birds.draw(sheet, style)
        else:
            {"m": characters.wan, "p": dots.draw, "s": bamboo.draw}[face[1]](sheet, style, rank)
        characters.corner(sheet, style, face[0])
    elif face in characters.WINDS:
        characters.wind(sheet, style, face)
        characters.corner(sheet, style, face)
    elif face == "C":
        characters.red_dragon(sheet, style)
        _dragon_letter(sheet, style, "C")
    elif face == "F":
        characters.green_dragon(sheet, style)
        _dragon_letter(sheet, style, "F")
    elif face == "P":
        frames.draw(sheet, style)
    elif face in FACES:
        flowers.draw(sheet, style, face)
    else:
        raise ValueError(f"no such face: {face!r}")


def _dragon_letter(sheet: Sheet, style: Style, letter: str) -> None:
    if style.corner and style.stream("dragon letters").random() < 0.7:
        ink = style.palette.red if letter == "C" else style.palette.green
        characters.corner(sheet, style, letter, ink)


def _work(height_px: int) -> int:
    """Rows to draw at before shrinking: at least 160, so that thin lines of small pictures stay smooth."""
    return max(160, 2 * height_px)


def _check(height_px: int) -> None:
    if height_px < 8:
        raise ValueError("a tile is at least 8 pixels high")


def draw_face(style: Style, face: str, height_px: int, rng: np.random.Generator | None = None) -> Image:
    """Return the ink of a face alone, (h, w, 4) uint8 BGRA, transparent where there is none.

    Args:
        face: one of FACES or "X".
        height_px: rows of the picture, at least 8; its width follows from the set's aspect.
        rng: which of the set's strange tiles "X" is; the same one every time when left out.
    Raises:
        ValueError: if there is no such face, or the picture would be smaller than 8 rows.
    """
    _check(height_px)
    sheet = Sheet(_work(height_px), style.aspect, style.matrix())
    _draw(sheet, style, face, rng)
    printed = lay(sheet.image, style.ink, style.stream("ink " + face))
    alpha = printed.alpha[..., None]
    whole = np.concatenate([printed.ink, alpha * 255], axis=2)
    small = cv2.resize(whole, (round(height_px / style.aspect), height_px), interpolation=cv2.INTER_AREA)
    straight = small[..., :3] / np.maximum(small[..., 3:] / 255, 1e-3)
    return np.clip(np.concatenate([straight, small[..., 3:]], axis=2), 0, 255).astype(np.uint8)


def tile_top(style: Style, face: str, rng: np.random.Generator, height_px: int, rim: float = 0.0) -> Image:
    """Return a tile from above, upright, (h, w, 3) uint8 BGR: body, ink, edges.

    `rng` gives what differs between two tiles of one set: light, the print's place, wear, which "X".

    Args:
        face: one of FACES or "X".
        height_px: rows of the tile itself, at least 8.
        rim: part of the tile's height to show around it on each side (neighbours or table).
    Raises:
        ValueError: if there is no such face, or the picture would be smaller than 8 rows.
    """
    _check(height_px)
    work = _work(height_px)
    blank = body.blank(style, int(rng.integers(body.VARIANTS)), work)
    sheet = Sheet(work, style.aspect, _jittered(style, rng))
    _draw(sheet, style, face, rng)
    turn = float(rng.uniform(0, 2 * np.pi)) if rng.random() < 0.4 else float(rng.normal(-2.2, 0.5))
    printed = lay(sheet.image, style.ink, rng, (float(np.cos(turn)), float(np.sin(turn))))
    alpha = printed.alpha[..., None]
    picture = blank * (1 - alpha) + printed.ink
    if printed.edge is not None:
        picture += (printed.edge * (1 - printed.alpha))[..., None]
    return _finished(picture, style, rng, height_px, rim)


def tile_back(style: Style, rng: np.random.Generator, height_px: int, rim: float = 0.0) -> Image:
    """Return a tile lying face down, (h, w, 3) uint8 BGR; arguments as `tile_top`."""
    _check(height_px)
    picture = body.blank(style, int(rng.integers(body.VARIANTS)), _work(height_px), back=True)
    return _finished(picture, style, rng, height_px, rim)


def _jittered(style: Style, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return the print's place on this very tile: shifted and turned by a hair."""
    angle = np.radians(float(rng.normal(0, 0.8)))
    c, s = np.cos(angle), np.sin(angle)
    place = np.array([[c, -s], [s, c]]) @ style.matrix()
    place[:, 2] += rng.normal(0, 0.035, 2)
    return place


def _finished(
    picture: np.ndarray, style: Style, rng: np.random.Generator, height_px: int, rim: float
) -> Image:
    extra = 0
    if rim > 0:
        extra = round(rim * height_px)
        edge = round(rim * height_px) * picture.shape[0] // height_px
        blank_rim = body.surround(picture, style, rng, edge)
        picture = blank_rim
    size = (round(height_px / style.aspect) + 2 * extra, height_px + 2 * extra)
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return np.clip(small, 0, 255).astype(np.uint8)
