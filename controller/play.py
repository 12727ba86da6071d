"""`twin play`: whole hands on a stepped twin, headless, then the journal held against the twin's record."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TextIO

from controller.camera import PhotoReader
from controller.config import evidence_path, journal_path
from controller.driver import Ledger
from controller.errors import ControllerError
from controller.evidence import EvidenceStore
from controller.facts import Fact, Record
from controller.journal import Journal, Stamp, read_records
from controller.runtime import Runtime, Settings
from controller.state import Phase, TableState
from controller.twin_process import TwinProcess
from controller.verdict import HandRow, Summary, compare, read_truth, summarise, wrong_draws
from controller.virtual import TwinClient, VirtualTable
from firmware_bridge.link import Link
from rules.variants import PLAYED, get_variant
from vision.eyes import Eyes

TWIN_SABOTAGES: Mapping[str, str] = {
    "lying-face": "the camera shows a tile as its neighbour: counted as wrong and confident",
    "lying-dice": "the camera shows a die one pip off: counted as wrong and confident",
}
SABOTAGES: Mapping[str, str] = {
    **TWIN_SABOTAGES,
    "stolen-point": "the ledger books one point too little for one seat: hands do not sum to zero",
}

SESSIONS = 0xFFFF


class PlayError(ControllerError, ValueError):
    """A play was asked for that makes no sense."""


@dataclass(frozen=True, slots=True)
class PlayOrder:
    """What to play."""

    hands: int
    seed: int = 1
    variant: str = PLAYED
    faults: Path | None = None
    sabotage: str | None = None
    sets: int = 1
    pins: Path | None = None
    """Folder for what went over the pins and through the wood."""
    ends_with_game: bool = False
    """Play until the first game is over: `hands` are the most."""
    seating: bool = False
    """The players throw for their seats before each game."""
    blind: bool = False
    """No page anywhere: the players see lamps, dice and tiles, and use their keys."""
    procedure: Mapping[str, Any] = field(default_factory=dict)
    """What the table agrees on beside the rule set (`rules.settings`)."""

    def __post_init__(self) -> None:
        if self.sabotage is not None and self.sabotage not in SABOTAGES:
            raise PlayError(f"no sabotage {self.sabotage!r}: {', '.join(SABOTAGES)}")


@dataclass(frozen=True, slots=True)
class PlayResult:
    """What came of it."""

    summary: Summary
    rows: tuple[HandRow, ...]
    head: str
    records: tuple[Record, ...]
    steps: int
    virtual_ms: int
    changeovers_s: tuple[float, ...] = ()
    """With two sets, of each hand whose walls stood built: machine time from the key that says that the
    played set is in, to the walls of the other one on the table."""


class StolenPoint:
    """Sabotage: a ledger that takes one point from one seat in every settlement."""

    def __init__(self, ledger: Ledger, unit: int) -> None:
        self._ledger = ledger
        self._unit = unit

    def append(self, facts: Sequence[Fact]) -> tuple[Record, ...]:
        """Write the facts, dishonestly."""
        return self._ledger.append([self._altered(fact) for fact in facts])

    def _altered(self, fact: Fact) -> Fact:
        if fact.kind != "settled":
            return fact
        deltas = dict(fact.body["deltas"])
        seat = min(deltas, key=lambda name: (-deltas[name], name))
        deltas[seat] -= self._unit
        return replace(fact, body={**fact.body, "deltas": deltas})


class PlaySession:
    """A play that is set up: everything it needs, closed by `stack`."""

    def __init__(
        self, order: PlayOrder, folder: Path, stack: ExitStack, progress: Callable[[str], None]
    ) -> None:
        self.order, self.folder = order, folder
        self.truth = folder / "truth.jsonl"
        self._progress = progress
        self._started = time.monotonic()
        self.hand = 0
        """The hand that is or was played last, counted over all games."""
        unit = get_variant(order.variant).unit
        arguments = ["--stepped", "--socket", str(folder / "twin.sock"), *self._arguments()]
        self.process = stack.enter_context(TwinProcess(arguments))
        eyes = Eyes()  # the models load while the firmware compiles
        self.process.wait_socket(folder / "twin.sock")
        twin = stack.enter_context(TwinClient(folder / "twin.sock"))
        self.journal = Journal(journal_path(folder), clock=self._stamp)
        stack.callback(self.journal.close)
        ledger: Ledger = self.journal
        if order.sabotage == "stolen-point":
            ledger = StolenPoint(self.journal, unit)
        reader = PhotoReader(eyes, EvidenceStore(evidence_path(folder)))
        link = Link(0, session=1 + order.seed % SESSIONS)  # not by chance: the same seed sends the same bytes
        settings = Settings(sets=order.sets, procedure=order.procedure)
        runtime = Runtime(order.variant, settings=settings, link=link)
        self.table = VirtualTable(runtime, ledger, twin, reader, on_facts=self._hear)

    def _arguments(self) -> list[str]:
        order = self.order
        words = ["--seed", str(order.seed), "--variant", order.variant, "--hands", str(order.hands)]
        words += ["--truth", str(self.truth), "--sets", str(order.sets)]
        if order.pins is not None:
            order.pins.mkdir(parents=True, exist_ok=True)
            words += ["--vcd", str(order.pins / "board.vcd"), "--trace", str(order.pins / "plant.jsonl")]
        words += ["--seating"] if order.seating else []
        words += ["--blind"] if order.blind else []
        if order.faults is not None:
            words += ["--faults", str(order.faults)]
        if order.sabotage in TWIN_SABOTAGES:
            words += ["--sabotage", str(order.sabotage)]
        return words

    def is_over(self, state: TableState) -> bool:
        """Return whether all that was asked for is played."""
        if self.order.ends_with_game and state.over is not None:
            return True
        return state.phase is Phase.SETTLED and self.hand >= self.order.hands

    def _stamp(self) -> Stamp:
        return self.table.stamp()

    def _hear(self, records: tuple[Record, ...]) -> None:
        for record in records:
            if record.kind == "hand_started":
                self.hand += 1
            if record.kind == "settled":
                body, spent = record.body, time.monotonic() - self._started
                who = body["seat"] or "-"
                self._progress(
                    f"hand {self.hand} of {self.order.hands}: {body['kind']} {who} "
                    f"{body['hand_text'] or ''}  账本印 {record.hash[:8]}  ({spent:.1f} s)"
                )


def play(
    order: PlayOrder,
    folder: Path | None = None,
    *,
    progress: Callable[[str], None] = lambda _text: None,
) -> PlayResult:
    """Play, judge and return the result.

    Args:
        folder: where ledger, photos and the twin's record stay; None = a temporary one.
        progress: hears a line for each hand.
    Raises:
        TwinError, TwinGone: if the twin does not start or ends.
        HandStuck: if a hand finds no way on.
    """
    started = time.monotonic()
    with ExitStack() as place:
        if folder is None:
            folder = Path(place.enter_context(tempfile.TemporaryDirectory(prefix="mahjong-table-")))
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            session = PlaySession(order, folder, stack, progress)
            session.table.start()
            session.table.run(session.is_over)
        records = tuple(read_records(journal_path(folder)))
        truth = read_truth(session.truth)
    rows = compare(records, truth, get_variant(order.variant).unit, order.hands)
    draws = wrong_draws(records, truth)
    summary = summarise(rows, time.monotonic() - started, wrong_draws=len(draws))
    return PlayResult(
        summary,
        tuple(rows),
        records[-1].hash,
        records,
        session.table.steps,
        session.table.now_ms,
        changeovers_s(records),
    )


def changeovers_s(records: Sequence[Record]) -> tuple[float, ...]:
    """Return how long each change-over of two sets took: dome closed to walls up, in seconds of the table."""
    found: list[float] = []
    pushed_in: int | None = None
    for record in records:
        if record.kind in ("hand_started", "build_done") and not record.body.get("behind"):
            pushed_in = None
        elif record.kind == "phase":
            match record.body["phase"], record.body["step"]:
                case Phase.BUILDING, "close":
                    pushed_in = record.at_mono
                case Phase.LIFTING, "lower" if pushed_in is not None:
                    found.append((record.at_mono - pushed_in) / 1000)
                    pushed_in = None
    return tuple(found)


def write_trace(rows: Sequence[HandRow], sink: TextIO) -> None:
    """Write one JSON line for each hand."""
    for row in rows:
        sink.write(json.dumps(row.trace(), ensure_ascii=False) + "\n")
