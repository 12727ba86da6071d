"""Who deals: the first dealer of a game, and who deals after each hand.

Source: rules text table-procedure.md sections 6 and 10. A hand is 盘, a circle 圈, a game (局) four circles.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle

from rules.errors import InvalidRequest
from rules.procedure import dice_to_seat
from rules.seats import ALL_SEATS, Seat, in_order_after, seat_after

CIRCLES = 4
MODES = ("circles", "mcr", "winner_deals", "discarder_deals", "dice_each_hand")
ON_DEALER_WIN = ("stay", "pass")
ON_OTHER_WIN = ("pass", "winner_deals")
ON_DRAW = ("stay", "pass", "pass_and_pay")
MAX_COUNTS = ("hands", "extensions")
FIRST_DEALER = ("natural_east", "dice_first_5_9", "east_throw", "draw", "dice_high", "random")

_DEALING_SUMS = {1: (1, 5), 2: (5, 9)}  # sums by the number of dice

WIN, DRAW = "win", "draw"


# ---- the first dealer of a game ----


@dataclass(frozen=True, slots=True)
class Found:
    """The first dealer and how many throws it took; without a dealer, who throws next."""

    dealer: Seat | None
    throws_used: int
    next_thrower: Seat | None = None


def dealer_by_sums(throws: Sequence[int], dice: int = 2, players: Sequence[Seat] = ALL_SEATS) -> Found:
    """Return who deals first: E, S, W and N throw in turn, lap after lap, until it is 5 or 9 (掷庄).

    Args:
        throws: the sums in the order thrown; what comes after the deciding throw is not looked at.
        dice: with one die it is 1 or 5.

    >>> dealer_by_sums([4, 7, 12, 6, 3, 9])
    Found(dealer=<Seat.S: 'S'>, throws_used=6, next_thrower=None)
    """
    wanted = _DEALING_SUMS.get(dice)
    if wanted is None:
        raise InvalidRequest(f"one or two dice are thrown for the first dealer, not {dice}")
    thrower = players[0]
    for used, (total, thrower) in enumerate(zip(throws, cycle(players), strict=False), 1):
        if total in wanted:
            return Found(thrower, used)
    return Found(None, len(throws), seat_after(thrower, players) if throws else thrower)


def dealer_by_east(total: int, players: Sequence[Seat] = ALL_SEATS) -> Seat:
    """Return the seat that East's throw points at (Yichun)."""
    return dice_to_seat(Seat.E, total, players)


def dealer_by_highest(sums: Sequence[tuple[Seat, int]]) -> Seat:
    """Return the seat of the highest sum, of equal ones the earlier thrower (掷庄)."""
    if not sums or len({seat for seat, _ in sums}) != len(sums):
        raise InvalidRequest("each seat throws once for the first dealer")
    return max(sums, key=lambda throw: throw[1])[0]


def dealer_by_draw(draws: Mapping[Seat, Seat]) -> Seat:
    """Return the seat that drew the East tile (摸庄)."""
    if len(set(draws.values())) != len(draws):
        raise InvalidRequest("two seats drew the same wind tile")
    for seat, wind in draws.items():
        if wind is Seat.E:
            return seat
    raise InvalidRequest("nobody drew the East tile")


def dealer_by_seed(seed: int, players: Sequence[Seat] = ALL_SEATS) -> Seat:
    """Return a dealer by chance, the same for the same seed."""
    return players[random.Random(seed).randrange(len(players))]


# ---- who deals next ----


@dataclass(frozen=True, slots=True)
class Retention:
    """How the deal moves on; every field is an option of the same name.

    `max_hands` and `loss_limit` are 0 where there is none. `draw_pay` is what the dealer pays each other seat
    for a drawn hand, in points.
    """

    mode: str = "circles"
    on_dealer_win: str = "stay"
    on_other_win: str = "pass"
    on_draw: str = "stay"
    draw_pay: int = 0
    max_hands: int = 0
    max_counts: str = "hands"
    loss_limit: int = 0

    def __post_init__(self) -> None:
        words = (
            ("mode", MODES),
            ("on_dealer_win", ON_DEALER_WIN),
            ("on_other_win", ON_OTHER_WIN),
            ("on_draw", ON_DRAW),
            ("max_counts", MAX_COUNTS),
        )
        for key, known in words:
            if getattr(self, key) not in known:
                raise InvalidRequest(f"{key} is one of {', '.join(known)}, not {getattr(self, key)!r}")
        for key in ("draw_pay", "max_hands", "loss_limit"):
            if getattr(self, key) < 0:
                raise InvalidRequest(f"{key} cannot be negative")

    @property
    def most_hands(self) -> int:
        """How many hands in a row a dealer may have; 0 = as many as he keeps the deal."""
        if self.mode != "circles" or not self.max_hands:
            return 0
        return self.max_hands + (self.max_counts == "extensions")


@dataclass(frozen=True, slots=True)
class Result:
    """How a hand ended, as far as the deal is concerned.

    `winners` is empty for a drawn hand. `discarder` fed the win, None for a self-draw. `totals` are the
    running totals of the game after the hand (for `loss_limit`). `dice` is the sum that the old dealer throws
    for the next hand (mode `dice_each_hand`).
    """

    winners: tuple[Seat, ...] = ()
    discarder: Seat | None = None
    totals: Mapping[Seat, int | float] | None = None
    dice: int | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """Whose deal it is: circle 1 to 4, 5 when the game of four circles is over; `run` hands in a row.

    `is_over` says that the game is over, for whatever reason.
    """

    dealer: Seat
    circle: int = 1
    run: int = 1
    is_over: bool = False


def next_deal(
    deal: Deal, first: Seat, result: Result, rule: Retention, players: Sequence[Seat] = ALL_SEATS
) -> Deal:
    """Return who deals the next hand, in which circle, and how many hands he then has in a row.

    Circles are counted in the modes `circles` and `mcr` only: elsewhere the deal does not go round.

    Args:
        first: the first dealer of the game.
    Raises:
        InvalidRequest: if the game is over, a seat does not play, or the sum for the dealer is missing.
    """
    if deal.is_over:
        raise InvalidRequest("the game is over: a new one begins with its first dealer")
    for seat in (deal.dealer, first, *result.winners, *([result.discarder] if result.discarder else ())):
        if seat not in players:
            raise InvalidRequest(f"nobody sits at {seat}")
    dealer = _next_dealer(deal, result, rule, players)
    over = _is_lost(result, rule)
    if dealer is deal.dealer:
        return replace(deal, run=deal.run + 1, is_over=over)
    circle = deal.circle
    if rule.mode in ("circles", "mcr") and dealer is first:
        circle += 1
    return Deal(dealer, circle, 1, over or circle > CIRCLES)


def left(deal: Deal) -> Deal:
    """Return the deal after a player left: the game is over, a new one begins (tianjin.md)."""
    return replace(deal, is_over=True)


def _is_lost(result: Result, rule: Retention) -> bool:
    """Return whether somebody has lost more than the limit of a game without circles."""
    if rule.mode != "winner_deals" or not rule.loss_limit or result.totals is None:
        return False
    return min(result.totals.values(), default=0) < -rule.loss_limit


def _next_dealer(deal: Deal, result: Result, rule: Retention, players: Sequence[Seat]) -> Seat:
    following = seat_after(deal.dealer, players)
    if rule.mode == "circles":
        return _in_circles(deal, result, rule, following, players)
    if rule.mode == "mcr":
        return following
    if rule.mode == "dice_each_hand":
        if result.dice is None:
            raise InvalidRequest("the dealer of every hand is thrown for: the sum of the dice is missing")
        return dice_to_seat(deal.dealer, result.dice, players)
    if not result.winners:
        return deal.dealer
    if rule.mode == "discarder_deals" and result.discarder is not None:
        return result.discarder
    return _winner(deal, result, players)


def _in_circles(
    deal: Deal, result: Result, rule: Retention, following: Seat, players: Sequence[Seat]
) -> Seat:
    if not result.winners:
        stays = rule.on_draw == "stay"
    elif deal.dealer in result.winners:
        stays = rule.on_dealer_win == "stay"
    elif rule.on_other_win == "winner_deals":
        return _winner(deal, result, players)
    else:
        stays = False
    return deal.dealer if stays and not (0 < rule.most_hands <= deal.run) else following


def _winner(deal: Deal, result: Result, players: Sequence[Seat]) -> Seat:
    """Return the winner; of several on one tile the discarder, as in changsha.md and yichun.md."""
    if len(result.winners) > 1:
        if result.discarder is not None:
            return result.discarder
        order = (deal.dealer, *in_order_after(deal.dealer, players))
        return min(result.winners, key=order.index)
    return result.winners[0]


def draw_payment(rule: Retention, dealer: Seat, players: Sequence[Seat] = ALL_SEATS) -> dict[Seat, int]:
    """Return what a drawn hand pays, in points by seat: the dealer pays each other one."""
    pays = rule.draw_pay if rule.on_draw == "pass_and_pay" and rule.mode == "circles" else 0
    deltas = dict.fromkeys(players, pays)
    deltas[dealer] = -pays * (len(players) - 1)
    return deltas
