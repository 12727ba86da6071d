"""The live service: the same journal as the virtual one, a clean end, a busy port, names in its refusals."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

from tests.e2e.live_table import LiveTable, cli, without_times

pytestmark = pytest.mark.e2e

SPEED = "8"
"""Faster robots would press a key while it is still held, and lay their hand once more."""
END_S = 30.0
"""For what ends at once, on any machine."""
HANDS = int(os.environ.get("MAHJONG_TEST_LIVE_HANDS", "3"))
"""Machine time is real: one hand takes 45 s. From the second on they begin from walls on the table."""


def journal(data: Path) -> list[tuple[str, object]]:
    done = cli("journal", "export", "--data", str(data))
    assert done.returncode == 0, done.stderr
    return without_times(done.stdout.splitlines())


@pytest.mark.realtime
@pytest.mark.timeout(300 + 120 * HANDS)
def test_live_and_virtual_write_the_same_journal(tmp_path: Path) -> None:
    with LiveTable(tmp_path / "live", "--twin", "--seed", "1", "--speed", SPEED) as table:
        state = table.wait(lambda state: state["hand"] > HANDS, 150 + 100 * HANDS)
        head = state["last"]["head"]
        assert table.get("history")["total"] == HANDS
    assert cli("journal", "verify", "--head", head, "--data", str(tmp_path / "live")).returncode == 0
    played = cli(
        "twin", "play", "--hands", str(HANDS), "--seed", "1", "--json", "--keep", str(tmp_path / "virtual")
    )
    assert played.returncode == 0, played.stderr
    virtual = journal(tmp_path / "virtual")
    assert journal(tmp_path / "live")[: len(virtual)] == virtual


@pytest.mark.realtime
def test_a_term_signal_ends_everything_cleanly(tmp_path: Path) -> None:
    table = LiveTable(tmp_path / "data", "--twin", "--speed", SPEED)
    table.start()
    assert table.process is not None
    children = twins_of(table.process.pid)
    assert len(children) == 1
    table.wait(lambda state: state["phase"] == "BUILDING" and state["step"] == "build", 30)
    assert table.stop() == 0
    gone(children)
    kinds = [kind for kind, _ in journal(tmp_path / "data")]
    assert kinds[-1] == "machine_event", "motors that ran were stopped"
    assert cli("journal", "verify", "--data", str(tmp_path / "data")).returncode == 0


def gone(pids: list[int]) -> None:
    """Wait until these processes have ended (an orphan may wait for somebody to ask after it)."""
    until = time.monotonic() + END_S
    while any(is_alive(pid) for pid in pids):
        assert time.monotonic() < until, "the twin outlived the service"
        time.sleep(0.05)


def is_alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2]
    except OSError:
        return False


def twins_of(pid: int) -> list[int]:
    """Return the twins that this process started."""
    found = subprocess.run(
        ["ps", "--ppid", str(pid), "-o", "pid="], capture_output=True, text=True, check=False
    )
    return [int(word) for word in found.stdout.split()]


def test_the_twin_does_not_outlive_a_killed_service(tmp_path: Path) -> None:
    table = LiveTable(tmp_path / "data", "--twin")
    table.start()
    assert table.process is not None
    children = twins_of(table.process.pid)
    table.kill()
    gone(children)


def test_a_twin_that_ends_takes_the_service_with_it_by_name(tmp_path: Path) -> None:
    table = LiveTable(tmp_path / "data", "--twin")
    table.start()
    assert table.process is not None
    (twin,) = twins_of(table.process.pid)
    os.kill(twin, signal.SIGKILL)
    assert table.process.wait(END_S) == 1
    assert "mahjong-table: the twin ended" in table.errors()


def test_a_busy_port_names_the_way_out(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = cli("run", "--twin", "--port", str(port), "--data", str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.startswith("mahjong-table: ")
    assert "--port 0" in done.stderr


def test_a_ledger_in_use_is_named(tmp_path: Path) -> None:
    with LiveTable(tmp_path / "data"):
        done = cli("run", "--port", "0", "--data", str(tmp_path / "data"))
        assert done.returncode == 1
        assert "another service writes this ledger" in done.stderr


def test_other_hosts_need_the_code_that_is_printed(tmp_path: Path) -> None:
    table = LiveTable(tmp_path / "data", "--host", "0.0.0.0")
    table.start()
    line = table.read_line()
    assert line.startswith("code for other devices: ")
    assert line.split()[-1].isdecimal()
    assert len(line.split()[-1]) == 8
    assert table.stop() == 0


def test_a_table_without_board_and_camera_says_so(tmp_path: Path) -> None:
    with LiveTable(tmp_path / "data", "--serial", str(tmp_path / "no-port")) as table:
        state = table.wait(lambda state: state["health"]["camera"] == "none", 30)
        assert state["health"]["link"] == "down"
        refused = table.post("start")
        assert refused.status_code == 409
        assert refused.json()["error"]["code"] == "refuse.link"
