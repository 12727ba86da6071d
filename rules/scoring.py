"""What others call: score a win, settle wins, kongs and drawn hands."""

from __future__ import annotations

from rules.evaluate import score
from rules.options import Options
from rules.settlement import (
    Settlement,
    WinRefused,
    amount_to_number,
    settle,
    settle_draw,
    settle_false_win,
    settle_kong,
)
from rules.situation import FLAGS, WAYS, Kong, Situation, Win
from rules.variant import Payment, Score, ScoredElement, resolve_options

__all__ = [
    "FLAGS",
    "WAYS",
    "Kong",
    "Options",
    "Payment",
    "Score",
    "ScoredElement",
    "Settlement",
    "Situation",
    "Win",
    "WinRefused",
    "amount_to_number",
    "resolve_options",
    "score",
    "settle",
    "settle_draw",
    "settle_false_win",
    "settle_kong",
]
