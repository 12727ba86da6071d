"""What dice are thrown for before a hand: the seats, the first dealer of a game, the dealer of every hand.

Source: rules text table-procedure.md sections 3 to 6 and 10. Pure; `rules.seating` and `rules.rotation` know
the rules, this says what the table waits for and what came of the throws.
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.facts import Fact
from controller.state import SEATS, Drawing, TableState, Throw
from rules import rotation, seating
from rules.procedure import dice_to_seat
from rules.seats import Seat

FIRST_DEALER, DEALER, TAKE_SEATS, NEW_SEATS = "first_dealer", "dealer", "seats", "new_seats"
BY_DICE = ("dice_first_5_9", "east_throw", "dice_high")
"""Ways to find the first dealer that need throws; `random` needs none, and at `natural_east` he is known."""


def _agreed(state: TableState, key: str) -> str:
    """Return what the table agreed on; nothing in a game of an older ledger."""
    return "" if state.table is None else str(state.table.procedure.get(key, ""))


def draw_due(state: TableState) -> Drawing | None:
    """Return what has to be thrown for before the next hand; None where it can begin."""
    if state.is_open or state.over is not None:
        return None
    if state.hand == 0:
        return Drawing(FIRST_DEALER, Seat.E) if _agreed(state, "first_dealer") in BY_DICE else None
    if _agreed(state, "mode") != "dice_each_hand" or not state.sheet:
        return None
    last = state.sheet[-1]
    counts = last.hand == state.hand and last.outcome.kind != "void"
    return Drawing(DEALER, state.dealer) if counts else None  # one that was called off is dealt again


def seats_draw(state: TableState) -> Drawing | None:
    """Return the throws that find seats before a game, as the table agreed; None where there are none."""
    if state.hand or state.is_open or state.over is not None:
        return None
    by = state.reseat_by
    if by is None or _agreed(state, "reseating") == "first_seating":
        return Drawing(TAKE_SEATS, Seat.E) if _agreed(state, "seating") == "dice" else None
    return Drawing(NEW_SEATS, by) if _agreed(state, "reseating") == "winner_dice" else None


def begun(draw: Drawing) -> Fact:
    """Return the fact that people begin to throw for something."""
    assert draw.thrower is not None
    return Fact("draw_begun", {"what": draw.what, "thrower": draw.thrower.value})


def _sums(throws: Sequence[Throw]) -> list[tuple[Seat, int]]:
    return [(throw.seat, sum(throw.pips)) for throw in throws]


def next_thrower(state: TableState, what: str, throws: Sequence[Throw]) -> Seat | None:
    """Return who throws next after these throws; None once they say what was asked for."""
    if what == TAKE_SEATS:
        if len(throws) < len(SEATS):
            return SEATS[len(throws)]
        found = _by_dice(state, throws)
        return Seat(found.players[0]) if isinstance(found, seating.Tied) else None
    if what == FIRST_DEALER and _agreed(state, "first_dealer") == "dice_high":
        return SEATS[len(throws)] if len(throws) < len(SEATS) else None
    if what == FIRST_DEALER and _agreed(state, "first_dealer") == "dice_first_5_9":
        return rotation.dealer_by_sums([total for _, total in _sums(throws)]).next_thrower
    return None


def dealer_thrown(state: TableState, what: str, throws: Sequence[Throw]) -> Fact:
    """Return the fact of the dealer whom the throws name: of the game, or of the next hand."""
    sums = _sums(throws)
    if what == DEALER:
        dealer = dice_to_seat(state.dealer, sums[0][1])
        return _found(dealer, "dice_each_hand", state.circle, state.run + 1 if dealer is state.dealer else 1)
    how = _agreed(state, "first_dealer")
    if how == "east_throw":
        return _found(rotation.dealer_by_east(sums[0][1]), how)
    if how == "dice_high":
        return _found(rotation.dealer_by_highest(sums), how)
    dealer_found = rotation.dealer_by_sums([total for _, total in sums]).dealer
    assert dealer_found is not None
    return _found(dealer_found, how)


def dealer_by_chance(state: TableState) -> tuple[Fact, ...]:
    """Return the fact of a first dealer by chance: the seal of the ledger's last row draws him."""
    if state.hand or _agreed(state, "first_dealer") != "random":
        return ()
    return (_found(rotation.dealer_by_seed(int(state.head or "0", 16)), "random"),)


def _found(dealer: Seat, how: str, circle: int = 1, run: int = 1) -> Fact:
    body = {
        "dealer": dealer.value,
        "how": how,
        "first": how != "dice_each_hand",
        "circle": circle,
        "run": run,
    }
    return Fact("dealer_found", body)


def _by_dice(state: TableState, throws: Sequence[Throw]) -> dict[Seat, str] | seating.Tied:
    sums = [(seat.value, total) for seat, total in _sums(throws)]
    order, tie = _agreed(state, "dice_seat_order"), _agreed(state, "tie")
    return seating.seat_by_dice(sums[: len(SEATS)], order, tie, sums[len(SEATS) :])


def seats_thrown(state: TableState, what: str, throws: Sequence[Throw]) -> Fact:
    """Return the fact of the seats that the throws say: people sit down there, nobody plays yet."""
    if what == TAKE_SEATS:
        found = _by_dice(state, throws)
        assert not isinstance(found, seating.Tied)
        took = found
    else:
        [(thrower, total)] = _sums(throws)
        now = seating.seating([seat.value for seat in SEATS])
        took = seating.reseat_by_dice(now, thrower.value, total, "ccw")
    moves = {player: seat.value for seat, player in took.items()}
    return Fact("seats_changed", {"moves": moves, "circle": 1, "hand": 1, "why": what})


def reseat_thrower(state: TableState) -> Seat | None:
    """Return who would throw for new seats after this game: the winner of its last hand, by where he sits."""
    if state.table is None or not state.sheet:
        return None
    counted = [row for row in state.sheet if row.outcome.kind != "void"]
    won = [row for row in counted if row.outcome.wins]
    last = won[-1].entries[won[-1].outcome.wins[0].seat.index] if won else None
    was_draw = bool(counted) and not counted[-1].outcome.wins
    on_draw = _agreed(state, "winner_dice_on_draw") or "last_winner_of_the_ju"
    dealer = state.seats[state.dealer.index].account
    thrower = seating.reseat_thrower(last, dealer, was_draw, on_draw)
    return next((place.seat for place in state.seats if place.account == thrower), state.dealer)
