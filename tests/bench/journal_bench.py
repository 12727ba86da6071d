"""What a hand costs the ledger's disk: hands of the twin, their commits written again and counted.

Counted is what the process gives to `write` (`wchar` of /proc/self/io): the write-ahead log, and the pages
that checkpoints write once more. A disk takes no less than a block of 4 KiB, so what it is sent is told too
(`write_bytes`, the wear of a card; the file system's own log comes on top): nothing where the folder for
temporary files is in memory. What would make it less is tried as well; see docs/journal.md.
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from controller.config import journal_path
from controller.facts import Fact, Record
from controller.journal import Journal, Stamp, read_records
from controller.journal_rows import body_bytes
from tests.bench.row import Row

HANDS = 3
ROUNDS = 20
"""The hands are written so often that what a file costs once, and the last checkpoint, weigh little."""
Commits = Sequence[Sequence[Fact]]
STEPS = frozenset({"open", "load", "close", "throw", "spin", "read"})
"""Steps of the machine that its STATUS would tell anew after a restart; not BUILDING build, not LIFTING."""
MOMENT = Stamp(123_456_789, "2026-11-30T08:00:00.000Z", True)


@dataclass(frozen=True, slots=True)
class Way:
    """A way to store rows: pages, columns, what is done with a body."""

    name: str
    page: int = 512
    columns: str = "seq, mono, utc, ok, kind, body, prev, hash"
    packed: bool = False


PLAIN = Way("plain")
LEAN = Way("lean", columns="seq, mono, utc, kind, body, hash")
"""The seal of the row before is not stored twice, time and kind are numbers."""
PACKED = Way("packed", columns=LEAN.columns, packed=True)
"""Bodies are deflated with a dictionary of another hand's bodies."""


def rows() -> list[Row]:
    """Return the bytes written per hand, by the journal as it is and by what was tried."""
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        words = ["twin", "play", "--hands", str(HANDS), "--seed", "1", "--variant", "mcr", "--json"]
        words += ["--keep", f"{folder}/played"]
        subprocess.run([sys.executable, "-m", "controller.cli", *words], check=True, capture_output=True)
        first, played = hands_of(read_records(journal_path(folder / "played")))
        hands = HANDS - 1
        return [*as_it_is(folder, played, hands), *tried(folder, first, played, hands)]


def hands_of(records: Sequence[Record]) -> tuple[list[list[Fact]], list[list[Fact]]]:
    """Return the commits of the first hand, and those of the others."""
    start = [record.seq for record in records if record.kind == "hand_started"][1]
    commits = [list(each) for _, each in groupby(records, lambda record: record.at_mono)]
    told = [(each[0].seq, [Fact(record.kind, record.body) for record in each]) for each in commits]
    return [facts for seq, facts in told if seq < start], [facts for seq, facts in told if seq >= start]


def as_it_is(folder: Path, played: Commits, hands: int) -> list[Row]:
    """Return what the journal itself writes."""
    path = folder / "again.db"
    journal = Journal(path, clock=lambda: MOMENT)
    size, before, sent_before = path.stat().st_size, written(), written("write_bytes")
    for _ in range(ROUNDS):
        for facts in played:
            journal.append(facts)
    journal.close()
    total, grown = written() - before, path.stat().st_size - size
    sent = written("write_bytes") - sent_before
    per = hands * ROUNDS * 1024
    return [
        Row("journal: bytes written per hand, log and checkpoints", total / per, "KiB", "<= 16"),
        Row("journal: sent to the disk per hand, in its blocks", sent / per, "KiB"),
        Row("journal: file growth per hand", grown / per, "KiB"),
        Row("journal: commits per hand", len(played) / hands, ""),
        Row("journal: rows per hand", sum(map(len, played)) / hands, ""),
    ]


def tried(folder: Path, first: Commits, played: Commits, hands: int) -> list[Row]:
    """Return what other ways would write; none of them is how the journal works."""
    dictionary = b"".join(body_bytes(fact) for facts in first for fact in facts)
    late, bare, whole = merged(played, drop=False), merged(played, drop=True), one_a_hand(played)
    cases: list[tuple[str, Way, Commits]] = [
        ("pages of 1024 bytes", Way("plain", page=1024), played),
        ("pages of 4096 bytes", Way("plain", page=4096), played),
        ("lean columns", LEAN, played),
        ("lean, bodies packed", PACKED, played),
        ("machine steps wait for the next fact", PLAIN, late),
        ("machine steps wait, lean", LEAN, late),
        ("machine steps wait, lean, packed", PACKED, late),
        ("no machine steps, lean, packed", PACKED, bare),
        ("one commit a hand", PLAIN, whole),
        ("one commit a hand, lean", LEAN, whole),
    ]
    return [
        Row(f"journal, tried: {name}", cost(folder, way, commits, dictionary) / hands / 1024, "KiB")
        for name, way, commits in cases
    ]


def merged(commits: Commits, *, drop: bool) -> list[list[Fact]]:
    """Return the commits with those of machine steps alone joined to the next one, or left out."""
    made: list[list[Fact]] = []
    waiting: list[Fact] = []
    for facts in commits:
        if all(is_step(fact) for fact in facts):
            waiting += [] if drop else facts
        else:
            made.append([*waiting, *(fact for fact in facts if not (drop and is_step(fact)))])
            waiting = []
    return made


def is_step(fact: Fact) -> bool:
    """Return whether a fact is a step of the machine within a phase."""
    return fact.kind == "lamp_read" or (fact.kind == "phase" and fact.body["step"] in STEPS)


def one_a_hand(commits: Commits) -> list[list[Fact]]:
    """Return each hand as one commit."""
    made: list[list[Fact]] = []
    for facts in commits:
        if not made or any(fact.kind == "hand_started" for fact in facts):
            made.append([])
        made[-1] += facts
    return made


def cost(folder: Path, way: Way, commits: Commits, dictionary: bytes) -> float:
    """Return the bytes written for the commits, checkpoints counted."""
    path = folder / "tried.db"
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(f"PRAGMA page_size={way.page}")
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA wal_autocheckpoint=256")
    db.execute(f"CREATE TABLE journal ({way.columns.replace('seq', 'seq INTEGER PRIMARY KEY', 1)})")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    insert = f"INSERT INTO journal VALUES ({','.join('?' * len(way.columns.split(',')))})"
    pack = _packer(dictionary) if way.packed else bytes
    before, seq = written(), 0
    for _ in range(ROUNDS):
        for facts in commits:
            db.execute("BEGIN IMMEDIATE")
            for fact in facts:
                seq += 1
                db.execute(insert, _values(way, seq, fact, pack(body_bytes(fact))))
            db.execute("COMMIT")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    total = written() - before
    db.close()
    for file in folder.glob("tried.db*"):
        file.unlink()
    return total / ROUNDS


def _packer(dictionary: bytes) -> Callable[[bytes], bytes]:
    def pack(body: bytes) -> bytes:
        press = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, dictionary)
        return press.compress(body) + press.flush()

    return pack


def _values(way: Way, seq: int, fact: Fact, body: bytes) -> tuple[object, ...]:
    seal = seq.to_bytes(32, "big")
    if way.columns == LEAN.columns:
        return (seq, MOMENT.at_mono + 2_000 * seq, 1_796_000_000_000 + 2_000 * seq, 7, body, seal)
    return (seq, MOMENT.at_mono + 2_000 * seq, MOMENT.at_utc, 1, fact.kind, body, seal, seal)


def written(field: str = "wchar") -> int:
    """Return the bytes that this process has given to `write` so far; `write_bytes`: that went to a disk."""
    lines = Path("/proc/self/io").read_text().splitlines()
    return int(dict(line.split(": ") for line in lines)[field])
