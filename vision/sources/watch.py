"""A camera that sends and yet shows nothing: the same picture for ever, or one without a single edge."""

from __future__ import annotations

import cv2
import numpy as np

from vision.picture_headers import picture_size

from .frame import Frame, check_frame

FROZEN_AFTER_MS = 1500
"""With a frame each 200 ms and a state asked for each 200 ms, people know it within 2 s."""
LOOK_EVERY_MS = 400
"""Decoding an eighth of 1080p costs about 4 ms here: 1 % of a core."""
BLIND_AFTER_MS = 800
"""Known within 2 s like a frozen one; an arm over the lens, or the start of the exposure, is shorter."""
EDGE_LEVELS = 4.0
"""Steepest step between neighbours of 16 x 16 pixels, 0..255, below which a picture shows nothing.

Measured in tests/vision/test_sources_watch.py: a covered lens with the noise of full gain (sigma 20) and a
glow at its rim stays below 2.5; empty tables in poor light have 11 and more, since the marks at the felt's
corners are black on white.
"""
_BEGIN, _SCAN, _BARE = b"\xff\xd8", 0xDA, frozenset({0x01, *range(0xD0, 0xD8)})
EDGE_SHARE = 99.5
"""Percentile that counts as the steepest: a few hot pixels are no picture."""


def scan_of(jpeg: bytes) -> bytes:
    """Return a JPEG from its first scan on, whatever is no JPEG whole.

    Network cameras write the time into a comment or an application segment of every frame, a frozen one's
    too; the noise of a living sensor is in the scan. Source: ITU T.81 B.1.
    """
    at = 2
    while jpeg.startswith(_BEGIN) and at + 4 <= len(jpeg) and jpeg[at] == 0xFF:
        marker = jpeg[at + 1]
        if marker == _SCAN:
            return jpeg[at:]
        if marker == 0xFF:
            at += 1
        elif marker in _BARE:
            at += 2
        else:
            at += 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")
    return jpeg


class FreezeWatch:
    """Tells a frozen camera by its bytes: the same picture for `after_ms` while the camera keeps sending.

    What is written beside the picture (a time, a counter) does not count: see `scan_of`.

    >>> watch = FreezeWatch()
    >>> [watch.saw(Frame(b"same", ms)) for ms in (0, 1000, 1500)]
    [False, False, True]
    >>> watch.saw(Frame(b"new", 1700))
    False
    """

    def __init__(self, after_ms: int = FROZEN_AFTER_MS) -> None:
        self._after_ms = after_ms
        self._scan: bytes | None = None
        self._since_ms = 0
        self.is_frozen = False

    def saw(self, frame: Frame) -> bool:
        """Take a frame in order of arrival; return whether the camera is frozen now."""
        scan = scan_of(frame.jpeg)
        if scan != self._scan:
            self._scan, self._since_ms = scan, frame.at_ms
        self.is_frozen = frame.at_ms - self._since_ms >= self._after_ms
        return self.is_frozen


class BlindWatch:
    """Tells a camera that sees nothing: black, white, one colour, or the soft glow of a covered lens.

    Frames that cannot be decoded say nothing about it: a photo of them fails by itself.
    """

    def __init__(self, after_ms: int = BLIND_AFTER_MS, every_ms: int = LOOK_EVERY_MS) -> None:
        self._after_ms, self._every_ms = after_ms, every_ms
        self._due_ms: int | None = None
        self._since_ms: int | None = None
        self.is_blind = False

    def saw(self, frame: Frame) -> bool:
        """Take a frame in order of arrival; return whether the camera is blind now."""
        if self._due_ms is not None and frame.at_ms < self._due_ms:
            return self.is_blind
        self._due_ms = frame.at_ms + self._every_ms
        edge = steepest_edge(frame.jpeg)
        if edge is None or edge >= EDGE_LEVELS:
            self._since_ms = None
        elif self._since_ms is None:
            self._since_ms = frame.at_ms
        self.is_blind = self._since_ms is not None and frame.at_ms - self._since_ms >= self._after_ms
        return self.is_blind


def steepest_edge(jpeg: bytes) -> float | None:
    """Return the steepest step of grey, 0..255, between neighbouring squares of 16 x 16 pixels.

    None if the bytes are no picture, or one of fewer than 3 x 3 such squares. JPEG is decoded at an eighth
    of its size, which is the mean of its blocks and needs no transform.
    """
    if 0 in (picture_size(jpeg) or (0,)):
        return None
    check_frame(jpeg)
    try:
        eighth = cv2.imdecode(np.frombuffer(jpeg, dtype=np.uint8), cv2.IMREAD_REDUCED_GRAYSCALE_8)
    except cv2.error:
        return None
    if eighth is None or min(eighth.shape) < 6:
        return None
    height, width = eighth.shape
    half = cv2.resize(eighth, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    small = cv2.blur(half.astype(np.float32), (2, 2))
    steps = np.maximum(np.abs(small[1:, 1:] - small[:-1, 1:]), np.abs(small[1:, 1:] - small[1:, :-1]))
    return float(np.percentile(steps, EDGE_SHARE))
