"""Where the board's milliseconds stand on the host's clock: the sample that can be least wrong counts.

An answer was made somewhere between question and answer, so it is at most half a round trip off, and a bit
more with every second since: the board's resonator may drift. A status that came unasked may be late.
"""

from __future__ import annotations

from dataclasses import dataclass

DRIFT = 0.005
"""Ceramic resonator of the boards in question: 0.5 %."""
UNASKED_MS = 10.0
"""What an unasked status may be late: 2 ms on the wire at 250 kBd, the rest in the host."""
WRAP = 1 << 32


@dataclass(slots=True)
class BoardClock:
    """Translates the board's uptime into host time."""

    _uptime_ms: int = 0
    _host_ms: float = 0.0
    _error_ms: float | None = None

    def answered(self, uptime_ms: int, asked_ms: int, heard_ms: int) -> None:
        """Take an answer that tells the uptime."""
        half = (heard_ms - asked_ms) / 2
        self._take(uptime_ms, asked_ms + half, half + 1.0, heard_ms)

    def told(self, uptime_ms: int, heard_ms: int) -> None:
        """Take an uptime that came unasked."""
        self._take(uptime_ms, heard_ms - 2.0, UNASKED_MS, heard_ms)

    def new_boot(self) -> None:
        """Forget: the board counts from 0 again."""
        self._error_ms = None

    def error_ms(self, now_ms: int) -> float | None:
        """Return how far off a translated time may be now; None before the first sample."""
        if self._error_ms is None:
            return None
        return self._error_ms + DRIFT * abs(now_ms - self._host_ms)

    def host_ms(self, uptime_ms: int) -> int | None:
        """Return the host's time of an uptime, None before the first sample; it wraps after 49 days."""
        if self._error_ms is None:
            return None
        ahead = (uptime_ms - self._uptime_ms + WRAP // 2) % WRAP - WRAP // 2
        return round(self._host_ms + ahead)

    def _take(self, uptime_ms: int, host_ms: float, error_ms: float, now_ms: int) -> None:
        known = self.error_ms(now_ms)
        if known is None or error_ms <= known:
            self._uptime_ms, self._host_ms, self._error_ms = uptime_ms, host_ms, error_ms
