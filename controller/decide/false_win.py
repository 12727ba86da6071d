"""False win: called by a player and agreed by the others, or ruled by a referee; paid at once.

Source: win-procedure.md section 3. Whether the hand goes on with a dead player or is played again is an
option of the table.
"""

from __future__ import annotations

from dataclasses import replace

from controller.decide.claim import withdraw as take_back
from controller.decide.kit import Decision, World, asked_seat, body_seat, optional_seat, refused, to_phase
from controller.decide.settle import void_facts
from controller.decide.several import after_one_less
from controller.errors import Refused
from controller.facts import Fact
from controller.fold import apply_fact
from controller.inputs import TableInput
from controller.judge import false_win_deltas, win_options
from controller.state import SEATS, Accusation, Phase, TableState
from rules.false_win import EACH_MOST, VOID
from rules.seats import Seat

REFEREES = frozenset({"referee", "owner"})


def call(world: World, given: TableInput) -> Decision:
    """Somebody says that a seat's win is none: the others are asked, what it costs is told."""
    seat = body_seat(given.body, "seat")
    return _called(world, seat, optional_seat(given.body, "by"), given.source)


def seat_long(world: World, given: TableInput) -> Decision:
    """In REVIEW a seat holds its key: the claimant takes his win back, another one calls it false."""
    claim = world.state.claim
    by = asked_seat(world, given)
    if claim is None or claim.kind != "win" or claim.seat is None or by is claim.seat:
        return take_back(world, given)
    return _called(world, claim.seat, by, given.source)


def rule(world: World, given: TableInput) -> Decision:
    """A referee rules that a win is none; where it was meant he may set another amount per player."""
    if given.role not in REFEREES:
        return refused("refuse.referee", role=given.role)
    seat = body_seat(given.body, "seat")
    _may_be_false(world.state, seat)
    is_deliberate = given.body.get("deliberate", False)
    if not isinstance(is_deliberate, bool):
        return refused("refuse.invalid", field="deliberate")
    return Decision(ruled_facts(world.state, seat, _amount(given, is_deliberate), is_deliberate))


def ruled_facts(
    state: TableState, seat: Seat, each: int | None = None, is_deliberate: bool = False
) -> tuple[Fact, ...]:
    """Return the facts that book a false win as a referee rules."""
    ruled = _accusation(state, seat, None, false_win_deltas(state, seat, each))
    return _booked(state, ruled, "referee", is_deliberate)


def _amount(given: TableInput, is_deliberate: bool) -> int | None:
    each = given.body.get("each")
    if each is None:
        return None
    if not is_deliberate or not isinstance(each, int) or isinstance(each, bool) or not 0 <= each <= EACH_MOST:
        raise Refused("refuse.invalid", field="each")
    return each


def _called(world: World, seat: Seat, by: Seat | None, source: str) -> Decision:
    state = world.state
    _may_be_false(state, seat)
    if is_vouched_for(state):
        return refused("refuse.false_win_legal", seat=seat.value)
    accused = _accusation(state, seat, by, false_win_deltas(state, seat))
    body = {
        "seat": seat.value,
        "by": None if by is None else by.value,
        "hand": accused.hand,
        "deltas": _by_letter(accused.deltas),
        "source": source,
    }
    return Decision((Fact("false_win_called", body), to_phase(Phase.CONFIRM)))


def _may_be_false(state: TableState, seat: Seat) -> None:
    """Refuse what can be no false win: of a dead hand, or beside somebody else's claim."""
    if seat in state.dead:
        raise Refused("refuse.dead", seat=seat.value)
    claim = state.claim
    if claim is not None and claim.kind == "win" and claim.seat is not seat:
        raise Refused("refuse.false_win_other", seat=None if claim.seat is None else claim.seat.value)


def is_vouched_for(state: TableState) -> bool:
    """Return whether rules and reading say that the win is one: then players correct tiles first."""
    result, reading = state.result, state.reading
    is_sure = reading is not None and reading.sure and not reading.problems
    return state.phase is Phase.REVIEW and is_sure and result is not None and result.legal


def _accusation(state: TableState, seat: Seat, by: Seat | None, deltas: dict[str, int]) -> Accusation:
    east, south, west, north = (deltas[each.value] for each in SEATS)
    return Accusation(seat, by, str(win_options(state)["false_win_hand"]), (east, south, west, north))


def _by_letter(deltas: tuple[int, int, int, int]) -> dict[str, int]:
    return {seat.value: deltas[seat.index] for seat in SEATS}


def agreed_facts(state: TableState, source: str) -> tuple[Fact, ...]:
    """Return the facts that book the false win on which the others agree."""
    assert state.accused is not None
    return _booked(state, state.accused, source, False)


def _booked(state: TableState, accused: Accusation, source: str, deliberate: bool) -> tuple[Fact, ...]:
    body = {
        "seat": accused.seat.value,
        "hand": accused.hand,
        "deliberate": deliberate,
        "deltas": _by_letter(accused.deltas),
        "source": source,
    }
    booked = Fact("false_win", body)
    if accused.hand != VOID:
        return (booked, *after_one_less(apply_fact(state, booked)))
    return (booked, *void_facts(apply_fact(state, booked), "false_win", source))


def drop(world: World, seat: Seat | None, source: str) -> Decision:
    """Return to where the table was: the call was taken back, or somebody says that the win is one."""
    body = {"seat": None if seat is None else seat.value, "source": source}
    phase, step = _before(world.state)
    return Decision((Fact("false_win_dropped", body), to_phase(phase, step)))


def _before(state: TableState) -> tuple[Phase, str | None]:
    claim = state.claim
    if claim is None:
        return Phase.PLAYING, None
    if claim.kind == "drawn" or state.reading is not None:
        return Phase.REVIEW, None
    return Phase.CLAIM, "lay" if claim.is_known else "from"


def withdraw(world: World, given: TableInput) -> Decision:
    """The call is taken back, by whom it came from; the accused can only disagree."""
    accused = world.state.accused
    assert accused is not None
    seat = given.seat or optional_seat(given.body, "seat") or accused.by
    if seat is accused.seat or (accused.by is not None and seat is not accused.by):
        return refused("refuse.seat", seat=(accused.by or accused.seat).value)
    made = drop(world, seat, given.source)
    return replace(made, live=world.live)
