"""Win shapes as rows: how a complete hand of the shape reads, and how far a hand is from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rules.distance import regular_distance
from rules.hand import Hand, Meld
from rules.splits import Reading, meld_set, regular_readings
from rules.tiles import TILES, Tile

FAR = 99  # distance of a shape that cannot be reached any more


@dataclass(frozen=True, slots=True)
class Shape:
    """One way for a hand to be complete.

    `readings` yields every reading of a complete hand, nothing for others. `distance` says how many tiles the
    standing tiles (counts of 34) beside so many declared melds lack (0 = complete); `allows` says which melds
    may lie.
    """

    key: str
    zh: str
    en: str
    readings: Callable[[Hand], Iterator[Reading]]
    distance: Callable[[Sequence[int], int], int]
    allows: Callable[[tuple[Meld, ...]], bool]


def is_258(tile: Tile) -> bool:
    """Return whether the tile is a 2, 5 or 8."""
    return tile.rank in (2, 5, 8)


def _seven_pairs_readings(hand: Hand) -> Iterator[Reading]:
    if not hand.melds and len(hand.standing) == 14 and not any(count % 2 for count in hand.counts):
        pairs = [TILES[index] for index, count in enumerate(hand.counts) for _ in range(count // 2)]
        if len(pairs) == 7:
            yield Reading("seven_pairs", (), tuple(pairs))


def _seven_pairs_distance(counts: Sequence[int], melds: int) -> int:
    return FAR if melds else 7 - sum(count // 2 for count in counts)


def _all_258_readings(hand: Hand) -> Iterator[Reading]:
    if len(hand.standing) % 3 == 2 and all(is_258(tile) for tile in hand.tiles):
        yield Reading("all_258", tuple(meld_set(meld) for meld in hand.melds), ())


_258 = tuple(tile.index for tile in TILES if is_258(tile))


def _all_258_distance(counts: Sequence[int], melds: int) -> int:
    wanted = sum(counts) // 3 * 3 + 2
    return wanted - sum(counts[index] for index in _258)


def _any_melds(melds: tuple[Meld, ...]) -> bool:
    return True


def _no_melds(melds: tuple[Meld, ...]) -> bool:
    return not melds


def _only_258_melds(melds: tuple[Meld, ...]) -> bool:
    return all(is_258(tile) for meld in melds for tile in meld.tiles)


REGULAR = Shape("regular", "四面子一将", "Sets and a pair", regular_readings, regular_distance, _any_melds)
SEVEN_PAIRS = Shape(
    "seven_pairs", "七对", "Seven pairs", _seven_pairs_readings, _seven_pairs_distance, _no_melds
)
ALL_258 = Shape(
    "all_258", "将一色", "All 2, 5, 8 without shape", _all_258_readings, _all_258_distance, _only_258_melds
)
