"""The twin's sockets in real time: GPIO lines as text, faults as JSON."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hardware.twin.stepped import listen_at


class LineServer:
    """`<line> <level>` both ways; a new client hears the level of every input first.

    A line that a client drives to 1 falls to 0 when that client goes away, as a pin of a Pi that is switched
    off does, unless another client holds it too.
    """

    def __init__(
        self, path: Path, levels: Callable[[], dict[str, int]], on_level: Callable[[str, int], None]
    ) -> None:
        self.path = path
        self._levels, self._on_level = levels, on_level
        self._clients: list[socket.socket] = []
        self._held: dict[socket.socket, set[str]] = {}
        self._lock = threading.Lock()
        self._listener = listen_at(path)
        threading.Thread(target=_accept, args=(self._listener, self._serve), name="gpio", daemon=True).start()

    def tell(self, line: str, level: int) -> None:
        """Send a changed input to everyone."""
        with self._lock:
            clients = list(self._clients)
        for client in clients:
            with contextlib.suppress(OSError):
                client.sendall(f"{line} {level}\n".encode())

    def close(self) -> None:
        """Hang up."""
        _close(self._listener, self.path)
        with self._lock:
            for client in self._clients:
                with contextlib.suppress(OSError):
                    client.shutdown(socket.SHUT_RDWR)

    def _serve(self, client: socket.socket) -> None:
        with self._lock:
            text = "".join(f"{line} {level}\n" for line, level in self._levels().items())
            client.sendall(text.encode())
            self._clients.append(client)
            self._held[client] = set()
        try:
            with client.makefile("r", encoding="utf-8") as lines:
                for text in lines:
                    line, _, level = text.strip().partition(" ")
                    if level in ("0", "1"):
                        with self._lock:
                            (self._held[client].add if level == "1" else self._held[client].discard)(line)
                        self._on_level(line, int(level))
        finally:
            with self._lock:
                self._clients.remove(client)
                held = self._held.pop(client) - {line for lines in self._held.values() for line in lines}
            for line in sorted(held):
                self._on_level(line, 0)


class ControlServer:
    """One JSON object a line in, one out."""

    def __init__(self, path: Path, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        self.path = path
        self._answer = answer
        self._listener = listen_at(path)
        threading.Thread(
            target=_accept, args=(self._listener, self._serve), name="control", daemon=True
        ).start()

    def close(self) -> None:
        """Hang up."""
        _close(self._listener, self.path)

    def _serve(self, client: socket.socket) -> None:
        with client.makefile("r", encoding="utf-8") as lines:
            for text in lines:
                try:
                    request = json.loads(text)
                    answer = self._answer(request if isinstance(request, dict) else {})
                except ValueError as error:
                    answer = {"error": str(error)}
                client.sendall(json.dumps(answer).encode() + b"\n")


def _accept(listener: socket.socket, serve: Callable[[socket.socket], None]) -> None:
    while True:
        try:
            client, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=_guarded, args=(client, serve), daemon=True).start()


def _guarded(client: socket.socket, serve: Callable[[socket.socket], None]) -> None:
    with client, contextlib.suppress(OSError, ValueError):
        serve(client)


def _close(listener: socket.socket, path: Path) -> None:
    with contextlib.suppress(OSError):
        listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    path.unlink(missing_ok=True)
