"""The ledger: one SQLite file, append-only, every row sealed over the one before. One writer.

What a row is stands in `journal_rows.py`; readers that need no writer's place are in `journal_read.py`.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

from controller.errors import JournalBusy, JournalDamaged, JournalError, JournalFull
from controller.facts import Fact, Record
from controller.journal_read import export, fold_records, read_records, verify
from controller.journal_rows import (
    SCHEMA,
    VERSION,
    ZERO,
    Row,
    Stamp,
    Verdict,
    body_bytes,
    check_chain,
    each_row,
    is_sealed,
    record_of,
    row_hash,
    wall_clock,
)
from controller.room import Room

__all__ = [
    "Journal",
    "Stamp",
    "Verdict",
    "export",
    "fold_records",
    "read_records",
    "row_hash",
    "verify",
    "wall_clock",
]

BUSY_S = 0.25
"""A reader that holds the file up for longer is named: the board's heartbeats must not wait for it."""
PAGE_BYTES = 512
"""Small pages: a commit of one or two rows rewrites one or two of them (budget: 16 KiB a hand)."""
NEWER = "written by a newer version of mahjong-table, which must be installed; nothing was changed"


class Journal:
    """The writer. Appending is durable when `append` returns; use from any thread, one at a time."""

    def __init__(
        self,
        path: Path | str,
        *,
        clock: Callable[[], Stamp] = wall_clock,
        anchor: tuple[int, str] | None = None,
        room: Room | None = None,
    ) -> None:
        """Open or create the journal at `path`.

        Every seal is checked: a broken chain is never gone on with. With an `anchor` (number and hash of a
        row up to which all was checked before) only that row and the later ones are, if it is still there:
        `checked_from` tells, and the rows before it are left to `snapshots.recheck`. `room` is given up for
        the rows of a full disk.

        Raises:
            JournalBusy: if another process writes it.
            JournalDamaged: if the file is not a whole journal; it is left as it is.
            JournalFull: if it cannot be written.
        """
        self.path = Path(path)
        self._clock = clock
        self._room = room
        self._lock = threading.Lock()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._guard = take_guard(self.path)
        self.checked_from = 0
        try:
            self._with_room(lambda: self._begin(anchor))
        except JournalError:
            self._guard.close()
            raise

    def _with_room(self, act: Callable[[], None]) -> None:
        """Do what needs the disk; if it is full, with the room of the reserve."""
        try:
            act()
        except JournalFull:
            if self._room is None or not self._room.give_up():
                raise
            act()

    def _begin(self, anchor: tuple[int, str] | None) -> None:
        """Open the file and check it from the anchor on."""
        try:
            self._db = self._open()
            if int(self._meta("version")) > VERSION:
                raise JournalDamaged(f"{self.path}: {NEWER}")
            self.epoch = int(self._meta("epoch"))
            before = self._anchored(anchor)
            self.seq, self._head = self._checked(*before)
        except sqlite3.OperationalError as error:
            raise _operational(error, self.path) from error
        except JournalError:
            raise
        except (sqlite3.DatabaseError, TypeError, ValueError) as error:
            raise JournalDamaged(f"{self.path}: the ledger cannot be read ({error})") from error

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=BUSY_S)
        db.execute(f"PRAGMA page_size={PAGE_BYTES}")
        if db.execute("PRAGMA journal_mode=WAL").fetchone()[0] != "wal":
            raise JournalDamaged(f"{self.path}: this place cannot hold a write-ahead log")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("PRAGMA wal_autocheckpoint=256")
        self._complete(db)
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
        db.executescript(f"BEGIN IMMEDIATE; {'' if tables else SCHEMA} {values} COMMIT;")

    def _meta(self, key: str) -> str:
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise JournalDamaged(f"{self.path}: the ledger has no {key}")
        return str(row[0])

    def _anchored(self, anchor: tuple[int, str] | None) -> tuple[int, bytes]:
        """Return number and seal of the row from which on all is checked; (0, zeros) is the start."""
        if anchor is not None:
            seq, head = anchor
            row = next(each_row(self._db, seq - 1, seq), None)
            if row is not None and bytes(row[7]).hex() == head and is_sealed(row):
                self.checked_from = seq
                return seq, bytes(row[7])
        found = self._db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise JournalDamaged(f"{self.path}: the ledger is damaged ({found})")
        return 0, ZERO

    def _checked(self, count: int, before: bytes) -> tuple[int, bytes]:
        """Return number and seal of the last row after checking those behind row `count`."""
        verdict = check_chain(each_row(self._db, count), count, before)
        if verdict.problem == "newer":
            raise JournalDamaged(f"{self.path}: row {verdict.seq}: {NEWER}")
        if not verdict.ok:
            raise JournalDamaged(
                f"{self.path}: row {verdict.seq} breaks the chain ({verdict.problem}); nothing was changed, "
                "see `mahjong-table journal verify`"
            )
        return verdict.rows, bytes.fromhex(verdict.head)

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
                records.append(record_of(rows[-1], self.path))
                head = sealed
            self._with_room(lambda: self._write(rows))
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
        rows = each_row(self._db, after, self.seq)
        while (row := self._next(rows)) is not None:
            yield record_of(row, self.path)

    def record(self, seq: int) -> Record | None:
        """Return the row of that number, None if there is none.

        Raises:
            JournalDamaged: if it cannot be read.
        """
        row = self._next(each_row(self._db, seq - 1, seq))
        return None if row is None else record_of(row, self.path)

    def last_stamp(self) -> Stamp | None:
        """Return the time of the last row, None where there is none yet."""
        row = self._next(each_row(self._db, self.seq - 1, self.seq))
        return None if row is None else Stamp(row[1], row[2], bool(row[3]))

    def _next(self, rows: Iterator[Row]) -> Row | None:
        with self._lock:
            return next(rows, None)

    def close(self) -> None:
        """Close the file; the writer's place is free again."""
        with self._lock:
            self._db.close()
            self._guard.close()


def take_guard(path: Path) -> IO[bytes]:
    """Take the writer's place of the journal at `path`; closing the file gives it up.

    Raises:
        JournalBusy: if another process has it.
    """
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


def _has_rows(db: sqlite3.Connection, table: str) -> bool:
    return db.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() is not None
