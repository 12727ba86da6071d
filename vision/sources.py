"""Frames from a camera: one thread drains the stream all the time, the latest frame wins, raw JPEG bytes are
kept.

A photo request passes the time of its asking and gets only a frame that arrived after it. A camera that
stops is released and opened again; a camera that sends the same bytes for two seconds is frozen
(`FreezeWatch`).
"""

from __future__ import annotations

import base64
import http.client
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

import cv2
import numpy as np
from numpy.typing import NDArray

from .errors import CameraLost, FrameUnreadable

OPEN_TIMEOUT_MS = 2000
READ_TIMEOUT_MS = 1500
REOPEN_PAUSE_MS = 500
"""Pause before a lost camera is opened again: its server needs a moment, we need no busy loop."""
NUMBER_PAUSE_MS = 3000
"""The same for a camera number: asking for a device that is not there costs more than asking a server."""
FROZEN_AFTER_MS = 2000
MAX_FRAME_BYTES = 16 * 1024 * 1024
"""A larger part is no camera frame (4K JPEG at quality 95 is about 3 MiB)."""
FILE_FRAME_MS = 200

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


def decode(jpeg: bytes) -> NDArray[np.uint8]:
    """Return the pixels (h, w, 3) uint8 BGR of a JPEG.

    Raises:
        FrameUnreadable: if the bytes cannot be decoded.
    """
    if not jpeg:
        raise FrameUnreadable("an empty frame")
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
        """Why the camera was lost last, "" if it never was."""

    def open(self) -> None:
        """Start; does not wait for the first frame."""

    def close(self) -> None:
        """Stop and release the camera."""

    def latest(self, after_ms: int = -1) -> Frame | None:
        """Return the latest frame that arrived later than `after_ms`, None if there is none yet."""


class FreezeWatch:
    """Tells a frozen camera by its bytes: the same frame for `after_ms` while the camera keeps sending.

    >>> watch = FreezeWatch()
    >>> [watch.saw(Frame(b"same", ms)) for ms in (0, 1000, 2000)]
    [False, False, True]
    >>> watch.saw(Frame(b"new", 2200))
    False
    """

    def __init__(self, after_ms: int = FROZEN_AFTER_MS) -> None:
        self._after_ms = after_ms
        self._jpeg: bytes | None = None
        self._since_ms = 0
        self.is_frozen = False

    def saw(self, frame: Frame) -> bool:
        """Take a frame in order of arrival; return whether the camera is frozen now."""
        if frame.jpeg != self._jpeg:
            self._jpeg, self._since_ms = frame.jpeg, frame.at_ms
        self.is_frozen = frame.at_ms - self._since_ms >= self._after_ms
        return self.is_frozen


class _ThreadSource:
    """A source with its own reader thread; subclasses yield JPEG bytes from `_frames` and raise
    `CameraLost`."""

    reopen_pause_ms = REOPEN_PAUSE_MS

    def __init__(
        self, *, clock: Clock = monotonic_ms, on_frame: Callable[[Frame], None] | None = None
    ) -> None:
        self._clock = clock
        self._on_frame = on_frame
        self._latest: Frame | None = None
        self._state: SourceState = "closed"
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._arrived = threading.Condition()
        self.last_error = ""
        self.reopened = 0

    @property
    def state(self) -> SourceState:
        """closed, opening, up, or lost."""
        return self._state

    def open(self) -> None:
        """Start the reader thread; nothing if it runs, anew if whoever hears the frames had ended it."""
        if self._thread is not None and self._thread.is_alive():
            return
        self._stop.clear()
        self._state = "opening"
        self._thread = threading.Thread(target=self._run, name=f"camera-{type(self).__name__}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop the reader thread and release the camera."""
        thread, self._thread = self._thread, None
        self._stop.set()
        self._interrupt()
        if thread is not None:
            thread.join(timeout=(OPEN_TIMEOUT_MS + READ_TIMEOUT_MS) / 1000)
        self._state = "closed"

    def latest(self, after_ms: int = -1) -> Frame | None:
        """Return the latest frame that arrived later than `after_ms`, None if there is none yet."""
        frame = self._latest
        return frame if frame is not None and frame.at_ms > after_ms else None

    def wait(self, after_ms: int, timeout_ms: int) -> Frame | None:
        """Return the first frame seen that arrived later than `after_ms`, None after `timeout_ms`."""
        with self._arrived:
            self._arrived.wait_for(lambda: self.latest(after_ms) is not None, timeout_ms / 1000)
        return self.latest(after_ms)

    def _frames(self) -> Iterator[bytes]:
        raise NotImplementedError

    def _interrupt(self) -> None:
        """Make a blocking read in `_frames` return, if it can be done."""

    def _run(self) -> None:
        while not self._stop.is_set():
            frames = self._frames()
            try:
                for jpeg in frames:
                    if self._stop.is_set():
                        break
                    self._take(jpeg)
                else:
                    raise CameraLost("the stream ended")
            except CameraLost as error:
                self.last_error = str(error)
            except Exception as error:  # ours or the hearer's, no camera's: said aloud, not tried again
                self._state = "lost"
                self.last_error = f"reading ended: {error or type(error).__name__}"
                return
            finally:
                frames.close()  # type: ignore[attr-defined]
            if self._stop.is_set():
                return
            self._state = "lost"
            self.reopened += 1
            self._stop.wait(self.reopen_pause_ms / 1000)

    def _take(self, jpeg: bytes) -> None:
        frame = Frame(jpeg, self._clock())
        with self._arrived:
            self._latest = frame
            self._state = "up"
            self._arrived.notify_all()
        if self._on_frame is not None:
            self._on_frame(frame)


class MjpegSource(_ThreadSource):
    """An IP camera: multipart/x-mixed-replace JPEG over http. Raw bytes are kept, nothing is decoded."""

    def __init__(
        self,
        url: str,
        *,
        open_timeout_ms: int = OPEN_TIMEOUT_MS,
        read_timeout_ms: int = READ_TIMEOUT_MS,
        clock: Clock = monotonic_ms,
        on_frame: Callable[[Frame], None] | None = None,
    ) -> None:
        super().__init__(clock=clock, on_frame=on_frame)
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"a camera address starts with http:// or https://, not {url!r}")
        try:
            _ = parts.port
        except ValueError as error:
            raise ValueError(f"the port of a camera address is a number: {url!r}") from error
        self._parts = parts
        self._open_timeout_s = open_timeout_ms / 1000
        self._read_timeout_s = read_timeout_ms / 1000

    def _frames(self) -> Iterator[bytes]:
        parts = self._parts
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        assert parts.hostname is not None
        connection = kind(parts.hostname, parts.port, timeout=self._open_timeout_s)
        try:
            target = urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, ""))
            connection.request("GET", target, headers=self._headers())
            response = connection.getresponse()
            if response.status != 200:
                raise CameraLost(f"the camera answers {response.status}")
            if connection.sock is not None:
                connection.sock.settimeout(self._read_timeout_s)
            boundary = response.headers.get_param("boundary")
            yield from read_parts(response, str(boundary) if boundary else None)
        except (OSError, http.client.HTTPException, ValueError) as error:
            if isinstance(error, CameraLost):
                raise
            raise CameraLost(f"the camera is gone: {error or type(error).__name__}") from error
        finally:
            connection.close()

    def _headers(self) -> dict[str, str]:
        """Return what the request says; http.client leaves a name and password of the address out."""
        headers = {"Accept": "multipart/x-mixed-replace, image/jpeg"}
        if self._parts.username is not None:
            name, password = self._parts.username, self._parts.password or ""
            both = f"{urllib.parse.unquote(name)}:{urllib.parse.unquote(password)}".encode()
            headers["Authorization"] = f"Basic {base64.b64encode(both).decode('ascii')}"
        return headers


def read_parts(stream: http.client.HTTPResponse, boundary: str | None) -> Iterator[bytes]:
    """Yield the JPEG of each part of a multipart stream; parts with and without Content-Length are
    understood.

    Raises:
        CameraLost: if a part is larger than any camera frame or the stream is no multipart.
    """
    if boundary is None:
        raise CameraLost("the camera sends no multipart stream")
    mark = b"--" + boundary.strip('"').removeprefix("--").encode("latin-1")
    while True:
        line = stream.readline(65536)
        if not line:
            return
        if not line.startswith(mark):
            continue
        if line.strip() == mark + b"--":
            return
        length = _part_length(stream)
        jpeg = _exactly(stream, length) if length is not None else _until_mark(stream, mark)
        if jpeg:
            yield jpeg


def _part_length(stream: http.client.HTTPResponse) -> int | None:
    length: int | None = None
    while True:
        line = stream.readline(65536)
        if not line.strip():
            return length
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            length = int(value)
            if not 0 <= length <= MAX_FRAME_BYTES:
                raise CameraLost(f"a frame of {length} bytes")


def _exactly(stream: http.client.HTTPResponse, length: int) -> bytes:
    data = stream.read(length)
    if len(data) < length:
        raise CameraLost("the stream ended inside a frame")
    return data


def _until_mark(stream: http.client.HTTPResponse, mark: bytes) -> bytes:
    """Return the bytes up to the JPEG's end marker, for cameras that give no length."""
    data = bytearray()
    while not data.endswith((b"\xff\xd9", b"\xff\xd9\r\n", b"\xff\xd9\n")):
        line = stream.readline(65536)
        if not line:
            raise CameraLost("the stream ended inside a frame")
        if line.startswith(mark):
            break
        data += line
        if len(data) > MAX_FRAME_BYTES:
            raise CameraLost("a frame without an end")
    return bytes(data).rstrip(b"\r\n")


class V4l2Source(_ThreadSource):
    """A camera of this machine by number (`/dev/video<N>`), through OpenCV; frames are packed as JPEG
    again.

    OpenCV's own log is silenced: it would write several lines at every attempt; `last_error` tells what went
    wrong.
    """

    reopen_pause_ms = NUMBER_PAUSE_MS

    def __init__(
        self,
        index: int,
        *,
        size_px: tuple[int, int] = (1920, 1080),
        clock: Clock = monotonic_ms,
        on_frame: Callable[[Frame], None] | None = None,
    ) -> None:
        super().__init__(clock=clock, on_frame=on_frame)
        self._index = index
        self._size_px = size_px

    def _frames(self) -> Iterator[bytes]:
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
        capture = cv2.VideoCapture()
        try:
            wanted = [
                cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
                OPEN_TIMEOUT_MS,
                cv2.CAP_PROP_READ_TIMEOUT_MSEC,
                READ_TIMEOUT_MS,
            ]
            if not capture.open(self._index, cv2.CAP_V4L2, wanted) and not capture.open(
                self._index, cv2.CAP_V4L2
            ):
                raise CameraLost(f"camera {self._index} cannot be opened")
            capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size_px[0])
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size_px[1])
            while True:
                arrived, image = capture.read()
                if not arrived:
                    raise CameraLost(f"camera {self._index} stopped sending")
                packed, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])
                if packed:
                    yield jpeg.tobytes()
        except cv2.error as error:
            raise CameraLost(f"camera {self._index}: {error}") from error
        finally:
            capture.release()


class FileSource:
    """Frames from a JPEG or PNG file, or from a folder of them in name order, one every 200 ms, the last one
    stays."""

    def __init__(
        self, path: Path | str, *, clock: Clock = monotonic_ms, frame_ms: int = FILE_FRAME_MS
    ) -> None:
        self._path = Path(path)
        self._clock = clock
        self._frame_ms = frame_ms
        self._files: tuple[Path, ...] = ()
        self._opened_ms = 0
        self.last_error = ""
        self._state: SourceState = "closed"

    @property
    def state(self) -> SourceState:
        """closed, up, or lost (nothing readable there)."""
        return self._state

    def open(self) -> None:
        """List the pictures."""
        names = sorted(self._path.iterdir()) if self._path.is_dir() else [self._path]
        self._files = tuple(
            name for name in names if name.suffix.lower() in (".jpg", ".jpeg", ".png") and name.is_file()
        )
        self._opened_ms = self._clock()
        self._state = "up" if self._files else "lost"
        self.last_error = "" if self._files else f"no picture at {self._path}"

    def close(self) -> None:
        """Forget the pictures."""
        self._files = ()
        self._state = "closed"

    def latest(self, after_ms: int = -1) -> Frame | None:
        """Return the picture whose turn it is, as a frame that arrives now."""
        now_ms = self._clock()
        if not self._files or now_ms <= after_ms:
            return None
        turn = min((now_ms - self._opened_ms) // self._frame_ms, len(self._files) - 1)
        try:
            return Frame(self._files[turn].read_bytes(), now_ms)
        except OSError as error:
            self._state, self.last_error = "lost", str(error)
            return None


def open_source(
    camera: str, *, clock: Clock = monotonic_ms, on_frame: Callable[[Frame], None] | None = None
) -> MjpegSource | V4l2Source | FileSource:
    """Return the source for the option `--camera URL|N|DIR`, not opened yet.

    Raises:
        ValueError: if the address is neither http(s), a number, nor a path that exists.
    """
    if camera.isdecimal():
        return V4l2Source(int(camera), clock=clock, on_frame=on_frame)
    if "://" in camera:
        return MjpegSource(camera, clock=clock, on_frame=on_frame)
    if not Path(camera).exists():
        raise ValueError(f"no camera at {camera!r}: give an http address, a number or a folder of pictures")
    return FileSource(camera, clock=clock)
