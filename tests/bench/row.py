"""One printed figure."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """`figure` in `unit`; `budget` says what DESIGN asks for, empty when nothing is asked."""

    name: str
    figure: float
    unit: str
    budget: str = ""

    def text(self) -> str:
        """Return the row as one aligned line."""
        return f"{self.name:<58} {self.figure:>10.3f} {self.unit:<8} {self.budget}"


def p99(values: Sequence[float]) -> float:
    """Return the 99th percentile by nearest rank."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(0.99 * len(ordered)) - 1)]


def median(values: Sequence[float]) -> float:
    """Return the median."""
    return statistics.median(values)
