"""Scenes on a disk that is really full: `python -m tests.controller.full_disk SCENE FOLDER`.

FOLDER is a small disk of its own, mounted for this process alone.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from controller.blackbox import BlackBox
from controller.errors import JournalFull
from controller.evidence import EvidenceStore
from controller.facts import Fact, Record
from controller.inputs import PortDown, Restarted
from controller.journal import Journal, read_records, verify
from controller.live import BrainThread, LiveService, monotonic_ms
from controller.room import Room
from controller.runtime import Runtime
from firmware_bridge.record import Recorder
from tests.controller.test_live import Box

KIB = 1024
FACT = Fact("machine_event", {"event": "test", "text": "x" * 200})


def fill(folder: Path, leave: int = 0) -> Path:
    """Write a file until nothing fits any more, then give back `leave` bytes."""
    file = folder / "filler"
    with open(file, "ab", buffering=0) as sink:
        for size in (64 * KIB, 4 * KIB):
            try:
                while sink.write(bytes(size)) == size:
                    pass
            except OSError:
                continue
    os.truncate(file, max(0, file.stat().st_size - leave))
    return file


def small_room(folder: Path) -> Room:
    """Return a room as it is, for a disk of two MiB."""
    return Room(folder, reserve_bytes=256 * KIB, floor_bytes=128 * KIB)


def write_until_full(journal: Journal) -> int:
    """Append rows until there is no room; returns how many were acknowledged."""
    count = 0
    try:
        while count < 100_000:
            journal.append([FACT])
            count += 1
    except JournalFull:
        return count
    raise AssertionError("the disk never was full")


def reserve(folder: Path) -> None:
    """Rows go on by the reserve; then they are refused, none is lost, and they go on when there is room."""
    room = small_room(folder)
    assert room.hold()
    assert not room.is_low()
    path = folder / "ledger.db"
    journal = Journal(path, room=room)
    filler = fill(folder)
    assert room.is_low()
    assert (folder / "ledger.reserve").stat().st_blocks * 512 >= 256 * KIB, "a reserve of holes is none"
    acknowledged = write_until_full(journal)
    assert not (folder / "ledger.reserve").exists()
    assert acknowledged > 300, acknowledged
    assert [row.seq for row in read_records(path)] == list(range(1, acknowledged + 1))
    head = journal.head
    for _ in range(3):
        with pytest.raises(JournalFull, match="nothing was lost"):
            journal.append([FACT])
    assert journal.head == head
    assert not room.hold()
    filler.unlink()
    assert journal.append([FACT])[0].seq == acknowledged + 1
    assert room.hold()
    assert not room.is_low()
    journal.close()
    assert verify(path, head).ok


def telemetry(folder: Path) -> None:
    """Photos and black boxes are dropped while the ledger is still written."""
    room = small_room(folder)
    assert room.hold()
    store = EvidenceStore(folder / "evidence", is_low=room.is_low)
    box = BlackBox(folder / "blackbox", Recorder(), is_low=room.is_low)
    fault = Record(1, "fault", {"key": "fault.jam"}, "00" * 32)
    journal = Journal(folder / "ledger.db", room=room)
    kept = store.put(b"a photo")
    filler = fill(folder, leave=100 * KIB)
    with pytest.raises(OSError, match="the ledger's"):
        store.put(b"another photo")
    assert store.put(b"a photo") == kept
    assert box.freeze(fault).result() is None
    for _ in range(10):
        journal.append([FACT])
    filler.unlink()
    store.put(b"another photo")
    assert box.freeze(fault).result() is not None
    journal.close()
    box.close()


def service(folder: Path) -> None:
    """A command is acknowledged only once it is on disk; the table waits, says so, and goes on."""
    asyncio.run(_service(folder))


async def _service(folder: Path) -> None:
    journal = Journal(folder / "ledger.db")
    table = LiveService(7, EvidenceStore(folder / "evidence"))
    brain = BrainThread(
        Runtime("simplest", now_ms=monotonic_ms()), journal, table.show, table.failed, epoch=7
    )
    table.attach(brain)
    brain.start(Box(), Restarted(), PortDown("none"))
    await table.wait_first()
    filler = fill(folder, leave=24 * KIB)
    acknowledged = 0
    while True:
        asked = asyncio.ensure_future(table.command("stop", {}, "player"))
        while not asked.done() and not brain.has_no_room:
            await asyncio.sleep(0.02)
        if not asked.done():
            break
        assert asked.result()["ok"]
        acknowledged += 1
    while table.view("state")["health"]["ledger"] != "full":  # the test's own limit ends it
        await asyncio.sleep(0.02)
    shown: dict[str, Any] = dict(table.view("state"))
    assert shown["seq"] == journal.seq == acknowledged + 1, "what is not on disk was shown"
    assert len(read_records(journal.path)) == acknowledged + 1
    filler.unlink()
    assert (await asked)["ok"]
    assert not brain.has_no_room
    assert table.view("state")["health"]["ledger"] == "ok"
    assert table.seq == journal.seq == acknowledged + 2
    assert (await table.command("stop", {}, "player"))["ok"]
    filler = fill(folder)
    brain.stop()
    assert not table.failure.done()
    journal.close()
    assert verify(journal.path).ok


def start(folder: Path) -> None:
    """A service that starts on a full disk opens its ledger with the reserve, and the ledger is whole."""
    room = small_room(folder)
    assert room.hold()
    journal = Journal(folder / "ledger.db", room=room)
    journal.append([FACT])
    head = journal.head
    journal.close()
    fill(folder)
    journal = Journal(folder / "ledger.db", room=small_room(folder))
    journal.append([FACT])
    journal.close()
    assert verify(folder / "ledger.db", head).rows == 2


def alarm(folder: Path) -> None:
    """A service on a disk with less than is kept free says so on its pages and to whoever reads its log."""
    words = [sys.executable, "-m", "controller.cli", "run", "--port", "0", "--data", str(folder)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as table:
        assert table.stdout is not None
        assert table.stderr is not None
        address = table.stdout.readline().split()[-1]
        assert table.stderr.readline() == f"mahjong-table: {folder}: the disk is nearly full\n"
        deadline = time.monotonic() + 120
        health: dict[str, Any] = {}
        while health.get("ledger") != "low":
            assert time.monotonic() < deadline, health
            with urllib.request.urlopen(f"{address}healthz", timeout=10) as answer:
                health = json.loads(answer.read())["health"]
        table.send_signal(signal.SIGTERM)
    assert table.returncode == 0
    assert not (folder / "ledger.reserve").exists(), "the reserve took the room of the rows"


SCENES = {
    "reserve": reserve,
    "telemetry": telemetry,
    "service": service,
    "start": start,
    "alarm": alarm,
}

if __name__ == "__main__":
    SCENES[sys.argv[1]](Path(sys.argv[2]))
