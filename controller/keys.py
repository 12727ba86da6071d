"""Seat keys: debounced edges -> a short press on release, a long one after a second of holding. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

DEBOUNCE_MS = 20
LONG_MS = 1_000

Press = Literal["short", "long"]


@dataclass(slots=True)
class KeyTimer:
    """One key: feed edges, ask at the deadline.

    >>> key = KeyTimer()
    >>> key.edge(1, 0), key.tick(20), key.edge(0, 300), key.tick(320)
    (None, None, None, 'short')
    """

    level: int = 0
    raw: int = 0
    changed_ms: int = 0
    pressed_ms: int | None = None
    fired: bool = False

    def edge(self, level: int, now_ms: int) -> Press | None:
        """Take a new level; returns what `now_ms` completes before it."""
        press = self.tick(now_ms)
        if level != self.raw:
            self.raw, self.changed_ms = level, now_ms
        return press

    def tick(self, now_ms: int) -> Press | None:
        """Return the press that is complete at `now_ms`, once."""
        press: Press | None = None
        if self.raw != self.level and now_ms - self.changed_ms >= DEBOUNCE_MS:
            self.level = self.raw
            if self.level:
                self.pressed_ms, self.fired = self.changed_ms, False
            else:
                held = self.changed_ms - (self.pressed_ms if self.pressed_ms is not None else self.changed_ms)
                if self.pressed_ms is not None and not self.fired:
                    press = "long" if held >= LONG_MS else "short"
                self.pressed_ms = None
        holds = self.level and self.raw and self.pressed_ms is not None and not self.fired
        if holds and self.pressed_ms is not None and now_ms - self.pressed_ms >= LONG_MS:
            self.fired, press = True, "long"
        return press

    def deadline_ms(self) -> int | None:
        """Return when `tick` should be called next, None while nothing is going on."""
        times = []
        if self.raw != self.level:
            times.append(self.changed_ms + DEBOUNCE_MS)
        if self.level and self.raw and self.pressed_ms is not None and not self.fired:
            times.append(self.pressed_ms + LONG_MS)
        return min(times) if times else None
