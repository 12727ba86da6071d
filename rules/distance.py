"""How many tiles a hand lacks to be sets and a pair: exact, from cached tables of one suit.

A row of costs says, for every number of sets k (0-5) without and with a pair, how many tiles must be added to
one suit to hold them; no target takes more than four of a kind. Rows of the suits are joined by the cheapest
distribution of the sets. Rows depend on a few neighbouring counts only, so a short game fills the cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

MAX_SETS = 5  # 16-tile hands have five sets
_WIDTH = 2 * (MAX_SETS + 1)  # k sets without a pair, then k sets with a pair
FAR = 99  # what cannot be reached: more than any hand lacks
Row = tuple[int, ...]

_EMPTY_SUIT: Row = tuple(0 if place == 0 else FAR for place in range(_WIDTH))


@lru_cache(maxsize=1 << 18)
def _suit_row(counts: tuple[int, ...], running: int, ending: int) -> Row:
    """Return costs of the remaining ranks; `running`, `ending` chows need one tile of this rank each.

    `running` chows started one rank before and need the next rank too, `ending` ones end here.
    """
    if not counts:
        return _EMPTY_SUIT if running == ending == 0 else (FAR,) * _WIDTH
    have = counts[0]
    rest = counts[1:]
    best = [FAR] * _WIDTH
    # three equal chows are three pungs of the same tiles, so two starting here are enough
    for chows in range(3 if len(counts) > 2 else 1):
        tail = _suit_row(rest, chows, running)
        for pungs in (0, 1):
            for pairs in (0, 1):
                wanted = running + ending + chows + 3 * pungs + 2 * pairs
                if wanted > 4:
                    continue
                cost = wanted - have if wanted > have else 0
                shift = chows + pungs
                if pairs:
                    for k in range(MAX_SETS + 1 - shift):
                        price = tail[k] + cost
                        if price < best[MAX_SETS + 1 + k + shift]:
                            best[MAX_SETS + 1 + k + shift] = price
                else:
                    for k in range(MAX_SETS + 1 - shift):
                        price = tail[k] + cost
                        if price < best[k + shift]:
                            best[k + shift] = price
                        price = tail[MAX_SETS + 1 + k] + cost
                        if price < best[MAX_SETS + 1 + k + shift]:
                            best[MAX_SETS + 1 + k + shift] = price
    return tuple(best)


def suit_row(counts: tuple[int, ...]) -> Row:
    """Return the costs of one suit, `counts` being its nine ranks."""
    return _suit_row(counts, 0, 0)


@lru_cache(maxsize=1 << 14)
def honor_row(counts: tuple[int, ...]) -> Row:
    """Return the costs of the honors, which form pungs and a pair only."""
    row = _EMPTY_SUIT
    for have in counts:
        pair, pung = max(0, 2 - have), max(0, 3 - have)
        kind = [FAR] * _WIDTH
        kind[0], kind[1], kind[MAX_SETS + 1] = 0, pung, pair
        row = join(row, tuple(kind))
    return row


@lru_cache(maxsize=1 << 16)
def join(left: Row, right: Row) -> Row:
    """Return the cheapest way to spread sets and the pair over two groups of tiles."""
    best = [FAR] * _WIDTH
    offset = MAX_SETS + 1
    for k in range(offset):
        plain, paired = left[k], left[offset + k]
        for other in range(offset - k):
            cost = plain + right[other]
            if cost < best[k + other]:
                best[k + other] = cost
            cost = min(plain + right[offset + other], paired + right[other])
            if cost < best[offset + k + other]:
                best[offset + k + other] = cost
    return tuple(best)


def rows_of(counts: Sequence[int]) -> tuple[Row, Row, Row, Row]:
    """Return the rows of m, p, s and the honors of counts of 34."""
    return (
        suit_row(tuple(counts[0:9])),
        suit_row(tuple(counts[9:18])),
        suit_row(tuple(counts[18:27])),
        honor_row(tuple(counts[27:34])),
    )


@lru_cache(maxsize=1 << 16)
def complete_cost(left: Row, right: Row, sets: int) -> int:
    """Return what two groups of tiles lack to be so many sets and a pair together."""
    pair = MAX_SETS + 1
    return min(
        [left[k] + right[pair + sets - k] for k in range(sets + 1)]
        + [left[pair + k] + right[sets - k] for k in range(sets + 1)]
    )


def regular_distance(counts: Sequence[int], melds: int = 0) -> int:
    """Return how many tiles the standing tiles lack to be sets and one pair; 0 = complete.

    Args:
        counts: standing tiles (without melds), 13 or 14 of them less three per meld.
        melds: declared melds; the number of sets still needed follows from the tiles.
    """
    m, p, s, honors = rows_of(counts)
    return complete_cost(join(m, p), join(s, honors), sum(counts) // 3)


Grown = tuple[tuple[int, Row], ...]  # mask of one rank, and the row of costs after a tile of it


@lru_cache(maxsize=1 << 16)
def grown(group: tuple[int, ...]) -> Grown:
    """Return the ranks of a suit (or of the honors: seven counts) of which one more tile lowers any cost."""
    row_of = honor_row if len(group) == 7 else suit_row
    now = row_of(group)
    found = []
    for rank, count in enumerate(group):
        row = row_of((*group[:rank], count + 1, *group[rank + 1 :]))
        if row != now:
            found.append((1 << rank, row))
    return tuple(found)
