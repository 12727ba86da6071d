"""The twin's lines over a Unix socket: text lines `<line> <level>` both ways.

The twin sends the level of every input when we connect, and every change after that.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from pathlib import Path

from controller.gpio.claims import Claims, need_level
from controller.gpio.lines import INPUTS
from controller.gpio.port import EdgeCallback, LineMisused, PortUnavailable

FIRST_LEVEL_S = 2.0
"""How long `setup_in` waits for the level that the twin sends at connect."""


class SocketGpioPort:
    """`GpioPort` whose pins are in the twin process."""

    def __init__(self, path: Path) -> None:
        self._claims = Claims()
        self._changed = threading.Condition()
        self._levels: dict[str, int] = {}
        self._listeners: dict[str, EdgeCallback] = {}
        self._gone = False
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            self._socket.close()
            raise PortUnavailable(f"{path}: {error.strerror}") from error
        self._reader = threading.Thread(target=self._read_lines, name="gpio-socket", daemon=True)
        self._reader.start()

    def setup_in(self, line: str) -> None:
        """See `GpioPort.setup_in`."""
        self._claims.claim(line, "in")
        with self._changed:
            if not self._changed.wait_for(lambda: line in self._levels or self._gone, FIRST_LEVEL_S):
                raise PortUnavailable(f"{line}: the twin does not tell its level")
        self._need_peer()

    def setup_out(self, line: str, level: int) -> None:
        """See `GpioPort.setup_out`."""
        need_level(level)
        self._claims.claim(line, "out")
        self._send(line, level)

    def read(self, line: str) -> int:
        """See `GpioPort.read`."""
        self._claims.need(line)
        self._need_peer()
        return self._levels[line]

    def write(self, line: str, level: int) -> None:
        """See `GpioPort.write`."""
        self._claims.need(line, "out")
        self._send(line, need_level(level))

    def on_edge(self, line: str, callback: EdgeCallback) -> None:
        """See `GpioPort.on_edge`."""
        self._claims.need(line, "in")
        with self._changed:
            if line in self._listeners:
                raise LineMisused(f"{line} has a listener already")
            self._listeners[line] = callback

    def close(self) -> None:
        """See `GpioPort.close`."""
        if self._claims.closed:
            return
        for row in self._claims.outputs():
            try:
                self._send(row.name, row.safe)
            except PortUnavailable:
                break
        self._claims.closed = True
        with contextlib.suppress(OSError):  # the twin went first
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        if threading.current_thread() is not self._reader:
            self._reader.join(timeout=1.0)

    def wait_gone(self, timeout_s: float) -> bool:
        """Wait until the twin has ended; returns whether it has."""
        with self._changed:
            return self._changed.wait_for(lambda: self._gone, timeout_s)

    def _need_peer(self) -> None:
        if self._gone:
            raise PortUnavailable("the twin is gone")

    def _send(self, line: str, level: int) -> None:
        self._levels[line] = level
        try:
            self._socket.sendall(f"{line} {level}\n".encode())
        except OSError as error:
            raise PortUnavailable(f"the twin is gone: {error.strerror}") from error

    def _read_lines(self) -> None:
        rest = b""
        while True:
            try:
                data = self._socket.recv(4096)
            except OSError:
                data = b""
            if not data:
                break
            *lines, rest = (rest + data).split(b"\n")
            for text in lines:
                self._take(text.decode("ascii", "replace"))
        with self._changed:
            self._gone = True
            self._changed.notify_all()

    def _take(self, text: str) -> None:
        """Take one line from the twin; what does not read as a known input is skipped."""
        name, _, value = text.strip().partition(" ")
        if name not in INPUTS or value not in ("0", "1"):
            return
        level = int(value)
        with self._changed:
            changed = self._levels.get(name) not in (None, level)
            self._levels[name] = level
            listener = self._listeners.get(name) if changed else None
            self._changed.notify_all()
        if listener is not None and not self._claims.closed:
            listener(name, level)
