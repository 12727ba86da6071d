"""The other seats agree or dispute: CONFIRM -> SETTLED or REVIEW."""

from __future__ import annotations

from controller.decide import false_win
from controller.decide.claim import claim_of
from controller.decide.claim import withdraw as take_back
from controller.decide.kit import Decision, World, asked_seat, refused, to_phase
from controller.decide.review import withdraw_kong as take_back_kong
from controller.decide.several import after_agreement
from controller.facts import Fact
from controller.inputs import TableInput
from controller.judge import waits_for_referee
from controller.state import SEATS, Phase
from rules.seats import Seat


def still_to_confirm(world: World) -> tuple[Seat, ...]:
    """Return the seats that have not agreed, in play order."""
    accused = world.state.accused
    about = claim_of(world).seat if accused is None else accused.seat
    return tuple(seat for seat in SEATS if seat is not about and seat not in world.state.confirmed)


def confirm(world: World, given: TableInput) -> Decision:
    """A seat agrees; the last one settles the hand."""
    seat = asked_seat(world, given)
    waiting = still_to_confirm(world)
    if seat not in waiting:
        return refused("refuse.confirm", seat=seat.value, phase=world.state.phase.value)
    agreed = Fact("confirmed", {"seat": seat.value, "source": given.source})
    if len(waiting) > 1:
        return Decision((agreed,))
    if waits_for_referee(world.state):
        return Decision((agreed,))
    if world.state.accused is not None:
        return Decision((agreed, *false_win.agreed_facts(world.state, given.source)))
    return Decision((agreed, *after_agreement(world)))


def dispute(world: World, given: TableInput) -> Decision:
    """A seat disagrees: the hand is looked at again."""
    seat = asked_seat(world, given)
    if world.state.accused is not None:
        return false_win.drop(world, seat, given.source)
    if seat is claim_of(world).seat:
        return refused("refuse.dispute", seat=seat.value, phase=world.state.phase.value)
    return Decision((Fact("disputed", {"seat": seat.value, "source": given.source}), to_phase(Phase.REVIEW)))


def withdraw(world: World, given: TableInput) -> Decision:
    """The claim, or the call of a false win, is taken back."""
    return (take_back if world.state.accused is None else false_win.withdraw)(world, given)


def withdraw_kong(world: World, given: TableInput) -> Decision:
    """A kong is taken back; not while a false win is talked over."""
    if world.state.accused is not None:
        return refused("refuse.withdraw_kong", phase=world.state.phase.value)
    return take_back_kong(world, given)
