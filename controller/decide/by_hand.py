"""A hand without the machine: people build the walls on the table and throw dice of their own.

Only while the machine is out of action: no link to the board, a standing fault, or the emergency stop. Dice
and the break of the wall are entered on a page, or left open: nothing that is paid depends on them. With no
page either the dealer's seat key does both: held, the walls stand; tapped, the tiles are dealt.
"""

from __future__ import annotations

from dataclasses import replace

from controller import drawing
from controller.decide import corrections
from controller.decide.build import hand_facts
from controller.decide.kit import Decision, World, asked_seat, body_seat, refused, to_phase
from controller.decide.settle import folded
from controller.facts import Fact
from controller.inputs import TableInput
from controller.judge import walls_of
from controller.live_values import Live
from controller.state import Phase, TableState
from rules.seats import Seat

BETWEEN = frozenset({Phase.IDLE, Phase.SETTLED})


def is_out(world: World) -> bool:
    """Return whether the machine can do nothing for a hand."""
    return world.live.link != "up" or world.state.fault is not None or world.live.estop


def begin(world: World, given: TableInput) -> Decision:
    """The walls stand on the table, built by people: on with the dice, in a new hand if none is open."""
    state = world.state
    if state.over is not None:
        return refused("refuse.game_over")
    if not is_out(world):
        return refused("refuse.by_hand", phase=state.phase.value)
    told = (Fact("by_hand", {"source": given.source}), to_phase(Phase.DICE, "ask"))
    live = replace(world.live, photo_tries=0, order=None, accepted=False, done=None)
    if state.is_open:
        return Decision(told, _homing(state, live))
    live = _homing(state, replace(live, notices=(), stacks=None, boxes=(), wall_shots=0, turn=None))
    draw = drawing.draw_due(state)
    if state.is_drawing:
        return Decision((to_phase(Phase.DICE, "throw"),), live)
    if draw is not None:  # with dice of their own; then the walls are theirs, too
        return Decision((drawing.begun(draw), to_phase(Phase.DICE, "throw")), live)
    chance = drawing.dealer_by_chance(state)
    return Decision((*chance, *hand_facts(folded(state, chance)), *told), live)


def _homing(state: TableState, live: Live) -> Live:
    """A machine that was stopped on its way finds its positions anew before it moves again."""
    stopped = state.fault is not None and state.fault.phase in (Phase.BUILDING, Phase.LIFTING)
    return replace(live, must_home=live.must_home or stopped)


def seat_long(world: World, given: TableInput) -> Decision:
    """The dealer holds his key: the walls stand. While a correction is asked for, this says no to it."""
    state = world.state
    if state.correction is not None and state.phase in BETWEEN:
        return corrections.reject(world, given)
    if not is_out(world):
        return refused("refuse.seat_long", phase=state.phase.value)
    dealer = _dealer(state)
    if asked_seat(world, given) is not dealer:
        return refused("refuse.seat", seat=dealer.value)
    return begin(world, given)


def _dealer(state: TableState) -> Seat:
    return state.dealer if state.is_open or state.upcoming is None else state.upcoming[0]


def set_wall(world: World, given: TableInput) -> Decision:
    """People say where the wall was broken: the first tile came from `stack` of `seat`, counted from 1."""
    if not _is_open_to_people(world):
        return refused("refuse.set_wall", phase=world.state.phase.value, step=world.state.step)
    seat, stack = body_seat(given.body, "seat"), given.body.get("stack")
    most = walls_of(world.state)[seat]
    if not isinstance(stack, int) or isinstance(stack, bool) or not 1 <= stack <= most:
        return refused("refuse.invalid", field="stack")
    place = {"count_seat": seat.value, "count": stack - 1, "seat": seat.value, "stack": stack}
    return Decision((Fact("wall_opened", {**place, "source": given.source}), to_phase(Phase.DEALING)))


def dealt(world: World, given: TableInput) -> Decision:
    """The tiles are dealt, by dice that nobody could read or enter: they stay unknown."""
    if not _is_open_to_people(world):
        return refused(f"refuse.{given.name}", phase=world.state.phase.value, step=world.state.step)
    return Decision((to_phase(Phase.PLAYING),))


def seat_short(world: World, given: TableInput) -> Decision:
    """The dealer taps his key: the tiles are dealt."""
    seat, dealer = asked_seat(world, given), world.state.dealer
    return dealt(world, given) if seat is dealer else refused("refuse.seat", seat=dealer.value)


def _is_open_to_people(world: World) -> bool:
    """Return whether the throw is theirs: it could not be read, or the machine cannot throw.

    Once the camera read a throw the dealer may say that the tiles are dealt: without a page people do not see
    that the throw before was not read and another one is awaited. Else all they play would be refused.
    """
    step = world.state.step
    if world.state.is_drawing:
        return False
    is_read = any(throw.source == "camera" for throw in world.state.throws)
    return step == "ask" or (step == "throw" and (is_out(world) or is_read))
