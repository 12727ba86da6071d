"""A row of the ledger: its columns, its seal over the row before, and how a chain of rows is checked.

A row is (seq, at_mono, at_utc, clock_ok, kind, body, prev_hash, hash). `hash` is SHA-256 over prev_hash,
seq, at_mono, at_utc, clock_ok, kind and the body bytes as stored; each field is preceded by its length
(4 bytes, big endian), numbers are decimal ASCII, clock_ok is 0 or 1, the first prev_hash is 32 zero bytes.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from controller.errors import JournalDamaged
from controller.facts import KINDS, Fact, Record

ZERO = bytes(32)
VERSION = 1
"""Of the table's columns; a body's fields may grow without it (docs/journal.md, "Versions")."""
BATCH_ROWS = 2_000
"""Rows fetched at once: a start takes no more memory for a long ledger, and no reader holds the file."""

SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE journal (
  seq INTEGER PRIMARY KEY, at_mono INTEGER NOT NULL, at_utc TEXT NOT NULL, clock_ok INTEGER NOT NULL,
  kind TEXT NOT NULL, body BLOB NOT NULL, prev_hash BLOB NOT NULL, hash BLOB NOT NULL);
CREATE TRIGGER journal_no_update BEFORE UPDATE ON journal BEGIN SELECT RAISE(ABORT, 'append-only'); END;
CREATE TRIGGER journal_no_delete BEFORE DELETE ON journal BEGIN SELECT RAISE(ABORT, 'append-only'); END;
"""
_BATCH = (
    "SELECT seq, at_mono, at_utc, clock_ok, kind, body, prev_hash, hash FROM journal "
    f"WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT {BATCH_ROWS}"
)
LAST = 2**63 - 1
"""No row has a higher number."""
Row = tuple[int, int, str, int, str, bytes, bytes, bytes]


@dataclass(frozen=True, slots=True)
class Stamp:
    """The time of a row: monotonic milliseconds, UTC text, whether the wall clock can be trusted."""

    at_mono: int
    at_utc: str
    clock_ok: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `verify` found: `problem` is None, changed, chain, gap, newer or head; `seq` is the first bad row.

    newer: the row is as it was sealed, but of a kind that this version does not know.
    """

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
    """Return the body as it is stored, with the press if there is one: compact JSON, sorted keys, UTF-8."""
    body = {**fact.body, "press": fact.press} if fact.press else fact.body
    return json.dumps(
        body, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
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


def row_problem(row: Row, count: int, before: bytes) -> str | None:
    """Return why a row is not the `count`-th one after the seal `before`; None if it is.

    >>> row_problem((2, 0, "", 0, "kong", b"{}", ZERO, ZERO), 1, ZERO)
    'gap'
    """
    if row[0] != count:
        return "gap"
    if row[6] != before:
        return "chain"
    if not is_sealed(row):
        return "changed"
    return None if row[4] in KINDS else "newer"


def is_sealed(row: Row) -> bool:
    """Return whether a row's seal is that of its fields."""
    seq, at_mono, at_utc, clock_ok, kind, body, prev_hash, sealed = row
    try:
        return row_hash(bytes(prev_hash), seq, at_mono, at_utc, clock_ok, kind, bytes(body)) == sealed
    except (TypeError, AttributeError, ValueError):
        return False


def check_chain(rows: Iterable[Row], count: int = 0, before: bytes = ZERO) -> Verdict:
    """Check rows that follow row number `count` with the seal `before`, to the last one or the first bad one.

    Rows behind a bad one are counted, so that the verdict tells how long the ledger is.
    """
    first_bad: tuple[str, int] | None = None
    for count, row in enumerate(rows, start=count + 1):  # noqa: B020 - goes on from where it was
        if first_bad is None:
            problem = row_problem(row, count, before)
            first_bad = None if problem is None else (problem, count)
            before = before if problem else bytes(row[7])
    if first_bad is not None:
        return Verdict(False, count, before.hex(), *first_bad)
    return Verdict(True, count, before.hex())


def each_row(db: sqlite3.Connection, after: int = 0, to: int = LAST) -> Iterator[Row]:
    """Yield the rows with a number above `after` up to `to`, in order; between batches the file is free."""
    while batch := db.execute(_BATCH, (after, to)).fetchall():
        yield from batch
        after = batch[-1][0]


def record_of(row: Row, path: Path | str) -> Record:
    """Return a row of the journal at `path` as the fold reads it.

    Raises:
        JournalDamaged: naming the row whose body cannot be read.
    """
    seq, at_mono, at_utc, clock_ok, kind, _, _, sealed = row
    body = body_of(row, path)
    press = str(body.pop("press", ""))
    return Record(seq, kind, body, bytes(sealed).hex(), at_mono, at_utc, bool(clock_ok), press)


def body_of(row: Row, path: Path | str) -> dict[str, Any]:
    """Return the body of a row of the journal at `path`.

    Raises:
        JournalDamaged: naming the row whose body cannot be read.
    """
    try:
        body = json.loads(row[5])
    except (ValueError, TypeError, RecursionError) as error:
        raise JournalDamaged(f"{path}: row {row[0]} cannot be read ({error})") from error
    if not isinstance(body, dict):
        raise JournalDamaged(f"{path}: row {row[0]} cannot be read (its body is no object)")
    return body
