"""Two claims of one tile: inside the claim window the nearest after the discarder wins, later ones are noted.

Source: win-procedure.md section 2. Claims that wait for the payer are live values: a window is seconds.
"""

from __future__ import annotations

from dataclasses import replace

from controller.decide import several
from controller.decide.kit import Decision, World, optional_seat, refused, to_phase
from controller.decide.play import claim_fact, read_flags
from controller.facts import Fact
from controller.inputs import TableInput
from controller.judge import may_several_win, win_options
from controller.live_values import Live, Rival
from controller.state import ClaimState, Phase
from rules.legal import Claim, precedence
from rules.seats import Seat

BOTH = "claim.both"
NEARER = "claim.nearer"
LATE = "claim.late"
WAYS = ("discard", "rob_kong")


def window_ms(world: World) -> int:
    """Return how long claims of a discard are taken."""
    return 1_000 * win_options(world.state).number("claim_window_s")


def press(world: World, seat: Seat, claim: ClaimState) -> Decision:
    """A second key right after a claim: it waits until somebody says whose discard it was."""
    if seat in world.state.dead:
        return refused("refuse.dead", seat=seat.value)
    if may_several_win(world.state):
        return several.also(world, seat, (), "key")
    return _waits(world, Rival(seat, (), "key"), claim)


def call(world: World, given: TableInput, seat: Seat, claim: ClaimState) -> Decision:
    """Another seat claims the same tile on a page."""
    state, by = world.state, given.body.get("by")
    is_same = claim.kind == "win" and claim.by in WAYS and by == claim.by
    if not is_same or state.agreed:
        return refused("refuse.claim", phase=state.phase.value, seat=claim.seat and claim.seat.value)
    if seat in state.dead:
        return refused("refuse.dead", seat=seat.value)
    payer = optional_seat(given.body, "from") or claim.from_seat
    if claim.from_seat not in (None, payer):
        return refused("refuse.from", field="from")
    if payer is seat:
        return refused("refuse.self", seat=seat.value)
    if not world.live.claims_open or state.step not in ("from", "lay"):
        return _late(world, seat, claim, given.source)
    if may_several_win(state):
        made = several.also(world, seat, read_flags(given.body), given.source)
        if payer is None or claim.from_seat is not None or not made.ok:
            return made
        told = grant(world, payer, given.source, claim, ())
        return replace(told, facts=(*made.facts, *told.facts))
    rival = Rival(seat, read_flags(given.body), given.source)
    if payer is None or payer is claim.seat:
        return _waits(world, rival, claim)
    if claim.from_seat is None:
        return grant(world, payer, given.source, claim, (*world.live.rivals, rival))
    if _first(payer, claim, (rival,)) is claim.seat:
        return refused("refuse.outranked", seat=claim.seat and claim.seat.value)
    return grant(world, payer, given.source, claim, (rival,))


def _waits(world: World, rival: Rival, claim: ClaimState) -> Decision:
    live = world.live
    others = tuple(each for each in live.rivals if each.seat is not rival.seat)
    if rival.seat is claim.seat:
        return refused("refuse.self", seat=rival.seat.value)
    return Decision(live=replace(live, rivals=(*others, rival)).noting(BOTH))


def _late(world: World, seat: Seat, claim: ClaimState, source: str) -> Decision:
    """Note a claim that came too late, once a hand and seat."""
    first = claim.seat and claim.seat.value
    noted = any((each.seat, each.kind) == (seat, "late_claim") for each in world.state.irregularities)
    if noted:
        return refused("refuse.late", seat=first)
    body = {"seat": seat.value, "kind": "late_claim", "by": None, "winner": None, "source": source}
    return Decision((Fact("irregularity", body),), world.live.noting(LATE, seat=first))


def _first(payer: Seat, claim: ClaimState, rivals: tuple[Rival, ...]) -> Seat:
    """Return whose claim is granted: the nearest after the payer, in the order of play."""
    assert claim.seat is not None
    seats = [claim.seat, *(rival.seat for rival in rivals)]
    claims = [Claim(seat, "win") for seat in seats if seat is not payer]
    return precedence(payer, claims, multi_win=False)[0].seat


def grant(world: World, payer: Seat, source: str, claim: ClaimState, rivals: tuple[Rival, ...]) -> Decision:
    """Whose discard it was is known: the nearest claimant goes on, the others are told who it is."""
    assert claim.seat is not None
    assert claim.by is not None
    first = _first(payer, claim, rivals)
    flags, sources = claim.flags, {**claim.sources, "from": source}
    for rival in rivals:
        if rival.seat is first:
            flags, sources = rival.flags, {"seat": rival.source, "by": rival.source, "from": source}
    fact = claim_fact(first, claim.by, payer, flags, sources)
    live = replace(world.live.without(BOTH), rivals=())
    others = [rival for rival in rivals if rival.seat not in (first, payer)]
    if others or first is not claim.seat:
        live = live.noting(NEARER, seat=first.value)
    step = world.state.step
    moves = () if step not in ("from", "lay") or step == "lay" else (to_phase(Phase.CLAIM, "lay"),)
    return Decision((fact, *moves), live)


def next_after(world: World, claim: ClaimState) -> tuple[tuple[Fact, ...], Live] | None:
    """Return the claim that goes on when the first one is taken back, None where nobody waits."""
    rivals = world.live.rivals
    if not rivals:
        return None
    assert claim.by is not None
    rival = rivals[0]
    sources = {"seat": rival.source, "by": rival.source}
    fact = claim_fact(rival.seat, claim.by, None, rival.flags, sources)
    live = replace(world.live, rivals=rivals[1:])
    return (fact, to_phase(Phase.CLAIM, "from")), live if live.rivals else live.without(BOTH)
