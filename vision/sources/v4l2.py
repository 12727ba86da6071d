"""A camera of this machine (`/dev/video<N>`) through OpenCV; its own JPEG is kept where it sends JPEG."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import cv2

from vision.errors import CameraLost
from vision.wishes import Wishes

from .capture import PACK_EVERY_MS, Capture, captured_frames
from .frame import Clock, Frame, monotonic_ms
from .thread import DEVICE_PAUSE_MS, Frames, ThreadSource
from .v4l2_controls import ControlFile, Controls, Steering

MJPG = cv2.VideoWriter.fourcc(*"MJPG")


class Device(Controls, Protocol):
    """The device's controls, open."""

    def close(self) -> None:
        """Close them."""


class V4l2Source(ThreadSource):
    """A webcam.

    OpenCV's own log is silenced: it would write several lines at every attempt; `last_error` tells what went
    wrong.

    Args:
        camera: its number, or the path of its device (`/dev/v4l/by-id/...` stays the same when another is
            plugged in).
        opener, controls: how the device is opened; for tests.
    """

    reopen_pause_ms = DEVICE_PAUSE_MS

    def __init__(
        self,
        camera: int | str,
        *,
        wishes: Wishes | None = None,
        clock: Clock = monotonic_ms,
        on_frame: Callable[[Frame], None] | None = None,
        opener: Callable[[str], Capture | None] | None = None,
        controls: Callable[[str], Device] = ControlFile,
    ) -> None:
        super().__init__(clock=clock, on_frame=on_frame)
        self._path = f"/dev/video{camera}" if isinstance(camera, int) else camera
        self._wishes = wishes or Wishes()
        self._opener = opener or open_v4l2
        self._controls = controls
        self._may_keep_jpeg = True

    def _frames(self) -> Frames:
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
        device = self._controls(self._path)
        try:
            capture = self._opener(self._path)
            if capture is None:
                raise CameraLost(f"{self._path} does not stream: another program may hold it")
            try:
                yield from self._stream(capture, device)
            finally:
                capture.release()
        except cv2.error as error:
            raise CameraLost(f"{self._path} sends what cannot be decoded") from error
        finally:
            device.close()

    def _stream(self, capture: Capture, device: Device) -> Frames:
        size, keeps_jpeg = _arrange(capture, self._wishes.size_px, self._may_keep_jpeg)
        steering = Steering(device, self._wishes, self._clock)
        wanted = self._wishes.size_px
        told = [] if size == wanted else [f"sends {_text(size)} pixels instead of {_text(wanted)}"]
        self.remark(*told, *steering.notes)
        if keeps_jpeg:
            self._may_keep_jpeg = False  # until one has come: else OpenCV unpacks them from the next try on
        for jpeg in captured_frames(capture, self._clock, every_ms=0 if keeps_jpeg else PACK_EVERY_MS):
            if keeps_jpeg:
                self._may_keep_jpeg = True
            yield jpeg
            if steering.step():
                self.remark(*told, *steering.notes)


def open_v4l2(path: str) -> Capture | None:
    """Return an open capture, None if the device does not open."""
    capture = cv2.VideoCapture()
    if not capture.open(path, cv2.CAP_V4L2):
        capture.release()
        return None
    return capture


def _arrange(capture: Capture, size_px: tuple[int, int], may_keep_jpeg: bool) -> tuple[tuple[int, int], bool]:
    """Ask for JPEG and a size; return the size that comes, and whether it comes as the camera's own JPEG.

    Raw bytes are asked for last: another format or size makes OpenCV lay its buffers anew.
    """
    capture.set(cv2.CAP_PROP_FOURCC, MJPG)
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size_px[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size_px[1])
    size = int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
    sends_jpeg = int(capture.get(cv2.CAP_PROP_FOURCC)) == MJPG
    return size, may_keep_jpeg and sends_jpeg and capture.set(cv2.CAP_PROP_CONVERT_RGB, 0)


def _text(size: tuple[int, int]) -> str:
    return f"{size[0]} x {size[1]}"
