"""Raise the walls: READY -> LIFTING -> DICE."""

from __future__ import annotations

from dataclasses import replace

from controller.decide.build import home_order, lift_order
from controller.decide.kit import Decision, World, refused, to_phase
from controller.inputs import TableInput
from controller.live_values import Due
from controller.state import Phase


def lift(world: World, given: TableInput) -> Decision:
    """A person pressed the lift key: raise the trays."""
    if world.live.link != "up":
        return refused("refuse.link", link=world.live.link)
    return Decision((to_phase(Phase.LIFTING),), replace(world.live, may_move=True))


def advance(world: World) -> Decision | None:
    """The walls are up: light the dealer's lamp and ask for the dice."""
    live = world.live
    if live.link == "up" and live.machine.known and live.order is None and _is_up(world):
        return Decision((to_phase(Phase.DICE, "lamp"),))
    return None


def due(world: World) -> Due:
    """Return the order that raises the trays, or finds the positions first where they are not known."""
    if not world.live.machine.homed or world.live.must_home:
        return Due(order=home_order(f"{world.state.hand}:home:{world.live.attempt}"))
    return Due(order=lift_order(f"{world.state.hand}:raise:{world.live.attempt}", "trays", "up"))


def _is_up(world: World) -> bool:
    return world.live.machine.trays == "up" and not world.live.must_home
