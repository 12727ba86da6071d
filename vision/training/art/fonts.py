"""Chinese characters as masks, from whatever free fonts are installed (`system-packages.sh train`).

A font is found by its file name, belongs to a hand (kai, song, hei, ...) and is opened with fontTools;
a glyph is filled once at EM_PX and kept. Without the training fonts the two Noto families of the test set
serve, and one line says so: the sets then look less different than the makers' are.
"""

from __future__ import annotations

import logging
import sys
import zlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from . import strokes
from .sheet import Image

EM_PX = 160
"""Pixels of the em square of a kept glyph; the mask is cut to the ink."""
ROOTS = (Path("/usr/share/fonts"), Path.home() / ".fonts")
HANDS: tuple[tuple[str, str, float], ...] = (
    # part of the file's name (lower case), hand, how often it is taken
    ("ukai", "kai", 3.0),
    ("gkai00mp", "kai", 3.0),
    ("bkai00mp", "kai", 3.0),
    ("cwkai", "kai", 3.0),
    ("tw-kai-98", "kai", 3.0),
    ("lxgwwenkai", "kai", 0.7),
    ("kouzan", "brush", 2.0),
    ("aoyagi", "brush", 1.5),
    ("uming", "song", 1.0),
    ("gbsn00lp", "song", 1.0),
    ("bsmi00lp", "song", 1.0),
    ("cwming", "song", 1.0),
    ("cwfs", "song", 1.5),
    ("tw-sung-98", "song", 1.0),
    ("ipam", "song", 0.5),
    ("dejima", "song", 1.0),
    ("notoserifcjk", "song", 1.0),
    ("wqy-zenhei", "hei", 1.0),
    ("wqy-microhei", "hei", 0.7),
    ("cwheib", "hei", 1.5),
    ("cwyen", "hei", 1.0),
    ("notosanscjk", "hei", 1.0),
    ("vl-gothic", "hei", 0.5),
    ("ipag", "hei", 0.3),
    ("kiloji", "hand", 0.6),
    ("oradano", "song", 0.8),
    ("yuseimagic", "hand", 0.6),
    ("smiley", "hei", 0.4),
)
MAKERS = 14.0
"""How often our own brush is taken; all kai fonts together have about 17."""
UNFIT = ("sousyo", "mono")
"""Parts of names of fonts to leave: grass script, which no maker cuts, and second copies of others."""
_COLLECTIONS = {"notoserifcjk": (2, 3, 0), "notosanscjk": (2, 3), "ukai": (0, 2), "uming": (0, 2)}
"""Which faces of a .ttc to use: Chinese ones of each writing."""


class FontsMissing(RuntimeError, FileNotFoundError):
    """No font with Chinese characters is installed."""


@dataclass(frozen=True, slots=True)
class Face:
    """One face of a font file."""

    path: str
    number: int
    hand: str
    weight: float


@lru_cache(maxsize=1)
def faces() -> tuple[Face, ...]:
    """Return the installed faces in a fixed order.

    Raises:
        FontsMissing: if there is none.
    """
    found: list[Face] = []
    paths = {
        p
        for root in ROOTS
        if root.is_dir()
        for p in root.rglob("*")
        if p.suffix.lower() in (".ttf", ".ttc", ".otf")
    }
    for path in sorted(paths):
        name = path.name.lower()
        if any(part in name for part in UNFIT):
            continue
        for part, hand, weight in HANDS:
            if part in name:
                numbers = _COLLECTIONS.get(part, (0,)) if path.suffix.lower() == ".ttc" else (0,)
                found += [Face(str(path), number, hand, weight / len(numbers)) for number in numbers]
                break
    if not found:
        raise FontsMissing("no Chinese font here: sh hardware/pi/system-packages.sh train")
    if not any(face.hand in ("kai", "brush") for face in found):
        print(
            "art: no brush-like fonts here; sh hardware/pi/system-packages.sh train gives more hands",
            file=sys.stderr,
        )
    own = [Face("", variant, "maker", MAKERS / strokes.VARIANTS) for variant in range(strokes.VARIANTS)]
    return (*found, *own)


logging.getLogger("fontTools").setLevel(logging.ERROR)  # old fonts carry odd dates; it would tell of each


@lru_cache(maxsize=64)
def _open(face: Face) -> tuple[Any, dict[int, str], Any]:
    from fontTools.ttLib import TTFont

    font = TTFont(face.path, fontNumber=face.number, lazy=True)
    return font, font.getBestCmap() or {}, font.getGlyphSet()


@lru_cache(maxsize=6000)
def glyph(face: Face, char: str) -> Image | None:
    """Return the character's ink as a grey mask cut to its bounds, or None if the face lacks it."""
    if not face.path:
        return strokes.written(char, face.number)
    from fontTools.pens.recordingPen import DecomposingRecordingPen

    font, names, glyphs = _open(face)
    name = names.get(ord(char))
    if name is None:
        return None
    pen = DecomposingRecordingPen(glyphs)
    try:
        glyphs[name].draw(pen)
    except Exception:  # a broken glyph of a foreign file is a missing one
        return None
    contours = _flat(pen.value)
    if not contours:
        return None
    return _filled(contours, EM_PX / float(font["head"].unitsPerEm))


def _flat(record: list[tuple[str, tuple[Any, ...]]]) -> list[np.ndarray]:
    """Return the contours of a recorded outline as polygons."""
    contours: list[np.ndarray] = []
    points: list[np.ndarray] = []
    for kind, arguments in record:
        spots = [np.array(a, np.float64) for a in arguments if a is not None]
        if kind == "moveTo":
            points = [spots[0]]
        elif kind == "lineTo":
            points.append(spots[0])
        elif kind == "curveTo":
            points += _cubic(points[-1], *spots)
        elif kind == "qCurveTo":
            points += _quadratic(points[-1] if points else None, spots, arguments[-1] is None)
        elif kind in ("closePath", "endPath") and len(points) > 2:
            contours.append(np.array(points))
            points = []
    return contours


def _cubic(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> list[np.ndarray]:
    t = np.linspace(0, 1, 7)[1:, None]
    return list((1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d)


def _quadratic(start: np.ndarray | None, spots: list[np.ndarray], closed: bool) -> list[np.ndarray]:
    """TrueType run of off-curve points with one on-curve point at its end (or none: a closed run)."""
    if closed:
        start = (spots[-1] + spots[0]) / 2
        spots = [*spots, start]
    out = [] if not closed or start is None else [start]
    here = start
    t = np.linspace(0, 1, 5)[1:, None]
    for index, control in enumerate(spots[:-1]):
        end = spots[-1] if index == len(spots) - 2 else (control + spots[index + 1]) / 2
        out += list((1 - t) ** 2 * here + 2 * (1 - t) * t * control + t**2 * end)
        here = end
    return out


def _filled(contours: list[np.ndarray], scale: float) -> Image | None:
    """Fill with the non-zero rule (strokes of many fonts overlap) at twice EM_PX, then halve."""
    every = np.vstack(contours) * (scale * 2)
    low, high = every.min(axis=0), every.max(axis=0)
    width, height = (int(v) for v in np.ceil(high - low) + 4)
    if width < 6 and height < 6:
        return None
    winding = np.zeros((height + height % 2, width + width % 2), np.int16)
    plain = np.zeros(winding.shape, np.uint8)
    for contour in contours:
        p = contour * (scale * 2) - low + 2
        p[:, 1] = height - p[:, 1]
        area = float(np.dot(p[:, 0], np.roll(p[:, 1], 1)) - np.dot(p[:, 1], np.roll(p[:, 0], 1)))
        plain[:] = 0
        cv2.fillPoly(plain, [np.round(p * 16).astype(np.int32)], 1, cv2.LINE_8, 4)
        winding += plain.astype(np.int16) * (1 if area > 0 else -1)
    ink = np.where(winding != 0, 255, 0).astype(np.uint8)
    return cv2.resize(ink, (ink.shape[1] // 2, ink.shape[0] // 2), interpolation=cv2.INTER_AREA)


def pick(rng: np.random.Generator, hands: dict[str, float]) -> Face:
    """Return one face; `hands` says how often each hand is wanted."""
    every = faces()
    weights = np.array([face.weight * hands.get(face.hand, 0.0) for face in every])
    if weights.sum() <= 0:
        weights = np.array([face.weight for face in every])
    return every[int(rng.choice(len(every), p=weights / weights.sum()))]


def hash_of(face: Face) -> int:
    """Return a number of the face that is the same on every run."""
    return zlib.crc32(f"{Path(face.path).name} {face.number}".encode())


@lru_cache(maxsize=6000)
def ink(face: Face, char: str) -> Image:
    """Return the mask of a character, from another face when this one lacks it.

    Raises:
        FontsMissing: if no installed face has it.
    """
    mask = glyph(face, char)
    if mask is not None:
        return mask
    near = "kai" if face.hand == "maker" else face.hand
    others = sorted(faces(), key=lambda other: (other.hand != near, (hash_of(other) + face.number) % 97))
    for candidate in others:
        mask = glyph(candidate, char)
        if mask is not None:
            return mask
    raise FontsMissing(f"no installed font has {char}: sh hardware/pi/system-packages.sh train")
