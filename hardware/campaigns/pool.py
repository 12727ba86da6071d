"""Parts of a campaign on all cores: each has tables of its own, so nothing depends on the order."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from hardware.campaigns.progress import Progress

SHOWN = 10
F = TypeVar("F")
"""The figures of a campaign: a dataclass of counts and lists, also by name."""
P = TypeVar("P")


@dataclass
class Shown:
    """The first few differences, for people: figures are made on it."""

    shown: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        """Keep a difference if there is still room."""
        if len(self.shown) < SHOWN:
            self.shown.append(text)


def spread(
    part: Callable[[P], F], parts: Sequence[P], what: str, pieces: Callable[[P], int] = lambda each: 1
) -> list[F]:
    """Return the figures of all parts, in their order; who waits is told how many `what` are done."""
    workers = min(len(parts), os.cpu_count() or 1)
    figures = []
    with Progress(sum(map(pieces, parts)), what) as progress:
        if workers <= 1:
            for each in parts:
                figures.append(part(each))
                progress.add(pieces(each))
            return figures
        with ProcessPoolExecutor(workers, initializer=_end_at_once) as pool:
            for each, got in zip(parts, pool.map(part, parts), strict=True):
                figures.append(got)
                progress.add(pieces(each))
    return figures


def _end_at_once() -> None:
    """Ctrl-C reaches every process of the terminal: a worker ends without a word, the parent speaks."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def total(into: F, parts: Sequence[F]) -> F:
    """Add the figures of all parts to `into` and return it."""
    for each in parts:
        for name, value in vars(each).items():
            sum_so_far = getattr(into, name)
            if isinstance(value, dict):
                for key, count in value.items():
                    sum_so_far[key] = sum_so_far[key] + count if key in sum_so_far else count
            else:
                setattr(into, name, sum_so_far + value)
    return into
