"""The engine of regional rules: what a city's rules are as data (a win is valued in `rules.engine_value`).

A `Ruleset` is a `Variant` (tiles, options, shapes, who may claim) with what its elements, combination, kong
money, settlement and end of hand are. Nothing here knows a city by name; see docs/engine.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from rules.engine_wilds import Matters, everything
from rules.fields import Fields
from rules.hand import Hand
from rules.legal import Move
from rules.options import Options
from rules.seats import Seat, seat_after
from rules.situation import Kong, Situation, Win
from rules.splits import Reading
from rules.tiles import Tile
from rules.variant import KongRow, Payment, Value, Variant, resolve_options
from rules.view import View


@dataclass(frozen=True)
class Deal:
    """What is said or set before the first discard of a hand and holds for this hand alone.

    Attributes:
        dealer_doubled: the dealer doubled (坐庄).
        pulls: how often the others pulled (拉庄).
        streak: how many hands the dealer has kept the deal (连庄).
        old_dealer: the hand follows a dealer's win or a drawn one (老庄).
    """

    dealer_doubled: bool = False
    pulls: Mapping[Seat, int] = field(default_factory=dict)
    streak: int = 0
    old_dealer: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "pulls", MappingProxyType(dict(self.pulls)))


NO_DEAL = Deal()


@dataclass(frozen=True, slots=True)
class Told:
    """What people tell beside the tiles: missing suit, feeder of the kong just replaced, horses, birds, 宝.

    Attributes:
        feeder_ready: whether the feeder had declared ready, None = nobody told.
        shown: the hands that other players have laid open.
        wild: the kinds that are wild in this hand.
        flowers: the tiles laid aside as flowers, honors too where the city lays them aside.
        called: what was called beside the flags.
        deal: what holds for this hand alone; set by the engine where a ledger knows it.
        drawn: the tile that was drawn, where it is taken as another or is a wild one. Set by the engine, as
            what follows.
        standing: kinds of the wild tiles that stood in the hand; `stands` the kinds they stand for.
        place: where the winning tile went, see `engine_wilds.Taking`.
    """

    que: str | None = None
    kong_from: Seat | None = None
    horses: tuple[Tile, ...] = ()
    birds: tuple[Tile, ...] = ()
    bao: tuple[Tile, ...] = ()
    feeder_ready: bool | None = None
    wild: tuple[Tile, ...] = ()
    flowers: tuple[Tile, ...] = ()
    called: frozenset[str] = frozenset()
    deal: Deal = NO_DEAL
    drawn: Tile | None = None
    standing: tuple[int, ...] = ()
    stands: tuple[int, ...] = ()
    place: tuple[str, int] | None = None
    shown: tuple[Hand, ...] = ()


NOTHING_TOLD = Told()


@dataclass(frozen=True, slots=True)
class Row:
    """One element; `swallows` says how many of another element are part of this one and count no more.

    Attributes:
        counts: how often the element is there, 0 = not.
        excludes: keys of elements that do not count beside this one.
        worth: what it is worth in this view, where the options do not say it (flowers, golds).
        extra: False for a pattern, True for what comes on top of one.
    """

    key: str
    zh: str
    en: str
    value: Value
    counts: Callable[[View, Told], int]
    extra: bool = False
    swallows: tuple[tuple[str, int], ...] = ()
    excludes: tuple[str, ...] = ()
    worth: Callable[[View, Told, Options], int] | None = None


@dataclass(frozen=True, slots=True)
class Counted:
    """A row as it counts in one reading, so often, each worth `value`."""

    row: Row
    value: int
    count: int


@dataclass(frozen=True, slots=True)
class Worth:
    """Value of a win under the cap with the elements that make it, or why the rules refuse it."""

    reason: str | None
    elements: tuple[Counted, ...] = ()
    total: int = 0

    @property
    def legal(self) -> bool:
        """True if the rules accept the win."""
        return self.reason is None


Combine = Callable[[Sequence[Counted], Options], tuple[tuple[Counted, ...], int]]


@dataclass(frozen=True, slots=True)
class PaidKong:
    """A kong of the running hand with what it brought; `closed` kongs are not refunded any more."""

    kong: Kong
    payments: tuple[Payment, ...]
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Running:
    """A hand as far as it was played: who won, in this order, the kongs made, who wins the tile at stake.

    `last_draw` is who drew the last tile of an empty wall, where that was told.
    """

    situation: Situation
    won: tuple[Seat, ...] = ()
    kongs: tuple[PaidKong, ...] = ()
    winners_stay: bool = False
    winning: tuple[Seat, ...] = ()
    last_draw: Seat | None = None
    deal: Deal = NO_DEAL

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that can still feed, pay and win."""
        return self.situation.players if self.winners_stay else self.unwon

    @property
    def unwon(self) -> tuple[Seat, ...]:
        """The seats that have not won, in play order."""
        return tuple(seat for seat in self.situation.players if seat not in self.won)


@dataclass(frozen=True, slots=True)
class Valued:
    """A win that is settled, with its value."""

    win: Win
    told: Told
    worth: Worth


@dataclass(frozen=True)
class WallEnd:
    """The hands that players who have not won show when the wall is empty; `que` their missing suits.

    `last_draw` is who drew the last tile.
    `liang` are the seats that had laid their hands open before.
    """

    hands: Mapping[Seat, Hand]
    que: Mapping[Seat, str] = field(default_factory=dict)
    last_draw: Seat | None = None
    liang: tuple[Seat, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "hands", MappingProxyType(dict(self.hands)))
        object.__setattr__(self, "que", MappingProxyType(dict(self.que)))


@dataclass(frozen=True, slots=True)
class Happened:
    """What another event than kong, win and empty wall pays; `over` ends the hand, `next_dealer` deals."""

    payments: tuple[Payment, ...]
    over: bool = False
    next_dealer: Seat | None = None


KongPayers = Callable[[Kong, int, Running, Options], Mapping[Seat, int]]


def each_other_pays(kong: Kong, value: int, running: Running, options: Options) -> Mapping[Seat, int]:
    """Return the worth of the kong for every other seat that still plays."""
    return {seat: value for seat in running.playing if seat != kong.seat}


def nothing_beside(
    wins: Sequence[Valued], running: Running, options: Options
) -> tuple[tuple[Payment, ...], Running]:
    """Move nothing beside the payments of the wins."""
    return (), running


def first_win_ends(running: Running, options: Options) -> bool:
    """Return True: the first win ends the hand."""
    return True


def nothing_at_wall_end(
    rules: Ruleset, end: WallEnd, running: Running, options: Options
) -> tuple[Payment, ...]:
    """Pay nothing at an empty wall; kongs stand."""
    return ()


def dealer_stays(wins: Sequence[Win], running: Running, options: Options) -> Seat | None:
    """Return the dealer again where he won or nobody did, else the seat after him."""
    dealer = running.situation.dealer
    if not wins or any(win.seat == dealer for win in wins):
        return dealer
    return seat_after(dealer, running.situation.players)


def refuses_nothing(win: Win, told: Told, options: Options) -> str | None:
    """Refuse no win whose tiles are worth something."""
    return None


def forbids_nothing(rules: Ruleset, move: Move, told: Told, options: Options) -> bool:
    """Forbid no move that tiles and permits allow."""
    return False


@dataclass(frozen=True, kw_only=True)
class Ruleset:
    """The rules of one city; what most cities have in common is the default.

    Attributes:
        base: tiles, options, shapes, permits, several winners: what every variant has.
        rows: elements in the order of the rule text.
        combine: what the elements of one reading are worth together.
        pay: what one win pays, in units of `base` (`Running` before it).
        kong_rows: what kongs are worth; `kong_payers` the points each payer owes for one.
        after_wins: what the wins on one tile move beside their payments (kong money handed on).
        ends: does the hand end with these winners?
        drawn: what is paid at an empty wall.
        next_dealer: dealer of the next hand, None = diced; with the wins that ended it, () = drawn.
        refuses: why a hand is no win whatever it is worth, or None.
        forbids: what these rules forbid of moves that tiles and `permits` allow.
        winners_stay: whoever won plays on with the hand he won with.
        events: what else may happen in a hand and pays at once (starting wins, side bets), by the name of the
            event: from its fields, the hand so far and the options.
        wild: mask of the kinds that are wild in this hand; None = the city has none.
        matters: what elements look at in a suit's share of a hand with wild tiles, see `engine_wilds`.
        read_deal: `Deal` from what `base.told_as_options` names.
        next_deal: what the next hand begins with, from the hand that ended and its next dealer.
        told_next: how cases tell it, by name.
        read_win: what cases write of a win among the options.
        loose: a hand that wins without sets, as it is read then (any 14 honors, three golds), or None.
        dealt_wins: a hand won as it was dealt may have no winning tile apart.
        settles: are wins paid under these options? False = a hand is only valued.
        drawn_at: with how many tiles left in the wall the hand is drawn.
        free_win: may the winning tile be taken as any kind (a drawn 宝)?
        tiles_of: how many tiles are played with, where an option says so.
        turned: the kinds that a turned tile makes special, by name.
        ops: questions of this ruleset alone, by name: from their fields and the options.
        kongs_when_locked: a frozen hand may make kongs; `forbids` says which.
        last_tile_robbed: the last tile of the wall may be added to a pung and robbed (it counts for nothing
            then); False = such a win cannot have happened.
    """

    base: Variant
    rows: tuple[Row, ...]
    combine: Combine
    pay: Callable[[Valued, Running, Options], tuple[Payment, ...]]
    kong_rows: tuple[KongRow, ...] = ()
    kong_payers: KongPayers = each_other_pays
    after_wins: Callable[[Sequence[Valued], Running, Options], tuple[tuple[Payment, ...], Running]] = (
        nothing_beside
    )
    ends: Callable[[Running, Options], bool] = first_win_ends
    drawn: Callable[[Ruleset, WallEnd, Running, Options], tuple[Payment, ...]] = nothing_at_wall_end
    next_dealer: Callable[[Sequence[Win], Running, Options], Seat | None] = dealer_stays
    refuses: Callable[[Win, Told, Options], str | None] = refuses_nothing
    forbids: Callable[[Ruleset, Move, Told, Options], bool] = forbids_nothing
    winners_stay: bool = False
    events: Mapping[str, Callable[[Fields, Running, Options], Happened]] = field(default_factory=dict)
    wild: Callable[[Told, Options], int] | None = None
    matters: Matters = everything
    read_deal: Callable[[Fields], Deal] | None = None
    next_deal: Callable[[Running, Seat | None], Deal] | None = None
    told_next: Callable[[Deal], dict[str, object]] | None = None
    read_win: Callable[[Fields, Win, Told], tuple[Win, Told]] | None = None
    loose: Callable[[Win, Told, Options], tuple[Hand, Reading] | None] | None = None
    dealt_wins: bool = False
    settles: Callable[[Options], bool] | None = None
    drawn_at: Callable[[Options], int] | None = None
    free_win: Callable[[Win, Told, Options], bool] | None = None
    tiles_of: Callable[[Options], int] | None = None
    turned: Callable[[Tile, Options], Mapping[str, tuple[Tile, ...]]] | None = None
    ops: Mapping[str, Callable[[Fields, Options], dict[str, object]]] = field(default_factory=dict)
    kongs_when_locked: bool = False
    last_tile_robbed: bool = False


def options_of(rules: Ruleset, situation: Situation) -> Options:
    """Return every option with its value.

    Raises:
        InvalidOption: for an unknown key or an impossible value.
    """
    return resolve_options(rules.base, situation.options)
