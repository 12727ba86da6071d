"""All readings of a set of tiles as sets and pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rules.hand import Hand, Meld, MeldKind
from rules.tiles import KINDS_WITHOUT_FLOWERS, TILES, Tile


class SetKind(StrEnum):
    """What a set is, whether declared or not."""

    CHOW = "chow"
    PUNG = "pung"
    KONG = "kong"


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


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a complete hand under one shape."""

    shape: str
    sets: tuple[TileSet, ...] = ()
    pairs: tuple[Tile, ...] = ()


def meld_set(meld: Meld) -> TileSet:
    """Return a declared meld as a set of a reading."""
    if meld.is_kong:
        return TileSet(SetKind.KONG, meld.tiles, meld)
    return TileSet(SetKind.CHOW if meld.kind is MeldKind.CHOW else SetKind.PUNG, meld.tiles, meld)


def regular_readings(hand: Hand, shape: str = "regular") -> Iterator[Reading]:
    """Yield every split of the hand into sets and one pair, each once."""
    if len(hand.standing) % 3 != 2 or any(tile.is_flower for tile in hand.standing):
        return
    melded = tuple(meld_set(meld) for meld in hand.melds)
    for sets, pair in splits(hand.counts):
        yield Reading(shape, melded + sets, (pair,))


def splits(counts: Sequence[int]) -> Iterator[tuple[tuple[TileSet, ...], Tile]]:
    """Yield every way to use up counts of the 34 kinds as sets and one pair."""
    left = list(counts)
    for pair in range(KINDS_WITHOUT_FLOWERS):
        if left[pair] < 2:
            continue
        left[pair] -= 2
        for sets in _sets(left, 0):
            yield sets, TILES[pair]
        left[pair] += 2


def _sets(counts: list[int], start: int) -> Iterator[tuple[TileSet, ...]]:
    """Yield every way to use up the counts as pungs and chows, lowest tile first."""
    while start < KINDS_WITHOUT_FLOWERS and not counts[start]:
        start += 1
    if start == KINDS_WITHOUT_FLOWERS:
        yield ()
        return
    if counts[start] >= 3:
        counts[start] -= 3
        for rest in _sets(counts, start):
            yield (TileSet(SetKind.PUNG, (TILES[start],) * 3), *rest)
        counts[start] += 3
    if can_start_chow(counts, start):
        for index in range(start, start + 3):
            counts[index] -= 1
        for rest in _sets(counts, start):
            yield (TileSet(SetKind.CHOW, TILES[start : start + 3]), *rest)
        for index in range(start, start + 3):
            counts[index] += 1


def can_start_chow(counts: Sequence[int], index: int) -> bool:
    """Return whether the counts hold the run that starts at this kind."""
    return index < 27 and index % 9 <= 6 and all(counts[index : index + 3])
