"""A disk that is full: a real one of two MiB, mounted for one process; and a limit on the size of files."""

from __future__ import annotations

import resource
import shutil
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from controller.facts import Fact
from controller.journal import Journal, verify
from tests.controller.full_disk import SCENES, write_until_full

SIZE = "2m"
MOUNTED = f'mount -t tmpfs -o size={SIZE} none "$0" && exec "$@"'
"""In a namespace of its own: nobody else sees the disk, and it is gone with the process."""


@cache
def can_mount(folder: Path) -> bool:
    """Return whether this user may mount a disk for a process of his."""
    if shutil.which("unshare") is None:
        return False
    return subprocess.run(words_of(folder, "true"), capture_output=True, check=False).returncode == 0


def words_of(folder: Path, *words: str) -> list[str]:
    """Return a command that runs with a small disk at `folder`."""
    return ["unshare", "--map-root-user", "--mount", "sh", "-c", MOUNTED, str(folder), *words]


@pytest.mark.parametrize("scene", list(SCENES))
def test_on_a_full_disk(scene: str, tmp_path: Path) -> None:
    if not can_mount(tmp_path):
        pytest.skip("no disk can be mounted here; see test_a_file_that_may_not_grow")
    words = words_of(tmp_path, sys.executable, "-m", "tests.controller.full_disk", scene, str(tmp_path))
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr


def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    journal = Journal(path)
    fact = Fact("machine_event", {"event": "test", "text": "x" * 200})
    journal.append([fact])
    log = path.with_name("ledger.db-wal")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    heard = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (log.stat().st_size + 8 * 1024, before[1]))
    try:
        rows = 1 + write_until_full(journal)
        assert journal.seq == rows
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, heard)
    head = journal.head
    journal.append([fact])
    journal.close()
    assert verify(path, head).rows == rows + 1
