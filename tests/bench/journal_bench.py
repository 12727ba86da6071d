"""What a hand costs the ledger's disk: hands of the twin, their commits written again and counted."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from itertools import groupby
from pathlib import Path

from controller.config import journal_path
from controller.facts import Fact
from controller.journal import Journal, Stamp, read_records
from tests.bench.row import Row

HANDS = 2


def rows() -> list[Row]:
    """Return bytes of write-ahead log and of file growth for each hand; checkpoints write the pages again."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["twin", "play", "--hands", str(HANDS), "--seed", "1", "--json", "--keep", f"{folder}/played"]
        subprocess.run([sys.executable, "-m", "controller.cli", *words], check=True, capture_output=True)
        records = read_records(journal_path(Path(folder) / "played"))
        commits = [list(each) for _, each in groupby(records, lambda record: record.at_mono)]
        return measured(Path(folder) / "again.db", [[Fact(r.kind, r.body) for r in each] for each in commits])


def measured(path: Path, commits: list[list[Fact]]) -> list[Row]:
    """Write the commits without checkpoints, so that the log keeps all that was written."""
    journal = Journal(path, clock=lambda: Stamp(123_456, "2026-11-30T08:00:00.000Z", True))
    journal._db.execute("PRAGMA wal_autocheckpoint=0")
    journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    log, before = path.with_name(path.name + "-wal"), path.stat().st_size
    for facts in commits:
        journal.append(facts)
    written = log.stat().st_size
    journal.close()
    grown = path.stat().st_size - before
    return [
        Row("journal: bytes written per hand", written / HANDS / 1024, "KiB", "<= 16"),
        Row("journal: file growth per hand", grown / HANDS / 1024, "KiB"),
        Row("journal: commits per hand", len(commits) / HANDS, ""),
    ]
