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
from typing import IO, Any, TextIO

from controller.errors import JournalBusy, JournalDamaged, JournalError, JournalFull
from controller.facts import KINDS, Fact, Record
from controller.fold import fold
from controller.state import TableState

ZERO = bytes(32)
VERSION = 1
BUSY_S = 0.25
"""A reader that holds the file up for longer is named: the board's heartbeats must not wait for it."""
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

        Every seal is checked: a broken chain is never gone on with.

        Raises:
            JournalBusy: if another process writes it.
            JournalDamaged: if the file is not a whole journal; it is left as it is.
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
            self.seq, self._head = self._checked()
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
        db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=BUSY_S)
        db.execute(f"PRAGMA page_size={PAGE_BYTES}")
        if db.execute("PRAGMA journal_mode=WAL").fetchone()[0] != "wal":
            raise JournalDamaged(f"{self.path}: this place cannot hold a write-ahead log")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("PRAGMA wal_autocheckpoint=256")
        self._complete(db)
        found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise JournalDamaged(f"{self.path}: the ledger is damaged ({found})")
        return db

    def _complete(self, db: sqlite3.Connection) -> None:
        """Make what a new file lacks, in one transaction; a start cut off before any row is made good."""
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
        if not tables:
            with suppress(AttributeError):
                os.chmod(self.path, 0o600)
        elif not {"meta", "journal"} <= tables or _has_rows(db, "meta") or _has_rows(db, "journal"):
            return
        epoch = secrets.randbelow(2**31 - 1) + 1
        values = f"INSERT INTO meta VALUES ('version', '{VERSION}'), ('epoch', '{epoch}');"
        db.executescript(f"BEGIN IMMEDIATE; {'' if tables else _SCHEMA} {values} COMMIT;")

    def _meta(self, key: str) -> str:
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise JournalDamaged(f"{self.path}: the ledger has no {key}")
        return str(row[0])

    def _checked(self) -> tuple[int, bytes]:
        """Return number and seal of the last row after checking all."""
        rows = _rows(self._db, 0)
        verdict = _verdict(rows)
        if not verdict.ok:
            raise JournalDamaged(
                f"{self.path}: row {verdict.seq} breaks the chain ({verdict.problem}); nothing was changed, "
                "see `mahjong-table journal verify`"
            )
        return len(rows), bytes.fromhex(verdict.head)

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
        """Yield the rows after `after`, in order.

        Raises:
            JournalDamaged: at a row that cannot be read.
        """
        with self._lock:
            rows = _rows(self._db, after)
        return (_record(row, self.path) for row in rows)

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


def _has_rows(db: sqlite3.Connection, table: str) -> bool:
    return db.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() is not None


def _record(row: Row, path: Path | str) -> Record:
    seq, at_mono, at_utc, clock_ok, kind, _, _, sealed = row
    return Record(seq, kind, _body(row, path), bytes(sealed).hex(), at_mono, at_utc, bool(clock_ok))


def _body(row: Row, path: Path | str) -> dict[str, Any]:
    try:
        body = json.loads(row[5])
    except (ValueError, TypeError, RecursionError) as error:
        raise JournalDamaged(f"{path}: row {row[0]} cannot be read ({error})") from error
    if not isinstance(body, dict):
        raise JournalDamaged(f"{path}: row {row[0]} cannot be read (its body is no object)")
    return body


def fold_records(records: Iterable[Record], path: Path | str) -> TableState:
    """Return the state after the records of the journal at `path`.

    Raises:
        JournalDamaged: naming the row that makes no sense.
    """
    state = TableState()
    for record in records:
        try:
            state = fold((record,), state)
        except (KeyError, ValueError, TypeError, AttributeError, IndexError) as error:
            why = f"{type(error).__name__}: {error}"
            raise JournalDamaged(
                f"{path}: row {record.seq} ({record.kind}) makes no sense ({why})"
            ) from error
    return state


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
    """Return all rows as records, without writing to the journal.

    Raises:
        JournalDamaged: naming the row that cannot be read.
    """
    return [_record(row, path) for row in read_rows(path)]


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
    verdict = _verdict(rows)
    if not verdict.ok or head is None:
        return verdict
    is_part = any(bytes(row[7]).hex().startswith(head.lower()) for row in rows)
    return verdict if is_part else Verdict(False, len(rows), verdict.head, "head")


def _verdict(rows: list[Row]) -> Verdict:
    before = ZERO
    for count, row in enumerate(rows, start=1):
        problem = _row_problem(row, count, before)
        if problem is not None:
            return Verdict(False, len(rows), before.hex(), problem, count)
        before = bytes(row[7])
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
    """Write the journal as JSON lines, one row a line with its hashes; returns the number of rows.

    Raises:
        JournalDamaged: naming the row that cannot be read.
    """
    rows = read_rows(path)
    for row in rows:
        seq, at_mono, at_utc, clock_ok, kind, _, prev_hash, sealed = row
        line = {
            "seq": seq,
            "at_mono": at_mono,
            "at_utc": at_utc,
            "clock_ok": bool(clock_ok),
            "kind": kind,
            "body": _body(row, path),
            "prev_hash": bytes(prev_hash).hex(),
            "hash": bytes(sealed).hex(),
        }
        sink.write(json.dumps(line, ensure_ascii=False) + "\n")
    return len(rows)
