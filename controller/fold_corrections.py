"""What corrections change: a proposal and its answers, then new outcomes of old hands, seats and the end.

Totals follow from the rows of the sheet. Dealer and winds of hands that were played stay as they were played:
their tiles were valued by them; the deal that comes next follows from the corrected results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from controller.fold_replace import replace
from controller.fold_rows import MATCH, ZERO, Amendment, GameOver, HandRow, Outcome, PaidKong, Proposal
from controller.fold_sheet import by_seat, last_hand, paid_kong, seat_or_none, winners, with_sheet
from controller.state import LastHand, SeatState, TableState
from rules.seats import Seat

Body = Mapping[str, Any]


def _proposed(state: TableState, body: Body) -> TableState:
    seat = seat_or_none(body["seat"])
    agreed = frozenset() if seat is None else frozenset({seat})
    proposal = Proposal(state.seq, body["what"], body["reason"], seat, dict(body["ask"]), agreed)
    return replace(state, correction=proposal)


def _agreed(state: TableState, body: Body) -> TableState:
    if state.correction is None:
        return state
    agreed = state.correction.agreed | {Seat(body["seat"])}
    return replace(state, correction=replace(state.correction, agreed=agreed))


def _rejected(state: TableState, body: Body) -> TableState:
    return replace(state, correction=None)


def amendment_of(what: str, body: Body, seq: int, before: Outcome | None) -> Amendment:
    """Return what the row `seq` tells of a correction; its seal is not known yet."""
    return Amendment(
        seq,
        what,
        body["reason"],
        seat_or_none(body["asked_by"]),
        body["role"],
        tuple(Seat(seat) for seat in body["seats"]),
        body["referee"],
        before,
    )


def _with_row(state: TableState, seq: int, change: Callable[[HandRow], HandRow]) -> TableState:
    """Return the state with one row changed: the one that the journal's row `seq` settled."""
    return with_sheet(state, tuple(change(row) if row.seq == seq else row for row in state.sheet))


def _undone(state: TableState, body: Body) -> TableState:
    def change(row: HandRow) -> HandRow:
        amended = (*row.amended, amendment_of("undo", body, state.seq, row.outcome))
        return replace(row, outcome=Outcome("void", ZERO, row.fines, state.seq), amended=amended)

    made = _with_row(state, int(body["of"]), change)
    return _leading(replace(made, over=None), body)


def _corrected(state: TableState, body: Body) -> TableState:
    robbed = set(body["robbed"])

    def change(row: HandRow) -> HandRow:
        outcome = Outcome(
            body["kind"],
            by_seat(body["deltas"]),
            by_seat(body["paid"]),
            state.seq,
            winners(body),
        )
        told = row.kongs if body.get("kongs") is None else tuple(paid_kong(kong) for kong in body["kongs"])
        kongs = tuple(_kong(kong, index in robbed) for index, kong in enumerate(told))
        amended = (*row.amended, amendment_of("result", body, state.seq, row.outcome))
        called = row.called if body.get("kongs") is None else ()
        return replace(row, outcome=outcome, kongs=kongs, called=called, amended=amended)

    made = _with_row(state, int(body["of"]), change)
    if state.over is not None and state.over.cause == MATCH:
        # what ended it may be otherwise now; a row after this says so
        made = replace(made, over=None)
    return _leading(made, body)


def _kong(kong: PaidKong, robbed: bool) -> PaidKong:
    return replace(kong, robbed=robbed)


def _leading(state: TableState, body: Body) -> TableState:
    """Return the state with the deal that follows: of the next hand, or of the one that nobody has dealt."""
    follows = (Seat(body["next_dealer"]), int(body["circle"]), int(body["run"]))
    if body["leads"] == "open":
        dealer, circle, run = follows
        state = replace(state, dealer=dealer, circle=circle, run=run)
    elif body["leads"] == "next":
        state = replace(state, upcoming=follows)
    return replace(state, correction=None, last=_last(state, body))


def _last(state: TableState, body: Body) -> LastHand | None:
    """Return what is shown as the last hand: the corrected result, if it is that hand's."""
    last = state.last
    is_it = last is not None and last.hand == body["hand"]
    return hand_after(last, body, state.seq) if last is not None and is_it else last


def hand_after(last: LastHand, body: Body, seq: int) -> LastHand:
    """Return a settled hand after the correction of the row `seq`; its seal is not known yet.

    False wins stay with the hand, and the photo with the hand of whoever won it.
    """
    if body.get("kind", "void") == "void":
        nobody: dict[str, Any] = {"seat": None, "by": None, "from": None, "hand_text": None}
        nothing = {"kind": "void", "elements": [], "total": 0, "deltas": {}, "evidence": None}
        made = last_hand({**nobody, **nothing, "hand": last.hand}, seq)
    else:
        made = last_hand(body, seq)
    evidence = last.evidence if made.seat is last.seat else None
    called = last.called if body.get("kongs") is None else ()
    return replace(made, evidence=evidence, false_wins=last.false_wins, players=last.players, called=called)


def _swapped(state: TableState, body: Body) -> TableState:
    """Two players sat at each other's places from a hand on: what those places brought is theirs."""
    one, other = body["entries"]
    first, amendment = int(body["from_hand"]), amendment_of("swap", body, state.seq, None)
    rows = tuple(
        _row_swapped(row, one, other, amendment) if row.hand >= first else row for row in state.sheet
    )
    made = with_sheet(state, rows)
    if body["stay"]:
        made = replace(made, seats=_seats_swapped(made, one, other))
    return replace(made, correction=None)


def _row_swapped(row: HandRow, one: str, other: str, amendment: Amendment) -> HandRow:
    at, to = row.entries.index(one), row.entries.index(other)
    order = list(range(4))
    order[at], order[to] = to, at
    a, b, c, d = order
    entries = (row.entries[a], row.entries[b], row.entries[c], row.entries[d])
    players = (row.players[a], row.players[b], row.players[c], row.players[d])
    return replace(row, entries=entries, players=players, amended=(*row.amended, amendment))


def _seats_swapped(state: TableState, one: str, other: str) -> tuple[SeatState, ...]:
    """Return the seats with two players at each other's places; what the open hand paid stays there."""
    places = {place.account: place for place in state.seats}

    def moved(place: SeatState) -> SeatState:
        if place.account not in (one, other):
            return place
        there = places[other if place.account == one else one]
        score = there.score - state.paid[there.seat.index] + state.paid[place.seat.index]
        return replace(place, player=there.player, entry=there.account, score=score)

    return tuple(moved(place) for place in state.seats)


def _replaced(state: TableState, body: Body) -> TableState:
    seat, player = Seat(body["seat"]), body["player"] or ""
    seats = tuple(
        replace(place, player=player, entry=place.account) if place.seat is seat else place
        for place in state.seats
    )
    return replace(state, seats=seats, guests=max(state.guests, guest_number(player)), correction=None)


def guest_number(player: str) -> int:
    """Return the number of a guest, 0 for other ids.

    >>> guest_number("p5"), guest_number("club-17")
    (5, 0)
    """
    digits = player.removeprefix("p")
    return int(digits) if player.startswith("p") and digits.isascii() and digits.isdecimal() else 0


def _ended(state: TableState, body: Body) -> TableState:
    over = GameOver(
        body["cause"], body["reason"], seat_or_none(body["asked_by"]), body["role"], int(body["hand"])
    )
    return replace(state, over=over, correction=None)


CORRECTIONS: dict[str, Callable[[TableState, Body], TableState]] = {
    "correction_proposed": _proposed,
    "correction_agreed": _agreed,
    "correction_rejected": _rejected,
    "result_undone": _undone,
    "result_corrected": _corrected,
    "players_swapped": _swapped,
    "player_replaced": _replaced,
    "game_ended": _ended,
}


def sealed(state: TableState, seq: int, head: str) -> TableState:
    """Return the state with the seal of the row `seq`, wherever the sheet names that row."""
    if state.sheet and state.sheet[-1].seq == seq:
        return replace(state, sheet=(*state.sheet[:-1], replace(state.sheet[-1], head=head)))

    def mark(row: HandRow) -> HandRow:
        amended = tuple(replace(one, head=head) if one.seq == seq else one for one in row.amended)
        return row if amended == row.amended else replace(row, amended=amended)

    rows = tuple(mark(row) for row in state.sheet)
    return state if rows == state.sheet else replace(state, sheet=rows)
