"""`mahjong-table journal` as a person runs it."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from controller.facts import Fact
from controller.journal import Journal


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "controller.cli", "journal", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    journal = Journal(tmp_path / "ledger.db")
    for n in range(4):
        journal.append([Fact("machine_event", {"event": "test", "n": n})])
    journal.close()
    return tmp_path


def head(data: Path) -> str:
    return str(json.loads(run("verify", "--json", "--data", str(data)).stdout)["head"])


def test_a_whole_ledger(data: Path) -> None:
    done = run("verify", "--data", str(data))
    assert (done.returncode, done.stderr) == (0, "")
    assert "4 rows" in done.stdout
    assert head(data)[:8] in done.stdout
    assert run("verify", "--head", head(data)[:8], "--data", str(data)).returncode == 0


def test_a_seal_that_is_not_part_of_it(data: Path) -> None:
    done = run("verify", "--head", "00000000", "--data", str(data))
    assert done.returncode == 1
    assert done.stderr.startswith("mahjong-table: ")
    assert "cut or rewritten" in done.stderr


def test_a_cut_tail_is_found_by_the_seal(data: Path) -> None:
    seal = head(data)[:8]
    with sqlite3.connect(data / "ledger.db") as db:
        db.execute("DROP TRIGGER journal_no_delete")
        db.execute("DELETE FROM journal WHERE seq = 4")
    assert run("verify", "--data", str(data)).returncode == 0
    assert run("verify", "--head", seal, "--data", str(data)).returncode == 1


def test_a_changed_row_is_named(data: Path) -> None:
    with sqlite3.connect(data / "ledger.db") as db:
        db.execute("DROP TRIGGER journal_no_update")
        db.execute("UPDATE journal SET body = ? WHERE seq = 2", (b'{"event":"test","n":7}',))
    done = run("verify", "--json", "--data", str(data))
    assert done.returncode == 1
    assert "row 2 was changed" in done.stderr
    assert json.loads(done.stdout)["seq"] == 2


def test_replay_and_export(data: Path) -> None:
    state = json.loads(run("replay", "--json", "--data", str(data)).stdout)
    assert (state["seq"], state["head"], state["phase"]) == (4, head(data), "IDLE")
    rows = [json.loads(line) for line in run("export", "--data", str(data)).stdout.splitlines()]
    assert [row["body"]["n"] for row in rows] == [0, 1, 2, 3]
    assert [row["prev_hash"] for row in rows[1:]] == [row["hash"] for row in rows[:-1]]
    done = run("export", "--out", str(data / "rows.jsonl"), "--data", str(data))
    assert done.returncode == 0
    assert len((data / "rows.jsonl").read_text().splitlines()) == 4


def test_no_ledger_and_no_seal(tmp_path: Path) -> None:
    done = run("verify", "--data", str(tmp_path))
    assert done.returncode == 1
    assert "no ledger" in done.stderr
    assert run("verify", "--head", "xyz").returncode == 2
