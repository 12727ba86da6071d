"""An IP camera by http: multipart/x-mixed-replace JPEG. Raw bytes are kept, nothing is decoded."""

from __future__ import annotations

import contextlib
import http.client
import io
import socket
import time
import urllib.parse
from collections.abc import Callable, Iterator
from typing import Any

from vision.errors import CameraLost

from .frame import MAX_FRAME_BYTES, Clock, Frame, monotonic_ms
from .http_login import Login
from .thread import OPEN_TIMEOUT_MS, READ_TIMEOUT_MS, STALE_MS, Frames, ThreadSource

LINE_BYTES = 65536
BEGIN, END = b"\xff\xd8", b"\xff\xd9"
END_REACH = 4096
"""Some cameras fill their last block up after the picture's end mark, which cannot stand inside a scan."""


class MjpegSource(ThreadSource):
    """A camera at http:// or https://; name and password of the address are sent when it asks for them.

    Raises:
        ValueError: if the address has another scheme, no host, a port that is no number or a blank.
    """

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
            raise ValueError("a camera address starts with http:// or https:// and a host")
        if any(char <= " " or char > "~" for char in parts.path + parts.query + parts.hostname):
            raise ValueError("a camera address has no blanks and no letters beyond ASCII: write them as %20")
        self._parts, self._port = parts, parts.port
        self._target = urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, ""))
        self._login = Login(parts.username, parts.password)
        self._open_timeout_s = open_timeout_ms / 1000
        self._read_timeout_s = read_timeout_ms / 1000
        self._socket: socket.socket | None = None

    def _frames(self) -> Frames:
        kind = http.client.HTTPSConnection if self._parts.scheme == "https" else http.client.HTTPConnection
        assert self._parts.hostname is not None
        connection = kind(self._parts.hostname, self._port, timeout=self._open_timeout_s)
        connection.response_class = _PatientResponse
        try:
            with contextlib.closing(self._answer(connection)) as response:
                boundary = response.headers.get_param("boundary")
                response.patience.allow(STALE_MS / 1000, self._read_timeout_s)
                for jpeg in self._whole(read_parts(response, str(boundary) if boundary else None)):
                    yield jpeg
                    response.patience.allow(STALE_MS / 1000, self._read_timeout_s)
        except CameraLost:
            raise
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise CameraLost(f"it is gone: {error or type(error).__name__}") from error
        finally:
            self._socket = None
            connection.close()

    def _whole(self, parts: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the parts that are whole pictures.

        Raises:
            CameraLost: if none has been for `READ_TIMEOUT_MS`.
        """
        broken_since_ms: int | None = None
        for part in parts:
            if part.startswith(BEGIN) and part.rfind(END, -END_REACH) >= 0:
                broken_since_ms = None
                yield part
            elif broken_since_ms is None:
                broken_since_ms = self._clock()
            elif self._clock() - broken_since_ms >= READ_TIMEOUT_MS:
                raise CameraLost("what it sends are no whole JPEG pictures")

    def _answer(self, connection: http.client.HTTPConnection) -> _PatientResponse:
        """Return the answer that carries the stream, after the login if the camera asks for one."""
        for _ in range(2):
            connection.connect()
            self._socket = connection.sock
            headers = {"Accept": "multipart/x-mixed-replace, image/jpeg"}
            headers |= self._login.headers("GET", self._target)
            connection.request("GET", self._target, headers=headers)
            response = connection.getresponse()
            assert isinstance(response, _PatientResponse)
            if response.status == 200:
                return response
            response.close()
            connection.close()
            if response.status != 401:
                raise CameraLost(f"it answers {response.status}")
            if not self._login.learn(response.headers.get_all("WWW-Authenticate")):
                break
        raise CameraLost("it asks for another name and password (401)")

    def _interrupt(self) -> None:
        sock = self._socket
        if sock is not None:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)


class _Patience(io.RawIOBase):
    """The bytes of a socket, for a limited time: a camera that sends a byte a second is lost too."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket) -> None:
        self._raw, self._sock = raw, sock
        self.allow(OPEN_TIMEOUT_MS / 1000, OPEN_TIMEOUT_MS / 1000)

    def allow(self, whole_s: float, quiet_s: float) -> None:
        """Allow `whole_s` from now for what comes next, and `quiet_s` without a byte in it."""
        self._until_s, self._quiet_s = time.monotonic() + whole_s, quiet_s

    def readable(self) -> bool:
        """See `io.RawIOBase`."""
        return True

    def readinto(self, buffer: Any) -> int | None:
        """See `io.RawIOBase`.

        Raises:
            TimeoutError: when the time is over.
        """
        left_s = self._until_s - time.monotonic()
        if left_s <= 0:
            raise TimeoutError("too slow")
        self._sock.settimeout(min(left_s, self._quiet_s))
        try:
            return self._raw.readinto(buffer)
        except TimeoutError as error:
            raise TimeoutError("too slow" if left_s < self._quiet_s else "silent") from error

    def close(self) -> None:
        """See `io.RawIOBase`."""
        self._raw.close()
        super().close()


class _PatientResponse(http.client.HTTPResponse):
    """An answer whose bytes come through `_Patience`."""

    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.patience = _Patience(self.fp.detach(), sock)
        self.fp = io.BufferedReader(self.patience)


def read_parts(stream: http.client.HTTPResponse, boundary: str | None) -> Iterator[bytes]:
    """Yield the JPEG of each part of a multipart stream; parts with and without Content-Length are
    understood.

    Raises:
        CameraLost: if a part is larger than any camera frame or the stream is no multipart.
    """
    if boundary is None:
        raise CameraLost("it sends no multipart stream")
    mark = b"--" + boundary.strip('"').removeprefix("--").encode("latin-1")
    while True:
        line = stream.readline(LINE_BYTES)
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
        line = stream.readline(LINE_BYTES)
        if not line.strip():
            return length
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            length = int(value)
            if not 0 <= length <= MAX_FRAME_BYTES:
                raise CameraLost(f"a frame of {length} bytes, at most {MAX_FRAME_BYTES} are taken")


def _exactly(stream: http.client.HTTPResponse, length: int) -> bytes:
    data = stream.read(length)
    if len(data) < length:
        raise CameraLost("the stream ended inside a frame")
    return data


def _until_mark(stream: http.client.HTTPResponse, mark: bytes) -> bytes:
    """Return the bytes up to the JPEG's end marker, for cameras that give no length."""
    data = bytearray()
    while not data.endswith((b"\xff\xd9", b"\xff\xd9\r\n", b"\xff\xd9\n")):
        line = stream.readline(LINE_BYTES)
        if not line:
            raise CameraLost("the stream ended inside a frame")
        if line.startswith(mark):
            break
        data += line
        if len(data) > MAX_FRAME_BYTES:
            raise CameraLost("a frame without an end")
    return bytes(data).rstrip(b"\r\n")
