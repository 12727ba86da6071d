"""The ledger as a score sheet: a CSV file that a spreadsheet opens, one block a game, Chinese or English.

All amounts come from the state's own rows (`fold_rows.HandRow`), so that sheet, pages and scores are one
fold; a corrected hand shows what stands now, and its last column tells that it was corrected.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TextIO

from controller.facts import Record
from controller.fold_rows import HandRow
from controller.journal_read import fold_records
from controller.state import TableState
from rules.scoring import amount_to_number
from rules.seats import Seat
from rules.variants import get_variant

Language = Literal["zh", "en"]
Cell = str | int | float
UNSURE = " ?"
"""Behind a time whose clock could not be trusted."""

WORDS: Mapping[Language, Mapping[str, str]] = {
    "zh": {
        "game": "第{n}局",
        "hand": "盘",
        "time": "时间(UTC)",
        "circle": "圈风",
        "dealer": "庄家",
        "result": "结果",
        "winner": "和牌",
        "payer": "付牌",
        "total": "番分",
        "sum": "{name} 累计",
        "seal": "账本印",
        "amended": "更正次数",
        "open": "未结的盘",
        "totals": "合计",
        "win.self_draw": "自摸",
        "win.discard": "点炮",
        "win.rob_kong": "抢杠",
        "win": "和牌",
        "drawn": "荒庄",
        "void": "作废",
        "E": "东",
        "S": "南",
        "W": "西",
        "N": "北",
    },
    "en": {
        "game": "Game {n}",
        "hand": "Hand",
        "time": "Time (UTC)",
        "circle": "Wind",
        "dealer": "Dealer",
        "result": "Result",
        "winner": "Winner",
        "payer": "Discarder",
        "total": "Fan",
        "sum": "{name} total",
        "seal": "Seal",
        "amended": "Corrections",
        "open": "Open hand",
        "totals": "Total",
        "win.self_draw": "Self-draw",
        "win.discard": "Discard",
        "win.rob_kong": "Robbed kong",
        "win": "Win",
        "drawn": "Drawn",
        "void": "Void",
        "E": "East",
        "S": "South",
        "W": "West",
        "N": "North",
    },
}


@dataclass(frozen=True, slots=True)
class Game:
    """A game of the ledger: its last state, all its hands, and when each was settled (by row number)."""

    state: TableState
    rows: tuple[HandRow, ...]
    times: Mapping[int, str]


def games(records: Iterable[Record], path: Path | str) -> Iterator[Game]:
    """Yield the games of a ledger in which a hand was settled, in order.

    Raises:
        JournalDamaged: naming the row that makes no sense.
    """
    state = TableState()
    old: list[HandRow] = []
    times: dict[int, str] = {}
    for record in records:
        if record.kind == "game_started":
            yield from _game(state, old, times)
            old, times = [], {}
        elif record.kind == "settled":
            times[record.seq] = record.at_utc[:16].replace("T", " ") + ("" if record.clock_ok else UNSURE)
        before = state.sheet
        state = fold_records((record,), path, state)
        if state.sheet is not before and state.sheet:
            old += [row for row in before if row.seq < state.sheet[0].seq]  # too old to be corrected
    yield from _game(state, old, times)


def _game(state: TableState, old: list[HandRow], times: Mapping[int, str]) -> Iterator[Game]:
    rows = (*old, *state.sheet)
    if rows:
        yield Game(state, rows, dict(times))


def write_sheet(
    records: Iterable[Record], path: Path | str, names: Mapping[str, str], language: Language, sink: TextIO
) -> int:
    """Write the score sheet as CSV (RFC 4180); returns the number of hands.

    Args:
        names: of players by id; who has none is called by his id.
        sink: opened with newline="".
    """
    writer = csv.writer(sink)
    hands = 0
    for number, game in enumerate(games(records, path), start=1):
        if hands:
            writer.writerow([])
        for line in _lines(number, game, names, WORDS[language], language):
            writer.writerow([_cell(value) for value in line])
        hands += len(game.rows)
    return hands


def _cell(value: Cell) -> Cell:
    """Return a cell that no spreadsheet takes for a formula: people choose their names."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t") else value


def _lines(
    number: int, game: Game, names: Mapping[str, str], words: Mapping[str, str], language: Language
) -> Iterator[list[Cell]]:
    state, unit = game.state, 1 if game.state.table is None else game.state.table.unit
    entries = [place.account for place in state.seats]
    called = [names.get(entry, entry) for entry in entries]
    yield _title(number, state, words, language)
    heads = [words[key] for key in ("hand", "time", "circle", "dealer", "result", "winner", "payer", "total")]
    sums = [words["sum"].format(name=name) for name in called]
    yield [*heads, *called, *sums, words["seal"], words["amended"]]
    total = dict.fromkeys(entries, 0)
    for row in game.rows:
        amounts = dict(zip(row.entries, row.outcome.sums, strict=True))
        for entry, amount in amounts.items():
            total[entry] += amount
        yield [
            *_told(row, game.times, names, words),
            *(amount_to_number(amounts.get(entry, 0), unit) for entry in entries),
            *(amount_to_number(total[entry], unit) for entry in entries),
            row.head,
            len(row.amended),
        ]
    paid = [state.paid[place.seat.index] for place in state.seats]
    if any(paid):
        yield [words["open"], *[""] * 7, *(amount_to_number(amount, unit) for amount in paid)]
    ends = [amount_to_number(place.score, unit) for place in state.seats]
    yield [words["totals"], *[""] * 7, *ends, *[""] * 4, state.head[:8]]


def _title(number: int, state: TableState, words: Mapping[str, str], language: Language) -> list[Cell]:
    table = state.table
    if table is None:
        return [words["game"].format(n=number)]
    variant = get_variant(table.variant)
    return [words["game"].format(n=number), table.name, variant.zh if language == "zh" else variant.en]


def _told(
    row: HandRow, times: Mapping[int, str], names: Mapping[str, str], words: Mapping[str, str]
) -> list[Cell]:
    """Return the cells of a hand up to its fan: several winners share a cell each."""

    def called(seat: Seat) -> str:
        return names.get(row.players[seat.index], row.players[seat.index])

    wins = row.outcome.wins
    how = row.outcome.kind if not wins or wins[0].by is None else f"win.{wins[0].by}"
    return [
        row.hand,
        times.get(row.seq, ""),
        words[Seat.at(row.circle - 1).value],
        called(row.dealer),
        words.get(how, how),
        " ".join(called(win.seat) for win in wins),
        " ".join(dict.fromkeys(called(win.from_seat) for win in wins if win.from_seat is not None)),
        wins[0].total if len(wins) == 1 else " ".join(str(win.total) for win in wins),
    ]
