"""Uneven walls and a pause on the real firmware, with brain, robots and eyes, all in this process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

import rules.variants
from controller.camera import PhotoReader
from controller.config import evidence_path, journal_path
from controller.evidence import EvidenceStore
from controller.facts import Record
from controller.journal import Journal, read_records
from controller.projections import state_view
from controller.runtime import Runtime
from controller.state import Phase, TableState
from controller.verdict import compare, read_truth
from controller.virtual import TwinClient, VirtualTable
from hardware.firmware.build import build_firmware, build_harness
from hardware.twin.harness_client import Harness
from hardware.twin.stepped import SteppedServer
from hardware.twin.twin import Setup, Twin
from rules.procedure import walls_agreed
from rules.seats import Seat
from rules.variant import Variant
from rules.variants.common import WALLS108
from rules.variants.simplest import SIMPLEST
from vision.eyes import Eyes

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("twin-play")]

SUITS_ONLY = replace(SIMPLEST, key="simplest108", tiles=108, options=(*SIMPLEST.options, WALLS108))
"""No variant of 108 tiles is listed yet: the simplest rules with suits only."""


class InProcess(TwinClient):
    """The lockstep protocol without its socket."""

    def __init__(self, twin: Twin, folder: Path) -> None:
        self._server = SteppedServer(twin, folder / "twin.sock")

    def ask(self, op: str, **fields: Any) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(json.dumps(self._server.answer({"op": op, **fields})))
        return answer

    def close(self) -> None:
        self._server._listener.close()


@dataclass
class Evening:
    """A table and its twin."""

    table: VirtualTable
    twin: Twin
    folder: Path

    def records(self) -> tuple[Record, ...]:
        return tuple(read_records(journal_path(self.folder)))

    def pause(self) -> str | None:
        runtime = self.table.runtime
        return state_view(runtime.state, runtime.live)["build"]["pause"]

    def until(self, pause: str | None) -> None:
        for _ in range(400):
            if self.pause() == pause:
                return
            self.table.step()
        raise AssertionError(f"{self.pause()} and not {pause}")


@pytest.fixture
def sit_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with ExitStack() as stack:

        def make(variant: Variant, options: dict[str, object], seed: int, hands: int) -> Evening:
            listed = {**rules.variants.VARIANTS, variant.key: variant}
            monkeypatch.setattr(rules.variants, "VARIANTS", MappingProxyType(listed))
            setup = Setup(seed, variant.key, options, tmp_path / "truth.jsonl", hands=hands, check=True)
            twin = Twin(setup, Harness(build_harness(), build_firmware()))
            stack.callback(twin.close)
            client = InProcess(twin, tmp_path)
            stack.callback(client.close)
            journal = Journal(journal_path(tmp_path), clock=lambda: table.stamp())
            stack.callback(journal.close)
            reader = PhotoReader(Eyes(), EvidenceStore(evidence_path(tmp_path)))
            table = VirtualTable(Runtime(variant.key, options), journal, client, reader)
            table.start()
            return Evening(table, twin, tmp_path)

        yield make


def settled(hands: int) -> Any:
    return lambda state: state.phase is Phase.SETTLED and state.hand >= hands


@pytest.mark.parametrize(("walls108", "seed"), [("14,13,14,13", 8), ("14,14,13,13", 4)])
def test_hands_of_108_tiles_from_uneven_walls(sit_down: Any, walls108: str, seed: int) -> None:
    """The walls follow the dealer, the robots draw from them as they stand, and the ledger is the truth."""
    options = {"walls108": walls108}
    evening = sit_down(SUITS_ONLY, options, seed, 2)
    evening.table.run(settled(2))
    evening.twin.truth.close()
    dealers = [Seat(each.body["dealer"]) for each in evening.records() if each.kind == "hand_started"]
    built = [each.body["counts"] for each in evening.records() if each.kind == "build_done"]
    assert built == [
        [2 * stacks for stacks in walls_agreed(108, dealer, options).values()] for dealer in dealers
    ]
    assert [each.kind for each in evening.records()].count("fault") == 0
    rows = compare(evening.records(), read_truth(evening.folder / "truth.jsonl"), SUITS_ONLY.unit, 2)
    assert [row.ledger_matches for row in rows] == [True, True], [row.differences for row in rows]
    assert len(set(dealers)) == 2, "the walls of another dealer are others"


def test_a_tile_on_the_floor_is_added_in_a_pause(sit_down: Any) -> None:
    """Both lift keys, dome up, the tile in, one lift key: the wall is whole and the hand begins."""
    evening = sit_down(SIMPLEST, {}, 2, 1)
    plant = evening.twin.machine.plant
    plant.lose_tile()
    evening.until("no")
    while sum(evening.table.runtime.live.machine.counts) < 40:
        evening.table.step()
    for key in ("lift_a", "lift_b"):
        plant.press_key(key)
    evening.until("yes")
    while not plant.dome.is_up:
        evening.table.step()
    asked = evening.table.now_ms + 400_000
    while evening.table.now_ms < asked:
        evening.table.step()
    assert (plant.pick_up(), plant.push_in()) == (1, True)
    plant.press_key("lift_b")
    evening.until("no")
    evening.table.run(lambda state: state.phase is Phase.READY)
    kinds = [each.kind for each in evening.records()]
    assert kinds.count("fault") == 0
    assert state_of(evening).built == (34, 34, 34, 34)
    assert not evening.table.runtime.live.notices


def test_the_switch_at_the_machine_holds_a_build_back(sit_down: Any) -> None:
    evening = sit_down(SIMPLEST, {}, 3, 1)
    plant, runtime = evening.twin.machine.plant, evening.table.runtime
    plant.turn_switch(2)
    evening.table.run(lambda state: state.step == "build")
    for _ in range(100):
        evening.table.step()
    assert [notice.code for notice in runtime.live.notices] == ["machine.programme"]
    assert not plant.motors_on
    plant.turn_switch(5)
    evening.table.run(lambda state: state.phase is Phase.READY)
    assert not runtime.live.notices


def state_of(evening: Evening) -> TableState:
    return evening.table.runtime.state
