"""A dark picture in the light that the nets know: they learnt from photographs that somebody had exposed."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

BRIGHT = 160.0
"""Brightest place (0-255) of a picture that is light enough: the body of a tile in photographs has 180 to
250."""
MOST_GAIN = 4.0
"""More only shows the camera's noise."""
SMALL_PX = 65_536
"""Pixels in which the brightest place is looked for: a tile of a whole table is some of them wide."""
SPOT_PX = 3
"""Width of a place among them: a single pixel of glare is none."""


def lit(image: Image) -> Image:
    """Return an (h, w, 3) uint8 picture with its brightest place at `BRIGHT`; one that is light enough is
    returned as it is."""
    step = max(1, math.isqrt(image.shape[0] * image.shape[1] // SMALL_PX))
    small = np.ascontiguousarray(image[::step, ::step])
    brightest = float(cv2.blur(small, (SPOT_PX, SPOT_PX)).max())
    gain = min(BRIGHT / max(brightest, 1.0), MOST_GAIN)
    return image if gain <= 1.0 else np.asarray(cv2.convertScaleAbs(image, alpha=gain), dtype=np.uint8)
