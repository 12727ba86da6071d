"""A live table over minutes: shares of a core by what the table does, memory, and whether it stays flat.

    python -m tests.bench realtime [--minutes 2] [--seed 1]

The real service, the twin with the real firmware, its camera and its robots, who play hand after hand. A line
a minute; exit 1 when the machine takes more than a tenth of a core while nothing moves or while it builds,
or when memory grows.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.processes import Shares, Table
from tests.e2e.live_table import LiveTable

LOOK_S = 1.0
SHARE_MOST = 0.10
"""Of board and machine together (issue 4); camera and service have budgets of their own."""
ENOUGH_S = 5.0
"""Shorter says nothing about a share: the kernel counts in steps of 10 ms."""
WARM_MINUTES = 2
"""Caches fill in the first hand; memory is compared from there on."""
GROWTH_MOST = 0.05
"""The most in the second half over the most in the first half. A collector's rhythm swings by 3 %, and the
robots fill a table of distances (rules/distance.py, bounded) with what each new hand asks: 0.4 MB a hand."""


@dataclass
class Watched:
    """Seconds and processor seconds by phase, and memory at the end of each minute."""

    spent: dict[str, dict[str, float]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(float))
    )
    memory: list[dict[str, float]] = field(default_factory=list)

    def note(self, phase: str, passed_s: float, spent: dict[str, float]) -> None:
        """Add what was spent since the last look to the phase of the table."""
        row = self.spent[phase]
        row["passed"] += passed_s
        for name, seconds in spent.items():
            row[name] += seconds

    def share(self, phase: str, *parts: str) -> float:
        """Return the share of one core of some parts in a phase."""
        row = self.spent[phase]
        return sum(row[name] for name in parts) / row["passed"]

    def growth(self) -> dict[str, float]:
        """Return by how much of it the memory of each process grew, from after the first minutes on."""
        kept = self.memory[WARM_MINUTES - 1 :]
        half = (len(kept) + 1) // 2
        if len(kept) < 2:
            return {}
        return {
            name: max(row[name] for row in kept[half:]) / max(row[name] for row in kept[:half]) - 1
            for name in kept[0]
        }

    def missed(self) -> list[str]:
        """Return what does not hold."""
        told = [
            f"{phase}: board and machine take {share:.3f} of a core, not {SHARE_MOST} or less"
            for phase, row in self.spent.items()
            if row["passed"] >= ENOUGH_S
            for share in (self.share(phase, "board", "machine"),)
            if share > SHARE_MOST
        ]
        return told + [
            f"memory of the {name} grew by {share:.1%} in the second half, not {GROWTH_MOST:.0%} or less"
            for name, share in self.growth().items()
            if share > GROWTH_MOST
        ]


def main(arguments: Sequence[str]) -> int:
    """Watch a live table; returns the exit status."""
    line = argparse.ArgumentParser(prog="python -m tests.bench realtime", description=__doc__)
    line.add_argument("--minutes", type=int, default=2)
    line.add_argument("--seed", type=int, default=1)
    given = line.parse_args(arguments)
    watched = Watched()
    with (
        tempfile.TemporaryDirectory() as folder,
        LiveTable(Path(folder) / "data", "--twin", "--seed", str(given.seed)) as table,
    ):
        table.wait(lambda state: state["health"]["link"] == "up" and state["health"]["camera"] == "up")
        assert table.process is not None
        processes = Table.of(table.process.pid)
        for minute in range(1, given.minutes + 1):
            print(_one_minute(table, processes, watched, minute), flush=True)
    for phase, row in sorted(watched.spent.items(), key=lambda item: -item[1]["passed"]):
        if row["passed"] >= ENOUGH_S:
            print(f"{phase:10} {row['passed']:6.0f} s   {_shares(watched, phase)}")
    for name, share in watched.growth().items():
        print(f"{name:10} memory {share:+.1%} in the second half")
    if not watched.growth():
        print(f"memory: watch {WARM_MINUTES + 1} minutes or more to see whether it is flat")
    missed = watched.missed()
    for text in missed:
        print(f"missed: {text}")
    return 1 if missed else 0


def _one_minute(table: LiveTable, processes: Table, watched: Watched, minute: int) -> str:
    here = Watched()
    shares, end = Shares(processes), time.perf_counter() + 60
    while time.perf_counter() < end:
        time.sleep(LOOK_S)
        state = table.state()
        passed_s, spent = shares.look()
        for each, phase in ((watched, str(state["phase"])), (here, "minute")):
            each.note(phase, passed_s, spent)
    memory = processes.memory()
    watched.memory.append(memory)
    told = "  ".join(f"{name} {mb:.1f}" for name, mb in memory.items())
    return f"minute {minute:3}  hand {state['hand']:3}   {_shares(here, 'minute')}   MB: {told}"


def _shares(watched: Watched, phase: str) -> str:
    return "  ".join(
        f"{name} {watched.share(phase, name):.3f}" for name in ("board", "machine", "camera", "service")
    )
