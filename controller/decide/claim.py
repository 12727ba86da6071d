"""A claim is completed and the hand read: CLAIM (from, lay, read) -> CONFIRM or REVIEW."""

from __future__ import annotations

from dataclasses import replace

from controller.decide import called, rivals, several
from controller.decide.kit import (
    Decision,
    World,
    asked_seat,
    body_seat,
    optional_seat,
    refused,
    to_phase,
)
from controller.decide.play import claim as new_claim
from controller.decide.reading import flowers_known, judged
from controller.decide.settle import folded
from controller.facts import Fact
from controller.fold import apply_fact
from controller.inputs import TableInput
from controller.judge import has_flowers
from controller.live_values import Due, PhotoWant
from controller.reveal import Reveal, reveal
from controller.state import ClaimState, Phase
from rules.seats import Seat

PHOTO_TRIES = 2
BOTH_MS = 600
"""A second key this soon after a claim is another claim of the same discard, not the payer's answer.

Nobody sees the call and answers it within 0.6 s; the robots, the quickest players, take 0.7 s.
"""


def claim_of(world: World) -> ClaimState:
    """Return the claim of this hand; phases CLAIM, CONFIRM and REVIEW always have one."""
    assert world.state.claim is not None
    return world.state.claim


def seat_short(world: World, given: TableInput) -> Decision:
    """A short press: the payer says "I discarded it", or the claimant "my hand is laid out".

    The claimant's third tap in a row says that it is no win but a kong.
    """
    claim = claim_of(world)
    if world.state.step == "from" and given.source == "key" and given.seat is claim.seat and given.seat:
        return called.tap(world, claim) or called.noted(world, withdraw(world, given), given.seat, "key")
    if world.state.step == "from":
        is_early = given.source == "key" and not world.live.payer_counts
        if is_early and asked_seat(world, given) is not claim.seat:
            return rivals.press(world, asked_seat(world, given), claim)
        return answer_from(world, given)
    return laid(world, given)


def timer(world: World, given: TableInput) -> Decision:
    """From now on a key of another seat is the payer's answer, or a claim of the same tile is too late."""
    if given.body["timer"] == "claim_window":
        return Decision(live=replace(world.live, claims_open=False))
    if given.body["timer"] == "taps":
        return Decision(live=called.over(world.live))
    if given.body["timer"] != "both":
        return Decision()
    return Decision(live=replace(world.live, payer_counts=True))


def seat_long(world: World, given: TableInput) -> Decision:
    """The claimant holds his key: he takes the claim back."""
    return withdraw(world, given)


def answer_from(world: World, given: TableInput) -> Decision:
    """The payer is known now."""
    state, claim = world.state, claim_of(world)
    if claim.kind != "win" or claim.by == "self_draw":
        return refused("refuse.answer_from", phase=state.phase.value, step=state.step)
    payer = asked_seat(world, given)
    if payer is claim.seat:
        return refused("refuse.self", seat=payer.value)
    if several.contradicts(state, str(claim.by), payer):
        return refused("refuse.from", field="from")
    waiting = world.live.rivals if state.phase is Phase.CLAIM else ()
    return rivals.grant(world, payer, given.source, claim, waiting)


def restate(world: World, given: TableInput) -> Decision:
    """The claimant states the claim anew, or another seat claims the same tile."""
    claim, seat = claim_of(world), body_seat(given.body, "seat")
    if seat is not claim.seat:
        return rivals.call(world, given, seat, claim)
    made, live = new_claim(world, given), world.live
    told = made.facts[0].body if made.ok else {}
    if made.live is None or told.get("by") != claim.by:
        return made
    if live.rivals and told["from"] is not None:
        stated = replace(claim, flags=tuple(told["flags"]))
        return rivals.grant(world, Seat(told["from"]), given.source, stated, live.rivals)
    return replace(made, live=replace(made.live, claims_open=live.claims_open, rivals=live.rivals))


def laid(world: World, given: TableInput) -> Decision:
    """The hand lies open: read it."""
    state, claim = world.state, claim_of(world)
    if state.step != "lay":
        return refused("refuse.laid", phase=state.phase.value, step=state.step)
    seat = asked_seat(world, given)
    if seat is not claim.seat:
        return refused("refuse.seat", seat=claim.seat and claim.seat.value)
    live = replace(world.live, photo_tries=0, attempt=world.live.attempt + 1)
    return Decision((to_phase(Phase.CLAIM, "read"),), live)


def withdraw(world: World, given: TableInput) -> Decision:
    """The claim is taken back: another one of the same tile goes on, or play does."""
    claim = claim_of(world)
    seat = given.seat or optional_seat(given.body, "seat") or claim.seat
    if claim.seat is not None and seat is not claim.seat:
        return refused("refuse.seat", seat=claim.seat.value)
    body = {"seat": None if seat is None else seat.value, "source": given.source}
    withdrawn = Fact("withdrawn", body)
    following = rivals.next_after(world, claim) if world.state.phase is Phase.CLAIM else None
    if following is not None:
        return Decision((withdrawn, *following[0]), following[1])
    return Decision((withdrawn, *several.after_one_less(apply_fact(world.state, withdrawn))))


def photo_read(world: World, given: TableInput) -> Decision:
    """The camera read the hand: agreed readings go on to CONFIRM, any doubt to REVIEW."""
    if world.state.step != "read" or given.body["purpose"] != "hand":
        return Decision()
    read = reveal(given.reading)
    is_doubtful = not read.is_sure or not flowers_known(world.state, read)
    if is_doubtful and world.live.photo_tries + 1 < PHOTO_TRIES:
        return Decision(live=replace(world.live, photo_tries=world.live.photo_tries + 1))
    return _hand_read(world, read, given.evidence)


def photo_failed(world: World, given: TableInput) -> Decision:
    """No photo of the hand: people say what it is."""
    if world.state.step != "read":
        return Decision()
    if given.body["why"] != "none" and world.live.photo_tries + 1 < PHOTO_TRIES:
        return Decision(live=replace(world.live, photo_tries=world.live.photo_tries + 1))
    return _hand_read(world, Reveal(problems=(f"camera.{given.body['why']}",)), None)


def _hand_read(world: World, read: Reveal, evidence: str | None) -> Decision:
    kongs = called.seen(world.state, read)
    made = judged(folded(world.state, kongs), read)
    body = {**made.body, "evidence": evidence}
    live = made.noting(replace(world.live, photo_tries=0, boxes=read.boxes))
    phase = Phase.CONFIRM if made.agrees else Phase.REVIEW
    return Decision((*kongs, Fact("hand_read", body), to_phase(phase)), live)


def _claimant(world: World) -> Seat:
    seat = claim_of(world).seat
    assert seat is not None
    return seat


def due(world: World) -> Due:
    """Return the photo of the hand in step read, the time to wait for the payer in step from."""
    state, live = world.state, world.live
    timers = (("claim_window", rivals.window_ms(world)),) if live.claims_open else ()
    if state.step == "from" and not live.payer_counts:
        timers = (*timers, ("both", BOTH_MS))
    if state.step == "from" and live.taps:
        timers = (*timers, ("taps", called.TAPS_MS))
    if state.step != "read":
        return Due(timers=timers)
    side = state.side_of(_claimant(world))
    key = f"{state.hand}:hand:{live.attempt}:{live.photo_tries}"
    return Due(photo=PhotoWant(key, "hand", side, has_flowers(state)), timers=timers)
