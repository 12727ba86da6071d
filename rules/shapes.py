"""Win shapes as rows: how a complete hand of the shape reads, and how far a hand is from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from rules.distance import FAR, regular_distance
from rules.hand import Hand, Meld
from rules.packed import HONORS, KNITTED, ODD_COUNTS, ORPHANS, SUITED, UNITS
from rules.special import honors_knitted_distance, knitted_straight_distance, thirteen_orphans_distance
from rules.splits import Reading, melded_sets, regular_readings, sets_readings
from rules.tiles import TILES, Tile


@dataclass(frozen=True, slots=True)
class Shape:
    """One way for a hand to be complete.

    `readings` returns every reading of a complete hand, nothing for others. `distance` says how many tiles
    the standing tiles (counts of 34) beside so many declared melds lack (0 = complete); `allows` says which
    melds may lie.
    """

    key: str
    zh: str
    en: str
    readings: Callable[[Hand], list[Reading]]
    distance: Callable[[Sequence[int], int], int]
    allows: Callable[[tuple[Meld, ...]], bool]


def is_258(tile: Tile) -> bool:
    """Return whether the tile is a 2, 5 or 8."""
    return tile.rank in (2, 5, 8)


# ---- seven pairs ----


def _seven_pairs_readings(hand: Hand) -> list[Reading]:
    m, p, s, honors = hand.packed
    if hand.melds or (m | p | s | honors) & ODD_COUNTS or len(hand.concealed) != 13:
        return []
    pairs: list[int] = []
    for index, count in enumerate(hand.counts):
        if count:
            pairs.append(index)
            if count == 4:
                pairs.append(index)
    return [Reading("seven_pairs", pair_kinds=tuple(pairs))] if len(pairs) == 7 else []


def _seven_pairs_distance(counts: Sequence[int], melds: int) -> int:
    return FAR if melds else 7 - sum(count // 2 for count in counts)


# ---- 2, 5 and 8 only, in any order ----


def _all_258_readings(hand: Hand) -> list[Reading]:
    if len(hand.standing) % 3 != 2 or not all(is_258(tile) for tile in hand.tiles):
        return []
    chows, pungs = melded_sets(hand.melds)
    loose = tuple(tile.index for tile in hand.standing)
    return [Reading("all_258", tuple(sorted(chows)), tuple(sorted(pungs)), loose=loose, melds=hand.melds)]


_258 = tuple(tile.index for tile in TILES if is_258(tile))


def _all_258_distance(counts: Sequence[int], melds: int) -> int:
    wanted = sum(counts) // 3 * 3 + 2
    return wanted - sum(counts[index] for index in _258)


# ---- 十三幺, 全不靠 and 七星不靠, 组合龙 ----


def _loose_kinds(kinds: int) -> tuple[int, ...]:
    return tuple([index for index in range(34) if kinds >> index & 1])


def _thirteen_orphans_readings(hand: Hand) -> list[Reading]:
    if hand.kinds != ORPHANS or hand.melds or len(hand.concealed) != 13:
        return []
    twice = next(index for index, count in enumerate(hand.counts) if count == 2)
    others = _loose_kinds(ORPHANS & ~(1 << twice))
    return [Reading("thirteen_orphans", pair_kinds=(twice,), loose=others)]


def _honors_knitted_readings(hand: Hand) -> list[Reading]:
    kinds = hand.kinds
    if hand.melds or kinds >> 34 or kinds.bit_count() != 14 or (kinds & HONORS).bit_count() < 5:
        return []
    for knitted in KNITTED:
        if not kinds & SUITED & ~knitted:
            return [Reading("honors_knitted", loose=_loose_kinds(kinds))]
    return []


def _knitted_straight_readings(hand: Hand) -> list[Reading]:
    if len(hand.melds) > 1 or (hand.kinds & SUITED).bit_count() < 9:
        return []
    standing = 0
    for index in range(27):
        if hand.counts[index]:
            standing |= 1 << index
    found: list[Reading] = []
    for place, knitted in enumerate(KNITTED):
        if knitted & ~standing:
            continue
        groups = list(hand.packed)
        for index in range(27):
            if knitted >> index & 1:
                groups[index // 9] -= UNITS[index]
        chows, pungs = melded_sets(hand.melds)
        rest = (groups[0], groups[1], groups[2], groups[3])
        found += sets_readings(rest, hand.melds, chows, pungs, "knitted_straight", place)
    return found


def _any_melds(melds: tuple[Meld, ...]) -> bool:
    return True


def _no_melds(melds: tuple[Meld, ...]) -> bool:
    return not melds


def _one_meld_at_most(melds: tuple[Meld, ...]) -> bool:
    return len(melds) <= 1


def _only_258_melds(melds: tuple[Meld, ...]) -> bool:
    return all(is_258(tile) for meld in melds for tile in meld.tiles)


REGULAR: Final = Shape(
    "regular", "四面子一将", "Sets and a pair", regular_readings, regular_distance, _any_melds
)
SEVEN_PAIRS: Final = Shape(
    "seven_pairs", "七对", "Seven pairs", _seven_pairs_readings, _seven_pairs_distance, _no_melds
)
ALL_258: Final = Shape(
    "all_258", "将一色", "All 2, 5, 8 without shape", _all_258_readings, _all_258_distance, _only_258_melds
)
THIRTEEN_ORPHANS: Final = Shape(
    "thirteen_orphans",
    "十三幺",
    "Thirteen orphans",
    _thirteen_orphans_readings,
    thirteen_orphans_distance,
    _no_melds,
)
HONORS_KNITTED: Final = Shape(
    "honors_knitted",
    "全不靠",
    "Honors and knitted tiles",
    _honors_knitted_readings,
    honors_knitted_distance,
    _no_melds,
)
KNITTED_STRAIGHT: Final = Shape(
    "knitted_straight",
    "组合龙",
    "Knitted straight, a set and a pair",
    _knitted_straight_readings,
    knitted_straight_distance,
    _one_meld_at_most,
)
