"""Mechanical contacts bounce: a switch or key that changes closes and opens a few times before it rests."""

from __future__ import annotations

from collections.abc import Callable

from hardware.twin.plant.chance import stream
from hardware.twin.plant.schedule import Entry, Schedule, cancel

MECHANICAL = frozenset({"limit", "switch", "key", "rotary"})
"""Kinds of devices.toml with contacts; photo and opto sensors do not bounce."""
GAP_US = (80, 450)
MOST_FLIPS = 3
"""At most 3 times back and forth within 2.7 ms: below the least debounce_ms of a contact, 5 (the e-stop)."""


class Bouncer:
    """Puts levels on contacts. The bounce depends on seed, contact and how often it changed, not on time."""

    def __init__(self, seed: int, schedule: Schedule, put: Callable[[str, bool], None]) -> None:
        self._seed, self._schedule, self._put = seed, schedule, put
        self._changes: dict[str, int] = {}
        self._due: dict[str, list[Entry]] = {}

    def change(self, device: str, on: bool) -> None:
        """Change a contact, now and with its bounces; a change in the middle of others ends them."""
        for entry in self._due.get(device, ()):
            cancel(entry)
        number = self._changes[device] = self._changes.get(device, 0) + 1
        rng = stream(self._seed, "bounce", device, number)
        at_us = 0
        entries = []
        for flip in range(2 * rng.randint(0, MOST_FLIPS)):
            at_us += rng.randint(*GAP_US)
            level = on if flip % 2 else not on
            entries.append(self._schedule.after(at_us, lambda level=level: self._put(device, level)))  # type: ignore[misc]
        self._due[device] = entries
        self._put(device, on)
