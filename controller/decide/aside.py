"""A win that nobody can read or write down now is put aside: the game goes on, the hand is entered later.

The way of the seat keys when camera and pages are gone. The ledger keeps who won how and from whom; the hand
is called off until a correction says what it was, so that no points are ever guessed.
"""

from __future__ import annotations

from typing import Any

from controller.decide.claim import claim_of
from controller.decide.false_win import is_vouched_for
from controller.decide.kit import Decision, World, asked_seat, refused
from controller.decide.review import reshoot
from controller.decide.settle import void_facts
from controller.facts import Fact
from controller.inputs import TableInput
from controller.state import SEATS, ClaimState, TableState
from rules.seats import Seat

LATER = "later"


def seat_short(world: World, given: TableInput) -> Decision:
    """In REVIEW a seat taps its key: the winner has the photo taken again, another puts the hand aside."""
    claim = claim_of(world)
    if claim.kind != "win" or asked_seat(world, given) is claim.seat:
        return reshoot(world, given)
    return agree(world, given)


def agree(world: World, given: TableInput) -> Decision:
    """A seat agrees to put the hand aside; the last of the others does it."""
    state, claim, seat = world.state, claim_of(world), asked_seat(world, given)
    if claim.kind != "win" or claim.seat is None or seat is claim.seat or is_vouched_for(state):
        return refused("refuse.set_aside", phase=state.phase.value)
    if seat in state.aside:
        return refused("refuse.agreed", seat=seat.value)
    told = Fact("set_aside", {"seat": seat.value, "source": given.source})
    if {*state.aside, seat} != {each for each in SEATS if each is not claim.seat}:
        return Decision((told,))
    return Decision((told, *_put_aside(state, given.source)))


def _put_aside(state: TableState, source: str) -> tuple[Fact, ...]:
    facts = void_facts(state, LATER, source)
    rows = [_row(win.claim, win.reading.hand, win.reading.evidence) for win in state.agreed]
    assert state.claim is not None
    reading = state.reading
    rows.append(_row(state.claim, None, None if reading is None else reading.evidence))
    rows += [_row(claim, None, None) for claim in state.waiting]
    return tuple(
        Fact(fact.kind, {**fact.body, "unread": rows}) if fact.kind == "settled" else fact for fact in facts
    )


def _row(claim: ClaimState, hand: str | None, evidence: str | None) -> dict[str, Any]:
    return {
        "seat": _letter(claim.seat),
        "by": claim.by,
        "from": _letter(claim.from_seat),
        "flags": list(claim.flags),
        "hand_text": hand,
        "evidence": evidence,
    }


def _letter(seat: Seat | None) -> str | None:
    return None if seat is None else seat.value
