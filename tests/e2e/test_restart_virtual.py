"""The service dies at every step of a hand and starts anew: same state, same ledger, the hand goes on.

In virtual time, so that every step is met; the real process is killed in test_kill.py.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from controller.config import journal_path
from controller.fold import fold
from controller.journal import read_records, verify
from controller.play import PlayOrder, PlaySession
from controller.runtime import Runtime
from controller.state import STEPS, Phase, TableState
from controller.virtual import VirtualTable

pytestmark = pytest.mark.e2e

Place = tuple[Phase, str | None]
PASSED: tuple[Place, ...] = (
    (Phase.BUILDING, "home"),
    (Phase.BUILDING, "open"),
    (Phase.BUILDING, "load"),
    (Phase.BUILDING, "close"),
    (Phase.BUILDING, "build"),
    (Phase.READY, None),
    (Phase.LIFTING, None),
    (Phase.DICE, "lamp"),
    (Phase.DICE, "throw"),
    (Phase.DICE, "spin"),
    (Phase.DICE, "read"),
    (Phase.DEALING, None),
    (Phase.PLAYING, None),
    (Phase.CLAIM, "lay"),
    (Phase.CLAIM, "read"),
    (Phase.CONFIRM, None),
    (Phase.REVIEW, None),
    (Phase.SETTLED, None),
)
"""Every place that a hand without trouble passes, and REVIEW, which the test brings about."""
STEPS_MAX = 20_000


def place(state: TableState) -> Place:
    return state.phase, state.step


def known(state: TableState) -> TableState:
    """Return what the ledger knows (a live state has the seal of each row as well)."""
    return replace(state, last=None)


class Evening:
    """One hand in which the service is killed at every new place."""

    def __init__(self, folder: Path, gap_ms: int) -> None:
        self.folder, self.gap_ms = folder, gap_ms
        self.killed: list[Place] = []
        self.disputed = False

    def run(self) -> VirtualTable:
        with ExitStack() as stack:
            session = PlaySession(PlayOrder(1), self.folder, stack, lambda _text: None)
            table = session.table
            table.start()
            for _ in range(STEPS_MAX):
                table.step()
                state = table.runtime.state
                if state.hand and place(state) not in self.killed:
                    self.killed.append(place(state))
                    self.kill(table)
                elif state.phase is Phase.FAULT:
                    table.post("clear_fault")
                elif state.phase is Phase.CONFIRM and not self.disputed:
                    self.disputed = table.post("dispute", seat=other(state))
                elif state.phase is Phase.SETTLED:
                    return table
            raise AssertionError(f"no end: {place(table.runtime.state)}, {table.refusals[-3:]}")

    def kill(self, table: VirtualTable) -> None:
        before = table.runtime.state
        path = journal_path(self.folder)
        assert verify(path, before.head[:8]).ok
        folded = fold(read_records(path))
        assert known(folded) == known(before), place(before)
        assert (folded.seq, folded.head) == (before.seq, before.head)
        table.restart(Runtime("simplest", state=folded, now_ms=table.now_ms), self.gap_ms)
        after = table.runtime.state
        assert (after.phase, after.hand) == (before.phase, before.hand)
        assert [seat.score for seat in after.seats] == [seat.score for seat in before.seats]


def other(state: TableState) -> str:
    assert state.claim is not None
    assert state.claim.seat is not None
    return state.claim.seat.next.value


@pytest.mark.parametrize("gap_ms", [0, 3_000], ids=["at-once", "after-3s"])
def test_the_hand_goes_on_from_every_place(tmp_path: Path, gap_ms: int) -> None:
    evening = Evening(tmp_path, gap_ms)
    table = evening.run()
    missed = set(PASSED) - set(evening.killed)
    assert not missed
    state = table.runtime.state
    assert state.last is not None
    assert state.last.hand == 1
    assert sum(seat.score for seat in state.seats) == 0
    assert verify(journal_path(tmp_path)).ok


def test_the_places_are_those_of_the_state() -> None:
    steps = {(phase, step) for phase, names in STEPS.items() for step in names}
    assert {spot for spot in PASSED if spot[1] is not None} <= steps
    assert {spot[0] for spot in PASSED} | {Phase.IDLE, Phase.FAULT} == set(Phase)
