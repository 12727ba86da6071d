"""How a lens bends straight lines: radial, with the two numbers that a table camera needs.

A straight lens would show a point at distance r from the lens axis; this one shows it at
`r * (1 + k1 * s + k2 * s**2)` with `s = (r / R)**2` and R half of the picture's diagonal: `k1 = -0.02` pulls
the picture's corner in by 2 % (a barrel). OpenCV's k1 is the same with the focal length in place of R.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import VisionError

Matrix = NDArray[np.float64]

MAX_SIDE_PX = 30_000
SAME_SHAPE = 0.005
"""Two sizes with this little difference of width over height are the same picture, scaled."""
LEAST_GROWTH = 0.2
"""The lens may squeeze a small piece of the picture to this part of its size; less, and it folds over."""
SEEN_UP_TO = 1.3
"""Value of s up to which the lens must not fold: a little beyond the corner, for an axis off the middle."""
ROUNDS = 12


@dataclass(frozen=True, slots=True)
class Lens:
    """A measured or fitted lens for pictures of `size_px` (width, height).

    `centre_px` is where its axis meets the picture, `focal_px` its focal length, None when nobody measured
    it (marks on one plane do not tell it from above).
    """

    size_px: tuple[int, int]
    k1: float = 0.0
    k2: float = 0.0
    centre_px: tuple[float, float] = (math.nan, math.nan)
    focal_px: float | None = None

    def __post_init__(self) -> None:
        width, height = self.size_px
        if not (0 < width <= MAX_SIDE_PX and 0 < height <= MAX_SIDE_PX):
            raise VisionError(f"not a lens: a picture of {width} x {height} pixels")
        if all(math.isnan(value) for value in self.centre_px):
            object.__setattr__(self, "centre_px", middle(self.size_px))
        numbers = (self.k1, self.k2, *self.centre_px, self.focal_px or 1.0)
        if not all(math.isfinite(value) for value in numbers):
            raise VisionError("not a lens: its numbers must be finite")
        x, y = self.centre_px
        if not (0 <= x < width and 0 <= y < height):
            raise VisionError("not a lens: its axis lies outside the picture")
        if self.focal_px is not None and not 0.1 * width < self.focal_px < 100.0 * width:
            raise VisionError(f"not a lens: a focal length of {self.focal_px:g} pixels")
        s = np.linspace(0.0, SEEN_UP_TO, 40)
        if float(np.min(1.0 + 3.0 * self.k1 * s + 5.0 * self.k2 * s * s)) < LEAST_GROWTH:
            raise VisionError("not a lens: it would fold the picture over")

    @property
    def radius_px(self) -> float:
        """Half of the picture's diagonal."""
        return math.hypot(*self.size_px) / 2.0

    @property
    def is_straight(self) -> bool:
        """Whether it bends nothing."""
        return self.k1 == 0.0 and self.k2 == 0.0

    def bend(self, points: Matrix) -> Matrix:
        """Return where the picture shows points (n, 2) that a straight lens would show at these pixels."""
        away = np.asarray(points, dtype=np.float64) - self.centre_px
        s = np.sum(away * away, axis=-1, keepdims=True) / self.radius_px**2
        bent: Matrix = away * (1.0 + s * (self.k1 + s * self.k2)) + self.centre_px
        return bent

    def straighten(self, points: Matrix) -> Matrix:
        """Return where a straight lens would show what the picture shows at these pixels (n, 2)."""
        away = np.asarray(points, dtype=np.float64) - self.centre_px
        seen = np.sqrt(np.sum(away * away, axis=-1, keepdims=True)) / self.radius_px
        r = seen.copy()
        for _ in range(
            ROUNDS
        ):  # Newton's rule on one number a point; far outside the picture it may not meet
            s = r * r
            miss = r * (1.0 + s * (self.k1 + s * self.k2)) - seen
            slope = np.maximum(1.0 + s * (3.0 * self.k1 + 5.0 * self.k2 * s), LEAST_GROWTH)
            r = np.clip(r - miss / slope, 0.0, 2.0 * seen + 1e-12)
        scale = np.divide(r, seen, out=np.ones_like(r), where=seen > 1e-12)
        straight: Matrix = away * scale + self.centre_px
        return straight

    def slope(self, x: float, y: float) -> Matrix:
        """Return the 3x3 matrix that bends like the lens near the straight pixel (x, y), exact there."""
        dx, dy = x - self.centre_px[0], y - self.centre_px[1]
        square = self.radius_px**2
        s = (dx * dx + dy * dy) / square
        grow = 1.0 + s * (self.k1 + s * self.k2)
        rise = 2.0 * (self.k1 + 2.0 * self.k2 * s) / square
        a, b, d = grow + rise * dx * dx, rise * dx * dy, grow + rise * dy * dy
        u, v = dx * grow + self.centre_px[0], dy * grow + self.centre_px[1]
        return np.array([[a, b, u - a * x - b * y], [b, d, v - b * x - d * y], [0.0, 0.0, 1.0]])

    def for_size(self, size_px: tuple[int, int]) -> Lens:
        """Return the same lens for pictures of another size of the same camera.

        Raises:
            VisionError: if the shape differs: then the picture is cut, and nobody knows where.
        """
        if size_px == self.size_px:
            return self
        width, height = size_px
        scale = width / self.size_px[0]
        if abs(width / height / (self.size_px[0] / self.size_px[1]) - 1.0) > SAME_SHAPE:
            raise VisionError(
                f"the lens was measured on pictures of {self.size_px[0]} x {self.size_px[1]} pixels, "
                f"which {width} x {height} is no scale of"
            )
        x, y = self.centre_px
        centre = ((x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5)
        return Lens(
            size_px, self.k1, self.k2, centre, None if self.focal_px is None else self.focal_px * scale
        )

    def to_plain(self) -> dict[str, Any]:
        """Return the lens as plain values for JSON."""
        return {
            "size_px": list(self.size_px),
            "k1": self.k1,
            "k2": self.k2,
            "centre_px": list(self.centre_px),
            "focal_px": self.focal_px,
        }

    def to_json(self) -> str:
        """Return the lens as JSON text, read back by `from_json`."""
        return json.dumps(self.to_plain())

    @classmethod
    def from_plain(cls, data: Any) -> Lens:
        """Return the lens of plain values.

        Raises:
            VisionError: if they are no lens.
        """
        try:
            width, height = (int(value) for value in data["size_px"])
            x, y = (float(value) for value in data["centre_px"])
            focal = None if data.get("focal_px") is None else float(data["focal_px"])
            return cls((width, height), float(data["k1"]), float(data["k2"]), (x, y), focal)
        except VisionError:
            raise
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
            raise VisionError(f"not a lens: {error or type(error).__name__}") from error

    @classmethod
    def from_json(cls, text: str) -> Lens:
        """Return the lens written by `to_json`.

        Raises:
            VisionError: if the text is not a lens.
        """
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise VisionError(f"not a lens: {error or type(error).__name__}") from error
        return cls.from_plain(data)


def middle(size_px: tuple[int, int]) -> tuple[float, float]:
    """Return the pixel in the middle of a picture; pixel centres have whole numbers."""
    return (size_px[0] - 1) / 2.0, (size_px[1] - 1) / 2.0
