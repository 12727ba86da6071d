"""What the elements of one reading are worth together: the functions for `Ruleset.combine`."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from rules.engine import Counted
from rules.options import Options


def largest_times_extras(found: Sequence[Counted], options: Options) -> tuple[tuple[Counted, ...], int]:
    """Return one pattern times every extra: the pattern with the highest product.

    On a tie the larger pattern counts, then the one that stands first. ((), 0) where no pattern is there.
    """
    extras = [each for each in found if each.row.extra]
    best: tuple[tuple[Counted, ...], int] = ((), 0)
    for pattern in found:
        if pattern.row.extra:
            continue
        swallowed = dict(pattern.row.swallows)
        left = [_less(extra, swallowed.get(extra.row.key, 0)) for extra in extras]
        kept = tuple(extra for extra in left if extra.count > 0)
        total = pattern.value
        for extra in kept:
            total *= extra.value**extra.count
        rank = (total, pattern.value)
        if not best[0] or rank > (best[1], best[0][0].value):
            best = ((pattern, *kept), total)
    return best


def doubled_by_fan(found: Sequence[Counted], options: Options) -> tuple[tuple[Counted, ...], int]:
    """Return every element, 2 to the power of their fan; ((), 0) where no pattern is there.

    A pattern of no fan is named only where no other pattern is.
    """
    worthy = [each for each in found if not each.row.extra and each.value]
    kept = tuple(each for each in found if each.row.extra or each.value or not worthy)
    if not any(not each.row.extra for each in kept):
        return (), 0
    return kept, 2 ** sum(each.value * each.count for each in kept)


def times_all(found: Sequence[Counted], options: Options) -> tuple[tuple[Counted, ...], int]:
    """Return every element that no other excludes, and their product; ((), 0) where no pattern is there.

    A pattern of factor 1 is named only where nothing else counts.
    """
    if all(each.row.extra for each in found):
        return (), 0
    excluded = {key for each in found for key in each.row.excludes}
    left = tuple(each for each in found if each.row.key not in excluded)
    kept = tuple(each for each in left if each.row.extra or each.value > 1) or left
    return kept, prod(each.value**each.count for each in kept)


def _less(counted: Counted, swallowed: int) -> Counted:
    return counted if not swallowed else Counted(counted.row, counted.value, counted.count - swallowed)
