"""The twin as a process: lockstep and real time with the real firmware, and nothing left behind."""

from __future__ import annotations

import base64
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import serial

from firmware_bridge import messages as wire
from firmware_bridge.faults import FAULTS
from firmware_bridge.link import Done, Link, Ready, Received

pytestmark = pytest.mark.e2e
START_S = 120.0


class Stepped:
    """A client of a stepped twin with the real link on the cable and no brain."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        path = folder / "twin.sock"
        command = [sys.executable, "-m", "hardware.twin", "--stepped", "--socket", str(path), *arguments]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE)
        until = time.monotonic() + START_S
        while not path.exists():
            assert self.process.poll() is None, self.process.stderr and self.process.stderr.read()
            assert time.monotonic() < until
            time.sleep(0.02)
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.lines = self.socket.makefile("rb")
        self.now_us = 0
        self.link = Link(0)
        self.link.connected(0)
        self.events: list[object] = []
        self.edges: list[list[Any]] = []
        self.posts: list[dict[str, Any]] = []
        self.serial: list[str] = []
        self.screen: dict[str, Any] | None = None

    def ask(self, **request: Any) -> dict[str, Any]:
        self.socket.sendall(json.dumps(request).encode() + b"\n")
        answer: dict[str, Any] = json.loads(self.lines.readline())
        return answer

    def step(self, until_us: int, **more: Any) -> None:
        now_ms = self.now_us // 1000
        due = self.link.next_deadline_ms()
        stop = until_us if due is None else min(until_us, max(due * 1000, self.now_us + 1000))
        request: dict[str, Any] = {"op": "run", "until_us": min(stop, self.now_us + 100_000), **more}
        self.link.beat(now_ms)
        request["tx"] = base64.b64encode(self.link.take_output()).decode()
        if self.screen is not None:
            request["screen"], self.screen = self.screen, None
        answer = self.ask(**request)
        self.now_us = answer["now_us"]
        self.edges += answer["gpio"]
        self.posts += answer["posts"]
        if "serial" in answer:
            self.serial.append(answer["serial"])
        now_ms = self.now_us // 1000
        self.events += self.link.feed(base64.b64decode(answer["rx"]), now_ms) + self.link.tick(now_ms)

    def run(self, seconds: float) -> None:
        until = self.now_us + int(seconds * 1e6)
        while self.now_us < until:
            self.step(until)

    def wait(self, kind: type, seconds: float = 60.0) -> Any:
        """Return the first event of this kind from now on."""
        first, until = len(self.events), self.now_us + int(seconds * 1e6)
        while self.now_us < until:
            self.step(until)
            for event in self.events[first:]:
                found = event.message if isinstance(event, Received) else event
                if isinstance(found, kind):
                    return found
        raise AssertionError(f"no {kind.__name__} in {seconds} s, only {self.events[first:]}")

    def order(self, message: Any, kind: type, seconds: float = 60.0) -> Any:
        self.link.send(message, self.now_us // 1000)
        return self.wait(kind, seconds)

    def show(self, **screen: Any) -> None:
        self.screen = {"hand": 1, "phase": "IDLE", "step": None, "dealer": "E", "seats": {}, **screen}

    def load(self) -> None:
        """Home the table, let the robots push the tiles in, close the dome."""
        self.wait(Ready, 3)
        self.order(wire.Home(), wire.HomeDone)
        self.order(wire.Lift(wire.Target.dome, wire.Direction.up), wire.LiftDone)
        self.show(phase="BUILDING", step="load")
        self.wait(wire.Key)
        self.order(wire.Lift(wire.Target.dome, wire.Direction.down), wire.LiftDone)

    def close(self) -> None:
        self.lines.close()
        self.socket.close()
        if self.process.poll() is None:
            self.process.wait(10)
        if self.process.stderr:
            self.process.stderr.close()


@pytest.fixture
def twin(tmp_path: Path) -> Iterator[Stepped]:
    stepped = Stepped(tmp_path, "--seed", "1", "--truth", str(tmp_path / "truth.jsonl"))
    yield stepped
    stepped.close()
    assert stepped.process.returncode == 0


def children_of(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(entry.parent.name))
    return found


def test_the_real_firmware_builds_raises_and_throws(twin: Stepped, tmp_path: Path) -> None:
    """The machine's part of a hand, pushed by robots who see a screen that a test draws."""
    hello = twin.wait(Ready, 3).hello
    assert hello.board is wire.Board.atmega2560
    twin.order(wire.Home(), wire.HomeDone)
    twin.order(wire.Lift(wire.Target.dome, wire.Direction.up), wire.LiftDone)
    twin.show(phase="BUILDING", step="load")
    key = twin.wait(wire.Key)
    assert (key.key, bool(key.pressed)) == (wire.KeyId.lift_b, True), "pushed in, and said so"
    twin.order(wire.Lift(wire.Target.dome, wire.Direction.down), wire.LiftDone)
    done = twin.order(wire.Build(136), wire.BuildDone, 120)
    assert (done.count_1, done.count_2, done.count_3, done.count_4) == (34, 34, 34, 34)
    twin.order(wire.Lift(wire.Target.trays, wire.Direction.up), wire.LiftDone)
    twin.order(wire.Lamp(1), Done, 5)
    twin.run(0.1)
    assert ["lamp1", 1] in [edge[:2] for edge in twin.edges]
    twin.show(phase="DICE", step="throw", dice={"thrower": "E", "throws": []})
    assert twin.wait(wire.Key).key is wire.KeyId.dice_1
    twin.order(wire.Dice(1500), wire.DiceDone)
    frame = base64.b64decode(twin.ask(op="frame")["jpeg"])
    assert frame.startswith(b"\xff\xd8")
    rows = [json.loads(line) for line in (tmp_path / "truth.jsonl").read_text().splitlines()]
    assert {"hand": 1, "kind": "lamp", "side": 1} in rows
    assert twin.ask(op="quit") == {}


def test_a_watchdog_reset_during_a_build_leaves_all_motors_off(twin: Stepped) -> None:
    twin.load()
    twin.link.send(wire.Build(136), twin.now_us // 1000)
    twin.run(5)
    assert "turn" in twin.ask(op="state")["motors"]
    twin.ask(op="fault", name="hang")
    booted = twin.wait(wire.Booted, 3)
    assert booted.reset_cause is wire.ResetCause.watchdog
    assert twin.ask(op="state")["motors"] == []


@pytest.mark.parametrize(
    ("name", "code", "side"), [("jam:2", 302, 2), ("count_silent:3", 323, 3), ("lid_open", 601, 0)]
)
def test_a_fault_of_the_machine_is_reported_by_its_number(
    twin: Stepped, name: str, code: int, side: int
) -> None:
    twin.load()
    twin.link.send(wire.Build(136), twin.now_us // 1000)
    twin.run(3)
    twin.ask(op="fault", name=name)
    fault = twin.wait(wire.Fault, 20)
    while FAULTS[fault.code].severity == "info":  # a jam is turned back first
        fault = twin.wait(wire.Fault, 20)
    assert (fault.code, fault.side) == (code, side)
    assert twin.ask(op="state")["motors"] == []


def test_camera_faults_and_refusals(twin: Stepped) -> None:
    first = twin.ask(op="frame")["jpeg"]
    assert twin.ask(op="frame")["jpeg"] != first, "a living camera's bytes move on"
    twin.ask(op="fault", name="camera_freeze")
    frozen = twin.ask(op="frame")["jpeg"]
    assert twin.ask(op="frame")["jpeg"] == frozen
    twin.ask(op="fault", name="camera_gone")
    assert twin.ask(op="frame") == {"error": "camera"}
    twin.ask(op="fault", name="camera_back")
    assert "jpeg" in twin.ask(op="frame")
    assert "unknown fault" in twin.ask(op="fault", name="earthquake")["error"]
    assert "unknown op" in twin.ask(op="dance")["error"]


def test_a_pulled_cable_is_told_and_carries_nothing(twin: Stepped) -> None:
    twin.wait(Ready, 3)
    twin.ask(op="fault", name="unplug", for_ms=2000)
    twin.run(1.0)
    assert twin.serial == ["down"]
    heard = len(twin.events)
    twin.run(0.9)
    assert len(twin.events) == heard
    twin.run(1.5)
    assert twin.serial == ["down", "up"]


def test_estop_reaches_board_and_pi(twin: Stepped) -> None:
    twin.wait(Ready, 3)
    twin.ask(op="fault", name="estop")
    twin.run(0.2)
    assert ["estop", 1] in [edge[:2] for edge in twin.edges]


@pytest.mark.parametrize("how", ["hang up", "terminate"])
def test_nothing_outlives_the_client(tmp_path: Path, how: str) -> None:
    twin = Stepped(tmp_path, "--seed", "2")
    twin.wait(Ready, 3)
    children = children_of(twin.process.pid)
    assert len(children) == 1, "the harness"
    if how == "terminate":
        twin.process.send_signal(signal.SIGTERM)
    twin.close()
    assert twin.process.returncode == 0
    assert not any(Path(f"/proc/{child}").exists() for child in children)


def test_wrong_use_is_one_line(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "hardware.twin",
        "--stepped",
        "--socket",
        str(tmp_path / "s"),
        "--variant",
        "no",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=START_S, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("twin: ")
    assert len(done.stderr.splitlines()) == 1


def test_real_time_plugs_in_everything_and_leaves_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hardware.twin", "--realtime", "--seed", "1", "--folder", str(tmp_path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        places = json.loads(process.stdout.readline())
        _check_serial(places["serial"])
        with urllib.request.urlopen(
            places["camera"].replace("stream.mjpg", "frame.jpg"), timeout=10
        ) as answer:
            assert answer.read(2) == b"\xff\xd8"
        _check_gpio(places["gpio"], places["control"])
    finally:
        process.terminate()
        assert process.wait(10) == 0
        process.stdout.close()
    assert not any(os.path.lexists(places[name]) for name in ("serial", "gpio", "control"))


def _check_serial(port_name: str) -> None:
    """The cable can be pulled under a real serial program, and comes back under the same name."""
    started = time.monotonic()
    link = Link(0)
    with serial.Serial(port_name, 250000, timeout=0.05, exclusive=True) as port:
        link.connected(0)
        while time.monotonic() < started + 20:
            now_ms = int((time.monotonic() - started) * 1000)
            port.write(link.take_output())
            events = link.feed(port.read(256), now_ms) + link.tick(now_ms)
            if any(isinstance(event, Ready) for event in events):
                return
    raise AssertionError("no answer on the pseudo terminal")


def _check_gpio(gpio: str, control: str) -> None:
    with socket.socket(socket.AF_UNIX) as lines, socket.socket(socket.AF_UNIX) as faults:
        lines.settimeout(10)
        lines.connect(gpio)
        text = lines.makefile("r")
        told = dict(text.readline().split() for _ in range(9))
        names = ("estop", *(f"{kind}{side}" for kind in ("lamp", "seat") for side in (1, 2, 3, 4)))
        assert told == dict.fromkeys(names, "0")
        faults.connect(control)
        faults.sendall(b'{"op":"fault","name":"estop"}\n')
        assert json.loads(faults.recv(1000)) == {}
        assert text.readline() == "estop 1\n"
        faults.sendall(b'{"op":"fault","name":"what"}\n')
        assert "error" in json.loads(faults.recv(1000))
        lines.sendall(b"mcu_reset 1\n")
        text.close()
