"""Inputs that every phase takes: restart, stop, self-test, and machine news that is only noted."""

from __future__ import annotations

from collections.abc import Mapping
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
    """Start a game on an empty journal; a game that is there goes on as it was agreed, scores and options.

    What the settings now say differently is told; it counts from the next `new_game`. Options that only one
    of game and settings knows belong to another version and are no difference.
    """
    made = _as_agreed(world, given.body)
    if not (world.live.is_fresh and world.state.behind != "out"):
        return made
    fresh = Fact("machine_event", {"event": "fresh_table"})
    return replace(made, facts=(fresh, *made.facts))


def _as_agreed(world: World, wanted: Mapping[str, Any]) -> Decision:
    game, live = world.state.table, replace(world.live, wanted=wanted)
    if game is None:
        return Decision((game_started(wanted),), live)
    if game.variant != wanted["variant"]:
        return Decision(live=live.noting("game.kept", variant=game.variant))
    differ = [key for key, value in wanted["options"].items() if game.options.get(key, value) != value]
    return Decision(live=live.noting("options.differ", options=", ".join(differ)) if differ else live)


def new_game(world: World, given: TableInput) -> Decision:
    """Somebody in charge asks for a new game by the settings of now: all scores begin at 0."""
    state, live = world.state, world.live
    if given.role not in TECHNICAL_ROLES:
        return refused("refuse.role", role=given.role)
    if state.fault is not None:
        return refused("refuse.fault", key=state.fault.key)
    fresh = replace(live, attempt=live.attempt + 1, done=None, notices=())
    return Decision((game_started(live.wanted),), fresh)


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
