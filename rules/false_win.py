"""False win (诈和) and premature reveal: what they cost and how the hand goes on.

Amounts are points of the table; the deltas sum to zero. Source: win-procedure.md sections 1 and 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.errors import InvalidRequest
from rules.seats import ALL_SEATS, Seat

EACH = 10
"""A choice of this house: no source confirms an amount."""
EACH_MOST = 1000
GOES_ON = "offender_dead"
VOID = "void"
HANDS = (GOES_ON, VOID)
HAND_ACTIONS = ("draw", "discard", "chow", "pung", "kong", "win")
_DEAD_MAY = frozenset({"draw", "discard"})


@dataclass(frozen=True, slots=True)
class FalseWin:
    """What a false win brings about.

    Attributes:
        deltas: points by player.
        hand: one of HANDS.
        next_dealer: who deals the hand that is played again; None where this one goes on.
    """

    deltas: dict[Seat, int]
    hand: str
    next_dealer: Seat | None


def amount_each(each: int = EACH, deliberate: bool = False, referee_each: int | None = None) -> int:
    """Return what the offender pays every other player: the referee may set another amount if it was meant.

    Raises:
        InvalidRequest: if an amount is not from 0 to EACH_MOST.
    """
    amount = referee_each if deliberate and referee_each is not None else each
    if not 0 <= amount <= EACH_MOST:
        raise InvalidRequest(f"a false win costs 0 to {EACH_MOST} each, not {amount}")
    return amount


def false_win(
    offender: Seat,
    amount: int = EACH,
    hand: str = GOES_ON,
    dealer: Seat | None = None,
    players: Sequence[Seat] = ALL_SEATS,
) -> FalseWin:
    """Return payments and how the hand goes on.

    Args:
        amount: points to every other player.
        dealer: who deals now; he deals again when the hand is void.
    Raises:
        InvalidRequest: for an unknown word, or an offender who does not play.

    >>> false_win(Seat.N, 10, VOID, Seat.W).deltas[Seat.N]
    -30
    """
    if hand not in HANDS:
        raise InvalidRequest(f"after a false win the hand is {' or '.join(HANDS)}, not {hand!r}")
    if offender not in players:
        raise InvalidRequest(f"{offender} does not play")
    deltas = {seat: amount for seat in players if seat != offender}
    deltas[offender] = -sum(deltas.values())
    in_order = {seat: deltas[seat] for seat in ALL_SEATS if seat in deltas}
    return FalseWin(in_order, hand, dealer if hand == VOID else None)


def dead_hand_may(action: str) -> bool:
    """Return whether the player of a dead hand may do this: he draws and discards, and claims nothing.

    Raises:
        InvalidRequest: for an unknown action.
    """
    if action not in HAND_ACTIONS:
        raise InvalidRequest(f"an action is one of {', '.join(HAND_ACTIONS)}, not {action!r}")
    return action in _DEAD_MAY


def reveal_deltas(
    winner: Seat, revealed: Sequence[Seat], penalty: int, players: Sequence[Seat] = ALL_SEATS
) -> dict[Seat, int]:
    """Return what those pay who laid their tiles down before the confirmation: `penalty` each to the winner.

    Raises:
        InvalidRequest: if the winner is among them, or one of them does not play.
    """
    if winner in revealed or not {winner, *revealed} <= set(players):
        raise InvalidRequest("only another player can lay his tiles down too early")
    deltas = {seat: 0 for seat in ALL_SEATS if seat in players}
    for seat in dict.fromkeys(revealed):
        deltas[seat] -= penalty
        deltas[winner] += penalty
    return deltas
