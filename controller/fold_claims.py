"""What false wins and irregularities do to the state; the win itself is in `controller.fold`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from controller.fold_replace import replace
from controller.fold_rows import Four
from controller.fold_sheet import by_seat, seat_or_none
from controller.state import (
    Accusation,
    AgreedWin,
    ClaimState,
    FalseWinState,
    Irregularity,
    SeatState,
    TableState,
)
from rules.seats import Seat

Body = Mapping[str, Any]


def _paid(state: TableState, deltas: Four) -> tuple[SeatState, ...]:
    return tuple(replace(place, score=place.score + deltas[place.seat.index]) for place in state.seats)


def _also(state: TableState, body: Body) -> TableState:
    claim, source = state.claim, body["source"]
    assert claim is not None
    sources = {"seat": source, "by": source, **({} if claim.from_seat is None else {"from": source})}
    also = ClaimState("win", Seat(body["seat"]), claim.by, claim.from_seat, tuple(body["flags"]), sources)
    return replace(state, waiting=(*state.waiting, also))


def _agreed(state: TableState, body: Body) -> TableState:
    assert state.claim is not None
    assert state.reading is not None
    assert state.result is not None
    win = AgreedWin(state.claim, state.reading, state.result, state.stated)
    return replace(state, agreed=(*state.agreed, win))


def _next(state: TableState, body: Body) -> TableState:
    return replace(
        state,
        claim=state.waiting[0],
        waiting=state.waiting[1:],
        stated=None,
        reading=None,
        result=None,
        confirmed=frozenset(),
        disputed=frozenset(),
    )


def with_payer(waiting: tuple[ClaimState, ...], claim: ClaimState) -> tuple[ClaimState, ...]:
    """Return who waits once the claim before tells whose tile it was; he himself waits for nothing."""
    if claim.by == "self_draw":
        return ()
    if claim.from_seat is None:
        return waiting
    others = (each for each in waiting if each.seat is not claim.from_seat)
    source = claim.sources.get("from", "page")
    return tuple(
        replace(each, from_seat=claim.from_seat, sources={**each.sources, "from": source}) for each in others
    )


def _irregular(state: TableState, body: Body) -> TableState:
    by, winner = seat_or_none(body["by"]), seat_or_none(body["winner"])
    noted = Irregularity(Seat(body["seat"]), body["kind"], by, winner)
    return replace(state, irregularities=(*state.irregularities, noted))


def _set_aside(state: TableState, body: Body) -> TableState:
    return replace(state, aside=state.aside | {Seat(body["seat"])})


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
    "claim_also": _also,
    "claim_next": _next,
    "win_agreed": _agreed,
    "irregularity": _irregular,
    "set_aside": _set_aside,
    "reveal_penalty": _reveal_penalty,
    "stated": _stated,
    "false_win_called": _called,
    "false_win_dropped": _dropped,
    "false_win": _false_win,
}
