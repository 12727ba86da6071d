"""The ledger: durable, chained, append-only, and honest about damage."""

from __future__ import annotations

import io
import json
import sqlite3
import time
from pathlib import Path

import pytest

from controller import journal as journal_module
from controller.errors import JournalBusy, JournalDamaged, JournalError, JournalFull
from controller.facts import Fact, Record
from controller.journal import Journal, Stamp, export, fold_records, read_records, row_hash, verify

FACTS = [Fact("machine_event", {"event": "restart", "n": n, "zh": "重启"}) for n in range(5)]


def _filled(path: Path) -> str:
    journal = Journal(path, clock=lambda: Stamp(12, "2026-11-30T08:00:00.000Z", True))
    journal.append(FACTS[:2])
    for fact in FACTS[2:]:
        journal.append([fact])
    head = journal.head
    journal.close()
    return head


def _unguarded(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)
    db.executescript("DROP TRIGGER journal_no_update; DROP TRIGGER journal_no_delete;")
    return db


def test_rows_are_chained_over_the_bytes_as_stored(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    head = _filled(path)
    db = sqlite3.connect(path)
    before = bytes(32)
    for seq, mono, utc, ok, kind, body, prev, sealed in db.execute("SELECT * FROM journal ORDER BY seq"):
        assert prev == before
        assert row_hash(prev, seq, mono, utc, ok, kind, body) == sealed
        before = sealed
    assert before.hex() == head
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_replay_gives_back_the_facts_and_goes_on_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    head = _filled(path)
    journal = Journal(path)
    assert journal.head == head
    assert [Fact(r.kind, r.body) for r in journal.replay()] == FACTS
    assert [r.seq for r in journal.replay(after=3)] == [4, 5]
    journal.append([FACTS[0]])
    assert [r.seq for r in read_records(path)] == [1, 2, 3, 4, 5, 6]
    assert verify(path, head[:8]).ok
    journal.close()


def test_epoch_stays_with_the_file(tmp_path: Path) -> None:
    first = Journal(tmp_path / "a.sqlite")
    epoch = first.epoch
    first.close()
    again = Journal(tmp_path / "a.sqlite")
    other = Journal(tmp_path / "b.sqlite")
    assert again.epoch == epoch != other.epoch


@pytest.mark.parametrize("statement", ["UPDATE journal SET kind = 'claim'", "DELETE FROM journal"])
def test_rows_cannot_be_changed(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "journal.sqlite"
    _filled(path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        sqlite3.connect(path).execute(statement)


@pytest.mark.parametrize(
    ("change", "problem", "seq"),
    [
        ("UPDATE journal SET body = replace(body, '重启', '重开') WHERE seq = 3", "changed", 3),
        ("UPDATE journal SET at_utc = '2026-11-30T08:00:01.000Z' WHERE seq = 2", "changed", 2),
        ("UPDATE journal SET clock_ok = 0 WHERE seq = 5", "changed", 5),
        ("DELETE FROM journal WHERE seq = 2", "gap", 2),
        ("UPDATE journal SET prev_hash = zeroblob(32) WHERE seq = 4", "chain", 4),
    ],
)
def test_verify_names_the_changed_row(tmp_path: Path, change: str, problem: str, seq: int) -> None:
    path = tmp_path / "journal.sqlite"
    _filled(path)
    _unguarded(path).execute(change)
    verdict = verify(path)
    assert (verdict.ok, verdict.problem, verdict.seq) == (False, problem, seq)


def test_a_cut_tail_is_found_by_its_head(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    head = _filled(path)
    _unguarded(path).execute("DELETE FROM journal WHERE seq = 5")
    assert verify(path).ok
    assert verify(path, head[:8]).problem == "head"


def test_a_rewritten_chain_is_found_by_its_head(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    head = _filled(path)
    db = _unguarded(path)
    before = bytes(32)
    for seq, mono, utc, ok, kind, body, _, _ in db.execute("SELECT * FROM journal ORDER BY seq").fetchall():
        body = body.replace(b'"n":2', b'"n":9')
        sealed = row_hash(before, seq, mono, utc, ok, kind, body)
        row = (body, before, sealed, seq)
        db.execute("UPDATE journal SET body = ?, prev_hash = ?, hash = ? WHERE seq = ?", row)
        before = sealed
    assert verify(path).ok
    assert not verify(path, head).ok


@pytest.mark.parametrize("head", ["", "abc", "xyzxyzxy", "0" * 65])
def test_a_seal_has_at_least_eight_hex_digits(tmp_path: Path, head: str) -> None:
    _filled(tmp_path / "journal.sqlite")
    with pytest.raises(JournalError, match="hex"):
        verify(tmp_path / "journal.sqlite", head)


def test_there_is_one_writer(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    with pytest.raises(JournalBusy):
        Journal(tmp_path / "journal.sqlite")
    journal.close()
    Journal(tmp_path / "journal.sqlite").close()


@pytest.mark.parametrize("content", [b"not a database at all" * 100, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_damaged_file_gives_one_clear_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "journal.sqlite"
    path.write_bytes(content)
    with pytest.raises(JournalDamaged, match=r"journal\.sqlite"):
        Journal(path)
    with pytest.raises(JournalDamaged):
        verify(path)


def test_a_page_overwritten_in_the_middle_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    journal = Journal(path)
    for _ in range(200):
        journal.append(FACTS)
    journal.close()
    content = bytearray(path.read_bytes())
    content[20_000:24_000] = b"\xa5" * 4_000
    path.write_bytes(content)
    with pytest.raises(JournalDamaged):
        Journal(path)


def test_a_full_disk_is_told_and_nothing_is_half_written(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    _filled(path)
    journal = Journal(path)
    pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
    journal._db.execute(f"PRAGMA max_page_count={pages}")
    head = journal.head
    with pytest.raises(JournalFull, match="full"):
        journal.append([Fact("machine_event", {"event": "x" * 5000}) for _ in range(50)])
    assert journal.head == head
    journal._db.execute(f"PRAGMA max_page_count={pages + 1000}")
    journal.append([FACTS[0]])
    assert verify(path).ok
    journal.close()


def test_a_missing_file_is_no_ledger(tmp_path: Path) -> None:
    with pytest.raises(JournalDamaged, match="no ledger"):
        verify(tmp_path / "none.sqlite")


def test_export_is_one_row_a_line(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    head = _filled(path)
    out = io.StringIO()
    assert export(path, out) == 5
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert lines[-1]["hash"] == head
    assert lines[0]["body"]["zh"] == "重启"


def test_a_start_cut_off_before_the_first_row_is_completed(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    Journal(path).close()
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM meta")
    journal = Journal(path)
    assert journal.epoch > 0
    journal.append(FACTS[:1])
    journal.close()


def test_rows_without_meta_are_refused_and_left(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    _filled(path)
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM meta")
    with pytest.raises(JournalDamaged, match="the ledger has no version"):
        Journal(path)
    assert len(read_records(path)) == 5


def test_schema_and_meta_are_one_transaction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.sqlite"
    monkeypatch.setattr("controller.journal.SCHEMA", journal_module.SCHEMA + "SELECT no_such_function();")
    with pytest.raises(JournalDamaged):
        Journal(path)
    assert sqlite3.connect(path).execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)


def test_a_broken_chain_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    _filled(path)
    _unguarded(path).execute("UPDATE journal SET body = replace(body, '重启', '重开') WHERE seq = 3")
    with pytest.raises(JournalDamaged, match=r"row 3 .*journal verify"):
        Journal(path)
    assert len(read_records(path)) == 5


@pytest.mark.parametrize("body", ["{", "[]", "\udcff"])
def test_a_body_that_cannot_be_read_names_its_row(tmp_path: Path, body: str) -> None:
    path = tmp_path / "journal.sqlite"
    _filled(path)
    stored = body.encode("utf-8", "surrogateescape")
    _unguarded(path).execute("UPDATE journal SET body = ? WHERE seq = 2", (stored,))
    with pytest.raises(JournalDamaged, match="row 2"):
        read_records(path)
    with pytest.raises(JournalDamaged, match="row 2"):
        export(path, io.StringIO())


def test_a_row_that_makes_no_sense_is_named(tmp_path: Path) -> None:
    rows = [
        Record(1, "machine_event", {"event": "test"}, "00"),
        Record(2, "hand_started", {"hand": 1, "dealer": "Q", "circle": 1, "run": 0}, "01"),
    ]
    with pytest.raises(JournalDamaged, match=r"row 2 \(hand_started\)"):
        fold_records(rows, tmp_path / "ledger.db")


def test_a_held_file_is_named_before_the_heartbeats_stop(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    journal = Journal(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    started = time.monotonic()
    with pytest.raises(JournalBusy):
        journal.append(FACTS[:1])
    assert time.monotonic() - started < 0.6
    other.execute("ROLLBACK")
    assert [row.seq for row in journal.append(FACTS[:1])] == [1]
    journal.close()
