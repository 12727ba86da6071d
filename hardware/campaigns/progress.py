"""How far a campaign is, and how long yet: a line on stderr for a person at a terminal, else nothing."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

EVERY_S = 0.5
ENOUGH_S = 3.0
"""Before that nobody can say how long it takes."""


class Progress:
    """Counts what is done of `whole` pieces, which `what` names. As a context manager it wipes its line."""

    def __init__(self, whole: int, what: str) -> None:
        self._whole, self._what = whole, what
        self._done = 0
        self._shown = False
        self._begun = time.monotonic()
        self._next = self._begun if sys.stderr.isatty() else float("inf")
        self._show()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def add(self, count: int = 1) -> None:
        """So many more are done."""
        self._done += count
        self._show()

    def _show(self) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + EVERY_S
            self._shown = True
            text = told(self._done, self._whole, self._what, now - self._begun)
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def told(done: int, whole: int, what: str, passed_s: float) -> str:
    """Return the line.

    >>> told(500, 2_000, "builds", 60.0)
    '500 of 2,000 builds, 3 min left'
    >>> told(0, 21, "trials", 1.0)
    '0 of 21 trials'
    """
    line = f"{done:,} of {whole:,} {what}"
    if not done or passed_s < ENOUGH_S:
        return line
    left_s = passed_s / done * max(0, whole - done)
    return f"{line}, " + (f"{left_s / 60:.0f} min left" if left_s >= 90 else f"{left_s:.0f} s left")
