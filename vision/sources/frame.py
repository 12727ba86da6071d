"""A frame, what every source of frames promises, and how much of one is ever taken into memory."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import FrameUnreadable
from vision.picture_headers import picture_size
from vision.wishes import MAX_FRAME_PIXELS

MAX_FRAME_BYTES = 16 * 1024 * 1024
"""A larger part is no camera frame (4K JPEG at quality 95 is about 3 MiB)."""

SourceState = Literal["closed", "opening", "up", "lost"]
Clock = Callable[[], int]


def monotonic_ms() -> int:
    """Return the process's steady clock in milliseconds."""
    return time.monotonic_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture as it came: JPEG bytes and the steady-clock millisecond of its arrival."""

    jpeg: bytes
    at_ms: int


def check_frame(jpeg: bytes) -> None:
    """Refuse a frame that would not fit, by its length and its header; nothing is decoded.

    A header that cannot be read passes: `decode` refuses what is no picture.

    Raises:
        FrameUnreadable: if it has more than `MAX_FRAME_BYTES` or `MAX_FRAME_PIXELS`.
    """
    if len(jpeg) > MAX_FRAME_BYTES:
        raise FrameUnreadable(f"a frame of {len(jpeg)} bytes, at most {MAX_FRAME_BYTES} are taken")
    check_size(*(picture_size(jpeg) or (0, 0)))


def check_size(width: int, height: int) -> None:
    """Refuse a frame of more than `MAX_FRAME_PIXELS`.

    Raises:
        FrameUnreadable: if it has more.
    """
    if width * height > MAX_FRAME_PIXELS:
        raise FrameUnreadable(f"a frame of {width} x {height} pixels, at most {MAX_FRAME_PIXELS} are taken")


def decode(jpeg: bytes) -> NDArray[np.uint8]:
    """Return the pixels (h, w, 3) uint8 BGR of a JPEG (or PNG, from a folder).

    Raises:
        FrameUnreadable: if the bytes cannot be decoded, or are too many.
    """
    if not jpeg:
        raise FrameUnreadable("an empty frame")
    check_frame(jpeg)
    if 0 in (picture_size(jpeg) or (0,)):  # nor is a header that does not tell how much there is to decode
        raise FrameUnreadable(f"a frame of {len(jpeg)} bytes that is no picture")
    flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    image = cv2.imdecode(np.frombuffer(jpeg, dtype=np.uint8), flags)
    if image is None:
        raise FrameUnreadable(f"a frame of {len(jpeg)} bytes that is no picture")
    return np.asarray(image, dtype=np.uint8)


@runtime_checkable
class FrameSource(Protocol):
    """Where frames come from. `latest` never blocks and never decodes."""

    @property
    def state(self) -> SourceState:
        """closed, opening, up, or lost (being opened again)."""

    @property
    def last_error(self) -> str:
        """Why the camera was lost last, "" if it never was; never a name or a password."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What else people should know: what the camera refused of its `Wishes`, what it holds."""

    def open(self) -> None:
        """Start; does not wait for the first frame."""

    def close(self) -> None:
        """Stop and release the camera."""

    def latest(self, after_ms: int = -1) -> Frame | None:
        """Return the latest frame that arrived later than `after_ms`, None if there is none yet."""
