"""Every page and paper that shows totals, held against the model: sheet, statistics, report, history, CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

from controller.history import HANDS_KEPT
from controller.journal_read import each_record
from controller.projections import history_view, state_view
from controller.score_sheet import write_sheet
from controller.sheet_views import report_view, sheet_view, statistics_view
from tests.evenings.book import SEATS, Book, Hand
from tests.evenings.table import Table

Number = int | float


def halves(points: Mapping[str, Number]) -> dict[str, int]:
    """Return points as halves of a point, which they are exactly."""
    found = {key: round(2 * amount) for key, amount in points.items()}
    assert all(found[key] == 2 * amount for key, amount in points.items())
    return found


def check(table: Table, book: Book) -> None:
    """Say that every view shows the totals of the model, and that each sums to zero."""
    totals = book.totals()
    assert sum(totals.values()) == 0
    _check_state(table, totals)
    _check_sheet(table, book, totals)
    _check_statistics(table, book)
    _check_report(table, book, totals)
    _check_history(table, book)


def _check_state(table: Table, totals: Mapping[str, int]) -> None:
    seats = state_view(table.state, table.live)["seats"].values()
    assert halves({seat["entry"]: seat["score"] for seat in seats}) == totals


def _check_sheet(table: Table, book: Book, totals: Mapping[str, int]) -> None:
    sheet = sheet_view(table.state, {})
    assert halves(sheet["totals"]) == totals
    assert halves({entry["entry"]: entry["points"] for entry in sheet["entries"]}) == totals
    assert len(sheet["rows"]) == len(book.hands)
    running = dict.fromkeys(totals, 0)
    for row, hand in zip(sheet["rows"], book.hands, strict=True):
        deltas = _by_entry(hand)
        running = {entry: running[entry] + deltas[entry] for entry in running}
        assert (row["hand"], row["kind"]) == (hand.number, hand.end)
        assert halves(row["deltas"]) == deltas
        assert halves(row["totals"]) == running
        told = [(win["entry"], win["total"]) for win in row["winners"]]
        assert told == [(hand.entries[win.seat], win.value) for win in hand.wins]
    opened = _by_entry(book.open) if book.open is not None else dict.fromkeys(totals, 0)
    assert halves(sheet["open"]) == opened


def _by_entry(hand: Hand) -> dict[str, int]:
    return {hand.entries[seat]: amount for seat, amount in hand.sums().items()}


def _check_statistics(table: Table, book: Book) -> None:
    shown = {(row["entry"], row["player"]): row for row in statistics_view(table.state, {})["players"]}
    lines = book.lines()
    assert shown.keys() == lines.keys()
    for key, line in lines.items():
        row = shown[key]
        counted = (row["hands"], row["wins"], row["self_draws"], row["deal_ins"], row["false_wins"])
        assert counted == (line.hands, line.wins, line.self_draws, line.deal_ins, line.false_wins), key
        assert 2 * row["points"] == line.points
        assert row["biggest"] == (line.biggest if line.wins else None)
        mean = row["average_fan"]
        assert mean is None if not line.wins else mean == round(line.fan / line.wins, 2)
    assert sum(line.points for line in lines.values()) == 0


def _check_report(table: Table, book: Book, totals: Mapping[str, int]) -> None:
    report = report_view(table.state, {})
    assert halves({place["entry"]: place["points"] for place in report["ranking"]}) == totals
    assert report["hands"] == sum(hand.end != "void" for hand in book.hands)
    assert report["wins"] == sum(len(hand.wins) for hand in book.hands)
    assert ("" if report["over"] is None else report["over"]["cause"]) == book.over
    left = dict(totals)
    for transfer in report["transfers"]:
        left[transfer["from"]] += round(2 * transfer["points"])
        left[transfer["to"]] -= round(2 * transfer["points"])
    assert not any(left.values()), "the transfers do not even the totals out"
    ranks = [place["points"] for place in report["ranking"]]
    assert ranks == sorted(ranks, reverse=True)


def _check_history(table: Table, book: Book) -> None:
    shown = history_view(table.history.rows, HANDS_KEPT)["hands"]
    recent = book.hands[::-1][:HANDS_KEPT]
    for told, hand in zip(shown, recent, strict=False):
        assert (told["hand"], told["kind"]) == (hand.number, hand.end)
        if hand.end != "void":  # one that is called off tells what it took back, an undone one nothing
            assert halves(told["deltas"]) == hand.pay
        assert sum(told["deltas"].values()) == 0


def check_paper(table: Table, book: Book) -> None:
    """Say that the score sheet as a file ends at the totals of the model in its last game."""
    sink = io.StringIO()
    records = each_record(table.path)
    write_sheet(records, table.path, {}, "en", sink)
    blocks = sink.getvalue().strip().split("\r\n\r\n")
    for block in blocks if sink.getvalue() else ():
        lines = list(csv.reader(io.StringIO(block)))
        assert sum(float(cell) for cell in lines[-1][8:12]) == 0
    if book.hands:
        names, ends = lines[1][8:12], lines[-1][8:12]
        assert halves(dict(zip(names, map(float, ends), strict=True))) == book.totals()
        assert set(names) == {book.entries[seat] for seat in SEATS}
