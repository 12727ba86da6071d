"""What a live table costs: start-up, shares of a core at rest and while it builds, memory."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from tests.bench.processes import Shares, Table
from tests.bench.row import Row
from tests.e2e.live_table import LiveTable

IDLE_S = 20.0
BUILDING_S = 15.0
SLOW_ROBOTS = ("--twin", "--seed", "1", "--speed", "0.01")
"""Nobody presses a key while we measure; board, camera and pages are up."""
TWIN = ("board", "machine", "camera")


def rows() -> list[Row]:
    """Return start-up (compiled before), shares of a core and resident memory of the live table."""
    with tempfile.TemporaryDirectory() as folder:
        warm = LiveTable(Path(folder) / "warm", *SLOW_ROBOTS)
        with warm:
            pass
        started = time.perf_counter()
        with LiveTable(Path(folder) / "data", *SLOW_ROBOTS) as table:
            address_s = time.perf_counter() - started
            table.wait(lambda state: state["health"]["link"] == "up" and state["health"]["camera"] == "up")
            ready_s = time.perf_counter() - started
            time.sleep(3)
            idle, memory = _shares(table, IDLE_S)
        with LiveTable(Path(folder) / "builds", "--twin", "--seed", "1") as table:
            table.wait(lambda state: state["phase"] == "BUILDING" and state["step"] == "build")
            building, _ = _shares(table, BUILDING_S)
            assert table.state()["step"] == "build", "the build was over before all was measured"
    return [
        Row("service: start to address printed", address_s, "s", "<= 5"),
        Row("service: start to board and camera up", ready_s, "s"),
        Row("service: idle share of a core, camera streaming", idle["service"], "core", "<= 0.05"),
        Row("service: share of a core, building", building["service"], "core"),
        Row("service: resident memory with vision", memory["service"], "MB", "<= 260"),
        Row("twin: idle share of a core, camera streaming", _sum(idle, TWIN), "core", "<= 0.10"),
        Row("twin: share of a core, building, camera and robots", _sum(building, TWIN), "core"),
        Row("twin: of it the board and the machine", _sum(building, TWIN[:2]), "core", "<= 0.10"),
        Row("twin: resident memory", memory["twin"] + memory["board"], "MB"),
    ]


def _shares(table: LiveTable, seconds: float) -> tuple[Mapping[str, float], Mapping[str, float]]:
    """Return the shares of a core of each part over some seconds, and resident megabytes at their end."""
    assert table.process is not None
    processes = Table.of(table.process.pid)
    shares = Shares(processes)
    time.sleep(seconds)
    passed_s, spent = shares.look()
    return {name: value / passed_s for name, value in spent.items()}, processes.memory()


def _sum(shares: Mapping[str, float], parts: tuple[str, ...]) -> float:
    return sum(shares[name] for name in parts)
