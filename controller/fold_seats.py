"""Who sits where, in the fold: people change seats and take their scores along."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from controller.fold_replace import replace
from controller.state import Drawing, TableState, Throw
from rules.seats import Seat

Body = Mapping[str, Any]


def _changed(state: TableState, body: Body) -> TableState:
    """Everybody sits where the moves lead: sides and seats stay, players and scores go."""
    moves = {Seat(seat): Seat(to) for seat, to in body["moves"].items()}
    came = {moves[place.seat]: place for place in state.seats}
    seats = tuple(replace(came[place.seat], seat=place.seat, side=place.side) for place in state.seats)
    return replace(state, seats=seats, seats_circle=int(body["circle"]))


def _begun(state: TableState, body: Body) -> TableState:
    return replace(state, drawing=Drawing(body["what"], Seat(body["thrower"])))


def _thrown(state: TableState, body: Body) -> TableState:
    if body["pips"] is None or state.drawing is None:
        return state
    first, second = body["pips"]
    throw = Throw(Seat(body["seat"]), (int(first), int(second)), body["source"], body["score"])
    thrower = None if body["next_thrower"] is None else Seat(body["next_thrower"])
    drawing = replace(state.drawing, thrower=thrower, throws=(*state.drawing.throws, throw))
    return replace(state, drawing=drawing)


def _dropped(state: TableState, body: Body) -> TableState:
    return replace(state, drawing=None)


def _found(state: TableState, body: Body) -> TableState:
    dealer = Seat(body["dealer"])
    made = replace(state, upcoming=(dealer, int(body["circle"]), int(body["run"])))
    return replace(made, dealer=dealer, first_dealer=dealer) if body["first"] else made


SEAT_CHANGES: Mapping[str, Callable[[TableState, Body], TableState]] = {
    "seats_changed": _changed,
    "draw_begun": _begun,
    "draw_throw": _thrown,
    "draw_dropped": _dropped,
    "dealer_found": _found,
}
