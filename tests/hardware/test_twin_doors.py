"""The twin's doors to the outside: wrong faults, wrong words, places in use and clients that go away."""

from __future__ import annotations

import json
import os
import queue
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from hardware.twin.command import main, parser
from hardware.twin.faults import UnknownFault, parse_fault, read_faults
from hardware.twin.lines import LineServer
from hardware.twin.realtime import RealTime
from hardware.twin.stepped import listen_at

WAIT_S = 20.0


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"name": 5},
        {"name": "earthquake"},
        {"name": "jam:5"},
        {"name": "jam:x"},
        {"name": "jam:²"},
        {"name": "jam", "side": {}},
        {"name": "jam:2", "side": [1], "after_ms": "5"},
        {"name": "jam", "side": "2"},
        {"name": "jam", "side": True},
        {"name": "hang", "side": 2},
        {"name": "hang:2"},
        {"name": "unplug", "for_ms": "x"},
        {"name": "unplug", "for_ms": 0},
        {"name": "unplug", "for_ms": 1e400},
        {"name": "jam:2", "after_ms": "5"},
        {"name": "jam:2", "after_ms": -1},
        {"name": "jam:2", "after_ms": 1.5},
        {"name": "jam:2", "after_ms": 10**30},
        {"name": "jam:2", "hand": "1"},
        {"name": "jam:2", "when": 3},
        {"name": "jam:2", "wen": "play"},
        {"name": "jam:2", "level": 0.5},
        {"name": "dirt:2", "level": 1.5},
        {"name": "dirt:2", "level": -0.1},
        {"name": "dirt:2", "level": True},
        {"name": "light:2", "level": "bright"},
        {"name": "light:2", "level": float("nan")},
        {"name": "jam:2", "count": 1},
        {"name": "missing_tile", "count": 0},
        {"name": "missing_tile", "count": 1.0},
        {"name": "mixed_set", "count": 5},
        {"name": "slow_adapter:1"},
        {"name": "old_firmware", "side": 2},
    ],
)
def test_a_wrong_fault_is_refused_in_one_line(row: dict[str, Any]) -> None:
    with pytest.raises(UnknownFault) as refused:
        parse_fault(row)
    assert len(str(refused.value).splitlines()) == 1


def test_right_faults_keep_what_they_say() -> None:
    fault = parse_fault(
        {"op": "fault", "name": "jam:3", "hand": 2, "when": "play", "after_ms": 7, "at_ms": None}
    )
    assert (fault.name, fault.side, fault.hand, fault.when, fault.after_ms) == ("jam", 3, 2, "play", 7)
    assert parse_fault({"name": "tray_stuck", "side": 4}).side == 4
    assert parse_fault({"name": "tray_stuck"}).side == 1
    assert parse_fault({"name": "unplug", "for_ms": 10}).for_ms == 10
    assert (parse_fault({"name": "dirt:4", "level": 0}).level, parse_fault({"name": "light:4"}).level) == (
        0.0,
        None,
    )
    assert parse_fault({"name": "mixed_set", "count": 4}).count == 4


@pytest.mark.parametrize(
    "line", ["nonsense", "[1]", '{"name":"jam:9"}', '{"name":"hang","hand":0}', "[" * 5000]
)
def test_a_wrong_faults_file_ends_the_twin_with_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    path = tmp_path / "faults.jsonl"
    path.write_text(f'# a note\n\n{{"name":"hang"}}\n{line}\n')
    with pytest.raises(UnknownFault, match="line 4"):
        read_faults(path)
    assert main(["--stepped", "--socket", str(tmp_path / "s"), "--faults", str(path)]) == 1
    told = capsys.readouterr().err
    assert told.startswith("twin: ")
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize(
    "words",
    [
        ("--speed", "0"),
        ("--speed", "-1"),
        ("--speed", "nan"),
        ("--speed", "inf"),
        ("--speed", "fast"),
        ("--hands", "-1"),
        ("--hands", "x"),
        ("--options", "[]"),
        ("--options", "{"),
        ("--options", "3"),
    ],
)
def test_wrong_words_are_refused(words: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        parser().parse_args(["--realtime", *words])
    assert left.value.code == 2
    assert words[0] in capsys.readouterr().err


def test_right_words_are_taken() -> None:
    given = parser().parse_args(["--realtime", "--speed", "2.5", "--hands", "0", "--options", '{"base": 2}'])
    assert (given.speed, given.hands, given.options) == (2.5, 0, {"base": 2})


def test_a_reset_line_is_let_go_when_the_client_that_holds_it_is_gone(tmp_path: Path) -> None:
    heard: queue.Queue[tuple[str, int]] = queue.Queue()
    server = LineServer(tmp_path / "gpio.sock", dict, lambda line, level: heard.put((line, level)))
    first, second = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    try:
        for client in (first, second):
            client.connect(str(server.path))
            client.sendall(b"mcu_reset 1\n")
            assert heard.get(timeout=WAIT_S) == ("mcu_reset", 1)
        first.close()
        with pytest.raises(queue.Empty):
            heard.get(timeout=0.2)
        second.close()
        assert heard.get(timeout=WAIT_S) == ("mcu_reset", 0)
    finally:
        server.close()


def test_a_place_in_use_is_refused_and_a_left_over_one_taken(tmp_path: Path) -> None:
    path = tmp_path / "gpio.sock"
    first = listen_at(path)
    with pytest.raises(FileExistsError, match="in use"):
        listen_at(path)
    with pytest.raises(FileExistsError, match="in use"):  # before anything of the twin is touched
        RealTime(None, tmp_path, None)  # type: ignore[arg-type]
    first.close()  # a killed process leaves its socket's file behind
    listen_at(path).close()
    other = tmp_path / "note.txt"
    other.write_text("mine")
    with pytest.raises(FileExistsError):
        listen_at(other)
    assert other.read_text() == "mine"


@pytest.mark.e2e
@pytest.mark.parametrize("delay_s", [0.05, 0.3])
def test_a_twin_whose_starter_is_killed_ends(delay_s: float) -> None:
    command = [sys.executable, "-m", "hardware.twin", "--realtime", "--seed", "1"]
    starter = (
        "import subprocess, time; "
        f"p = subprocess.Popen({command!r}, stdout=-3, stderr=-3); print(p.pid, flush=True); time.sleep(99)"
    )
    process = subprocess.Popen([sys.executable, "-c", starter], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    twin = Path(f"/proc/{int(process.stdout.readline())}")
    time.sleep(delay_s)
    process.kill()
    process.wait()
    process.stdout.close()
    until = time.monotonic() + WAIT_S
    while twin.exists() and "Z" not in _state(twin):
        assert time.monotonic() < until, "the twin outlives its starter"
        time.sleep(0.05)


def _state(process: Path) -> str:
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


@pytest.mark.e2e
def test_wrong_faults_leave_a_real_time_twin_alive(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hardware.twin", "--realtime", "--seed", "1", "--folder", str(tmp_path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        places = json.loads(process.stdout.readline())
        with socket.socket(socket.AF_UNIX) as control, control.makefile("rb") as answers:
            control.settimeout(WAIT_S)
            control.connect(places["control"])
            rows: list[dict[str, Any]] = [
                {"name": "jam:2", "after_ms": "5"},
                {"name": "unplug", "for_ms": "x"},
                {"side": {}},
            ]
            for row in rows:
                control.sendall(json.dumps({"op": "fault", **row}).encode() + b"\n")
                assert "error" in json.loads(answers.readline())
            control.sendall(b'{"op":"fault","name":"estop"}\n')
            assert json.loads(answers.readline()) == {}
        second = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert second.returncode == 1
        assert "in use" in second.stderr
        assert os.path.lexists(places["serial"]), "the living twin's cable is still there"
        assert process.poll() is None
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
        process.stdout.close()
