"""The running ledger of a hand under a `Ruleset`: kongs at once, wins as they happen, refunds as new rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from rules.engine import (
    NO_DEAL,
    Deal,
    Happened,
    PaidKong,
    Ruleset,
    Running,
    Told,
    Valued,
    WallEnd,
    options_of,
)
from rules.engine_value import value_of
from rules.errors import InvalidWin
from rules.hand import MeldKind
from rules.legal import nearest_first
from rules.seats import Seat
from rules.settlement import WinRefused
from rules.situation import Kong, Situation, Win
from rules.variant import Payment


@dataclass(frozen=True)
class Entry:
    """One entry: `why` are its single payments, `deltas` their sum by seat, which is zero over all seats.

    `ended` says that the hand is over; `next_dealer` then deals, None = the dealer is diced.
    """

    seq: int
    event: str
    why: tuple[Payment, ...]
    deltas: MappingProxyType[Seat, int]
    ended: bool = False
    next_dealer: Seat | None = None


def summed(payments: Iterable[Payment], players: Sequence[Seat]) -> MappingProxyType[Seat, int]:
    """Return what payments bring each seat, zero too."""
    deltas = dict.fromkeys(players, 0)
    for payment in payments:
        deltas[payment.payer] -= payment.units
        deltas[payment.payee] += payment.units
    return MappingProxyType(deltas)


def reversed_payments(payments: Iterable[Payment], why: str) -> tuple[Payment, ...]:
    """Return the payments that give those back, exactly."""
    return tuple(Payment(each.payee, each.payer, each.units, why) for each in payments)


class Ledger:
    """Entries of hand after hand; the next event after a hand's end belongs to the next hand."""

    def __init__(
        self, rules: Ruleset, situation: Situation, won: tuple[Seat, ...] = (), deal: Deal = NO_DEAL
    ) -> None:
        self._rules = rules
        self._options = options_of(rules, situation)
        self._running = Running(situation, won, winners_stay=rules.winners_stay, deal=deal)
        self.entries: list[Entry] = []

    @property
    def running(self) -> Running:
        """The hand that is played."""
        return self._running

    def kong(self, kong: Kong) -> Entry:
        """Pay a declared kong at once; a robbed one pays nothing.

        Raises:
            InvalidWin: for a kong of a seat that has won or does not play, or without the seat that fed it.
        """
        running = self._running
        if kong.seat not in running.situation.players:
            raise InvalidWin(f"{kong.seat} does not play")
        if kong.seat not in running.playing:
            raise InvalidWin(f"{kong.seat} has won and takes no further part")
        if kong.kind is MeldKind.EXPOSED_KONG and kong.source in (None, kong.seat):
            raise InvalidWin("an exposed kong needs the seat that fed it (from)")
        payments: tuple[Payment, ...] = ()
        rows = [
            row for row in self._rules.kong_rows if row.kind is kong.kind and row.of_wilds == kong.of_wilds
        ]
        row = rows[0] if rows else None
        if row is not None and not kong.robbed:
            shares = self._rules.kong_payers(kong, row.value(self._options), running, self._options)
            unit = self._rules.base.unit
            payments = tuple(
                Payment(payer, kong.seat, points * unit, row.key)
                for payer, points in shares.items()
                if points
            )
            self._running = replace(running, kongs=(*running.kongs, PaidKong(kong, payments)))
        return self._enter("kong", payments)

    def wins(self, claims: Sequence[tuple[Win, Told]]) -> Entry:
        """Settle the wins on one tile.

        Raises:
            WinRefused: if the rules refuse one of them.
            InvalidWin: if a winner has won before, or the wins are not on one tile.
        """
        _check_together([win for win, _ in claims], self._running)
        if len(claims) > 1 and not self._rules.base.multi_win(self._options):
            source, players = claims[0][0].source, self._running.situation.players
            assert source is not None
            first = nearest_first(source, [win.seat for win, _ in claims], players)[0]
            claims = [each for each in claims if each[0].seat == first]
        valued = []
        for win, told in claims:
            told = replace(told, deal=self._running.deal)
            worth = value_of(self._rules, win, self._running.situation, told)
            if worth.reason is not None:
                raise WinRefused(win.seat, worth.reason)
            valued.append(Valued(win, told, worth))
        before = replace(self._running, winning=tuple(win.seat for win, _ in claims))
        payments = tuple(each for one in valued for each in self._rules.pay(one, before, self._options))
        more, running = self._rules.after_wins(valued, before, self._options)
        winners = tuple(win.seat for win, _ in claims)
        self._running = replace(running, winning=(), won=tuple(dict.fromkeys((*running.won, *winners))))
        over = self._rules.ends(self._running, self._options)
        return self._enter("win", (*payments, *more), [win for win, _ in claims] if over else None)

    def wall_end(self, end: WallEnd) -> Entry:
        """Settle an empty wall."""
        self._running = replace(self._running, last_draw=end.last_draw)
        payments = self._rules.drawn(self._rules, end, self._running, self._options)
        return self._enter("wall_end", payments, [])

    def happened(self, event: str, what: Happened) -> Entry:
        """Enter what an event of `Ruleset.events` pays."""
        if what.over:
            return self._end(event, what.payments, what.next_dealer)
        return self._enter(event, what.payments)

    def _enter(self, event: str, why: tuple[Payment, ...], ending: Sequence[Win] | None = None) -> Entry:
        if ending is not None:
            return self._end(event, why, self._rules.next_dealer(ending, self._running, self._options))
        deltas = summed(why, self._running.situation.players)
        self.entries.append(Entry(len(self.entries), event, why, deltas))
        return self.entries[-1]

    def _end(self, event: str, why: tuple[Payment, ...], dealer: Seat | None) -> Entry:
        """Enter the last event of a hand and begin the next one."""
        situation = self._running.situation
        entry = Entry(len(self.entries), event, why, summed(why, situation.players), True, dealer)
        following = situation if dealer is None else replace(situation, dealer=dealer)
        begin = self._rules.next_deal
        deal = NO_DEAL if begin is None else begin(self._running, dealer)
        self._running = Running(following, winners_stay=self._rules.winners_stay, deal=deal)
        self.entries.append(entry)
        return entry


def _check_together(wins: Sequence[Win], running: Running) -> None:
    if not wins:
        raise InvalidWin("no win to settle")
    if len({win.seat for win in wins}) != len(wins):
        raise InvalidWin("a seat wins once")
    one_tile = {(win.by, win.source, win.hand.win_tile) for win in wins}
    if len(wins) > 1 and (len(one_tile) > 1 or wins[0].source is None):
        raise InvalidWin("several wins must be on the same tile")
    for win in wins:
        if running.winners_stay:
            continue
        if win.seat in running.won or win.source in running.won:
            raise InvalidWin("a seat that has won takes no further part")
