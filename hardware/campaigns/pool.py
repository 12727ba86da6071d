"""Parts of a campaign on all cores: each has tables of its own, so nothing depends on the order."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

F = TypeVar("F")
"""The figures of a campaign: a dataclass of counts, lists, and counts by name."""
P = TypeVar("P")


def spread(part: Callable[[P], F], parts: Sequence[P]) -> list[F]:
    """Return the figures of all parts, in their order."""
    workers = min(len(parts), os.cpu_count() or 1)
    if workers <= 1:
        return [part(each) for each in parts]
    with ProcessPoolExecutor(workers) as pool:
        return list(pool.map(part, parts))


def total(into: F, parts: Sequence[F]) -> F:
    """Add the figures of all parts to `into` and return it."""
    for each in parts:
        for name, value in vars(each).items():
            sum_so_far = getattr(into, name)
            if isinstance(value, dict):
                for key, count in value.items():
                    sum_so_far[key] = sum_so_far.get(key, 0) + count
            else:
                setattr(into, name, sum_so_far + value)
    return into
