"""Inputs that every phase takes: restart, stop, self-test, and machine news that is only noted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from controller.decide.fault import stop_standing
from controller.decide.kit import Decision, World, refused
from controller.facts import Fact
from controller.inputs import TableInput
from controller.live_values import Order
from controller.state import SEATS, Phase

RESTING = frozenset({Phase.IDLE, Phase.READY, Phase.SETTLED, Phase.FAULT})
TECHNICAL_ROLES = frozenset({"technician", "owner"})


def restarted(world: World, given: TableInput) -> Decision:
    """Start a game if there is none, or if another one is asked for while no hand is played."""
    state, wanted = world.state, given.body
    if state.table is not None:
        same = state.table.variant == wanted["variant"] and dict(state.table.options) == wanted["options"]
        if same:
            return Decision()
        if state.phase not in (Phase.IDLE, Phase.SETTLED):
            return Decision(live=world.live.noting("game.kept", variant=state.table.variant))
    return Decision((game_started(wanted),))


def game_started(wanted: Any) -> Fact:
    """Return the fact of a new game: everyone at 0, E deals, seats E S W N at sides 1 to 4."""
    seats = {seat.value: {"side": seat.index + 1, "player": f"p{seat.index + 1}"} for seat in SEATS}
    return Fact("game_started", {**wanted, "dealer": "E", "seats": seats})


def stop(world: World, given: TableInput) -> Decision:
    """Stop all motors now, whatever goes on; the board latches and a person clears it."""
    return Decision(
        (Fact("machine_event", {"event": "stop", "source": given.source}), *stop_standing(world)),
        replace(world.live, may_move=False),
        orders=(Order("stop", "stop", moves=False),),
    )


def technical(world: World, given: TableInput) -> Decision:
    """Self-test and reading of inputs, for technicians, while nothing moves."""
    if given.role not in TECHNICAL_ROLES:
        return refused("refuse.role", role=given.role)
    if world.live.link != "up":
        return refused("refuse.link", link=world.live.link)
    if world.state.phase not in RESTING or world.live.order is not None:
        return refused(f"refuse.{given.name}", phase=world.state.phase.value)
    order = Order(f"{given.name}:{world.state.seq}", given.name, moves=given.name == "selftest")
    return Decision(orders=(order,))


def noted(world: World, given: TableInput) -> Decision:
    """Nothing to decide: live values have taken it over."""
    return Decision()


def rebooted(world: World, given: TableInput) -> Decision:
    """The board started anew while nothing of ours moved: noted in the journal."""
    return Decision((Fact("machine_event", {"event": "rebooted", **given.body}),))


def told(world: World, given: TableInput) -> Decision:
    """News of the machine for the technician, kept in the journal."""
    return Decision((Fact("machine_event", dict(given.body)),))


def photo_put_aside(world: World, given: TableInput) -> Decision:
    """A photo that this phase did not ask for."""
    return Decision(live=replace(world.live, wall_due=False))
