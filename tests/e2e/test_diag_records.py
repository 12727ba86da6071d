"""What the board keeps over power cuts, asked on the real firmware: fault log, statistics, configuration."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.twin_process import TwinPlaces, TwinProcess
from tests.e2e.live_table import LiveTable, cli, control
from tests.e2e.test_diag import told, wait_for

pytestmark = [pytest.mark.e2e, pytest.mark.realtime]


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwinPlaces]:
    with TwinProcess(["--realtime", "--folder", str(tmp_path_factory.mktemp("twin"))]) as process:
        yield process.wait_places()


def test_the_log_and_the_sums_tell_a_stop_and_a_throw(twin: TwinPlaces) -> None:
    assert told("faults", "--log", "--serial", twin.serial)["faults"] == []
    control(twin.control, op="fault", name="estop")
    wait_for(twin, lambda status: status["estop"] and status["fault"] == 602)
    log = told("faults", "--log", "--serial", twin.serial)
    (row,) = log["faults"]
    assert (row["code"], row["key"], row["boot"], log["damaged"]) == (602, "estop", 1, 0)
    assert row["at_ms"] > 0
    control(twin.control, op="fault", name="estop_release")
    wait_for(twin, lambda status: not status["estop"])
    told("faults", "--serial", twin.serial, "--clear")
    told("selftest", "--serial", twin.serial, "--yes", "--move", "dice")
    sums = told("statistics", "--serial", twin.serial)
    assert (sums["throws"], sums["faults"], sums["builds"], sums["boots"]) == (1, 1, 0, 1)
    assert sums["jams"] == [0, 0, 0, 0]
    assert "feed_1" in sums["motor_seconds"]
    assert sums["motor_seconds"]["feed_1"] == 0


def test_the_service_tells_the_same(twin: TwinPlaces, tmp_path: Path) -> None:
    direct = {
        words: told(*words, "--serial", twin.serial) for words in (("faults", "--log"), ("statistics",))
    }
    with LiveTable(tmp_path / "data", "--serial", twin.serial) as table:
        table.wait(lambda state: state["health"]["link"] == "up", 20)
        for words, wanted in direct.items():
            assert told(*words, "--url", table.url) == {**wanted, "source": "service", "place": table.url}


def test_values_are_changed_by_name_and_kept(twin: TwinPlaces) -> None:
    before = told("config", "show", "--serial", twin.serial)
    assert before["valid"]
    assert before["values"]["service_code"] == 1234
    done = told("config", "set", "jam_ms=900", "reverse_tries=2", "--serial", twin.serial)
    assert done["changed"] == {"jam_ms": [800, 900]}
    assert told("config", "show", "--serial", twin.serial)["values"] == {**before["values"], "jam_ms": 900}
    for word, code in (("jam_ms=5", "bad_value"), ("jams=1", "unknown_key")):
        assert told("config", "set", word, "--serial", twin.serial, code=1)["error"]["code"] == code
    assert cli("diag", "config", "set").returncode == 2


def test_the_service_changes_them_too_and_keeps_the_code_to_itself(twin: TwinPlaces, tmp_path: Path) -> None:
    with LiveTable(tmp_path / "data", "--serial", twin.serial) as table:
        table.wait(lambda state: state["health"]["link"] == "up", 20)
        shown = told("config", "show", "--url", table.url)
        assert (shown["source"], shown["service_code_set"]) == ("service", True)
        assert "service_code" not in shown["values"]
        done = told("config", "set", "duty_percent=70", "--url", table.url)
        assert list(done["changed"]) == ["duty_percent"]
        assert told("config", "show", "--url", table.url)["values"]["duty_percent"] == 70
    kept = told("config", "show", "--serial", twin.serial)["values"]
    assert (kept["service_code"], kept["duty_percent"]) == (1234, 70)
