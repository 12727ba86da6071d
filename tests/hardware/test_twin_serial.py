"""The serial cable of a twin: pulled out and put back, adapters that speak another rate, bytes that overrun.

By name over the socket, in lockstep and against the wall clock (there with the host's own port and pyserial).
"""

from __future__ import annotations

import json
import queue
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge import link as fb
from firmware_bridge import messages as m
from firmware_bridge.messages import BAUD, BAUD_FALLBACK
from firmware_bridge.port import CallbackListener, SerialPort, open_serial
from tests.hardware.test_twin_process import Stepped

pytestmark = pytest.mark.e2e
BACK_S = 2.0
"""From the cable's return to a table that is ready or says why not."""
DEAF_S = 1.4
FOLLOWS_S = 2.4
"""The board follows after 1.5 s of rubbish and a silence; the host would give it up after 2.5 s."""


class Cable(Stepped):
    """A lockstep client whose link hears of the cable, as the service's does."""

    told = 0

    def step(self, until_us: int, **more: Any) -> None:
        super().step(until_us, **more)
        while self.told < len(self.serial):
            word, now_ms = self.serial[self.told], self.now_us // 1000
            self.told += 1
            self.events += self.link.connected(now_ms) if word == "up" else self.link.disconnected(now_ms)

    def fault(self, name: str, **more: Any) -> None:
        assert self.ask(op="fault", name=name, **more) == {}

    def ready_by(self, since: int, until_us: int) -> None:
        """Let time pass until the link has been ready since then.

        Raises:
            AssertionError: if it has not by `until_us`.
        """
        while not any(isinstance(event, fb.Ready) for event in self.events[since:]):
            assert self.now_us < until_us, f"only {self.events[since:]}"
            self.step(until_us)

    def rubbish(self) -> int:
        counters = self.link.counters
        return sum(counters[f"{name}_errors"] for name in ("cobs", "crc", "length"))

    def status(self) -> m.StatusReport:
        self.link.send(m.GetStatus(), self.now_us // 1000)
        report: m.StatusReport = self.wait(fb.Done, 2).response
        return report

    def start_build(self) -> None:
        self.order(m.Home(), m.HomeDone)
        self.order(m.Lift(m.Target.dome, m.Direction.up), m.LiftDone)
        self.show(phase="BUILDING", step="load")
        self.wait(m.Key)
        self.order(m.Lift(m.Target.dome, m.Direction.down), m.LiftDone)
        self.link.send(m.Build(136), self.now_us // 1000)
        self.wait(m.Count, 10)


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[Cable]:
    made = Cable(tmp_path, "--seed", "1")
    made.wait(fb.Ready, 3)
    yield made
    made.close()


@pytest.mark.parametrize("out_ms", [50, 400, 3_000])
def test_a_cable_put_back_is_ready_again(cable: Cable, out_ms: int) -> None:
    since, begun = len(cable.events), cable.now_us
    cable.fault("unplug", for_ms=out_ms)
    cable.ready_by(since, begun + out_ms * 1000 + int(BACK_S * 1e6))
    assert cable.now_us > begun + out_ms * 1000
    assert cable.serial == ["down", "up"]
    assert not any(isinstance(event, fb.Rebooted) for event in cable.events), "the board has its own supply"
    assert cable.status().state is m.State.idle


def test_a_cable_pulled_in_a_build_leaves_a_named_state(cable: Cable) -> None:
    cable.start_build()
    since, begun = len(cable.events), cable.now_us
    assert cable.ask(op="state")["motors"] != []
    cable.fault("unplug", for_ms=1_500)
    cable.run(0.7)
    assert cable.ask(op="state")["motors"] == [], "600 ms without a heartbeat"
    cable.ready_by(since, begun + 1_500_000 + int(BACK_S * 1e6))
    status = cable.status()
    assert (status.state, status.fault) == (m.State.safe, 201)


def test_a_board_at_another_rate_than_its_adapter_follows_it(cable: Cable) -> None:
    for name in ("slow_adapter", "adapter_back", "slow_adapter"):
        cable.fault(name)
        cable.run(0.05)  # what had left the board before arrives
        heard = len(cable.events)
        cable.run(DEAF_S)
        assert cable.events[heard:] == [], "two speeds: not one frame gets through"
        cable.run(FOLLOWS_S - DEAF_S)
        assert cable.link.state == "ready"
        cable.order(m.Home(), m.HomeDone)
    assert not any(isinstance(event, fb.Lost) for event in cable.events)


def test_a_rate_that_nobody_follows_is_silence_until_it_is_mended(cable: Cable) -> None:
    heard, before = len(cable.events), cable.rubbish()
    cable.fault("wrong_baud", for_ms=9_000)
    cable.run(8.9)
    assert [type(event) for event in cable.events[heard:] if not isinstance(event, fb.Status)] == [fb.Lost]
    assert cable.rubbish() > before, "rubbish, not nothing"
    cable.ready_by(heard, cable.now_us + 4_000_000)


def test_overrun_bytes_are_counted_and_asked_for_again(cable: Cable) -> None:
    assert cable.status().overruns == 0
    retries = cable.link.counters["retries"]
    for number in range(1, 4):
        cable.fault("overrun")
        cable.link.send(m.Lamp(number), cable.now_us // 1000)
        cable.wait(fb.Done, 2)
        assert cable.status().overruns == number, "DOR0: one gap in the stream is told once"
    assert cable.link.counters["retries"] >= retries + 3


class Table:
    """A twin against the wall clock."""

    def __init__(self, folder: Path) -> None:
        command = [
            sys.executable,
            "-m",
            "hardware.twin",
            "--realtime",
            "--seed",
            "1",
            "--folder",
            str(folder),
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        self.places: dict[str, str] = json.loads(self.process.stdout.readline())

    def fault(self, name: str, **more: Any) -> None:
        with socket.socket(socket.AF_UNIX) as control:
            control.connect(self.places["control"])
            control.sendall(json.dumps({"op": "fault", "name": name, **more}).encode() + b"\n")
            assert json.loads(control.makefile("rb").readline()) == {}

    def close(self) -> None:
        self.process.terminate()
        assert self.process.wait(10) == 0
        assert self.process.stdout is not None
        self.process.stdout.close()


class Host:
    """The host's port and link on one device, in this thread."""

    def __init__(self, device: str, baud: int = BAUD) -> None:
        self._jobs: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self.link = fb.Link(0)
        self.heard: list[fb.LinkEvent | str] = []
        listener = CallbackListener(
            lambda data: self._jobs.put(("bytes", data)),
            lambda: self._jobs.put(("up", None)),
            lambda why: self._jobs.put(("down", why)),
        )
        self.port = SerialPort(device, listener, baud=baud)
        self.port.start()

    @staticmethod
    def now_ms() -> int:
        return int(time.monotonic() * 1000)

    def run(self, until: Callable[[], bool], limit_s: float) -> None:
        begun = time.monotonic()
        beat = 0
        while not until():
            assert time.monotonic() < begun + limit_s, f"not within {limit_s} s: {self.heard[-5:]}"
            try:
                kind, what = self._jobs.get(timeout=0.01)
            except queue.Empty:
                kind, what = "", None
            now = self.now_ms()
            if kind == "up":
                self.heard += ["up", *self.link.connected(now)]
            elif kind == "down":
                self.heard += ["down", *self.link.disconnected(now)]
            elif kind == "bytes":
                self.heard += self.link.feed(what, now)
            self.heard += self.link.tick(now)
            if now >= beat:
                self.link.beat(now)
                beat = now + 200
            if data := self.link.take_output():
                self.port.write(data)

    def ready_after(self, since: int, limit_s: float) -> None:
        self.run(lambda: any(isinstance(each, fb.Ready) for each in self.heard[since:]), limit_s)

    def order(self, message: m.Message) -> fb.LinkEvent:
        since = len(self.heard)
        ticket = self.link.send(message, self.now_ms())
        answers: list[fb.LinkEvent] = []

        def answered() -> bool:
            answers.extend(each for each in self.heard[since:] if getattr(each, "ticket", None) == ticket)  # type: ignore[arg-type]
            return bool(answers)

        self.run(answered, 20)
        return answers[0]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.close()


@pytest.mark.realtime
def test_the_hosts_port_comes_back_with_the_cable(table: Table) -> None:
    host = Host(table.places["serial"])
    try:
        host.ready_after(0, 10)
        for out_ms in (100, 1_000):
            since = len(host.heard)
            table.fault("unplug", for_ms=out_ms)
            host.run(lambda since=since: "down" in host.heard[since:], 20)  # type: ignore[misc]
            host.ready_after(since, 20)  # how soon is asked in board time, above
            assert isinstance(host.order(m.Lamp(2)), fb.Done)
        assert not any(isinstance(each, fb.Rebooted) for each in host.heard)
    finally:
        host.port.close()


@pytest.mark.realtime
def test_the_speed_set_on_the_port_is_the_speed_on_the_wire(table: Table) -> None:
    with open_serial(table.places["serial"], 9_600) as port:
        link, found = fb.Link(0), []
        found += link.connected(0)
        heard = b""
        for now_ms in range(0, 3_000, 100):
            port.write(link.take_output())
            data = port.read(256)
            heard += data
            found += link.feed(data, now_ms) + link.tick(now_ms)
        assert heard, "the board tells every second that it has started, as rubbish"
        assert not any(isinstance(event, fb.Ready) for event in found)
        assert link.counters["frames_in"] == 0
    for baud in (BAUD_FALLBACK, BAUD):
        host = Host(table.places["serial"], baud)
        try:
            host.ready_after(0, 10)
            assert isinstance(host.order(m.Lamp(1)), fb.Done)
        finally:
            host.port.close()


@pytest.mark.realtime
def test_an_adapter_that_cannot_do_our_rate_is_followed(table: Table) -> None:
    host = Host(table.places["serial"])
    try:
        host.ready_after(0, 10)
        for name in ("slow_adapter", "adapter_back"):
            begun = host.now_ms()
            table.fault(name)
            host.run(lambda begun=begun: host.now_ms() > begun + 1_000 * FOLLOWS_S, 5)  # type: ignore[misc]
            host.run(lambda: host.link.state == "ready", 10)
            assert isinstance(host.order(m.Lamp(3)), fb.Done)
    finally:
        host.port.close()
