"""What the ledger came to at some row, kept beside it so that a start does not fold the rows of years.

`ledger.snapshot` is a copy, never a source: it is used when the row it names still has the seal it names, and
when the code that folds is the code that folded it; in any other case the ledger is folded from its first
row. Rows before it are checked again behind the start by `recheck`, in a process of its own, which also folds
them anew and holds the snapshot against what comes out.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter

from controller.answers import KEPT
from controller.errors import JournalDamaged
from controller.facts import Record
from controller.history import History, remembered
from controller.journal import Journal
from controller.journal_read import each_record, fold_records, verify
from controller.journal_rows import Stamp, wall_clock
from controller.room import Room
from controller.state import TableState

EVERY_ROWS = 4_096
"""About 120 hands: a start folds no more than that, and a snapshot adds little to what a hand writes."""
FORMAT = 1
WRONG = 3
"""Exit status of `controller.recheck` that says so; no crash of Python ends with it."""
_FOLDERS = ("facts.py", "fold*.py", "history.py", "state*.py")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """State and history after row `seq`, whose hash is `head` (hex); `fold` names the code that folded."""

    format: int
    fold: str
    seq: int
    head: str
    state: TableState
    history: History


@dataclass(frozen=True, slots=True)
class Opened:
    """A ledger with what it comes to; rows up to `journal.checked_from` are still to be checked."""

    journal: Journal
    state: TableState
    history: History

    def latest(self) -> Iterator[Record]:
        """Yield the latest rows: what was answered before this start, see `answers.py`."""
        return self.journal.replay(after=max(0, self.journal.seq - KEPT))


def snapshot_path(journal: Path) -> Path:
    """Return where the snapshot of a journal stands."""
    return journal.with_suffix(".snapshot")


@cache
def fold_print() -> str:
    """Return a fingerprint of the code that folds: a snapshot of other code is not used."""
    digest = hashlib.sha256()
    folder = Path(__file__).parent
    for path in sorted({path for pattern in _FOLDERS for path in folder.glob(pattern)}):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@cache
def _adapter() -> TypeAdapter[Snapshot]:
    return TypeAdapter(Snapshot)


def snapshot_of(state: TableState, history: History) -> Snapshot:
    """Return the snapshot of a state whose last row is on disk."""
    return Snapshot(FORMAT, fold_print(), state.seq, state.head, state, history)


def write_snapshot(path: Path, snapshot: Snapshot) -> None:
    """Write a snapshot, whole or not at all. Its first line is the SHA-256 of the second.

    Raises:
        OSError: if it cannot be written.
    """
    content = _adapter().dump_json(snapshot)
    part = path.with_name(path.name + ".part")
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(hashlib.sha256(content).hexdigest().encode() + b"\n" + content + b"\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def read_snapshot(path: Path) -> Snapshot | None:
    """Return the snapshot, None if there is none, it is damaged, or other code folded it."""
    try:
        digest, content = path.read_bytes().splitlines()
        if hashlib.sha256(content).hexdigest().encode() != digest:
            return None
        snapshot = _adapter().validate_json(content)
    except (OSError, ValueError):
        return None
    return snapshot if (snapshot.format, snapshot.fold) == (FORMAT, fold_print()) else None


def open_ledger(
    path: Path,
    *,
    clock: Callable[[], Stamp] = wall_clock,
    room: Room | None = None,
    going_on: Callable[[int], object] = lambda seq: None,
) -> Opened:
    """Open or create the ledger at `path` and fold it, from its snapshot on where that fits.

    Args:
        clock: stamps the rows.
        room: what is given up when the disk is full, see `room.py`.
        going_on: told the number of a row now and then while a long ledger is folded.

    Raises:
        JournalError: see `Journal`; the ledger is closed again.
    """
    snapshot = read_snapshot(snapshot_path(path))
    anchor = None if snapshot is None else (snapshot.seq, snapshot.head)
    journal = Journal(path, clock=clock, anchor=anchor, room=room)
    try:
        if snapshot is None or not journal.checked_from:
            state, history = _folded(journal.replay(), path, TableState(), History(), going_on)
        else:
            rows = journal.replay(after=snapshot.seq)
            state, history = _folded(rows, path, snapshot.state, snapshot.history)
    except BaseException:
        journal.close()
        raise
    return Opened(journal, state, history)


def _folded(
    records: Iterable[Record],
    path: Path,
    state: TableState,
    history: History,
    going_on: Callable[[int], object] = lambda seq: None,
) -> tuple[TableState, History]:
    kept: list[Record] = []

    def passing() -> Iterator[Record]:
        nonlocal history
        for record in records:
            kept.append(record)
            if len(kept) >= EVERY_ROWS:
                history = remembered(history, kept)
                kept.clear()
                going_on(record.seq)
            yield record

    state = fold_records(passing(), path, state)
    return state, remembered(history, kept)


class SnapshotKeeper:
    """Writes a snapshot every `EVERY_ROWS` rows, in a thread of its own: the brain waits for nothing."""

    def __init__(self, path: Path, seq: int, *, every: int = EVERY_ROWS) -> None:
        """Keep the snapshot at `path`; the last one was of row `seq`, 0 = there is none."""
        self._path = path
        self._last = seq
        self._every = every
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="snapshot")

    def committed(self, state: TableState, history: History) -> Future[None] | None:
        """Take note of a state whose last row is on disk; returns the writing, if it is time for one."""
        if state.seq - self._last < self._every:
            return None
        self._last = state.seq
        return self._writer.submit(self._write, state, history)

    def close(self) -> None:
        """Wait for what is being written."""
        self._writer.shutdown()

    def _write(self, state: TableState, history: History) -> None:
        with suppress(OSError):  # only the next start is longer for it
            write_snapshot(self._path, snapshot_of(state, history))


def recheck(path: Path) -> str | None:
    """Check the whole ledger from its first row, and its snapshot against it; returns what is wrong.

    A snapshot is removed unless all is right, so that the next start folds and checks everything itself.
    """
    place = snapshot_path(path)
    snapshot = read_snapshot(place)
    try:
        wrong = _wrong(path, snapshot)
    except JournalDamaged as error:
        wrong = str(error)
    if wrong is not None:
        place.unlink(missing_ok=True)
    return wrong


async def recheck_behind(path: Path) -> None:
    """Run `recheck` in a process of its own, ended with the task that waits for it.

    Raises:
        JournalDamaged: if something is wrong. A process that somebody ended tells nothing.
    """
    words = [sys.executable, "-m", "controller.recheck", str(path)]
    process = await asyncio.create_subprocess_exec(*words, stderr=asyncio.subprocess.PIPE)
    try:
        _, told = await process.communicate()
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode == WRONG:
        raise JournalDamaged(told.decode(errors="replace").strip())


def _wrong(path: Path, snapshot: Snapshot | None) -> str | None:
    verdict = verify(path)
    if not verdict.ok:
        why = f"row {verdict.seq} breaks the chain ({verdict.problem})"
        return f"{path}: {why}, see `mahjong-table journal verify`"
    if snapshot is None:
        return None
    state, history = _folded(each_record(path, 0, snapshot.seq), path, TableState(), History())
    if (state, history) == (snapshot.state, snapshot.history):
        return None
    return f"{snapshot_path(path)}: not what the rows of the ledger come to; it was removed, start again"
