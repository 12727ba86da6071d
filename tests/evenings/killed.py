"""Twin evenings whose service dies of kill -9 again and again, and what it had told its client by then.

The twin stays, as a real table would. The service is a process of its own each time, forked for speed, with
runtime, driver, ledger and eyes as in `twin play`. Its client is this process, which carries the lines from
service to twin and back and notes every row of which it heard. Time is the twin's.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import cv2

from controller.camera import PhotoReader
from controller.config import evidence_path, journal_path
from controller.evidence import EvidenceStore
from controller.facts import Record
from controller.journal import Journal, verify
from controller.journal_read import each_record
from controller.runtime import Runtime
from controller.snapshots import open_ledger
from controller.state import Phase
from controller.twin_process import TwinProcess
from controller.virtual import TwinClient, VirtualTable
from firmware_bridge.link import Link
from vision.eyes import Eyes

PATIENCE_S = 240.0
"""For one start, or one fact: a hand at a starved machine takes its time."""
GAPS_MS = (0, 300, 3_000)
"""How long the table is alone: the board stops its motors by itself after 600 ms."""
CLEAR_AGAIN_MS = 200
"""What is posted is heard before time goes on: asked at every step, a link that is down never comes up."""
LINES_MOST, ROWS_MOST, DELAY_S = 60, 12, 0.01
SESSIONS = 0xFFFF
TORN = 600
"""Bytes: more than a page of the log, so that its last write is not whole."""
MOVES_POINTS = ("kong", "kong_robbed", "kong_withdrawn", "settled", "false_win", "reveal_penalty")


@dataclass
class Figures:
    """What came of it; a start that shows something else than the rows come to is an AssertionError."""

    kills: int = 0
    hands: int = 0
    rows: int = 0
    rows_seen: int = 0
    written_not_told: int = 0
    lost: int = 0
    phases: dict[str, int] = field(default_factory=dict)
    opened_ms_most: int = 0


class Lines:
    """Whole lines of a pipe or socket; half a line that a dead process left is dropped."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self._rest = b""
        self.is_over = False
        """The other end is gone."""

    def lines(self) -> list[bytes]:
        """Return the lines that are there now; it never waits."""
        while select.select([self.fd], [], [], 0)[0]:
            try:
                data = os.read(self.fd, 65_536)
            except ConnectionResetError:
                data = b""
            if not data:
                self.is_over = True
                break
            self._rest += data
        *whole, self._rest = self._rest.split(b"\n")
        return [line + b"\n" for line in whole]


class Tables:
    """A twin, and the brains that are killed at it. Use as a context manager."""

    def __init__(
        self, folder: Path, seed: int, *, variant: str = "simplest", is_forgetful: bool = False
    ) -> None:
        """Start the twin.

        Args:
            is_forgetful: sabotage: the end of the log is gone after each kill.
        """
        self.folder, self.variant, self.is_forgetful = folder, variant, is_forgetful
        self.chance, self.figures = Random(seed), Figures()
        self.path = journal_path(folder)
        self.seen: dict[int, str] = {}
        self.points = dict.fromkeys("ESWN", 0)
        self._head = ""
        self._stack = ExitStack()
        place = folder / "twin.sock"
        words = ["--stepped", "--socket", str(place), "--seed", str(seed), "--variant", variant]
        words += ["--hands", "100000", "--truth", str(folder / "truth.jsonl")]
        self._process = self._stack.enter_context(TwinProcess(words))
        self._process.wait_socket(place, PATIENCE_S)
        self._twin = self._stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
        self._twin.connect(str(place))
        self._answers = self._twin.makefile("rb")
        self._listener = self._stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
        self._listener.bind(str(folder / "relay.sock"))
        self._listener.listen(1)
        cv2.setNumThreads(1)  # none of its threads may stand in a process that forks

    def __enter__(self) -> Tables:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def play(self, kills: int) -> Figures:
        """Kill the service that often, at random moments of the evening; check after each."""
        for _ in range(kills):
            self._one_life()
            if self.is_forgetful:
                log = self.path.with_name(self.path.name + "-wal")
                os.truncate(log, log.stat().st_size - TORN)
            self._check()
            self.figures.kills += 1
        assert verify(self.path).ok
        return self.figures

    # ---- one service

    def _one_life(self) -> None:
        told, tells = os.pipe()
        gap_ms = self.chance.choice(GAPS_MS) if self.figures.kills else 0
        pid = os.fork()
        if not pid:
            os.close(told)
            self._serve(tells, gap_ms)
        os.close(tells)
        try:
            self._listen(pid, Lines(told))
        finally:
            os.close(told)

    def _serve(self, tells: int, gap_ms: int) -> None:
        """Be the service until somebody kills it; a mistake of its own is told."""
        try:
            self._listener.close()
            self._twin.close()
            _serve(self.folder, self.variant, tells, self.figures.kills, gap_ms)
        except BaseException as error:
            os.write(tells, f"failed {json.dumps(repr(error))}\n".encode())
        finally:
            os._exit(1)

    def _listen(self, pid: int, told: Lines) -> None:
        """Carry lines between service and twin until its moment has come, and note all that it told."""
        requests = None
        try:
            requests = self._carry(told)
            moment = time.monotonic() + self.chance.uniform(0, DELAY_S)
            while time.monotonic() < moment:  # it runs on meanwhile, up to its next question
                pass
        finally:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        for line in requests.lines():
            self._asked(line)  # what it still asked for happens at the table, and nobody hears of it
        for line in told.lines():
            self._note(line)
        os.close(requests.fd)

    def _carry(self, told: Lines) -> Lines:
        by_rows = self.chance.random() < 0.5
        left = self.chance.randint(1, ROWS_MOST if by_rows else LINES_MOST)
        self._wait([self._listener.fileno(), told.fd], self._listener.fileno(), told)
        client, _ = self._listener.accept()
        requests = Lines(client.detach())
        while left > 0:
            self._wait([requests.fd, told.fd])
            rows = sum(self._note(line) for line in told.lines())
            assert not told.is_over, "the service ended by itself"
            asked = requests.lines()
            for line in asked:
                os.write(requests.fd, self._asked(line))
            left -= rows if by_rows else len(asked)
        return requests

    def _wait(self, fds: list[int], wanted: int | None = None, told: Lines | None = None) -> None:
        """Wait until one of these has something, or the wanted one."""
        while True:
            ready, _, _ = select.select(fds, [], [], PATIENCE_S)
            assert ready, "the evening does not go on"
            if wanted is None or wanted in ready:
                return
            assert told is not None
            for line in told.lines():
                self._note(line)

    def _asked(self, line: bytes) -> bytes:
        self._twin.sendall(line)
        answer = self._answers.readline()
        assert answer.endswith(b"\n"), self._process.last_words()
        return answer

    def _note(self, line: bytes) -> int:
        """Take what the service tells: a start, or rows that are on disk; return how many rows."""
        what, words = line.decode().split(maxsplit=1)
        body = json.loads(words)
        assert what != "failed", body
        if what == "opened":
            self._opened(body)
            return 0
        self.seen |= {int(seq): sealed for seq, sealed in body["rows"]}
        self.figures.rows_seen += len(body["rows"])
        return len(body["rows"])

    # ---- what must hold

    def _opened(self, body: Mapping[str, Any]) -> None:
        """The new service shows what the rows on disk come to, worked out here from the rows alone."""
        assert body["head"] == self._head, "it starts at another row than the last one on disk"
        assert body["scores"] == self.points, (body, self.points)
        phase = body["phase"]
        self.figures.phases[phase] = self.figures.phases.get(phase, 0) + 1
        self.figures.opened_ms_most = max(self.figures.opened_ms_most, body["ms"])

    def _check(self) -> None:
        """Nothing that was told is lost, and what else is on disk is whole and at most one write."""
        after = self.figures.rows
        told = max(self.seen, default=after)
        for record in each_record(self.path, after):
            self.figures.rows += 1
            assert record.seq == self.figures.rows
            self.figures.lost += self.seen.get(record.seq, record.hash) != record.hash
            self.figures.written_not_told += record.seq > told
            self._add(record)
        self.figures.lost += max(0, told - self.figures.rows)
        assert verify(self.path).ok
        self.seen.clear()

    def _add(self, record: Record) -> None:
        self._head = record.hash
        self.figures.hands += record.kind == "settled"
        if record.kind == "game_started":
            self.points = dict.fromkeys("ESWN", 0)
        if record.kind in MOVES_POINTS:
            deltas = record.body["deltas"]
            assert sum(deltas.values()) == 0
            self.points = {seat: self.points[seat] + deltas[seat] for seat in self.points}


def _serve(folder: Path, variant: str, tells: int, number: int, gap_ms: int) -> None:
    """Start a service on the ledger and play on; tell what was found and every row that is on disk."""

    def tell(what: str, **body: Any) -> None:
        os.write(tells, f"{what} {json.dumps(body)}\n".encode())

    def heard(records: tuple[Record, ...]) -> None:
        tell("rows", rows=[[record.seq, record.hash] for record in records])

    path, started = journal_path(folder), time.monotonic()
    opened = open_ledger(path)
    state = opened.state
    ms = round(1000 * (time.monotonic() - started))
    scores = {place.seat.value: place.score for place in state.seats}
    tell("opened", head=state.head, scores=scores, phase=state.phase.value, ms=ms)
    twin = TwinClient(folder / "relay.sock")
    now_ms = twin.run(0).now_us // 1000
    journal: Journal = opened.journal
    runtime = Runtime(variant, state=state, link=Link(now_ms, session=1 + number % SESSIONS), now_ms=now_ms)
    reader = PhotoReader(Eyes(threads=1), EvidenceStore(evidence_path(folder)))
    table = VirtualTable(runtime, journal, twin, reader, on_facts=heard)
    table.now_ms = now_ms
    table.idle(gap_ms if number else 0)
    table.start()
    tried_ms = -CLEAR_AGAIN_MS
    for _ in _forever():
        table.step()
        if table.runtime.state.phase is Phase.FAULT and table.now_ms - tried_ms >= CLEAR_AGAIN_MS:
            tried_ms = table.now_ms
            table.post("clear_fault")


def _forever() -> Iterator[None]:
    while True:
        yield
