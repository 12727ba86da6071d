"""What a rule variant is: rows (options, elements, kongs) and fields; the engine knows no variant by name.

A variant file lists rows in the order its rule text has them. Whatever differs between cities is a field
here; a field that depends on what the table agreed on is a function of the options.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from rules.combine import Combination
from rules.hand import Hand, MeldKind
from rules.options import Option, Options, resolve_rows
from rules.seats import Seat
from rules.shapes import Shape
from rules.splits import Reading
from rules.tiles import Tile, kinds_of
from rules.view import View

if TYPE_CHECKING:
    from rules.routes.blocks import Pattern
    from rules.situation import Kong, Situation, Win

Value = Callable[[Options], int]
Places = tuple[int, ...]  # masks of places in a reading, see `rules.view`


def whole_hand(view: View) -> Places:
    """Return no places: the element is made of the whole hand."""
    return ()


@dataclass(frozen=True, slots=True)
class Fan:
    """One scoring element: the row is its documentation.

    Attributes:
        value: worth of one, in points, under the table's options.
        counts: how often the element is in a view; 0 = not. None for combinations and fallbacks.
        excludes: keys of elements that do not count beside this one.
        contains: keys of combinations that its own sets always make. They do not count on these sets (the
            account-once rule sees to it), but may count where one of them meets another set.
        where: the sets and pairs behind each time it counts; nothing = the whole hand.
        absorbs: (key, places): that element does not count on sets within these places.
        combination: for elements made of a few sets, counted under the account-once rule.
        fallback: for elements of a hand without others: is it there, given the keys of all others?
        helps_minimum: False for what may not help to reach the minimum (flowers).
        one_of: of the elements with the same word here only one counts; which one it is called is free.
        missed: why a hand that looks like it does not have it ("" = it does not look like it).
    """

    key: str
    zh: str
    en: str
    value: Value
    counts: Callable[[View], int] | None
    excludes: tuple[str, ...] = ()
    where: Callable[[View], Places] = whole_hand
    absorbs: tuple[tuple[str, Callable[[View], int]], ...] = ()
    combination: Combination | None = None
    fallback: Callable[[View, frozenset[str]], bool] | None = None
    helps_minimum: bool = True
    one_of: str = ""
    missed: Callable[[View], str] | None = None
    source: str = ""
    contains: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KongRow:
    """What one kind of kong is worth; `pays` gives what each payer owes; `of_wilds`: four wild tiles."""

    key: str
    zh: str
    en: str
    kind: MeldKind
    value: Value
    pays: Callable[[Kong, int, Situation, Options], Mapping[Seat, int]]
    source: str = ""
    of_wilds: bool = False


@dataclass(frozen=True, slots=True)
class ScoredElement:
    """An element of a scored hand; `value` is the worth of one.

    `sets` are the sets and pairs behind it as tile text (the winning tile where it is about that), empty for
    the whole hand or where nobody asked; `is_whole` tells the whole hand from nothing (flowers nobody named).
    """

    key: str
    zh: str
    en: str
    value: int
    count: int
    sets: tuple[str, ...] = field(default=(), compare=False)
    is_whole: bool = field(default=True, compare=False)


@dataclass(frozen=True, slots=True)
class NotCounted:
    """An element that the hand has but that is not counted, and why.

    `why` is a key of `rules.uncounted.REASONS`; `by` names the elements that it is not counted beside, `sets`
    the sets it would be made of (the other waits where the wait was not the only one), `count` how often.
    """

    key: str
    zh: str
    en: str
    why: str
    by: str = ""
    by_zh: str = ""
    by_en: str = ""
    count: int = 1
    sets: tuple[str, ...] = ()


class Score:
    """What a claimed win is worth, never changed; `reason` is set when the rules refuse it (`not_win` ...).

    `total` is under the cap of the variant; the elements are those of the highest sum before it.
    `minimum_total` is the part of the total that may reach the minimum (flowers left out). `hand` is the
    hand as it was read: what wild tiles stand for, which tile counted as the winning one. `not_counted` and
    `ties` (other lists of elements with the same sum) are filled in where an explanation was asked for.
    """

    __slots__ = (
        "elements",
        "hand",
        "legal",
        "minimum_total",
        "not_counted",
        "reading",
        "reason",
        "ties",
        "total",
    )

    def __init__(
        self,
        legal: bool,
        reason: str | None,
        elements: tuple[ScoredElement, ...] = (),
        total: int = 0,
        minimum_total: int = 0,
        reading: Reading | None = None,
        not_counted: tuple[NotCounted, ...] = (),
        ties: tuple[tuple[ScoredElement, ...], ...] = (),
        hand: Hand | None = None,
    ) -> None:
        self.legal: Final[bool] = legal
        self.reason: Final[str | None] = reason
        self.elements: Final[tuple[ScoredElement, ...]] = elements
        self.total: Final[int] = total
        self.minimum_total: Final[int] = minimum_total
        self.reading: Final[Reading | None] = reading
        self.not_counted: Final[tuple[NotCounted, ...]] = not_counted
        self.ties: Final[tuple[tuple[ScoredElement, ...], ...]] = ties
        self.hand: Final[Hand | None] = hand

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def _parts(self) -> tuple[object, ...]:
        worth = (self.legal, self.reason, self.elements, self.total, self.minimum_total)
        return (worth, self.reading, self.not_counted, self.ties, self.hand)

    def __repr__(self) -> str:
        counted = [f"{e.zh} {e.value}{f'x{e.count}' if e.count > 1 else ''}" for e in self.elements]
        why = [] if self.reason is None else [self.reason]
        return f"Score({', '.join([str(self.total), *why, *counted])})"

    def worth(self, total: int) -> Score:
        """Return the same score with another total, where not all of it counts."""
        return Score(
            self.legal,
            self.reason,
            self.elements,
            total,
            self.minimum_total,
            self.reading,
            self.not_counted,
            self.ties,
            self.hand,
        )

    def explained(
        self,
        elements: tuple[ScoredElement, ...],
        not_counted: tuple[NotCounted, ...],
        ties: tuple[tuple[ScoredElement, ...], ...],
    ) -> Score:
        """Return the same score with what an explanation adds."""
        return Score(
            self.legal,
            self.reason,
            elements,
            self.total,
            self.minimum_total,
            self.reading,
            not_counted,
            ties,
            self.hand,
        )


@dataclass(frozen=True, slots=True)
class Payment:
    """One payer's share, in units of the variant."""

    payer: Seat
    payee: Seat
    units: int
    why: str


def no_cap(options: Options) -> int | None:
    """Return None: a hand is worth the sum of its elements."""
    return None


def no_minimum(options: Options) -> int:
    """Return 0: every complete hand may win."""
    return 0


def all_rows(rows: tuple[Fan, ...], options: Options) -> tuple[Fan, ...]:
    """Return the rows as they are: for variants whose elements do not depend on what the table agreed on."""
    return rows


def stay_or_pass(winners: tuple[Seat, ...], situation: Situation, following: Seat) -> Seat:
    """Return the dealer again if he won or nobody did, else the seat that follows him."""
    return situation.dealer if not winners or situation.dealer in winners else following


def no_routes() -> tuple[Pattern, ...]:
    """Return no patterns: nobody needs to steer where every complete hand wins."""
    return ()


@dataclass(frozen=True)
class Variant:
    """One set of rules.

    Attributes:
        shapes: win shapes under the options.
        fans: scoring elements, in the order of the rule text; a tie names the row that stands first.
        rows: the elements of `fans` that count under the options, changed where an option says so.
        pay: what every payer owes for one win.
        permits: actions a player may take: chow, pung, kong_exposed, kong_added, kong_concealed, rob_kong.
        multi_win: whether every claimant of one tile wins, or the nearest only.
        refuses: why a win is refused whatever the hand is worth (discards in a self-draw room), or None.
        no_element: why a complete hand without any element is refused.
        unit: ledger units in one point (2 = halves are exact).
        cap: most points that a hand is worth, whatever its elements sum to; None = no cap.
        minimum: fewest points (flowers left out) that may win.
        dealer_after: dealer of the next hand, from winners, situation and the seat that follows the dealer.
        circumstances: flags that may count and that no tile shows: people tell them with a win.
        table_flags: flags that the table tells of itself, e.g. that a win was declined before.
        wild: mask of the kinds that stand for others in this hand; None = the variant has no such tiles.
        contradicts: why a win cannot have happened as it was told, "" = it can.
        told_as_options: circumstances that the rule cases of the variant write among the options.
        pay_false_win: what a seat owes that called a win it does not have, ready or not; None = play goes on
            without a payment.
        pay_together: what the wins on one tile pay where it is not the sum of what each pays by himself.
        pay_draw: what a drawn hand pays; None = nothing.
        holds: the kinds of the set where its number of tiles does not say them; empty = it does.
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
    rows: Callable[[tuple[Fan, ...], Options], tuple[Fan, ...]] = all_rows
    cap: Callable[[Options], int | None] = no_cap
    minimum: Callable[[Options], int] = no_minimum
    dealer_after: Callable[[tuple[Seat, ...], Situation, Seat], Seat] = stay_or_pass
    refuses: Callable[[Win, Options], str | None] | None = None
    no_element: str = "no_element"
    tiles: int = 136
    hand_size: int = 13
    unit: int = 1
    source: str = ""
    circumstances: tuple[str, ...] = ()
    table_flags: tuple[str, ...] = ()
    wild: Callable[[Situation, Options], int] | None = None
    contradicts: Callable[[Win, Situation, Options], str] | None = None
    told_as_options: tuple[str, ...] = ()
    pay_false_win: Callable[[Seat, bool, Situation, Options], tuple[Payment, ...]] | None = None
    pay_together: Callable[[Sequence[tuple[View, Score]], Situation], tuple[Payment, ...]] | None = None
    pay_draw: Callable[[Situation, Options], tuple[Payment, ...]] | None = None
    holds: tuple[Tile, ...] = ()

    routes: Callable[[], tuple[Pattern, ...]] = no_routes
    kinds: tuple[Tile, ...] = field(init=False, repr=False, compare=False)
    kinds_mask: int = field(init=False, repr=False, compare=False)
    default_options: Options = field(init=False, repr=False, compare=False)
    flags: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        kinds = self.holds or kinds_of(self.tiles)
        object.__setattr__(self, "kinds", kinds)
        object.__setattr__(self, "kinds_mask", sum(1 << tile.index for tile in kinds))
        object.__setattr__(self, "flags", frozenset((*self.circumstances, *self.table_flags)))
        object.__setattr__(self, "default_options", resolve_rows(self.key, self.options, {}))


def resolve_options(variant: Variant, given: Mapping[str, object]) -> Options:
    """Return every option of the variant with its value; already resolved ones are returned as they are.

    Chinese words of the rule texts are accepted (全陪 = full).

    Raises:
        InvalidOption: for an unknown key or an impossible value.
    """
    if isinstance(given, Options) and given.variant == variant.key:
        return given
    if not given:
        return variant.default_options
    found = resolve_rows(variant.key, variant.options, given)
    return variant.default_options if found.is_same(variant.default_options) else found
