"""What the players think of the result on the screen: does it say what they saw?"""

from __future__ import annotations

from typing import Any

from hardware.twin.robots.outcome import Outcome
from hardware.twin.robots.script import Screen
from rules.errors import RuleError
from rules.notation import format_hand, parse_hand


def hand_text(outcome: Outcome) -> str:
    """Return the winner's hand as it is written."""
    assert outcome.hand is not None
    return format_hand(outcome.hand)


def flower_texts(outcome: Outcome) -> list[str]:
    """Return the winner's flowers, in tile order."""
    return [str(tile) for tile in sorted(outcome.flowers)]


def claim_is_right(screen: Screen, outcome: Outcome) -> bool:
    """Return whether the screen names the right winner, way and payer."""
    claim = screen.get("claim") or {}
    if outcome.seat is None:
        return bool(claim.get("kind") == "drawn")
    source = None if outcome.source is None else outcome.source.value
    return (claim.get("seat"), claim.get("by"), claim.get("from")) == (outcome.seat.value, outcome.by, source)


def hand_is_right(screen: Screen, outcome: Outcome) -> bool:
    """Return whether the hand on the screen is the one that lies on the table."""
    text = (screen.get("reading") or {}).get("hand")
    if not isinstance(text, str):
        return False
    try:
        return format_hand(parse_hand(text)) == hand_text(outcome)
    except RuleError:
        return False


def flowers_are_right(screen: Screen, outcome: Outcome) -> bool:
    """Return whether the screen names the flowers that the winner has."""
    rows = (screen.get("reading") or {}).get("flowers") or []
    return sorted(row.get("tile") for row in rows) == flower_texts(outcome)


def points_are_right(screen: Screen, outcome: Outcome) -> bool:
    """Return whether the payments on the screen are those of the rules."""
    deltas: dict[str, Any] = (screen.get("result") or {}).get("deltas") or {}
    return outcome.points is not None and all(
        float(deltas.get(seat, 0)) == float(points) for seat, points in outcome.points.items()
    )


def agrees(screen: Screen, outcome: Outcome) -> bool:
    """Return whether a player confirms what the screen proposes."""
    if not claim_is_right(screen, outcome):
        return False
    if outcome.seat is None:
        return True
    return all(is_right(screen, outcome) for is_right in (hand_is_right, flowers_are_right, points_are_right))
