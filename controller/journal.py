"""The ledger: one SQLite file, append-only, every row sealed over the one before. One writer.

A row is (seq, at_mono, at_utc, clock_ok, kind, body, prev_hash, hash). `hash` is SHA-256 over prev_hash,
seq, at_mono, at_utc, clock_ok, kind and the body bytes as stored; each field is preceded by its length
(4 bytes, big endian), numbers are decimal ASCII, clock_ok is 0 or 1, the first prev_hash is 32 zero bytes.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TextIO

from controller.errors import JournalBusy, JournalDamaged, JournalError, JournalFull
from controller.facts import KINDS, Fact, Record

ZERO = bytes(32)
VERSION = 1
PAGE_BYTES = 512
"""Small pages: a commit of one or two rows rewrites one or two of them (budget: 16 KiB a hand)."""

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE journal (
  seq INTEGER PRIMARY KEY, at_mono INTEGER NOT NULL, at_utc TEXT NOT NULL, clock_ok INTEGER NOT NULL,
  kind TEXT NOT NULL, body BLOB NOT NULL, prev_hash BLOB NOT NULL, hash BLOB NOT NULL);
CREATE TRIGGER journal_no_update BEFORE UPDATE ON journal BEGIN SELECT RAISE(ABORT, 'append-only'); END;
CREATE TRIGGER journal_no_delete BEFORE DELETE ON journal BEGIN SELECT RAISE(ABORT, 'append-only'); END;
"""
_HEAD = re.compile(r"[0-9a-fA-F]{8,64}")
_COLUMNS = "seq, at_mono, at_utc, clock_ok, kind, body, prev_hash, hash"
Row = tuple[int, int, str, int, str, bytes, bytes, bytes]


@dataclass(frozen=True, slots=True)
class Stamp:
    """The time of a row: monotonic milliseconds, UTC text, whether the wall clock can be trusted."""

    at_mono: int
    at_utc: str
    clock_ok: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `verify` found: `problem` is None, changed, chain, gap or head; `seq` is the first bad row."""

    ok: bool
    rows: int
    head: str
    problem: str | None = None
    seq: int | None = None


def wall_clock() -> Stamp:
    """Return the time now, taking the wall clock as trusted."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return Stamp(time.monotonic_ns() // 1_000_000, now, True)


def body_bytes(fact: Fact) -> bytes:
    """Return the body as it is stored: compact JSON, sorted keys, UTF-8."""
    return json.dumps(
        fact.body, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    ).encode()


def row_hash(
    prev_hash: bytes, seq: int, at_mono: int, at_utc: str, clock_ok: int, kind: str, body: bytes
) -> bytes:
    """Return the seal of a row."""
    digest = hashlib.sha256()
    numbers = (b"%d" % seq, b"%d" % at_mono, at_utc.encode(), b"%d" % clock_ok)
    for field in (prev_hash, *numbers, kind.encode(), body):
        digest.update(len(field).to_bytes(4, "big") + field)
    return digest.digest()


class Journal:
    """The writer. Appending is durable when `append` returns; use from any thread, one at a time."""

    def __init__(self, path: Path | str, *, clock: Callable[[], Stamp] = wall_clock) -> None:
        """Open or create the journal at `path`.

        Raises:
            JournalBusy: if another process writes it.
            JournalDamaged: if the file is not a whole journal.
            JournalFull: if it cannot be written.
        """
        self.path = Path(path)
        self._clock = clock
        self._lock = threading.Lock()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._guard = _take_guard(self.path)
        try:
            self._db = self._open()
            self.epoch = int(self._meta("epoch"))
            self.seq, self._head = self._last()
        except sqlite3.OperationalError as error:
            self._guard.close()
            raise _operational(error, self.path) from error
        except (sqlite3.DatabaseError, TypeError, ValueError) as error:
            self._guard.close()
            raise JournalDamaged(f"{self.path}: the ledger cannot be read ({error})") from error
        except JournalError:
            self._guard.close()
            raise

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=5.0)
        db.execute(f"PRAGMA page_size={PAGE_BYTES}")
        if db.execute("PRAGMA journal_mode=WAL").fetchone()[0] != "wal":
            raise JournalDamaged(f"{self.path}: this place cannot hold a write-ahead log")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("PRAGMA wal_autocheckpoint=256")
        if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
            self._create(db)
        found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise JournalDamaged(f"{self.path}: the ledger is damaged ({found})")
        return db

    def _create(self, db: sqlite3.Connection) -> None:
        db.executescript(f"BEGIN; {_SCHEMA} COMMIT;")
        with suppress(AttributeError):
            os.chmod(self.path, 0o600)
        values = {"version": str(VERSION), "epoch": str(secrets.randbelow(2**31 - 1) + 1)}
        db.executemany("INSERT INTO meta VALUES (?, ?)", values.items())

    def _meta(self, key: str) -> str:
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise JournalDamaged(f"{self.path}: the ledger has no {key}")
        return str(row[0])

    def _last(self) -> tuple[int, bytes]:
        row = self._db.execute("SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1").fetchone()
        return (0, ZERO) if row is None else (int(row[0]), bytes(row[1]))

    @property
    def head(self) -> str:
        """Hash of the last row in hex; its first 8 digits are the seal (账本印)."""
        return self._head.hex()

    def append(self, facts: Iterable[Fact]) -> tuple[Record, ...]:
        """Write facts in one transaction and return their rows once they are on disk.

        Raises:
            JournalFull: if nothing could be written; the journal is as before.
        """
        with self._lock:
            records, rows, head, seq = [], [], self._head, self.seq
            at = self._clock()
            for fact in facts:
                seq += 1
                body = body_bytes(fact)
                sealed = row_hash(head, seq, at.at_mono, at.at_utc, int(at.clock_ok), fact.kind, body)
                rows.append((seq, at.at_mono, at.at_utc, int(at.clock_ok), fact.kind, body, head, sealed))
                records.append(
                    Record(seq, fact.kind, json.loads(body), sealed.hex(), at.at_mono, at.at_utc, at.clock_ok)
                )
                head = sealed
            self._write(rows)
            self.seq, self._head = seq, head
            return tuple(records)

    def _write(self, rows: list[Row]) -> None:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT INTO journal VALUES (?,?,?,?,?,?,?,?)", rows)
            self._db.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            if isinstance(error, sqlite3.OperationalError):
                raise _operational(error, self.path) from error
            raise JournalDamaged(f"{self.path}: the ledger cannot be written ({error})") from error

    def replay(self, after: int = 0) -> Iterator[Record]:
        """Yield the rows after `after`, in order."""
        with self._lock:
            rows = _rows(self._db, after)
        return (_record(row) for row in rows)

    def close(self) -> None:
        """Close the file; the writer's place is free again."""
        with self._lock:
            self._db.close()
            self._guard.close()


def _take_guard(path: Path) -> IO[bytes]:
    guard = open(path.with_name(path.name + ".lock"), "ab")  # noqa: SIM115 - held as long as the journal
    try:
        fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        guard.close()
        raise JournalBusy(f"{path}: another service writes this ledger") from error
    return guard


def _operational(error: sqlite3.OperationalError, path: Path) -> JournalError:
    text = str(error)
    if any(word in text for word in ("full", "readonly", "read-only", "I/O", "unable to open")):
        return JournalFull(f"{path}: the ledger cannot be written ({text}); nothing was lost, make room")
    if "locked" in text:
        return JournalBusy(f"{path}: the ledger is in use ({text})")
    return JournalDamaged(f"{path}: the ledger cannot be used ({text})")


def _rows(db: sqlite3.Connection, after: int) -> list[Row]:
    return db.execute(f"SELECT {_COLUMNS} FROM journal WHERE seq > ? ORDER BY seq", (after,)).fetchall()


def _record(row: Row) -> Record:
    seq, at_mono, at_utc, clock_ok, kind, body, _, sealed = row
    return Record(seq, kind, json.loads(body), bytes(sealed).hex(), at_mono, at_utc, bool(clock_ok))


# ---------------------------------------------------------------------- readers (no writer's place needed)


def read_rows(path: Path | str) -> list[Row]:
    """Return all rows of a journal without writing to it.

    Raises:
        JournalDamaged: if the file is missing or not a whole journal.
    """
    file = Path(path)
    if not file.is_file():
        raise JournalDamaged(f"{file}: there is no ledger here")
    try:
        db = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)
        try:
            return _rows(db, 0)
        finally:
            db.close()
    except sqlite3.DatabaseError as error:
        raise JournalDamaged(f"{file}: the ledger cannot be read ({error})") from error


def read_records(path: Path | str) -> list[Record]:
    """Return all rows as records, without writing to the journal."""
    try:
        return [_record(row) for row in read_rows(path)]
    except (ValueError, TypeError) as error:
        raise JournalDamaged(f"{path}: a row cannot be read ({error})") from error


def verify(path: Path | str, head: str | None = None) -> Verdict:
    """Check every row's seal and the chain; with `head` (at least 8 hex digits) that it is still part of it.

    A head that stood on a settlement must be the seal of some row; a cut or rewritten chain has lost it.

    Raises:
        JournalDamaged: if the file cannot be read at all.
        JournalError: if `head` is no seal.
    """
    if head is not None and not _HEAD.fullmatch(head):
        raise JournalError(f"a seal is 8 to 64 hex digits, not {head!r}")
    rows = read_rows(path)
    before, seen = ZERO, []
    for count, row in enumerate(rows, start=1):
        problem = _row_problem(row, count, before)
        if problem is not None:
            return Verdict(False, len(rows), before.hex(), problem, count)
        before = bytes(row[7])
        seen.append(before.hex())
    if head is not None and not any(each.startswith(head.lower()) for each in seen):
        return Verdict(False, len(rows), before.hex(), "head")
    return Verdict(True, len(rows), before.hex())


def _row_problem(row: Row, count: int, before: bytes) -> str | None:
    seq, at_mono, at_utc, clock_ok, kind, body, prev_hash, sealed = row
    if seq != count:
        return "gap"
    if prev_hash != before:
        return "chain"
    try:
        good = row_hash(bytes(prev_hash), seq, at_mono, at_utc, clock_ok, kind, bytes(body))
    except (TypeError, AttributeError, ValueError):
        return "changed"
    return None if good == sealed and kind in KINDS else "changed"


def export(path: Path | str, sink: TextIO) -> int:
    """Write the journal as JSON lines, one row a line with its hashes; returns the number of rows."""
    rows = read_rows(path)
    for seq, at_mono, at_utc, clock_ok, kind, body, prev_hash, sealed in rows:
        line = {
            "seq": seq,
            "at_mono": at_mono,
            "at_utc": at_utc,
            "clock_ok": bool(clock_ok),
            "kind": kind,
            "body": json.loads(body),
            "prev_hash": bytes(prev_hash).hex(),
            "hash": bytes(sealed).hex(),
        }
        sink.write(json.dumps(line, ensure_ascii=False) + "\n")
    return len(rows)
