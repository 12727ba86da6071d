"""Score sheet, statistics, report of a game: views of the state's rows, so that all totals are one fold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from controller.decide.corrections import outlook, seated
from controller.decide.kit import World
from controller.evening import seats_due
from controller.fold_rows import Amendment, HandRow, Proposal, Tally, tallies
from controller.fold_sheet import row_of
from controller.hand_views import amendment_view, letter, outcome_view
from controller.live_values import Live
from controller.state import SEATS, SeatState, TableState
from controller.views import Number
from controller.views_sheet import (
    AmendmentView,
    ChangeView,
    CorrectionView,
    EntryView,
    OverView,
    PlayerStatisticsView,
    ReportView,
    SeatChangeView,
    SheetRowView,
    SheetView,
    StatisticsView,
    StintView,
    TransferView,
)
from rules.scoring import amount_to_number
from rules.seats import Seat
from rules.variants import get_variant

Names = Mapping[str, str]


def _unit(state: TableState) -> int:
    return 1 if state.table is None else state.table.unit


def _named(names: Names, player: str) -> str:
    return names.get(player, player)


# ---------------------------------------------------------------------- corrections


def _amendment(row: HandRow, one: Amendment, unit: int) -> AmendmentView:
    """Return a correction; what stood before has kongs and false wins in it, as the sheet's amounts do."""
    before = None if one.before is None else outcome_view(one.before, one.before.sums, unit)
    return amendment_view(row.hand, one, before)


def amendments_of(state: TableState, hand: int | None = None) -> list[AmendmentView]:
    """Return the corrections of one hand, or of all, as the ledger has them."""
    rows = [row for row in state.sheet if hand is None or row.hand == hand]
    made = [_amendment(row, one, _unit(state)) for row in rows for one in row.amended]
    return sorted(made, key=lambda one: (one["seq"], one["hand"]))


def correction_view(state: TableState, live: Live, names: Names) -> CorrectionView | None:
    """Return the correction that is asked for, with what it would do to every score."""
    proposal = state.correction
    if proposal is None:
        return None
    return {
        "id": proposal.id,
        "what": proposal.what,
        "reason": proposal.reason,
        "seat": letter(proposal.seat),
        "ask": dict(proposal.ask),
        "answers": {seat.value: "yes" if seat in proposal.agreed else None for seat in seated(state)},
        "changes": _changes(state, outlook(World(state, live)), names),
        "players": _players_then(state, proposal),
    }


def _players_then(state: TableState, proposal: Proposal) -> dict[str, str]:
    """Return who sat where in the hand whose result is to be corrected."""
    row = row_of(state, int(proposal.ask["hand"])) if proposal.what == "result" else None
    return {} if row is None else _seats(row)


def _seats(row: HandRow) -> dict[str, str]:
    return {seat.value: row.players[seat.index] for seat in SEATS}


def _changes(state: TableState, will: TableState | None, names: Names) -> list[ChangeView]:
    if will is None:
        return []
    unit, scores = _unit(state), {place.account: place.score for place in will.seats}
    return [
        {
            "entry": place.account,
            "name": _named(names, place.account),
            "was": amount_to_number(place.score, unit),
            "will": amount_to_number(scores[place.account], unit),
        }
        for place in state.seats
    ]


def seat_change_view(state: TableState) -> SeatChangeView | None:
    """Return where everybody goes before the next hand; None where all stay."""
    moves = seats_due(state)
    if not moves or state.upcoming is None:
        return None
    wind = Seat.at(state.upcoming[1] - 1).value
    return {"circle_wind": wind, "moves": {seat.value: to.value for seat, to in moves.items()}}


def over_view(state: TableState) -> OverView | None:
    """Return how the game ended, None while it goes on."""
    over = state.over
    if over is None:
        return None
    return {
        "cause": over.cause,
        "reason": over.reason,
        "asked_by": letter(over.asked_by),
        "role": over.role,
        "hand": over.hand,
    }


# ---------------------------------------------------------------------- score sheet


def sheet_view(state: TableState, names: Names) -> SheetView:
    """Return the score sheet: every hand with the totals after it, which end at the scores of now."""
    unit, counted = _unit(state), _tallies(state)
    total = {place.account: 0 for place in state.seats}
    for tally in state.carried:
        total[tally.entry] += tally.points
    before = dict(total)
    rows = []
    for row in state.sheet:
        rows.append(_row(row, total, unit))
    paid = {place.account: state.paid[place.seat.index] for place in state.seats}
    return {
        "name": "" if state.table is None else state.table.name,
        "variant": "" if state.table is None else state.table.variant,
        "entries": [_entry(place, counted, names, unit) for place in state.seats],
        "before": _points(before, unit),
        "rows": rows,
        "open": _points(paid, unit),
        "totals": _points({entry: total[entry] + paid[entry] for entry in total}, unit),
        "head": state.head[:8],
    }


def _points(amounts: Mapping[str, int], unit: int) -> dict[str, Number]:
    return {key: amount_to_number(amount, unit) for key, amount in amounts.items()}


def _row(row: HandRow, total: dict[str, int], unit: int) -> SheetRowView:
    """Return the line of a hand and add it to `total`."""
    deltas = dict(zip(row.entries, row.outcome.sums, strict=True))
    for entry, amount in deltas.items():
        total[entry] += amount
    return {
        "hand": row.hand,
        "circle": row.circle,
        "circle_wind": Seat.at(row.circle - 1).value,
        "dealer": row.entries[row.dealer.index],
        "kind": row.outcome.kind,
        "winners": [
            {
                "entry": row.entries[win.seat.index],
                "player": row.players[win.seat.index],
                "by": win.by,
                "from": None if win.from_seat is None else row.entries[win.from_seat.index],
                "total": win.total,
            }
            for win in row.outcome.wins
        ],
        "seats": _seats(row),
        "kongs": [
            {"seat": kong.seat.value, "kind": kong.kind, "tile": kong.tile, "robbed": kong.robbed}
            for kong in row.kongs
        ],
        "kongs_called": [row.entries[seat.index] for seat in row.called],
        "deltas": _points(deltas, unit),
        "totals": _points(total, unit),
        "head": row.head,
        "amended": [_amendment(row, one, unit) for one in row.amended],
    }


def _tallies(state: TableState) -> tuple[Tally, ...]:
    return tallies(state.sheet, state.carried)


def _entry(place: SeatState, counted: Iterable[Tally], names: Names, unit: int) -> EntryView:
    return {
        "entry": place.account,
        "name": _named(names, place.account),
        "seat": place.seat.value,
        "side": place.side,
        "player": place.player,
        "points": amount_to_number(place.score, unit),
        "players": _stints(place.account, counted, names, unit),
    }


def _stints(entry: str, counted: Iterable[Tally], names: Names, unit: int) -> list[StintView]:
    return [
        {
            "player": tally.player,
            "name": _named(names, tally.player),
            "hands": tally.hands,
            "points": amount_to_number(tally.points, unit),
        }
        for tally in counted
        if tally.entry == entry
    ]


# ---------------------------------------------------------------------- statistics


def statistics_view(state: TableState, names: Names) -> StatisticsView:
    """Return what every player did in this game; a place where nobody sits has a line of its own, too."""
    return {"players": [_statistics(tally, names, _unit(state)) for tally in _tallies(state)]}


def _statistics(tally: Tally, names: Names, unit: int) -> PlayerStatisticsView:
    won = tally.wins > 0
    return {
        "entry": tally.entry,
        "player": tally.player,
        "name": _named(names, tally.player),
        "hands": tally.hands,
        "wins": tally.wins,
        "self_draws": tally.self_draws,
        "deal_ins": tally.deal_ins,
        "average_fan": _average(tally.fan, tally.wins) if won else None,
        "biggest": tally.biggest if won else None,
        "biggest_hand": tally.biggest_hand if won else None,
        "false_wins": tally.false_wins,
        "points": amount_to_number(tally.points, unit),
    }


def _average(total: int, count: int) -> Number:
    """Return the mean to two decimals, a whole one as an integer."""
    mean = round(total / count, 2)
    return int(mean) if mean.is_integer() else mean


# ---------------------------------------------------------------------- report


def report_view(state: TableState, names: Names) -> ReportView:
    """Return how the game stands: ranking, who gives whom how much to be even, all corrections."""
    unit, counted = _unit(state), _tallies(state)
    variant = None if state.table is None else get_variant(state.table.variant)
    first = state.seats[0].account
    ranked = sorted(state.seats, key=lambda place: -place.score)
    return {
        "name": "" if state.table is None else state.table.name,
        "variant": "" if variant is None else variant.key,
        "variant_zh": "" if variant is None else variant.zh,
        "variant_en": "" if variant is None else variant.en,
        "over": over_view(state),
        "hands": sum(tally.hands for tally in counted if tally.entry == first),
        "wins": sum(tally.wins for tally in counted),
        "ranking": [
            {
                "place": 1 + sum(other.score > place.score for other in ranked),
                "entry": place.account,
                "name": _named(names, place.account),
                "points": amount_to_number(place.score, unit),
                "players": _stints(place.account, counted, names, unit),
            }
            for place in ranked
        ],
        "transfers": _transfers({place.account: place.score for place in state.seats}, unit),
        "corrections": amendments_of(state),
        "head": state.head[:8],
    }


def _transfers(scores: Mapping[str, int], unit: int) -> list[TransferView]:
    """Return transfers that bring every score to 0: who owes most gives to who gets most, again and again.

    At most three for four places. Points are points: nothing here is money.
    """
    left, transfers = dict(scores), list[TransferView]()
    while True:
        gives, gets = min(left, key=lambda key: left[key]), max(left, key=lambda key: left[key])
        amount = min(-left[gives], left[gets])
        if amount <= 0:
            return transfers
        left[gives] += amount
        left[gets] -= amount
        transfers.append({"from": gives, "to": gets, "points": amount_to_number(amount, unit)})


SCORE_VIEWS: Mapping[str, Callable[[TableState, Names], Mapping[str, Any]]] = {
    "sheet": sheet_view,
    "statistics": statistics_view,
    "report": report_view,
}
"""Views that pages ask for by name, built when they do."""
