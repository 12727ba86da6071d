"""Copies of the ledger: one file made while the service runs, and put back while it does not.

A backup is an SQLite file like the ledger itself, with every row and seal; `docs/ledger.md` tells how to
check it without us. Names and photos are not in it: they can be erased, and a copy must not outlive the
erasure.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from controller.errors import JournalBusy, JournalDamaged, JournalError, JournalFull
from controller.journal import take_guard
from controller.journal_read import each_stored, verify
from controller.journal_rows import VERSION, Verdict
from controller.room import FLOOR_BYTES
from controller.snapshots import snapshot_path

PARTS = {"meta", "journal", "journal_no_update", "journal_no_delete"}
"""What a ledger's file holds: its tables and the triggers that refuse a change."""
NO_FILE = "找不到账本文件 / there is no such file"
NO_BACKUP = "不是完好的账本 / no whole ledger"


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put back, and where the ledger that stood there is now (None: it held nothing else)."""

    verdict: Verdict
    aside: Path | None


def back_up(journal: Path, file: Path) -> Verdict:
    """Copy the ledger at `journal` into the new file `file`, as it is at one moment, and check the copy.

    The service may be writing meanwhile. `file` is there whole and on disk, or not at all.

    Raises:
        JournalError: if `file` exists, there is no room for it (a copy never takes the ledger's), or the
            ledger is not whole.
    """
    if file.exists():
        raise JournalError(f"{file}: 文件已存在，请换一个名字 / exists already, give another name")
    if not journal.is_file():
        raise JournalDamaged(f"{journal}: {NO_FILE}")
    try:
        need = journal.stat().st_size + FLOOR_BYTES
        if shutil.disk_usage(file.parent).free < need:
            room = f"{need // 2**20 + 1} MiB"
            raise JournalFull(f"{file}: 磁盘空间不足，需 {room} / no room for the copy, {room} must be free")
        with _copied(journal, file) as (part, verdict):
            os.rename(part, file)  # no link: memory sticks know none
            _sync_folder(file.parent)
            return verdict
    except OSError as error:
        raise _unwritten(file, error) from error


def restore(file: Path, journal: Path, *, replace: bool = False) -> Restored:
    """Put the backup `file` in the place of the ledger at `journal`, whose service must be stopped.

    A ledger that the backup goes on from needs no word. One with rows that the backup does not have, or that
    cannot be read, is put aside under another name, and only with `replace`. The restored ledger gets a new
    epoch, so that browsers and the club do not take its rows for ones they have.

    Raises:
        JournalBusy: if a service or a reader uses the ledger.
        JournalError: if the backup is not whole, or holds less than the ledger; the ledger is as it was.
    """
    if journal.exists() and file.exists() and file.samefile(journal):
        raise JournalError(f"{file}: 这就是现用的账本 / this is the ledger itself")
    try:
        journal.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with closing(take_guard(journal)):
            _clear_parts(journal)
            return _put_back(file, journal, replace)
    except OSError as error:
        if isinstance(error, JournalError):
            raise
        raise _unwritten(journal, error) from error


def _clear_parts(journal: Path) -> None:
    """Remove the copies that restores left which were cut off; the caller has the writer's place."""
    for part in journal.parent.glob(f"{journal.name}.*.part*"):
        part.unlink(missing_ok=True)


def _put_back(file: Path, journal: Path, replace: bool) -> Restored:
    """Do what `restore` says, in the writer's place."""
    with _copied(file, journal, epoch=True) as (part, verdict):
        aside = None
        if not _is_begun_by(journal, part):
            aside = _free_name(journal)
            if not replace:
                raise JournalError(
                    f"{journal}: 现有账本里有备份没有的行，或已损坏；加 --replace 换下它，旧账本会另存 / "
                    "holds rows that the backup does not, or is damaged; --replace puts it aside"
                )
            _put_aside(journal, aside)
        snapshot_path(journal).unlink(missing_ok=True)
        os.replace(part, journal)
        _sync_folder(journal.parent)
        return Restored(verdict, aside)


def _free_name(journal: Path) -> Path:
    """Return a name for the ledger that is put aside; a second one of the same second gets another."""
    stem, number = f"{journal.stem}.replaced-{datetime.now(UTC):%Y%m%dT%H%M%SZ}", 1
    name = journal.with_name(f"{stem}.db")
    while any(each.exists() for each in (name, *_beside(name))):
        number += 1
        name = journal.with_name(f"{stem}-{number}.db")
    return name


@contextmanager
def _copied(source: Path, target: Path, *, epoch: bool = False) -> Iterator[tuple[Path, Verdict]]:
    """Give a checked copy of `source` beside `target`, on disk; it is gone afterwards unless renamed."""
    if not source.is_file():
        raise JournalDamaged(f"{source}: {NO_FILE}")
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        try:
            with (
                closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as old,
                closing(sqlite3.connect(part, isolation_level=None)) as new,
            ):
                old.backup(new)
                new.execute("PRAGMA journal_mode=DELETE")  # one file, whole without a log beside it
                _check_parts(new, source)
                if epoch:
                    value = str(secrets.randbelow(2**31 - 1) + 1)
                    new.execute("UPDATE meta SET value = ? WHERE key = 'epoch'", (value,))
        except sqlite3.DatabaseError as error:
            kind = JournalFull if "full" in str(error) else JournalDamaged
            raise kind(f"{source}: {NO_BACKUP} ({error})") from error
        verdict = verify(part)
        if not verdict.ok:
            why = f"row {verdict.seq}: {verdict.problem}"
            raise JournalDamaged(f"{source}: {NO_BACKUP} ({why})")
        with open(part, "rb") as copy:
            os.fsync(copy.fileno())
        yield part, verdict
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _check_parts(db: sqlite3.Connection, source: Path) -> None:
    """Refuse what is an SQLite file but no ledger, one of a newer version, and a damaged one."""
    found = {str(name) for (name,) in db.execute("SELECT name FROM sqlite_master")}
    if missing := sorted(PARTS - found):
        raise JournalDamaged(f"{source}: {NO_BACKUP} (without {', '.join(missing)})")
    values = dict(db.execute("SELECT key, value FROM meta").fetchall())
    if "epoch" not in values or not str(values.get("version", "")).isdecimal():
        raise JournalDamaged(f"{source}: {NO_BACKUP} (without version or epoch)")
    if int(values["version"]) > VERSION:
        raise JournalDamaged(f"{source}: 由更新的版本写成 / written by a newer version of mahjong-table")
    told = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
    if told != "ok":
        raise JournalDamaged(f"{source}: {NO_BACKUP} ({told})")


def _is_begun_by(journal: Path, copy: Path) -> bool:
    """Return whether every row of the ledger at `journal`, if there is one, is in the copy too.

    A ledger that is so stands in one file afterwards, without a log that could be taken for the copy's.
    """
    if not journal.exists():
        return not any(each.exists() for each in _beside(journal))
    try:
        verdict = verify(journal)
        if verdict.ok and verdict.rows:
            row = next(each_stored(copy, verdict.rows - 1, verdict.rows), None)
            if row is None or bytes(row[7]).hex() != verdict.head:
                return False
        if not verdict.ok:
            return False
    except JournalDamaged:
        return False
    _settle(journal)
    return True


def _settle(journal: Path) -> None:
    """Bring what is in the log of a ledger into its file and end the log.

    Raises:
        JournalBusy: if a reader has the ledger open.
    """
    try:
        with closing(sqlite3.connect(journal, isolation_level=None, timeout=1.0)) as db:
            db.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.OperationalError as error:
        raise JournalBusy(f"{journal}: 账本正被读取 / the ledger is in use ({error})") from error


def _put_aside(journal: Path, aside: Path) -> None:
    """Give the ledger, and what is still in its log, another name; the old names of the log are free then.

    The new names are all on disk before an old one goes, so that a power cut leaves every row somewhere.
    """
    with suppress(JournalError, sqlite3.DatabaseError):  # a damaged one keeps its log under the new name
        if journal.exists() and verify(journal).rows:
            _settle(journal)
    pairs = [(journal, aside)]
    pairs += list(zip(_beside(journal), _beside(aside), strict=True))
    for old, new in pairs:
        if old.exists():
            os.link(old, new)
    _sync_folder(journal.parent)
    for old, _ in pairs[1:]:
        old.unlink(missing_ok=True)


def _beside(journal: Path) -> tuple[Path, Path]:
    """Return the names of SQLite's log of a file and of the log's index."""
    return journal.with_name(journal.name + "-wal"), journal.with_name(journal.name + "-shm")


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _unwritten(file: Path, error: OSError) -> JournalError:
    if isinstance(error, JournalError):
        return error
    return JournalError(f"{file}: 写不了 / cannot be written ({error.strerror})")
