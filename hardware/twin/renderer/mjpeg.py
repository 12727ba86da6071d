"""The camera's socket: MJPEG on loopback, the same picture again when nothing moved, as a camera does.

Nothing but pixels leaves: no server name, date, file name or header tells what is on the table.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable
from enum import Enum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

_BOUNDARY = "frame"
_SEND_TIMEOUT_S = 2.0


class Health(Enum):
    """How the camera is: `FROZEN` repeats one picture for ever, `GONE` drops and refuses every connection."""

    WELL = "well"
    FROZEN = "frozen"
    GONE = "gone"


class MjpegServer:
    """Serves `get_jpeg()` at `fps` on http://127.0.0.1:PORT/stream.mjpg, single pictures on /frame.jpg.

    `get_jpeg` is called in one thread, `fps` times a second while anyone watches, and once at the start.
    """

    def __init__(self, get_jpeg: Callable[[], bytes], fps: float = 5.0, port: int = 0) -> None:
        self._get_jpeg = get_jpeg
        self._period_s = 1.0 / fps
        self._frame = get_jpeg()
        self._number = 0
        self._health = Health.WELL
        self._changed = threading.Condition()
        self._stopping = threading.Event()
        self._watchers = 0
        self._connections: set[socket.socket] = set()
        self._server = _Server(self, port)
        self._threads = [
            threading.Thread(target=self._server.serve_forever, args=(0.1,), name="camera-http", daemon=True),
            threading.Thread(target=self._pump, name="camera-pump", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """Return the address of the stream."""
        return f"http://127.0.0.1:{self.port}/stream.mjpg"

    @property
    def health(self) -> Health:
        return self._health

    def freeze(self) -> None:
        """Go on sending the present picture, byte for byte, whatever happens on the table."""
        self._set(Health.FROZEN)

    def unplug(self) -> None:
        """Drop every connection and refuse new ones."""
        self._set(Health.GONE)
        self._drop_all()

    def recover(self) -> None:
        """End a fault: live pictures again, connections welcome."""
        self._set(Health.WELL)

    def stop(self) -> None:
        """End the stream, all connections and threads; may be called twice."""
        if self._stopping.is_set():
            return
        self._stopping.set()
        with self._changed:
            self._changed.notify_all()
        self._server.shutdown()
        self._server.server_close()
        self._drop_all()
        for thread in self._threads:
            thread.join(timeout=5)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def picture(self) -> bytes | None:
        """Return a fresh picture (the same one while frozen), or None if the camera is gone."""
        if self._health is Health.GONE or self._stopping.is_set():
            return None
        if self._health is Health.WELL:
            with self._changed:
                self._watchers += 1  # asks the pump for one fresh picture
                seen = self._number
                self._changed.wait_for(lambda: self._number != seen or self._stopping.is_set(), 5)
                self._watchers -= 1
        return self._frame

    def _set(self, health: Health) -> None:
        with self._changed:
            self._health = health
            self._changed.notify_all()

    def _pump(self) -> None:
        due = time.monotonic()
        while not self._stopping.is_set():
            with self._changed:
                watched = self._watchers > 0
                health = self._health
            if watched:
                frame = self._get_jpeg() if health is Health.WELL else self._frame
                with self._changed:
                    if self._health is not Health.FROZEN:  # it may have been frozen meanwhile
                        self._frame = frame
                    self._number += 1
                    self._changed.notify_all()
            due = max(due + self._period_s, time.monotonic())
            self._stopping.wait(max(0.0, due - time.monotonic()))

    def _watch(self, send: Callable[[bytes], object]) -> None:
        """Send every new picture until the camera goes or the client leaves; a slow client misses some."""
        with self._changed:
            self._watchers += 1
        seen = -1
        try:
            while True:
                with self._changed:
                    self._changed.wait_for(
                        lambda last=seen: self._number != last or self._over(),  # type: ignore[misc]
                        1.0,
                    )
                    if self._over():
                        return
                    fresh, frame, seen = self._number != seen, self._frame, self._number
                if fresh:
                    head = (
                        f"--{_BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(frame)}\r\n\r\n"
                    )
                    send(head.encode() + frame + b"\r\n")
        finally:
            with self._changed:
                self._watchers -= 1

    def _over(self) -> bool:
        return self._stopping.is_set() or self._health is Health.GONE

    def _drop_all(self) -> None:
        with self._changed:
            connections, self._connections = self._connections, set()
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _opened(self, connection: socket.socket) -> bool:
        with self._changed:
            if self._over():
                return False
            self._connections.add(connection)
            return True

    def _closed(self, connection: socket.socket) -> None:
        with self._changed:
            self._connections.discard(connection)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, camera: MjpegServer, port: int) -> None:
        self.camera = camera
        super().__init__(("127.0.0.1", port), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a client that leaves in the middle of a picture is no error of the camera."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = _SEND_TIMEOUT_S

    def handle(self) -> None:
        camera = self.server.camera
        if not camera._opened(self.connection):
            return
        try:
            super().handle()
        finally:
            camera._closed(self.connection)

    def do_GET(self) -> None:
        camera = self.server.camera
        path = self.path.partition("?")[0]
        if path == "/stream.mjpg":
            self._head(200, f"multipart/x-mixed-replace; boundary={_BOUNDARY}", None)
            camera._watch(self.wfile.write)
        elif path == "/frame.jpg":
            frame = camera.picture()
            if frame is not None:
                self._head(200, "image/jpeg", len(frame))
                self.wfile.write(frame)
        else:
            self._head(404, "text/plain", 0)

    def _head(self, status: int, kind: str, length: int | None) -> None:
        self.send_response_only(status)
        self.send_header("Content-Type", kind)
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""
