"""How long a service with years of hands takes to be ready: `python -m tests.bench start`.

A ledger of `HANDS` hands is made from a recorded one, then a service is started on it, without a snapshot and
with one; the same service with an empty ledger, in the same run, is the measure. Then the check of all rows
that runs behind a start is run alone. `python -m tests.bench.start_bench 100000` does it at full size (some
minutes, 2 GiB of disk), with `recheck` behind it only that check.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from controller.config import journal_path
from controller.facts import Fact
from controller.journal import Journal
from controller.journal_rows import ZERO, Row, body_bytes, row_hash
from controller.snapshots import EVERY_ROWS, SnapshotKeeper, open_ledger, snapshot_path
from tests.bench.row import Row as Figure
from tests.controller.ledgers import hand_facts, start_facts

HANDS = 2_000
GAME_HANDS = 500
"""Hands of a game: a new one starts as at a club's table."""


def rows(hands: int = HANDS) -> list[Figure]:
    """Return seconds and processor seconds from the start of the service to its address, and its memory."""
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        ready(folder / "first")  # what is read from the disk for the first time weighs on none of them
        empty = ready(folder / "empty")
        path = journal_path(folder)
        count = make(path, hands)
        whole = ready(folder)
        keep(path)
        short = ready(folder)
        again = rechecks(path, hands)
    named = f"start with {hands} hands ({count} rows)"
    return [
        Figure(f"{named}: ready after", short[0], "s", "<= 3"),
        Figure("start with an empty ledger: ready after", empty[0], "s"),
        Figure(f"{named}: processor time", short[1], "s"),
        Figure("start with an empty ledger: processor time", empty[1], "s"),
        Figure("start with these hands / empty: ready after", short[0] / empty[0], "x"),
        Figure("start with these hands / empty: processor time", short[1] / empty[1], "x"),
        Figure(f"{named}: memory", short[2], "MiB", "<= 120"),
        Figure(f"{named}, no snapshot: ready after", whole[0], "s"),
        Figure(f"{named}, no snapshot: processor time", whole[1], "s"),
        *again,
    ]


def recheck_rows(hands: int) -> list[Figure]:
    """Return what the check of a whole ledger of so many hands takes."""
    with tempfile.TemporaryDirectory() as text:
        path = journal_path(Path(text))
        path.parent.mkdir(parents=True, exist_ok=True)
        make(path, hands)
        keep(path)
        return rechecks(path, hands)


def rechecks(path: Path, hands: int) -> list[Figure]:
    """Return what `python -m controller.recheck` takes for every row of a ledger and its snapshot.

    Raises:
        RuntimeError: if it finds something wrong.
    """
    process = subprocess.Popen([sys.executable, "-m", "controller.recheck", str(path)])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"recheck says {process.returncode}")
    with closing(sqlite3.connect(path)) as db:
        (count,) = db.execute("SELECT MAX(seq) FROM journal").fetchone()
    cpu = usage.ru_utime + usage.ru_stime
    named = f"recheck of {hands} hands ({count} rows)"
    return [
        Figure(f"{named}: processor time", cpu, "s"),
        Figure(f"{named}: processor time of a row", 1e6 * cpu / count, "us"),
        Figure(f"{named}: memory", usage.ru_maxrss / 1024, "MiB"),
    ]


def make(path: Path, hands: int) -> int:
    """Write a ledger of so many hands, sealed as the service would; returns the number of its rows."""
    Journal(path).close()
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA synchronous=OFF")
    count = 0

    def counted() -> Iterator[Row]:
        nonlocal count
        for row in sealed(facts_of(hands)):
            count = row[0]
            yield row

    db.execute("BEGIN")
    db.executemany("INSERT INTO journal VALUES (?,?,?,?,?,?,?,?)", counted())
    db.execute("COMMIT")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    return count


def facts_of(hands: int) -> Iterator[tuple[str, bytes]]:
    """Yield kind and body of the facts of so many hands."""
    start = [(fact.kind, body_bytes(fact)) for fact in start_facts()]
    hand = [(fact.kind, fact) for fact in hand_facts(1)]
    stored = [(kind, fact, body_bytes(fact)) for kind, fact in hand]
    for number in range(hands):
        if number % GAME_HANDS == 0:
            yield from start
        for kind, fact, body in stored:
            if kind in ("hand_started", "settled"):
                body = body_bytes(Fact(kind, {**fact.body, "hand": number % GAME_HANDS + 1}))
            yield kind, body


def sealed(facts: Iterator[tuple[str, bytes]]) -> Iterator[Row]:
    """Yield rows in a chain, three seconds apart."""
    head, at_utc = ZERO, "2026-11-30T08:00:00.000Z"
    for seq, (kind, body) in enumerate(facts, start=1):
        seal = row_hash(head, seq, seq * 3_000, at_utc, 1, kind, body)
        yield (seq, seq * 3_000, at_utc, 1, kind, body, head, seal)
        head = seal


def keep(path: Path) -> None:
    """Let the snapshot be written that a running service would have written, and as many rows after it."""
    opened = open_ledger(path)
    keeper = SnapshotKeeper(snapshot_path(path), 0)
    keeper.committed(opened.state, opened.history)
    keeper.close()
    made = 0
    while made < EVERY_ROWS - 1:
        made += len(opened.journal.append(list(hand_facts(1))))
    opened.journal.close()


def ready(folder: Path) -> tuple[float, float, float]:
    """Start a service and end it; returns seconds, processor seconds and MiB when it told its address."""
    words = [sys.executable, "-m", "controller.cli", "run", "--port", "0", "--variant", "mcr"]
    began = time.monotonic()
    with subprocess.Popen([*words, "--data", str(folder)], stdout=subprocess.PIPE, text=True) as service:
        assert service.stdout is not None
        line = service.stdout.readline()
        taken = time.monotonic() - began
        assert "http://" in line, line
        place = Path(f"/proc/{service.pid}")
        times = (place / "stat").read_text().rpartition(")")[2].split()
        cpu = (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")
        memory = int((place / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
        service.send_signal(signal.SIGTERM)
    return taken, cpu, memory


if __name__ == "__main__":
    for figure in (recheck_rows if "recheck" in sys.argv[2:] else rows)(int(sys.argv[1])):
        print(figure.text(), flush=True)
