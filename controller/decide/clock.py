"""The clock of a turn: somebody calls it, the table counts, and who is over time is noted and warned.

A table of wood does not see whose turn it is, so that no clock runs by itself and none plays for anybody.
Source: win-procedure.md section 4 (time limits of a turn, what follows).
"""

from __future__ import annotations

from dataclasses import replace

from controller.decide.irregular import NOTED_MOST
from controller.decide.kit import Decision, World, body_seat, refused
from controller.facts import Fact
from controller.inputs import TableInput
from controller.judge import win_options
from rules.timers import time_limit, timeout

OVER = "turn.over"
JUST_OVER_S = 0.001
"""Exactly the limit is still in time."""


def call(world: World, given: TableInput) -> Decision:
    """Somebody calls the clock on a seat; `first`: it is the dealer's first discard, with more time."""
    seat, first = body_seat(given.body, "seat"), given.body.get("first", False)
    if not isinstance(first, bool) or (first and seat is not world.state.dealer):
        return refused("refuse.invalid", field="first")
    live = world.live.without(OVER)
    return Decision(live=replace(live, turn=seat, turn_is_first=first, turns=live.turns + 1))


def stop(world: World, given: TableInput) -> Decision:
    """The tile is out: the clock stops."""
    if world.live.turn is None:
        return refused("refuse.stop_clock", phase=world.state.phase.value)
    return Decision(live=replace(world.live, turn=None))


def timer_of(world: World) -> tuple[tuple[str, int], ...]:
    """Return the timer of the clock that runs, in milliseconds."""
    if world.live.turn is None:
        return ()
    return ((f"turn:{world.live.turns}", int(1_000 * (_limit_s(world) + JUST_OVER_S))),)


def _limit_s(world: World) -> int:
    profile = str(win_options(world.state)["time_profile"])
    return time_limit(profile, "dealer_first" if world.live.turn_is_first else "turn")


def rings(world: World) -> Decision:
    """The time is up: what the table agreed on follows."""
    seat, agreed = world.live.turn, win_options(world.state)
    if seat is None:
        return Decision()
    turn = "dealer_first" if world.live.turn_is_first else "turn"
    elapsed = _limit_s(world) + JUST_OVER_S
    follows = timeout(str(agreed["time_profile"]), turn, elapsed, str(agreed["timeout_action"])).actions
    live = replace(world.live, turn=None)
    live = live.noting(OVER, seat=seat.value) if "warn" in follows else live
    if "log" not in follows or len(world.state.irregularities) >= NOTED_MOST:
        return Decision(live=live)
    body = {"seat": seat.value, "kind": "over_time", "by": None, "winner": None, "source": "clock"}
    return Decision((Fact("irregularity", body),), live)
