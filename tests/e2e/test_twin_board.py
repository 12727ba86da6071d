"""The board of a table that `run --twin` brings along: its memory over restarts, an older program, numbers
that nobody knows, traces. The real service, the real firmware."""

from __future__ import annotations

import json
import re
import socket
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.live_table import LiveTable, cli

pytestmark = pytest.mark.e2e
UNKNOWN = re.compile(r"^mjt_link_unknown_total [1-9]", re.M)


def ask(data: Path, **request: Any) -> dict[str, Any]:
    """Ask the control socket that DATA/twin/places.json names."""
    places = json.loads((data / "twin" / "places.json").read_text("utf-8"))
    with socket.socket(socket.AF_UNIX) as control:
        control.settimeout(60)
        control.connect(places["control"])
        control.sendall(json.dumps(request).encode() + b"\n")
        answer: dict[str, Any] = json.loads(control.makefile("rb").readline())
        return answer


@pytest.mark.realtime
def test_the_board_remembers_over_restarts_and_a_damaged_memory_is_set_aside(tmp_path: Path) -> None:
    data = tmp_path / "data"
    eeprom = data / "twin" / "eeprom.bin"
    kept: list[bytes] = []
    for _ in range(2):
        with LiveTable(data, "--twin", "--seed", "1") as table:
            table.wait(lambda state: state["health"]["link"] == "up", 30)
        kept.append(eeprom.read_bytes())
    assert len(kept[0]) == 4096
    assert kept[0] != kept[1], "another start was counted"
    eeprom.write_bytes(b"half a copy")
    with LiveTable(data, "--twin", "--seed", "1") as table:
        table.wait(lambda state: state["health"]["link"] == "up", 30)
        assert "renamed to eeprom.bin.damaged" in table.errors()
    assert (data / "twin" / "eeprom.bin.damaged").read_bytes() == b"half a copy"
    assert len(eeprom.read_bytes()) == 4096


@pytest.mark.realtime
def test_a_service_refuses_an_old_board_and_survives_a_strange_one(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with LiveTable(data, "--twin", "--seed", "1", "--speed", "0.01") as table:  # nobody presses start
        table.wait(lambda state: state["health"]["link"] == "up", 30)
        assert ask(data, op="fault", name="old_firmware") == {}
        state = table.wait(lambda state: state["health"]["link"] == "mismatch", 30)
        assert "machine.mismatch" in [notice["code"] for notice in state["notices"]]
        answer = table.post("start")
        assert not (answer.status_code == 200 and answer.json().get("accepted")), answer.text
        assert ask(data, op="fault", name="strange_firmware") == {}
        state = table.wait(lambda state: state["fault"] is not None, 30)
        assert (state["fault"]["key"], state["fault"]["code"]) == ("fault.unknown", 999)
        assert state["health"]["link"] == "up"
        assert "machine.mismatch" not in [notice["code"] for notice in state["notices"]]
        metrics = httpx.get(f"{table.url}/metrics", timeout=10).text
        assert UNKNOWN.search(metrics), "the event that nobody knows is counted"
        assert table.process is not None
        assert table.process.poll() is None


@pytest.mark.realtime
def test_a_service_is_back_with_its_cable(tmp_path: Path) -> None:
    """By itself, whatever the machine was doing; how soon is asked in board time (test_twin_serial.py)."""
    data = tmp_path / "data"
    with LiveTable(data, "--twin", "--seed", "1", "--speed", "20") as table:
        table.wait(lambda state: state["phase"] == "BUILDING" and state["step"] == "build", 60)
        assert ask(data, op="fault", name="unplug", for_ms=1_500) == {}
        state = table.wait(lambda state: state["phase"] == "FAULT", 20)
        assert state["fault"]["code"] in (201, 202), "no heartbeat, or no answer: both are so"
        table.wait(lambda state: state["health"]["link"] == "up", 20)
        table.wait(lambda state: (state["phase"], state["fault"]) == ("BUILDING", None), 60)
        until = time.monotonic() + 60
        while "turn" not in ask(data, op="state")["motors"]:  # to the end goes the hang (test_hang.py)
            assert time.monotonic() < until, "the build does not go on"
            time.sleep(0.05)


def test_a_run_is_traced_and_its_table_can_be_asked(tmp_path: Path) -> None:
    """What a hand writes, and whether it is true, is asked of the stepped twin (test_play_pins.py)."""
    data = tmp_path / "data"
    with LiveTable(data, "--twin", "--seed", "1", "--speed", "0.01", "--trace", str(tmp_path / "t")) as table:
        table.wait(lambda state: state["health"]["link"] == "up", 60)  # nobody presses start
        walls = ask(data, op="walls")["sides"]
        state = ask(data, op="state")
        assert "unknown op 'dance'" in ask(data, op="dance")["error"]
    assert walls == {side: [] for side in "1234"}
    assert state == {"where": "", "motors": []}
    rows = [json.loads(line) for line in (tmp_path / "t" / "plant.jsonl").read_text("utf-8").splitlines()]
    assert {"input", "analog"} <= {row["kind"] for row in rows}
    vcd = (tmp_path / "t" / "board.vcd").read_text("ascii")
    assert vcd.startswith("$comment")
    last = vcd.splitlines()[-1]
    assert int(last.removeprefix("#")) > rows[-1]["at_us"], "it tells how long it lasted"


@pytest.mark.parametrize("words", [("--trace", "t"), ("--faults", __file__)])
def test_what_needs_a_twin_says_so(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = cli("run", "--port", "0", "--data", str(tmp_path), *words)
    assert done.returncode == 2
    assert "needs --twin" in done.stderr
