"""Several winners of one tile, where the rules have them: one hand after the other, booked at once.

Source: win-procedure.md section 2 (multi_win). Who waits is in the ledger: it is no matter of seconds.
"""

from __future__ import annotations

from controller.decide.kit import Decision, World, refused, to_phase
from controller.decide.settle import booked_wins, settle_facts
from controller.facts import Fact
from controller.fold import apply_fact
from controller.state import Phase, TableState
from rules.seats import Seat


def also(world: World, seat: Seat, flags: tuple[str, ...], source: str) -> Decision:
    """Another seat wins on the same tile, too."""
    claim = world.state.claim
    assert claim is not None
    taken = {claim.seat, claim.from_seat, *(each.seat for each in world.state.waiting)}
    if seat in taken or seat in {each.claim.seat for each in world.state.agreed}:
        return refused("refuse.self", seat=seat.value)
    return Decision((Fact("claim_also", {"seat": seat.value, "flags": list(flags), "source": source}),))


def after_agreement(world: World) -> tuple[Fact, ...]:
    """Return what follows when a win is agreed: the next winner's hand, or the booking of all."""
    state = world.state
    if not state.waiting and not state.agreed:
        return settle_facts(world)
    agreed = Fact("win_agreed", {})
    if state.waiting:
        return (agreed, Fact("claim_next", {}), to_phase(Phase.CLAIM, "lay"))
    return (agreed, *booked_wins(apply_fact(state, agreed)))


def after_one_less(state: TableState) -> tuple[Fact, ...]:
    """Return what follows when a claim was taken back or was false: another hand, the booking, or play.

    Args:
        state: as it is after the fact that ended the claim.
    """
    if state.waiting:
        step = "lay" if state.waiting[0].is_known else "from"
        return (Fact("claim_next", {}), to_phase(Phase.CLAIM, step))
    if state.agreed:
        return booked_wins(state)
    return (to_phase(Phase.PLAYING),)


def contradicts(state: TableState, by: str, payer: Seat | None) -> bool:
    """Return whether a claim is of another tile than the wins that are agreed already."""
    if not state.agreed:
        return False
    first = state.agreed[0].claim
    return (by, payer) != (first.by, first.from_seat)
