"""Views around a claim: stated points, a false win that is asked about, what was not in order."""

from __future__ import annotations

from controller.decide.confirm import still_to_confirm
from controller.decide.kit import World
from controller.judge import counted_points, waits_for_referee
from controller.live_values import Live
from controller.state import SEATS, Phase, TableState
from controller.views import AlsoView, FalseWinView, IrregularityView, StatedView
from rules.scoring import amount_to_number
from rules.seats import Seat


def false_win_view(state: TableState, unit: int) -> FalseWinView | None:
    """Return the false win that is talked over, None where nobody called one; amounts are points."""
    accused = state.accused
    if accused is None:
        return None
    return {
        "seat": accused.seat.value,
        "by": None if accused.by is None else accused.by.value,
        "hand": accused.hand,
        "deltas": {seat.value: amount_to_number(accused.deltas[seat.index], unit) for seat in SEATS},
    }


def stated_view(state: TableState) -> StatedView | None:
    """Return what the winner stated, None where he said nothing."""
    if state.stated is None:
        return None
    total = state.result.total if state.result is not None and state.result.legal else None
    counted = None if total is None else counted_points(state, total)
    return {"points": state.stated, "checked": total, "counted": counted}


def irregularity_views(state: TableState) -> list[IrregularityView]:
    """Return what was not in order in this hand, in the order of its telling."""
    return [
        {
            "seat": noted.seat.value,
            "kind": noted.kind,
            "by": None if noted.by is None else noted.by.value,
        }
        for noted in state.irregularities
    ]


def referee_is_asked(state: TableState, live: Live) -> bool:
    """Return whether all others agree to a win and the referee's check is all that is missing."""
    if state.phase is not Phase.CONFIRM or not waits_for_referee(state):
        return False
    return not still_to_confirm(World(state, live))


def also_views(state: TableState) -> list[AlsoView]:
    """Return the other winners of this tile: those agreed already, then those who wait."""
    agreed = [(win.claim.seat, win.result.total) for win in state.agreed]
    waiting = [(claim.seat, None) for claim in state.waiting]
    found: list[tuple[Seat | None, int | None]] = [*agreed, *waiting]
    return [{"seat": seat.value, "total": total} for seat, total in found if seat is not None]
