"""The engine of regional rules: what a city's rules are as data, and the exact value of a win under them.

A `Ruleset` is a `Variant` (tiles, options, shapes, who may claim) with what its elements, combination, kong
money, settlement and end of hand are. Nothing here knows a city by name; see docs/engine.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from rules.engine_wilds import Matters, everything, stock_of, takings
from rules.errors import InvalidWin
from rules.evaluate import readings, refused
from rules.fields import Fields
from rules.hand import Hand
from rules.legal import Move
from rules.options import Options
from rules.plan import plan_of
from rules.seats import Seat, seat_after
from rules.situation import ROB_KONG, Kong, Situation, Win, check_win
from rules.tiles import Tile, kinds_of
from rules.variant import KongRow, Payment, Value, Variant, resolve_options
from rules.view import Claimed, View


@dataclass(frozen=True, slots=True)
class Told:
    """What people tell beside the tiles: missing suit, feeder of the kong just replaced, horses, birds, 宝.

    Attributes:
        feeder_ready: whether the feeder had declared ready, None = nobody told.
        shown: the hands that other players have laid open.
        wild: the kinds that are wild in this hand.
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


@dataclass(frozen=True)
class Deal:
    """What is said or set before the first discard of a hand and holds for this hand alone.

    Attributes:
        dealer_doubled: the dealer doubled (坐庄).
        pulls: how often the others pulled (拉庄).
    """

    dealer_doubled: bool = False
    pulls: Mapping[Seat, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pulls", MappingProxyType(dict(self.pulls)))


NO_DEAL = Deal()


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


def value_of(rules: Ruleset, win: Win, situation: Situation, told: Told = NOTHING_TOLD) -> Worth:
    """Return the highest value of a win over all its readings, exact; or why it is refused.

    Of readings worth the same the one counts whose elements stand first in the table.

    Raises:
        InvalidWin: if tiles and circumstances contradict each other.
    """
    base, options = rules.base, options_of(rules, situation)
    if win.by == ROB_KONG and rules.last_tile_robbed:
        flags = win.flags - {"last_tile"}
        win = Win(win.seat, win.hand, win.by, win.source, flags)
    tiles = base.tiles if rules.tiles_of is None else rules.tiles_of(options)
    kinds = base.kinds if rules.tiles_of is None else kinds_of(tiles)
    check_win(
        win,
        situation,
        hand_size=base.hand_size,
        kinds=sum(1 << kind.index for kind in kinds),
        tiles=tiles,
        known=base.flags,
    )
    if win.hand.win_tile is None:
        raise InvalidWin("the winning tile is missing (after a plus sign)")
    refusal = refused(base, win, situation, options) or rules.refuses(win, told, options)
    if refusal is not None:
        return Worth(refusal)
    plan = plan_of(base, options)
    best: tuple[tuple[Counted, ...], int] = ((), 0)
    for view, taken in _views(rules, win, situation, told, kinds):
        combined = rules.combine(_counted(rules, view, taken, options), options)
        if combined[0] and (not best[0] or _ranks_before(rules, combined, best)):
            best = combined
    if not best[0]:
        return Worth("not_win")
    if best[1] < plan.minimum:
        return Worth("below_minimum", best[0], best[1])
    total = best[1] if plan.cap is None else min(best[1], plan.cap)
    return Worth(None, best[0], total)


def _views(
    rules: Ruleset, win: Win, situation: Situation, told: Told, kinds: Sequence[Tile]
) -> Iterator[tuple[View, Told]]:
    """Yield every way to read the hand, with every meaning of its wild tiles that can matter."""
    options = options_of(rules, situation)
    plan = plan_of(rules.base, options)
    if rules.wild is None:
        for hand, taken in _taken(rules, win, told, options, kinds):
            claimed = Claimed(win.with_hand(hand), situation, options, plan.shapes)
            for reading in readings(plan, hand):
                yield View(claimed, reading), taken
        return
    wild = rules.wild(told, options)
    stock = stock_of(win.hand, wild)
    drawn = win.hand.win_tile if stock.drawn else None
    for taking in takings(win.hand, wild, rules.matters):
        claimed = Claimed(win.with_hand(taking.hand), situation, options, plan.shapes, wild)
        taken = replace(told, drawn=drawn, standing=stock.standing, stands=taking.stands, place=taking.place)
        yield View(claimed, taking.reading), taken


def _taken(
    rules: Ruleset, win: Win, told: Told, options: Options, kinds: Sequence[Tile]
) -> Iterator[tuple[Hand, Told]]:
    """Yield the hand as it stands, then with each other meaning its winning tile may have."""
    yield win.hand, told
    if rules.free_win is None or not rules.free_win(win, told, options):
        return
    free = replace(told, drawn=win.hand.win_tile)
    for kind in kinds:
        if win.hand.concealed.count(kind) + sum(meld.tiles.count(kind) for meld in win.hand.melds) < 4:
            yield win.hand.with_win_tile(kind), free


def _ranks_before(
    rules: Ruleset, one: tuple[tuple[Counted, ...], int], other: tuple[tuple[Counted, ...], int]
) -> bool:
    if one[1] != other[1]:
        return one[1] > other[1]
    return _places(rules, one[0]) < _places(rules, other[0])


def _places(rules: Ruleset, counted: Sequence[Counted]) -> list[int]:
    return [rules.rows.index(each.row) for each in counted]


def _counted(rules: Ruleset, view: View, told: Told, options: Options) -> list[Counted]:
    found = []
    for row in rules.rows:
        count = row.counts(view, told)
        if count:
            found.append(Counted(row, row.value(options), count))
    return found
