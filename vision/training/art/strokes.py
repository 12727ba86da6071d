"""The broad brush that carvers of tiles write with: numerals, 萬 and winds from strokes of our own.

No font has this hand: flat numerals with swollen ends, a 萬 on spread feet, a 北 of joined halves. A stroke
is a line of (x, y, width) on a field of 100 x 100; each variant moves its points, widths and ends a little.
"""

from __future__ import annotations

import cv2
import numpy as np

from .sheet import Image, curve, ribbon

VARIANTS = 48
EM_PX = 160
_FIVE = (
    "22,18,9 50,15,7 78,12,11",
    "48,16,9 44,45,8 38,80,8",
    "26,46,8 50,43,7 70,41,10",
    "70,41,10 68,60,9 64,80,8",
    "6,84,10 40,81,8 75,79,9 94,77,13",
)
_TEXT: dict[str, tuple[str, ...]] = {
    "一": ("8,52,10 20,50,8 60,47,8 85,45,14 92,49,6",),
    "二": ("26,34,10 45,32,8 66,29,12 72,32,5", "8,66,11 30,64,8 65,60,9 88,57,15 95,62,6"),
    "三": (
        "24,26,9 45,24,7 70,21,12",
        "30,46,9 48,44,7 66,42,12",
        "8,72,10 35,70,8 70,66,9 92,64,15",
    ),
    "四": (
        "14,28,10 20,50,9 28,76,8",
        "14,30,8 50,25,7 82,21,11 87,30,12 80,55,10 71,76,8",
        "42,28,8 40,45,8 33,57,5",
        "59,27,8 58,42,8 64,51,9 74,49,5",
        "27,74,9 50,72,8 73,70,9",
    ),
    "五": _FIVE,
    "六": (
        "46,8,8 52,16,14 54,23,6",
        "8,40,10 40,36,8 75,32,10 93,31,14",
        "38,52,11 30,70,10 12,92,4",
        "58,50,6 72,66,12 88,86,15 92,92,6",
    ),
    "七": (
        "6,52,11 40,44,9 78,33,12 88,30,13",
        "46,8,12 44,40,10 46,70,11 56,84,11 76,86,10 90,82,9 92,68,4",
    ),
    "八": ("38,18,12 32,45,11 10,84,4", "50,10,7 60,38,11 76,66,15 94,84,12"),
    "九": (
        "40,8,11 36,36,10 26,64,9 6,90,4",
        "14,36,10 40,30,8 62,26,11 66,34,11 62,60,10 66,82,11 82,86,10 94,80,9 96,64,4",
    ),
    "萬": (
        "10,16,7 50,12,6 90,10,10",
        "33,4,7 35,24,6",
        "66,3,7 63,24,6",
        "28,32,7 30,60,6",
        "28,34,6 70,30,7 74,34,8 70,60,6",
        "30,46,5 72,44,5",
        "31,59,6 70,57,6",
        "50,32,6 50,82,6",
        "14,66,8 16,82,8 10,98,8",
        "14,68,7 50,65,6 86,62,9 95,67,10 91,86,9 84,98,10 75,92,4",
        "34,85,6 50,81,6 62,78,6",
        "59,74,6 68,85,10",
    ),
    "東": (
        "18,20,8 50,17,7 82,14,11",
        "26,34,8 28,60,7",
        "26,36,6 50,33,6 76,31,9 74,60,7",
        "29,47,6 74,45,6",
        "29,60,7 73,58,7",
        "50,2,9 51,50,9 51,96,8 46,92,4",
        "46,62,9 30,78,8 6,92,3",
        "55,60,6 72,76,11 92,88,13 96,92,5",
    ),
    "南": (
        "16,20,8 50,16,7 84,13,11",
        "50,2,9 48,18,8 44,34,7",
        "14,38,9 15,65,8 10,94,7",
        "14,40,7 50,36,6 84,33,10 90,38,10 88,70,9 84,94,9 74,90,4",
        "36,44,6 40,52,7",
        "64,42,6 59,51,6",
        "32,60,6 52,58,6 68,56,7",
        "28,75,6 50,73,6 72,71,7",
        "50,56,7 50,94,7",
    ),
    "西": (
        "10,18,9 50,14,7 90,10,12",
        "16,38,9 20,65,8 26,88,7",
        "16,40,7 50,36,6 82,32,10 87,38,10 82,65,9 76,86,8",
        "40,16,8 40,45,7 32,62,4",
        "59,14,8 58,45,7 62,58,8 74,58,6",
        "25,85,8 50,83,7 78,81,8",
    ),
    "北": (
        "38,8,10 38,50,9 39,88,10 36,95,4",
        "12,38,9 26,36,8 38,33,6",
        "6,76,9 24,70,8 40,60,5",
        "88,22,10 74,34,8 62,42,5",
        "58,6,10 58,50,10 60,78,11 72,87,11 90,85,10 96,70,4",
    ),
    "北2": (
        "34,28,9 35,55,9 32,82,7",
        "8,46,10 22,43,8 36,41,6",
        "4,78,11 20,71,9 37,60,5",
        "54,3,5 56,14,13 55,45,10 56,72,11 68,85,12 86,85,11 96,66,4",
        "93,34,11 78,46,9 59,53,5",
    ),
    "中": (
        "20,30,8 22,48,7 26,62,7",
        "20,32,7 50,28,6 80,25,11 84,32,9 78,50,8 72,60,7",
        "26,60,7 50,58,6 74,56,7",
        "50,2,6 51,14,12 50,50,10 49,96,6 49,100,2",
    ),
}
CHARS = frozenset(_TEXT) - {"北2"} | {"伍"}


def _strokes(char: str) -> list[np.ndarray]:
    if char == "伍":
        right = [_parsed(text) * (0.62, 0.86, 0.92) + (37, 8, 0) for text in _FIVE]
        return [_parsed("30,10,11 22,32,9 8,52,4"), _parsed("22,34,9 21,60,8 21,92,8"), *right]
    return [_parsed(text) for text in _TEXT[char]]


def _parsed(text: str) -> np.ndarray:
    return np.array([[float(v) for v in point.split(",")] for point in text.split()])


def written(char: str, variant: int) -> Image | None:
    """Return a character as a mask cut to its ink, as this variant of the brush writes it, or None."""
    if char not in CHARS:
        return None
    hand = np.random.default_rng([variant, 11])
    weight, contrast = float(hand.uniform(0.75, 1.35)), float(hand.uniform(0.6, 1.7))
    loose, lean, rise = (
        float(hand.uniform(0.6, 2.6)),
        float(hand.normal(0, 0.05)),
        float(hand.normal(0.01, 0.04)),
    )
    round_ends = bool(hand.random() < 0.6)
    own = np.random.default_rng([variant, 12, ord(char)])
    scale = 2 * EM_PX / 130.0
    ink = np.zeros((2 * EM_PX, 2 * EM_PX), np.uint8)
    form = "北2" if char == "北" and hand.random() < 0.65 else char
    for stroke in _strokes(form):
        points = stroke[:, :2] + own.normal(0, loose, (len(stroke), 2)) + own.normal(0, 0.5 * loose, 2)
        points = points @ np.array([[1.0, -rise], [-lean, 1.0]]) + 15 + np.array([lean * 50, rise * 50])
        mean = stroke[:, 2].mean()
        widths = np.maximum(mean + (stroke[:, 2] - mean) * contrast, 2.0) * weight * own.uniform(0.9, 1.1)
        _fill(ink, ribbon(curve(points, 7), widths) * scale)
        if round_ends:
            for (x, y), width in ((points[0], widths[0]), (points[-1], widths[-1])):
                cv2.circle(ink, (round(x * scale), round(y * scale)), round(width * scale * 0.48), 255, -1)
    small = cv2.resize(ink, (EM_PX, EM_PX), interpolation=cv2.INTER_AREA)
    rows, columns = np.flatnonzero(small.max(axis=1)), np.flatnonzero(small.max(axis=0))
    return np.ascontiguousarray(small[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _fill(ink: Image, outline: np.ndarray) -> None:
    """Fill piece by piece: a ribbon that folds over itself in a bend would get a hole otherwise."""
    half = len(outline) // 2
    left, right = outline[:half], outline[half:][::-1]
    for k in range(half - 1):
        piece = np.array([left[k], left[k + 1], right[k + 1], right[k]])
        cv2.fillConvexPoly(ink, cv2.convexHull(np.round(piece * 16).astype(np.int32)), 255, cv2.LINE_8, 4)
