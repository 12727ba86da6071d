"""The raw stop: repeated until STATUS tells of a stop newer than what was known when it was asked for."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.messages import StatusReport

STOP_EVERY_MS = 20
STOP_SLOW_MS = 100
STOP_FAST_TRIES = 50


@dataclass(slots=True)
class Stopping:
    """A stop that is wanted, and the stops that the board has told of."""

    due_ms: int | None = None
    tries: int = 0
    told: int | None = None
    """Number of the last stop that the board told of, None in a new boot."""
    before: int | None = None

    @property
    def wanted(self) -> bool:
        """Return whether the pattern is still being repeated."""
        return self.due_ms is not None

    def ask(self, now_ms: int) -> None:
        """A stop is wanted from now on."""
        self.tries, self.due_ms, self.before = 0, now_ms, self.told

    def sent(self, now_ms: int) -> None:
        """The pattern was sent: say when the next copy is due."""
        self.tries += 1
        self.due_ms = now_ms + (STOP_EVERY_MS if self.tries < STOP_FAST_TRIES else STOP_SLOW_MS)

    def hear(self, status: StatusReport) -> None:
        """A STATUS from before the stop does not confirm it: only one that counts a stop more does."""
        self.told = status.stops
        if self.due_ms is not None and self.before is None:
            self.before = status.stops
        elif status.stopped and status.stops != self.before:
            self.due_ms = None

    def new_boot(self) -> None:
        """The board counts its stops anew."""
        self.told = self.before = None
