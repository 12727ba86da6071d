"""Deadlines that people should know of: what runs out, for whom, and what follows. No event a second.

`at_ms` and `now_ms` are of the service's own steady clock: a page takes the difference when the view arrives
and counts down by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from controller.live_values import Live
from controller.state import SEATS, Phase, TableState
from controller.views_now import TimerView, TimeView
from rules.seats import Seat

TURN = "turn"
SHOWN: Mapping[str, str] = {"deal": "play", "claim_window": "late", TURN: "noted"}
"""Timer -> what follows: the hand is taken as dealt, later calls are noted as late, over time is noted."""


def with_timers(live: Live, timers: Mapping[str, int], lengths: Mapping[str, int]) -> Live:
    """Return live values with the deadlines that are shown; the same ones where nothing has changed."""
    shown = tuple((name, at_ms, lengths[name]) for name, at_ms in timers.items() if _kind(name) in SHOWN)
    return live if shown == live.timers else replace(live, timers=shown)


def time_view(state: TableState, live: Live, now_ms: int) -> TimeView:
    """Return what runs out; `now_ms` is when the view was made."""
    timers = [_timer(state, live, *timer) for timer in live.timers]
    return {"now_ms": now_ms, "timers": timers}


def as_of(view: Mapping[str, Any], now_ms: int) -> Mapping[str, Any]:
    """Return a state view that was made a while ago as it is told now."""
    return {**view, "time": {**view["time"], "now_ms": now_ms}} if "time" in view else view


def _kind(name: str) -> str:
    return name.partition(":")[0]


def _timer(state: TableState, live: Live, name: str, at_ms: int, of_ms: int) -> TimerView:
    kind = _kind(name)
    seats = [seat.value for seat in SEATS if seat in _whose(state, live, kind)]
    return {"what": kind, "at_ms": at_ms, "of_ms": of_ms, "seats": seats, "then": SHOWN[kind]}


def _whose(state: TableState, live: Live, kind: str) -> frozenset[Seat]:
    """Return the seats that a deadline is for."""
    if kind == TURN:
        return frozenset() if live.turn is None else frozenset({live.turn})
    claim = state.claim
    if kind == "claim_window" and claim is not None and state.phase is Phase.CLAIM:
        return frozenset(SEATS) - {claim.seat, claim.from_seat} - state.dead
    return frozenset({state.dealer})
