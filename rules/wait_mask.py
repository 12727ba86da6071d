"""Which kinds complete a hand in form, as a mask of kinds, by adding up one number for each suit.

What a suit can tell of a ready hand is read once and kept: which ranks complete it to sets, or to sets and a
pair, whether it is complete already, what it holds. Each of these is a field of one integer, shifted to the
place of the suit, so that the sum of four integers describes the hand. No draw, no distance and no split is
tried for a hand whose suits have been seen before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Final

from rules.packed import ALL_KINDS, HONOR_GROUP, HONORS, KNITTED, ODD_COUNTS, ORPHANS, RANK_BITS, pack
from rules.shapes import Shape
from rules.tiles import KINDS_WITHOUT_FLOWERS

Packed = tuple[int, int, int, int]

# fields of a sum, from the lowest bit: kinds that complete their own group (as its remainder of tiles allows)
_HELD: Final = KINDS_WITHOUT_FLOWERS  # kinds of which there is at least one
_ODD: Final = 2 * KINDS_WITHOUT_FLOWERS  # kinds of which there is an odd number
_PAIRED: Final = 3 * KINDS_WITHOUT_FLOWERS  # one bit a group: complete with the pair
_TILES: Final = _PAIRED + 4  # number of tiles
_TAGS: Final = _TILES + 8  # how many groups lack one tile of sets and a pair, one of sets, or fit nowhere
_ONE_LEFT: Final = 1  # a group of 3k + 1 tiles: one tile makes it sets and a pair
_TWO_LEFT: Final = 1 << 3  # 3k + 2 tiles: it has the pair, or one tile makes it sets
_HOPELESS: Final = 1 << 6  # 3k tiles that are no sets
_TWO_GROUPS: Final = 2 * _TWO_LEFT

_GROUP_MASKS: Final = (0x1FF, 0x1FF << 9, 0x1FF << 18, 0x7F << 27)
_MEMO: Final = 1 << 16  # groups kept for each of the four places; a suit of a hand has a few thousand forms
_KNITTED_UNITS: Final = tuple(0o001001001 << RANK_BITS * first for first in range(3))


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
    total = _sum_of(packed)
    mask = 0
    for shape in shapes:
        form = _FORMS.get(shape.key)
        mask |= form(total, packed) if form is not None else _by_distance(shape, packed, melds)
    return mask


def _sum_of(packed: Packed) -> int:
    one, two, three, four = _READ
    return one(packed[0]) + two(packed[1]) + three(packed[2]) + four(packed[3])


def _regular(total: int, packed: Packed) -> int:
    tags = total >> _TAGS
    if tags == _ONE_LEFT:
        return total & ALL_KINDS
    if tags == _TWO_GROUPS:
        return total & _BESIDE_PAIR[total >> _PAIRED & 15]
    return 0


def _seven_pairs(total: int, packed: Packed) -> int:
    odd = total >> _ODD & ALL_KINDS
    return odd if _tiles(total) == 13 and not odd & (odd - 1) else 0


def _thirteen_orphans(total: int, packed: Packed) -> int:
    held = total >> _HELD & ALL_KINDS
    if held & ~ORPHANS or _tiles(total) != 13:
        return 0
    missing = ORPHANS & ~held
    if not missing:
        return ORPHANS
    return 0 if missing & (missing - 1) else missing


def _honors_knitted(total: int, packed: Packed) -> int:
    held = total >> _HELD & ALL_KINDS
    if held.bit_count() != 13 or _tiles(total) != 13:
        return 0
    mask = 0
    for knitted in KNITTED:
        if not held & ~(knitted | HONORS):
            mask |= (knitted | HONORS) & ~held
    return mask


def _knitted_straight(total: int, packed: Packed) -> int:
    held = total >> _HELD & ALL_KINDS
    mask = 0
    if held.bit_count() >= 8 and _tiles(total) in (10, 13):
        for knitted in KNITTED:
            missing = knitted & ~held
            if not missing & (missing - 1):
                mask |= _beside_knitted(packed, knitted, missing)
    return mask


def _beside_knitted(packed: Packed, knitted: int, missing: int) -> int:
    """Return the waits of a hand that has the arrangement but at most one tile of it."""
    left = list(packed)
    for suit in range(3):
        group = packed[suit]
        first = (knitted >> 9 * suit & 7) >> 1  # 147, 258, 369 begin with bit 0, 1, 2
        left[suit] -= _KNITTED_UNITS[first] & (group | group >> 1 | group >> 2)
    rest = _sum_of((left[0], left[1], left[2], left[3]))
    if not missing:
        return _regular(rest, packed)
    complete = rest >> _TAGS == _TWO_LEFT and rest >> _PAIRED & 15
    return missing if complete else 0


def _tiles(total: int) -> int:
    return total >> _TILES & 0xFF


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


_FORMS: Final[dict[str, Callable[[int, Packed], int]]] = {
    "regular": _regular,
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


def _read(place: int, group: int) -> int:
    """Return the fields of one packed group at its place."""
    ranks = 7 if place == HONOR_GROUP else 9
    counts = [group >> RANK_BITS * rank & 7 for rank in range(ranks)]
    number = sum(counts)
    held = sum(1 << rank for rank in range(ranks) if counts[rank])
    odd = sum(1 << rank for rank in range(ranks) if counts[rank] & 1)
    fits = _is_sets_and_pair if number % 3 == 1 else _is_sets
    wanted = 0
    if number % 3:
        wanted = sum(1 << rank for rank in range(ranks) if fits(group + (1 << RANK_BITS * rank), ranks))
    total = (wanted | held << _HELD | odd << _ODD) << 9 * place
    total += number << _TILES
    if number % 3 == 2 and _is_sets_and_pair(group, ranks):
        total += 1 << _PAIRED + place
    tag = (0, _ONE_LEFT, _TWO_LEFT)[number % 3]
    if number % 3 == 0 and not _is_sets(group, ranks):
        tag = _HOPELESS
    return total + (tag << _TAGS)


_READ: Final = tuple(lru_cache(maxsize=_MEMO)(partial(_read, place)) for place in range(4))


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
