"""Decide: (state, live values, input in table terms) -> facts and orders, or a refusal by name. Pure."""

from __future__ import annotations

from dataclasses import replace

from controller.decide import behind, build, claim, dice, fault, lift, play
from controller.decide.kit import Decision, World, refused
from controller.decide.table import COMMANDS, TABLE
from controller.errors import Refused
from controller.inputs import TableInput
from controller.live_values import Due
from controller.state import Phase
from rules.errors import RuleError

__all__ = ["COMMANDS", "TABLE", "Decision", "World", "advance", "decide", "due"]

_ADVANCE = {Phase.BUILDING: build.advance, Phase.LIFTING: lift.advance, Phase.DICE: dice.advance}
_DUE = {
    Phase.BUILDING: build.due,
    Phase.LIFTING: lift.due,
    Phase.DICE: dice.due,
    Phase.DEALING: play.due,
    Phase.PLAYING: play.due,
    Phase.CLAIM: claim.due,
    Phase.FAULT: fault.due,
}
MOTIONS = frozenset({"start", "lift", "lift_key", "throw", "dice_key"})
"""What lets motors move; none of it is taken while a technician has the machine."""
RULINGS = frozenset({"rule_correction", "rule_false_win", "check_win"})
"""What a referee says; who is none is told so, and not that a technician does it."""
BUILDS = frozenset({"building", "paused"})
"""Both lift keys together, or one in a pause, mean this build then; the machine itself heeds them."""


def decide(world: World, given: TableInput) -> Decision:
    """Return what the input brings about in this phase; a pair not in the table is refused by name."""
    machine = world.live.machine
    if given.name == "lift_key" and machine.state in BUILDS:
        return Decision()
    row = TABLE.get((world.state.phase, given.name))
    if row is None:
        return refused(f"refuse.{given.name}", phase=world.state.phase.value)
    if given.source == "page" and given.role == "spectator":
        return refused("refuse.referee" if given.name in RULINGS else "refuse.role", role=given.role)
    if given.name in MOTIONS and world.live.link == "up" and machine.in_service:
        return refused("refuse.in_service")
    try:
        return row.handler(world, given)
    except Refused as refusal:
        return refused(refusal.code, **refusal.params)
    except RuleError as error:
        return refused("refuse.rules", reason=getattr(error, "code", None) or str(error))


def advance(world: World) -> Decision | None:
    """Return the next step that state and live values allow without a new input, None when there is none."""
    if world.state.table is None:
        return None
    follow = _ADVANCE.get(world.state.phase)
    made = None if follow is None else follow(world)
    return behind.advance(world) if made is None else made


def due(world: World) -> Due:
    """Return what should be going on now: an order, a photo, timers."""
    if world.state.table is None:
        return Due()
    want = _DUE.get(world.state.phase)
    now = Due() if want is None else want(world)
    return replace(now, behind=behind.due(world))
