"""The drawn end of Sichuan rules: 查花猪, 查大叫, kong refunds. Source: sichuan-xuezhan.md (Settlement)."""

from __future__ import annotations

from rules.engine import Ruleset, Running, Told, WallEnd
from rules.engine_ledger import reversed_payments
from rules.engine_value import value_of
from rules.errors import InvalidWin
from rules.hand import Hand
from rules.options import Options
from rules.seats import Seat
from rules.situation import DISCARD, Situation, Win
from rules.variant import Payment


def pay_drawn_end(rules: Ruleset, end: WallEnd, running: Running, options: Options) -> tuple[Payment, ...]:
    """Return what pigs, players who are not ready and their kongs pay, in this order.

    Raises:
        InvalidWin: if the hand of a player who has not won is missing.
    """
    unwon = running.unwon
    if len(running.playing) < 2:
        return ()
    paid_as_ready = running.playing if _winners_are_ready(running, options) else unwon
    missing = [seat for seat in paid_as_ready if seat not in end.hands]
    if missing:
        raise InvalidWin(f"the hand of {missing[0]} is missing")
    pigs = [seat for seat in unwon if _is_pig(end.hands[seat], end.que.get(seat), options)]
    ready = {
        seat: worth
        for seat in paid_as_ready
        if seat not in pigs and (worth := best_wait(rules, end.hands[seat], seat, end.que.get(seat), running))
    }
    fined = running.situation.players if options["pig_pays"] == "all" else unwon
    payments = [
        Payment(pig, seat, options.number("pig"), "flower_pig")
        for pig in pigs
        for seat in fined
        if seat not in pigs and options.number("pig")
    ]
    not_ready = [seat for seat in unwon if seat not in ready]
    payments += [
        Payment(seat, other, worth, "not_ready")
        for seat in not_ready
        if seat not in pigs
        for other, worth in ready.items()
    ]
    for paid in running.kongs:
        if paid.kong.seat in not_ready and not paid.closed:
            payments += reversed_payments(paid.payments, "kong_refund")
    return tuple(payments)


def _winners_are_ready(running: Running, options: Options) -> bool:
    """Return whether winners who play on collect as ready, valued on the hand they won with."""
    return running.winners_stay and options.on("dajiao_to_won")


def _is_pig(hand: Hand, que: str | None, options: Options) -> bool:
    suits = {tile.suit for tile in hand.tiles}
    if options["pig_def"] == "que_suit":
        return que in suits
    return len(suits) > 2


def best_wait(rules: Ruleset, hand: Hand, seat: Seat, que: str | None, running: Running) -> int:
    """Return the best value over all waits, won on a discard without circumstances; 0 = not ready.

    A kind of which the player holds all four is no wait.
    """
    players = running.situation.players
    source = next(other for other in players if other != seat)
    plain = Situation(running.situation.dealer, players, running.situation.options)
    best = 0
    for tile in rules.base.kinds:
        if hand.tiles.count(tile) == 4:
            continue
        worth = value_of(rules, Win(seat, hand.with_win_tile(tile), DISCARD, source), plain, Told(que))
        best = max(best, worth.total)
    return best
