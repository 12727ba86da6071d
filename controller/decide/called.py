"""A kong that is called by key because no page hears it: its seat key is tapped three times.

A key tells neither the kind nor whose discard it was, so nothing is paid by it: the call stands with the hand
until the kong itself is known. A page declares it; the camera sees it in the winner's hand, where it is sure
of it; or the hand is corrected later. No call is forgotten, no payment is guessed.
"""

from __future__ import annotations

from dataclasses import replace

from controller.decide.kit import Decision, World, refused
from controller.decide.reading import undeclared_kongs
from controller.facts import Fact
from controller.judge import kong_deltas, kongs_are_paid
from controller.live_values import Live
from controller.reveal import Reveal
from controller.state import ClaimState, TableState
from rules.hand import MeldKind
from rules.notation import parse_hand
from rules.seats import Seat

TAPS = 3
TAPS_MS = 2_000
"""Three taps within this time are a kong; who taps again because nothing seems to happen taps twice."""
CALLED = "kong.called"


def tap(world: World, claim: ClaimState) -> Decision | None:
    """Count another tap of the key that claims a discard; None once it was the last one: a kong is called.

    Args:
        claim: the claim that the first tap made.
    """
    assert claim.seat is not None
    if not world.live.taps:
        return refused("refuse.self", seat=claim.seat.value)
    taps = world.live.taps + 1
    told = replace(world.live, taps=taps).noting("refuse.self", seat=claim.seat.value)
    return None if taps >= TAPS else Decision(live=told)


def noted(world: World, taken_back: Decision, seat: Seat, source: str) -> Decision:
    """Return the claim's withdrawal together with the call of the kong that it was."""
    live = replace(taken_back.live or world.live, taps=0)
    if not kongs_are_paid(world.state):
        return replace(taken_back, live=live)
    called = Fact("kong_called", {"seat": seat.value, "source": source})
    return replace(taken_back, facts=(called, *taken_back.facts), live=live.noting(CALLED, seat=seat.value))


def over(live: Live) -> Live:
    """Return live values after the time for further taps."""
    return replace(live, taps=0)


def seen(state: TableState, read: Reveal) -> tuple[Fact, ...]:
    """Return the kongs that the winner called by key and that lie in his hand, surely read: they are paid."""
    seat = None if state.claim is None else state.claim.seat
    if seat is None or not read.is_sure or read.hand is None:
        return ()
    missing = set(undeclared_kongs(state, seat, read.hand))
    facts: list[Fact] = []
    for meld in parse_hand(read.hand).melds:
        tile = str(meld.tiles[0])
        is_fed = meld.kind is MeldKind.EXPOSED_KONG
        feeder = Seat.at(seat.index - meld.source) if is_fed and meld.source is not None else None
        if tile not in missing or (is_fed and feeder is None) or len(facts) >= state.called.count(seat):
            continue
        told = {"seat": seat.value, "kind": meld.kind.value, "tile": tile, "source": "camera"}
        origin = None if feeder is None else feeder.value
        deltas = kong_deltas(state, seat, meld.kind.value, tile, feeder)
        facts.append(Fact("kong", {**told, "from": origin, "deltas": deltas}))
    return tuple(facts)
