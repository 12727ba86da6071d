"""An http camera on loopback that sends what a test wants, and pictures to send."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Callable

HEAD = b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n"


def jpeg(number: int) -> bytes:
    return b"\xff\xd8" + bytes([number]) * 300 + b"\xff\xd9"


def jpeg_of(width: int, height: int) -> bytes:
    """Return the head of a JPEG that says it has this size; there are no pixels in it."""
    return b"\xff\xd8\xff\xc0" + struct.pack(">HBHHB", 17, 8, height, width, 3) + bytes(9) + b"\xff\xd9"


def part(data: bytes, with_length: bool = True) -> bytes:
    length = b"Content-Length: %d\r\n" % len(data) if with_length else b""
    return b"--frame\r\nContent-Type: image/jpeg\r\n" + length + b"\r\n" + data + b"\r\n"


class Camera:
    """A camera that sends the bytes of `sessions`, one a connection, then closes or stays silent.

    After them it sends one byte each `drip_s`, if that is given.
    """

    def __init__(self, sessions: list[bytes], keep_open: bool = False, drip_s: float | None = None) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._server.getsockname()[1]}/stream.mjpg"
        self._sessions, self._keep_open = sessions, keep_open
        self._open: list[socket.socket] = []
        self._drip_s, self._over = drip_s, threading.Event()
        self.connections = 0
        self.asked: list[bytes] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        for session in self._sessions:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            self.connections += 1
            self.asked.append(connection.recv(4096))
            connection.sendall(session)
            if self._drip_s is not None:
                self._drip(connection, self._drip_s)
            if self._keep_open:
                self._open.append(connection)
            else:
                connection.close()

    def _drip(self, connection: socket.socket, drip_s: float) -> None:
        try:
            while not self._over.wait(drip_s):
                connection.sendall(b"x")
        except OSError:
            return

    def close(self) -> None:
        self._over.set()
        for connection in self._open:
            connection.close()
        self._server.close()


def asks(challenge: str) -> bytes:
    return f"HTTP/1.1 401 No\r\nContent-Length: 0\r\nWWW-Authenticate: {challenge}\r\n\r\n".encode()


def wait_until(is_so: Callable[[], bool], timeout_s: float = 30.0) -> None:
    until = time.monotonic() + timeout_s
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.01)
