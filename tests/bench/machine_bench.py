"""The machine in real time: the real firmware in the simulator, wood and belts, a host over pty and pyserial.

No camera is watched and no robot acts here; a whole live table is `python -m tests.bench realtime`.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

from firmware_bridge import link as fb
from firmware_bridge import messages as m
from firmware_bridge.port import open_serial
from firmware_bridge.wire import Message
from hardware.firmware.build import build_firmware, build_harness
from hardware.twin.harness_client import Harness
from hardware.twin.realtime import RealTime
from hardware.twin.twin import Setup, Twin
from tests.bench.processes import children, cpu_s
from tests.bench.row import Row, median, p99

SHARE_S = 8.0
ASKED = 300
ASKED_EVERY_S = 0.02
BEAT_S = 0.2
PATIENCE_S = 30.0


class _Over(Exception):
    """The thread of the twin is to end."""


def _end() -> None:
    raise _Over


class Host:
    """A host without a brain on the pty of a twin that runs in a thread of this process."""

    def __init__(self, folder: Path) -> None:
        self.twin = Twin(Setup(1, "simplest"), Harness(build_harness(), build_firmware()))
        self.world = RealTime(self.twin, folder, None)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        self._port = open_serial(self.world.places["serial"])
        self._port.timeout = 0.005
        self.link = fb.Link(_now_ms())
        self.link.connected(_now_ms())
        self._beat_s = 0.0
        self.heard: list[fb.LinkEvent] = []
        self._in: list[bool] = []

    def _serve(self) -> None:
        with contextlib.suppress(_Over):
            self.world.serve()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._port.close()
        self.world._post(_end)
        self._thread.join()
        self.world.close()
        self.twin.close()

    def talk(self, until: Callable[[], bool]) -> None:
        """Keep the link alive until something is so.

        Raises:
            TimeoutError: if it is not soon.
        """
        limit = time.perf_counter() + PATIENCE_S
        while not until():
            now = time.perf_counter()
            if now > limit:
                raise TimeoutError("the board does not do what it should")
            if now >= self._beat_s and self.link.state == "ready":
                self._beat_s = now + BEAT_S
                self.link.beat(_now_ms())
            if data := self.link.take_output():
                self._port.write(data)
            got = self._port.read(1)
            got += self._port.read(self._port.in_waiting) if got else b""
            self.heard += self.link.feed(got, _now_ms()) + self.link.tick(_now_ms())

    def wait(self, seconds: float) -> None:
        """Keep the link alive for so long."""
        end = time.perf_counter() + seconds
        self.talk(lambda: time.perf_counter() >= end)

    def ask(self, message: Message) -> float:
        """Send a command; returns the milliseconds to its answer."""
        begun, since = time.perf_counter(), len(self.heard)
        ticket = self.link.send(message, _now_ms())
        self.talk(lambda: any(getattr(each, "ticket", None) == ticket for each in self.heard[since:]))
        return (time.perf_counter() - begun) * 1000

    def do(self, message: Message, done: Message) -> None:
        """Order a motion and wait for its end."""
        since = len(self.heard)
        self.ask(message)
        self.talk(lambda: any(getattr(each, "message", None) == done for each in self.heard[since:]))

    def share(self) -> float:
        """Return what the board and the machine's thread cost, as a share of one core."""
        (board,) = children(os.getpid())

        def spent() -> float:
            return cpu_s(board) + cpu_s(os.getpid(), self._thread.native_id)

        busy, begun = spent(), time.perf_counter()
        self.wait(SHARE_S)
        return (spent() - busy) / (time.perf_counter() - begun)

    def trips(self) -> list[float]:
        """Return the milliseconds of some round trips, not one behind the other."""
        times = []
        for _ in range(ASKED):
            times.append(self.ask(m.GetStatus()))
            self.wait(ASKED_EVERY_S)
        return times

    def begin_build(self) -> None:
        """Home, dome up, tiles in, dome down, and the order; the build runs when it returns."""
        up, down = m.Lift(m.Target.dome, m.Direction.up), m.Lift(m.Target.dome, m.Direction.down)
        plant = self.twin.machine.plant
        self.do(m.Home(), m.HomeDone())
        self.do(up, m.LiftDone(up.target, up.direction))
        self.world._post(lambda: self._in.append(plant.push_in()))
        self.talk(lambda: self._in == [True])
        self.do(down, m.LiftDone(down.target, down.direction))
        self.ask(m.Build(len(plant.tiles)))
        self.talk(lambda: "turn" in plant.motors_on)


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def rows() -> list[Row]:
    """Return shares of a core and round trips, at rest and in a build."""
    with tempfile.TemporaryDirectory() as folder, Host(Path(folder)) as host:
        host.talk(lambda: host.link.state == "ready")
        host.wait(1.0)
        rest_share, rest = host.share(), host.trips()
        host.begin_build()
        build_share, build = host.share(), host.trips()
        if "turn" not in host.twin.machine.plant.motors_on:
            raise RuntimeError("the build was over before all was measured")
    return [
        Row("machine: share of a core in real time, at rest", rest_share, "core", "<= 0.10"),
        Row("machine: share of a core in real time, building", build_share, "core", "<= 0.10"),
        Row("machine: round trip over the pty, at rest, median", median(rest), "ms", "<= 5"),
        Row("machine: round trip over the pty, at rest, p99", p99(rest), "ms"),
        Row("machine: round trip over the pty, building, median", median(build), "ms", "<= 5"),
        Row("machine: round trip over the pty, building, p99", p99(build), "ms"),
    ]
