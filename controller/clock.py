"""Whether the wall clock can be trusted: journal rows carry the answer.

A row's clock is trusted when the kernel says that a time service holds it, when it is later than this code
and than the row before, and when it has not jumped: wall time and a clock that nobody sets went on alike.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime

from controller.journal_rows import Stamp

JUMP_MS = 1_000
"""A time service that holds the clock moves it by 0.5 ms a second at most, and both clocks alike."""
EARLIEST = "2026-01-01T00:00:00.000Z"
"""This code is younger: an earlier time is that of a clock that nobody has set (a Pi has no battery)."""
TRIES = 5
"""A process that is put aside between two reads reads again."""
_TIMEX_BYTES = 512
"""More than `struct timex` takes on any Linux; zero means: read only."""
_TIME_ERROR = 5


def clock_is_trusted() -> bool:
    """Return whether the kernel says that its clock is held by a time service (adjtimex)."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        state: int = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(_TIMEX_BYTES))
    except (OSError, AttributeError):
        return False
    return 0 <= state < _TIME_ERROR


def wall_ms() -> int:
    """Return the wall clock, milliseconds since 1970 (UTC)."""
    return time.time_ns() // 1_000_000


def steady_ms() -> int:
    """Return a clock that nobody sets, in milliseconds; it goes on while the machine sleeps."""
    return time.clock_gettime_ns(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)) // 1_000_000


def utc_text(ms: int) -> str:
    """Return a wall time as rows have it.

    >>> utc_text(1_800_000_000_123)
    '2027-01-15T08:00:00.123Z'
    """
    # not by a float: milliseconds must come out as they went in
    whole = datetime.fromtimestamp(ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{whole}.{ms % 1000:03}Z"


class TrustClock:
    """Stamps rows; the kernel is asked now and then, whether the clock jumped is seen at each row.

    After a jump rows are not trusted until `refresh` finds a clock that is held, and steady since.
    """

    def __init__(
        self,
        is_trusted: Callable[[], bool] = clock_is_trusted,
        *,
        wall: Callable[[], int] = wall_ms,
        steady: Callable[[], int] = steady_ms,
    ) -> None:
        self._is_trusted = is_trusted
        self._wall = wall
        self._steady = steady
        self._offset_ms = self._offset()
        self._has_jumped = False
        self._earliest = EARLIEST
        self._is_held = is_trusted()
        self._told = self.is_ok

    @property
    def is_ok(self) -> bool:
        """Whether a row of now can be trusted."""
        return self._is_held and not self._has_jumped and utc_text(self._wall()) >= self._earliest

    def follow(self, stamp: Stamp | None) -> None:
        """Know the last row of the ledger: a clock that is behind a trusted row is wrong."""
        if stamp is not None and stamp.clock_ok:
            self._earliest = max(self._earliest, stamp.at_utc)
        self._told = self.is_ok

    def refresh(self) -> bool:
        """Ask the kernel again; returns whether the answer is another one than last time."""
        was_steady = not self._jumps()
        self._is_held = self._is_trusted()
        self._has_jumped = self._has_jumped and not (was_steady and self._is_held)
        before, self._told = self._told, self.is_ok
        return self._told != before

    def stamp(self) -> Stamp:
        """Return the time now, see `journal_rows.Stamp`."""
        self._jumps()
        return Stamp(time.monotonic_ns() // 1_000_000, utc_text(self._wall()), self.is_ok)

    def _jumps(self) -> bool:
        """Look whether the wall clock jumped since the last look, and remember it if so."""
        offset_ms = self._offset()
        if abs(offset_ms - self._offset_ms) <= JUMP_MS:
            return False
        self._offset_ms, self._has_jumped = offset_ms, True
        return True

    def _offset(self) -> int:
        """Return how far the wall clock is ahead of the steady one; a pause between the reads is no jump."""
        for _ in range(TRIES):
            before, wall, after = self._steady(), self._wall(), self._steady()
            if after - before <= JUMP_MS // 4:
                break
        return wall - (before + after) // 2
