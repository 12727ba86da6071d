"""Views of what goes on around a claim: a false win that the others are asked about."""

from __future__ import annotations

from controller.state import SEATS, TableState
from controller.views import FalseWinView
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
