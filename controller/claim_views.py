"""Views of what goes on around a claim: what the winner stated, a false win that is asked about."""

from __future__ import annotations

from controller.judge import counted_points
from controller.state import SEATS, TableState
from controller.views import FalseWinView, StatedView
from rules.scoring import amount_to_number


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
