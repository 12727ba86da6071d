"""Raise the walls: READY -> LIFTING -> DICE.

With two sets the trays go down again (the walls stay on the ledges of the table) and the other set goes in,
unless it was pushed in before these walls rose.
"""

from __future__ import annotations

from dataclasses import replace

from controller.decide.build import home_order, lift_order
from controller.decide.kit import Decision, World, refused, to_phase
from controller.inputs import TableInput
from controller.live_values import Due
from controller.state import Phase

MOVES = {
    "raise": ("trays", "up"),
    "lower": ("trays", "down"),
    "open": ("dome", "up"),
    "close": ("dome", "down"),
}


def lift(world: World, given: TableInput) -> Decision:
    """A person pressed the lift key: raise the trays."""
    if world.live.link != "up":
        return refused("refuse.link", link=world.live.link)
    step = "raise" if world.live.sets == 2 else None
    return Decision((to_phase(Phase.LIFTING, step),), replace(world.live, may_move=True))


def loaded(world: World, given: TableInput) -> Decision:
    """The other set is pushed in beside the walls: lower the dome."""
    if world.state.step != "load":
        return refused(f"refuse.{given.name}", phase=world.state.phase.value, step=world.state.step)
    if world.live.link != "up":
        return refused("refuse.link", link=world.live.link)
    return Decision((to_phase(Phase.LIFTING, "close"),), replace(world.live, may_move=True))


def advance(world: World) -> Decision | None:
    """The walls are up (and the other set is in): light the dealer's lamp and ask for the dice."""
    live, machine = world.live, world.live.machine
    if live.link != "up" or not machine.known or live.order is not None or live.must_home:
        return None
    step = world.state.step or "raise"
    if step == "load":
        return None
    target, direction = MOVES[step]
    if (machine.trays if target == "trays" else machine.dome) != direction:
        return None
    following = _following(world)
    return Decision((to_phase(Phase.LIFTING, following) if following else to_phase(Phase.DICE, "lamp"),))


def _following(world: World) -> str | None:
    """Return the step after this one; None: on to the dice."""
    match world.state.step:
        case "raise":
            return "lower"
        case "lower" if world.state.behind == "out":
            return "open"
        case "open":
            return "load"
    return None


def due(world: World) -> Due:
    """Return the motion of the step, or the one that finds the positions first where they are not known."""
    state, live = world.state, world.live
    if state.step == "load":
        return Due()
    if not live.machine.homed or live.must_home:
        return Due(order=home_order(f"{state.hand}:home:{live.attempt}"))
    step = state.step or "raise"
    return Due(order=lift_order(f"{state.hand}:{step}:{live.attempt}", *MOVES[step]))
