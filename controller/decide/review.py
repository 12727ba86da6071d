"""Something is doubted: people correct, shoot again, withdraw or void. REVIEW -> CONFIRM, CLAIM, ..."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from controller.decide.claim import answer_from as name_payer
from controller.decide.claim import claim_of
from controller.decide.kit import Decision, World, asked_seat, body_text, refused, to_phase
from controller.decide.play import claim as new_claim
from controller.decide.play import declare_kong as new_kong
from controller.decide.play import withdraw_kong as take_back_kong
from controller.decide.reading import UNDECLARED, as_read, judged, undeclared_kongs
from controller.decide.settle import rejudged
from controller.errors import Refused
from controller.facts import Fact
from controller.inputs import TableInput
from controller.judge import canonical_hand, canonical_tile, has_flowers
from controller.reveal import FLOWERS, Flowers, Reveal, from_text, with_tile
from controller.state import Phase
from rules.seats import Seat


def correct(world: World, given: TableInput) -> Decision:
    """People say the whole hand as tile text; with `waive_kongs` its undeclared kongs stay unpaid.

    Flowers stay as they were known, unless the body names them too.
    """
    waives = given.body.get("waive_kongs", False)
    if not isinstance(waives, bool):
        return refused("refuse.invalid", field="waive_kongs")
    old = world.state.reading
    flowers = None if old is None else old.flowers
    if given.body.get("flowers") is not None:
        flowers = told_flowers(world, given)
    read = from_text(canonical_hand(body_text(given.body, "hand")), flowers)
    if not read.has_win_tile:
        return refused("refuse.win_tile")
    seat = claim_of(world).seat
    waived = undeclared_kongs(world.state, seat, read.hand) if waives and seat is not None else ()
    return _corrected(world, given, read, waived)


def set_flowers(world: World, given: TableInput) -> Decision:
    """People say which flowers the winner has laid aside; the hand stays as it was read."""
    flowers, old = told_flowers(world, given), world.state.reading
    read = Reveal(problems=("hand.empty",), has_win_tile=False) if old is None else as_read(old)
    return _corrected(world, given, replace(read, flowers=flowers), () if old is None else old.waived)


def told_flowers(world: World, given: TableInput) -> Flowers:
    """Return the flowers that people name, each once; only a set with flowers has any."""
    tiles = given.body.get("flowers")
    is_list = isinstance(tiles, list | tuple) and all(isinstance(tile, str) for tile in tiles)
    if not is_list or not has_flowers(world.state):
        raise Refused("refuse.invalid", field="flowers")
    named = sorted(tiles or ())
    if len(set(named)) != len(named) or not set(named) <= FLOWERS:
        raise Refused("refuse.invalid", field="flowers")
    return tuple((tile, 1.0) for tile in named)


def correct_tile(world: World, given: TableInput) -> Decision:
    """People say what one tile is; `index` counts melds, then the concealed row, then the winning tile."""
    reading = world.state.reading
    if reading is None or not reading.tiles:
        return refused("refuse.correct_tile", phase=world.state.phase.value)
    index = given.body.get("index")
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(reading.tiles):
        return refused("refuse.invalid", field="index")
    tile = canonical_tile(body_text(given.body, "tile", 2))
    return _corrected(world, given, with_tile(reading, index, tile), reading.waived)


def _corrected(world: World, given: TableInput, read: Reveal, waived: tuple[str, ...]) -> Decision:
    claim = claim_of(world)
    if claim.kind != "win" or claim.seat is None:
        return refused("refuse.correct", phase=world.state.phase.value)
    made = judged(world.state, read, waived)
    body = {**made.body, "source": given.source, "waived": list(waived)}
    facts: tuple[Fact, ...] = (Fact("corrected", body),)
    if made.agrees:
        facts = (*facts, to_phase(Phase.CONFIRM))
    return Decision(facts, made.noting(world.live), params=_reason(made.body["result"]))


def _reason(result: dict[str, Any] | None) -> dict[str, Any]:
    return {} if result is None or result["legal"] else {"reason": result["reason"]}


def answer_from(world: World, given: TableInput) -> Decision:
    """The payer is another one than stated: the hand is judged and asked anew."""
    return _claim_changed(world, name_payer(world, given))


def claim(world: World, given: TableInput) -> Decision:
    """The claim itself is stated anew by its claimant (by, from, flags); the reading stays."""
    current = claim_of(world)
    if current.seat is None or given.body.get("seat") != current.seat.value:
        return refused("refuse.claim", phase=world.state.phase.value)
    made = new_claim(world, given)
    if made.ok and made.facts[0].body["by"] != "self_draw" and made.facts[0].body["from"] is None:
        return refused("refuse.from", field="from")
    return _claim_changed(world, replace(made, facts=made.facts[:1]))


def declare_kong(world: World, given: TableInput) -> Decision:
    """A kong is declared late; when it was all that was missing, the others are asked."""
    made, reading = new_kong(world, given), world.state.reading
    if not made.ok or reading is None or UNDECLARED not in reading.problems:
        return made
    return rejudged(world, made)


def withdraw_kong(world: World, given: TableInput) -> Decision:
    """A kong is taken back: the hand is judged anew and nobody has agreed yet."""
    made, claim = take_back_kong(world, given), claim_of(world)
    if not made.ok:
        return made
    if claim.kind == "drawn":
        body = {"seat": _letter(claim.seat), "source": claim.sources.get("kind", given.source)}
        return replace(made, facts=(*made.facts, Fact("drawn", body)))
    made = _claim_changed(world, made)
    to_review = world.state.phase is Phase.CONFIRM and made.facts[-1].kind != "phase"
    return replace(made, facts=(*made.facts, to_phase(Phase.REVIEW))) if to_review else made


def _claim_changed(world: World, decision: Decision) -> Decision:
    reading = world.state.reading
    if not decision.ok or reading is None:
        return decision
    return rejudged(world, decision)


def reshoot(world: World, given: TableInput) -> Decision:
    """Take the photo of the hand again."""
    claim = claim_of(world)
    seat = asked_seat(world, given) if given.seat or "seat" in given.body else claim.seat
    if claim.kind != "win" or seat is not claim.seat:
        return refused("refuse.reshoot", seat=_letter(claim.seat), phase=world.state.phase.value)
    live = replace(world.live, photo_tries=0, attempt=world.live.attempt + 1)
    return Decision((to_phase(Phase.CLAIM, "read"),), live)


def _letter(seat: Seat | None) -> str | None:
    return None if seat is None else seat.value
