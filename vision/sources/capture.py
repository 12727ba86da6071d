"""What OpenCV's captures have in common: every frame is grabbed, and some of them packed as JPEG again."""

from __future__ import annotations

from typing import Any, Protocol

import cv2
import numpy as np

from vision.errors import CameraLost

from .frame import Clock, check_size
from .thread import Frames

PACK_EVERY_MS = 100
"""Ten frames a second are packed: a photo needs two, and packing 1080p costs a Pi 20-30 ms of a core."""
JPEG_QUALITY = 92
BROKEN_IN_A_ROW = 30
"""A webcam sends a cut-off JPEG now and then (a full USB bus); one second of them is no camera."""
_BEGIN, _END = b"\xff\xd8", b"\xff\xd9"


class Capture(Protocol):
    """The part of `cv2.VideoCapture` that is used."""

    def grab(self) -> bool:
        """Wait for the next frame; False when the camera is lost."""

    def retrieve(self) -> tuple[bool, Any]:
        """Return the grabbed frame's pixels (h, w, 3) BGR, or the camera's own JPEG as a row of bytes."""

    def get(self, prop: int) -> float:
        """Return a property."""

    def set(self, prop: int, value: float) -> bool:
        """Set a property; False if it is refused."""

    def release(self) -> None:
        """Close the camera."""


def captured_frames(capture: Capture, clock: Clock, *, every_ms: int = PACK_EVERY_MS) -> Frames:
    """Yield JPEG bytes of at most one frame each `every_ms`; the others are drained.

    Raises:
        CameraLost: when it stops sending.
        FrameUnreadable: if it sends more pixels than are taken.
    """
    due_ms = broken = 0
    while True:
        if not capture.grab():
            raise CameraLost("it stopped sending")
        now_ms = clock()
        if now_ms < due_ms:
            continue
        due_ms = now_ms + every_ms
        check_size(int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT)))
        arrived, image = capture.retrieve()
        if not arrived or image is None:
            raise CameraLost("it sends what cannot be read")
        jpeg = packed(image)
        if jpeg is not None:
            broken = 0
            yield jpeg
            continue
        broken += 1
        if broken >= BROKEN_IN_A_ROW:
            raise CameraLost("it sends broken JPEG")


def packed(image: Any) -> bytes | None:
    """Return JPEG bytes of an image (h, w, 3) uint8 BGR; a row of bytes that is JPEG already passes.

    None for a row of bytes that is not a whole JPEG; the zeros some cameras fill up with are cut off.

    Raises:
        CameraLost: if it is neither pixels nor a row of bytes.
        FrameUnreadable: if it has more pixels than are taken.
    """
    array = np.ascontiguousarray(image)
    if array.dtype == np.uint8 and array.ndim == 2 and 1 in array.shape:
        row = array.tobytes().rstrip(b"\0")
        return row if row.startswith(_BEGIN) and row.endswith(_END) else None
    if array.dtype != np.uint8 or array.ndim != 3 or array.shape[2] != 3:
        raise CameraLost(f"it sends neither JPEG nor colour pixels but {array.dtype} {array.shape}")
    check_size(array.shape[1], array.shape[0])
    is_packed, jpeg = cv2.imencode(".jpg", array, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not is_packed:
        raise CameraLost("its frames cannot be packed")
    return jpeg.tobytes()
