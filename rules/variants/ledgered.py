"""What a variant whose money runs through `rules.engine_ledger` leaves to its ruleset, and words that such
variants share."""

from __future__ import annotations

from collections.abc import Mapping

from rules.options import Options
from rules.seats import Seat
from rules.situation import Kong, Situation
from rules.variant import Payment, Score
from rules.view import View

CALLS_WITHOUT_CHOWS = frozenset({"pung", "kong_exposed", "kong_added", "kong_concealed", "rob_kong"})
"""Moves besides playing on of variants without chows."""


def without_chows(options: Options) -> frozenset[str]:
    """Return the moves that are allowed: no chows."""
    return CALLS_WITHOUT_CHOWS


def no_shares(kong: Kong, value: int, situation: Situation, options: Options) -> Mapping[Seat, int]:
    """Return nothing: kongs are paid by the ruleset, which knows who has won."""
    return {}


def paid_by_ledger(view: View, scored: Score, situation: Situation) -> tuple[Payment, ...]:
    """Return nothing: wins are paid by the ruleset, which knows who has won before."""
    return ()


def cap(options: Options) -> int | None:
    """Return the most points of a win by option `cap`; None = no limit."""
    return options.number("cap") or None
