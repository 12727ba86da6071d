"""Named streams of chance: the same name gives the same numbers, whatever else happened before."""

from __future__ import annotations

import random


def stream(seed: int, *name: object) -> random.Random:
    """Return a generator that depends on the seed and the name only.

    >>> stream(1, "dice", 3).randint(1, 6) == stream(1, "dice", 3).randint(1, 6)
    True
    """
    return random.Random("/".join(map(str, (seed, *name))))
