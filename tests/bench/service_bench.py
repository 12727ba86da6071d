"""What the live service costs beside its twin: start-up, idle share of a core, memory."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from tests.bench.processes import cpu_s, rss_mb
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
            busy, begun = cpu_s(pid), time.perf_counter()
            time.sleep(IDLE_S)
            share = (cpu_s(pid) - busy) / (time.perf_counter() - begun)
            memory = rss_mb(pid)
    return [
        Row("service: start to address printed", address_s, "s", "<= 5"),
        Row("service: start to board and camera up", ready_s, "s"),
        Row("service: idle share of a core, camera streaming", share, "core", "<= 0.05"),
        Row("service: resident memory with vision", memory, "MB", "<= 260"),
    ]
