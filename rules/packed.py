"""Tiles as integers for the hot paths: a mask of kinds, and the counts of a suit in one number.

A mask has bit i set where kind i (0-33) is there. A packed group holds three bits a rank: m, p, s have nine
ranks, the honors are group 3 with seven. Nothing here is for the outside: texts and `Tile` cross borders.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Final

from rules.tiles import KINDS_WITHOUT_FLOWERS, TILES

RANK_BITS: Final = 3
HONOR_GROUP: Final = 3
GROUPS: Final = 4
ALL_KINDS: Final = (1 << KINDS_WITHOUT_FLOWERS) - 1
ODD_COUNTS: Final = 0o111111111  # the lowest bit of each rank of a packed group

UNITS: Final = tuple(1 << RANK_BITS * (index % 9) for index in range(KINDS_WITHOUT_FLOWERS))
GROUP_OF: Final = tuple(index // 9 for index in range(KINDS_WITHOUT_FLOWERS))


def mask_of(text: str) -> int:
    """Return the mask of kinds written as tile text, e.g. `19m 19p 19s ESWNCFP`."""
    from rules.notation import parse_tiles

    mask = 0
    for tile in parse_tiles(text):
        mask |= 1 << tile.index
    return mask


def pack(counts: Sequence[int]) -> tuple[int, int, int, int]:
    """Return counts of the 34 kinds as four packed groups."""
    return (
        _pack_suit(counts[0:9]),
        _pack_suit(counts[9:18]),
        _pack_suit(counts[18:27]),
        _pack_suit(counts[27:34]),
    )


def _pack_suit(counts: Sequence[int]) -> int:
    packed = 0
    shift = 0
    for count in counts:
        if count:
            packed |= count << shift
        shift += RANK_BITS
    return packed


def unpack(packed: tuple[int, int, int, int]) -> tuple[int, ...]:
    """Return four packed groups as counts of the 34 kinds."""
    counts: list[int] = []
    for group in packed:
        left = group
        for _ in range(9):
            counts.append(left & 7)
            left >>= RANK_BITS
    return tuple(counts[:KINDS_WITHOUT_FLOWERS])


def ranks_where(wanted: Sequence[int]) -> int:
    """Return the mask of the suit kinds whose rank is wanted."""
    return sum(1 << tile.index for tile in TILES[:27] if tile.rank in wanted)


SUIT_MASKS: Final = tuple(0x1FF << 9 * group for group in range(3))
SUITED: Final = (1 << 27) - 1
HONORS: Final = 0x7F << 27
WINDS: Final = 0xF << 27
DRAGONS: Final = 0x7 << 31
TERMINALS: Final = ranks_where((1, 9))
ORPHANS: Final = TERMINALS | HONORS
# the six ways to give 147, 258 and 369 to the three suits (组合龙): the first rank of each, and all as a mask
KNITTED_FIRSTS: Final = tuple((m, p, 3 - m - p) for m, p in permutations(range(3), 2))
KNITTED: Final = tuple(
    sum(1 << 9 * suit + first + 3 * step for suit, first in enumerate(firsts) for step in range(3))
    for firsts in KNITTED_FIRSTS
)
