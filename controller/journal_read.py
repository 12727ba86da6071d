"""Readers of the ledger: they need no writer's place and write nothing, so the service may be running."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from controller.errors import JournalDamaged, JournalError
from controller.facts import Record
from controller.fold import fold
from controller.journal_rows import LAST, Row, Verdict, body_of, check_chain, each_row, record_of
from controller.state import TableState

_HEAD = re.compile(r"[0-9a-fA-F]{8,64}")


def each_stored(path: Path | str, after: int = 0, to: int = LAST) -> Iterator[Row]:
    """Yield the rows of a journal above `after` up to number `to`, a batch in memory at a time.

    Raises:
        JournalDamaged: if the file is missing or not a whole journal.
    """
    file = Path(path)
    if not file.is_file():
        raise JournalDamaged(f"{file}: there is no ledger here")
    try:
        db = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)
        try:
            yield from each_row(db, after, to)
        finally:
            db.close()
    except sqlite3.DatabaseError as error:
        raise JournalDamaged(f"{file}: the ledger cannot be read ({error})") from error


def each_record(path: Path | str, after: int = 0, to: int = LAST) -> Iterator[Record]:
    """Yield the rows as records, a batch in memory at a time.

    Raises:
        JournalDamaged: naming the row that cannot be read.
    """
    return (record_of(row, path) for row in each_stored(path, after, to))


def read_records(path: Path | str) -> list[Record]:
    """Return all rows as records, without writing to the journal.

    Raises:
        JournalDamaged: naming the row that cannot be read.
    """
    return list(each_record(path))


def fold_records(records: Iterable[Record], path: Path | str, state: TableState | None = None) -> TableState:
    """Return the state after the records of the journal at `path` that follow `state`.

    Raises:
        JournalDamaged: naming the row that makes no sense.
    """
    state = state or TableState()
    for record in records:
        try:
            state = fold((record,), state)
        except (KeyError, ValueError, TypeError, AttributeError, IndexError) as error:
            why = f"{type(error).__name__}: {error}"
            raise JournalDamaged(
                f"{path}: row {record.seq} ({record.kind}) makes no sense ({why})"
            ) from error
    return state


def verify(path: Path | str, head: str | None = None) -> Verdict:
    """Check every row's seal and the chain; with `head` (at least 8 hex digits) that it is still part of it.

    A head that stood on a settlement must be the seal of some row; a cut or rewritten chain has lost it.

    Raises:
        JournalDamaged: if the file cannot be read at all.
        JournalError: if `head` is no seal.
    """
    if head is not None and not _HEAD.fullmatch(head):
        raise JournalError(f"a seal is 8 to 64 hex digits, not {head!r}")
    wanted, found = (head or "").lower(), [head is None]

    def seen(rows: Iterator[Row]) -> Iterator[Row]:
        for row in rows:
            found[0] = found[0] or bytes(row[7]).hex().startswith(wanted)
            yield row

    verdict = check_chain(seen(each_stored(path)))
    return verdict if found[0] or not verdict.ok else Verdict(False, verdict.rows, verdict.head, "head")


def export(path: Path | str, sink: TextIO) -> int:
    """Write the journal as JSON lines, one row a line with its hashes; returns the number of rows.

    Raises:
        JournalDamaged: naming the row that cannot be read.
    """
    rows = 0
    for row in each_stored(path):
        seq, at_mono, at_utc, clock_ok, kind, _, prev_hash, sealed = row
        line = {
            "seq": seq,
            "at_mono": at_mono,
            "at_utc": at_utc,
            "clock_ok": bool(clock_ok),
            "kind": kind,
            "body": body_of(row, path),
            "prev_hash": bytes(prev_hash).hex(),
            "hash": bytes(sealed).hex(),
        }
        sink.write(json.dumps(line, ensure_ascii=False) + "\n")
        rows += 1
    return rows
