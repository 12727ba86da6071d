"""Ledgers that older code wrote: every one folds to what it came to then, and goes on being written.

`old_ledgers/*.jsonl` are exports made by the code of the version in their names; a release adds one (see
docs/journal.md, "Versions"), and none is ever made anew.
"""

from __future__ import annotations

import csv
import io
import sqlite3
from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.errors import JournalDamaged
from controller.facts import KINDS, Fact
from controller.history import remembered
from controller.journal import Journal, export, read_records, row_hash, verify
from controller.journal_read import each_record
from controller.projections import history_view
from controller.score_sheet import write_sheet
from controller.snapshots import open_ledger
from tests.controller.ledgers import OLD, exported, hand_facts, put_back


@dataclass(frozen=True)
class Old:
    """An old ledger and what it came to: scores in units by E S W N, the kind of its last hand."""

    file: str
    rows: int
    variant: str
    hands: int
    scores: tuple[int, int, int, int]
    phase: str


TABLE = (
    Old("0.1.0-early-simplest.jsonl", 67, "simplest", 2, (-4, 12, -2, -6), "SETTLED"),
    Old("0.1.0-mcr.jsonl", 34, "mcr", 1, (-33, -33, -33, 99), "SETTLED"),
)
"""The early one (code of 0ad3879) has no circumstances and no laid hand in a settlement, and no flowers in a
reading; the other one (code of 751e52e) has. 0.1.0 is not released yet: there is no other format."""


@pytest.fixture(params=TABLE, ids=lambda old: old.file)
def old(request: pytest.FixtureRequest) -> Old:
    found: Old = request.param
    return found


@pytest.fixture
def path(old: Old, tmp_path: Path) -> Path:
    put_back(OLD / old.file, tmp_path / "ledger.db")
    return tmp_path / "ledger.db"


def test_every_old_ledger_has_a_row_in_the_table() -> None:
    assert {old.file for old in TABLE} == {file.name for file in OLD.glob("*.jsonl")}


def test_it_comes_to_what_it_came_to_then(old: Old, path: Path) -> None:
    assert verify(path).ok
    opened = open_ledger(path)
    opened.journal.close()
    state = opened.state
    assert (state.seq, state.phase.value, state.hand) == (old.rows, old.phase, old.hands)
    assert state.table is not None
    assert state.table.variant == old.variant
    assert tuple(place.score for place in state.seats) == old.scores
    assert len(state.sheet) == old.hands
    shown = history_view(opened.history.rows, total=opened.history.total)
    assert (shown["total"], len(shown["hands"])) == (old.hands, old.hands)


def test_its_rows_are_exported_as_they_were(old: Old, path: Path) -> None:
    out = io.StringIO()
    assert export(path, out) == old.rows
    assert out.getvalue() == (OLD / old.file).read_text("utf-8")


def test_it_goes_on(old: Old, path: Path) -> None:
    opened = open_ledger(path)
    state, history = opened.state, opened.history
    for fact in hand_facts(old.hands + 1):
        records = opened.journal.append([fact])
        history = remembered(history, records)
    opened.journal.close()
    assert verify(path, read_records(path)[old.rows - 1].hash[:8]).ok
    again = open_ledger(path)
    again.journal.close()
    assert again.history == history
    assert sum(place.score for place in again.state.seats) == 0
    assert len(again.state.sheet) == len(state.sheet) + 1


def test_its_score_sheet_ends_at_its_scores(old: Old, path: Path) -> None:
    out = io.StringIO(newline="")
    assert write_sheet(each_record(path), path, {}, "en", out) == old.hands
    last = list(csv.reader(io.StringIO(out.getvalue(), newline="")))[-1]
    unit = exported(OLD / old.file)[0]["body"]["unit"]
    assert tuple(float(cell) * unit for cell in last[8:12]) == old.scores


def test_all_kinds_that_were_ever_written_are_known() -> None:
    written = {row["kind"] for file in OLD.glob("*.jsonl") for row in exported(file)}
    assert written <= set(KINDS)


# ---------------------------------------------------------------------- the other way round


def test_a_row_of_newer_code_is_named_and_the_ledger_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    journal = Journal(path)
    journal.append([Fact("machine_event", {"event": "test"})])
    head = bytes.fromhex(journal.head)
    journal.close()
    values = (2, 0, "2030-01-01T00:00:00.000Z", 1, "chip_melted", b"{}")
    with sqlite3.connect(path) as db:
        row = (*values, head, row_hash(head, *values))
        db.execute("INSERT INTO journal VALUES (?,?,?,?,?,?,?,?)", row)
    with pytest.raises(JournalDamaged, match="row 2: written by a newer version"):
        Journal(path)
    verdict = verify(path)
    assert (verdict.ok, verdict.problem, verdict.seq, verdict.rows) == (False, "newer", 2, 2)


def test_a_file_of_newer_code_is_named(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    Journal(path).close()
    with sqlite3.connect(path) as db:
        db.execute("UPDATE meta SET value = '2' WHERE key = 'version'")
    with pytest.raises(JournalDamaged, match="written by a newer version"):
        Journal(path)
