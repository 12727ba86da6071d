"""The technician's tools without a table: who holds a port, what is refused and why, what the words say."""

from __future__ import annotations

import fcntl
import json
import os
import select
import socket
import subprocess
import sys
import threading
import tty
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from controller.bits import device_rows
from controller.cli.score_text import Lang
from controller.diag import DiagError, TableService, desk
from controller.diag.answers import input_rows
from controller.diag.holder import Holder, holders, is_locked, listening_ports
from controller.diag.moves import MOVES, objections
from controller.diag.past import Past, past_of
from controller.diag.selftests import CHECKS, checks_of
from controller.diag.text import (
    COUNTERS,
    RESETS,
    STATES,
    explain_lines,
    fault_name,
    padded,
    past_lines,
    width,
    wire_words,
)
from controller.diag.words import REASONS
from controller.facts import Fact
from controller.journal import Journal
from controller.wire import board_counters, plain_counters
from firmware_bridge import messages as m
from firmware_bridge.errors import PortBusy
from firmware_bridge.fault_steps import STEPS
from firmware_bridge.faults import FAULTS
from firmware_bridge.frames import FrameClass, FrameDecoder, encode
from firmware_bridge.link import Link
from firmware_bridge.wire import Message

PROGRAMS_ONLY = {"none", "bad_value", "unknown_command", "stale_boot", "no_session"}
"""Refusals that a person cannot do anything about; they are shown by their key."""
REST = m.StatusReport(
    m.State.idle, 0, 0, False, True, m.Position.down, m.Position.down, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0,
)  # fmt: skip


def diag(*words: str, home: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "controller.cli", "diag", *words]
    env = {**os.environ, **({"HOME": str(home)} if home else {})}
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=env)


def bit(*names: str) -> int:
    rows = {row["id"]: row["status"] for row in device_rows("sensors", "keys")}
    return sum(1 << rows[name] for name in names)


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[tuple[int, str]]:
    """A pseudo terminal that nobody answers on: our end, and a name for the other."""
    master, slave = os.openpty()
    tty.setraw(slave)
    name = tmp_path / "board"
    name.symlink_to(os.ttyname(slave))
    yield master, str(name)
    os.close(slave)
    os.close(master)


# ---------------------------------------------------------------- who holds a port


def test_the_holder_of_a_lock_is_named(cable: tuple[int, str]) -> None:
    text = "import fcntl,sys; f=open(sys.argv[1],'rb+',0); fcntl.flock(f,2); print(1,flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", text, cable[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        other.stdout.readline()
        (found,) = [each for each in holders(cable[1]) if each.pid == other.pid]
        assert str(found).startswith(f"{os.path.basename(sys.executable)} -c import fcntl")
        assert str(found).endswith(f"(pid {other.pid})")
        refused = diag("status", "--serial", cable[1], "--lang", "en")
        other.stdin.close()
    assert refused.returncode == 1
    assert f"pid {other.pid}" in refused.stderr
    assert "is in use by" in refused.stderr
    assert "end it first" in refused.stderr


@pytest.mark.parametrize(
    ("line", "held"),
    [
        ("1: FLOCK  ADVISORY  WRITE 812 {place} 0 EOF", True),
        ("1: POSIX  ADVISORY  WRITE 812 {place} 0 EOF", False),
        ("1: FLOCK  ADVISORY  WRITE 812 00:1a:999999 0 EOF", False),
        ("1: FLOCK  ADVISORY  WRITE -1 {place} 0 EOF", False),
        ("1: -> FLOCK", False),
        ("", False),
    ],
)
def test_locks_are_read_as_the_kernel_writes_them(tmp_path: Path, line: str, held: bool) -> None:
    device = tmp_path / "tty"
    device.touch()
    at = device.stat()
    place = f"{os.major(at.st_dev):02x}:{os.minor(at.st_dev):02x}:{at.st_ino}"
    proc = tmp_path / "proc"
    (proc / "812").mkdir(parents=True)
    (proc / "812" / "cmdline").write_bytes(b"/usr/bin/minicom\0-D\0/dev/ttyUSB0\0")
    (proc / "locks").write_text(line.format(place=place) + "\n")
    assert holders(str(device), proc) == ((Holder(812, "minicom -D /dev/ttyUSB0"),) if held else ())
    assert is_locked(str(device), proc) == held


@pytest.mark.parametrize(
    ("line", "short", "name"), [(b"", b"minicom\n", "minicom"), (b"", None, "?"), (None, None, "?")]
)
def test_a_process_without_a_command_line_has_its_short_name(
    tmp_path: Path, line: bytes | None, short: bytes | None, name: str
) -> None:
    device = tmp_path / "tty"
    device.touch()
    entries = tmp_path / "proc" / "812" / "fd"
    entries.mkdir(parents=True)
    (entries / "3").symlink_to(device)
    for file, content in (("cmdline", line), ("comm", short)):
        if content is not None:
            (entries.parent / file).write_bytes(content)
    assert holders(str(device), tmp_path / "proc") == (Holder(812, name),)


def test_a_program_that_takes_no_lock_is_seen_among_our_own(tmp_path: Path) -> None:
    device = tmp_path / "tty"
    device.touch()
    words = [sys.executable, "-c", "print(flush=True); import time; time.sleep(60)"]
    with device.open("rb") as opened, subprocess.Popen(words, stdin=opened, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()  # it runs: from its fork to here the kernel has another name for it, or none
        (holder,) = holders(str(device))
        assert holder.pid == other.pid
        assert holder.name.startswith(f"{Path(sys.executable).name} -c print")
        other.kill()
    assert holders(str(device)) == ()
    assert holders(str(tmp_path / "none")) == ()
    assert not is_locked(str(tmp_path / "none"))


def test_the_ports_of_a_process_are_found() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert server.getsockname()[1] in listening_ports(os.getpid())
    assert listening_ports(2**22 + 1) == ()


OURS = Holder(7, "python /opt/mahjong-table/venv/bin/mahjong-table run")
OTHER = Holder(8, "minicom -D /dev/ttyUSB0")


@pytest.mark.parametrize(
    ("held_by", "ports", "answering", "place"),
    [
        ((OURS,), (8080,), {8080}, "http://127.0.0.1:8080"),
        ((OURS,), (9000, 9001), {9001}, "http://127.0.0.1:9001"),
        ((OURS,), (), {8090}, "http://127.0.0.1:8090"),  # another user's process: the port of the settings
        ((), (), {8090}, "http://127.0.0.1:8090"),  # nobody that we may see
        ((OTHER,), (), {8090}, None),  # a service there is, but it is not what holds the port
        ((OTHER,), (8090,), set(), None),
        ((OURS,), (8080,), set(), None),
        ((), (), set(), None),
    ],
)
def test_whom_a_held_port_leads_to(
    monkeypatch: pytest.MonkeyPatch,
    held_by: tuple[Holder, ...],
    ports: tuple[int, ...],
    answering: set[int],
    place: str | None,
) -> None:
    def busy(device: str) -> None:
        assert not held_by, "opening a port raises DTR: a port that is known to be held is never opened"
        raise PortBusy(device)

    def find(url: str) -> TableService | None:
        return TableService(url) if int(url.rpartition(":")[2]) in answering else None

    monkeypatch.setattr(desk, "Board", busy)
    monkeypatch.setattr(desk, "is_locked", lambda device: bool(held_by))
    monkeypatch.setattr(desk, "find_service", find)
    monkeypatch.setattr(desk, "holders", lambda device: held_by)
    monkeypatch.setattr(desk, "listening_ports", lambda pid: ports)
    wanted = desk.Place(serial="/dev/ttyUSB0", port=8090)
    if place is None:
        with pytest.raises(DiagError, match="in use by") as refused:
            desk.find_desk(wanted)
        assert refused.value.code == "port_in_use"
        assert all(str(holder) in refused.value.en for holder in held_by)
    else:
        said: list[str] = []
        assert desk.find_desk(wanted, lambda zh, en: said.append(en)).place == place
        assert "held by the service" in said[0]


def test_a_service_is_preferred_unless_a_device_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Here:
        def __init__(self, device: str) -> None:
            self.place = device

        def greet(self) -> None:
            pass

    monkeypatch.setattr(desk, "Board", Here)
    monkeypatch.setattr(desk, "find_service", TableService)
    assert desk.find_desk(desk.Place(known="/dev/x")).place == "http://127.0.0.1:8080"
    assert desk.find_desk(desk.Place(serial="/dev/y", known="/dev/x")).place == "/dev/y"
    assert desk.find_desk(desk.Place(url="http://pi:1/")).place == "http://pi:1"
    monkeypatch.setattr(desk, "find_service", lambda url: None)
    assert desk.find_desk(desk.Place(known="/dev/x")).place == "/dev/x"


# ---------------------------------------------------------------- refusals


def test_no_device_says_what_to_do(tmp_path: Path) -> None:
    done = diag("status", "--serial", str(tmp_path / "none"), "--json")
    assert done.returncode == 1
    error = json.loads(done.stdout)["error"]
    assert error["code"] == "no_board"
    assert "there is no" in error["message"]
    assert "没有" in error["message_zh"]
    assert done.stderr.startswith("mahjong-table: ")
    assert done.stderr.count("\n") == 1


def test_a_silent_port_is_no_board(cable: tuple[int, str]) -> None:
    done = diag("inputs", "--serial", cable[1], "--lang", "en")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no board answers" in done.stderr
    assert "check supply and cable" in done.stderr


def test_another_device_is_named_as_such(cable: tuple[int, str]) -> None:
    over = threading.Event()

    def chatter() -> None:
        while not over.wait(0.05):
            os.write(cable[0], b"$GPGGA,123519,4807.038,N*47\r\n")

    talker = threading.Thread(target=chatter)
    talker.start()
    try:
        done = diag("status", "--serial", cable[1], "--lang", "en")
    finally:
        over.set()
        talker.join()
    assert done.returncode == 1
    assert "another device, or another baud rate" in done.stderr


class OldBoard(threading.Thread):
    """Answers greetings and STATUS as firmware of another layout does: what is open is readable to all."""

    def __init__(self, master: int) -> None:
        super().__init__()
        self.master, self.over, self.ears = master, threading.Event(), FrameDecoder()

    def run(self) -> None:
        while not self.over.is_set():
            if not select.select([self.master], [], [], 0.05)[0]:
                continue
            for frame in self.ears.feed(os.read(self.master, 4096)):
                if isinstance(frame.message, m.Hello):
                    self.answer(
                        frame.seq,
                        m.HelloReport(
                            1, m.LAYOUT_HASH ^ 1, m.Board.atmega2560, 0, 0, 9, 0xABCDEF01,
                            m.ResetCause.brown_out, 41, 42, False, 99_000,
                        ),
                    )  # fmt: skip
                elif isinstance(frame.message, m.GetStatus):
                    self.answer(frame.seq, REST)

    def answer(self, seq: int, message: Message) -> None:
        os.write(self.master, encode(FrameClass.RESPONSE, seq, 42, message))


def test_old_firmware_says_who_it_is_and_is_asked_no_more(cable: tuple[int, str]) -> None:
    board = OldBoard(cable[0])
    board.start()
    try:
        told = diag("status", "--serial", cable[1], "--json", "--lang", "en")
        refused = diag("inputs", "--serial", cable[1], "--lang", "zh")
    finally:
        board.over.set()
        board.join()
    status = json.loads(told.stdout)
    assert (told.returncode, status["link"], status["state"]) == (1, "mismatch", "idle")
    assert (status["firmware"], status["reset_cause"], status["boot_count"]) == ("0.0.9", "brown_out", 41)
    assert "flash what" in told.stderr
    assert refused.returncode == 1
    assert "烧录" in refused.stderr


def test_nothing_to_ask_names_both_ways(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        (tmp_path / "table.toml").write_text(f"port = {port}\n")
        done = diag("counters", "--config", str(tmp_path / "table.toml"), "--lang", "en")
    assert done.returncode == 1
    assert "no service at" in done.stderr
    assert "--serial" in done.stderr


@pytest.mark.parametrize(
    ("words", "says", "code"),
    [
        (("status", "--url", "http://127.0.0.1:1"), "no table service at http://127.0.0.1:1", 1),
        (("status", "--url", "nonsense"), "no table service at nonsense", 1),
        (("status", "--serial", "/dev/null", "--lang", "zh"), "/dev/null 打不开", 1),
        (("status", "--config", "/nosuch.toml"), "no settings file at /nosuch.toml", 1),
        (("faults", "305"), "there is no fault 305", 1),
        (("status", "--config", "/nosuch.toml"), "设置读不了", 1),
        (("status", "--serial", "a", "--url", "b"), "只能给一个", 2),
        (("faults", "--log", "301"), "--log 单独用", 2),
        (("faults", "--log", "--all"), "--log stands alone", 2),
        (("jog", "engine"), "可选 feed_1", 2),
        (("jog", "engine", "--lang", "en"), "one of feed_1", 2),
        (("status", "--serial", "a", "--url", "b"), "not both", 2),
        (("selftest", "--move", "drum"), "drum", 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_wrong_use_and_dead_ends(words: tuple[str, ...], says: str, code: int) -> None:
    done = diag(*words)
    assert done.returncode == code
    assert says in done.stderr


# ---------------------------------------------------------------- interlocks before a movement


@pytest.mark.parametrize(
    ("changes", "move", "says"),
    [
        ({}, "home", None),
        ({"state": m.State.in_play, "trays": m.Position.up, "count_1": 34}, "trays", None),
        ({"sensors": bit("estop")}, "lamps", "emergency stop"),
        ({"sensors": bit("lid")}, "home", "lid"),
        ({"stopped": True}, "home", "latched"),
        ({"fault": 301, "state": m.State.fault}, "home", "latched"),
        ({"state": m.State.building}, "dice", "busy"),
        ({"keys": bit("key_dice_2")}, "home", "key is held"),
        ({"count_2": 34, "state": m.State.ready}, "trays", "34 tiles are inside"),
        ({"count_2": 9, "state": m.State.in_play}, "trays", "9 tiles are inside"),
        ({"count_2": 34, "state": m.State.ready}, "dome", None),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_speaks_against_a_movement(changes: dict[str, object], move: str, says: str | None) -> None:
    found = objections(replace(REST, **changes), [MOVES[move]])  # type: ignore[arg-type]
    assert [says in en for _, en in found] == ([] if says is None else [True])


# ---------------------------------------------------------------- words


def test_each_bit_of_the_self_test_has_words() -> None:
    rows = checks_of((1 << len(CHECKS)) - 1, 0b100)
    assert [check.bit for check, _ in rows] == list(range(len(CHECKS)))
    assert [check.key for check, passed in rows if not passed] == ["eeprom"]
    assert checks_of(1 << 12, 0)[0][0].en == "test 12"


def test_a_level_is_what_a_meter_shows() -> None:
    (low, high, unknown) = (
        input_rows({"tray_up_1": True}, {"tray_up_1": True}),
        input_rows({"lid": True}, {"lid": True}),
        input_rows({"lid": True}, None),
    )
    assert (low[0].pin, low[0].level, high[0].level, unknown[0].level) == ("PF0", 0, 1, None)


@pytest.mark.parametrize(
    ("counters", "says"),
    [
        ({"board_frames": 1000, "link_frames_in": 1000}, "clean"),
        ({"board_frames": 1000, "link_frames_in": 1000, "board_crc_errors": 3}, "made good"),
        ({"board_frames": 100, "link_frames_in": 100, "link_cobs_errors": 3}, "ferrite"),
        ({"board_frames": 1000, "board_overruns": 1}, "baud"),
        ({}, "clean"),
    ],
)
def test_counters_say_what_to_do_about_the_wire(counters: dict[str, int], says: str) -> None:
    zh, en = wire_words(counters)
    assert says in en
    assert zh


def test_every_counter_and_state_has_words() -> None:
    names = {*board_counters(REST), *plain_counters(Link(0).counters)}
    assert names <= set(COUNTERS), "name it in controller/diag/text.py"
    assert {state.name for state in m.State} <= set(STATES)
    assert {cause.name for cause in m.ResetCause} <= set(RESETS)
    assert {reason.name for reason in m.Reason} - set(REASONS) <= PROGRAMS_ONLY


@pytest.mark.parametrize("lang", list(Lang))
def test_every_fault_is_explained(lang: Lang) -> None:
    for code, row in FAULTS.items():
        text = "\n".join(explain_lines(code, lang))
        assert (row.zh in text) == (lang is not Lang.EN)
        assert (row.en in text) == (lang is not Lang.ZH)
        assert (STEPS[row.key][1][0] in text) == (lang is not Lang.ZH)


def test_a_number_unknown_to_this_version_is_no_crash() -> None:
    assert fault_name(777, None, 3, Lang.EN) == "777 unknown to this version (side 3)"
    assert list(explain_lines(777, Lang.EN)) == ["777: there is no such fault"]
    assert fault_name(0, "stop", 0, Lang.EN) == "Machine stopped"
    assert fault_name(0, None, 0, Lang.EN) == "-"


def test_columns_count_chinese_twice() -> None:
    assert (width("急停 x"), padded("急停", 6)) == (6, "急停  ")


def test_past_faults_are_the_ledgers_newest_first_and_stops_are_none(tmp_path: Path) -> None:
    assert past_of(tmp_path) == Past(tmp_path / "ledger.db", None, None)
    assert str(tmp_path / "ledger.db") in "".join(past_lines(past_of(tmp_path), Lang.ZH))
    journal = Journal(tmp_path / "ledger.db")
    fault = {"severity": "stop", "origin": "mcu", "detail": 0, "phase": "BUILDING", "step": "build"}
    journal.append([Fact("fault", {"code": 301, "side": 1, "key": "fault.jam", **fault})])
    journal.append([Fact("machine_event", {"event": "selftest", "ran": 255, "failed": 0})])
    journal.append([Fact("fault", {"code": 0, "side": 0, "key": "fault.stop", **fault})])
    journal.append([Fact("machine_event", {"event": "fault", "code": 351, "side": 0, "key": "fault.slow"})])
    journal.close()
    past = past_of(tmp_path)
    assert [(each["code"], each["key"]) for each in past.faults or ()] == [(351, "slow"), (301, "jam")]
    assert [(each["code"], each["key"]) for each in past.stops or ()] == [(0, "stop")]
    assert [len(rows or ()) for rows in (past_of(tmp_path, 1).faults, past.stops)] == [1, 1]
    lines = list(past_lines(past, Lang.EN))
    assert str(tmp_path / "ledger.db") in lines[0]
    assert [line.partition("  ")[2] or line for line in lines[1:]] == [
        "last faults:",
        fault_name(351, "slow", 0, Lang.EN),
        fault_name(301, "jam", 1, Lang.EN),
        "last stops:",
        "Machine stopped",
    ]


def test_a_lock_of_our_own_is_no_stranger(cable: tuple[int, str]) -> None:
    with open(cable[1], "rb+", buffering=0) as port:
        fcntl.flock(port, fcntl.LOCK_EX | fcntl.LOCK_NB)
        assert holders(cable[1]) == ()
