"""Seats: four places in play order, which is counter-clockwise seen from above."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

_ORDER = "ESWN"


class Seat(StrEnum):
    """Label of a side for one game; `next` is the 下家, `previous` the 上家.

    >>> Seat.E.next, Seat.at(5)
    (<Seat.S: 'S'>, <Seat.S: 'S'>)
    """

    E = "E"
    S = "S"
    W = "W"
    N = "N"

    def __init__(self, letter: str) -> None:
        self.place = _ORDER.index(letter)

    @property
    def index(self) -> int:  # type: ignore[override]  # the place in play order, not str.index
        """0 for E, 1 S, 2 W, 3 N."""
        return self.place

    @classmethod
    def at(cls, index: int) -> Seat:
        """Return the seat at a place in play order; any integer, counted modulo four."""
        return cls(_ORDER[index % 4])

    @property
    def next(self) -> Seat:
        """The seat that plays after this one at a table of four."""
        return Seat.at(self.index + 1)

    @property
    def previous(self) -> Seat:
        """The seat that plays before this one at a table of four."""
        return Seat.at(self.index - 1)


ALL_SEATS: tuple[Seat, ...] = tuple(Seat)


def seat_after(seat: Seat, players: Sequence[Seat], steps: int = 1) -> Seat:
    """Return the seat `steps` places later in play order among those who play (2, 3 or 4)."""
    ring = sorted(players, key=lambda each: each.index)
    return ring[(ring.index(seat) + steps) % len(ring)]


def in_order_after(seat: Seat, players: Sequence[Seat]) -> tuple[Seat, ...]:
    """Return the other players in play order, the next one first."""
    return tuple(seat_after(seat, players, steps) for steps in range(1, len(players)))
