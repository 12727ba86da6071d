"""Settled hands as they are shown: the last one, and the history with every correction taken into account."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from controller.explained import of_last
from controller.facts import Record
from controller.fold import table_info
from controller.fold_corrections import amendment_of, hand_after
from controller.fold_rows import ZERO, Amendment, Outcome, Winner
from controller.fold_sheet import last_hand, row_of
from controller.state import SEATS, LastHand, TableInfo, TableState
from controller.views import HistoryView, LastView, Number
from controller.views_sheet import AmendmentView, OutcomeView
from rules.scoring import amount_to_number
from rules.seats import Seat

Four = tuple[int, int, int, int]
HANDS_SHOWN = 20


def points(deltas: Four, unit: int) -> dict[str, Number]:
    """Return amounts in points by seat."""
    return {seat.value: amount_to_number(deltas[seat.index], unit) for seat in SEATS}


def letter(seat: Seat | None) -> str | None:
    """Return a seat's letter."""
    return None if seat is None else seat.value


def hand_view(
    table: TableInfo | None, last: LastHand, amended: Iterable[AmendmentView], unit: int
) -> LastView:
    """Return a settled hand as its last correction left it, with the corrections."""
    told = of_last(table, last)
    return {
        "hand": last.hand,
        "kind": last.kind,
        "seat": letter(last.seat),
        "by": last.by,
        "from": letter(last.from_seat),
        "hand_text": last.hand_text,
        "laid": last.laid,
        "flags": [] if last.around is None else list(last.around.flags),
        "flowers": [] if last.around is None else list(last.around.flowers),
        "elements": told.elements,
        "not_counted": told.not_counted,
        "total": last.total,
        "minimum": told.minimum,
        "without_flowers": told.without_flowers,
        "deltas": points(last.deltas, unit),
        "false_wins": [
            {"seat": booked.seat.value, "deltas": points(booked.deltas, unit)} for booked in last.false_wins
        ],
        "stated": None
        if last.stated is None
        else {"points": last.stated, "checked": last.total, "counted": last.counted},
        "also": [{"seat": seat.value, "total": total} for seat, total in last.also],
        "unread": [
            {"seat": letter(claim.seat), "by": claim.by, "from": letter(claim.from_seat)}
            for claim in last.unread
        ],
        "kongs_called": [seat.value for seat in last.called],
        "evidence": last.evidence,
        "players": {seat.value: player for seat, player in zip(SEATS, last.players, strict=False)},
        "head": last.head,
        "amended": list(amended),
    }


def outcome_view(outcome: Outcome, sums: Four, unit: int) -> OutcomeView:
    """Return what a hand came to before a correction; `sums` are the amounts that the reader compares."""
    return {
        "kind": outcome.kind,
        "deltas": points(sums, unit),
        "winners": [win.seat.value for win in outcome.wins],
        "total": outcome.wins[0].total if outcome.wins else 0,
        "seq": outcome.seq,
    }


def amendment_view(hand: int, one: Amendment, before: OutcomeView | None) -> AmendmentView:
    """Return who corrected a hand, why, and what stood before."""
    return {
        "hand": hand,
        "what": one.what,
        "reason": one.reason,
        "asked_by": letter(one.asked_by),
        "role": one.role,
        "seats": [seat.value for seat in one.seats],
        "referee": one.referee,
        "before": before,
        "seq": one.seq,
        "head": one.head,
    }


def amended(state: TableState) -> list[AmendmentView]:
    """Return the corrections of the hand settled last; `before` tells settlements, as the hand does."""
    row = None if state.last is None else row_of(state, state.last.hand)
    unit = 1 if state.table is None else state.table.unit
    return [] if row is None else [_settlement_before(row.hand, one, unit) for one in row.amended]


def _settlement_before(hand: int, one: Amendment, unit: int) -> AmendmentView:
    before = None if one.before is None else outcome_view(one.before, one.before.deltas, unit)
    return amendment_view(hand, one, before)


# ---------------------------------------------------------------------- history


@dataclass(frozen=True, slots=True)
class _Told:
    """A hand as the rows so far tell of it."""

    table: TableInfo | None
    last: LastHand
    amended: tuple[Amendment, ...] = ()

    @property
    def outcome(self) -> Outcome:
        last = self.last
        wins = () if last.seat is None else (Winner(last.seat, last.by, last.from_seat, last.total),)
        return Outcome(last.kind, last.deltas, ZERO, last.seq, wins if last.kind == "win" else ())


def history_view(records: Iterable[Record], n: int = HANDS_SHOWN, *, total: int | None = None) -> HistoryView:
    """Return the last `n` settled hands, newest first, folded from the journal's rows.

    Args:
        total: hands settled in all; None = those among the rows.
    """
    table: TableInfo | None = None
    old: list[_Told] = []
    hands: list[_Told] = []
    for record in records:
        if record.kind == "game_started":
            table, old, hands = table_info(record.body), [*old, *hands], []
        elif record.kind == "settled":
            hands.append(_Told(table, _sealed(last_hand(record.body, record.seq), record)))
        elif record.kind in ("result_undone", "result_corrected"):
            hands = [_corrected(hand, record) for hand in hands]
        elif record.kind == "players_swapped":
            hands = [_swapped(hand, record) for hand in hands]
    shown = [*old, *hands][::-1][:n]
    return {
        "hands": [_shown(hand) for hand in shown],
        "total": len(old) + len(hands) if total is None else total,
    }


def _sealed(last: LastHand, record: Record) -> LastHand:
    return replace(last, head=record.hash[:8])


def _corrected(hand: _Told, record: Record) -> _Told:
    if hand.last.hand != record.body["hand"]:
        return hand
    what = "undo" if record.kind == "result_undone" else "result"
    one = replace(amendment_of(what, record.body, record.seq, hand.outcome), head=record.hash[:8])
    last = _sealed(hand_after(hand.last, record.body, record.seq), record)
    return replace(hand, last=last, amended=(*hand.amended, one))


def _swapped(hand: _Told, record: Record) -> _Told:
    if hand.last.hand < int(record.body["from_hand"]):
        return hand
    one = replace(amendment_of("swap", record.body, record.seq, None), head=record.hash[:8])
    return replace(hand, amended=(*hand.amended, one))


def _shown(hand: _Told) -> LastView:
    unit = 1 if hand.table is None else hand.table.unit
    told = [_settlement_before(hand.last.hand, one, unit) for one in hand.amended]
    return hand_view(hand.table, hand.last, told, unit)
