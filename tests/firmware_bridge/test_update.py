"""Frames of the bootloader and the conversation with it, as far as no bootloader is needed for that."""

from __future__ import annotations

import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import boot_messages as b
from firmware_bridge import messages as m
from firmware_bridge.boot_frames import BootDecoder, encode_boot
from firmware_bridge.frames import FrameClass, FrameDecoder, cobs_encode, encode
from firmware_bridge.image import Image
from firmware_bridge.update import Update
from firmware_bridge.wire import Message

ANSWERS: tuple[Message, ...] = (
    b.Here(1, b.BootBoard.atmega2560, 122880, b.Stay.asked, True, 1, 2, 3, 0xC0FFEE, 4000, 0),
    b.Result(3, b.Verdict.ok, 0),
    b.PageSums(8, 0, 1, 2, 3, 4, 5, 6, 0xFFFFFFFF),
)
COMMANDS = [kind for kind in b.MESSAGES.values() if kind.KIND == "command"]
IMAGE = Image.of(bytes(1000), board=b.BootBoard.atmega2560, version=(1, 0, 0), source=1, layout=1)


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_answers_are_read_whole_in_pieces_and_behind_rubbish(answer: Message, size: int) -> None:
    data = b"\x31\x07\x00" + encode_boot(answer, 9) + b"\xff" * 300 + encode_boot(answer, 10)
    decoder = BootDecoder()
    found = [each for at in range(0, len(data), size) for each in decoder.feed(data[at : at + size])]
    assert found == [(9, answer), (10, answer)]


def test_no_changed_byte_makes_another_answer() -> None:
    draw = random.Random(4)
    for answer in ANSWERS:
        whole = encode_boot(answer, 9)
        for _ in range(3000):
            data = bytearray(whole)
            data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
            assert BootDecoder().feed(bytes(data)) in ([], [(9, answer)])


@given(st.binary(max_size=2000))
def test_rubbish_is_no_answer(data: bytes) -> None:
    decoder = BootDecoder()
    decoder.feed(data + b"\0")
    assert decoder.feed(encode_boot(ANSWERS[0], 1)) == [(1, ANSWERS[0])]


def test_neither_program_takes_a_frame_of_the_other_for_its_own() -> None:
    for command in COMMANDS:
        frame = encode_boot(command.unpack(bytes(command.LENGTH)), 1)
        assert FrameDecoder().feed(frame) == []
    for kind in m.MESSAGES.values():
        frame = encode(FrameClass.RESPONSE, 1, 0, kind.unpack(bytes(kind.LENGTH)))
        assert BootDecoder().feed(frame) == []


def test_a_command_is_not_an_answer_and_a_wrong_length_none() -> None:
    assert BootDecoder().feed(encode_boot(b.Who(), 1)) == []
    body = bytes([b.PROTOCOL_VERSION << 4 | FrameClass.RESPONSE, 1, 0, b.Result.CODE]) + bytes(5)
    body += zlib.crc32(body, b.LAYOUT_HASH).to_bytes(4, "little")
    assert BootDecoder().feed(cobs_encode(body) + b"\0") == []


# ---------------------------------------------------------------------- the conversation


def answer(update: Update, message: Message, now_ms: int) -> None:
    """Answer what was asked last, whatever it was."""
    asked = update.take_output()
    seq = asked.rstrip(b"\0").rpartition(b"\0")[2][2]
    update.feed(encode_boot(message, seq), now_ms)


def test_nobody_there_is_told_in_time() -> None:
    update = Update(IMAGE, 0, call_ms=300)
    calls = 0
    for now in range(400):
        calls += len(update.take_output()) > 0
        update.tick(now)
        if update.is_over:
            break
    assert (update.stage, update.why, now, calls) == ("failed", "silent", 300, 30)


REFUSALS = {
    b.Verdict.wrong_board: "wrong_board",
    b.Verdict.too_large: "too_large",
    b.Verdict.memory: "memory",
    b.Verdict.bad_value: "refused",
    b.Verdict.unknown: "refused",
    b.Verdict(77): "refused",
}


@pytest.mark.parametrize(("verdict", "why"), REFUSALS.items())
def test_what_a_bootloader_refuses_ends_the_update_with_its_reason(verdict: b.Verdict, why: str) -> None:
    update = Update(IMAGE, 0)
    answer(update, ANSWERS[0], 1)
    assert update.here == ANSWERS[0]
    assert update.stage == "comparing"
    answer(update, b.Result(b.Begin.CODE, verdict, 0), 2)
    assert (update.stage, update.why) == ("failed", why)


def test_late_and_doubled_answers_are_not_taken_for_the_next_one() -> None:
    update = Update(IMAGE, 0)
    frame = update.take_output()
    seq = frame.rstrip(b"\0").rpartition(b"\0")[2][2]
    update.feed(encode_boot(ANSWERS[0], seq) * 3, 1)
    assert update.stage == "comparing"
    assert len(update.take_output()) > 0
    update.feed(encode_boot(ANSWERS[0], seq), 2)
    assert update.take_output() == b""


def test_only_who_is_asked_when_there_is_nothing_to_send() -> None:
    update = Update(None, 0)
    answer(update, ANSWERS[0], 1)
    assert (update.stage, update.here, update.take_output()) == ("done", ANSWERS[0], b"")


def test_a_dead_line_in_the_middle_is_told() -> None:
    update = Update(IMAGE, 0)
    answer(update, ANSWERS[0], 1)
    now = 1
    while not update.is_over and now < 20_000:
        now += 1
        update.take_output()
        update.tick(now)
    assert (update.stage, update.why) == ("failed", "lost")
    assert 3_000 < now < 12_000
