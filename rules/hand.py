"""A hand: melds, concealed tiles and, apart from them, the winning (or just drawn) tile."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter
from typing import Final

from rules.errors import InvalidHand
from rules.packed import unpack
from rules.tiles import KINDS_WITHOUT_FLOWERS, TILES, Tile


class MeldKind(StrEnum):
    """The five kinds of declared sets."""

    CHOW = "chow"
    PUNG = "pung"
    EXPOSED_KONG = "exposed_kong"
    ADDED_KONG = "added_kong"
    CONCEALED_KONG = "concealed_kong"


_place = attrgetter("index")
KONGS: Final = frozenset({MeldKind.EXPOSED_KONG, MeldKind.ADDED_KONG, MeldKind.CONCEALED_KONG})


@dataclass(frozen=True, slots=True)
class Meld:
    """One declared set; `source` is 1 upper, 2 opposite, 3 lower seat, None where unknown or own.

    Raises:
        InvalidHand: if the tiles are not such a set or the source is impossible.
    """

    kind: MeldKind
    tiles: tuple[Tile, ...]
    source: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "tiles", tuple(sorted(self.tiles)))
        problem = _meld_problem(self.kind, self.tiles, self.source)
        if problem:
            raise InvalidHand(problem)

    @property
    def tile(self) -> Tile:
        """The first tile: the kind of a pung or kong, the lowest of a chow."""
        return self.tiles[0]

    @property
    def is_kong(self) -> bool:
        """True for the three kinds of kong."""
        return self.kind in KONGS

    @property
    def is_open(self) -> bool:
        """True unless it is a concealed kong."""
        return self.kind is not MeldKind.CONCEALED_KONG


def is_chow(tiles: tuple[Tile, ...]) -> bool:
    """Return whether three sorted tiles are a run in one suit."""
    if len(tiles) != 3 or tiles[0].suit is None:
        return False
    first = tiles[0].index
    return tiles[0].suit == tiles[2].suit and [tile.index - first for tile in tiles] == [0, 1, 2]


def meld_kind_of(tiles: tuple[Tile, ...]) -> MeldKind | None:
    """Return chow, pung or exposed kong for sorted tiles that form one, else None."""
    if not tiles or tiles[0].is_flower:
        return None
    if len(set(tiles)) == 1:
        return {3: MeldKind.PUNG, 4: MeldKind.EXPOSED_KONG}.get(len(tiles))
    return MeldKind.CHOW if is_chow(tiles) else None


def _meld_problem(kind: MeldKind, tiles: tuple[Tile, ...], source: int | None) -> str | None:
    found = meld_kind_of(tiles)
    wanted = MeldKind.EXPOSED_KONG if kind in KONGS else kind
    if found is not wanted:
        return f"{' '.join(map(str, tiles)) or 'nothing'} is not a {kind.value.replace('_', ' ')}"
    if source is not None and source not in (1, 2, 3):
        return f"source {source} is not 1 (upper), 2 (opposite) or 3 (lower)"
    if kind is MeldKind.CONCEALED_KONG and source is not None:
        return "a concealed kong has no source"
    if kind is MeldKind.CHOW and source not in (None, 1):
        return "a chow comes from the upper seat only (source 1)"
    return None


def _quads(counts: list[int]) -> int:
    """Return the mask of the kinds of which there are all four.

    Raises:
        InvalidHand: if there are more copies of a kind than the set holds.
    """
    quads = 0
    for index, count in enumerate(counts):
        if count > 3:
            quads |= 1 << index
        if count > 4 or (count > 1 and index >= KINDS_WITHOUT_FLOWERS):
            raise InvalidHand(f"more than {TILES[index].copies} of {TILES[index]}")
    return quads


class Hand:
    """Melds as declared, concealed tiles (kept sorted), and the winning or drawn tile apart; never changed.

    Attributes:
        packed: concealed, winning and drawn tiles as packed groups, see `rules.packed`.
        kinds: mask of the kinds in the whole hand, melds too.
        quads: mask of the kinds of which the whole hand has all four.

    Raises:
        InvalidHand: if a kind occurs more often than the set holds it.
    """

    __slots__ = ("_counts", "concealed", "kinds", "melds", "packed", "quads", "win_tile")

    def __init__(
        self,
        melds: Iterable[Meld] = (),
        concealed: Iterable[Tile] = (),
        win_tile: Tile | None = None,
    ) -> None:
        self.melds: Final[tuple[Meld, ...]] = tuple(melds)
        own = list(concealed)
        counts = [0] * len(TILES)
        kinds = m = p = s = honors = last = most = 0
        in_order = True
        for tile in own if win_tile is None else [*own, win_tile]:
            index = tile.index
            count = counts[index] + 1
            counts[index] = count
            if count > most:
                most = count
            kinds |= 1 << index
            if index < 9:
                m += 1 << 3 * index
            elif index < 18:
                p += 1 << 3 * (index - 9)
            elif index < 27:
                s += 1 << 3 * (index - 18)
            elif index < KINDS_WITHOUT_FLOWERS:
                honors += 1 << 3 * (index - 27)
        for tile in own:
            if tile.index < last:
                in_order = False
            last = tile.index
        if not in_order:
            own.sort(key=_place)
        self.concealed: Final[tuple[Tile, ...]] = tuple(own)
        self.win_tile: Final[Tile | None] = win_tile
        self._counts: tuple[int, ...] | None = None
        self.packed: Final[tuple[int, int, int, int]] = (m, p, s, honors)
        for meld in self.melds:
            for tile in meld.tiles:
                index = tile.index
                count = counts[index] + 1
                counts[index] = count
                if count > most:
                    most = count
                kinds |= 1 << index
        self.kinds: Final[int] = kinds
        self.quads: Final[int] = _quads(counts) if most > 3 or kinds >> KINDS_WITHOUT_FLOWERS else 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hand):
            return NotImplemented
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def _parts(self) -> tuple[tuple[Meld, ...], tuple[Tile, ...], Tile | None]:
        return self.melds, self.concealed, self.win_tile

    def __repr__(self) -> str:
        return f"Hand({self})"

    @property
    def counts(self) -> tuple[int, ...]:
        """Concealed, winning and drawn tiles as counts of the 34 kinds."""
        if self._counts is None:
            self._counts = unpack(self.packed)
        return self._counts

    @property
    def size(self) -> int:
        """Tiles without the winning tile and without flowers, a kong counting as three."""
        total = 3 * len(self.melds) + len(self.concealed)
        if self.kinds >> KINDS_WITHOUT_FLOWERS:
            total -= sum(tile.is_flower for tile in self.concealed)
        return total

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Every tile, melds and winning tile too, in tile order."""
        own = self.concealed if self.win_tile is None else (*self.concealed, self.win_tile)
        return tuple(sorted([*own, *(tile for meld in self.melds for tile in meld.tiles)], key=_place))

    @property
    def standing(self) -> tuple[Tile, ...]:
        """Concealed tiles together with the winning or drawn tile, in tile order."""
        if self.win_tile is None:
            return self.concealed
        return tuple(sorted([*self.concealed, self.win_tile], key=_place))

    @property
    def kongs(self) -> tuple[Meld, ...]:
        """The declared kongs."""
        return tuple(meld for meld in self.melds if meld.is_kong)

    @property
    def open_melds(self) -> tuple[Meld, ...]:
        """All melds but concealed kongs."""
        return tuple(meld for meld in self.melds if meld.is_open)

    def with_win_tile(self, tile: Tile | None) -> Hand:
        """Return the same hand with another winning tile."""
        return Hand(self.melds, self.concealed, tile)

    def __str__(self) -> str:
        from rules.notation import format_hand

        return format_hand(self)
