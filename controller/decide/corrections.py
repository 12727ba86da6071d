"""What was booked wrongly is put right: asked for by one, carried by all who sit here or by a referee.

Each is a new row that names who, why and whom it corrects; the old one stays. Between hands the seat keys
answer, too: short = yes, long = no.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from controller.decide.amend import UNDO, Carry, ended, replaced, swapped, undone
from controller.decide.amend_result import FIELDS, redone
from controller.decide.kit import Decision, World, asked_seat, body_text, optional_seat, refused
from controller.errors import Refused
from controller.facts import Fact
from controller.fold import apply_fact
from controller.fold_rows import Proposal
from controller.inputs import TableInput
from controller.state import SEATS, TableState
from rules.seats import Seat

REFEREES = frozenset({"referee", "owner"})
CARRIES: Mapping[str, Carry] = {
    UNDO: undone,
    "result": redone,
    "swap": swapped,
    "player": replaced,
    "end": ended,
}
"""What is asked for -> what brings it about."""
ASKS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "undo_result": (UNDO, ()),
    "correct_result": ("result", FIELDS),
    "swap_players": ("swap", ("seats", "from_hand", "stay")),
    "replace_player": ("player", ("place", "player", "leaves")),
    "end_game": ("end", ()),
}
"""Command -> what it asks for, and the fields that say how."""


def seated(state: TableState) -> tuple[Seat, ...]:
    """Return the seats where somebody plays: they are asked."""
    return tuple(place.seat for place in state.seats if place.player)


def propose(world: World, given: TableInput) -> Decision:
    """Somebody asks for a correction: what it would do is worked out at once, so that nobody asks in vain."""
    if world.state.table is None:
        return refused(f"refuse.{given.name}", phase=world.state.phase.value)
    if world.state.correction is not None:
        return refused("refuse.correction_open")
    what, fields = ASKS[given.name]
    seat, reason = optional_seat(given.body, "seat"), body_text(given.body, "reason")
    ask = {field: given.body[field] for field in fields if given.body.get(field) is not None}
    body = {"what": what, "seat": None if seat is None else seat.value, "reason": reason, "ask": ask}
    fact = Fact("correction_proposed", body)
    asked = replace(world, state=apply_fact(world.state, fact))
    carry(asked, {"role": "seats"}, given.source)  # refused here what could never be carried
    return _with_carried(asked, (fact,), given.source)


def _asked(world: World, given: TableInput) -> Proposal:
    """Return what is asked for, which is still what the answer was given to, if it says so.

    Raises:
        Refused: if nothing is asked for, or something else by now.
    """
    proposal = world.state.correction
    if proposal is None:
        raise Refused(f"refuse.{given.name}", phase=world.state.phase.value)
    if given.body.get("id") not in (None, proposal.id):
        raise Refused("refuse.old")
    return proposal


def agree(world: World, given: TableInput) -> Decision:
    """A seat agrees; the last one carries it."""
    proposal, seat = _asked(world, given), asked_seat(world, given)
    if seat in proposal.agreed:
        return refused("refuse.agreed", seat=seat.value)
    fact = Fact("correction_agreed", {"seat": seat.value, "source": given.source})
    return _with_carried(replace(world, state=apply_fact(world.state, fact)), (fact,), given.source)


def reject(world: World, given: TableInput) -> Decision:
    """A seat disagrees, or takes its own wish back: nothing is changed."""
    _asked(world, given)
    seat = asked_seat(world, given)
    return Decision((Fact("correction_rejected", {"seat": seat.value, "source": given.source}),))


def rule(world: World, given: TableInput) -> Decision:
    """A referee decides what is asked for, alone."""
    if given.role not in REFEREES:
        return refused("refuse.referee", role=given.role)
    _asked(world, given)
    if not given.body.get("accept"):
        return Decision((Fact("correction_rejected", {"seat": None, "source": given.source}),))
    by = {"role": "referee", "referee": given.body.get("referee")}
    return Decision(carry(world, by, given.source))


def _with_carried(world: World, facts: tuple[Fact, ...], source: str) -> Decision:
    """Return the facts, with those that carry it once everybody has agreed."""
    proposal = world.state.correction
    assert proposal is not None
    if not proposal.agreed.issuperset(seated(world.state)):
        return Decision(facts)
    return Decision((*facts, *carry(world, {"role": "seats"}, source)))


def carry(world: World, by: Mapping[str, Any], source: str) -> tuple[Fact, ...]:
    """Return the facts that carry the open proposal.

    Raises:
        Refused: if what it asks for cannot be.
    """
    proposal = world.state.correction
    assert proposal is not None
    who = {
        "asked_by": None if proposal.seat is None else proposal.seat.value,
        "reason": proposal.reason,
        "role": by["role"],
        "seats": [seat.value for seat in SEATS if seat in proposal.agreed],
        "referee": by.get("referee"),
        "source": source,
    }
    return CARRIES[proposal.what](world, proposal.ask, who)


def outlook(world: World) -> TableState | None:
    """Return how the table would stand if the open proposal were carried; None if it cannot be (any more)."""
    if world.state.correction is None:
        return None
    try:
        facts = carry(world, {"role": "seats"}, "page")
    except Refused:
        return None
    state = world.state
    for fact in facts:
        state = apply_fact(state, fact)
    return state


def waiting(state: TableState, proposal: Proposal) -> tuple[Seat, ...]:
    """Return the seats that have not answered yet."""
    return tuple(seat for seat in seated(state) if seat not in proposal.agreed)
