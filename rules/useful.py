"""Which kinds bring a hand nearer to a shape, as a mask of kinds.

For each shape the answer follows from what makes its distance, so that 34 draws need not be tried.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from rules.distance import complete_cost, grown, join, rows_of
from rules.packed import HONORS, KNITTED, KNITTED_FIRSTS, ORPHANS
from rules.shapes import Shape
from rules.special import (
    PAIR,
    SET_AND_PAIR,
    Costs,
    honor_costs,
    join_costs,
    knitted_costs,
)
from rules.tiles import KINDS_WITHOUT_FLOWERS


def useful_mask(shape: Shape, counts: Sequence[int], melds: int, now: int) -> int:
    """Return the kinds of which one more brings the standing tiles nearer to the shape; bit i = kind i.

    Args:
        counts: counts of the 34 kinds among the standing tiles, 13 of them less three a meld.
        now: `shape.distance(counts, melds)`.
    Kinds of which the standing tiles hold all four are left out.
    """
    find = _USEFUL.get(shape.key)
    mask = find(counts, now) if find is not None else _by_trying(shape, counts, melds, now)
    return mask & ~_where(counts, 4)


def _where(counts: Sequence[int], number: int) -> int:
    """Return the kinds that occur exactly so often."""
    if number not in counts:
        return 0
    return sum(1 << index for index, count in enumerate(counts) if count == number)


def _by_trying(shape: Shape, counts: Sequence[int], melds: int, now: int) -> int:
    drawn = list(counts)
    mask = 0
    for index in range(KINDS_WITHOUT_FLOWERS):
        drawn[index] += 1
        if shape.distance(drawn, melds) < now:
            mask |= 1 << index
        drawn[index] -= 1
    return mask


def _groups(counts: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    return tuple(counts[0:9]), tuple(counts[9:18]), tuple(counts[18:27]), tuple(counts[27:34])


def _regular(counts: Sequence[int], now: int) -> int:
    """Add each tile to its own group only; the costs of the others are joined once."""
    m, p, s, honors = rows_of(counts)
    mp, sz = join(m, p), join(s, honors)
    rests = (join(p, sz), join(m, sz), join(mp, honors), join(mp, s))
    sets = sum(counts) // 3
    mask = 0
    for place, group in enumerate(_groups(counts)):
        rest = rests[place]
        for rank, row in grown(group):
            if complete_cost(rest, row, sets) < now:
                mask |= rank << 9 * place
    return mask


def _seven_pairs(counts: Sequence[int], now: int) -> int:
    """A tile that stands alone becomes a pair, and so does a third one."""
    return _where(counts, 1) | _where(counts, 3) if 0 < now <= 7 else 0


def _thirteen_orphans(counts: Sequence[int], now: int) -> int:
    held = _held(counts) & ORPHANS
    missing = ORPHANS & ~held
    has_pair = held.bit_count() != 14 - now
    return (missing if has_pair else ORPHANS) if 0 < now <= 14 else 0


def _honors_knitted(counts: Sequence[int], now: int) -> int:
    if not 0 < now <= 14:
        return 0
    held = _held(counts)
    mask = 0
    for knitted in KNITTED:
        wanted = knitted | HONORS
        if 14 - (held & wanted).bit_count() == now:
            mask |= wanted & ~held
    return mask


def _held(counts: Sequence[int]) -> int:
    return sum([1 << index for index, count in enumerate(counts) if count])


def _knitted_straight(counts: Sequence[int], now: int) -> int:
    """Add each tile to its own group, for those arrangements only that are as near as any."""
    sets = sum(counts) // 3 - 3
    if sets < 0:
        return 0
    wanted = SET_AND_PAIR if sets else PAIR
    groups = _groups(counts)
    suits = [knitted_costs(group) for group in groups[:3]]
    honors = honor_costs(groups[3])
    mask = 0
    for firsts in KNITTED_FIRSTS:
        parts = [suits[place][first] for place, first in enumerate(firsts)]
        if _together([*parts, honors])[wanted] != now:
            continue
        for place, first in enumerate(firsts):
            rest = _together([*parts[:place], *parts[place + 1 :], honors])
            for rank, more in _one_more(groups[place]):
                if join_costs(rest, knitted_costs(more)[first])[wanted] < now:
                    mask |= rank << 9 * place
        rest = _together(parts)
        for rank, more in _one_more(groups[3]):
            if join_costs(rest, honor_costs(more))[wanted] < now:
                mask |= rank << 27
    return mask


def _together(parts: Sequence[Costs]) -> Costs:
    total = parts[0]
    for part in parts[1:]:
        total = join_costs(total, part)
    return total


def _one_more(group: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
    return [
        (1 << rank, (*group[:rank], count + 1, *group[rank + 1 :]))
        for rank, count in enumerate(group)
        if count < 4
    ]


_USEFUL: Final[dict[str, Callable[[Sequence[int], int], int]]] = {
    "regular": _regular,
    "seven_pairs": _seven_pairs,
    "thirteen_orphans": _thirteen_orphans,
    "honors_knitted": _honors_knitted,
    "knitted_straight": _knitted_straight,
}
