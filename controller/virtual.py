"""The virtual table: brain and twin in lockstep, as fast as it goes, the same way every time.

Time is the twin's. The next stop is the brain's next deadline, a photo that is due, or whatever the twin has
for us before that.
"""

from __future__ import annotations

import base64
import contextlib
import json
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self

from controller.camera import PhotoReader
from controller.driver import Driver, Ledger
from controller.effects import Answer, TakePhoto
from controller.errors import ControllerError
from controller.facts import Record
from controller.inputs import (
    Bytes,
    CameraState,
    Edge,
    Input,
    PageCommand,
    PhotoFailed,
    PortDown,
    PortUp,
    Restarted,
)
from controller.journal import Stamp
from controller.projections import state_view
from controller.runtime import Runtime
from controller.seen import TABLE, seen_state
from controller.state import TableState

PHOTO_MS = 500
"""From the request to the frame: what a live camera at 5 fps takes on average (see `controller.camera`)."""
STEP_MAX_MS = 1_000
"""Longest run without looking up: nothing depends on it."""
YEAR_ONE = datetime(2000, 1, 1, tzinfo=UTC)


class TwinGone(ControllerError, ConnectionError):
    """The twin ended or answered what it should not."""


class HandStuck(ControllerError, TimeoutError):
    """No fact for a long virtual time: nobody knows the way on."""


@dataclass(frozen=True, slots=True)
class TwinReport:
    """What a run brought: board bytes, changed lines as (line, level), posts as (name, body)."""

    now_us: int
    rx: bytes
    gpio: tuple[tuple[str, int], ...]
    posts: tuple[tuple[str, Mapping[str, Any]], ...]
    plugged: bool | None = None
    """Whether the serial cable was put in or pulled out."""


class TwinClient:
    """The lockstep protocol, one JSON object a line each way."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            self._socket.close()
            raise TwinGone(f"no twin at {path}: {error.strerror}") from error
        self._lines = self._socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(
        self,
        until_us: int,
        tx: bytes = b"",
        screen: Mapping[str, Any] | None = None,
        gpio: tuple[tuple[str, int], ...] = (),
    ) -> TwinReport:
        """Let time pass until something is for us, or `until_us`."""
        request: dict[str, Any] = {"until_us": until_us, "tx": base64.b64encode(tx).decode()}
        if screen is not None:
            request["screen"] = screen
        if gpio:
            request["gpio"] = [[line, level] for line, level in gpio]
        answer = self.ask("run", **request)
        return TwinReport(
            int(answer["now_us"]),
            base64.b64decode(answer.get("rx", "")),
            tuple((str(row[0]), int(row[1])) for row in answer.get("gpio", ())),
            tuple((str(post["name"]), dict(post.get("body") or {})) for post in answer.get("posts", ())),
            {"up": True, "down": False}.get(answer.get("serial", "")),
        )

    def frame(self) -> bytes | None:
        """Return what the camera sees now, None if it is gone."""
        answer = self.ask("frame")
        return base64.b64decode(answer["jpeg"]) if "jpeg" in answer else None

    def answers(self, results: list[dict[str, Any]]) -> None:
        """Tell the robots how their posts ended."""
        self.ask("answers", results=results)

    def fault(self, name: str, **params: Any) -> None:
        """Arm a fault by name."""
        self.ask("fault", name=name, **params)

    def ask(self, op: str, **fields: Any) -> dict[str, Any]:
        """Send one request and return its answer."""
        line = json.dumps({"op": op, **fields}, ensure_ascii=False, separators=(",", ":"))
        try:
            self._socket.sendall(line.encode() + b"\n")
            answer = self._lines.readline()
        except OSError as error:
            raise TwinGone(f"the twin is gone: {error}") from error
        if not answer.endswith(b"\n"):
            raise TwinGone("the twin is gone")
        told: dict[str, Any] = json.loads(answer)
        if "error" in told and op != "frame":
            raise TwinGone(f"the twin refuses {op}: {told['error']}")
        return told

    def close(self) -> None:
        """End the twin."""
        with contextlib.suppress(TwinGone, ValueError):
            self.ask("quit")
        self._lines.close()
        self._socket.close()


class VirtualTable:
    """One brain in lockstep with one twin."""

    def __init__(
        self,
        runtime: Runtime,
        ledger: Ledger,
        twin: TwinClient,
        reader: PhotoReader,
        *,
        epoch: int = 0,
        on_facts: Callable[[tuple[Record, ...]], None] | None = None,
    ) -> None:
        self.runtime = runtime
        self.now_ms = 0
        self.last_fact_ms = 0
        self.steps = 0
        self.no_pages = False
        """Every browser is gone: what people say on pages reaches nobody."""
        self.unheard = 0
        """What they tried to say there all the same."""
        self.refusals: list[tuple[int, str, str]] = []
        self.twin = twin
        self._reader = reader
        self._epoch = epoch
        self._on_facts = on_facts
        self._ledger = ledger
        self._driver = Driver(runtime, ledger, self)
        self._tx = bytearray()
        self._lines: list[tuple[str, int]] = []
        self._photo: tuple[int, TakePhoto] | None = None
        self._frame: bytes | None = None
        self._results: list[dict[str, Any]] = []
        self._posts: dict[str, str] = {}
        self._said = 0
        self._shown: Mapping[str, Any] | None = None
        self._shown_of: tuple[object, object] = (None, None)

    # ------------------------------------------------------------------ driver.Hands

    def send(self, data: bytes) -> None:
        """Bytes leave with the next run."""
        self._tx += data

    def take_photo(self, want: TakePhoto) -> None:
        """The frame is taken `PHOTO_MS` from now; a newer request takes its place."""
        self._photo = (self.now_ms + PHOTO_MS, want)
        self._frame = self.twin.frame()

    def set_line(self, line: str, level: int) -> None:
        """The level leaves with the next run."""
        self._lines.append((line, level))

    def answer(self, answer: Answer) -> None:
        """Robots hear how their post ended."""
        name = self._posts.pop(answer.request_id, "")
        if not answer.ok:
            self.refusals.append((self.now_ms, name, answer.code))
        self._results.append({"name": name, "ok": answer.ok, "code": answer.code})

    def committed(self, records: tuple[Record, ...]) -> None:
        """Note that the hand moves on."""
        self.last_fact_ms = self.now_ms
        if self._on_facts is not None:
            self._on_facts(records)

    # ------------------------------------------------------------------ time

    def stamp(self) -> Stamp:
        """Return the clock of the journal: virtual time, the same in every run."""
        utc = (YEAR_ONE + timedelta(milliseconds=self.now_ms)).isoformat(timespec="milliseconds")
        return Stamp(self.now_ms, utc.replace("+00:00", "Z"), False)

    def start(self) -> None:
        """Switch on: the brain starts, the port opens, the camera is there."""
        for given in (Restarted(), CameraState("up"), PortUp()):
            self._feed(given)

    def restart(self, runtime: Runtime, gap_ms: int = 0) -> None:
        """The service dies and starts anew after `gap_ms`: only the ledger is left of the old brain."""
        self._tx.clear()
        self._lines.clear()
        self._photo, self._results = None, []
        self._posts.clear()
        self.idle(gap_ms)
        self.runtime = runtime
        self._driver = Driver(runtime, self._ledger, self)
        self.start()

    def idle(self, time_ms: int) -> None:
        """Let time pass at the table while the brain is dead or hangs: nothing is sent, nothing is heard."""
        until_ms = self.now_ms + time_ms
        while self.now_ms < until_ms:
            self.now_ms = max(self.now_ms, self.twin.run(until_ms * 1000).now_us // 1000)

    def run(self, is_over: Callable[[TableState], bool], *, patience_ms: int = 600_000) -> None:
        """Play until `is_over`.

        Raises:
            HandStuck: if no fact came for `patience_ms` of virtual time.
        """
        while not is_over(self.runtime.state):
            self.step()
            if self.now_ms - self.last_fact_ms > patience_ms:
                raise HandStuck(self._where())

    def step(self, until_ms: int | None = None) -> None:
        """One lockstep: run the twin to the next stop and feed what it brought."""
        stops = [self.now_ms + STEP_MAX_MS, self.runtime.next_deadline_ms(), until_ms]
        stops.append(self._photo[0] if self._photo else None)
        stop_ms = max(self.now_ms, min(at for at in stops if at is not None))
        if self._results:
            self.twin.answers(self._results)
            self._results = []
        tx, lines = bytes(self._tx), tuple(self._lines)
        self._tx.clear()
        self._lines.clear()
        report = self.twin.run(stop_ms * 1000, tx, self._screen(), lines)
        self.steps += 1
        self.now_ms = max(self.now_ms, report.now_us // 1000)
        self._take(report)
        self._driver.tick(self.now_ms)
        if self._photo is not None and self._photo[0] <= self.now_ms:
            self._develop(self._photo[1])
        elif self._photo is None and self._reader.is_check_due(self.now_ms):
            self._reader.check(self.twin.frame(), self.now_ms)
            self._tell_moves()

    def post(self, name: str, **body: Any) -> bool:
        """Send a command as a page does; returns whether it was accepted."""
        refused = len(self.refusals)
        self._said += 1
        request_id = f"post-{self.steps}-{name}-{self._said}"
        self._posts[request_id] = name
        self._feed(PageCommand(request_id, name, body, "player"))
        return len(self.refusals) == refused

    def _take(self, report: TwinReport) -> None:
        if report.plugged is False:
            self._feed(PortDown("unplugged"))
        for line, level in report.gpio:
            self._feed(Edge(line, level))
        if report.plugged:
            self._feed(PortUp())
        if report.rx:
            self._feed(Bytes(report.rx))
        for name, body in report.posts:
            if self.no_pages:
                self.unheard += 1
                continue
            if name == "rename":
                continue  # names are kept beside the ledger, and nobody looks at a page here
            request_id = f"post-{self.steps}-{len(self._posts)}"
            self._posts[request_id] = name
            self._feed(PageCommand(request_id, name, body, "player"))

    def _develop(self, want: TakePhoto) -> None:
        self._photo = None
        frame, before = self.twin.frame(), self._frame
        if frame is None:
            self._feed(CameraState("down"))
            self._feed(PhotoFailed(want.effect_id, "down"))
        elif frame == before:
            self._feed(CameraState("frozen"))
            self._feed(PhotoFailed(want.effect_id, "frozen"))
        else:
            if self.runtime.live.camera not in ("up", "moved"):
                self._feed(CameraState("moved" if self._reader.is_moved else "up"))
            answer = self._reader.read(want, frame, self.now_ms)
            self._tell_moves()
            self._feed(answer)

    def _tell_moves(self) -> None:
        """Tell that the camera was moved, and that the table is measured anew."""
        for move in self._reader.take_moves():
            self._feed(move)
        if self.runtime.live.camera == "moved" and not self._reader.is_moved:
            self._feed(CameraState("up"))

    def _feed(self, given: Input) -> None:
        self._driver.feed(given, self.now_ms)

    def _screen(self) -> Mapping[str, Any] | None:
        """Return the screen if it has changed since it was last sent."""
        now = (self.runtime.state, self.runtime.live)
        if now[0] is self._shown_of[0] and now[1] is self._shown_of[1]:
            return None
        self._shown_of = now
        screen: Mapping[str, Any] = dict(seen_state(state_view(*now, epoch=self._epoch), TABLE, {}))
        if screen == self._shown:
            return None
        self._shown = screen
        return screen

    def _where(self) -> str:
        screen = state_view(self.runtime.state, self.runtime.live)
        fault = screen["fault"]["key"] if screen["fault"] else "none"
        waits = ", ".join(f"side {act['side']} {act['do']}" for act in screen["act"]) or "nobody"
        return (
            f"hand {screen['hand']} stands in {screen['phase']} {screen['step'] or ''} at {self.now_ms} ms, "
            f"fault {fault}, waits for {waits}, last refusals {self.refusals[-3:]}"
        )
