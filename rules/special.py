"""How many tiles a hand lacks to be one of the shapes that are not sets and a pair; exact, 0 = complete.

All functions take the counts of the 34 kinds among the standing tiles (13 or 14 of them, less three per meld)
and the number of declared melds; `FAR` means that these melds rule the shape out.
Source: 1998 rules, thirteen orphans 十三幺, honors and knitted tiles 全不靠 (七星不靠 with all seven honors),
knitted straight 组合龙.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rules.distance import FAR, MAX_SETS, honor_row, suit_row
from rules.packed import KNITTED_FIRSTS, ORPHANS
from rules.tiles import KINDS_WITHOUT_FLOWERS

_ORPHANS = tuple(index for index in range(KINDS_WITHOUT_FLOWERS) if ORPHANS >> index & 1)


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
    return 14 - honors - max(one[a] + two[b] + three[c] for a, b, c in KNITTED_FIRSTS)


def knitted_straight_distance(counts: Sequence[int], melds: int) -> int:
    """Return how many tiles are missing to a knitted arrangement, one set and a pair.

    One meld may lie and is the set then; whether one does follows from the tiles, as in `regular_distance`.
    Beside the arrangement no target takes more than three of a kind (a pung and a pair of one kind would be
    five), so none asks for more than four.
    """
    sets = sum(counts) // 3 - 3
    if sets < 0:
        return FAR
    one, two, three = (knitted_costs(tuple(counts[start : start + 9])) for start in (0, 9, 18))
    honors = honor_costs(tuple(counts[27:34]))
    rests = (join_costs(three[0], honors), join_costs(three[1], honors), join_costs(three[2], honors))
    wanted = SET_AND_PAIR if sets else PAIR
    return min([join_costs(join_costs(one[a], two[b]), rests[c])[wanted] for a, b, c in KNITTED_FIRSTS])


# What a group of tiles lacks to hold its part of a knitted arrangement and, out of what that leaves, nothing,
# a set, a pair, a set and a pair.
Costs = tuple[int, int, int, int]
PAIR, SET_AND_PAIR = 2, 3


@lru_cache(maxsize=1 << 16)
def knitted_costs(suit: tuple[int, ...]) -> tuple[Costs, Costs, Costs]:
    """Return the costs of one suit where 147, 258 or 369 of it are in the arrangement."""
    return _knitted_from(suit, 0), _knitted_from(suit, 1), _knitted_from(suit, 2)


def _knitted_from(suit: tuple[int, ...], first: int) -> Costs:
    left = list(suit)
    missing = 0
    for rank in (first, first + 3, first + 6):
        if left[rank]:
            left[rank] -= 1
        else:
            missing += 1
    row = suit_row(tuple(left))
    pair = MAX_SETS + 1  # where a row goes on with a pair
    return missing, missing + row[1], missing + row[pair], missing + row[pair + 1]


@lru_cache(maxsize=1 << 14)
def honor_costs(honors: tuple[int, ...]) -> Costs:
    """Return the costs of the honors, which no arrangement needs."""
    row = honor_row(honors)
    return 0, row[1], row[MAX_SETS + 1], row[MAX_SETS + 2]


@lru_cache(maxsize=1 << 16)
def join_costs(left: Costs, right: Costs) -> Costs:
    """Return the costs of two groups together, each of set and pair being in one or the other."""
    none, one_set, pair, both = left
    return (
        none + right[0],
        min(none + right[1], one_set + right[0]),
        min(none + right[2], pair + right[0]),
        min(none + right[3], both + right[0], one_set + right[2], pair + right[1]),
    )


@lru_cache(maxsize=1 << 16)
def _knitted_held(suit: tuple[int, ...]) -> tuple[int, int, int]:
    """Return how many different tiles of 147, 258 and 369 one suit holds."""
    return 3 - suit[0::3].count(0), 3 - suit[1::3].count(0), 3 - suit[2::3].count(0)
