"""The robots' browser in real time: the service's state as server-sent events, commands as POST."""

from __future__ import annotations

import json
import queue
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from typing import Any

RETRY_S = 0.5
READ_S = 30.0
POST_S = 5.0


class Page:
    """Reads the state for ever, reconnecting, and posts commands one after the other."""

    def __init__(self, url: str, on_screen: Callable[[dict[str, Any]], None]) -> None:
        self._api = url.rstrip("/") + "/api/v1"
        self._on_screen = on_screen
        self._commands: queue.SimpleQueue[tuple[str, dict[str, Any]] | None] = queue.SimpleQueue()
        self._closing = False
        for target in (self._watch, self._send):
            threading.Thread(target=target, name=f"robots-page{target.__name__}", daemon=True).start()

    def post(self, name: str, body: dict[str, Any]) -> None:
        """Send a command, behind those before it."""
        self._commands.put((name, body))

    def close(self) -> None:
        """Stop reading and posting."""
        self._closing = True
        self._commands.put(None)

    def _watch(self) -> None:
        while not self._closing:
            try:
                self._on_screen(self._get("/state"))
                request = urllib.request.Request(
                    self._api + "/events", headers={"Accept": "text/event-stream"}
                )
                with urllib.request.urlopen(request, timeout=READ_S) as answer:
                    for kind, data in server_events(answer):
                        if self._closing:
                            return
                        if kind == "state":
                            self._on_screen(json.loads(data))
            except (OSError, ValueError, urllib.error.URLError):
                pass
            time.sleep(RETRY_S)

    def _get(self, path: str) -> dict[str, Any]:
        with urllib.request.urlopen(self._api + path, timeout=POST_S) as answer:
            state: dict[str, Any] = json.load(answer)
            return state

    def _send(self) -> None:
        while (command := self._commands.get()) is not None:
            name, body = command
            request = urllib.request.Request(
                f"{self._api}/commands/{name}",
                data=json.dumps(body, ensure_ascii=False).encode(),
                headers={"Content-Type": "application/json"},
                method="POST",
            )
            try:
                urllib.request.urlopen(request, timeout=POST_S).close()
            except (OSError, urllib.error.URLError):
                continue  # refused or not there: the script sees it on the screen and tries again


def server_events(lines: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    """Return (kind, data) of each server-sent event.

    >>> list(server_events([b"event: state\\n", b"data: {}\\n", b"\\n", b": ping\\n", b"\\n"]))
    [('state', '{}')]
    """
    kind = "message"
    data: list[str] = []
    for raw in lines:
        line = raw.decode("utf-8").rstrip("\r\n")
        if not line:
            if data:
                yield kind, "\n".join(data)
            kind, data = "message", []
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            kind = value
        elif field == "data":
            data.append(value)
