"""The hand is booked: deltas that sum to zero, the next dealer, circle and run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from controller.decide.irregular import reveal_facts
from controller.decide.kit import Decision, World, refused, to_phase
from controller.decide.reading import as_read, judged, known_flowers
from controller.evening import counts_circles, end_facts
from controller.facts import Fact
from controller.fold import apply_fact
from controller.inputs import TableInput
from controller.judge import counted_of, counted_points, draw_result, robbed_kong, settle_agreed
from controller.reveal import hand_text
from controller.state import SEATS, AgreedWin, Phase, ReadingState, TableState
from rules.seats import Seat


def settle_facts(world: World) -> tuple[Fact, ...]:
    """Return the facts that book the agreed claim or drawn hand, and end a game that is over with it."""
    facts = _booked(world)
    return (*facts, *end_facts(folded(world.state, facts)))


def folded(state: TableState, facts: Iterable[Fact]) -> TableState:
    """Return the state after these facts."""
    for fact in facts:
        state = apply_fact(state, fact)
    return state


def _booked(world: World) -> tuple[Fact, ...]:
    state = world.state
    assert state.claim is not None
    if state.claim.kind == "drawn":
        deltas, dealer = draw_result(state)
        return (_settled(state, "drawn", deltas, dealer, seat=state.claim.seat), to_phase(Phase.SETTLED))
    assert state.claim.is_known
    assert state.result is not None
    assert state.reading is not None
    deltas = {seat.value: state.result.deltas[seat.index] for seat in SEATS}
    settled = _settled(
        state,
        "win",
        deltas,
        state.result.next_dealer,
        seat=state.claim.seat,
        by=state.claim.by,
        payer=state.claim.from_seat,
        hand_text=state.reading.hand,
        elements=[list(row) for row in state.result.elements],
        total=state.result.total,
        evidence=state.reading.evidence,
        around=_around(state),
        laid=_laid(state.reading),
        counted=counted_points(state, state.result.total),
    )
    return (*_robbed(state), *reveal_facts(state, state.claim.seat), settled, to_phase(Phase.SETTLED))


def booked_wins(state: TableState) -> tuple[Fact, ...]:
    """Return the facts that book all agreed wins on one tile: one settlement, the nearest winner first."""
    deltas, dealer, order = settle_agreed(state)
    wins = sorted(state.agreed, key=lambda win: order.index(win.claim.seat or order[0]))
    rows = [win_row(state, win) for win in wins]
    facts = [fact for win in wins for fact in reveal_facts(state, win.claim.seat)]
    first = replace(state, claim=wins[0].claim, reading=wins[0].reading, stated=None)
    settled = _settled(first, "win", deltas, dealer)
    together = {"wins": rows} if len(rows) > 1 else {}
    settled = Fact("settled", {**settled.body, **rows[0], **together})
    booked = (*_robbed(first), *facts, settled, to_phase(Phase.SETTLED))
    return (*booked, *end_facts(folded(state, booked)))


def win_row(state: TableState, win: AgreedWin) -> dict[str, Any]:
    """Return what a settlement tells of one winner."""
    alone = replace(state, claim=win.claim, reading=win.reading)
    told = {} if win.stated is None else {"stated": win.stated}
    if told:
        told["counted"] = counted_of(state, win.result.total, win.stated)
    laid = _laid(win.reading)
    return {
        "seat": None if win.claim.seat is None else win.claim.seat.value,
        "by": win.claim.by,
        "from": None if win.claim.from_seat is None else win.claim.from_seat.value,
        "hand_text": win.reading.hand,
        "elements": [list(row) for row in win.result.elements],
        "total": win.result.total,
        "evidence": win.reading.evidence,
        "around": _around(alone),
        **({} if laid is None else {"laid": laid}),
        **told,
    }


def _around(state: TableState) -> dict[str, Any]:
    """Return what the score depends on besides hand and claim, so that the row can be scored again."""
    assert state.claim is not None
    assert state.reading is not None
    return {
        "dealer": state.dealer.value,
        "round_wind": state.round_wind.value,
        "flags": list(state.claim.flags),
        "flowers": list(known_flowers(as_read(state.reading))),
    }


def _laid(reading: ReadingState) -> str | None:
    """Return the hand with each meld as it lies; None where people wrote it down."""
    return hand_text([tile for tile, _ in reading.tiles], reading.melds) if reading.is_laid else None


def _robbed(state: TableState) -> tuple[Fact, ...]:
    """Return the fact that takes back the payment of a robbed kong."""
    claim, hand = state.claim, None if state.reading is None else state.reading.hand
    kong = None if hand is None else robbed_kong(state, hand)
    if kong is None or claim is None or claim.seat is None:
        return ()
    back = {seat.value: -kong.deltas[seat.index] for seat in SEATS}
    body = {"seat": kong.seat.value, "tile": kong.tile, "by": claim.seat.value, "deltas": back}
    return (Fact("kong_robbed", body),)


def void(world: World, given: TableInput) -> Decision:
    """The hand does not count: its kongs are paid back, the dealer stays.

    Before the deal nothing was paid; while the machine moves, it is stopped or waited for first.
    """
    state = world.state
    if not state.is_open:
        return refused("refuse.void", phase=state.phase.value)
    if state.phase in (Phase.BUILDING, Phase.LIFTING) and _moves(world):
        return refused("refuse.busy", phase=state.phase.value)
    if _is_half_in(state):
        return refused("refuse.void_load")
    reason = given.body.get("reason") or ""
    return Decision(void_facts(state, reason[:200] if isinstance(reason, str) else "", given.source))


def void_facts(state: TableState, reason: str, source: str) -> tuple[Fact, ...]:
    """Return the facts that call the hand off: kongs are paid back, what a false win cost stays."""
    paid = [kong.deltas for kong in state.kongs if not kong.robbed]
    deltas = {seat.value: -sum(row[seat.index] for row in paid) for seat in SEATS}
    voided = Fact("voided", {"reason": reason, "source": source})
    settled = _settled(state, "void", deltas, state.dealer, stays=True)
    return (voided, settled, to_phase(Phase.SETTLED))


def _is_half_in(state: TableState) -> bool:
    """Return whether tiles of the other set may lie in the centre that nobody confirmed: it closes first.

    Otherwise the next hand would open it and ask for the set that was played, and both would lie in the drum.
    """
    fault = state.fault if state.phase is Phase.FAULT else None
    where = (fault.phase, fault.step) if fault else (state.phase, state.step)
    return where in ((Phase.LIFTING, "open"), (Phase.LIFTING, "load"))


def _moves(world: World) -> bool:
    live = world.live
    return live.link == "up" and (live.machine.busy or (live.order is not None and live.order.moves))


def _settled(
    state: TableState,
    kind: str,
    deltas: dict[str, int],
    next_dealer: Seat,
    *,
    seat: Seat | None = None,
    by: str | None = None,
    payer: Seat | None = None,
    hand_text: str | None = None,
    elements: list[list[Any]] | None = None,
    total: int = 0,
    evidence: str | None = None,
    around: dict[str, Any] | None = None,
    laid: str | None = None,
    counted: int | None = None,
    stays: bool = False,
) -> Fact:
    false_wins = [
        {"seat": booked.seat.value, "deltas": {each.value: booked.deltas[each.index] for each in SEATS}}
        for booked in state.false_wins
    ]
    circle, run = (state.circle, state.run) if stays else following(state, next_dealer)
    body = {
        "hand": state.hand,
        "kind": kind,
        "seat": None if seat is None else seat.value,
        "by": by,
        "from": None if payer is None else payer.value,
        "hand_text": hand_text,
        "elements": elements or [],
        "total": total,
        "deltas": deltas,
        "evidence": evidence,
        "next_dealer": next_dealer.value,
        "circle": circle,
        "run": run,
        **({} if around is None else {"around": around}),
        **({} if laid is None else {"laid": laid}),
        **({} if state.stated is None or counted is None else {"stated": state.stated, "counted": counted}),
        **({"false_wins": false_wins} if false_wins else {}),
        **({"called": [seat.value for seat in state.called]} if state.called else {}),
        **({"players": {place.seat.value: place.player for place in state.seats}} if state.moved else {}),
    }
    return Fact("settled", body)


def following(state: TableState, next_dealer: Seat) -> tuple[int, int]:
    """Return circle and run of the next hand: a circle ends when the deal comes back to the first dealer.

    After the fourth circle the count begins anew: the game is over, or an older one goes on without its end.
    """
    if next_dealer is state.dealer:
        return state.circle, state.run + 1
    if next_dealer is state.first_dealer and counts_circles(state):
        return state.circle % 4 + 1, 1
    return state.circle, 1


def rejudged(world: World, decision: Decision) -> Decision:
    """Return a change of claim or kongs together with the rules' new answer for the hand as it was read."""
    state = folded(world.state, decision.facts)
    reading = world.state.reading
    assert reading is not None
    made = judged(state, as_read(reading), reading.waived)
    body = {**made.body, "source": reading.source, "waived": list(reading.waived)}
    facts = (*decision.facts, Fact("corrected", body))
    if made.agrees:
        facts = (*facts, to_phase(Phase.CONFIRM))
    return replace(decision, facts=facts, live=made.noting(decision.live or world.live))
