"""What a variant whose money runs through `rules.engine_ledger` leaves to its ruleset, and words that such
variants share."""

from __future__ import annotations

from collections.abc import Mapping

from rules.hand import MeldKind
from rules.options import Option, Options
from rules.seats import Seat
from rules.situation import Kong, Situation
from rules.variant import KongRow, Payment, Score
from rules.variants.common import integer, product
from rules.view import View

CALLS = frozenset({"chow", "pung", "kong_exposed", "kong_added", "kong_concealed", "rob_kong"})
"""Every move besides playing on that needs no declaration."""
CALLS_WITHOUT_CHOWS = frozenset({"pung", "kong_exposed", "kong_added", "kong_concealed", "rob_kong"})
"""Moves besides playing on of variants without chows."""


def every_call(options: Options) -> frozenset[str]:
    """Return the moves that are allowed: chows too."""
    return CALLS


def without_chows(options: Options) -> frozenset[str]:
    """Return the moves that are allowed: no chows."""
    return CALLS_WITHOUT_CHOWS


def no_shares(kong: Kong, value: int, situation: Situation, options: Options) -> Mapping[Seat, int]:
    """Return nothing: kongs are paid by the ruleset, which knows who has won."""
    return {}


def paid_by_ledger(view: View, scored: Score, situation: Situation) -> tuple[Payment, ...]:
    """Return nothing: wins are paid by the ruleset, which knows who has won before."""
    return ()


def kong_points(source: str) -> tuple[Option, ...]:
    """Return the options of what each other player pays for a kong, nothing by default."""
    return (
        integer("kong_points.exposed", 0, 0, 100, "明杠分", "Points of an exposed kong", source),
        integer("kong_points.added", 0, 0, 100, "补杠分", "Points of an added kong", source),
        integer("kong_points.concealed", 0, 0, 100, "暗杠分", "Points of a concealed kong", source),
    )


def kong_rows(source: str) -> tuple[KongRow, ...]:
    """Return the kongs by the options of `kong_points`."""
    named = (
        ("exposed", "明杠", "Exposed kong", MeldKind.EXPOSED_KONG),
        ("added", "补杠", "Added kong", MeldKind.ADDED_KONG),
        ("concealed", "暗杠", "Concealed kong", MeldKind.CONCEALED_KONG),
    )
    return tuple(
        KongRow(f"kong_{key}", zh, en, kind, product(f"kong_points.{key}"), no_shares, source)
        for key, zh, en, kind in named
    )


def cap(options: Options) -> int | None:
    """Return the most points of a win by option `cap`; None = no limit."""
    return options.number("cap") or None
