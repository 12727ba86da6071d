"""The real service on a free port, over a ledger that stands in a phase, and schemathesis in front of it."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from controller.effects import TakePhoto
from controller.evidence import EvidenceStore
from controller.facts import Fact, Record
from controller.inputs import CameraState, PortDown, Restarted
from controller.journal import Journal
from controller.live import BrainThread, LiveService, monotonic_ms
from controller.players import Players
from controller.runtime import Runtime
from controller.snapshots import open_ledger
from controller.web import WebServer, bind, create_app
from controller.web.sessions import COOKIE
from tests.controller.conftest import FakeTable

EVENTS = "/api/v1/events"
CODE = "40718836"
CALLERS = ("here", "code", "stranger")
"""This machine, another one that showed the code, another one that did not."""
FROM_AFAR = "Via: 1.1 elsewhere"
"""A request with this header is not one of this machine: it needs the code."""
START_S, END_S = 60.0, 30.0


class NoDevices:
    """A table without board and camera: nothing is sent and no photo comes."""

    def send(self, data: bytes) -> None:
        pass

    def take_photo(self, want: TakePhoto) -> None:
        pass

    def set_line(self, line: str, level: int) -> None:
        pass


class ApiTable:
    """Ledger, brain thread, service and pages as `serve` puts them together. Use as a context manager.

    Args:
        rows: what has happened at the table so far.
        changed: changes the OpenAPI document, to prove that what is wrong in it is found.
    """

    def __init__(
        self,
        folder: Path,
        rows: Sequence[Record] = (),
        changed: Any = lambda document: None,
    ) -> None:
        self.folder, self._changed = folder, changed
        self.journal_path = folder / "journal.db"
        if rows:
            journal = Journal(self.journal_path)
            journal.append(Fact(row.kind, row.body) for row in rows)
            journal.close()
        self._loop = asyncio.new_event_loop()
        self._socket = bind("127.0.0.1", 0)
        self.origin = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._is_up, self._ends = threading.Event(), asyncio.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> ApiTable:
        self._thread.start()
        assert self._is_up.wait(START_S), "the service did not start"
        self._check()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._ends.set)
        self._thread.join(END_S)
        self._loop.close()
        self._check()

    def _check(self) -> None:
        if self._error is not None:
            raise AssertionError("the service failed") from self._error

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
        except BaseException as error:
            self._error = error
        finally:
            self._is_up.set()

    async def _serve(self) -> None:
        opened = open_ledger(self.journal_path)
        players = Players(self.folder / "players.db")
        service = LiveService(opened.journal.epoch, EvidenceStore(self.folder / "evidence"), players)
        runtime = Runtime("simplest", state=opened.state, now_ms=monotonic_ms(), earlier=opened.latest())
        brain = BrainThread(runtime, opened.journal, service.show, service.failed, epoch=opened.journal.epoch)
        service.attach(brain)
        # an address that is not loopback makes the code needed; the socket itself is
        app = create_app(service, code=CODE, host="0.0.0.0")
        self._changed(app.openapi())
        server = WebServer(app, self._socket)
        brain.start(NoDevices(), Restarted(), PortDown("none"), CameraState("none"))
        pages = asyncio.create_task(server.serve())
        try:
            await service.wait_first()
            while not server.is_started:
                await asyncio.sleep(0.01)
            self._is_up.set()
            ends = [asyncio.ensure_future(self._ends.wait()), service.failure, pages]
            done, _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            for end in done:
                end.result()
        finally:
            await server.stop()
            await asyncio.wait_for(pages, END_S)
            await self._loop.run_in_executor(None, brain.stop)
            players.close()
            opened.journal.close()


def rows_at(way: str | None) -> list[Record]:
    """Return the rows of a table that was played so far: a method of `FakeTable`, None = nothing yet."""
    table = FakeTable()
    table.connect()
    if way is not None:
        getattr(table, way)()
    return table.rows


def headers_of(table: ApiTable, who: str) -> list[str]:
    """Return what each request of that caller carries; the code is exchanged for a cookie, as by a phone."""
    if who == "here":
        return []
    if who == "stranger":
        return [FROM_AFAR]
    name, _, words = FROM_AFAR.partition(": ")
    url = f"{table.origin}/api/v1/session"
    answer = httpx.post(url, json={"code": CODE}, headers={name: words}, timeout=START_S)
    return [FROM_AFAR, f"Cookie: {COOKIE}={answer.cookies[COOKIE]}"]


@dataclass
class Report:
    """What schemathesis says: whether all held, and its words."""

    ok: bool
    text: str
    cases: int


def look(
    table: ApiTable,
    *,
    examples: int,
    seed: int,
    phases: str = "examples,coverage,fuzzing",
    headers: Sequence[str] = (),
    more: Sequence[str] = (),
) -> Report:
    """Have schemathesis try every route but the endless one (`events`, which has tests of its own)."""
    words = [sys.executable, "-m", "schemathesis.cli", "run", f"{table.origin}/api/v1/openapi.json"]
    words += ["--exclude-path", EVENTS, "--phases", phases, "--max-examples", str(examples)]
    words += ["--seed", str(seed), "--generation-deterministic", "--no-color"]
    words += ["--suppress-health-check", "all", "--warnings", "off", "--continue-on-failure"]
    words += [word for header in headers for word in ("-H", header)] + list(more)
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=table.folder)
    text = done.stdout + done.stderr
    found = re.search(r"(\d+) generated", text)
    return Report(done.returncode == 0, text, int(found[1]) if found else 0)
