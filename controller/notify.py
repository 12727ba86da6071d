"""Tells a service manager (systemd) that we are ready, alive and ending: a datagram each, as sd_notify(3).

Without a manager (`NOTIFY_SOCKET` is not set) nothing is sent. "Alive" is said only while the brain answers a
question through its own mailbox, so that a hung brain is started anew although its pages still answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Awaitable, Callable, Mapping

from controller.inputs import PageCommand
from controller.live import BrainThread
from controller.live_parts import Stopping

START_S = 120.0
"""As in the unit: so long may a start be silent."""
BEATS_PER_LIMIT = 3
"""Words of life in the time after which the manager gives us up: one may be late, another lost."""


class Manager:
    """The service manager of this process, or nobody."""

    def __init__(self, environ: Mapping[str, str] = os.environ, pid: int | None = None) -> None:
        path = environ.get("NOTIFY_SOCKET", "")
        self._address = f"\0{path[1:]}" if path.startswith("@") else path
        meant = environ.get("WATCHDOG_PID", "")
        limit = environ.get("WATCHDOG_USEC", "")
        is_ours = not meant or meant == str(os.getpid() if pid is None else pid)
        self.watchdog_s = int(limit) / 1e6 if limit.isdecimal() and int(limit) and is_ours else None
        """Seconds of silence after which we are given up, None = nobody listens for life."""

    def starting(self, status: str) -> None:
        """The start goes on: it may take `START_S` more from now."""
        self._tell(f"EXTEND_TIMEOUT_USEC={int(START_S * 1e6)}\nSTATUS={status}")

    def ready(self, status: str) -> None:
        """The service can be used; `status` is shown by `systemctl status`."""
        self._tell(f"READY=1\nSTATUS={status}")

    def alive(self) -> None:
        """A word of life."""
        self._tell("WATCHDOG=1")

    def stopping(self) -> None:
        """The service ends by itself or because it was told to."""
        self._tell("STOPPING=1")

    def _tell(self, text: str) -> None:
        if not self._address or not hasattr(socket, "AF_UNIX"):
            return
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
            sock.setblocking(False)
            sock.sendto(text.encode(), self._address)


async def keep_alive(manager: Manager, is_alive: Callable[[float], Awaitable[bool]]) -> None:
    """Say that we live for as long as we do; returns at once where nobody listens.

    Args:
        is_alive: asked with the seconds that the answer may take.
    """
    if manager.watchdog_s is None:
        return
    pause_s = manager.watchdog_s / BEATS_PER_LIMIT
    while True:
        if await is_alive(pause_s):
            manager.alive()
        await asyncio.sleep(pause_s)


async def brain_answers(brain: BrainThread, limit_s: float) -> bool:
    """Return whether the brain takes a question from its mailbox and answers within the limit.

    A brain that waits for room on the disk lives: a new one would wait, too.
    """
    try:
        asked = asyncio.wrap_future(brain.ask(PageCommand("", "", {}, "spectator")))
        await asyncio.wait_for(asked, limit_s)
    except TimeoutError:
        return brain.has_no_room
    except Stopping:
        return False
    return True
