"""When a twin goes that was asked to (SIGTERM, ^C): never in the middle of a step, nor of its own end.

A signal's handler runs between any two lines. One that raises wherever it strikes can break off the very
lines that close the twin, and a trace then lacks its last time stamp. So a signal is only noted, and obeyed
where nothing of ours is half done: before the twin is set up, and while it waits for somebody else.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

SIGNALS = (signal.SIGTERM, signal.SIGINT)

_T = TypeVar("_T")


class Leave:
    """The wish to leave. Once the first `wait` has begun, it is obeyed in a `wait` only."""

    def __init__(self) -> None:
        self._is_asked = False
        self._may_go = True

    def listen(self) -> None:
        """Hear the signals from now on; in the main thread."""
        for number in SIGNALS:
            signal.signal(number, self._hear)

    def wait(self, what: Callable[[], _T]) -> _T:
        """Return what `what` returns; it may be broken off anywhere, so it only waits.

        Raises:
            SystemExit: if somebody has asked, before or while it waits.
        """
        self._may_go = True
        try:
            if self._is_asked:  # after the line above: a wish is noted or obeyed, never lost between them
                raise SystemExit(0)
            return what()
        finally:
            self._may_go = False

    def _hear(self, number: int, frame: FrameType | None) -> None:
        self._is_asked = True
        if self._may_go:
            self._may_go = False  # whatever this breaks off is closed in peace
            raise SystemExit(0)
