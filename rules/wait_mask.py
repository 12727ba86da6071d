"""Which kinds complete a hand in form, as a mask of kinds, by adding up what its suits can tell.

What a suit can tell of a ready hand is read once and kept: which ranks complete it to sets, or to sets and a
pair, whether it is complete already, what it holds. The sums of these over the four groups describe the hand.
No draw, no distance and no split is tried for a hand whose suits have been seen before. Every sum stays below
62 bits, so that compiled code adds machine words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from rules.packed import ALL_KINDS, HONOR_GROUP, HONORS, KNITTED, ODD_COUNTS, ORPHANS, RANK_BITS, pack
from rules.shapes import Shape
from rules.tiles import KINDS_WITHOUT_FLOWERS

Packed = tuple[int, int, int, int]

# fields of a sum, from the lowest bit: kinds that complete their own group (as its remainder of tiles allows)
_PAIRED: Final = KINDS_WITHOUT_FLOWERS  # one bit a group: complete with the pair
_TAGS: Final = _PAIRED + 4  # how many groups lack one tile of sets and a pair, one of sets, or fit nowhere
_ONE_LEFT: Final = 1  # a group of 3k + 1 tiles: one tile makes it sets and a pair
_TWO_LEFT: Final = 1 << 3  # 3k + 2 tiles: it has the pair, or one tile makes it sets
_HOPELESS: Final = 1 << 6  # 3k tiles that are no sets
_TWO_GROUPS: Final = 2 * _TWO_LEFT

_GROUP_MASKS: Final = (0x1FF, 0x1FF << 9, 0x1FF << 18, 0x7F << 27)
_KNITTED_UNITS: Final = tuple(0o001001001 << RANK_BITS * first for first in range(3))


class _Group:
    """What one packed group tells: the fields above, what it holds, and of what an odd number."""

    __slots__ = ("fields", "held", "odd", "tiles")

    def __init__(self, fields: int, held: int, odd: int, tiles: int) -> None:
        self.fields: Final[int] = fields
        self.held: Final[int] = held
        self.odd: Final[int] = odd
        self.tiles: Final[int] = tiles


class _Sums:
    """The sums of what the four groups tell, and the groups themselves."""

    __slots__ = ("held", "odd", "packed", "tiles", "total")

    def __init__(self, packed: Packed) -> None:
        m, p = _group(0, packed[0]), _group(1, packed[1])
        s, honors = _group(2, packed[2]), _group(3, packed[3])
        self.packed: Final[Packed] = packed
        self.total: Final[int] = m.fields + p.fields + s.fields + honors.fields
        self.held: Final[int] = m.held | p.held | s.held | honors.held
        self.odd: Final[int] = m.odd | p.odd | s.odd | honors.odd
        self.tiles: Final[int] = m.tiles + p.tiles + s.tiles + honors.tiles


def wait_mask(counts: Sequence[int], melds: int, shapes: Sequence[Shape]) -> int:
    """Return the kinds that complete the hand in form, those of which it holds all four too; bit i = kind i.

    Args:
        counts: the 34 kinds among the standing tiles, without the winning one (13 less three a meld).
        melds: number of declared melds.
        shapes: rows of `rules.shapes`; a kind that completes any of them is a wait.
    """
    return packed_wait_mask(pack(counts), melds, shapes)


def packed_wait_mask(packed: Packed, melds: int, shapes: Sequence[Shape]) -> int:
    """Return `wait_mask` of tiles that are packed already (`Hand.packed` less the winning tile)."""
    sums = _Sums(packed)
    mask = 0
    for shape in shapes:
        key = shape.key
        if key == "regular":
            mask |= _regular(sums.total)
        elif key in _FORMS:
            if sums.tiles > 9:  # none of them lies beside two melds
                mask |= _FORMS[key](sums)
        else:
            mask |= _by_distance(shape, packed, melds)
    return mask


def _regular(total: int) -> int:
    tags = total >> _TAGS
    if tags == _ONE_LEFT:
        return total & ALL_KINDS
    if tags == _TWO_GROUPS:
        return total & _BESIDE_PAIR[total >> _PAIRED & 15]
    return 0


def _seven_pairs(sums: _Sums) -> int:
    odd = sums.odd
    return odd if sums.tiles == 13 and not odd & (odd - 1) else 0


def _thirteen_orphans(sums: _Sums) -> int:
    held = sums.held
    if held & ~ORPHANS or sums.tiles != 13:
        return 0
    missing = ORPHANS & ~held
    if not missing:
        return ORPHANS
    return 0 if missing & (missing - 1) else missing


def _honors_knitted(sums: _Sums) -> int:
    held = sums.held
    if sums.tiles != 13 or held.bit_count() != 13:
        return 0
    mask = 0
    for knitted in KNITTED:
        if not held & ~(knitted | HONORS):
            mask |= (knitted | HONORS) & ~held
    return mask


def _knitted_straight(sums: _Sums) -> int:
    held = sums.held
    mask = 0
    if sums.tiles in (10, 13) and held.bit_count() >= 8:
        for knitted in KNITTED:
            missing = knitted & ~held
            if not missing & (missing - 1):
                mask |= _beside_knitted(sums.packed, knitted, missing)
    return mask


def _beside_knitted(packed: Packed, knitted: int, missing: int) -> int:
    """Return the waits of a hand that has the arrangement but at most one tile of it."""
    left = list(packed)
    for suit in range(3):
        group = packed[suit]
        first = (knitted >> 9 * suit & 7) >> 1  # 147, 258, 369 begin with bit 0, 1, 2
        left[suit] -= _KNITTED_UNITS[first] & (group | group >> 1 | group >> 2)
    rest = _Sums((left[0], left[1], left[2], left[3])).total
    if not missing:
        return _regular(rest)
    complete = rest >> _TAGS == _TWO_LEFT and rest >> _PAIRED & 15
    return missing if complete else 0


def _by_distance(shape: Shape, packed: Packed, melds: int) -> int:
    """Return the waits in a shape that is known by its distance only."""
    counts = [packed[index // 9] >> RANK_BITS * (index % 9) & 7 for index in range(KINDS_WITHOUT_FLOWERS)]
    if shape.distance(counts, melds) != 1:
        return 0
    mask = 0
    for index in range(KINDS_WITHOUT_FLOWERS):
        counts[index] += 1
        if shape.distance(counts, melds) == 0:
            mask |= 1 << index
        counts[index] -= 1
    return mask


_FORMS: Final[dict[str, Callable[[_Sums], int]]] = {
    "seven_pairs": _seven_pairs,
    "thirteen_orphans": _thirteen_orphans,
    "honors_knitted": _honors_knitted,
    "knitted_straight": _knitted_straight,
}


def _beside_pair(paired: int) -> int:
    """Return the groups in which one tile completes a hand that has two unfinished ones.

    `paired` has bit g set where group g is sets and a pair already: the other group may become sets then.
    """
    return sum(mask for group, mask in enumerate(_GROUP_MASKS) if paired & ~(1 << group))


_BESIDE_PAIR: Final = tuple(_beside_pair(paired) for paired in range(16))


# what is known of each group so far; a group has at most 405,350 forms, a game meets a few thousand
_KNOWN: Final[tuple[dict[int, _Group], ...]] = ({}, {}, {}, {})


def _group(place: int, group: int) -> _Group:
    """Return what one packed group tells."""
    found = _KNOWN[place].get(group)
    if found is None:
        found = _KNOWN[place][group] = _read(place, group)
    return found


def _read(place: int, group: int) -> _Group:
    """Work out what one packed group tells."""
    ranks = 7 if place == HONOR_GROUP else 9
    counts = [group >> RANK_BITS * rank & 7 for rank in range(ranks)]
    number = sum(counts)
    held = sum(1 << rank for rank in range(ranks) if counts[rank])
    odd = sum(1 << rank for rank in range(ranks) if counts[rank] & 1)
    wanted = 0
    if number % 3:
        fits = _is_sets_and_pair if number % 3 == 1 else _is_sets
        wanted = sum(1 << rank for rank in range(ranks) if fits(group + (1 << RANK_BITS * rank), ranks))
    fields = wanted << 9 * place
    if number % 3 == 2 and _is_sets_and_pair(group, ranks):
        fields += 1 << _PAIRED + place
    tag = (0, _ONE_LEFT, _TWO_LEFT)[number % 3]
    if number % 3 == 0 and not _is_sets(group, ranks):
        tag = _HOPELESS
    return _Group(fields + (tag << _TAGS), held << 9 * place, odd << 9 * place, number)


def _is_sets(group: int, ranks: int) -> bool:
    """Return whether a packed group is chows and pungs only.

    What three of a rank leave over can only begin chows there, as three equal chows are three pungs.
    """
    while group:
        chows = (group & 7) % 3
        if chows:
            if ranks == 7 or group >> RANK_BITS & 7 < chows or group >> 2 * RANK_BITS & 7 < chows:
                return False
            group -= chows * 0o111
        group >>= RANK_BITS
    return True


def _is_sets_and_pair(group: int, ranks: int) -> bool:
    return any(_is_sets(group - 2 * unit, ranks) for unit in _pairs_in(group))


def _pairs_in(group: int) -> Iterator[int]:
    """Yield the unit of every rank that occurs at least twice."""
    twice = (group >> 1 | group >> 2) & ODD_COUNTS
    while twice:
        unit = twice & -twice
        yield unit
        twice -= unit
