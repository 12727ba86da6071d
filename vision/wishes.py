"""What an owner wants of a camera's picture. What a camera cannot do is told, never fatal.

Apart from the sources, so that reading the settings loads no OpenCV.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Wish = Literal["auto", "lock"] | float
"""auto: the camera decides all the time. lock: it decides for `SETTLE_MS`, then that is held. Or a number."""

MAX_FRAME_PIXELS = 20_000_000
"""4K is 8.3 million, the Pi's HQ camera 12.3: more is no camera for a table, and 60 MB when decoded."""
SETTLE_MS = 3000
"""Exposure, focus and white balance of a camera that was just opened have settled by then (about 60 frames
of the Pi's own algorithms, 1-2 s of a webcam's)."""
NOT_FROM_HERE = "cannot be told its exposure, focus or white balance from here: use its own page"


@dataclass(frozen=True, slots=True)
class Wishes:
    """Exposure in milliseconds, white balance in kelvin, size in pixels (width, height).

    The number of `focus` is the camera's own: dioptres (1 / metres) of a Pi camera, the control's steps of
    a V4L2 camera.
    """

    exposure: Wish = "auto"
    focus: Wish = "auto"
    white_balance: Wish = "auto"
    size_px: tuple[int, int] = (1920, 1080)

    @property
    def is_plain(self) -> bool:
        """Whether the camera is to decide everything by itself."""
        return self.exposure == self.focus == self.white_balance == "auto"
