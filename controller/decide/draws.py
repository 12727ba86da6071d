"""Throws for seats and dealers: before a hand, with the dice and the eyes of the hand's own throws."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from controller import drawing
from controller.decide.build import begin_hand
from controller.decide.kit import Decision, World, refused, to_phase
from controller.decide.settle import folded
from controller.facts import Fact
from controller.inputs import TableInput
from controller.state import Drawing, Phase, Throw


def find_seats(world: World, given: TableInput) -> Decision:
    """Somebody asks for seats by dice before a game, as the table agreed."""
    state, live = world.state, world.live
    if state.fault is not None:
        return refused("refuse.fault", key=state.fault.key)
    draw = drawing.seats_draw(state)
    if draw is None:
        return refused("refuse.find_seats", phase=state.phase.value)
    return begin(world, draw) if live.link == "up" else refused("refuse.link", link=live.link)


def begin(world: World, draw: Drawing) -> Decision:
    """Ask for the first throw."""
    live = replace(world.live, notices=(), photo_tries=0)
    return Decision((drawing.begun(draw), to_phase(Phase.DICE, "throw")), live)


def accept(world: World, read: dict[str, Any]) -> Decision:
    """A throw counts: the next one is asked for, or it is known who sits where, or who deals."""
    state = world.state
    draw = state.drawing
    assert draw is not None
    a, b = read["pips"]
    throws = (*draw.throws, Throw(state.thrower(), (a, b), read["source"], read["score"]))
    following = drawing.next_thrower(state, draw.what, throws)
    fact = Fact("draw_throw", {**read, "next_thrower": None if following is None else following.value})
    live = replace(world.live, photo_tries=0)
    if following is not None:
        return Decision((fact, to_phase(Phase.DICE, "throw")), live)
    if draw.what in (drawing.TAKE_SEATS, drawing.NEW_SEATS):
        return Decision((fact, drawing.seats_thrown(state, draw.what, throws), to_phase(Phase.IDLE)), live)
    facts = (fact, drawing.dealer_thrown(state, draw.what, throws))
    made = begin_hand(replace(world, state=folded(state, facts), live=live))
    return replace(made, facts=(*facts, *made.facts))


def dropped(world: World) -> Decision | None:
    """The throws are for nothing any more: what they were for was corrected, or the game has ended."""
    state = world.state
    draw = state.drawing
    if draw is None or not state.is_drawing or world.live.order is not None:
        return None
    is_due = drawing.draw_due(state) if draw.what == drawing.DEALER else state.over is None
    if is_due:
        return None
    rest = Phase.SETTLED if state.hand else Phase.IDLE
    return Decision((Fact("draw_dropped", {}), to_phase(rest)))
