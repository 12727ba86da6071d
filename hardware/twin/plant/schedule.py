"""The agenda of the simulated world: what will happen at which microsecond, in order, cancellable."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(order=True, slots=True)
class Entry:
    """Something due at `at_us`; entries of one instant run in the order they were made."""

    at_us: int
    number: int
    action: Callable[[], None] = field(compare=False)
    live: bool = field(default=True, compare=False)


class Schedule:
    """A queue of actions; `now_us` is the time up to which the world has been played."""

    def __init__(self) -> None:
        self.now_us = 0
        self._heap: list[Entry] = []
        self._made = 0
        self.after_each: Callable[[], None] | None = None
        """Called when something happened (a look at the whole world after every step of it)."""

    def after(self, delay_us: int, action: Callable[[], None]) -> Entry:
        """Plan `action` for `delay_us` from now and return its entry."""
        self._made += 1
        entry = Entry(self.now_us + max(0, delay_us), self._made, action)
        heapq.heappush(self._heap, entry)
        return entry

    def next_us(self) -> int | None:
        """Return when the next action is due, or None."""
        while self._heap and not self._heap[0].live:
            heapq.heappop(self._heap)
        return self._heap[0].at_us if self._heap else None

    def play(self, until_us: int) -> int:
        """Let time pass to `until_us`, running what is due; returns how many actions ran."""
        ran = 0
        while (due := self.next_us()) is not None and due <= until_us:
            entry = heapq.heappop(self._heap)
            self.now_us = max(self.now_us, entry.at_us)
            entry.live = False
            entry.action()
            if self.after_each is not None:
                self.after_each()
            ran += 1
        self.now_us = max(self.now_us, until_us)
        return ran


def cancel(entry: Entry | None) -> None:
    """Take an entry back; None and a past one are harmless."""
    if entry is not None:
        entry.live = False


def is_due(entry: Entry | None) -> bool:
    """Return whether an entry is still to come."""
    return entry is not None and entry.live
