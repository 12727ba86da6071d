"""What false wins and irregularities do to the state; the win itself is in `controller.fold`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from controller.fold_rows import Four
from controller.fold_sheet import by_seat, seat_or_none
from controller.state import Accusation, FalseWinState, Irregularity, SeatState, TableState
from rules.seats import Seat

Body = Mapping[str, Any]


def _paid(state: TableState, deltas: Four) -> tuple[SeatState, ...]:
    return tuple(replace(place, score=place.score + deltas[place.seat.index]) for place in state.seats)


def _irregular(state: TableState, body: Body) -> TableState:
    by, winner = seat_or_none(body["by"]), seat_or_none(body["winner"])
    noted = Irregularity(Seat(body["seat"]), body["kind"], by, winner)
    return replace(state, irregularities=(*state.irregularities, noted))


def _reveal_penalty(state: TableState, body: Body) -> TableState:
    return replace(state, seats=_paid(state, by_seat(body["deltas"])))


def _stated(state: TableState, body: Body) -> TableState:
    return replace(state, stated=int(body["points"]))


def _called(state: TableState, body: Body) -> TableState:
    by = None if body["by"] is None else Seat(body["by"])
    accused = Accusation(Seat(body["seat"]), by, body["hand"], by_seat(body["deltas"]))
    agreed = frozenset() if by is None or by is accused.seat else frozenset({by})
    return replace(state, accused=accused, confirmed=agreed, disputed=frozenset())


def _dropped(state: TableState, body: Body) -> TableState:
    return replace(state, accused=None, confirmed=frozenset(), disputed=frozenset())


def _false_win(state: TableState, body: Body) -> TableState:
    deltas = by_seat(body["deltas"])
    booked = FalseWinState(Seat(body["seat"]), deltas)
    return replace(
        state,
        seats=_paid(state, deltas),
        false_wins=(*state.false_wins, booked),
        accused=None,
        claim=None,
        stated=None,
        reading=None,
        result=None,
        confirmed=frozenset(),
        disputed=frozenset(),
    )


CLAIM_CHANGES: dict[str, Callable[[TableState, Body], TableState]] = {
    "irregularity": _irregular,
    "reveal_penalty": _reveal_penalty,
    "stated": _stated,
    "false_win_called": _called,
    "false_win_dropped": _dropped,
    "false_win": _false_win,
}
