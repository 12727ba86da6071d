"""A bad serial wire: bytes flipped, dropped and put in by a seed, and the frames touched are counted."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rates:
    """Chances for each byte."""

    flip: float = 0.0
    drop: float = 0.0
    insert: float = 0.0

    @property
    def any(self) -> float:
        """Return the chance that something happens to a byte."""
        return self.flip + self.drop + self.insert


QUIET = Rates()


class Noise:
    """One direction of the wire."""

    def __init__(self, seed: int, rates: Rates = QUIET) -> None:
        self._random = random.Random(seed)
        self.frames = 0
        """Frames that went in."""
        self.corrupted = 0
        """Frames of which at least one byte was touched."""
        self.bytes = 0
        """Bytes that were touched."""
        self._open = False
        self._touched = False
        self.set(rates)

    def set(self, rates: Rates) -> None:
        """From now on damage so much."""
        self._rates = rates
        self._gap = self._draw()

    def _draw(self) -> int:
        """Return how many bytes pass whole before the next one that is touched."""
        if not self._rates.any:
            return 1 << 62
        return int(math.log(1.0 - self._random.random()) / math.log(1.0 - self._rates.any))

    def through(self, data: bytes) -> bytes:
        """Return what arrives of `data`."""
        if self._gap >= len(data):
            self._gap -= len(data)
            self._count(data, ())
            return data
        out, at, touched = bytearray(), 0, []
        while self._gap < len(data) - at:
            hit = at + self._gap
            out += data[at:hit] + self._damage(data[hit])
            touched.append(hit)
            at, self._gap = hit + 1, self._draw()
        self._gap -= len(data) - at
        self._count(data, touched)
        return bytes(out + data[at:])

    def _damage(self, byte: int) -> bytes:
        self.bytes += 1
        dice = self._random.random() * self._rates.any
        if dice < self._rates.flip:
            return bytes([byte ^ 1 << self._random.randrange(8)])
        if dice < self._rates.flip + self._rates.drop:
            return b""
        return bytes([byte, self._random.randrange(256)])

    def _count(self, data: bytes, touched: list[int] | tuple[()]) -> None:
        at = 0
        hits = iter(touched)
        hit = next(hits, len(data))
        for part in data.split(b"\0"):
            end = at + len(part)  # the delimiter, or the end of the data
            self._open |= bool(part)
            while hit <= end and hit < len(data):
                self._touched, hit = True, next(hits, len(data))
            if end < len(data) and self._open:
                self.frames += 1
                self.corrupted += self._touched
                self._open = self._touched = False
            at = end + 1
