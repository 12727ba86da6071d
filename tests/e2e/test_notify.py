"""A real service under a stand-in for systemd: READY when its pages answer, life, an end that is told."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path

import pytest

from tests.e2e.live_table import LiveTable, cli

pytestmark = pytest.mark.e2e


def test_the_service_tells_its_manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(tmp_path / "notify"))
        ear.settimeout(60)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", "600000")
        heard: list[str] = []
        with LiveTable(tmp_path / "data", "--serial", str(tmp_path / "none")) as table:
            until = time.monotonic() + 30
            while heard.count("WATCHDOG=1") < 5:
                assert time.monotonic() < until, heard
                heard.append(ear.recv(300).decode())
            assert f"READY=1\nSTATUS={table.url}/" in heard
            assert table.state()["health"]["link"] == "down"
            assert table.stop() == 0
        ear.settimeout(1)
        while "STOPPING=1" not in heard:
            heard.append(ear.recv(300).decode())
    rows = cli("journal", "export", "--data", str(tmp_path / "data")).stdout.splitlines()
    assert {json.loads(row)["kind"] for row in rows} == {"game_started"}, "words of life leave no rows"
