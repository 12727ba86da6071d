"""Room on the disk: what is given up, and in which order, so that the ledger can always be written.

1. Below `FLOOR_BYTES` of free space an alarm is shown, and photos and black boxes are no longer kept.
2. When a row finds no room at all, the reserve - a file of real blocks beside the ledger - is removed and the
   row written again: the game goes on for a long evening (a hand grows the ledger by 8 KiB).
3. When that is used up too, nothing more is acknowledged: the table waits, says so, and goes on by itself as
   soon as there is room.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

FLOOR_BYTES = 16 * 1024 * 1024
RESERVE_BYTES = 2 * 1024 * 1024


class Room:
    """The reserve beside a ledger, and whether its disk is nearly full. Use from any thread."""

    def __init__(
        self, folder: Path, *, reserve_bytes: int = RESERVE_BYTES, floor_bytes: int = FLOOR_BYTES
    ) -> None:
        """Keep the reserve in `folder`; nothing is written before `hold`."""
        self._folder = folder
        self._path = folder / "ledger.reserve"
        self._reserve_bytes = reserve_bytes
        self._floor_bytes = floor_bytes

    def hold(self) -> bool:
        """Make the reserve if it is missing and there is room for it; returns whether it is held."""
        if self._path.exists():
            return True
        if self._free() < self._floor_bytes + self._reserve_bytes:
            return False
        part = self._path.with_name(self._path.name + ".part")
        try:
            with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                os.posix_fallocate(file.fileno(), 0, self._reserve_bytes)
            os.replace(part, self._path)
        except OSError:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            return False
        return True

    def give_up(self) -> bool:
        """Remove the reserve; returns whether that made room."""
        try:
            self._path.unlink()
        except OSError:
            return False
        return True

    def is_low(self) -> bool:
        """Return whether the alarm is due: the reserve is used, or little is free."""
        return not self._path.exists() or self._free() < self._floor_bytes

    def _free(self) -> int:
        """Return the bytes that this user may still write; none, where nobody can tell."""
        try:
            disk = os.statvfs(self._folder)
        except OSError:
            return 0
        return disk.f_bavail * disk.f_frsize
