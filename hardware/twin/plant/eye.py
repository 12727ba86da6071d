"""The photo sensor over a channel: what dirt and light make of the shadow of a tile.

A tile darkens the eye along half a sine; the sensor switches where the signal passes its threshold. Dirt
takes from the signal, so that the pulse gets shorter and at last does not come at all; light of the room
makes short pulses where no tile is. Clean and in the dark a pulse is as it was: nothing is drawn by chance.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from hardware.twin.plant.schedule import Entry, Schedule, cancel

THRESHOLD = 0.35
"""Of the signal of a clean eye (assumption; so the pulse is gone at dirt 0.65)."""
SPREAD = 0.05
"""How unlike one another tiles are to the eye (sigma of the signal, drawn only where there is dirt)."""
MOST_PULSES_A_S = 25.0
RELEASE_US = 1_200
"""A sensor does not go off for less than about a millisecond: two flickers are at least so far apart."""
SHORTEST_US, LONGEST_US = 500, 14_000
"""False pulses at light 1: always shorter than any tile, so that none of them counts as one."""


def pulse_us(clean_us: int, margin: float) -> int:
    """Return how long the sensor is on for a tile that darkens a clean one for `clean_us`, 0 = not at all.

    >>> pulse_us(40_000, 1.0), pulse_us(40_000, 0.6), pulse_us(40_000, 0.3)
    (40000, 31255, 0)
    """
    if margin <= THRESHOLD:
        return 0
    return round(clean_us * math.acos(THRESHOLD / margin) / math.acos(THRESHOLD))


class Eye:
    """The counter of one side; `tell(on)` is its output."""

    def __init__(self, schedule: Schedule, tell: Callable[[bool], None]) -> None:
        self._schedule, self._tell = schedule, tell
        self._tiles = self._pulses = random.Random(0)
        self._is_covered = False
        self._false: Entry | None = None
        self.dirt = 0.0
        self.light = 0.0

    def soil(self, dirt: float, chance: random.Random) -> None:
        """Dirt from 0 (clean) to 1 (blind)."""
        self.dirt, self._tiles = dirt, chance

    def shine(self, light: float, chance: random.Random) -> None:
        """Light of the room from 0 (dark) to 1 (sun right into the eye)."""
        self.shade()
        self.light, self._pulses = light, chance
        if light > 0.0:
            self._next_false()

    def wipe(self) -> None:
        """Someone wipes it."""
        self.dirt = 0.0

    def shade(self) -> None:
        """Someone keeps the light off."""
        self.light = 0.0
        if self._false is not None:
            cancel(self._false)
            self._false = None
            if not self._is_covered:
                self._tell(False)

    def cover(self, clean_us: int | None) -> bool:
        """A tile comes under it and stays until `uncover`: after `clean_us`, or (None) until someone takes it
        out. Returns whether the sensor will see it."""
        self._is_covered = True
        if self.dirt <= 0.0 or clean_us is None:
            self._tell(self.dirt < 1.0 - THRESHOLD)
            return self.dirt < 1.0 - THRESHOLD
        self._tell(False)
        width_us = pulse_us(clean_us, (1.0 - self.dirt) * self._tiles.gauss(1.0, SPREAD))
        if width_us:
            self._schedule.after((clean_us - width_us) // 2, lambda: self._tell(True))
            self._schedule.after((clean_us + width_us) // 2, lambda: self._tell(False))
        return width_us > 0

    def uncover(self) -> None:
        """The tile has passed, or was taken out."""
        self._is_covered = False
        self._tell(False)

    def _next_false(self) -> None:
        wait_s = self._pulses.expovariate(MOST_PULSES_A_S * self.light)
        self._false = self._schedule.after(RELEASE_US + int(wait_s * 1e6), self._false_pulse)

    def _false_pulse(self) -> None:
        width_us = SHORTEST_US + int(self._pulses.random() * (LONGEST_US - SHORTEST_US) * self.light)
        if not self._is_covered:
            self._tell(True)
        self._false = self._schedule.after(width_us, self._false_over)

    def _false_over(self) -> None:
        if not self._is_covered:
            self._tell(False)
        self._next_false()
