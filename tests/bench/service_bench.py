"""What the live service costs beside its twin: start-up, idle share of a core, memory."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

from tests.bench.row import Row
from tests.e2e.live_table import LiveTable

IDLE_S = 20.0
SLOW_ROBOTS = ("--twin", "--seed", "1", "--speed", "0.01")
"""Nobody presses a key while we measure; board, camera and pages are up."""


def rows() -> list[Row]:
    """Return start-up (compiled before), idle share and resident memory of the service process."""
    with tempfile.TemporaryDirectory() as folder:
        warm = LiveTable(Path(folder) / "warm", *SLOW_ROBOTS)
        with warm:
            pass
        started = time.perf_counter()
        with LiveTable(Path(folder) / "data", *SLOW_ROBOTS) as table:
            address_s = time.perf_counter() - started
            table.wait(lambda state: state["health"]["link"] == "up" and state["health"]["camera"] == "up")
            ready_s = time.perf_counter() - started
            assert table.process is not None
            pid = table.process.pid
            time.sleep(3)
            busy, begun = _cpu_s(pid), time.perf_counter()
            time.sleep(IDLE_S)
            share = (_cpu_s(pid) - busy) / (time.perf_counter() - begun)
            memory = _rss_mb(pid)
    return [
        Row("service: start to address printed", address_s, "s", "<= 5"),
        Row("service: start to board and camera up", ready_s, "s"),
        Row("service: idle share of a core, camera streaming", share, "core", "<= 0.05"),
        Row("service: resident memory with vision", memory, "MB", "<= 260"),
    ]


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _rss_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
