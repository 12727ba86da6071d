"""A thing that travels between two ends, driven by a pair of motor outputs, with switches along the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hardware.twin.plant.schedule import Entry, Schedule, cancel

ROUNDING_US = 1e-3


@dataclass(slots=True)
class Switch:
    """Is on while the position is within [low, high] (0 = bottom, 1 = top); `tell` hears every change."""

    low: float
    high: float
    tell: Callable[[bool], None]
    on: bool = False

    def covers(self, position: float) -> bool:
        """Return whether the switch is on at this position."""
        return self.low - 1e-9 <= position <= self.high + 1e-9


class Travel:
    """Position in [0, 1]; `limit` and `floor` are how far up and down it gets (something in its way)."""

    def __init__(self, schedule: Schedule, up_us: int, down_us: int, switches: list[Switch]) -> None:
        self._schedule = schedule
        self._up_us, self._down_us = up_us, down_us
        self._switches = switches
        self._position = 0.0
        self._since_us = 0
        self._rate = 0.0  # per microsecond
        self._next: Entry | None = None
        self.limit = 1.0
        self.floor = 0.0
        self.on_arrival: Callable[[bool], None] = lambda at_top: None
        self.on_blocked: Callable[[bool], None] = lambda blocked: None
        """Called when a motor drives it against the end of its way, and when none does any more."""
        for switch in switches:
            switch.on = switch.covers(0.0)

    @property
    def position(self) -> float:
        """Return where it is now."""
        moved = self._position + self._rate * (self._schedule.now_us - self._since_us)
        return min(self.limit, max(0.0, moved)) if self._rate > 0 else max(self.floor, moved)

    def put(self, position: float) -> None:
        """Move it by hand."""
        self._position, self._since_us, self._rate = position, self._schedule.now_us, 0.0

    @property
    def is_down(self) -> bool:
        """Return whether it rests at the bottom."""
        return self.position < 0.03  # the board stops at the switch, not at the end

    @property
    def is_up(self) -> bool:
        """Return whether it is at the top."""
        return self.position > 0.97

    @property
    def is_rising(self) -> bool:
        """Return whether a motor drives it up."""
        return self._rate > 0.0

    def drive(self, up: bool, down: bool) -> None:
        """Set the motor pair; both together block each other."""
        self._settle()
        if up == down:
            self._rate = 0.0
        else:
            self._rate = 1.0 / self._up_us if up else -1.0 / self._down_us
        self._plan()

    def _settle(self) -> None:
        self._position = self.position
        self._since_us = self._schedule.now_us

    def _plan(self) -> None:
        """Wake at the next place where a switch changes, or at the end of the way."""
        cancel(self._next)
        self._next = None
        if self._rate == 0.0:
            self.on_blocked(False)
            return
        end = self.limit if self._rate > 0 else self.floor
        marks = [mark for switch in self._switches for mark in (switch.low, switch.high)] + [end]
        ahead = [(mark - self._position) / self._rate for mark in marks]
        # one microsecond past the mark: then the switch has changed for sure
        waits = [wait for wait in ahead if wait > ROUNDING_US]
        self.on_blocked(not waits)
        if waits:
            self._next = self._schedule.after(int(min(waits) + ROUNDING_US) + 1, self._arrive)

    def _arrive(self) -> None:
        was = self._position
        self._settle()
        for switch in self._switches:
            on = switch.covers(self._position)
            if on != switch.on:
                switch.on = on
                switch.tell(on)
        if self._position != was and self._position in (0.0, 1.0):
            self.on_arrival(self._position == 1.0)
        if self._position != was:
            self._plan()
        else:
            self.on_blocked(True)
