"""Which tiles of the drum will come to which side: the wood knows no programme, only which feeds turn."""

from __future__ import annotations

from collections.abc import Sequence


def shares(tiles: int, sides: Sequence[int]) -> dict[int, int]:
    """Return how many tiles come to each of the sides that feed, in whole stacks, every other side first.

    >>> shares(136, (1, 2, 3, 4)), shares(108, (1, 2, 3, 4)), shares(72, (1, 3))
    ({1: 34, 2: 34, 3: 34, 4: 34}, {1: 28, 2: 26, 3: 28, 4: 26}, {1: 36, 3: 36})
    """
    stacks, more = divmod(tiles // 2, len(sides))
    first = [*sides[::2], *sides[1::2]][:more]
    return {side: 2 * (stacks + (side in first)) for side in sides}


def queues(order: Sequence[int], tiles: int, sides: Sequence[int]) -> dict[int, list[int]]:
    """Return the tiles that will come to each side, in order; what is missing is missing on the last one."""
    found: dict[int, list[int]] = {}
    at = 0
    for side, share in shares(tiles, sides).items():
        found[side] = list(order[at : at + share])
        at += share
    found[sides[-1]] += order[at:]
    return found
