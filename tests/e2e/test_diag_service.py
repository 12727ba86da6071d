"""Signals and the service mode on the real firmware: the board asked directly, and through the service."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.twin_process import TwinPlaces, TwinProcess
from tests.e2e.live_table import LiveTable, cli
from tests.e2e.test_diag import told, wait_for

pytestmark = [pytest.mark.e2e, pytest.mark.realtime]
CODE = ("--code", "1234")


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwinPlaces]:
    with TwinProcess(["--realtime", "--folder", str(tmp_path_factory.mktemp("twin"))]) as process:
        yield process.wait_places()


def test_signals_of_a_healthy_table(twin: TwinPlaces) -> None:
    analog = told("analog", "--serial", twin.serial)
    assert 23.0 < analog["supply_v"] < 25.0
    assert 20.0 < analog["temperature_c"] < 30.0
    assert max(analog[f"{group}_ma"] for group in ("feed", "stack", "main")) < 100
    edges = told("edges", "--serial", twin.serial)["inputs"]
    assert len(edges) > 30
    margin = told("margin", "--serial", twin.serial)
    assert [row["side"] for row in margin["sides"]] == [1, 2, 3, 4]
    loop = told("loopback", "--n", "20", "--serial", twin.serial)
    assert (loop["sent"], loop["same"]) == (20, 20)
    watched = cli("diag", "inputs", "--serial", twin.serial, "--watch", "--for", "0.5", "--lang", "en")
    assert watched.returncode == 0
    assert "watching" in watched.stderr


def test_a_motor_is_held_on_only_with_a_yes_and_the_code(twin: TwinPlaces) -> None:
    for words, code in (
        ((), "not_confirmed"),
        (("--yes",), "no_code"),
        (("--yes", "--code", "9"), "wrong_code"),
    ):
        refused = told("jog", "ring", "--serial", twin.serial, *words, code=1)
        assert refused["error"]["code"] == code
    done = told("jog", "ring", "--ms", "600", "--serial", twin.serial, "--yes", *CODE)
    assert done["ran_ms"] >= 590, "of the board's time, to the STATUS that shows it at rest"
    status = told("status", "--serial", twin.serial)
    assert (status["state"], status["running"], status["homed"]) == ("idle", [], False)
    assert "turn" in told("jog", "--list")["actuators"]
    assert "reverse" not in told("jog", "--list")["actuators"]
    assert cli("diag", "jog", "engine", "--serial", twin.serial).returncode == 2


def test_the_boards_interlocks_are_told(twin: TwinPlaces) -> None:
    told("selftest", "--serial", twin.serial, "--yes", "--move", "home")
    done = told("jog", "dome_raise", "--ms", "500", "--serial", twin.serial, "--yes", *CODE)
    assert done["actuator"] == "dome_raise"
    refused = told("jog", "tray_raise", "--serial", twin.serial, "--yes", *CODE, code=1)
    assert refused["error"]["code"] == "dome_not_down"
    told("selftest", "--serial", twin.serial, "--yes", "--move", "home")


def test_service_and_lamps_through_the_running_service(twin: TwinPlaces, tmp_path: Path) -> None:
    with LiveTable(tmp_path / "data", "--serial", twin.serial) as table:
        table.wait(lambda state: state["health"]["link"] == "up", 20)
        assert told("analog", "--url", table.url)["source"] == "service"
        assert told("loopback", "--n", "5", "--url", table.url)["same"] == 5
        assert len(told("edges", "--url", table.url)["inputs"]) > 30
        wrong = told("service", "on", "--code", "4321", "--url", table.url, code=1)
        assert wrong["error"]["code"] == "wrong_code"
        assert told("service", "off", "--url", table.url)["was_on"] is False
        assert told("service", "on", *CODE, "--url", table.url)["service"]
        until = time.monotonic() + 30
        while told("status", "--url", table.url)["state"] != "service":
            assert time.monotonic() < until
        assert len(told("lamps", "--url", table.url)["lamps"]) == 9
        held = told("jog", "ring", "--yes", *CODE, "--url", table.url, code=1)
        assert held["error"]["code"] == "service_holds"
        left = told("service", "off", "--url", table.url)
        assert (left["service"], left["was_on"]) == (False, True)
    wait_for(twin, lambda status: status["state"] == "idle")
