"""The score sheet in the fold: what is paid in a hand, and the row that its settlement makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from controller.facts import Fact
from controller.fold_replace import replace
from controller.fold_rows import (
    SHEET_MAX,
    ZERO,
    Four,
    Gift,
    HandRow,
    Outcome,
    PaidKong,
    Winner,
    added,
    entry_sums,
    tallies,
)
from controller.state import SEATS, Around, ClaimState, FalseWinState, LastHand, SeatState, TableState
from rules.seats import Seat

Body = Mapping[str, Any]


def by_seat(deltas: Mapping[str, int]) -> Four:
    """Return the amounts in the order E S W N.

    >>> by_seat({"E": 3, "S": -3})
    (3, -3, 0, 0)
    """
    east, south, west, north = (int(deltas.get(seat.value, 0)) for seat in SEATS)
    return (east, south, west, north)


def seat_or_none(text: str | None) -> Seat | None:
    """Return the seat of its letter."""
    return None if text is None else Seat(text)


def around_of(body: Body) -> Around | None:
    """Return the circumstances of a settled win, None where its row does not tell them."""
    told = body.get("around")
    if told is None:
        return None
    dealer, wind = Seat(told["dealer"]), Seat(told["round_wind"])
    return Around(dealer, wind, tuple(told["flags"]), tuple(told["flowers"]))


def _false_wins(body: Body) -> tuple[FalseWinState, ...]:
    rows = body.get("false_wins", ())
    return tuple(FalseWinState(Seat(row["seat"]), by_seat(row["deltas"])) for row in rows)


def _players(body: Body) -> tuple[str, ...]:
    told = body.get("players", {})
    return tuple(str(told[seat.value]) for seat in SEATS) if told else ()


def last_hand(body: Body, seq: int) -> LastHand:
    """Return the hand that a row settled tells of; its seal is not known yet."""
    return LastHand(
        int(body["hand"]),
        body["kind"],
        seat_or_none(body["seat"]),
        body["by"],
        seat_or_none(body["from"]),
        body["hand_text"],
        tuple((str(k), str(zh), str(en), int(value)) for k, zh, en, value in body["elements"]),
        int(body["total"]),
        by_seat(body["deltas"]),
        body["evidence"],
        seq,
        around=around_of(body),
        false_wins=_false_wins(body),
        stated=body.get("stated"),
        counted=body.get("counted"),
        also=tuple((Seat(row["seat"]), int(row["total"])) for row in body.get("wins", ())[1:]),
        laid=body.get("laid"),
        players=_players(body),
        unread=tuple(_unread(row) for row in body.get("unread", ())),
        called=tuple(Seat(seat) for seat in body.get("called", ())),
    )


def _unread(row: Body) -> ClaimState:
    return ClaimState(
        "win", seat_or_none(row["seat"]), row["by"], seat_or_none(row["from"]), tuple(row["flags"])
    )


def paid_kong(body: Body) -> PaidKong:
    """Return a kong that people told later, as a correction has it; what was robbed is told beside it."""
    return PaidKong(Seat(body["seat"]), body["kind"], body["tile"], by_seat(body["deltas"]))


def noted(state: TableState, fact: Fact) -> TableState:
    """Return the state with what the sheet keeps of a fact, taken before the fact changes anything else."""
    note = _NOTES.get(fact.kind)
    return state if note is None else note(state, fact.body)


def _hand_started(state: TableState, body: Body) -> TableState:
    return replace(state, paid=ZERO, fines=ZERO, false_calls=(), gifts=())


def _payment(state: TableState, body: Body) -> TableState:
    return replace(state, paid=added(state.paid, by_seat(body["deltas"])))


def _reveal_penalty(state: TableState, body: Body) -> TableState:
    gift = Gift(Seat(body["winner"]), by_seat(body["deltas"]))
    return replace(_payment(state, body), gifts=(*state.gifts, gift))


def _false_win(state: TableState, body: Body) -> TableState:
    fine = by_seat(body.get("deltas") or {})
    calls = (*state.false_calls, Seat(body["seat"]))
    return replace(state, paid=added(state.paid, fine), fines=added(state.fines, fine), false_calls=calls)


def winners(body: Body) -> tuple[Winner, ...]:
    """Return the winners that a settlement tells of: one, none, or all of `wins` where several won."""
    if body["kind"] != "win":
        return ()
    rows = body.get("wins") or [body]
    return tuple(
        Winner(
            Seat(row["seat"]), row["by"], seat_or_none(row.get("from")), int(row["total"]), row.get("stated")
        )
        for row in rows
    )


def _settled(state: TableState, body: Body) -> TableState:
    """Add the row of the hand; `paid` of a hand that is called off is what its settlement takes back."""
    outcome = Outcome(body["kind"], by_seat(body["deltas"]), state.paid, state.seq, winners(body))
    east, south, west, north = state.seats
    row = HandRow(
        int(body["hand"]),
        state.seq,
        outcome,
        state.dealer,
        state.circle,
        state.run,
        (east.account, south.account, west.account, north.account),
        (east.player, south.player, west.player, north.player),
        tuple(PaidKong(each.seat, each.kind, each.tile, each.deltas, each.robbed) for each in state.kongs),
        state.fines,
        state.false_calls,
        gifts=state.gifts,
        called=state.called,
    )
    rows, carried = (*state.sheet, row), state.carried
    if len(rows) > SHEET_MAX:
        rows, carried = rows[1:], tallies(rows[:1], carried)
    return replace(state, sheet=rows, carried=carried, paid=ZERO, fines=ZERO, false_calls=(), gifts=())


_NOTES: dict[str, Callable[[TableState, Body], TableState]] = {
    "hand_started": _hand_started,
    "kong": _payment,
    "kong_robbed": _payment,
    "kong_withdrawn": _payment,
    "reveal_penalty": _reveal_penalty,
    "false_win": _false_win,
    "settled": _settled,
}


def row_of(state: TableState, hand: int) -> HandRow | None:
    """Return the row of a hand of this game, the latest one of that number."""
    return next((row for row in reversed(state.sheet) if row.hand == hand), None)


def with_sheet(state: TableState, rows: tuple[HandRow, ...]) -> TableState:
    """Return the state with rows that were corrected: every entry's score follows from them."""
    before, after = entry_sums(state.sheet), entry_sums(rows)
    seats = tuple(_moved(place, before, after) for place in state.seats)
    return replace(state, sheet=rows, seats=seats)


def _moved(place: SeatState, before: Mapping[str, int], after: Mapping[str, int]) -> SeatState:
    change = after.get(place.account, 0) - before.get(place.account, 0)
    return replace(place, score=place.score + change)
