"""What was acknowledged is there after any crash: kill -9 at random moments, logs torn in every way."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from controller.facts import Fact
from controller.journal import Journal, read_records, verify
from tests.controller.ledgers import hand_facts, start_facts

KILLS = 10
WRITER = """
import sys
from controller.facts import Fact
from controller.journal import Journal
journal = Journal(sys.argv[1])
while True:
    row = journal.append([Fact("machine_event", {"event": "test", "text": "x" * (journal.seq % 700)})])[-1]
    print(row.seq, row.hash, flush=True)
"""


def test_kill_9_at_random_moments_loses_nothing_acknowledged(tmp_path: Path) -> None:
    path, chance = tmp_path / "ledger.db", random.Random(6)
    acknowledged = 0
    for _ in range(KILLS):
        words = [sys.executable, "-c", WRITER, str(path)]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            lines = [writer.stdout.readline()]
            time.sleep(chance.uniform(0, 0.05))  # a moment, not a wait for something
            os.kill(writer.pid, signal.SIGKILL)
            lines += [line for line in writer.stdout if line.endswith("\n")]
        seq, head = lines[-1].split()
        assert int(seq) > acknowledged
        acknowledged = int(seq)
        verdict = verify(path, head)
        assert verdict.ok, verdict
        assert acknowledged <= verdict.rows <= acknowledged + 1, "one row may be on disk and not told yet"
    journal = Journal(path)
    assert journal.seq >= acknowledged
    journal.append([Fact("machine_event", {"event": "test"})])
    journal.close()


def written(folder: Path) -> tuple[Path, list[tuple[int, int]]]:
    """Write a hand; return the ledger with its log, and (bytes of the log, rows) after each commit."""
    path = folder / "whole" / "ledger.db"
    journal = Journal(path)
    log = path.with_name("ledger.db-wal")
    commits = []
    for fact in (*start_facts(), *hand_facts(1)):
        journal.append([fact])
        commits.append((log.stat().st_size, journal.seq))
    # copied while it is open: a closed ledger has no log
    shutil.copytree(path.parent, folder / "crashed")
    journal.close()
    return folder / "crashed" / "ledger.db", commits


def rows_after(path: Path, folder: Path, tear: bytes) -> int:
    """Return how many rows a ledger has whose log is `tear`; it must be whole and go on."""
    folder.mkdir()
    for name in ("ledger.db", "ledger.db-wal"):
        shutil.copy(path.with_name(name), folder / name)
    (folder / "ledger.db-wal").write_bytes(tear)
    journal = Journal(folder / "ledger.db")
    rows = journal.seq
    whole = read_records(path)
    assert list(journal.replay()) == whole[:rows]
    journal.append([Fact("machine_event", {"event": "test"})])
    journal.close()
    assert verify(folder / "ledger.db").rows == rows + 1
    return rows


@pytest.mark.parametrize("spoil", ["cut", "zeros", "noise", "a bit"])
def test_a_torn_log_keeps_every_commit_before_the_tear(spoil: str, tmp_path: Path) -> None:
    path, commits = written(tmp_path)
    log = path.with_name("ledger.db-wal").read_bytes()
    chance = random.Random(spoil)
    first = commits[0][0]
    for number in range(12):
        at = chance.randrange(first, len(log))
        tail = {
            "cut": b"",
            "zeros": bytes(len(log) - at),
            "noise": chance.randbytes(len(log) - at),
            "a bit": bytes([log[at] ^ 1 << chance.randrange(8)]) + log[at + 1 :],
        }[spoil]
        whole = max(rows for size, rows in commits if size <= at)
        rows = rows_after(path, tmp_path / str(number), log[:at] + tail)
        assert rows == whole, f"torn at {at}"
