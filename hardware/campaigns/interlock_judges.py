"""Judges of the campaign of interlocks that hear every change of the motors and remember."""

from __future__ import annotations

from hardware.campaigns.core import MOTOR, SIDES, STACKERS

REVERSE = MOTOR["reverse"]
REVERSIBLE = STACKERS | sum(MOTOR[f"feed_{n}"] for n in SIDES)
REST_MS = 150
TICK_MS = 1
WINDOW_MS = 600_000
ALOUD, AGAIN = 1.1, 0.4
"""The firmware looks at the motors ten times a second: so much more than the limit is a rule broken, and so
far below it the motor may be started again for sure."""


class Direction:
    """Feeds and stackers are driven the other way only after a rest, and no relay switches under power."""

    def __init__(self) -> None:
        self.switched = 0
        self.reset()

    def reset(self) -> None:
        """The chip starts anew: its motors stand."""
        self._bits = 0
        self._ran = {False: -REST_MS, True: -REST_MS}

    def change(self, at_ms: int, bits: int) -> str | None:
        """Hear that the motors are now these; returns what is wrong with it."""
        was_back, back = bool(self._bits & REVERSE), bool(bits & REVERSE)
        ran, runs = self._bits & REVERSIBLE, bits & REVERSIBLE
        self._bits = bits
        if ran:
            self._ran[was_back] = at_ms
        self.switched += back != was_back
        if back != was_back and ran and runs:
            return f"relays switch while {runs:04x} run"
        rested = at_ms - self._ran[not back]
        if runs & ~ran and rested < REST_MS - TICK_MS:
            return f"{runs:04x} turn the other way after {rested} ms"
        return None


class Duty:
    """How warm each motor is, by the same law as the firmware's, to the millisecond."""

    def __init__(self, percent: int) -> None:
        self._percent = percent
        self._limit = WINDOW_MS * percent * (100 - percent) / 100
        self._heat = [0.0] * 16
        self._hot = 0
        self._bits = 0
        self._at_ms = 0

    def until(self, now_ms: int, bits: int) -> int:
        """Let time pass with the motors as they were; now they are these. Returns those far too warm."""
        ms, over = now_ms - self._at_ms, 0
        self._at_ms = now_ms
        for bit in range(16):
            runs = self._bits >> bit & 1
            self._heat[bit] = max(0.0, self._heat[bit] + ms * (100 * runs - self._percent))
            if self._heat[bit] >= self._limit:
                self._hot |= 1 << bit
            elif self._heat[bit] < AGAIN * self._limit:
                self._hot &= ~(1 << bit)
            if runs and self._heat[bit] > ALOUD * self._limit:
                over |= 1 << bit
        self._bits = bits
        return over

    @property
    def must_rest(self) -> int:
        """Return the motors that no order may start."""
        return self._hot
