"""`restore`, ended by SIGKILL before each single thing it asks of the system: run as a process of its own.

Every run starts from the same ledger and the same backup, and is killed one step later than the run before,
until one comes through. A step is whatever Python names to an audit hook: a file opened, linked, renamed,
removed, a database connected. After each kill no row may be lost, and the ledger must be the old one or the
new one, nothing between.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from pathlib import Path

from controller.backup import back_up, restore
from controller.errors import JournalError
from controller.facts import Fact
from controller.journal import Journal, Verdict, verify

STEPS = ("open", "os.", "shutil.", "sqlite3.connect")
KILLS_AT_MOST = 500
"""A restore has some fifty steps; more means that the kill does not happen."""


def main(scene: str, place: str) -> int:
    """Kill one restore after the other; prints how many were killed and how many left the new ledger."""
    folder = Path(place)
    copy, heads = prepared(scene, folder)
    new = 0
    for step in range(1, KILLS_AT_MOST):
        shutil.rmtree(folder / "data", ignore_errors=True)
        shutil.copytree(folder / "template", folder / "data")
        ledger = folder / "data" / "ledger.db"
        if not killed(copy, ledger, step):
            check_end(ledger, copy, heads)
            print(step - 1, new)
            return 0
        new += checked(ledger, copy, heads)
    return 1


def prepared(scene: str, folder: Path) -> tuple[Path, str]:
    """Write the ledger of a scene and a backup; returns the backup and the ledger's last seal.

    on: the backup has all rows of the ledger and more. replaced: the ledger has a row that the backup lacks.
    log: the same, and that row is in the log only, as a power cut leaves it.
    """
    (folder / "template").mkdir(parents=True)
    ledger, copy = folder / "first" / "ledger.db", folder / "copy.db"
    write(ledger, 6)
    if scene == "on":
        closed_copy(ledger, folder / "template")
        head = verify(ledger).head
        write(ledger, 3)
        back_up(ledger, copy)
        return copy, head
    back_up(ledger, copy)
    journal = Journal(ledger)
    head = journal.append([Fact("machine_event", {"event": "newer"})])[-1].hash
    if scene == "replaced":
        journal.close()
        closed_copy(ledger, folder / "template")
        return copy, head
    for name in ("ledger.db", "ledger.db-wal"):
        shutil.copy(ledger.with_name(name), folder / "template" / name)
    journal.close()
    return copy, head


def write(path: Path, rows: int) -> None:
    """Write rows into the ledger at `path`, each in a commit."""
    journal = Journal(path)
    for n in range(rows):
        journal.append([Fact("machine_event", {"event": "test", "n": n, "text": "x" * 300})])
    journal.close()


def closed_copy(ledger: Path, folder: Path) -> None:
    """Copy a ledger that is closed: it has no log."""
    shutil.copy(ledger, folder / "ledger.db")


def killed(copy: Path, ledger: Path, step: int) -> bool:
    """Restore in a process that is killed before its step number `step`; False if it came through."""
    child = os.fork()
    if child == 0:
        kill_before(step)
        restore(copy, ledger, replace=True)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL, status
        return True
    assert os.WEXITSTATUS(status) == 0, f"step {step}: the restore failed"
    return False


def kill_before(step: int) -> None:
    """End this process, as kill -9 does, before the step of that number."""
    left = step

    def seen(event: str, arguments: object) -> None:
        nonlocal left
        if event.startswith(STEPS):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(seen)


def checked(ledger: Path, copy: Path, head: str) -> bool:
    """Hold what a kill left against what must be there; returns whether the new ledger stands already."""
    told = verify(copy)
    is_new = stands(ledger, told)
    old = [each for each in (ledger, *asides(ledger)) if holds(each, head)]
    assert old, f"the rows of the old ledger are nowhere: {sorted(ledger.parent.iterdir())}"
    assert is_new or ledger in old, "the ledger is neither the old one nor the new one"
    restore(copy, ledger, replace=True)  # done again, it comes to its end
    check_end(ledger, copy, head)
    return is_new


def check_end(ledger: Path, copy: Path, head: str) -> None:
    """Check that the rows of both are there after a whole restore, nothing is left over, and it goes on."""
    told = verify(copy)
    assert verify(ledger) == told
    assert any(holds(each, head) for each in (ledger, *asides(ledger)))
    assert not list(ledger.parent.glob("*.part*")), sorted(ledger.parent.iterdir())
    journal = Journal(ledger)
    assert journal.append([Fact("machine_event", {"event": "on"})])[0].seq == told.rows + 1
    journal.close()


def asides(ledger: Path) -> list[Path]:
    """Return the ledgers that were put aside."""
    return sorted(ledger.parent.glob("ledger.replaced-*.db"))


def stands(path: Path, told: Verdict) -> bool:
    """Return whether the ledger at `path` is the one of this verdict, row for row."""
    try:
        return verify(path) == told
    except JournalError:
        return False


def holds(path: Path, head: str) -> bool:
    """Return whether a whole ledger stands at `path` that has the row with this seal."""
    try:
        return verify(path, head).ok
    except JournalError:
        return False


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
