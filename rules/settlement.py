"""Who pays whom: wins, kongs and drawn hands, in whole units of the variant; the deltas sum to zero."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from rules.errors import InvalidWin
from rules.evaluate import score, view_of
from rules.hand import KONGS, MeldKind
from rules.legal import nearest_first
from rules.options import Options
from rules.seats import Seat, seat_after
from rules.situation import DISCARD, ROB_KONG, SELF_DRAW, Kong, Situation, Win
from rules.variant import Payment, Score, Variant, resolve_options
from rules.view import View


@dataclass(frozen=True)
class Settlement:
    """Result of an event: `deltas` in units by seat (zero entries too) and the dealer of the following hand.

    `paid` are the wins that were paid, each with its score; `payments` are the single shares.
    """

    deltas: Mapping[Seat, int]
    next_dealer: Seat
    payments: tuple[Payment, ...] = ()
    paid: tuple[tuple[Win, Score], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "deltas", MappingProxyType(dict(self.deltas)))


class WinRefused(InvalidWin):
    """The rules refuse a win that was to be settled; `reason` as in `Score`."""

    def __init__(self, seat: Seat, reason: str) -> None:
        super().__init__(f"the win of {seat} is refused: {reason}")
        self.reason = reason


def settle(
    variant: Variant,
    wins: Sequence[Win],
    situation: Situation,
    counted: Mapping[Seat, int] | None = None,
) -> Settlement:
    """Return what the wins on one tile pay.

    Where only one player may win, the nearest after the feeder is paid and the others are not.

    Args:
        counted: what counts of a winner's value where it is less than the checked one (`rules.checking`).

    Raises:
        WinRefused: if a win that would be paid is not legal.
        InvalidWin: if there is no win, or the wins are not on the same tile.
    """
    options = resolve_options(variant, situation.options)
    _check_same_tile(wins)
    granted = list(wins)
    if len(granted) > 1:
        source = granted[0].source
        assert source is not None
        order = nearest_first(source, [win.seat for win in granted], situation.players)
        granted.sort(key=lambda win: order.index(win.seat))
        if not variant.multi_win(options):
            granted = granted[:1]
    views: list[tuple[View, Score]] = []
    paid = []
    for win in granted:
        scored = score(variant, win, situation)
        if not scored.legal:
            raise WinRefused(win.seat, scored.reason or "not_win")
        assert scored.reading is not None
        view = view_of(variant, win, situation, scored.reading)
        counts = (counted or {}).get(win.seat, scored.total)
        views.append((view, scored if counts == scored.total else scored.worth(counts)))
        paid.append((win, scored))
    if variant.pay_together is not None:
        payments = variant.pay_together(views, situation)
    else:
        payments = tuple(each for view, scored in views for each in variant.pay(view, scored, situation))
    winners = tuple(win.seat for win in granted)
    return settlement_of(variant, payments, winners, situation, tuple(paid))


def settlement_of(
    variant: Variant,
    payments: tuple[Payment, ...],
    winners: tuple[Seat, ...],
    situation: Situation,
    paid: tuple[tuple[Win, Score], ...] = (),
) -> Settlement:
    """Return payments as the settlement of a hand that these seats won, none of them if it was drawn."""
    following = seat_after(situation.dealer, situation.players)
    dealer = variant.dealer_after(winners, situation, following)
    return Settlement(_sum(payments, situation), dealer, payments, paid)


def _check_same_tile(wins: Sequence[Win]) -> None:
    if not wins:
        raise InvalidWin("no win to settle")
    if len({win.seat for win in wins}) != len(wins):
        raise InvalidWin("a seat wins once")
    if len(wins) > 1 and (any(win.by == SELF_DRAW for win in wins) or len({win.source for win in wins}) > 1):
        raise InvalidWin("several seats can win only on one discard or one robbed kong")
    if len({win.by for win in wins}) > 1 or len({win.hand.win_tile for win in wins}) > 1:
        raise InvalidWin("several wins must be on the same tile")


def settle_kong(variant: Variant, kong: Kong, situation: Situation) -> Settlement:
    """Return what a declared kong pays at once; a robbed one pays nothing.

    Raises:
        InvalidWin: if the kong's kind and source contradict each other.
    """
    _check_kong(kong, situation, variant)
    options = resolve_options(variant, situation.options)
    row = next((row for row in variant.kongs if row.kind is kong.kind), None)
    payments: tuple[Payment, ...] = ()
    if row is not None and not kong.robbed:
        shares = row.pays(kong, row.value(options), situation, options)
        payments = tuple(
            Payment(payer, kong.seat, points * variant.unit, row.key) for payer, points in shares.items()
        )
    return Settlement(_sum(payments, situation), situation.dealer, payments)


def _check_kong(kong: Kong, situation: Situation, variant: Variant) -> None:
    if kong.kind not in KONGS:
        raise InvalidWin(f"{kong.kind} is not a kong")
    if kong.seat not in situation.players:
        raise InvalidWin(f"{kong.seat} does not play")
    if kong.tile not in variant.kinds or kong.tile.is_flower:
        raise InvalidWin(f"{kong.tile} cannot be a kong in this variant")
    if kong.kind is MeldKind.EXPOSED_KONG:
        if kong.source is None:
            raise InvalidWin("an exposed kong needs the seat that fed it (from)")
        if kong.source == kong.seat or kong.source not in situation.players:
            raise InvalidWin(f"{kong.seat} cannot take a tile from {kong.source}")
        if kong.robbed:
            raise InvalidWin("an exposed kong cannot be robbed")
    elif kong.kind is MeldKind.CONCEALED_KONG and kong.source is not None:
        raise InvalidWin("a concealed kong comes from nobody")


def settle_draw(variant: Variant, situation: Situation) -> Settlement:
    """Return the settlement of a drawn hand: the variant names what it pays, if anything, and who deals."""
    options = resolve_options(variant, situation.options)
    payments = () if variant.pay_draw is None else variant.pay_draw(situation, options)
    return settlement_of(variant, payments, (), situation)


def settle_false_win(variant: Variant, seat: Seat, not_ready: bool, situation: Situation) -> Settlement:
    """Return what a player owes who called a win that is none; the dealer stays, as the hand goes on.

    Args:
        not_ready: the hand was not even ready, which some rules punish more.
    Raises:
        InvalidWin: if the seat does not play.
    Source: win-procedure.md section 3.
    """
    options = resolve_options(variant, situation.options)
    if seat not in situation.players:
        raise InvalidWin(f"{seat} does not play")
    payments: tuple[Payment, ...] = ()
    if variant.pay_false_win is not None:
        payments = variant.pay_false_win(seat, not_ready, situation, options)
    return Settlement(_sum(payments, situation), situation.dealer, payments)


def _sum(payments: Iterable[Payment], situation: Situation) -> dict[Seat, int]:
    deltas = dict.fromkeys(situation.players, 0)
    for payment in payments:
        deltas[payment.payer] -= payment.units
        deltas[payment.payee] += payment.units
    return deltas


def amount_to_number(units: int, unit: int) -> int | float:
    """Return units as points: whole ones as int, halves and tenths as float.

    >>> amount_to_number(4, 2), amount_to_number(-1, 2)
    (2, -0.5)
    """
    return units // unit if units % unit == 0 else units / unit


# ---- payment schemes shared by variants (source: seeds 000/002/003, simplest.md "Settlement") ----


def scheme_factor(system: str, *, self_draw: bool, dealer: bool) -> int:
    """Return the factor of one payer: schemes 1-2, 1-2-4 and 1-2-3.

    Args:
        dealer: the winner or this payer deals.
    """
    drawn = 2 if self_draw else 1
    if system == "1-2":
        return drawn
    if system == "1-2-4":
        return drawn * (2 if dealer else 1)
    return drawn + (1 if dealer else 0)


def pay_by_scheme(view: View, scored: Score, options: Options, unit: int) -> tuple[Payment, ...]:
    """Return the payments of a win under options `system` and `pay_mode` (none, full, half).

    On a discard or a robbed kong, the feeder pays; with `full` the others pay what each would pay as feeder,
    with `half` exactly half of it.
    """
    payments = []
    for payer in view.players:
        if payer == view.seat:
            continue
        dealer = view.dealer in (view.seat, payer)
        self_draw = view.by == SELF_DRAW
        factor = scheme_factor(str(options["system"]), self_draw=self_draw, dealer=dealer)
        units = scored.total * factor * unit
        if view.by in (DISCARD, ROB_KONG) and payer != view.source:
            mode = options["pay_mode"]
            if mode == "none":
                continue
            if mode == "half":
                units //= 2  # exact: the unit of such a variant is a half point or less
        payments.append(Payment(payer, view.seat, units, "win"))
    return tuple(payments)
