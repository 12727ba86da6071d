"""Who holds a serial device, and where that program listens: from /proc, with no right of its own.

The lock that a well-mannered program takes (flock) is listed for everybody in /proc/locks. A program that
takes none, and the sockets of a program, are seen only among our own processes, or by root among all.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
LISTENING = "0A"
NAME_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that has a device open: `name` is its command line, cut short."""

    pid: int
    name: str

    def __str__(self) -> str:
        """Return what is shown: `minicom -D /dev/ttyUSB0 (pid 812)`."""
        return f"{self.name} (pid {self.pid})"


def holders(device: str, proc: Path = PROC) -> tuple[Holder, ...]:
    """Return who else has a device locked or open; empty if nobody, or nobody we may see."""
    try:
        place = os.stat(device)
    except OSError:
        return ()
    pids = {*_lockers(place, proc), *_openers(os.path.realpath(device), proc)} - {os.getpid()}
    return tuple(Holder(pid, _name(pid, proc)) for pid in sorted(pids))


def is_locked(device: str, proc: Path = PROC) -> bool:
    """Return whether another process has a lock on a device; asked without opening it.

    Opening alone is not harmless: the kernel raises DTR then, which starts many boards anew in mid-motion.
    """
    try:
        place = os.stat(device)
    except OSError:
        return False
    return bool({*_lockers(place, proc)} - {os.getpid()})


def _lockers(place: os.stat_result, proc: Path) -> Iterator[int]:
    """Yield processes with a lock on the file, from lines `3: FLOCK ADVISORY WRITE 812 00:1a:3 0 EOF`."""
    wanted = f"{os.major(place.st_dev):02x}:{os.minor(place.st_dev):02x}:{place.st_ino}"
    try:
        lines = (proc / "locks").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        words = line.split()
        if len(words) >= 6 and words[1] == "FLOCK" and words[5] == wanted and int(words[4]) > 0:
            yield int(words[4])


def _openers(device: str, proc: Path) -> Iterator[int]:
    for folder in proc.glob("[0-9]*/fd"):
        with contextlib.suppress(OSError):
            if any(os.readlink(entry) == device for entry in folder.iterdir()):
                yield int(folder.parent.name)


def _name(pid: int, proc: Path) -> str:
    """Return the command line; the short name where the kernel has none: just started, or not reaped."""
    program, *arguments = _text(proc / str(pid) / "cmdline").split("\0")
    text = " ".join([os.path.basename(program), *arguments]).strip() if program else ""
    text = text or _text(proc / str(pid) / "comm").strip() or "?"
    return text if len(text) <= NAME_LONGEST else f"{text[: NAME_LONGEST - 1]}…"


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""


def listening_ports(pid: int, proc: Path = PROC) -> tuple[int, ...]:
    """Return the TCP ports on which a process listens; empty if it is another user's and we are not root."""
    inodes = set()
    with contextlib.suppress(OSError):
        for entry in (proc / str(pid) / "fd").iterdir():
            with contextlib.suppress(OSError):
                target = os.readlink(entry)
                if target.startswith("socket:["):
                    inodes.add(target[8:-1])
    found = set()
    for name in ("tcp", "tcp6"):
        with contextlib.suppress(OSError):
            for line in (proc / str(pid) / "net" / name).read_text().splitlines()[1:]:
                words = line.split()
                if words[3] == LISTENING and words[9] in inodes:
                    found.add(int(words[1].rpartition(":")[2], 16))
    return tuple(sorted(found))
