"""kill -9 of the real service in every phase of a hand, at a table that goes on; then a new service.

The twin is a process of its own here, as a real table would be: its board stops the motors by itself.
"""

from __future__ import annotations

import contextlib
import json
import random
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.twin_process import TwinPlaces, TwinProcess
from tests.e2e.live_table import LiveTable, brief, cli, control

pytestmark = pytest.mark.e2e

BOOKINGS = ("settled", "kong", "kong_robbed")
"""Kinds of facts that move points."""

PHASES = (
    "BUILDING",
    "FAULT",
    "READY",
    "LIFTING",
    "DICE",
    "DEALING",
    "PLAYING",
    "CLAIM",
    "CONFIRM",
    "REVIEW",
    "SETTLED",
)
"""In the order in which one hand meets them. FAULT is a board reset, REVIEW a dispute; the test makes both.

IDLE has no row: without a hand there is nothing to lose.
"""
SPEED = "6"


def free_port() -> int:
    """Return a port that nobody listens at, and that no client is given while its service is dead."""
    given_from = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    for port in random.sample(range(given_from // 2, given_from), 100):
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("no port is free")


class Table:
    """A twin that stays, and a service that is killed and started again on the same ledger."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        self.port = free_port()
        words = ["--realtime", "--seed", "3", "--variant", "simplest", "--speed", SPEED]
        words += ["--screen-url", f"http://127.0.0.1:{self.port}", "--truth", str(folder / "truth.jsonl")]
        self.twin = TwinProcess(words)
        self.places: TwinPlaces = self.twin.wait_places()
        settings = folder / "table.toml"
        settings.write_text(
            f"serial = {json.dumps(self.places.serial)}\ncamera = {json.dumps(self.places.camera)}\n"
            f'[gpio]\nkind = "socket"\npath = {json.dumps(self.places.gpio)}\n'
        )
        self.service = LiveTable(self.data, "--config", str(settings), "--port", str(self.port))
        self.service.start()

    def close(self) -> None:
        self.service.stop()
        self.twin.close()

    def exported(self) -> list[dict[str, Any]]:
        done = cli("journal", "export", "--data", str(self.data))
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.close()


def bring_about(table: Table, phase: str) -> dict[str, Any]:
    """Wait until the table is in the phase, and help where a hand alone would not come there."""

    def is_there(state: dict[str, Any]) -> bool:
        if phase == "FAULT" and state["phase"] == "BUILDING" and state["step"] == "build":
            control(table.places.control, op="fault", name="reset")
        if phase == "REVIEW" and state["phase"] == "CONFIRM":
            winner = state["claim"]["seat"]
            table.service.post("dispute", seat=next(seat for seat in "ESWN" if seat != winner))
        return bool(state["phase"] == phase)

    return table.service.wait(is_there, 150)


@pytest.mark.timeout(600)
def test_kill_9_in_every_phase(table: Table) -> None:
    for phase in PHASES:
        before = bring_about(table, phase)
        seen_head, seen_seq = before["head"], before["seq"]
        table.service.kill()
        verified = cli("journal", "verify", "--head", seen_head, "--data", str(table.data))
        assert verified.returncode == 0, f"{phase}: {verified.stderr}"
        rows = table.exported()
        assert rows[seen_seq - 1]["hash"].startswith(seen_head), f"{phase}: what was shown is lost"
        table.service.start()
        after = table.service.state()
        assert after["epoch"] == before["epoch"]
        assert after["hand"] == before["hand"], f"{phase}: {brief(after)}"
        booked = [row for row in table.exported()[: after["seq"]] if row["kind"] in BOOKINGS]
        for seat in "ESWN":
            units = sum(row["body"]["deltas"][seat] for row in booked)
            assert after["seats"][seat]["score"] * 2 == units, f"{phase}: {seat}"
    hand = after["hand"]
    done = table.service.wait(lambda state: state["last"] is not None and state["last"]["hand"] >= hand, 200)
    assert sum(seat["score"] for seat in done["seats"].values()) == 0
