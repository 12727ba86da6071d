"""At each fault the last minute of the wire is kept, of the newest faults only, out of the brain's way."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from controller.blackbox import BlackBox, FreezingLedger, black_boxes, read_black_box
from controller.facts import Fact, Record
from firmware_bridge.errors import BadRecording
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
