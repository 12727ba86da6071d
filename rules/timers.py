"""Time at the table: limits of a turn, what follows when one is passed, the countdown before a hand.

A table records and warns; it plays for nobody. Source: win-procedure.md section 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from rules.errors import InvalidRequest
from rules.seats import ALL_SEATS, Seat

TURNS = ("dealer_first", "turn")
TIMEOUT_ACTIONS = ("warn",)
"""Discarding for a player (auto_discard) is impossible at a table of wood."""
COUNTDOWN_S = 15


@dataclass(frozen=True, slots=True)
class TimeProfile:
    """Limits in seconds.

    Attributes:
        dealer_first: to the dealer's first discard, replacement of flowers included.
        turn: from the discard before to the own one, with chow, pung and flowers.
    """

    dealer_first: int
    turn: int


PROFILES: Mapping[str, TimeProfile] = MappingProxyType(
    {"competition": TimeProfile(30, 15), "two_player": TimeProfile(15, 15)}
)


@dataclass(frozen=True, slots=True)
class Timeout:
    """What a turn's time brings about: `actions` in order; nothing is ever discarded for the player."""

    is_over: bool
    actions: tuple[str, ...] = ()


def time_limit(profile: str, turn: str) -> int:
    """Return a limit in seconds.

    Raises:
        InvalidRequest: for an unknown profile or kind of turn.

    >>> time_limit("competition", "dealer_first")
    30
    """
    if profile not in PROFILES or turn not in TURNS:
        raise InvalidRequest(f"a profile is {', '.join(PROFILES)}, a turn {', '.join(TURNS)}")
    limits = PROFILES[profile]
    return limits.dealer_first if turn == "dealer_first" else limits.turn


def is_over(profile: str, turn: str, elapsed_s: float) -> bool:
    """Return whether a player is over time; exactly the limit is still in time."""
    return elapsed_s > time_limit(profile, turn)


def timeout(profile: str, turn: str, elapsed_s: float, action: str = "warn") -> Timeout:
    """Return what follows from the time a player took.

    Raises:
        InvalidRequest: for an unknown word, among them `auto_discard`.
    """
    if action not in TIMEOUT_ACTIONS:
        raise InvalidRequest(f"timeout_action is one of {', '.join(TIMEOUT_ACTIONS)}, not {action!r}")
    over = is_over(profile, turn, elapsed_s)
    return Timeout(over, (action, "log") if over else ())


def has_started(
    ready: Sequence[Seat],
    elapsed_s: float,
    countdown_s: float = COUNTDOWN_S,
    players: Sequence[Seat] = ALL_SEATS,
) -> bool:
    """Return whether a hand starts: all are ready, or all but one and the last one's countdown is over.

    Args:
        elapsed_s: since the last but one became ready; at `countdown_s` the last one counts as ready.
    """
    waiting = set(players) - set(ready)
    return not waiting or (len(waiting) == 1 and elapsed_s >= countdown_s)
