"""The sheet a face is drawn on: polygons, strokes and glyphs in face units, four times as wide as needed.

Face units: the origin is the tile's middle, x to the right, y down, the tile is 4 units high and 4 / aspect
units wide (about 3). Colours are BGR; the sheet is BGRA, premultiplied while it is drawn.
"""

# ruff: noqa: RUF005  (an array plus a pair of numbers is a shift here, not a longer tuple)
from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Points = NDArray[np.float64]
Colour = tuple[int, int, int]

HEIGHT = 4.0
"""Units from the tile's upper to its lower edge."""
_SHIFT = 4
_AA = cv2.LINE_AA
_CIRCLE = np.stack(
    [
        np.cos(np.linspace(0, 2 * np.pi, 32, endpoint=False)),
        np.sin(np.linspace(0, 2 * np.pi, 32, endpoint=False)),
    ],
    axis=1,
)


def turned(points: Points, degrees: float) -> Points:
    """Return the points turned clockwise (as seen) about the origin."""
    angle = np.radians(degrees)
    c, s = np.cos(angle), np.sin(angle)
    return points @ np.array([[c, s], [-s, c]])


def curve(points: Sequence[tuple[float, float]] | Points, per_span: int = 6) -> Points:
    """Return a smooth line (Catmull-Rom) through the points."""
    p = np.asarray(points, dtype=np.float64)
    if len(p) < 3:
        return p
    padded = np.vstack([2 * p[0] - p[1], p, 2 * p[-1] - p[-2]])
    t = np.linspace(0, 1, per_span, endpoint=False)[:, None]
    spans = []
    for a, b, c, d in zip(padded[:-3], padded[1:-2], padded[2:-1], padded[3:], strict=True):
        spans.append(
            0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
        )
    return np.vstack([*spans, p[-1:]])


def ellipse(x: float, y: float, rx: float, ry: float, degrees: float = 0.0) -> Points:
    """Return an ellipse as a polygon."""
    return turned(_CIRCLE * (rx, ry), degrees) + (x, y)


def ribbon(line: Points, widths: float | Sequence[float]) -> Points:
    """Return a stroke of changing width along a line as a polygon; `widths` are spread evenly over it."""
    way = np.gradient(line, axis=0)
    length = np.hypot(way[:, 0], way[:, 1]) + 1e-9
    normal = np.stack([-way[:, 1], way[:, 0]], axis=1) / length[:, None]
    wide = np.atleast_1d(np.asarray(widths, dtype=np.float64))
    half = np.interp(np.linspace(0, 1, len(line)), np.linspace(0, 1, len(wide)), wide)[:, None] / 2
    return np.vstack([line + normal * half, (line - normal * half)[::-1]])


class Sheet:
    """A drawing surface of `height_px` rows for a tile of this aspect; `place` maps face units to the print.

    Args:
        place: 2x3 matrix from face units to face units: scale, offset and turn of this maker's print.
    """

    def __init__(self, height_px: int, aspect: float, place: NDArray[np.float64] | None = None) -> None:
        self.height_px, self.width_px = height_px, round(height_px / aspect)
        self.scale = height_px / HEIGHT
        self.image: Image = np.zeros((self.height_px, self.width_px, 4), np.uint8)
        self.place = np.array([[1.0, 0, 0], [0, 1.0, 0]]) if place is None else place

    def _pixels(self, points: Points) -> NDArray[np.int32]:
        placed = points @ self.place[:, :2].T + self.place[:, 2]
        pixels = placed * self.scale + (self.width_px / 2 - 0.5, self.height_px / 2 - 0.5)
        return np.round(pixels * (1 << _SHIFT)).astype(np.int32)

    def fill(self, colour: Colour | None, *polygons: Points) -> None:
        """Fill polygons (even-odd); None takes ink away."""
        paint = (0, 0, 0, 0) if colour is None else (*colour, 255)
        cv2.fillPoly(self.image, [self._pixels(p) for p in polygons], paint, _AA, _SHIFT)

    def line(self, colour: Colour | None, points: Points, width: float, closed: bool = False) -> None:
        """Draw a line of one width (units)."""
        paint = (0, 0, 0, 0) if colour is None else (*colour, 255)
        size = width * self.scale * float(np.sqrt(abs(np.linalg.det(self.place[:, :2]))))
        cv2.polylines(
            self.image,
            [self._pixels(np.asarray(points, np.float64))],
            closed,
            paint,
            max(1, round(size)),
            _AA,
            _SHIFT,
        )

    def brush(self, colour: Colour | None, line: Points, widths: float | Sequence[float]) -> None:
        """Draw a stroke of changing width with round ends."""
        wide = np.atleast_1d(np.asarray(widths, np.float64))
        self.fill(colour, ribbon(line, wide))
        for end, width in ((line[0], wide[0]), (line[-1], wide[-1])):
            if width > 0.05:
                self.disc(colour, end[0], end[1], width / 2)

    def disc(self, colour: Colour | None, x: float, y: float, radius: float) -> None:
        """Fill a circle."""
        self.fill(colour, _CIRCLE * radius + (x, y))

    def ring(self, colour: Colour | None, x: float, y: float, outer: float, inner: float) -> None:
        """Fill the space between two circles."""
        self.fill(colour, _CIRCLE * outer + (x, y), _CIRCLE * inner + (x, y))

    def box(self, colour: Colour | None, x: float, y: float, width: float, height: float) -> None:
        """Fill a rectangle centred on (x, y)."""
        a, b = width / 2, height / 2
        self.fill(colour, np.array([[x - a, y - b], [x + a, y - b], [x + a, y + b], [x - a, y + b]]))

    def stamp(self, colour: Colour, mask: Image, matrix: NDArray[np.float64]) -> None:
        """Put a grey mask on the sheet in one colour; `matrix` (2x3) maps mask pixels to face units."""
        full = np.vstack([matrix, [0, 0, 1]])
        place = np.vstack([self.place, [0, 0, 1]])
        k = self.scale
        to_px = np.array([[k, 0, self.width_px / 2 - 0.5], [0, k, self.height_px / 2 - 0.5], [0, 0, 1]])
        whole = to_px @ place @ full
        height, width = mask.shape
        corners = np.array([[0, 0, 1], [width, 0, 1], [0, height, 1], [width, height, 1]]) @ whole.T
        left, top = np.maximum(np.floor(corners[:, :2].min(axis=0)).astype(int), 0)
        right, bottom = np.ceil(corners[:, :2].max(axis=0)).astype(int) + 1
        right, bottom = min(right, self.width_px), min(bottom, self.height_px)
        if right <= left or bottom <= top:
            return
        whole[0, 2] -= left
        whole[1, 2] -= top
        ink = cv2.warpAffine(mask, whole[:2], (int(right - left), int(bottom - top)), flags=cv2.INTER_LINEAR)
        part = self.image[top:bottom, left:right]
        alpha = ink[..., None].astype(np.uint16)
        paint = np.array((*colour, 255), np.uint16)
        part[:] = ((part * (255 - alpha) + paint * alpha + 127) // 255).astype(np.uint8)
