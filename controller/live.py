"""The live table: one brain thread with an ordered mailbox, the wall clock, and the pages' `Service`.

Reader threads (serial, lines, camera) and the web only post inputs. The brain thread is the one consumer and
the one writer of the journal, so a commit is on disk before anything that follows from it, and nothing on the
web side can hold up a heartbeat. Views are built there too and handed over whole: the web never looks inside.
"""

from __future__ import annotations

import asyncio
import itertools
import queue
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import Future
from typing import Any

import structlog

from controller.driver import Driver, Ledger
from controller.effects import Answer, TakePhoto
from controller.errors import ControllerError, JournalFull, Refused
from controller.evidence import EvidenceStore
from controller.facts import Record
from controller.history import History, remembered
from controller.inputs import Input, PageCommand
from controller.live_parts import Devices, Named, Nothing, Stopping
from controller.live_parts import Snapshot as Snapshot
from controller.live_parts import monotonic_ms as monotonic_ms
from controller.players import Players
from controller.projections import machine_view, state_view
from controller.runtime import Runtime
from controller.speaking import spoken_by
from controller.state import TableState
from controller.versions import row_of
from controller.web.errors import WebError
from controller.web.service import CommandAnswer, StreamEvent, own_answer

LIVE_EVERY_MS = 100
"""Fast values are shown at most ten times a second."""
ANSWER_S = 10.0
QUEUE_MAX = 256
END_S = 3.0
ROOM_S = 1.0
"""How soon a ledger that could not be written is tried again."""

log = structlog.get_logger(__name__)


class BrainThread:
    """Feeds the brain from the mailbox, one input at a time, and hands snapshots over.

    Args:
        show: called in this thread with every new snapshot.
        failed: called in this thread when it ends by an error: the board stops for lack of heartbeats.
        keep: called in this thread with state and history after each commit; nothing of it may wait.
    """

    def __init__(
        self,
        runtime: Runtime,
        ledger: Ledger,
        show: Callable[[Snapshot], None],
        failed: Callable[[BaseException], None],
        *,
        epoch: int = 0,
        names: Mapping[str, str] | None = None,
        history: History | None = None,
        keep: Callable[[TableState, History], object] = lambda state, history: None,
    ) -> None:
        self._runtime = runtime
        self._devices: Devices = Nothing()
        self._driver = Driver(runtime, ledger, self)
        self._show = show
        self._failed = failed
        self._epoch = epoch
        self._names = dict(names or {})
        self._history, self._keep = history or History(), keep
        self._mailbox: queue.SimpleQueue[Input | Named | None] = queue.SimpleQueue()
        self._answers: list[Answer] = []
        self._waiting: dict[str, Future[Answer]] = {}
        self._shown: tuple[object, object, object] = (None, None, None)
        self._shown_seq = -1
        self._shown_ms = 0
        self._last = Snapshot(-1)
        self._is_over = threading.Event()
        self._is_ending = threading.Event()
        self._door = threading.Lock()
        self._thread = threading.Thread(target=self._work, name="brain", daemon=True)

    # ------------------------------------------------------------------ any thread

    def start(self, devices: Devices, *inputs: Input) -> None:
        """Start with these inputs first."""
        self._devices = devices
        for given in inputs:
            self.post(given)
        self._thread.start()

    def post(self, given: Input | Named) -> None:
        """Put an input into the mailbox, or new names for the views."""
        if not self._is_over.is_set():
            self._mailbox.put(given)

    def ask(self, command: PageCommand) -> Future[Answer]:
        """Put a command into the mailbox; the future is done after everything it brought is shown.

        A future that can still be cancelled is of a command that was not begun, and then never acts.

        Raises:
            Stopping: if the service ends.
        """
        waiting: Future[Answer] = Future()
        with self._door:
            if self._is_over.is_set():
                raise Stopping("the service ends")
            self._waiting[command.request_id] = waiting
            self._mailbox.put(command)
        return waiting

    def stop(self) -> None:
        """End after the inputs already posted: motors that run are stopped."""
        self._is_ending.set()
        self._mailbox.put(None)
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(END_S)

    # ------------------------------------------------------------------ driver.Hands, in the brain thread

    def send(self, data: bytes) -> None:
        """See `driver.Hands.send`."""
        self._devices.send(data)

    def take_photo(self, want: TakePhoto) -> None:
        """See `driver.Hands.take_photo`."""
        self._devices.take_photo(want)

    def set_line(self, line: str, level: int) -> None:
        """See `driver.Hands.set_line`."""
        self._devices.set_line(line, level)

    def answer(self, answer: Answer) -> None:
        """Keep the answer until its consequences are shown."""
        self._answers.append(answer)

    def committed(self, records: tuple[Record, ...]) -> None:
        """Keep what the history is made of, and let a snapshot be taken."""
        self._history = remembered(self._history, records)
        self._keep(self._runtime.state, self._history)

    # ------------------------------------------------------------------ the brain thread

    def _work(self) -> None:
        try:
            while self._step() if not self._driver.is_held else self._try_again():
                pass
            self._stop_motors()
        except BaseException as error:
            self._failed(error)
        finally:
            with self._door:
                self._is_over.set()
                left, self._waiting = list(self._waiting.values()), {}
            for waiting in left:
                if not waiting.cancel() and not waiting.done():
                    waiting.set_exception(Stopping("the service ends"))

    @property
    def has_no_room(self) -> bool:
        """Whether the ledger cannot be written and the table waits for room."""
        return self._driver.is_held

    def _step(self) -> bool:
        try:
            return self._take_one()
        except JournalFull as error:
            log.warning("ledger.full", why=str(error))
            if self._last.seq >= 0:
                self._show(self._last.without_room())
            return True

    def _try_again(self) -> bool:
        """Try to write what could not be written: before it is on disk nothing else is done or taken."""
        if self._is_ending.wait(ROOM_S):
            return False
        try:
            self._driver.retry(monotonic_ms())
        except JournalFull:
            return True
        log.warning("ledger.writes_again")
        self._shown = (None, None, None)
        self._show_news()
        self._give_answers()
        return True

    def _take_one(self) -> bool:
        try:
            given = self._mailbox.get(timeout=self._wait_s())
        except queue.Empty:
            self._driver.tick(monotonic_ms())
        else:
            if given is None:
                return False
            if isinstance(given, Named):
                self._names = dict(given.names)
            elif not self._is_withdrawn(given):
                self._driver.feed(given, monotonic_ms())
        self._show_news()
        self._give_answers()
        return True

    def _is_withdrawn(self, given: Input) -> bool:
        """Return whether nobody waits for this command any more; from here on it cannot be withdrawn."""
        waiting = self._waiting.get(given.request_id) if isinstance(given, PageCommand) else None
        if waiting is None or waiting.set_running_or_notify_cancel():
            return False
        self._waiting.pop(given.request_id, None)  # type: ignore[union-attr]
        return True

    def _wait_s(self) -> float | None:
        """Return how long to wait for input: until the brain's deadline or until news may be shown."""
        times = [self._runtime.next_deadline_ms()]
        if self._has_news():
            times.append(self._shown_ms + LIVE_EVERY_MS)
        known = [at for at in times if at is not None]
        return max(0, min(known) - monotonic_ms()) / 1000 if known else None

    def _has_news(self) -> bool:
        now = (self._runtime.state, self._runtime.live, self._names)
        return any(new is not old for new, old in zip(now, self._shown, strict=True))

    def _show_news(self) -> None:
        """Show a fact at once, live values every `LIVE_EVERY_MS`, answers never before their facts."""
        if not self._has_news():
            return
        now_ms, state, live = monotonic_ms(), self._runtime.state, self._runtime.live
        is_soon = now_ms - self._shown_ms < LIVE_EVERY_MS
        if state.seq == self._shown_seq and is_soon and not self._answers:
            return
        self._shown, self._shown_seq, self._shown_ms = (state, live, self._names), state.seq, now_ms
        view = state_view(state, live, epoch=self._epoch, names=self._names, now_ms=now_ms)
        machine = machine_view(state, live, self._runtime.counters)
        self._last = Snapshot(state.seq, {**view}, {**machine}, self._history, state, self._names)
        self._show(self._last)

    def _give_answers(self) -> None:
        answers, self._answers = self._answers, []
        for answer in answers:
            waiting = self._waiting.pop(answer.request_id, None)
            if waiting is not None:  # it runs, so it cannot be cancelled any more
                waiting.set_result(answer)

    def _stop_motors(self) -> None:
        """Send the board a stop if it moves; a board at rest is left as it is.

        Where facts are held nothing was sent since, so that the board has stopped for lack of heartbeats.
        """
        live = self._runtime.live
        if self._driver.is_held:
            return
        if live.machine.busy or (live.order is not None and live.order.moves):
            self._driver.feed(PageCommand("", "stop", {}, "owner"), monotonic_ms())


class LiveService:
    """`controller.web.service.Service` over the brain thread. All methods run in the event loop."""

    def __init__(self, epoch: int, evidence: EvidenceStore, players: Players | None = None) -> None:
        self._epoch = epoch
        self._evidence = evidence
        self._players = players
        self._loop = asyncio.get_running_loop()
        self._brain: BrainThread | None = None
        self._now = Snapshot(0)
        self._queues: set[asyncio.Queue[StreamEvent | None]] = set()
        self._first = asyncio.Event()
        self._numbers = itertools.count(1)
        self.failure: asyncio.Future[None] = self._loop.create_future()

    def attach(self, brain: BrainThread) -> None:
        """Take the brain that answers commands."""
        self._brain = brain

    async def wait_first(self) -> None:
        """Wait for the first snapshot."""
        await self._first.wait()

    # ------------------------------------------------------------------ called by the brain thread

    def show(self, snapshot: Snapshot) -> None:
        """Take a snapshot from the brain thread."""
        self._loop.call_soon_threadsafe(self._take, snapshot)

    def failed(self, error: BaseException) -> None:
        """Take the end of the brain thread."""
        self._loop.call_soon_threadsafe(self._fail, error)

    def _fail(self, error: BaseException) -> None:
        if not self.failure.done():
            self.failure.set_exception(error)

    def _take(self, snapshot: Snapshot) -> None:
        before, self._now = self._now, snapshot
        self._first.set()
        for event in self._events(before, snapshot):
            for waiting in self._queues:
                if waiting.qsize() >= QUEUE_MAX:  # a reader that stands still gets the latest when it goes on
                    waiting.get_nowait()
                waiting.put_nowait(event)

    def _events(self, before: Snapshot, now: Snapshot) -> Iterator[StreamEvent]:
        """Yield a fact, which holds the whole state, and what else has changed."""
        changed: dict[str, Any] = {}
        if now.seq != before.seq:
            yield {"kind": "fact", "id": f"{self._epoch}-{now.seq}", "data": now.state}
        else:
            changed = {key: value for key, value in now.state.items() if before.state.get(key) != value}
        if now.machine != before.machine:
            changed["machine"] = now.machine
        if changed:
            yield {"kind": "live", "id": None, "data": changed}

    # ------------------------------------------------------------------ Service

    @property
    def epoch(self) -> int:
        """See `Service.epoch`."""
        return self._epoch

    @property
    def seq(self) -> int:
        """See `Service.seq`."""
        return self._now.seq

    def view(self, name: str) -> Mapping[str, Any]:
        """See `Service.view`."""
        return self._now.view(name)

    async def command(
        self,
        name: str,
        body: Mapping[str, Any],
        role: str,
        *,
        player: str = "",
        press: str = "",
        version: str | None = None,
    ) -> CommandAnswer:
        """See `Service.command`.

        Raises:
            WebError: 503 if the brain did not begin in time; then the command never acts.
        """
        assert self._brain is not None
        if name == "rename":
            return await self._rename(body, player)
        based_on = row_of(version, self._epoch)
        request = PageCommand(f"page-{next(self._numbers)}", name, body, role, press, based_on, player)
        try:
            asked = self._brain.ask(request)
            waiting = asyncio.wrap_future(asked)
            done, _ = await asyncio.wait({waiting}, timeout=ANSWER_S)
            if not done and asked.cancel():
                raise WebError(503, "request.busy")  # not begun, and never will be
            answer = await waiting
        except (Stopping, asyncio.CancelledError) as end:
            if isinstance(end, asyncio.CancelledError) and not waiting.cancelled():
                raise
            return own_answer("refuse.stopping", self.seq)
        return {"ok": answer.ok, "code": answer.code, "params": answer.params, "seq": answer.seq}

    async def _rename(self, body: Mapping[str, Any], player: str) -> CommandAnswer:
        """Name the player at a seat: kept beside the ledger, which knows ids only."""
        place = self._now.state.get("seats", {}).get(body.get("seat"))
        if self._players is None or self._brain is None or place is None:
            return own_answer("refuse.rename", self.seq)
        try:
            spoken_by(player, "rename", body, self._now.table.seats)
            await asyncio.to_thread(self._players.rename, place["player"], str(body.get("name", "")))
        except Refused as refusal:
            return {**own_answer(refusal.code, self.seq), "params": refusal.params}
        except (ControllerError, ValueError):
            return own_answer("refuse.rename", self.seq)
        self._brain.post(Named(self._players.names()))
        return own_answer("ok", self.seq)

    async def subscribe(self) -> AsyncIterator[StreamEvent]:
        """See `Service.subscribe`."""
        mine: asyncio.Queue[StreamEvent | None] = asyncio.Queue()
        self._queues.add(mine)
        try:
            while (event := await mine.get()) is not None:
                yield event
        finally:
            self._queues.discard(mine)

    def evidence(self, sha: str) -> bytes | None:
        """See `Service.evidence`."""
        return self._evidence.get(sha)
