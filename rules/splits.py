"""All readings of a set of tiles as sets and pairs, from tables of single suits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rules.hand import Hand, Meld, MeldKind
from rules.packed import ALL_KINDS, GROUPS, HONOR_GROUP, KNITTED, RANK_BITS, pack
from rules.tiles import TILES, Tile

Kinds = tuple[int, ...]  # indexes of kinds: of pungs, or of the lowest tile of chows


class SetKind(StrEnum):
    """What a set is, whether declared or not; `knitted` is the nine tiles of 组合龙."""

    CHOW = "chow"
    PUNG = "pung"
    KONG = "kong"
    KNITTED = "knitted"


@dataclass(frozen=True, slots=True)
class TileSet:
    """One set of a reading; `meld` is None for a set of concealed tiles."""

    kind: SetKind
    tiles: tuple[Tile, ...]
    meld: Meld | None = None

    @property
    def tile(self) -> Tile:
        """The kind of a pung or kong, the lowest tile of a chow."""
        return self.tiles[0]

    @property
    def is_open(self) -> bool:
        """True for declared sets other than concealed kongs."""
        return self.meld is not None and self.meld.is_open


class Reading:
    """One way to read a complete hand under one shape; never changed.

    Attributes:
        chows: lowest tiles of all chows, declared ones too, ascending.
        pungs: kinds of all pungs and kongs, ascending.
        pair_kinds: kinds of the pairs.
        hidden_chows, hidden_pungs: those among the standing tiles.
        knitted: which of `packed.KNITTED` the reading holds as a set; -1 = none.
        loose: kinds that stand alone (十三幺, 全不靠), each once.
        melds: the declared melds.
    """

    __slots__ = (
        "chows",
        "hidden_chows",
        "hidden_pungs",
        "knitted",
        "loose",
        "melds",
        "pair_kinds",
        "pungs",
        "shape",
    )

    def __init__(
        self,
        shape: str,
        chows: Kinds = (),
        pungs: Kinds = (),
        pair_kinds: Kinds = (),
        hidden_chows: Kinds = (),
        hidden_pungs: Kinds = (),
        knitted: int = -1,
        loose: Kinds = (),
        melds: tuple[Meld, ...] = (),
    ) -> None:
        self.shape: Final[str] = shape
        self.chows: Final[Kinds] = chows
        self.pungs: Final[Kinds] = pungs
        self.pair_kinds: Final[Kinds] = pair_kinds
        self.hidden_chows: Final[Kinds] = hidden_chows
        self.hidden_pungs: Final[Kinds] = hidden_pungs
        self.knitted: Final[int] = knitted
        self.loose: Final[Kinds] = loose
        self.melds: Final[tuple[Meld, ...]] = melds

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Reading):
            return NotImplemented
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def _parts(self) -> tuple[object, ...]:
        sets = (self.chows, self.pungs, self.pair_kinds, self.hidden_chows, self.hidden_pungs)
        return (self.shape, sets, self.knitted, self.loose, self.melds)

    def __repr__(self) -> str:
        return (
            f"Reading({self.shape!r}, chows={self.chows}, pungs={self.pungs}, pair_kinds={self.pair_kinds}, "
            f"hidden_chows={self.hidden_chows}, hidden_pungs={self.hidden_pungs}, knitted={self.knitted}, "
            f"loose={self.loose}, melds={self.melds})"
        )

    def with_pungs(self, pungs: Kinds) -> Reading:
        """Return the same reading with its pungs in another order."""
        return Reading(
            self.shape,
            self.chows,
            pungs,
            self.pair_kinds,
            self.hidden_chows,
            self.hidden_pungs,
            self.knitted,
            self.loose,
            self.melds,
        )

    @property
    def sets(self) -> tuple[TileSet, ...]:
        """Chows ascending, pungs ascending, then the nine knitted tiles; declared sets with their meld."""
        melds = list(self.melds)
        found = [_take_set(melds, self.hidden_chows, SetKind.CHOW, first) for first in self.chows]
        found += [_take_set(melds, self.hidden_pungs, SetKind.PUNG, kind) for kind in self.pungs]
        if self.knitted >= 0:
            mask = KNITTED[self.knitted]
            found.append(TileSet(SetKind.KNITTED, tuple(tile for tile in TILES if mask >> tile.index & 1)))
        return tuple(found)

    @property
    def pairs(self) -> tuple[Tile, ...]:
        """The kind of each pair."""
        return tuple(TILES[kind] for kind in self.pair_kinds)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Every tile the reading uses, in tile order."""
        found = [tile for each in self.sets for tile in each.tiles]
        found += [pair for pair in self.pairs for _ in range(2)]
        return tuple(sorted(found + [TILES[kind] for kind in self.loose]))


def _take_set(melds: list[Meld], hidden: Kinds, kind: SetKind, first: int) -> TileSet:
    """Return the set that starts at this kind, taking its meld from the list if it is a declared one."""
    for meld in melds:
        if meld.tile.index == first and (meld.kind is MeldKind.CHOW) == (kind is SetKind.CHOW):
            melds.remove(meld)
            return TileSet(SetKind.KONG if meld.is_kong else kind, meld.tiles, meld)
    assert first in hidden
    tiles = TILES[first : first + 3] if kind is SetKind.CHOW else (TILES[first],) * 3
    return TileSet(kind, tiles)


# ---- tables of one suit ----


@dataclass(frozen=True)
class SuitSplits:
    """Every way to use up the tiles of one suit (or of the honors).

    Attributes:
        plain: as sets only; (chows, pungs).
        paired: as sets and one pair; (pair, chows, pungs).
    """

    plain: tuple[tuple[Kinds, Kinds], ...]
    paired: tuple[tuple[int, Kinds, Kinds], ...]


_NO_SETS: Final[tuple[tuple[Kinds, Kinds], ...]] = (((), ()),)
_NOTHING: Final = SuitSplits(_NO_SETS, ())
# what is known of each group so far; a group has at most 405,350 forms, a game meets a few thousand
_KNOWN: Final[tuple[dict[int, SuitSplits], ...]] = ({}, {}, {}, {})


def suit_splits(packed: int, group: int) -> SuitSplits:
    """Return every way to use up a packed group (see `rules.packed`) as sets, and as sets and a pair."""
    if not packed:
        return _NOTHING
    found = _KNOWN[group].get(packed)
    if found is None:
        found = _KNOWN[group][packed] = _split_suit(packed, group)
    return found


def _split_suit(packed: int, group: int) -> SuitSplits:
    counts = [packed >> RANK_BITS * rank & 7 for rank in range(9)]
    total = sum(counts)
    plain: list[tuple[Kinds, Kinds]] = []
    paired: list[tuple[int, Kinds, Kinds]] = []
    if total % 3 == 0:
        _use_up(counts, 0, group, [], [], plain)
    elif total % 3 == 2:
        for rank in range(9):
            if counts[rank] >= 2:
                counts[rank] -= 2
                ways: list[tuple[Kinds, Kinds]] = []
                _use_up(counts, 0, group, [], [], ways)
                paired += [(9 * group + rank, chows, pungs) for chows, pungs in ways]
                counts[rank] += 2
    return SuitSplits(tuple(plain), tuple(paired))


def _use_up(
    counts: list[int],
    rank: int,
    group: int,
    chows: list[int],
    pungs: list[int],
    found: list[tuple[Kinds, Kinds]],
) -> None:
    """Add every way to use up the counts as pungs and chows, lowest rank first."""
    while rank < 9 and not counts[rank]:
        rank += 1
    if rank == 9:
        found.append((tuple(chows), tuple(pungs)))
        return
    if counts[rank] >= 3:
        counts[rank] -= 3
        pungs.append(9 * group + rank)
        _use_up(counts, rank, group, chows, pungs, found)
        pungs.pop()
        counts[rank] += 3
    if group != HONOR_GROUP and rank <= 6 and counts[rank + 1] and counts[rank + 2]:
        for step in range(3):
            counts[rank + step] -= 1
        chows.append(9 * group + rank)
        _use_up(counts, rank, group, chows, pungs, found)
        chows.pop()
        for step in range(3):
            counts[rank + step] += 1


# ---- the whole hand ----


def regular_readings(hand: Hand, shape: str = "regular") -> list[Reading]:
    """Return every split of the hand into sets and one pair, each once; flowers in it make it incomplete."""
    if hand.kinds > ALL_KINDS:
        return []
    chows, pungs = melded_sets(hand.melds)
    return sets_readings(hand.packed, hand.melds, chows, pungs, shape, -1)


def melded_sets(melds: tuple[Meld, ...]) -> tuple[Kinds, Kinds]:
    """Return the lowest tiles of the declared chows, and the kinds of the declared pungs and kongs."""
    if not melds:
        return (), ()
    chows: list[int] = []
    pungs: list[int] = []
    for meld in melds:
        (chows if meld.kind is MeldKind.CHOW else pungs).append(meld.tiles[0].index)
    return tuple(chows), tuple(pungs)


def sets_readings(
    packed: tuple[int, int, int, int],
    melds: tuple[Meld, ...],
    melded_chows: Kinds,
    melded_pungs: Kinds,
    shape: str,
    knitted: int,
) -> list[Reading]:
    """Return every reading of packed standing tiles as sets and one pair beside what is declared."""
    splits = [suit_splits(packed[group], group) for group in range(GROUPS)]
    found: list[Reading] = []
    for group in range(GROUPS):
        paired = splits[group].paired
        if not paired:
            continue
        ways = _NO_SETS
        for other in range(GROUPS):
            if other == group or not packed[other]:
                continue
            plain = splits[other].plain
            if ways is _NO_SETS:
                ways = plain
            else:
                ways = tuple(
                    [(chows + more, pungs + others) for chows, pungs in ways for more, others in plain]
                )
        for pair, own_chows, own_pungs in paired:
            for chows, pungs in ways:
                hidden_chows, hidden_pungs = own_chows + chows, own_pungs + pungs
                found.append(
                    Reading(
                        shape,
                        _ascending(hidden_chows + melded_chows),
                        _ascending(hidden_pungs + melded_pungs),
                        (pair,),
                        hidden_chows,
                        hidden_pungs,
                        knitted,
                        (),
                        melds,
                    )
                )
    return found


def _ascending(kinds: Kinds) -> Kinds:
    return tuple(sorted(kinds)) if len(kinds) > 1 else kinds


def splits(counts: Sequence[int]) -> Iterator[Reading]:
    """Yield every way to use up counts of the 34 kinds as sets and one pair."""
    yield from sets_readings(pack(counts), (), (), (), "regular", -1)
