"""Handling tiles: whose turn it is to draw, what is laid out and opened, rows of discards.

A table records what was not in order; it blocks nothing. Source: win-procedure.md sections 1 and 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from rules.errors import InvalidRequest
from rules.seats import ALL_SEATS, Seat, seat_after

EARLY_DRAW = "early_draw"
OUT_OF_TURN = "out_of_turn"
TURN_STEPS = ("draw", "discard", "chow", "pung", "kong")
SAME_TURN = ("discard_claimed_tile", "claim_same_kind_again")
PER_ROW = (6, 11)
ENDED_BY = ("win", "draw")
_Kong = TypeVar("_Kong")


@dataclass(frozen=True, slots=True)
class Turn:
    """Who holds a tile more than he keeps, and who discarded last; None at the beginning.

    `kong`: he declared a kong and draws a replacement.
    """

    holder: Seat | None = None
    last: Seat | None = None
    kong: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """Steps held against the order of play: one answer a step, and what was irregular, in order."""

    allowed: tuple[bool, ...] = ()
    irregularities: tuple[tuple[Seat, str], ...] = ()


def turn_order(steps: Sequence[tuple[Seat, str]], players: Sequence[Seat] = ALL_SEATS) -> Order:
    """Return which steps are in order; one that is not changes nothing but the list of irregularities.

    Raises:
        InvalidRequest: for an unknown step or a seat that does not play.

    >>> turn_order([(Seat.E, "draw"), (Seat.S, "draw")]).irregularities
    ((<Seat.S: 'S'>, 'early_draw'),)
    """
    turn, order = Turn(), Order()
    for seat, do in steps:
        if do not in TURN_STEPS or seat not in players:
            raise InvalidRequest(f"a step is a player with one of {', '.join(TURN_STEPS)}, not {seat} {do!r}")
        wrong = _irregular(turn, seat, do, players)
        order = replace(order, allowed=(*order.allowed, wrong is None))
        if wrong is None:
            turn = _after(turn, seat, do)
        else:
            order = replace(order, irregularities=(*order.irregularities, (seat, wrong)))
    return order


def _irregular(turn: Turn, seat: Seat, do: str, players: Sequence[Seat]) -> str | None:
    """Return what is wrong with a step, None if it is in order."""
    holds = turn.holder is seat
    if do == "draw":
        if turn.holder is not None:
            return None if holds and turn.kong else EARLY_DRAW
        in_turn = turn.last is None or seat_after(turn.last, players) is seat
        return None if in_turn else OUT_OF_TURN
    if do == "discard" or (do == "kong" and holds):
        return None if holds and not turn.kong else OUT_OF_TURN
    if turn.holder is not None or turn.last is None or turn.last is seat:
        return OUT_OF_TURN
    is_next = seat_after(turn.last, players) is seat
    return OUT_OF_TURN if do == "chow" and not is_next else None


def _after(turn: Turn, seat: Seat, do: str) -> Turn:
    if do == "discard":
        return Turn(None, seat)
    return Turn(seat, turn.last, do == "kong")


def may_in_same_turn(action: str, forbidden: bool = False) -> bool:
    """Return whether the tile just claimed may be discarded, or a kind claimed again; variants may forbid it.

    Raises:
        InvalidRequest: for another action.
    """
    if action not in SAME_TURN:
        raise InvalidRequest(f"an action is one of {', '.join(SAME_TURN)}, not {action!r}")
    return not forbidden


def is_laid_out(tiles: int, kongs: int, win_tile_apart: bool, hand_size: int = 13) -> bool:
    """Return whether a winner's tiles lie as they must: the right number, the winning tile apart.

    Args:
        tiles: with the winning tile, and with all four tiles of each kong.
        hand_size: tiles of a waiting hand.

    >>> is_laid_out(15, 1, True), is_laid_out(13, 0, True)
    (True, False)
    """
    return win_tile_apart and tiles == hand_size + 1 + kongs


def must_open(concealed_kongs: Sequence[_Kong], ended_by: str) -> tuple[_Kong, ...]:
    """Return the concealed kongs that are opened for inspection: all of them, after a win and in a draw.

    Raises:
        InvalidRequest: for another end of the hand.
    """
    if ended_by not in ENDED_BY:
        raise InvalidRequest(f"a hand ends by {' or '.join(ENDED_BY)}, not {ended_by!r}")
    return tuple(concealed_kongs)


def discard_rows(discards: int, per_row: int = PER_ROW[0]) -> tuple[int, ...]:
    """Return the lengths of the rows of one player's discards, from left to right, the last may be shorter.

    Raises:
        InvalidRequest: for a negative number or a row without room.

    >>> discard_rows(13, 6)
    (6, 6, 1)
    """
    if discards < 0 or per_row < 1:
        raise InvalidRequest(f"{discards} discards cannot lie in rows of {per_row}")
    full, rest = divmod(discards, per_row)
    return (per_row,) * full + ((rest,) if rest else ())
