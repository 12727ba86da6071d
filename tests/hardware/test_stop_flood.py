"""The raw stop within 5 ms in every moving state, at the end of a flood of 6 KB of whatever kind."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from firmware_bridge import link as fb
from firmware_bridge import messages as m
from firmware_bridge.frames import RAW_STOP, FrameClass, encode
from tests.hardware.test_firmware_avr import BYTE_US, MOVES, Board, move, off_us

pytestmark = pytest.mark.e2e
SIZE = 6 * 1024


def good_frames() -> bytes:
    """Questions that the board answers each with 50 bytes: the most work that a host can make."""
    return (encode(FrameClass.COMMAND, 200, 1, m.GetStatus()) * SIZE)[:SIZE].rpartition(b"\0")[0] + b"\0"


FLOODS = {
    "rubbish": random.Random(6).randbytes(SIZE).replace(b"\x18", b"\x19"),
    "no end of frame": b"\x55" * SIZE,
    "ends of frames": bytes(SIZE),
    "good frames": good_frames(),
    "nearly stops": (b"\0\x18\x18\x18\x18\0" * SIZE)[:SIZE],
}


@pytest.fixture
def board() -> Iterator[Board]:
    made = Board()
    yield made
    made.harness.close()


@pytest.mark.parametrize("state", MOVES)
@pytest.mark.parametrize("flood", FLOODS)
def test_stop_is_faster_than_5_ms_behind_a_flood(board: Board, flood: str, state: str) -> None:
    motor = move(board, state)
    board.beating = False
    data = FLOODS[flood] + RAW_STOP
    sent_us = board.now + len(data) * BYTE_US
    board.harness.send(data)
    board.run(len(data) * BYTE_US // 1000 + 30)
    assert 0 <= off_us(board, motor) - sent_us < 5_000
    board.run(200)
    assert isinstance(board.order(m.Home()), fb.Refused)
