"""The technician's tools on the real firmware: to the board, and through the service."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.twin_process import TwinPlaces, TwinProcess
from tests.e2e.live_table import LiveTable, cli, control

pytestmark = [pytest.mark.e2e, pytest.mark.realtime]


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwinPlaces]:
    with TwinProcess(["--realtime", "--folder", str(tmp_path_factory.mktemp("twin"))]) as process:
        yield process.wait_places()


def told(*words: str, code: int = 0) -> dict[str, Any]:
    """Return the object that a diag command prints."""
    done = cli("diag", *words, "--json")
    assert done.returncode == code, done.stderr
    return dict(json.loads(done.stdout))


def wait_for(twin: TwinPlaces, is_true: Any) -> dict[str, Any]:
    until = time.monotonic() + 10
    while not is_true(status := told("status", "--serial", twin.serial)):
        assert time.monotonic() < until, status
    return status


def test_the_board_says_who_it_is(twin: TwinPlaces) -> None:
    status = told("status", "--serial", twin.serial)
    assert (status["source"], status["link"], status["board"]) == ("board", "up", "atmega2560")
    assert (status["fault"], status["estop"], status["lid_open"]) == (0, False, False)
    assert status["reset_cause"] in ("power_on", "external")
    info = json.loads(cli("firmware", "info", "--json").stdout)
    assert info["source"].startswith(status["source_hash"])


def test_inputs_are_those_of_a_healthy_table(twin: TwinPlaces) -> None:
    rows = {row["id"]: row for row in told("inputs", "--serial", twin.serial)["inputs"]}
    assert all(row["on"] == row["raw"] for row in rows.values())
    assert (rows["stack_home_1"]["level"], rows["tray_up_1"]["level"], rows["estop"]["level"]) == (1, 1, 0)
    assert rows["estop"]["pin"] == "PB7"
    assert not any(row["on"] for name, row in rows.items() if name.startswith(("key_", "count_", "jam_")))


def test_counters_time_the_questions(twin: TwinPlaces) -> None:
    counters = told("counters", "--serial", twin.serial, "--asks", "30")
    assert (counters["asks"], counters["lost"]) == (30, 0)
    assert 0 < counters["p50_ms"] <= counters["p99_ms"]
    assert counters["counters"]["board_frames"] >= 30
    assert counters["verdict"] == "the wire is clean"


def test_nothing_moves_unless_a_person_agrees(twin: TwinPlaces) -> None:
    before = told("status", "--serial", twin.serial)
    plain = told("selftest", "--serial", twin.serial)
    assert (plain["ok"], plain["moves"]) == (True, [])
    assert "does not prove" in plain["not_proven"]
    refused = told("selftest", "--serial", twin.serial, "--move", "home", code=1)
    assert refused["error"]["code"] == "not_confirmed"
    after = told("status", "--serial", twin.serial)
    assert (after["homed"], after["running"]) == (before["homed"], [])


def test_a_yes_at_the_terminal_moves_the_dice(twin: TwinPlaces) -> None:
    for word, code in ((b"no\n", 1), (b"yes\n", 0)):
        master, slave = pty.openpty()
        command = [sys.executable, "-m", "controller.cli", "diag", "selftest", "--move", "dice"]
        with subprocess.Popen(
            [*command, "--serial", twin.serial, "--lang", "en"],
            stdin=slave,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            os.write(master, word)
            out, err = (text.decode() for text in process.communicate(timeout=60))
        os.close(slave)
        os.close(master)
        assert process.returncode == code, err
        assert ("ok            dice" in out) == (code == 0)


def test_movements_are_guarded_by_the_board(twin: TwinPlaces) -> None:
    """All of them once, in an order that the interlocks allow."""
    words = [word for name in ("lamps", "home", "dome", "trays") for word in ("--move", name)]
    done = told("selftest", "--serial", twin.serial, "--yes", *words)
    assert [(move["key"], move["ok"]) for move in done["moves"]] == [
        ("lamps", True),
        ("home", True),
        ("dome", True),
        ("trays", True),
    ]
    assert all(500 < ms < 4000 for ms in done["moves"][2]["step_ms"] + done["moves"][3]["step_ms"])
    assert wait_for(twin, lambda status: status["homed"])["running"] == []


def test_an_emergency_stop_stands_in_the_way_until_it_is_cleared(twin: TwinPlaces) -> None:
    control(twin.control, op="fault", name="estop")
    wait_for(twin, lambda status: status["estop"] and status["fault"] == 602)
    refused = told("selftest", "--serial", twin.serial, "--yes", "--move", "dice", code=1)
    assert refused["error"]["code"] == "interlock"
    told("faults", "--serial", twin.serial, "--clear", code=1)
    control(twin.control, op="fault", name="estop_release")
    wait_for(twin, lambda status: not status["estop"])
    fault = told("faults", "--serial", twin.serial)["fault"]
    assert (fault["code"], fault["key"]) == (602, "estop")
    assert told("faults", "--serial", twin.serial, "--clear")["fault"] is None
    assert told("selftest", "--serial", twin.serial, "--yes", "--move", "dice")["ok"]


def test_a_stuck_dome_is_named_and_everything_stands(twin: TwinPlaces) -> None:
    control(twin.control, op="fault", name="dome_stuck")
    done = told(
        "selftest", "--serial", twin.serial, "--yes", "--move", "home", "--move", "dome", "--move", "trays",
        code=1,
    )  # fmt: skip
    assert [move["ok"] for move in done["moves"]] == [True, False]
    assert done["moves"][1]["why_en"].startswith("411 ")
    status = told("status", "--serial", twin.serial)
    assert (status["running"], status["fault_key"]) == ([], "dome_not_up")
    control(twin.control, op="fault", name="mend")
    told("faults", "--serial", twin.serial, "--clear")


def test_an_interrupted_movement_stops_the_motors(twin: TwinPlaces) -> None:
    told("selftest", "--serial", twin.serial, "--yes", "--move", "home")
    words = ["diag", "selftest", "--serial", twin.serial, "--yes", "--move", "trays"]
    with subprocess.Popen(
        [sys.executable, "-m", "controller.cli", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # what runs in the background of a shell inherits that Ctrl-C is ignored; a terminal's commands do not
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        until = time.monotonic() + 30
        while "tray_raise" not in control(twin.control, op="state")["motors"]:
            assert time.monotonic() < until, "nothing moves"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert process.returncode not in (0, None)
    status = told("status", "--serial", twin.serial)
    assert (status["running"], status["stopped"], status["state"]) == ([], True, "stopped")
    told("faults", "--serial", twin.serial, "--clear")


def test_a_port_that_the_service_holds_is_asked_through_it(twin: TwinPlaces, tmp_path: Path) -> None:
    with LiveTable(tmp_path / "data", "--serial", twin.serial) as table:
        table.wait(lambda state: state["health"]["link"] == "up", 20)
        status = told("status", "--serial", twin.serial)
        assert (status["source"], status["place"], status["link"]) == ("service", table.url, "up")
        rows = {row["id"]: row for row in told("inputs", "--url", table.url)["inputs"]}
        assert (rows["estop"]["level"], rows["stack_home_4"]["raw"]) == (0, True)
        first = told("selftest", "--url", table.url)
        assert (first["ok"], first["ran"]) == (True, 255)
        assert told("selftest", "--url", table.url)["ok"]
        assert told("counters", "--url", table.url)["counters"]["link_frames_in"] > 0
        held = told("selftest", "--url", table.url, "--yes", "--move", "dice", code=1)
        assert held["error"]["code"] == "service_holds"
        kinds = [
            json.loads(line)["kind"]
            for line in cli("journal", "export", "--data", str(table.data)).stdout.splitlines()
        ]
        assert "fault" not in kinds
    assert told("status", "--serial", twin.serial)["source"] == "board"


def test_a_service_without_a_board_says_so(tmp_path: Path) -> None:
    with LiveTable(tmp_path / "data", "--serial", str(tmp_path / "none")) as table:
        status = told("status", "--url", table.url, code=1)
        assert (status["link"], status["problem_en"]) == (
            "down",
            "the service has no connection to the board",
        )
        assert told("selftest", "--url", table.url, code=1)["error"]["code"] == "refuse.link"
