"""Two sets on real firmware and pixels: hands change over in seconds; nothing that breaks mixes the sets."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from controller.config import journal_path
from controller.fold import fold
from controller.journal import read_records, verify
from controller.play import PlayOrder, PlaySession
from controller.runtime import Runtime, Settings
from controller.state import STEPS, Phase, TableState
from controller.virtual import VirtualTable
from tests.e2e.live_table import cli

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("two-sets")]

CHANGEOVER_S = 6.0
"""Dome down 1.2 s and trays up 2.2 s, with room for answers; a build takes 25 s."""
STEPS_MAX = 40_000


def play(*words: str) -> tuple[int, dict[str, Any], str]:
    done = cli("twin", "play", "--seed", "1", "--sets", "2", "--json", *words)
    return done.returncode, json.loads(done.stdout) if done.stdout else {}, done.stderr


def figures(summary: dict[str, Any]) -> tuple[int, bool, int]:
    return summary["wrong_and_confident"], summary["ledger_matches_truth"], summary["ledger_sum"]


def test_hands_change_over_in_seconds() -> None:
    code, summary, errors = play("--hands", "3")
    assert code == 0, errors
    assert summary["hands"] == summary["dice_read_exact"] == summary["lamp_read_exact"] == 3
    assert figures(summary) == (0, True, 0)
    assert summary["changeovers"] == 2
    assert summary["changeover_seconds"] < CHANGEOVER_S


FAULTS = (
    {"name": "jam:2", "hand": 1, "when": "throw", "after_ms": 8_000},
    {"name": "hang", "hand": 2, "when": "throw", "after_ms": 9_000},
)
"""Both throws take seven seconds: then the deal is on, and the other set half built."""


def test_what_breaks_in_the_other_set_leaves_the_hand_alone(tmp_path: Path) -> None:
    """A jam, and a board that hangs and forgets its counts, both while people play: the hands are won and
    booked; the jam is mended and the half wall taken out before the next hand."""
    faults = tmp_path / "faults.jsonl"
    faults.write_text("".join(json.dumps(fault) + "\n" for fault in FAULTS))
    _, summary, errors = play("--hands", "3", "--faults", str(faults), "--keep", str(tmp_path / "kept"))
    assert (summary["hands"], summary["void"]) == (3, 0), errors
    assert figures(summary) == (0, True, 0)
    rows = list(read_records(journal_path(tmp_path / "kept")))
    told = [(row.body["key"], row.body["phase"]) for row in rows if row.kind == "fault"]
    assert [key for key, _ in told] == ["fault.jam", "fault.reset"]
    assert all(phase in ("DEALING", "PLAYING") for _, phase in told)


class Evenings:
    """Two hands in which the service is killed at every new place, the other set's place included."""

    def __init__(self, folder: Path, gap_ms: int) -> None:
        self.folder, self.gap_ms = folder, gap_ms
        self.killed: set[tuple[str, ...]] = set()

    def run(self) -> VirtualTable:
        with ExitStack() as stack:
            session = PlaySession(PlayOrder(2, sets=2), self.folder, stack, lambda _text: None)
            table = session.table
            table.start()
            for _ in range(STEPS_MAX):
                table.step()
                state = table.runtime.state
                here = (state.phase.value, str(state.step), state.behind)
                if state.hand and here not in self.killed and state.phase is not Phase.FAULT:
                    self.killed.add(here)
                    self.kill(table)
                elif state.fault is not None and state.phase is not Phase.SETTLED:
                    table.post("clear_fault")
                elif state.phase is Phase.SETTLED and state.hand == 2:
                    return table
            raise AssertionError(f"no end: {table.runtime.state.phase}, {table.refusals[-3:]}")

    def kill(self, table: VirtualTable) -> None:
        before = table.runtime.state
        folded = fold(read_records(journal_path(self.folder)))
        assert (folded.behind, folded.playing, folded.phase) == (before.behind, before.playing, before.phase)
        runtime = Runtime("simplest", state=folded, settings=Settings(sets=2), now_ms=table.now_ms)
        table.restart(runtime, self.gap_ms)


@pytest.mark.parametrize("gap_ms", [0, 3_000], ids=["at-once", "after-3s"])
def test_two_hands_go_on_from_every_place(tmp_path: Path, gap_ms: int) -> None:
    evenings = Evenings(tmp_path, gap_ms)
    table = evenings.run()
    passed = {here[:2] for here in evenings.killed}
    assert {("LIFTING", step) for step in STEPS[Phase.LIFTING]} <= passed
    assert {("DEALING", "None"), ("PLAYING", "None"), ("SETTLED", "None")} <= passed
    assert {here[2] for here in evenings.killed} == {"out", "inside", "built"}
    state: TableState = table.runtime.state
    assert sum(seat.score for seat in state.seats) == 0
    assert verify(journal_path(tmp_path)).ok
