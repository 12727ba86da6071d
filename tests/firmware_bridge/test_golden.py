"""Golden frames: one file, held against the host's code here and against the board's core."""

from __future__ import annotations

import subprocess
import zlib
from dataclasses import dataclass
from pathlib import Path

import pytest

from firmware_bridge.frames import FrameClass, FrameDecoder, cobs_decode, cobs_encode, encode
from firmware_bridge.messages import MESSAGES, PROTOCOL_VERSION
from hardware.firmware.build import build_golden

FILE = Path(__file__).with_name("golden_frames.txt")


@dataclass(frozen=True)
class Golden:
    seed: int
    body: bytes | None
    frame: bytes
    what: str


def read_rows() -> list[Golden]:
    rows = []
    for line in FILE.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            seed, body, frame, what = line.split(" ", 3)
            rows.append(
                Golden(
                    int(seed, 16), None if body == "-" else bytes.fromhex(body), bytes.fromhex(frame), what
                )
            )
    return rows


ROWS = read_rows()
GOOD = [row for row in ROWS if row.body is not None]


@pytest.mark.parametrize("row", GOOD, ids=[row.what for row in GOOD])
def test_a_golden_frame(row: Golden) -> None:
    assert row.body is not None
    whole = row.body + zlib.crc32(row.body, row.seed).to_bytes(4, "little")
    assert cobs_encode(whole) + b"\0" == row.frame.removeprefix(b"\0")
    assert cobs_decode(row.frame.strip(b"\0")) == whole
    first, seq, boot_id, code = row.body[:4]
    payload, kind = row.body[4:], FrameClass(first & 15)
    at_ms = 0
    if kind is FrameClass.EVENT:
        payload, at_ms = payload[:-4], int.from_bytes(payload[-4:], "little")
    known = MESSAGES[code]
    if kind is not FrameClass.EVENT_ACK and len(payload) != known.LENGTH:
        return  # a body made for its length
    message = code if kind is FrameClass.EVENT_ACK else known.unpack(payload)
    again = row.frame.startswith(b"\0")
    if first >> 4 == PROTOCOL_VERSION:
        assert encode(kind, seq, boot_id, message, layout=row.seed, again=again, at_ms=at_ms) == row.frame
    decoder = FrameDecoder(layout=row.seed)
    found = decoder.feed(row.frame)
    if first >> 4 == PROTOCOL_VERSION or (known.OPEN and kind is not FrameClass.EVENT_ACK):
        (frame,) = found
        assert (frame.kind, frame.seq, frame.boot_id, frame.code) == (kind, seq, boot_id, code)
        assert frame.at_ms == at_ms
        assert frame.message == (None if isinstance(message, int) else message)
    else:
        assert (found, decoder.unknown) == ([], 1)


@pytest.mark.parametrize("row", [row for row in ROWS if row.body is None], ids=lambda row: row.what)
def test_a_bad_frame_is_nobodys(row: Golden) -> None:
    assert FrameDecoder().feed(b"\0" + row.frame + b"\0") == []


def test_the_core_reads_and_writes_the_same_frames() -> None:
    with FILE.open("rb") as rows:
        done = subprocess.run([build_golden()], stdin=rows, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"{len(ROWS)} rows, 0 wrong\n"), done.stderr


def test_the_core_would_tell_of_another_frame(tmp_path: Path) -> None:
    """Each digit of a frame matters: change one, and the core says which row differs."""
    broken = [
        f"{row.seed:08x} {row.body.hex() if row.body else '-'} {frame[:-3]}{int(frame[-3], 16) ^ 1:x}00\n"
        for row in GOOD
        for frame in [row.frame.hex()]
    ]
    done = subprocess.run(
        [build_golden()], input="".join(broken), capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[-1] == f"{len(GOOD)} rows, {len(GOOD)} wrong"
