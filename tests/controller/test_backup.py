"""Backups of the ledger: whole while rows are written, and never in the place of rows they do not hold."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from controller.backup import back_up, restore
from controller.errors import JournalBusy, JournalDamaged, JournalError
from controller.facts import Fact
from controller.journal import Journal, verify
from controller.players import Players
from tests.controller.ledgers import OLD, put_back


def write(path: Path, rows: int, word: str = "test") -> None:
    journal = Journal(path)
    for n in range(rows):
        journal.append([Fact("machine_event", {"event": word, "n": n})])
    journal.close()


def left_over(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir() if ".part" in each.name)


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    path = tmp_path / "data" / "ledger.db"
    write(path, 4)
    return path


def test_there_and_back(ledger: Path, tmp_path: Path) -> None:
    copy, place = tmp_path / "copy.db", tmp_path / "new" / "ledger.db"
    told = back_up(ledger, copy)
    assert (told.rows, told.head) == (4, verify(ledger).head)
    assert copy.stat().st_mode & 0o777 == 0o600
    done = restore(copy, place)
    assert (done.verdict, done.aside) == (told, None)
    journal = Journal(place)
    assert journal.append([Fact("machine_event", {"event": "on"})])[0].seq == 5
    with sqlite3.connect(ledger) as db:
        assert db.execute("SELECT value FROM meta WHERE key='epoch'").fetchone()[0] != str(journal.epoch)
    with pytest.raises(sqlite3.DatabaseError, match="append-only"):
        journal._db.execute("DELETE FROM journal")
    journal.close()
    assert left_over(tmp_path) == left_over(place.parent) == []


def test_a_copy_made_while_rows_are_written_is_a_moment_of_the_ledger(ledger: Path, tmp_path: Path) -> None:
    journal, end = Journal(ledger), threading.Event()

    def go_on() -> None:
        while not end.is_set():
            journal.append([Fact("machine_event", {"event": "on"})])

    writer = threading.Thread(target=go_on)
    writer.start()
    try:
        acknowledged = journal.seq
        copies = [back_up(ledger, tmp_path / f"{n}.db") for n in range(5)]
    finally:
        end.set()
        writer.join()
    assert copies[0].rows >= acknowledged
    assert [each.rows for each in copies] == sorted(each.rows for each in copies)
    for told in copies:
        assert verify(ledger, told.head).ok
    journal.close()


def test_what_was_acknowledged_last_is_in_the_copy(ledger: Path, tmp_path: Path) -> None:
    journal = Journal(ledger)
    row = journal.append([Fact("machine_event", {"event": "last"})])[-1]
    assert ledger.with_name("ledger.db-wal").stat().st_size > 0
    assert back_up(ledger, tmp_path / "copy.db").head == row.hash
    journal.close()


def test_no_file_is_written_over(ledger: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_text("mine")
    with pytest.raises(JournalError, match="exists already"):
        back_up(ledger, copy)
    assert copy.read_text() == "mine"
    with pytest.raises(JournalDamaged, match="no such file"):
        back_up(tmp_path / "none.db", tmp_path / "other.db")
    with pytest.raises(JournalError, match="cannot be written"):
        back_up(ledger, tmp_path / "nowhere" / "copy.db")


def test_a_running_service_is_never_replaced(ledger: Path, tmp_path: Path) -> None:
    back_up(ledger, tmp_path / "copy.db")
    journal = Journal(ledger)
    for replace in (False, True):
        with pytest.raises(JournalBusy):
            restore(tmp_path / "copy.db", ledger, replace=replace)
    assert journal.append([Fact("machine_event", {"event": "on"})])[0].seq == 5
    journal.close()


def test_an_older_ledger_is_gone_on_with(ledger: Path, tmp_path: Path) -> None:
    back_up(ledger, tmp_path / "old.db")
    write(ledger, 2, "more")
    told = back_up(ledger, tmp_path / "new.db")
    place = tmp_path / "place" / "ledger.db"
    restore(tmp_path / "old.db", place)
    assert restore(tmp_path / "new.db", place).aside is None
    assert verify(place) == told


@pytest.mark.parametrize("killed", [False, True])
def test_rows_that_the_backup_does_not_have_are_kept_aside(
    ledger: Path, tmp_path: Path, killed: bool
) -> None:
    told = back_up(ledger, tmp_path / "copy.db")
    journal = Journal(ledger)
    row = journal.append([Fact("machine_event", {"event": "newer"})])[-1]
    if killed:  # as a power cut leaves it: the row is in the log only
        names = ("ledger.db", "ledger.db-wal")
        kept = {name: (ledger.parent / name).read_bytes() for name in names}
        journal.close()
        for name, content in kept.items():
            (ledger.parent / name).write_bytes(content)
        assert kept["ledger.db-wal"]
    else:
        journal.close()
    with pytest.raises(JournalError, match="--replace"):
        restore(tmp_path / "copy.db", ledger)
    assert verify(ledger).head == row.hash
    done = restore(tmp_path / "copy.db", ledger, replace=True)
    assert done.aside is not None
    assert verify(done.aside).head == row.hash
    assert verify(ledger) == told


def test_a_damaged_ledger_is_kept_aside_as_it_is(ledger: Path, tmp_path: Path) -> None:
    told = back_up(ledger, tmp_path / "copy.db")
    ledger.write_bytes(b"no ledger at all")
    with pytest.raises(JournalError, match="--replace"):
        restore(tmp_path / "copy.db", ledger)
    done = restore(tmp_path / "copy.db", ledger, replace=True)
    assert done.aside is not None
    assert done.aside.read_bytes() == b"no ledger at all"
    assert verify(ledger) == told


def test_a_snapshot_does_not_outlive_its_ledger(ledger: Path, tmp_path: Path) -> None:
    back_up(ledger, tmp_path / "copy.db")
    snapshot = ledger.with_name("ledger.snapshot")
    snapshot.write_text("of another ledger")
    restore(tmp_path / "copy.db", ledger)
    assert not snapshot.exists()


def spoil(copy: Path, how: str) -> None:
    if how == "cut":
        os.truncate(copy, copy.stat().st_size // 2)
        return
    if how == "text":
        copy.write_text("no ledger")
        return
    with sqlite3.connect(copy) as db:
        if how == "changed":
            db.execute("DROP TRIGGER journal_no_update")
            trigger = "CREATE TRIGGER journal_no_update BEFORE UPDATE ON journal BEGIN SELECT 1; END"
            db.execute("UPDATE journal SET body = '{}' WHERE seq = 2")
            db.execute(trigger)
        elif how == "no trigger":
            db.execute("DROP TRIGGER journal_no_update")
        elif how == "newer":
            db.execute("UPDATE meta SET value = '99' WHERE key = 'version'")
        else:
            db.execute("DELETE FROM meta")
    db.close()


@pytest.mark.parametrize("how", ["cut", "text", "changed", "no trigger", "newer", "no epoch"])
def test_a_bad_backup_is_refused_and_nothing_changes(ledger: Path, tmp_path: Path, how: str) -> None:
    copy = tmp_path / "copy.db"
    back_up(ledger, copy)
    spoil(copy, how)
    before = verify(ledger)
    for replace in (False, True):
        with pytest.raises(JournalDamaged, match=r"\S+ / \S+"):
            restore(copy, ledger, replace=replace)
    assert verify(ledger) == before
    assert left_over(ledger.parent) == []


def test_a_damaged_ledger_is_not_backed_up(ledger: Path, tmp_path: Path) -> None:
    spoil(ledger, "changed")
    with pytest.raises(JournalDamaged, match="row 2: changed"):
        back_up(ledger, tmp_path / "copy.db")
    assert list(tmp_path.glob("copy*")) == []


@pytest.mark.parametrize("old", sorted(OLD.glob("*.jsonl")), ids=lambda old: old.stem)
def test_old_ledgers_go_there_and_back(old: Path, tmp_path: Path) -> None:
    put_back(old, tmp_path / "ledger.db")
    told = back_up(tmp_path / "ledger.db", tmp_path / "copy.db")
    restore(tmp_path / "copy.db", tmp_path / "new" / "ledger.db")
    assert verify(tmp_path / "new" / "ledger.db") == told


@pytest.mark.parametrize("scene", ["on", "replaced", "log"])
def test_kill_9_at_every_step_of_a_restore_loses_no_row(scene: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.controller.restore_killed", scene, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    kills, new = map(int, done.stdout.split())
    assert kills > 10
    assert 0 < new < kills, "some kills were before the ledger was replaced, and some after"


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "controller.cli", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_as_a_person_runs_it(ledger: Path, tmp_path: Path) -> None:
    players = Players(ledger.with_name("players.db"))
    players.rename("p1", "龙井")
    players.close()
    copy, seal = tmp_path / "copy.db", verify(ledger).head[:8]
    done = run("backup", str(copy), "--data", str(ledger.parent))
    assert (done.returncode, done.stderr) == (0, "")
    assert f"4 rows, every seal right, 账本印 {seal}" in done.stdout
    assert "不含姓名和照片" in done.stdout
    assert "龙井".encode() not in copy.read_bytes()
    again = run("backup", str(copy), "--data", str(ledger.parent))
    assert (again.returncode, again.stdout, len(again.stderr.splitlines())) == (1, "", 1)
    write(ledger, 1, "more")
    refused = run("restore", str(copy), "--data", str(ledger.parent))
    assert (refused.returncode, refused.stdout, len(refused.stderr.splitlines())) == (1, "", 1)
    assert refused.stderr.startswith("mahjong-table: ")
    done = run("restore", str(copy), "--replace", "--data", str(ledger.parent))
    assert (done.returncode, done.stderr) == (0, "")
    assert f"4 rows, every seal right, 账本印 {seal}" in done.stdout
    assert "ledger.replaced-" in done.stdout
    assert run("backup").returncode == run("restore").returncode == 2
