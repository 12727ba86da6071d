"""A table on the bench: the real binary in simavr, the plant behind its pins, and a host on the real link.

Virtual time only: it passes in `run` and `wait`, the same way for the same seed. The host is no brain: it
does what a campaign tells it, beats, and remembers what it heard.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from firmware_bridge import link as fb
from firmware_bridge import messages as m
from firmware_bridge.wire import Message
from hardware.firmware.build import build_firmware, build_harness
from hardware.twin.harness_client import Harness
from hardware.twin.machine import Machine
from hardware.twin.trace import Trace

BEAT_MS = 200
AFTER_A_STOP_MS = 50
"""The board tells that it stopped, and then why."""
LONGEST_STEP_MS = 100
SHARES = {108: (28, 26, 28, 26)}
"""Tiles a side where they do not lie evenly."""


class TableStuck(TimeoutError):
    """What should have happened by now did not."""


def shares(tiles: int) -> tuple[int, int, int, int]:
    """Return how many tiles each side builds."""
    even = tiles // 4
    return SHARES.get(tiles, (even, even, even, even))


class Rig:
    """One table and one host. Use as a context manager."""

    def __init__(
        self,
        seed: int,
        tiles: int = 136,
        *,
        sets: int = 1,
        walls: tuple[int, int, int, int] | None = None,
        elf: Path | None = None,
        trace: Trace | None = None,
    ) -> None:
        self.tiles = tiles
        self.walls = walls or shares(tiles)
        self.plan = m.Build(tiles, *(walls or ()))
        harness = Harness(build_harness(), elf or build_firmware())
        self.machine = Machine(harness, seed, tiles, sets=sets, check=True, trace=trace)
        self._trace = trace
        self.link = fb.Link(0, session=1 + seed % 0xFFFF)
        self.heard: list[fb.LinkEvent] = []
        self.heard_ms: list[int] = []
        self.check: Callable[[], None] = self.machine.plant.check
        """Called whenever something happened on either side of the pins."""
        self.beating = True
        self.plugged = True
        """Whether the cable is in: without it no byte arrives on either side."""
        self._next_beat = 0
        self.run(60)
        self._hear(self.link.connected(self.now_ms))
        self.run(40)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.machine.harness.close()
        if self._trace is not None:
            self._trace.close(self.machine.now_us)

    @property
    def now_ms(self) -> int:
        """Return the table's time."""
        return self.machine.now_us // 1000

    # ---- time ----

    def run(self, ms: int) -> None:
        """Let time pass."""
        end_us = self.machine.now_us + ms * 1000
        while self.machine.now_us < end_us:
            self._step(end_us)

    def wait(self, until: Callable[[], bool], limit_ms: int, what: str) -> None:
        """Let time pass until something is so.

        Raises:
            TableStuck: if it is not within `limit_ms`.
        """
        end_us = self.machine.now_us + limit_ms * 1000
        while not until():
            if self.machine.now_us >= end_us:
                raise TableStuck(f"no {what} within {limit_ms} ms")
            self._step(end_us)

    def _step(self, end_us: int) -> None:
        now = self.now_ms
        if self.beating and now >= self._next_beat:
            self.link.beat(now)
            self._next_beat = now + BEAT_MS
        data = self.link.take_output()
        if data and self.plugged:
            self.machine.send(data)
        due = self.link.next_deadline_ms()
        stops = [end_us, (now + LONGEST_STEP_MS) * 1000]
        if self.beating:
            stops.append(self._next_beat * 1000)
        if due is not None:
            stops.append(max(due, now + 1) * 1000)
        self.machine.run(min(stops))
        self.check()
        data = self.machine.take_sent() if self.plugged else b""
        self._hear(self.link.feed(data, self.now_ms) + self.link.tick(self.now_ms))

    def _hear(self, events: list[fb.LinkEvent]) -> None:
        self.heard += events
        self.heard_ms += [self.now_ms] * len(events)

    # ---- orders ----

    def order(self, message: Message, limit_ms: int = 2_000) -> str:
        """Send an order and return "ok", the name of the refusal, or why it failed."""
        ticket = self.link.send(message, self.now_ms)
        match self._answer(ticket, limit_ms, type(message).__name__):
            case fb.Done():
                return "ok"
            case fb.Refused(reason_key=reason):
                return reason
            case fb.Failed(why=why):
                return why
        raise AssertionError("an answer of no known kind")

    def ask_status(self) -> m.StatusReport:
        """Return STATUS as the board tells it now."""
        answer = self._answer(self.link.send(m.GetStatus(), self.now_ms), 2_000, "STATUS")
        if not isinstance(answer, fb.Done) or not isinstance(answer.response, m.StatusReport):
            raise TableStuck(f"no STATUS: {answer}")
        return answer.response

    def _answer(self, ticket: int, limit_ms: int, what: str) -> fb.LinkEvent:
        seen = len(self.heard)
        self._hear(self.link.tick(self.now_ms))
        found: list[fb.LinkEvent] = []

        def answered() -> bool:
            nonlocal seen
            found.extend(each for each in self.heard[seen:] if getattr(each, "ticket", None) == ticket)
            seen = len(self.heard)
            return bool(found)

        self.wait(answered, limit_ms, f"answer to {what}")
        return found[0]

    def mark(self) -> int:
        """Return a place in the list of what was heard, for `events`."""
        return len(self.heard)

    def events(self, since: int, *kinds: type[Message]) -> list[Message]:
        """Return the board's events since a mark."""
        got = [each.message for each in self.heard[since:] if isinstance(each, fb.Received)]
        return [each for each in got if not kinds or isinstance(each, kinds)]

    def faults(self, since: int) -> list[m.Fault]:
        """Return the faults told since a mark."""
        return [each for each in self.events(since) if isinstance(each, m.Fault)]

    def wait_for(self, since: int, limit_ms: int, *kinds: type[Message]) -> Message:
        """Let time pass until an event of one of these kinds has come after a mark; return it.

        Raises:
            TableStuck: if none has within `limit_ms`.
        """
        found: list[Message] = []
        seen = since

        def came() -> bool:
            nonlocal seen
            for event in self.heard[seen:]:
                if isinstance(event, fb.Received) and isinstance(event.message, kinds):
                    found.append(event.message)
            seen = len(self.heard)
            return bool(found)

        self.wait(came, limit_ms, " or ".join(kind.__name__ for kind in kinds))
        return found[0]

    def build_ended(self, since: int, limit_ms: int) -> m.BuildDone | None:
        """Let time pass until a build has ended; None if it was stopped (`faults` tells why).

        Raises:
            TableStuck: if it has not within `limit_ms`.
        """
        event = self.wait_for(since, limit_ms, m.BuildDone, m.Stopped)
        self.run(AFTER_A_STOP_MS)
        return event if isinstance(event, m.BuildDone) else None

    def do(self, message: Message, done: Message, limit_ms: int = 20_000) -> None:
        """Order a motion and wait for its end.

        Raises:
            TableStuck: if it is refused, ends in a fault, or does not end.
        """
        since = self.mark()
        answer = self.order(message)
        if answer != "ok":
            raise TableStuck(f"{type(message).__name__} refused: {answer}")
        if self.wait_for(since, limit_ms, type(done), m.Stopped) != done:
            raise TableStuck(f"{type(message).__name__} ended in {self.faults(since)}")

    # ---- what people and host do in a hand ----

    def home(self) -> None:
        """Find the positions."""
        self.do(m.Home(), m.HomeDone())

    def lift(self, target: m.Target, direction: m.Direction) -> None:
        """Move trays or dome."""
        self.do(m.Lift(target, direction), m.LiftDone(target, direction))

    def load(self) -> None:
        """Dome up, tiles in, dome down."""
        self.lift(m.Target.dome, m.Direction.up)
        if not self.machine.plant.push_in():
            raise TableStuck("the dome is up by its switch and not in truth")
        self.lift(m.Target.dome, m.Direction.down)

    def raise_and_sweep(self) -> None:
        """Lift the walls, play the hand (everything ends up in the middle), and lower the trays."""
        self.lift(m.Target.trays, m.Direction.up)
        self.machine.plant.sweep()
        self.lift(m.Target.trays, m.Direction.down)

    def clear(self) -> str:
        """A person says that the cause is gone."""
        return self.order(m.ClearFault(0))
