"""A recording made at the simulated table says the same when the firmware hears it again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_bridge import messages as m
from firmware_bridge.errors import BadRecording
from firmware_bridge.record import Chunk, Recording, frames_of
from hardware.campaigns.replay import Replay, main
from hardware.campaigns.rig import Rig

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def recording() -> Recording:
    """Homing, the dome up and down, keys, a build begun, a stop: 16 s at the table."""
    with Rig(1) as rig:
        assert rig.order(m.Home()) == "ok"
        rig.run(3_000)
        for direction in (m.Direction.up, m.Direction.down):
            assert rig.order(m.Lift(m.Target.dome, direction)) == "ok"
            rig.run(4_000)
        assert rig.order(m.Lamp(2)) == "ok"
        assert rig.order(m.Build(136)) == "ok"
        rig.run(4_000)
        rig.link.stop(rig.now_ms)
        rig.run(1_000)
        return rig.link.recorder.recording(key="fault.stop")


def test_answers_and_events_are_the_same(recording: Recording) -> None:
    replay = Replay(recording)
    figures = replay.run()
    assert figures["first_difference"] == ""
    assert (figures["answers"], figures["answers_same"]) == (6, 6)
    assert figures["events"] == figures["events_now"] == figures["events_same"] >= 10
    stopped = [frame.message for _, frame in frames_of(replay.made.recording(), "<")]
    assert m.Stopped(m.StopReason.host) in stopped


def test_a_piece_from_the_middle_is_understood(recording: Recording) -> None:
    """The ring holds a minute: the greeting is long gone, numbers and boot are those of before."""
    begun = recording.chunks[0].at_ms + 8_000
    piece = Recording(tuple(chunk for chunk in recording.chunks if chunk.at_ms >= begun))
    figures = Replay(piece).run()
    assert figures["answers"] >= 2
    told = {str(frame.message) for _, frame in frames_of(piece, "<") if isinstance(frame.message, m.Ack)}
    assert str(m.Ack(m.Build.CODE, m.Reason.none)) in told
    assert "now nothing" not in figures["first_difference"]


def test_a_difference_is_named(
    recording: Recording, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same talk, but the first order is lost: a board that is not homed refuses the rest."""
    at_ms = next(at for at, frame in frames_of(recording, ">") if isinstance(frame.message, m.Home))
    chunks = tuple(chunk for chunk in recording.chunks if (chunk.at_ms, chunk.way) != (at_ms, ">"))
    path = tmp_path / "other.jsonl"
    path.write_text(replace(recording, chunks=chunks).text(), "utf-8")
    assert main([str(path), "--json", "--out", str(tmp_path / "again.jsonl")]) == 1
    figures = json.loads(capsys.readouterr().out)
    assert figures["answers_same"] < figures["answers"]
    assert "now" in figures["first_difference"]
    assert (tmp_path / "again.jsonl").read_text("utf-8").startswith('{"tablelink"')


@pytest.mark.parametrize("text", ["", "{}", Recording(()).text()])
def test_what_cannot_be_replayed_is_one_line(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text, "utf-8")
    assert main([str(path)]) == 1
    assert capsys.readouterr().err.startswith(f"mahjong-table: {path}: ")


def test_an_empty_recording_is_refused() -> None:
    with pytest.raises(BadRecording):
        Replay(Recording(()))
    assert Replay(Recording((Chunk(0, ">", b"\0"),))).run()["answers"] == 0
