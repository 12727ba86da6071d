"""An evening as a value: who sits where, who deals, which hand of which circle, what has to happen next.

Pure: every transition returns a new `Match`. A game (局) is four circles, or what the table agreed on;
after it the players change seats and the next one begins. Amounts are units of the variant.
Source: rules text table-procedure.md sections 4 to 6 and 10.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from rules import rotation, seating
from rules.match_refusals import DUE_TEXTS, Due, MatchRefused
from rules.rotation import CIRCLES, Deal, Result
from rules.seating import Seating
from rules.seats import ALL_SEATS, Seat
from rules.settings import Settings


@dataclass(frozen=True, slots=True)
class HandResult:
    """How a hand ended: nobody won = drawn. `deltas` are all that it paid, kongs and fines too, in units.

    `dice` is the sum that the dealer already threw for the next hand, where dice name every dealer.
    """

    winners: tuple[Seat, ...] = ()
    discarder: Seat | None = None
    deltas: Mapping[Seat, int] = field(default_factory=dict)
    dice: int | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """The state of an evening.

    Attributes:
        seats: the players in play order from East on.
        deal: dealer, circle and run of the hand that is or will be played; after a game, as it ended.
        hand: number of that hand in its game, from 1; `game` counts the games.
        totals: what each player of this game has won in it; `carried` what everyone, gone or not, had before.
        last_winner: who won last in this game; `was_draw` says that its last hand was drawn.
        left: the seat that somebody left and nobody has taken yet.
    """

    settings: Settings
    seats: tuple[str, ...]
    deal: Deal
    first_dealer: Seat
    due: Due
    hand: int = 1
    game: int = 1
    totals: Mapping[str, int] = field(default_factory=dict)
    carried: Mapping[str, int] = field(default_factory=dict)
    last_winner: str | None = None
    was_draw: bool = False
    left: Seat | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "totals", MappingProxyType(dict(self.totals)))
        object.__setattr__(self, "carried", MappingProxyType(dict(self.carried)))

    # ---- reading ----

    @property
    def ring(self) -> tuple[Seat, ...]:
        """The seats in use, in play order."""
        return ALL_SEATS[: len(self.seats)]

    @property
    def seating(self) -> dict[Seat, str]:
        """Who sits where."""
        return dict(zip(self.ring, self.seats, strict=True))

    @property
    def is_game_over(self) -> bool:
        """Whether the game is over and the next one has not begun."""
        return self.deal.is_over

    @property
    def round_wind(self) -> Seat:
        """The prevalent wind: of the last circle where a game is over, East where circles are not counted."""
        return ALL_SEATS[min(self.deal.circle, CIRCLES) - 1]

    @property
    def dealer_player(self) -> str:
        """The player who deals."""
        return self.seating[self.deal.dealer]

    @property
    def reseat_thrower(self) -> str:
        """The player who throws for the new seats after a game."""
        on_draw = str(self.settings["winner_dice_on_draw"])
        return seating.reseat_thrower(self.last_winner, self.dealer_player, self.was_draw, on_draw)

    def seat_wind(self, seat: Seat) -> Seat:
        """Return the wind of a seat: the dealer is East."""
        ring = self.ring
        return ring[(ring.index(seat) - ring.index(self.deal.dealer)) % len(ring)]

    def score(self, player: str) -> int:
        """Return what a player has won in the evening."""
        return self.totals.get(player, 0) + self.carried.get(player, 0)

    def ranking(self) -> tuple[tuple[str, int], ...]:
        """Return everyone who played with his score, the highest first; equal ones by name."""
        names = {*self.totals, *self.carried}
        return tuple(sorted(((name, self.score(name)) for name in names), key=lambda row: (-row[1], row[0])))

    def view(self) -> dict[str, Any]:
        """Return the state as plain data."""
        return {
            "seats": {seat.value: player for seat, player in self.seating.items()},
            "dealer": self.deal.dealer.value,
            "first_dealer": self.first_dealer.value,
            "round_wind": self.round_wind.value,
            "circle": self.deal.circle,
            "run": self.deal.run,
            "hand": self.hand,
            "game": self.game,
            "game_over": self.deal.is_over,
            "due": self.due.value,
            "totals": dict(self.totals),
            "scores": {player: self.score(player) for player in {**self.carried, **self.totals}},
            "last_winner": self.last_winner,
            "left": None if self.left is None else self.left.value,
        }


# ---- beginning ----


def begin(settings: Settings, players: Sequence[str], first_dealer: Seat | None = None) -> Match:
    """Return the match before its first hand.

    Args:
        players: in play order from East on, as the first seating put them (`rules.seating`).
        first_dealer: where he is known; with `natural_east` it is East, else the match waits for him.
    Raises:
        MatchRefused: `match_players` where not as many sit down as the settings say, or one of them twice.
    """
    wanted = settings.number("players")
    if len(players) != wanted or len(set(players)) != wanted:
        raise MatchRefused(
            "match_players", f"要 {wanted} 个不同的人", f"{wanted} different players are needed"
        )
    start = Match(settings, tuple(players), Deal(Seat.E), Seat.E, Due.FIRST_DEALER)
    return _new_game(start, game=1, dealer=first_dealer)


def _new_game(match: Match, game: int, dealer: Seat | None = None) -> Match:
    """Return the match at the beginning of a game: what was won so far is carried."""
    carried = {**match.carried, **{player: match.score(player) for player in match.totals}}
    fresh = replace(
        match,
        deal=Deal(Seat.E),
        first_dealer=Seat.E,
        due=Due.FIRST_DEALER,
        hand=1,
        game=game,
        totals=dict.fromkeys(match.seats, 0),
        carried=carried,
        last_winner=None,
        was_draw=False,
        left=None,
    )
    if dealer is None and match.settings["first_dealer"] == "natural_east":
        dealer = Seat.E
    return fresh if dealer is None else with_first_dealer(fresh, dealer)


def with_first_dealer(match: Match, dealer: Seat) -> Match:
    """Return the match with the first dealer of the game, as `rules.rotation` found him."""
    _wants(match, Due.FIRST_DEALER)
    _plays(match, dealer)
    return replace(match, deal=Deal(dealer), first_dealer=dealer, due=Due.NOTHING)


# ---- hands ----


def after_hand(match: Match, result: HandResult) -> Match:
    """Return the match after a hand: totals, who deals, whether the game is over, what has to happen next.

    Raises:
        MatchRefused: `match_due` while something else comes first, `match_deltas` where the points do not
            sum to zero, `match_result` where a seat does not play or wins from itself.
    """
    _wants(match, Due.NOTHING)
    for seat in (*result.winners, *([result.discarder] if result.discarder else ())):
        _plays(match, seat)
    if result.discarder in result.winners or len(set(result.winners)) != len(result.winners):
        raise MatchRefused("match_result", "没有人和自己的牌两次", "nobody wins twice or from himself")
    if result.discarder is not None and not result.winners:
        raise MatchRefused("match_result", "荒庄没有放炮的人", "a drawn hand has no discarder")
    totals = _added(match, result.deltas)
    match = replace(
        match,
        totals=totals,
        last_winner=match.seating[_first(match, result)] if result.winners else match.last_winner,
        was_draw=not result.winners,
    )
    agreed = match.settings.number("hands")
    if agreed and match.hand >= agreed:
        return _over(match, rotation.left(match.deal))
    if match.settings["mode"] == "dice_each_hand" and result.dice is None:
        return replace(match, due=Due.DEALER_THROW)
    return _dealt_on(match, result)


def with_dealer_throw(match: Match, total: int) -> Match:
    """Return the match after the old dealer threw this sum for the dealer of the next hand."""
    _wants(match, Due.DEALER_THROW)
    return _dealt_on(match, HandResult(dice=total))


def after_void(match: Match, deltas: Mapping[Seat, int] | None = None) -> Match:
    """Return the match after a hand that does not count: it is played again with the same dealer.

    Args:
        deltas: what was paid all the same (fines).
    """
    _wants(match, Due.NOTHING)
    return replace(match, totals=_added(match, deltas or {}))


def draw_payment(match: Match) -> dict[Seat, int]:
    """Return what the dealer of a drawn hand pays by the settings, in units; it is added to the hand's.

    Where the variant's own settlement of a drawn hand has that payment, it is nothing.
    """
    if match.settings.pays_draw_itself:
        return dict.fromkeys(match.ring, 0)
    points = rotation.draw_payment(match.settings.retention, match.deal.dealer, match.ring)
    return {seat: value * match.settings.unit for seat, value in points.items()}


def _dealt_on(match: Match, result: HandResult) -> Match:
    unit = match.settings.unit
    totals = {seat: match.totals[player] / unit for seat, player in match.seating.items()}
    told = Result(result.winners, result.discarder, totals, result.dice)
    deal = rotation.next_deal(match.deal, match.first_dealer, told, match.settings.retention, match.ring)
    if deal.is_over:
        return _over(match, deal)
    changes = deal.circle > match.deal.circle and _seats_change(match, deal.circle)
    return replace(match, deal=deal, hand=match.hand + 1, due=Due.SEAT_CHANGE if changes else Due.NOTHING)


def _over(match: Match, deal: Deal) -> Match:
    return replace(match, deal=deal, due=Due.RESEAT)


def _first(match: Match, result: HandResult) -> Seat:
    """Return the winner; of several the nearest after the discarder, or after the dealer."""
    ring = match.ring
    start = ring.index(result.discarder or match.deal.dealer)
    return min(result.winners, key=lambda seat: (ring.index(seat) - start) % len(ring))


def _added(match: Match, deltas: Mapping[Seat, int]) -> dict[str, int]:
    if sum(deltas.values()) or not set(deltas) <= set(match.ring):
        raise MatchRefused("match_deltas")
    totals = dict(match.totals)
    for seat, units in deltas.items():
        totals[match.seating[seat]] += units
    return totals


# ---- seats ----


def _seats_change(match: Match, circle: int) -> bool:
    if match.settings["mode"] != "mcr" or len(match.seats) != 4:
        return False
    moves = seating.mcr_change(str(match.settings["mcr_seats"]), circle)
    return any(seat is not to for seat, to in moves.items())


def change_seats(match: Match) -> Match:
    """Return the match after the seat change of Chinese Official before this circle."""
    _wants(match, Due.SEAT_CHANGE)
    moves = seating.mcr_change(str(match.settings["mcr_seats"]), match.deal.circle)
    moved = {moves[seat]: player for seat, player in match.seating.items()}
    return replace(match, seats=_in_order(match, moved), due=Due.NOTHING)


def reseat(match: Match, seats: Seating, first_dealer: Seat | None = None) -> Match:
    """Return the next game with its seats, which `rules.seating` found; the same ones for `reseating=none`.

    Raises:
        MatchRefused: `match_players` if not the same players sit down.
    """
    _wants(match, Due.RESEAT)
    return _new_game(replace(match, seats=_in_order(match, seats)), match.game + 1, first_dealer)


def swap(match: Match, one: str, other: str) -> Match:
    """Return the match with two players in each other's seat, who sat down wrong, with their scores."""
    if match.due is Due.PLAYER:
        _wants(match, Due.NOTHING)
    for player in (one, other):
        if player not in match.seats:
            raise MatchRefused("match_players", f"{player} 不在座", f"{player} does not sit at the table")
    places = {one: other, other: one}
    return replace(match, seats=tuple(places.get(player, player) for player in match.seats))


def leave(match: Match, player: str) -> Match:
    """Return the match after a player left: the game is over, his seat is to be taken (tianjin.md)."""
    if match.due is Due.PLAYER:
        _wants(match, Due.NOTHING)
    if player not in match.seats:
        raise MatchRefused("match_players", f"{player} 不在座", f"{player} does not sit at the table")
    seat = seating.seat_of(match.seating, player)
    return replace(match, deal=rotation.left(match.deal), due=Due.PLAYER, left=seat)


def take_seat(match: Match, player: str) -> Match:
    """Return the match after somebody took the seat that was left; who left keeps his score in the record.

    Then seats are found anew, and with them the first dealer: a change of players means new dice.
    """
    _wants(match, Due.PLAYER)
    assert match.left is not None
    if player in match.seats and match.seating[match.left] != player:
        raise MatchRefused("match_players", f"{player} 已在座", f"{player} already sits at the table")
    gone = match.seating[match.left]
    seats = {**match.seating, match.left: player}
    carried = {**match.carried, gone: match.score(gone)}
    totals = {name: units for name, units in match.totals.items() if name != gone}
    # who comes back goes on with what he had
    return replace(
        match,
        seats=_ordered(match, seats),
        totals={**totals, player: 0},
        carried=carried,
        last_winner=None if match.last_winner == gone else match.last_winner,
        due=Due.RESEAT,
        left=None,
    )


def _ordered(match: Match, seats: Seating) -> tuple[str, ...]:
    return tuple(seats[seat] for seat in match.ring)


def _in_order(match: Match, seats: Seating) -> tuple[str, ...]:
    if set(seats) != set(match.ring) or set(seats.values()) != set(match.seats):
        raise MatchRefused("match_players", "换位的要是同样的人", "the same players change seats")
    return _ordered(match, seats)


def _wants(match: Match, due: Due) -> None:
    if match.due is not due:
        raise MatchRefused("match_due", *DUE_TEXTS[match.due])


def _plays(match: Match, seat: Seat) -> None:
    if seat not in match.ring:
        raise MatchRefused("match_result", f"{seat} 没有人", f"nobody sits at {seat}")
