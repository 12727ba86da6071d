"""Tiles: the 42 kinds, their one text form, their names and the sets a table is filled with."""

from __future__ import annotations

from collections.abc import Iterable
from types import MemberDescriptorType
from typing import Final

from rules.errors import RuleError

SUITS: Final = "mps"
HONORS: Final = "ESWNCFP"
FLOWERS: Final = "abcdefgh"
KINDS_WITHOUT_FLOWERS: Final = 34


class InvalidTile(RuleError, ValueError):
    """The text is not one tile."""


_TEXTS: Final[tuple[str, ...]] = (
    *(f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)),
    *HONORS,
    *FLOWERS,
)
_INDEX: Final = {text: index for index, text in enumerate(_TEXTS)}


class Tile:
    """One kind of tile, ordered m p s E S W N C F P a-h; never changed.

    >>> str(Tile.parse("5m")), Tile.parse("C").index
    ('5m', 31)
    """

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        if not 0 <= index < len(_TEXTS):
            raise InvalidTile(f"no tile has index {index}")
        self.index: Final[int] = index

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tile) and self.index == other.index

    def __hash__(self) -> int:
        return self.index

    def __lt__(self, other: Tile) -> bool:
        return self.index < other.index

    def __le__(self, other: Tile) -> bool:
        return self.index <= other.index

    def __gt__(self, other: Tile) -> bool:
        return self.index > other.index

    def __ge__(self, other: Tile) -> bool:
        return self.index >= other.index

    @classmethod
    def parse(cls, text: str) -> Tile:
        """Return the tile of a text such as `5m`, `E` or `a`.

        Raises:
            InvalidTile: for anything that is not exactly one tile.
        """
        index = _INDEX.get(text)
        if index is None:
            raise InvalidTile(f"{text!r} is not a tile: 1-9 with m p s, or one of {HONORS} {FLOWERS}")
        return TILES[index]

    def __str__(self) -> str:
        return _TEXTS[self.index]

    def __repr__(self) -> str:
        return f"Tile({_TEXTS[self.index]})"

    @property
    def suit(self) -> str | None:
        """`m`, `p` or `s`; None for honors and flowers."""
        return SUITS[self.index // 9] if self.index < 27 else None

    @property
    def rank(self) -> int | None:
        """1-9; None for honors and flowers."""
        return self.index % 9 + 1 if self.index < 27 else None

    @property
    def is_honor(self) -> bool:
        """True for winds and dragons."""
        return 27 <= self.index < KINDS_WITHOUT_FLOWERS

    @property
    def is_flower(self) -> bool:
        """True for the eight flowers and seasons."""
        return self.index >= KINDS_WITHOUT_FLOWERS

    @property
    def copies(self) -> int:
        """How many of this kind a full set holds: 4, flowers 1."""
        return 1 if self.is_flower else 4


def _set_once(tile: Tile, name: str, value: object) -> None:
    """Set an attribute that is not there yet."""
    if hasattr(tile, name):
        raise AttributeError(f"{name} of {tile!r} is never changed")
    object.__setattr__(tile, name, value)


def _never_delete(tile: Tile, name: str) -> None:
    raise AttributeError(f"{name} of {tile!r} is never changed")


# All share these tiles. Compiled, an attribute that is Final has no setter; else the class gets one that
# refuses. Reading does not go through it, so that it costs nothing.
if isinstance(vars(Tile)["index"], MemberDescriptorType):
    type.__setattr__(Tile, "__setattr__", _set_once)
    type.__setattr__(Tile, "__delattr__", _never_delete)

TILES: Final[tuple[Tile, ...]] = tuple(Tile(index) for index in range(len(_TEXTS)))

# tiles in the set -> kinds it consists of (source: rules text, table-procedure section 7)
_SETS: Final[dict[int, tuple[Tile, ...]]] = {
    72: TILES[9:27],
    84: (*TILES[9:27], *TILES[31:34]),  # two suits and the dragons
    108: TILES[:27],
    112: (*TILES[:27], TILES[31]),  # the red dragons only
    136: TILES[:34],
    144: TILES,
}
SET_SIZES: Final[tuple[int, ...]] = tuple(sorted(_SETS))


def full_set(size: int = 136) -> tuple[Tile, ...]:
    """Return every tile of a set in tile order: 136, 144 with flowers, 112, 108, 84, or 72 (two suits).

    Raises:
        InvalidTile: if no set has this size.
    """
    return tuple(tile for tile in kinds_of(size) for _ in range(tile.copies))


def kinds_of(size: int) -> tuple[Tile, ...]:
    """Return the kinds a set of this many tiles holds, each once."""
    kinds = _SETS.get(size)
    if kinds is None:
        raise InvalidTile(f"no set has {size} tiles; known: {', '.join(map(str, SET_SIZES))}")
    return kinds


def counts34(tiles: Iterable[Tile]) -> list[int]:
    """Return how often each of the 34 suit and honor kinds occurs; flowers are left out."""
    counts = [0] * KINDS_WITHOUT_FLOWERS
    for tile in tiles:
        if tile.index < KINDS_WITHOUT_FLOWERS:
            counts[tile.index] += 1
    return counts


_ZH_DIGITS: Final = "一二三四五六七八九"
_ZH_SUITS: Final = {"m": "万", "p": "饼", "s": "条"}
_EN_SUITS: Final = {"m": "characters", "p": "dots", "s": "bamboos"}
_NAMES: Final[dict[str, tuple[str, str]]] = {
    "E": ("东风", "East wind"),
    "S": ("南风", "South wind"),
    "W": ("西风", "West wind"),
    "N": ("北风", "North wind"),
    "C": ("红中", "Red dragon"),
    "F": ("发财", "Green dragon"),
    "P": ("白板", "White dragon"),
    "a": ("春", "Spring"),
    "b": ("夏", "Summer"),
    "c": ("秋", "Autumn"),
    "d": ("冬", "Winter"),
    "e": ("梅", "Plum"),
    "f": ("兰", "Orchid"),
    "g": ("菊", "Chrysanthemum"),
    "h": ("竹", "Bamboo flower"),
}


def tile_name(tile: Tile, lang: str) -> str:
    """Return the spoken name of a tile; every language that starts with `zh` gets Chinese, others English.

    >>> tile_name(Tile.parse("5m"), "zh-Hans"), tile_name(Tile.parse("C"), "en")
    ('五万', 'Red dragon')
    """
    chinese = lang.startswith("zh")
    if tile.suit is not None and tile.rank is not None:
        if chinese:
            return _ZH_DIGITS[tile.rank - 1] + _ZH_SUITS[tile.suit]
        return f"{tile.rank} of {_EN_SUITS[tile.suit]}"
    zh, en = _NAMES[str(tile)]
    return zh if chinese else en
