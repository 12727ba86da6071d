"""What a running process costs, as the kernel counts it."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

TICK_S = 1.0 / os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def cpu_s(pid: int, thread: int | None = None) -> float:
    """Return processor seconds of a process, or of one of its threads, since its start."""
    where = f"/proc/{pid}/stat" if thread is None else f"/proc/{pid}/task/{thread}/stat"
    fields = Path(where).read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * TICK_S


def rss_mb(pid: int) -> float:
    """Return resident memory in megabytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE / 1e6


def children(pid: int) -> list[int]:
    """Return the processes that a process started and that still run."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(word) for task in tasks for word in (task / "children").read_text().split()]


@dataclass(frozen=True, slots=True)
class Table:
    """The processes of a live table: the service, its twin, and the board in the simulator.

    The twin's first thread is the machine: wood, belts and robots. Its others draw for the camera and read
    the page.
    """

    service: int
    twin: int
    board: int

    @classmethod
    def of(cls, service: int) -> Table:
        """Find them from the service."""
        (twin,) = children(service)
        (board,) = children(twin)
        return cls(service, twin, board)

    def cpu(self) -> dict[str, float]:
        """Return processor seconds of each part so far."""
        machine = cpu_s(self.twin, self.twin)
        return {
            "service": cpu_s(self.service),
            "board": cpu_s(self.board),
            "machine": machine,
            "camera": cpu_s(self.twin) - machine,
        }

    def memory(self) -> dict[str, float]:
        """Return resident megabytes of each process."""
        return {"service": rss_mb(self.service), "twin": rss_mb(self.twin), "board": rss_mb(self.board)}


class Shares:
    """Shares of one core since the last look, by part."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._before, self._at = table.cpu(), time.perf_counter()

    def look(self) -> tuple[float, Mapping[str, float]]:
        """Return the seconds since the last look and the processor seconds of each part in them."""
        now, at = self._table.cpu(), time.perf_counter()
        passed = at - self._at
        spent = {name: now[name] - self._before[name] for name in now}
        self._before, self._at = now, at
        return passed, spent
