"""At each fault the last minute of the wire is kept, of the newest faults only, out of the brain's way."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from controller.blackbox import BlackBox, FreezingLedger, black_boxes, read_black_box
from controller.facts import Fact, Record
from firmware_bridge import messages as m
from firmware_bridge.errors import BadRecording
from firmware_bridge.frames import FrameClass, encode
from firmware_bridge.record import Chunk, Recorder

FAULT = {
    "code": 321, "side": 2, "key": "fault.jam", "severity": "stop", "origin": "mcu", "detail": 0,
    "phase": "build", "step": "build",
}  # fmt: skip


class Ledger:
    """A ledger in memory."""

    def __init__(self) -> None:
        self.seq = 0

    def append(self, facts: Sequence[Fact]) -> tuple[Record, ...]:
        made = []
        for fact in facts:
            self.seq += 1
            made.append(Record(self.seq, fact.kind, fact.body, "", 0, "2000-01-01T00:00:00.000Z"))
        return tuple(made)


def test_a_fault_keeps_the_last_minute(tmp_path: Path) -> None:
    recorder = Recorder()
    box = BlackBox(tmp_path / "blackbox", recorder)
    ledger = FreezingLedger(Ledger(), box)
    recorder.note(">", b"\1\2\0", 10)
    ledger.append([Fact("machine_event", {"event": "selftest"})])
    ledger.append([Fact("fault", FAULT), Fact("fault_cleared", {"key": "fault.jam"})])
    recorder.note("<", b"\3\0", 20)
    box.close()
    (path,) = black_boxes(tmp_path / "blackbox")
    assert path.name == "00000002-fault.jam.jsonl"
    kept = read_black_box(path)
    assert kept.chunks == (Chunk(10, ">", b"\1\2\0"),)
    assert dict(kept.about) == {
        "seq": 2, "at": "2000-01-01T00:00:00.000Z", "key": "fault.jam", "code": 321, "side": 2,
        "phase": "build", "step": "build",
    }  # fmt: skip


def test_only_the_newest_are_kept(tmp_path: Path) -> None:
    box = BlackBox(tmp_path, Recorder(), keep=3)
    ledger = FreezingLedger(Ledger(), box)
    for _ in range(7):
        ledger.append([Fact("fault", FAULT)])
    box.close()
    assert [int(path.name[:8]) for path in black_boxes(tmp_path)] == [7, 6, 5]
    assert len(list(tmp_path.iterdir())) == 3


def test_a_folder_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    box = BlackBox(tmp_path / "file", Recorder())
    (record,) = FreezingLedger(Ledger(), box).append([Fact("fault", FAULT)])
    assert box.freeze(record).result() is None
    box.close()
    assert black_boxes(tmp_path / "none") == []


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "00000001-fault.jam.jsonl"
    path.write_text("{}")
    with pytest.raises(BadRecording, match="00000001-fault"):
        read_black_box(path)


def mahjong_table(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "controller.cli", "diag", "blackbox", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_technician_reads_it(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.note(">", encode(FrameClass.COMMAND, 3, 9, m.Lamp(2)), 1_000)
    recorder.note("<", encode(FrameClass.EVENT, 7, 9, m.HomeDone()), 1_250)
    box = BlackBox(tmp_path / "blackbox", recorder)
    ledger = FreezingLedger(Ledger(), box)
    ledger.append([Fact("fault", FAULT)])
    ledger.append([Fact("fault", {**FAULT, "key": "fault.stop"})])
    box.close()
    listed = mahjong_table("--data", str(tmp_path))
    assert [line.split()[0] for line in listed.stdout.splitlines()] == ["2", "1"]
    boxes = json.loads(mahjong_table("--data", str(tmp_path), "--json").stdout)["boxes"]
    assert [(each["seq"], each["key"]) for each in boxes] == [(2, "fault.stop"), (1, "fault.jam")]
    told = mahjong_table("1", "--data", str(tmp_path))
    assert told.stdout.splitlines() == [
        "    0.000 > command     3 Lamp(side=2)",
        "    0.250 < event       7 HomeDone()",
    ]
    assert json.loads(mahjong_table("1", "--json", "--data", str(tmp_path)).stdout)["lines"]
    nothing = mahjong_table("5", "--data", str(tmp_path), "--lang", "en")
    assert (nothing.returncode, nothing.stdout) == (1, "")
    assert nothing.stderr.startswith("mahjong-table: no black box in ")
