"""An IP camera by RTSP (H.264, H.265, MJPEG) through OpenCV's FFmpeg; frames are packed as JPEG again."""

from __future__ import annotations

import os
import socket
import urllib.parse
from collections.abc import Callable

import cv2

from vision.errors import CameraLost

from .capture import Capture, captured_frames
from .frame import Clock, Frame, monotonic_ms
from .thread import READ_TIMEOUT_MS, Frames, ThreadSource

RTSP_OPEN_TIMEOUT_MS = 6000
"""FFmpeg calls a stream open when it has seen a key frame, and cameras send one every 1 to 4 seconds."""
PROBE_TIMEOUT_S = 1.0
FFMPEG_OPTIONS = "rtsp_flags;prefer_tcp|fflags;nobuffer|fpsprobesize;0|analyzeduration;3000000"
"""TCP first: a lost datagram is a grey tile. No frames are held back to guess a frame rate."""
FFMPEG_QUIET = "-8"
"""FFmpeg's AV_LOG_QUIET: its messages would name the address, with its password, at every attempt."""

Opener = Callable[[str, int, int], Capture | None]


class RtspSource(ThreadSource):
    """A camera at rtsp:// or rtsps://; every frame is decoded, since each builds on the one before.

    Raises:
        ValueError: if the address has no host, or a port that is no number.
    """

    def __init__(
        self,
        url: str,
        *,
        open_timeout_ms: int = RTSP_OPEN_TIMEOUT_MS,
        read_timeout_ms: int = READ_TIMEOUT_MS,
        clock: Clock = monotonic_ms,
        on_frame: Callable[[Frame], None] | None = None,
        opener: Opener | None = None,
    ) -> None:
        super().__init__(clock=clock, on_frame=on_frame)
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("rtsp", "rtsps") or not parts.hostname:
            raise ValueError("a camera address starts with rtsp:// and a host")
        self._place = (parts.hostname, parts.port or (322 if parts.scheme == "rtsps" else 554))
        self._url = url
        self._timeouts_ms = open_timeout_ms, read_timeout_ms
        self._opener = opener or open_ffmpeg
        _quiet()

    def _frames(self) -> Frames:
        capture = self._opener(self._url, *self._timeouts_ms)
        if capture is None:
            raise CameraLost(self._why())
        try:
            yield from captured_frames(capture, self._clock)
        except cv2.error as error:
            raise CameraLost("it sends what cannot be decoded") from error
        finally:
            capture.release()

    def _why(self) -> str:
        """Return what can be said of a stream that did not open: FFmpeg tells OpenCV no reason."""
        host, port = self._place
        try:
            socket.create_connection((host, port), timeout=PROBE_TIMEOUT_S).close()
        except OSError as error:
            return f"nobody answers at {host}:{port} ({error.strerror or error or type(error).__name__})"
        return f"{host}:{port} answers but opens no stream: check its path, name and password"


def open_ffmpeg(url: str, open_timeout_ms: int, read_timeout_ms: int) -> Capture | None:
    """Return an open capture, None if there is none within the time; one thread decodes, so that no frame
    waits in another's queue."""
    wanted = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, open_timeout_ms, cv2.CAP_PROP_READ_TIMEOUT_MSEC]
    wanted += [read_timeout_ms, cv2.CAP_PROP_N_THREADS, 1]
    capture = cv2.VideoCapture()
    if not capture.open(url, cv2.CAP_FFMPEG, wanted):
        capture.release()
        return None
    return capture


def _quiet() -> None:
    """Silence OpenCV and FFmpeg, which print addresses; what the environment says already stays."""
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", FFMPEG_QUIET)
    os.environ.setdefault("OPENCV_FFMPEG_CAPTURE_OPTIONS", FFMPEG_OPTIONS)
