"""The six pictures of an East-Asian die: 1 large and red, 4 red, the rest dark."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
SIZE = 144
BODY = (224, 236, 240)
RED = (36, 34, 186)
DARK = (44, 34, 30)
_LOW, _MID, _HIGH = 0.26, 0.5, 0.74
_PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((_MID, _MID),),
    2: ((_LOW, _LOW), (_HIGH, _HIGH)),
    3: ((_LOW, _LOW), (_MID, _MID), (_HIGH, _HIGH)),
    4: ((_LOW, _LOW), (_HIGH, _LOW), (_LOW, _HIGH), (_HIGH, _HIGH)),
    5: ((_LOW, _LOW), (_HIGH, _LOW), (_MID, _MID), (_LOW, _HIGH), (_HIGH, _HIGH)),
    6: ((_LOW, 0.24), (_LOW, 0.5), (_LOW, 0.76), (_HIGH, 0.24), (_HIGH, 0.5), (_HIGH, 0.76)),
}
AROUND: dict[int, tuple[int, int, int, int]] = {
    1: (2, 3, 5, 4), 6: (2, 4, 5, 3), 2: (6, 3, 1, 4), 5: (1, 3, 6, 4), 3: (2, 6, 5, 1), 4: (2, 1, 5, 6),
}  # fmt: skip
"""Faces towards the reader, right, away, left when a value is up; opposite faces make seven."""


@lru_cache(maxsize=12)
def face(pips: int, *, rounded: bool = True) -> Image:
    """Return one face as (144, 144, 4) BGRA; `rounded` = transparent outside the rounded top."""
    image = np.zeros((SIZE, SIZE, 4), np.uint8)
    image[:, :, :3] = BODY
    if rounded:
        r = SIZE // 5
        far = SIZE - 1 - r
        for corner in ((r, r), (far, r), (r, far), (far, far)):
            cv2.circle(image, corner, r, (*BODY, 255), -1)
        image[r : SIZE - r, :, 3] = 255
        image[:, r : SIZE - r, 3] = 255
    else:
        image[:, :, 3] = 255
    radius = round((0.2 if pips == 1 else 0.1) * SIZE * 16)
    blue, green, red = RED if pips in (1, 4) else DARK
    for x, y in _PIPS[pips]:
        at = (round(x * SIZE * 16), round(y * SIZE * 16))
        cv2.circle(image, at, radius, (blue, green, red, 255), -1, cv2.LINE_AA, 4)
        cv2.circle(image, at, radius, (blue * 0.6, green * 0.6, red * 0.6, 255), 3, cv2.LINE_AA, 4)
    image.setflags(write=False)
    return image


def sides(pips: int) -> tuple[Image, ...]:
    """Return the four faces round a die that shows `pips`."""
    return tuple(face(value, rounded=False) for value in AROUND[pips])
