"""What a rule variant is: rows (options, elements, kongs) and fields; the engine knows no variant by name.

A variant file lists rows in the order its rule text has them. Whatever differs between cities is a field
here; a field that depends on what the table agreed on is a function of the options.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from rules.hand import Hand, MeldKind
from rules.options import Option, Options, resolve_rows
from rules.seats import Seat
from rules.shapes import Shape
from rules.splits import Reading
from rules.tiles import Tile, kinds_of

if TYPE_CHECKING:
    from rules.situation import Kong, Situation


@dataclass(frozen=True)
class View:
    """All that an element may look at: one reading of a complete hand and how it was won."""

    hand: Hand
    reading: Reading
    seat: Seat
    by: str
    source: Seat | None
    dealer: Seat
    players: tuple[Seat, ...]
    flags: frozenset[str]
    wall_left: int | None
    options: Options

    @cached_property
    def tiles(self) -> tuple[Tile, ...]:
        """Every tile of the hand, winning tile too."""
        return self.hand.tiles

    @property
    def is_dealer(self) -> bool:
        """True if the winner deals."""
        return self.seat == self.dealer


Value = Callable[[Options], int]


@dataclass(frozen=True, slots=True)
class Fan:
    """One scoring element: the row is its documentation.

    Attributes:
        value: worth of one, in points, under the table's options.
        counts: how often the element is in a view; 0 = not.
        excludes: keys of elements that do not count beside this one.
    """

    key: str
    zh: str
    en: str
    value: Value
    counts: Callable[[View], int]
    excludes: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class KongRow:
    """What one kind of kong is worth; `pays` gives the points each payer owes."""

    key: str
    zh: str
    en: str
    kind: MeldKind
    value: Value
    pays: Callable[[Kong, int, Situation, Options], Mapping[Seat, int]]
    source: str = ""


@dataclass(frozen=True, slots=True)
class ScoredElement:
    """An element of a scored hand; `value` is the worth of one."""

    key: str
    zh: str
    en: str
    value: int
    count: int


@dataclass(frozen=True, slots=True)
class NotCounted:
    """An element that the hand has but that is not counted, and why: `excluded` by the element named."""

    key: str
    zh: str
    en: str
    why: str
    by: str


@dataclass(frozen=True, slots=True)
class Score:
    """What a claimed win is worth; `reason` is set when the rules refuse it (`not_win`, `passed`, ...)."""

    legal: bool
    reason: str | None
    elements: tuple[ScoredElement, ...] = ()
    total: int = 0
    reading: Reading | None = None
    not_counted: tuple[NotCounted, ...] = ()
    ties: tuple[tuple[ScoredElement, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Payment:
    """One payer's share, in units of the variant."""

    payer: Seat
    payee: Seat
    units: int
    why: str


def add_points(elements: tuple[ScoredElement, ...], options: Options) -> int:
    """Return the sum of all elements: the `combine` of variants that add."""
    return sum(element.value * element.count for element in elements)


def no_minimum(options: Options) -> int:
    """Return 0: every complete hand may win."""
    return 0


def stay_or_pass(winners: tuple[Seat, ...], situation: Situation, following: Seat) -> Seat:
    """Return the dealer again if he won or nobody did, else the seat that follows him."""
    return situation.dealer if not winners or situation.dealer in winners else following


@dataclass(frozen=True)
class Variant:
    """One set of rules.

    Attributes:
        shapes: win shapes under the options.
        fans: scoring elements, in the order of the rule text; a tie names the row that stands first.
        pay: what every payer owes for one win.
        permits: actions a player may take: chow, pung, kong_exposed, kong_added, kong_concealed, rob_kong.
        multi_win: whether every claimant of one tile wins, or the nearest only.
        no_element: why a complete hand without any element is refused.
        unit: ledger units in one point (2 = halves are exact).
        minimum: fewest points (flowers left out) that may win.
        dealer_after: dealer of the next hand, from winners, situation and the seat that follows the dealer.
    """

    key: str
    zh: str
    en: str
    options: tuple[Option, ...]
    fans: tuple[Fan, ...]
    kongs: tuple[KongRow, ...]
    shapes: Callable[[Options], tuple[Shape, ...]]
    pay: Callable[[View, Score, Situation], tuple[Payment, ...]]
    permits: Callable[[Options], frozenset[str]]
    multi_win: Callable[[Options], bool]
    combine: Callable[[tuple[ScoredElement, ...], Options], int] = add_points
    minimum: Callable[[Options], int] = no_minimum
    dealer_after: Callable[[tuple[Seat, ...], Situation, Seat], Seat] = stay_or_pass
    no_element: str = "no_element"
    tiles: int = 136
    hand_size: int = 13
    unit: int = 1
    source: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def kinds(self) -> tuple[Tile, ...]:
        """The kinds of tiles of the set, each once."""
        return kinds_of(self.tiles)


def resolve_options(variant: Variant, given: Mapping[str, object]) -> Options:
    """Return every option of the variant with its value; already resolved ones are returned as they are.

    Chinese words of the rule texts are accepted (全陪 = full).

    Raises:
        InvalidOption: for an unknown key or an impossible value.
    """
    if isinstance(given, Options) and given.variant == variant.key:
        return given
    return resolve_rows(variant.key, variant.options, given)
