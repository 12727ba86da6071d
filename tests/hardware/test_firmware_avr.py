"""The real binary on the simulated chip: it builds small, boots, answers, and its stops are fast."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest

from firmware_bridge import link as fb
from firmware_bridge import messages as m
from firmware_bridge.frames import RAW_STOP
from firmware_bridge.wire import Message
from hardware.firmware import build
from hardware.firmware.devices import header_text, load_devices
from hardware.twin.harness_client import Harness

DEVICES = load_devices()["devices"]
ROWS = {row["id"]: row for group in DEVICES.values() for row in group}
INPUTS = [*DEVICES["sensors"], *DEVICES["keys"]]
BYTE_US = 40
"""Ten bits at 250,000 baud."""
AT_REST = {"dome_down", *(f"{name}_{n}" for name in ("stack_home", "tray_down") for n in (1, 2, 3, 4))}


class Board:
    """The harness, the link, and one virtual clock in microseconds."""

    def __init__(self, eeprom: Path | None = None) -> None:
        self.harness = Harness(build.build_harness(), build.build_firmware(), eeprom)
        self.link = fb.Link(0, session=3)
        self.now = 0
        self.heard: list[fb.LinkEvent] = []
        self.edges: list[tuple[str, int, int]] = []
        self.beating = True
        for row in INPUTS:
            self.pin(row["id"], row["id"] in AT_REST)
        for port in {row["port"] for row in DEVICES["actuators"]}:
            self.harness.watch(
                port, sum(1 << row["bit"] for row in DEVICES["actuators"] if row["port"] == port)
            )
        self.run(60)
        self.link.connected(60)
        self.run(20)

    def pin(self, name: str, on: bool) -> None:
        row = ROWS[name]
        self.harness.set_pin(row["port"], row["bit"], int(on == (row["active"] == "high")))

    def run(self, ms: int) -> None:
        end = self.now + ms * 1000
        while self.now < end:
            out = self.link.take_output()
            if out:
                self.harness.send(out)
            report = self.harness.run(min(end, (self.now // 100_000 + 1) * 100_000, self.now + 5000))
            names = {(row["port"], row["bit"]): row["id"] for row in DEVICES["actuators"]}
            self.edges += [(names[e.port, e.bit], e.level, e.at_us) for e in report.edges]
            self.now = report.now_us
            self.heard += self.link.feed(report.sent, self.now // 1000) + self.link.tick(self.now // 1000)
            if self.beating and self.now % 100_000 == 0:
                self.link.beat(self.now // 1000)

    def order(self, message: Message) -> fb.LinkEvent:
        ticket = self.link.send(message, self.now // 1000)
        self.run(30)
        return next(event for event in self.heard if getattr(event, "ticket", None) == ticket)

    def running(self) -> set[str]:
        last = {name: level for name, level, _ in self.edges}
        return {name for name, level in last.items() if level}


@pytest.fixture
def board() -> Iterator[Board]:
    made = Board()
    yield made
    made.harness.close()


def test_size_is_within_budget() -> None:
    info = build.firmware_info()
    assert info.flash <= build.FLASH_BUDGET
    assert info.ram <= 4096
    assert info.elf.parent.name == f"firmware-{info.source[:16]}"


def test_headers_follow_the_pin_map() -> None:
    text = header_text()
    assert "#define M_DICE 14u" in text
    assert "PORTL = " in text


def test_an_estop_on_another_port_is_refused() -> None:
    moved = load_devices()
    row = next(row for row in moved["devices"]["sensors"] if row["id"] == "estop")
    row["port"] = "D"
    with pytest.raises(ValueError, match="port B or K"):
        header_text(moved)


def test_two_builds_at_once_into_an_empty_cache(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    command = [
        sys.executable,
        "-c",
        "from hardware.firmware.build import build_firmware; print(build_firmware())",
    ]

    def one(_: int) -> str:
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        ).stdout.strip()

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(one, range(2))
    assert first == second
    assert [path.name for path in Path(first).parent.iterdir()] == ["firmware.elf"]


def test_no_toolchain_is_one_line_that_names_the_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(build.BuildError, match=r"^avr-gcc is missing: apt install gcc-avr avr-libc$"):
        build.build_firmware()


def test_boots_and_answers(board: Board) -> None:
    (ready,) = [event for event in board.heard if isinstance(event, fb.Ready)]
    assert ready.hello.board == m.Board.atmega2560
    assert f"{ready.hello.source:08x}" == build.source_hash()[:8]
    assert fb.Received(m.Booted(m.ResetCause.power_on, board.link.boot_id, False)) in board.heard
    report = board.order(m.SelfTest())
    assert isinstance(report, fb.Done)
    assert isinstance(report.response, m.SelfTestReport)
    assert (report.response.ran, report.response.failed) == (255, 0)
    assert report.response.stack_free > 4000
    assert board.edges == []


def lifting(board: Board) -> None:
    assert isinstance(board.order(m.Home()), fb.Done)
    board.run(50)
    assert isinstance(board.order(m.Lift(m.Target.trays, m.Direction.up)), fb.Done)
    board.run(50)
    assert board.running() == {"tray_raise"}


def test_inputs_are_read_with_their_pull_ups_on() -> None:
    """Nothing is connected: the e-stop reads pressed from the first look on, not as a new fault later."""
    harness = Harness(build.build_harness(), build.build_firmware())
    link = fb.Link(0, session=3)
    harness.run(40_000)
    link.connected(40)
    heard: list[fb.LinkEvent] = []
    for now in range(41, 1200):
        if data := link.take_output():
            harness.send(data)
        heard += link.feed(harness.run(now * 1000).sent, now) + link.tick(now)
    harness.close()
    statuses = [event.message for event in heard if isinstance(event, fb.Status)]
    assert [(each.state, each.fault) for each in statuses][:1] == [(m.State.estop, 602)]
    assert not [each for each in heard if isinstance(each, fb.Received) and isinstance(each.message, m.Fault)]


def test_jtag_is_switched_off_by_two_writes_in_a_row() -> None:
    """MCUCR lies at 0x35 and JTD counts only when written twice within four cycles."""
    command = ["avr-objdump", "-d", str(build.build_firmware())]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = [line.split("\t")[2:4] for line in text.splitlines() if line.count("\t") >= 3]
    pairs = [first for first, second in pairwise(lines) if first == second and first[0] == "out"]
    assert [where.split(",")[0] for _, where in pairs] == ["0x35"]


MOVES = {"lift": "tray_raise", "dice": "dice", "build": "turn", "home": "dome_lower"}


def move(board: Board, state: str) -> str:
    """Bring about a state in which a motor runs; returns its name."""
    if state == "home":
        board.pin("dome_down", False)
        board.run(30)
    assert isinstance(board.order(m.Home()), fb.Done)
    board.run(50)
    if state != "home":
        lift = m.Lift(m.Target.trays, m.Direction.up)
        order: dict[str, Message] = {"lift": lift, "dice": m.Dice(3000), "build": m.Build(136)}
        assert isinstance(board.order(order[state]), fb.Done)
        board.run(50)
    assert MOVES[state] in board.running()
    return MOVES[state]


def off_us(board: Board, motor: str) -> int:
    assert not board.running()
    return [at for name, level, at in board.edges if name == motor and not level][-1]


@pytest.mark.parametrize("state", MOVES)
def test_raw_stop_is_faster_than_5_ms_behind_a_flood(board: Board, state: str) -> None:
    motor = move(board, state)
    board.beating = False
    flood = b"\x55" * 300 + RAW_STOP
    sent_us = board.now + len(flood) * BYTE_US
    board.harness.send(flood)
    board.run(43)
    assert 0 <= off_us(board, motor) - sent_us < 5_000
    assert isinstance(board.order(m.Home()), fb.Refused)


@pytest.mark.parametrize("state", MOVES)
def test_estop_switches_off_within_1_ms(board: Board, state: str) -> None:
    motor = move(board, state)
    pressed_us = board.now
    board.pin("estop", True)
    board.run(30)
    assert 0 <= off_us(board, motor) - pressed_us < 1_000
    assert fb.Received(m.Fault(602, 0, 0)) in board.heard
    refused = board.order(m.ClearFault(0))
    assert isinstance(refused, fb.Refused)
    assert refused.reason_key == "estop"
    board.pin("estop", False)
    board.run(30)
    assert isinstance(board.order(m.ClearFault(0)), fb.Done)


def test_host_death_is_safe_within_600_ms(board: Board) -> None:
    assert isinstance(board.order(m.Home()), fb.Done)
    board.run(50)
    board.beating = False
    died_us = board.now
    assert isinstance(board.order(m.Dice(3000)), fb.Done)
    board.run(700)
    off_us = [at for name, level, at in board.edges if name == "dice" and not level][-1]
    assert off_us - died_us <= 600_000
    assert fb.Received(m.StateChanged(m.State.safe)) in board.heard


def test_a_hang_ends_in_a_watchdog_reset_that_is_told(board: Board) -> None:
    lifting(board)
    first = board.link.boot_id
    board.harness.reset("hang")
    hung_us = board.now
    board.run(500)
    off_us = [at for name, level, at in board.edges if name == "tray_raise" and not level][-1]
    assert off_us - hung_us < 400_000
    (rebooted,) = [event for event in board.heard if isinstance(event, fb.Rebooted)]
    assert rebooted.cause == m.ResetCause.watchdog
    assert rebooted.boot_id != first
    refused = board.order(m.Lift(m.Target.trays, m.Direction.up))
    assert isinstance(refused, fb.Refused)
    assert refused.reason_key == "not_homed"


def test_a_build_survives_a_watchdog_reset(board: Board) -> None:
    assert isinstance(board.order(m.Home()), fb.Done)
    board.run(50)
    assert isinstance(board.order(m.Build(136)), fb.Done)
    board.pin("count_3", True)
    board.run(30)
    board.pin("count_3", False)
    board.run(30)
    assert fb.Received(m.Count(3, 1, 1)) in board.heard
    board.harness.reset("hang")
    board.run(500)
    status = board.order(m.GetStatus())
    assert isinstance(status, fb.Done)
    assert isinstance(status.response, m.StatusReport)
    assert (status.response.tiles, status.response.count_3) == (136, 1)
    assert board.running() == set()


def test_a_wall_of_two_sides_is_paused_by_both_lift_keys_and_outlives_a_hang(board: Board) -> None:
    """The timeline of a pause on the pins of the real binary; the plan of each side survives the watchdog."""
    assert isinstance(board.order(m.Home()), fb.Done)
    board.run(50)
    assert isinstance(board.order(m.Build(72, 36, 0, 36, 0)), fb.Done)
    board.run(50)
    assert board.running() == {"turn", "ring", "feed_1", "feed_3"}
    for level in (True, False):
        board.pin("count_3", level)
        board.run(30)
    for key in ("key_lift_a", "key_lift_b"):
        board.pin(key, True)
        board.run(50)
    assert board.running() == set()
    board.run(550)
    assert board.running() == {"dome_raise"}
    board.pin("dome_down", False)
    board.run(300)
    board.pin("dome_up", True)
    for key in ("key_lift_a", "key_lift_b"):
        board.pin(key, False)
    board.run(100)
    assert board.running() == set()
    board.pin("key_lift_b", True)
    board.run(100)
    assert board.running() == {"dome_lower"}
    board.pin("dome_up", False)
    board.run(300)
    board.pin("dome_down", True)
    board.run(50)
    assert board.running() == {"turn", "ring", "feed_1", "feed_3"}
    board.harness.reset("hang")
    board.run(500)
    assert board.running() == set()
    assert isinstance(board.order(m.Home()), fb.Done)
    board.run(100)
    refused = board.order(m.Build(72))
    assert isinstance(refused, fb.Refused)
    assert refused.reason_key == "wall_inside"
    assert isinstance(board.order(m.Build(72, 36, 0, 36, 0)), fb.Done)
    status = board.order(m.GetStatus())
    assert isinstance(status, fb.Done)
    assert isinstance(status.response, m.StatusReport)
    assert (status.response.state, status.response.count_3) == (m.State.building, 1)
