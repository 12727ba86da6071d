"""The vocabulary of routes: which blocks a pattern admits and which it asks for, as values over 34 kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rules.tiles import KINDS_WITHOUT_FLOWERS, TILES

Block = tuple[int, ...]  # kinds of one set (chow, pung or three tiles of a knitted straight), lowest first

KINDS = range(KINDS_WITHOUT_FLOWERS)
SUITS = (range(0, 9), range(9, 18), range(18, 27))
WINDS = range(27, 31)
DRAGONS = range(31, 34)
HONORS = range(27, 34)
GROUPS = (*SUITS, WINDS, DRAGONS)
GROUP_OF = tuple(index for index, group in enumerate(GROUPS) for _ in group)

SEAT_WIND = -1  # stand for a kind that the hand in play decides
ROUND_WIND = -2


def chow(low: int) -> Block:
    """Return the chow that starts at a kind."""
    return (low, low + 1, low + 2)


def pung(kind: int) -> Block:
    """Return the pung of a kind."""
    return (kind, kind, kind)


def is_chow_start(kind: int) -> bool:
    """Return whether a chow may start at this kind."""
    return kind < 27 and kind % 9 <= 6


@dataclass(frozen=True, slots=True)
class Admits:
    """The blocks a pattern admits, as bit masks over the 34 kinds (a chow by its lowest)."""

    chows: int
    pungs: int
    pairs: int

    def __and__(self, other: Admits) -> Admits:
        return Admits(self.chows & other.chows, self.pungs & other.pungs, self.pairs & other.pairs)

    def __le__(self, other: Admits) -> bool:
        """Return whether the other admits every block of this one."""
        more = self.chows & ~other.chows | self.pungs & ~other.pungs | self.pairs & ~other.pairs
        return not more

    def reaches(self, kinds: Iterable[int]) -> bool:
        """Return whether some block with one of these kinds is admitted."""
        chows = self.chows | self.chows << 1 | self.chows << 2
        return any((chows | self.pungs | self.pairs) >> kind & 1 for kind in kinds)

    def block(self, block: Block) -> bool:
        """Return whether a set is admitted; the uneven sets of a knitted straight only if all sets are."""
        if block[0] == block[1]:
            return bool(self.pungs >> block[0] & 1)
        if block[0] + 1 == block[1]:
            return bool(self.chows >> block[0] & 1)
        return self == ANY

    def pair(self, kind: int) -> bool:
        """Return whether a pair of this kind is admitted."""
        return bool(self.pairs >> kind & 1)


def admit(test: Callable[[Block], bool], chows: bool = True, pungs: bool = True) -> Admits:
    """Return the admission of all chows, pungs and pairs whose kinds pass the test."""
    return Admits(
        sum(1 << kind for kind in KINDS if chows and is_chow_start(kind) and test(chow(kind))),
        sum(1 << kind for kind in KINDS if pungs and test((kind,))),
        sum(1 << kind for kind in KINDS if test((kind,))),
    )


def within(kinds: Iterable[int], chows: bool = True) -> Admits:
    """Return the admission of blocks that lie wholly in some kinds."""
    allowed = frozenset(kinds)
    return admit(allowed.issuperset, chows=chows)


def touching(kinds: Iterable[int]) -> Admits:
    """Return the admission of blocks that have a tile among some kinds."""
    wanted = frozenset(kinds)
    return admit(lambda block: not wanted.isdisjoint(block))


def kinds_of_text(texts: str) -> tuple[int, ...]:
    """Return the kinds of a text such as `1m 9m E`."""
    index = {str(tile): tile.index for tile in TILES[:KINDS_WITHOUT_FLOWERS]}
    return tuple(index[text] for text in texts.split())


def kinds_in(mask: int) -> tuple[int, ...]:
    """Return the kinds of a mask, lowest first."""
    return tuple(kind for kind in KINDS if mask >> kind & 1)


def mask_of(kinds: Iterable[int]) -> int:
    """Return the mask of kinds, however often each comes."""
    mask = 0
    for kind in kinds:
        mask |= 1 << kind
    return mask


ANY = admit(lambda block: True)


@dataclass(frozen=True, slots=True)
class Template:
    """Sets, and a pair where `pair` is not None, that must be among those of the hand."""

    sets: tuple[Block, ...] = ()
    pair: int | None = None


@dataclass(frozen=True, slots=True)
class Pick:
    """A hand of single tiles: every kind of `needed`, the rest of 14 out of `choice`, no kind twice."""

    needed: frozenset[int]
    choice: frozenset[int]


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a scoring element asks of the tiles; the variant's row has its name, points and exclusions.

    Attributes:
        admits: the element holds if one of these admits every block.
        spans: for each of `admits`, kinds of which some must be possible beside other patterns, else the
            element is another one (缺一门 without its two suits).
        templates: and one of these is in the hand.
        one_of_each: every suit, winds and dragons have exactly one block.
        picks, tiles, seven_pairs: hands of another shape: single tiles, whole hands, pairs.
        stands: 13 tiles that must stand before any tile of their suit comes last.
        is_concealed: no open melds.
        is_self_drawn: the last tile must be drawn.
        weaker: an element that it includes; a route with that one makes the route with this one superfluous.
    """

    key: str
    admits: tuple[Admits, ...] = (ANY,)
    spans: tuple[tuple[range, ...], ...] = ((),)
    templates: tuple[Template, ...] = (Template(),)
    one_of_each: bool = False
    picks: tuple[Pick, ...] = ()
    tiles: tuple[tuple[int, ...], ...] = ()
    seven_pairs: bool = False
    stands: tuple[tuple[int, ...], ...] = ()
    is_concealed: bool = False
    is_self_drawn: bool = False
    weaker: str | None = None

    @property
    def is_special(self) -> bool:
        """True where the hand is not sets and a pair."""
        return bool(self.picks or self.tiles or self.seven_pairs or self.stands)
