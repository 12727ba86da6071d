"""Who sits where, in the fold: people change seats and take their scores along."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from controller.state import TableState
from rules.seats import Seat

Body = Mapping[str, Any]


def _changed(state: TableState, body: Body) -> TableState:
    """Everybody sits where the moves lead: sides and seats stay, players and scores go."""
    moves = {Seat(seat): Seat(to) for seat, to in body["moves"].items()}
    came = {moves[place.seat]: place for place in state.seats}
    seats = tuple(replace(came[place.seat], seat=place.seat, side=place.side) for place in state.seats)
    return replace(state, seats=seats, seats_circle=int(body["circle"]))


SEAT_CHANGES: Mapping[str, Callable[[TableState, Body], TableState]] = {"seats_changed": _changed}
