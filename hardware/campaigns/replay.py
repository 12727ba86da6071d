"""A recording of the wire fed to the firmware again: `python -m hardware.campaigns.replay FILE [--json]`.

Commands, heartbeats, raw stops and rubbish go to a fresh board in simavr at the times they had. Its boot
number differs, so frames carry the new one; its events are acknowledged as they come. The world is not
recorded: inputs are set to what the recorded board told of them (STATUS, keys, counted tiles). Then answers
and events of both are compared. Without the wood behind the pins a motion may take another time.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firmware_bridge import messages as m
from firmware_bridge.errors import BadRecording
from firmware_bridge.frames import Frame, FrameClass, FrameDecoder, encode
from firmware_bridge.record import Recorder, Recording, frames_of, parse_recording
from firmware_bridge.wire import Message
from hardware.firmware.build import BuildError, build_firmware, build_harness
from hardware.firmware.devices import load_devices
from hardware.twin.harness_client import Harness, ResetKind

BOOT_MS = 100
"""Before the first byte of the recording: the board is up after 30 ms."""
AFTER_MS = 1_000
PULSE_MS = 15
"""How long a tile covers a count sensor."""
KEY_MS = 25
"""A key is pressed so long before its event: it is debounced for 20 ms."""
RESETS: dict[m.ResetCause, ResetKind] = {
    m.ResetCause.power_on: "power",
    m.ResetCause.brown_out: "brownout",
    m.ResetCause.watchdog: "hang",
    m.ResetCause.unknown: "unknown",
}
AT_REST = ("dome_down", *(f"{name}_{side}" for name in ("stack_home", "tray_down") for side in (1, 2, 3, 4)))


@dataclass(frozen=True, slots=True)
class Act:
    """Something that happens to the board: bytes, inputs (id, level) or a reset."""

    at_ms: int
    data: bytes = b""
    inputs: tuple[tuple[str, bool], ...] = ()
    reset: ResetKind | None = None


@dataclass
class Told:
    """What a board said, without what must differ (times, counters, boot numbers)."""

    answers: list[tuple[int, str]] = field(default_factory=list)
    events: list[str] = field(default_factory=list)
    _last: dict[FrameClass, int] = field(default_factory=dict)

    def hear(self, frame: Frame) -> None:
        """Take a frame; copies are dropped."""
        message = frame.message
        if message is None or self._last.get(frame.kind) == frame.seq:
            return
        if frame.kind == FrameClass.RESPONSE:
            self.answers.append((frame.seq, str(message) if isinstance(message, m.Ack) else _name(message)))
        elif frame.kind == FrameClass.EVENT and not isinstance(message, m.Booted):
            self.events.append(str(message))
        else:
            return
        self._last[frame.kind] = frame.seq


def _name(message: Message) -> str:
    return type(message).__name__


class Replay:
    """One recording on one fresh board."""

    def __init__(self, recording: Recording) -> None:
        if not recording.chunks:
            raise BadRecording("the recording is empty")
        self._recording = recording
        self._begun = recording.chunks[0].at_ms - BOOT_MS
        self._heard = list(frames_of(recording, "<"))
        self._devices = load_devices()["devices"]
        self._rows = {row["id"]: row for group in ("sensors", "keys") for row in self._devices[group]}
        self._boot_id = 0
        self._decoder = FrameDecoder()
        self.made = Recorder(span_ms=1 << 40, bytes_max=1 << 30)
        self.told = Told()

    def run(self, elf: Path | None = None) -> dict[str, Any]:
        """Play it; returns how much was the same, and the first difference."""
        acts = sorted(self._acts(), key=lambda act: act.at_ms)
        with Harness(build_harness(), elf or build_firmware()) as board:
            self._put(board, tuple((name, name in AT_REST) for name in self._rows))
            now = self._let(board, 0, BOOT_MS // 2)
            board.send(self._greeting())
            now = self._let(board, now, BOOT_MS)
            for act in acts:
                now = self._let(board, now, max(now, act.at_ms - self._begun))
                self._put(board, act.inputs)
                if act.reset is not None:
                    board.reset(act.reset)
                board.send(self._renamed(act.data, now))
            self._let(board, now, now + AFTER_MS)
        return self._compared()

    # ---------------------------------------------------------------- what happens to the board

    def _acts(self) -> Iterator[Act]:
        for chunk in self._recording.chunks:
            if chunk.way == ">":
                yield Act(chunk.at_ms, chunk.data)
        boot_id = self._heard[0][1].boot_id if self._heard else 0
        for at_ms, frame in self._heard:
            message = frame.message
            if frame.boot_id != boot_id:
                boot_id = frame.boot_id
                cause = getattr(message, "reset_cause", m.ResetCause.unknown)
                yield Act(at_ms - BOOT_MS, reset=RESETS.get(cause, "external"))
            if isinstance(message, m.StatusReport):
                yield Act(at_ms, inputs=(*self._bits("sensors", message.sensors),))
            elif isinstance(message, m.Key) and frame.kind == FrameClass.EVENT:
                yield Act(at_ms - KEY_MS, inputs=((f"key_{message.key.name}", bool(message.pressed)),))
            elif isinstance(message, m.Count):
                yield Act(at_ms - PULSE_MS, inputs=((f"count_{message.side}", True),))
                yield Act(at_ms, inputs=((f"count_{message.side}", False),))

    def _bits(self, group: str, word: int) -> Iterator[tuple[str, bool]]:
        for row in self._devices[group]:
            if row["kind"] != "photo":  # tiles on their way come as counts
                yield row["id"], bool(word >> int(row["status"]) & 1)

    def _put(self, board: Harness, inputs: Sequence[tuple[str, bool]]) -> None:
        for name, on in inputs:
            row = self._rows.get(name)
            if row is not None:
                board.set_pin(row["port"], row["bit"], int(on == (row["active"] == "high")))

    def _greeting(self) -> bytes:
        """Return a greeting whose number is just before the first command's."""
        first = next(
            (frame for _, frame in frames_of(self._recording, ">") if frame.kind == FrameClass.COMMAND), None
        )
        if first is None or isinstance(first.message, m.Hello):
            return b""
        hello = m.Hello(m.PROTOCOL_VERSION, 0xFFFF, m.LAYOUT_HASH)
        return encode(FrameClass.COMMAND, (first.seq - 1) & 0xFF, 0, hello)

    def _renamed(self, data: bytes, now_ms: int) -> bytes:
        """Return bytes for the new board: good frames with its boot number, acknowledgements left out."""
        out = bytearray()
        *parts, tail = data.split(b"\0")
        for part in parts:
            found = FrameDecoder(layout=self._recording.layout).feed(part + b"\0")
            if not found:
                out += part + b"\0"
            elif found[0].kind != FrameClass.EVENT_ACK and found[0].message is not None:
                boot_id = self._boot_id if found[0].boot_id else 0
                out += encode(found[0].kind, found[0].seq, boot_id, found[0].message)
        self.made.note(">", bytes(out + tail), now_ms)
        return bytes(out + tail)

    # ---------------------------------------------------------------- time

    def _let(self, board: Harness, now_ms: int, until_ms: int) -> int:
        now_us = now_ms * 1000
        while now_us < until_ms * 1000:
            report = board.run(until_ms * 1000)
            now_us = report.now_us
            self.made.note("<", report.sent, now_us // 1000)
            for frame in self._decoder.feed(report.sent):
                self._boot_id = frame.boot_id
                self.told.hear(frame)
                if frame.kind == FrameClass.EVENT:
                    board.send(encode(FrameClass.EVENT_ACK, frame.seq, frame.boot_id, frame.code))
        return max(until_ms, now_us // 1000)

    # ---------------------------------------------------------------- both held against each other

    def _compared(self) -> dict[str, Any]:
        was = Told()
        for _, frame in self._heard:
            was.hear(frame)
        answers = dict(self.told.answers[-len(was.answers) :]) if was.answers else {}
        same = sum(answers.get(seq) == said for seq, said in was.answers[-256:])
        others = [
            f"command {seq}: {said}, now {answers.get(seq, 'nothing')}"
            for seq, said in was.answers[-256:]
            if answers.get(seq) != said
        ]
        pairs = list(zip(was.events, self.told.events, strict=False))
        others += [f"event {old}, now {new}" for old, new in pairs if old != new]
        return {
            "answers": len(was.answers[-256:]),
            "answers_same": same,
            "events": len(was.events),
            "events_now": len(self.told.events),
            "events_same": sum(old == new for old, new in pairs),
            "first_difference": others[0] if others else "",
        }


def main(arguments: Sequence[str] | None = None) -> int:
    """Replay a file; returns the exit status: 0 if all answers and events were the same."""
    line = argparse.ArgumentParser(prog="python -m hardware.campaigns.replay", description=__doc__)
    line.add_argument("file", type=Path, help="a recording, such as DATA/blackbox/*.jsonl")
    line.add_argument("--out", type=Path, help="write what was said this time as a recording")
    line.add_argument("--json", action="store_true", help="the comparison as one JSON object")
    given = line.parse_args(arguments)
    try:
        replay = Replay(parse_recording(given.file.read_text("utf-8")))
        figures = replay.run()
        if given.out is not None:
            given.out.write_text(replay.made.recording(replay_of=given.file.name).text(), "utf-8")
    except (BadRecording, BuildError, OSError, UnicodeDecodeError) as error:
        print(f"mahjong-table: {given.file}: {error}", file=sys.stderr)
        return 1
    if given.json:
        print(json.dumps(figures, ensure_ascii=False))
    else:
        print("\n".join(f"{name:18} {value}" for name, value in figures.items()))
    return 1 if figures["first_difference"] else 0


if __name__ == "__main__":
    sys.exit(main())
