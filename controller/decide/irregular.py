"""What was not in order at the table: noted by name, paid for only where the table agreed so.

Source: win-procedure.md sections 1, 4 and 6. A table records and warns; it never blocks play.
"""

from __future__ import annotations

from controller.decide.kit import Decision, World, body_seat, optional_seat, refused
from controller.facts import Fact
from controller.inputs import TableInput
from controller.judge import variant_of, win_options
from controller.state import SEATS, Phase, TableState
from rules.false_win import reveal_deltas
from rules.seats import Seat
from rules.win_flow import PREMATURE_REVEAL

KINDS = (PREMATURE_REVEAL, "early_draw", "out_of_turn", "late_claim", "over_time", "wrong_call")
NOTED_MOST = 64
"""In one hand; more would fill the ledger and help nobody."""


def note(world: World, given: TableInput) -> Decision:
    """Somebody tells what was not in order; tiles shown before everyone agreed are noted once a claim."""
    state, seat = world.state, body_seat(given.body, "seat")
    by, kind = optional_seat(given.body, "by"), given.body.get("kind")
    if kind not in KINDS:
        return refused("refuse.invalid", field="kind")
    if len(state.irregularities) >= NOTED_MOST:
        return refused("refuse.irregularity", phase=state.phase.value)
    winner = None
    if kind == PREMATURE_REVEAL:
        winner = _claimant(state)
        is_known = any((each.seat, each.winner) == (seat, winner) for each in state.irregularities)
        if winner is None or seat is winner or is_known:
            return refused("refuse.reveal", seat=seat.value)
    body = {
        "seat": seat.value,
        "kind": kind,
        "by": None if by is None else by.value,
        "winner": None if winner is None else winner.value,
        "source": given.source,
    }
    return Decision((Fact("irregularity", body),))


def _claimant(state: TableState) -> Seat | None:
    """Return whose win is looked at, None where nobody's is, or where everyone has agreed already."""
    claim = state.claim
    is_open = state.phase in (Phase.CLAIM, Phase.CONFIRM, Phase.REVIEW)
    if claim is None or claim.kind != "win" or not is_open:
        return None
    return None if len(state.confirmed) == len(SEATS) - 1 else claim.seat


def reveal_facts(state: TableState, winner: Seat | None) -> tuple[Fact, ...]:
    """Return the entry of its own in which early shown tiles pay the winner; none where it costs nothing."""
    points = win_options(state).number("reveal_penalty")
    if winner is None or not points:
        return ()
    seats = [each.seat for each in state.irregularities if each.winner is winner]
    if not seats:
        return ()
    unit = variant_of(state).unit
    deltas = {seat.value: amount * unit for seat, amount in reveal_deltas(winner, seats, points).items()}
    body = {"winner": winner.value, "seats": [seat.value for seat in seats], "deltas": deltas}
    return (Fact("reveal_penalty", body),)
