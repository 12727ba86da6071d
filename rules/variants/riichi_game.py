"""Riichi between the hands: payments of a win, noten, sticks, honba, abortive draws, the ranking of a game.

Points by seat; every answer sums to zero but the stick pot, which lies on the table and is told apart.
Source: riichi.md (Settlement formulas, Draw handling, Final ranking).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from rules.errors import InvalidRequest
from rules.seats import ALL_SEATS, Seat, in_order_after, seat_after
from rules.situation import SELF_DRAW, Win
from rules.variant import Payment
from rules.variants.riichi_hand import Cost

STICK = 1000
HONBA = 300  # of a win; a self-draw takes 100 from each
NOTEN = 3000
MANGAN_EACH = 2000
DEAD_WALL = 14
DEALT = 53
PAO = ("daisangen", "daisuushii")
ROUNDS = (Seat.E, Seat.S, Seat.W, Seat.N)

Points = Mapping[Seat, int]


def win_payments(win: Win, dealer: Seat, cost: Cost) -> tuple[Payment, ...]:
    """Return what a win pays, honba as payments of their own; the stick pot is not among them."""
    payments = []
    if win.by != SELF_DRAW:
        assert win.source is not None
        owed = {win.source: (cost.main, cost.main_honba)}
    else:
        others = [seat for seat in ALL_SEATS if seat != win.seat]
        main, additional = (cost.main, cost.main_honba), (cost.additional, cost.additional_honba)
        owed = {seat: main if dealer in (seat, win.seat) else additional for seat in others}
    for payer, (points, honba) in owed.items():
        payments.append(Payment(payer, win.seat, points, "win"))
        if honba:
            payments.append(Payment(payer, win.seat, honba, "honba"))
    return tuple(payments)


def nobody_pays() -> dict[Seat, int]:
    """Return zero for each seat."""
    return dict.fromkeys(ALL_SEATS, 0)


def noten(tenpai: Collection[Seat]) -> dict[Seat, int]:
    """Return the 3000 points that go from those who are not ready to those who are; nothing for 0 or 4."""
    ready = set(tenpai)
    if len(ready) in (0, 4):
        return nobody_pays()
    gain, loss = NOTEN // len(ready), NOTEN // (4 - len(ready))
    return {seat: gain if seat in ready else -loss for seat in ALL_SEATS}


def mangan_self_draw(seat: Seat, dealer: Seat, sign: int = 1) -> dict[Seat, int]:
    """Return what a mangan self-draw of this seat brings, or with sign -1 costs (chombo); without honba."""
    paid = {
        other: 2 * MANGAN_EACH if dealer in (seat, other) else MANGAN_EACH
        for other in ALL_SEATS
        if other != seat
    }
    return {each: sign * (sum(paid.values()) if each == seat else -paid[each]) for each in ALL_SEATS}


@dataclass(frozen=True, slots=True)
class Rons:
    """What several rons on one tile pay; `pot_to` takes the sticks, None with an abortive draw."""

    deltas: Points
    pot_to: Seat | None
    honba: int | None = None


def several_rons(discarder: Seat, values: Points, honba: int, mode: str) -> Rons:
    """Return who is paid for one tile: honba and pot go to the nearest winner after the discarder alone.

    Args:
        values: each winner's points without honba.
        mode: option `multi_ron`.
    Raises:
        InvalidRequest: if nobody wins, or the discarder does.
    """
    order = [seat for seat in in_order_after(discarder, ALL_SEATS) if seat in values]
    if not order or discarder in values:
        raise InvalidRequest("one to three seats win, and not the discarder")
    if mode == "triple_abort" and len(order) == 3:
        return Rons(nobody_pays(), None, honba + 1)
    paid = order[:1] if mode == "head_bump" else order
    deltas = nobody_pays()
    for seat in paid:
        points = values[seat] + (HONBA * honba if seat is order[0] else 0)
        deltas[seat] += points
        deltas[discarder] -= points
    return Rons(deltas, order[0])


def liable(
    winner: Seat, feeder: Seat, value: int, by: str, discarder: Seat | None, honba: int
) -> dict[Seat, int]:
    """Return what a yakuman pays whose last set a seat fed (包牌): all of a self-draw, half of another's ron.

    Raises:
        InvalidRequest: if the winner is the feeder or the discarder, or a ron has no discarder.
    """
    if winner in (feeder, discarder) or (by != SELF_DRAW and discarder is None):
        raise InvalidRequest(
            "a yakuman somebody answers for has a winner, another feeder, and of a ron a discarder"
        )
    deltas, extra = nobody_pays(), HONBA * honba
    if by == SELF_DRAW or discarder is feeder or discarder is None:
        deltas[feeder] -= value + extra
    else:
        deltas[feeder] -= value // 2
        deltas[discarder] -= value - value // 2 + extra
    deltas[winner] += value + extra
    return deltas


def unshared(
    winner: Seat, dealer: Seat, value: int, by: str, discarder: Seat | None, honba: int
) -> dict[Seat, int]:
    """Return the same yakuman where nobody answers for it."""
    deltas = nobody_pays()
    if by != SELF_DRAW:
        if discarder is None or discarder is winner:
            raise InvalidRequest("a ron has a discarder")
        deltas[discarder] -= value + HONBA * honba
    else:
        for seat in ALL_SEATS:
            if seat is not winner:
                share = value // 3 if winner is dealer else value // (2 if seat is dealer else 4)
                deltas[seat] -= share + HONBA // 3 * honba
    deltas[winner] = -sum(deltas.values())
    return deltas


def after_hand(dealer: Seat, honba: int, event: str, repeat: str) -> tuple[Seat, int]:
    """Return the next dealer and honba after `win_E` ..., `exhaustive_dealer_tenpai`, `_noten`, `abort_...`.

    Raises:
        InvalidRequest: for another event.
    """
    if event in {f"win_{seat.value}" for seat in ALL_SEATS}:
        winner = Seat(event[-1])
        return (dealer, honba + 1) if winner is dealer else (seat_after(dealer, ALL_SEATS), 0)
    if event.startswith("abort_"):
        return dealer, honba + 1
    if event not in ("exhaustive_dealer_tenpai", "exhaustive_dealer_noten"):
        raise InvalidRequest(
            f"a hand ends by win_SEAT, exhaustive_dealer_tenpai, _noten or abort_KIND, not {event}"
        )
    stays = event == "exhaustive_dealer_tenpai" and repeat == "tenpai"
    return dealer if stays else seat_after(dealer, ALL_SEATS), honba + 1


# ---- the end of a game ----


@dataclass(frozen=True, slots=True)
class Place:
    """Where a game stands after a hand: round, number of the hand in it, dealer, whether he repeats."""

    round: Seat
    hand: int
    repeats: bool
    dealer: Seat | None = None


@dataclass(frozen=True, slots=True)
class EndRules:
    """The options that end a game."""

    length: str
    target: int
    agari_yame: bool = True
    west_extension: bool = True
    bankruptcy: bool = True


def is_over(place: Place, scores: Points, rules: EndRules) -> bool:
    """Return whether the game ends after this hand.

    Raises:
        InvalidRequest: if it is the last hand, the dealer repeats and nobody told who deals.
    """
    if rules.bankruptcy and min(scores.values()) < 0:
        return True
    last = 1 if rules.length == "hanchan" else 0
    now, reached = ROUNDS.index(place.round), max(scores.values()) >= rules.target
    if now > last:  # extended: whoever reaches the target ends it, and so does the round
        return reached or now > last + 1 or (place.hand == 4 and not place.repeats)
    if now < last or place.hand < 4:
        return False
    if not place.repeats:
        return reached or not rules.west_extension
    if not rules.agari_yame:
        return False
    if place.dealer is None:
        raise InvalidRequest("the dealer of the last hand is missing")
    own = scores[place.dealer]
    first = all(own > score for seat, score in scores.items() if seat is not place.dealer)
    return first and own >= rules.target


@dataclass(frozen=True, slots=True)
class RankRules:
    """How a game is ranked: points at the start and to return, uma by place, what equal scores do."""

    start: int
    returned: int
    uma: Sequence[int]
    ties: str = "seat"
    first_dealer: Seat = Seat.E


def ranking(scores: Points, sticks: int, rules: RankRules) -> dict[Seat, int]:
    """Return the final points in tenths; they sum to zero. Sticks left on the table go to the first place.

    Equal scores rank by nearness to the first dealer, or share what their places bring; a tenth that cannot
    be shared goes to the nearer one.

    Raises:
        InvalidRequest: if uma or scores do not sum to what they must, or points are no whole hundreds.
    """
    if len(rules.uma) != 4 or sum(rules.uma) != 0:
        raise InvalidRequest("uma are four numbers that sum to zero")
    if sum(scores.values()) + STICK * sticks != 4 * rules.start:
        raise InvalidRequest(f"scores and sticks sum to {4 * rules.start}")
    if any(points % 100 for points in (*scores.values(), rules.start, rules.returned)):
        raise InvalidRequest("scores are whole hundreds")
    near = [rules.first_dealer, *in_order_after(rules.first_dealer, ALL_SEATS)]
    ranked = sorted(ALL_SEATS, key=lambda seat: (-scores[seat], near.index(seat)))
    bonus = [10 * points for points in rules.uma]
    bonus[0] += 4 * (rules.returned - rules.start) // 100 + STICK // 100 * sticks
    shares = (
        _shared(ranked, bonus, scores) if rules.ties == "split" else dict(zip(ranked, bonus, strict=True))
    )
    return {seat: (scores[seat] - rules.returned) // 100 + shares[seat] for seat in ALL_SEATS}


def _shared(ranked: Sequence[Seat], bonus: Sequence[int], scores: Points) -> dict[Seat, int]:
    shares: dict[Seat, int] = {}
    for seat in ranked:
        if seat in shares:
            continue
        equal = [other for other in ranked if scores[other] == scores[seat]]
        pool = sum(bonus[ranked.index(other)] for other in equal)
        each, rest = divmod(pool, len(equal))
        shares |= {other: each + (place < rest) for place, other in enumerate(equal)}
    return shares


def live_tiles(draws: int, kongs: int) -> int:
    """Return the tiles still to draw; each kong takes the last live tile into the dead wall.

    Raises:
        InvalidRequest: if more was drawn than there is.
    """
    left = 136 - DEAD_WALL - DEALT - draws - kongs
    if left < 0:
        raise InvalidRequest(f"{draws} draws and {kongs} kongs are more than the live wall has")
    return left
