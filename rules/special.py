"""How many tiles a hand lacks to be one of the shapes that are not sets and a pair; exact, 0 = complete.

All functions take the counts of the 34 kinds among the standing tiles (13 or 14 of them, less three per meld)
and the number of declared melds; `FAR` means that these melds rule the shape out.
Source: 1998 rules, thirteen orphans 十三幺, honors and knitted tiles 全不靠 (七星不靠 with all seven honors),
knitted straight 组合龙.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations

from rules.distance import FAR, MAX_SETS, honor_row, suit_row
from rules.packed import ORPHANS
from rules.tiles import KINDS_WITHOUT_FLOWERS

_ORPHANS = tuple(index for index in range(KINDS_WITHOUT_FLOWERS) if ORPHANS >> index & 1)
# the six ways to give 147, 258 and 369 to the three suits
_ARRANGEMENTS = tuple((first, second, 3 - first - second) for first, second in permutations(range(3), 2))
_PAIR = MAX_SETS + 1  # where a row of costs goes on with a pair


def thirteen_orphans_distance(counts: Sequence[int], melds: int) -> int:
    """Return how many tiles are missing to one of every orphan and a second one of any."""
    if melds:
        return FAR
    held = pair = 0
    for index in _ORPHANS:
        count = counts[index]
        if count:
            held += 1
            if count > 1:
                pair = 1
    return 14 - held - pair


def honors_knitted_distance(counts: Sequence[int], melds: int) -> int:
    """Return how many tiles are missing to 14 different ones of the honors and a knitted arrangement."""
    if melds:
        return FAR
    one, two, three = (_knitted_held(tuple(counts[start : start + 9])) for start in (0, 9, 18))
    honors = 7 - counts[27:34].count(0)
    return 14 - honors - max(one[a] + two[b] + three[c] for a, b, c in _ARRANGEMENTS)


def knitted_straight_distance(counts: Sequence[int], melds: int) -> int:
    """Return how many tiles are missing to a knitted arrangement, one set and a pair.

    One meld may lie and is the set then; whether one does follows from the tiles, as in `regular_distance`.
    Beside the arrangement no target takes more than three of a kind (a pung and a pair of one kind would be
    five), so none asks for more than four.
    """
    sets = sum(counts) // 3 - 3
    if sets < 0:
        return FAR
    one, two, three = (_knitted_costs(tuple(counts[start : start + 9])) for start in (0, 9, 18))
    honors = honor_row(tuple(counts[27:34]))
    last: Costs = (0, honors[1], honors[_PAIR], honors[_PAIR + 1])
    add_up = _set_and_pair_cost if sets else _pair_cost
    return min(add_up(one[a], two[b], three[c], last) for a, b, c in _ARRANGEMENTS)


Costs = tuple[int, int, int, int]  # missing knitted tiles; then for a set, a pair, both out of what is left


@lru_cache(maxsize=1 << 16)
def _knitted_held(suit: tuple[int, ...]) -> tuple[int, int, int]:
    """Return how many different tiles of 147, 258 and 369 one suit holds."""
    return tuple(3 - suit[first::3].count(0) for first in range(3))  # type: ignore[return-value]


@lru_cache(maxsize=1 << 16)
def _knitted_costs(suit: tuple[int, ...]) -> tuple[Costs, Costs, Costs]:
    """Return the costs of one suit when 147, 258 or 369 are taken out of it."""
    found = []
    for first in range(3):
        left = list(suit)
        missing = 0
        for rank in (first, first + 3, first + 6):
            if left[rank]:
                left[rank] -= 1
            else:
                missing += 1
        row = suit_row(tuple(left))
        found.append((missing, row[1], row[_PAIR], row[_PAIR + 1]))
    return tuple(found)  # type: ignore[return-value]


def _pair_cost(a: Costs, b: Costs, c: Costs, d: Costs) -> int:
    return a[0] + b[0] + c[0] + min(a[2], b[2], c[2], d[2])


def _set_and_pair_cost(a: Costs, b: Costs, c: Costs, d: Costs) -> int:
    """Return the cheapest place for a set and a pair: both in one group, or each in its own."""
    groups = (a, b, c, d)
    cheapest = min(each[3] for each in groups)
    for place, each in enumerate(groups):
        others = min(other[2] for at, other in enumerate(groups) if at != place)
        cheapest = min(cheapest, each[1] + others)
    return a[0] + b[0] + c[0] + cheapest
