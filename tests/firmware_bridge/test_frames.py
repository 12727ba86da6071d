"""The decoder: every case whole, byte by byte, with noise before, with the next frame behind it."""

from __future__ import annotations

import zlib
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import messages as m
from firmware_bridge.frames import (
    RAW_STOP,
    Frame,
    FrameClass,
    FrameDecoder,
    cobs_decode,
    cobs_encode,
    encode,
)
from firmware_bridge.messages import PROTOCOL_VERSION

GOOD = encode(FrameClass.EVENT, 9, 3, m.Count(2, 17, 60))
EXPECTED = Frame(FrameClass.EVENT, 9, 3, m.Count.CODE, m.Count(2, 17, 60))
TRAILER = encode(FrameClass.RESPONSE, 1, 3, m.Ack(4, m.Reason.none))
TRAILER_FRAME = Frame(FrameClass.RESPONSE, 1, 3, m.Ack.CODE, m.Ack(4, m.Reason.none))


def raw(body: bytes, seed: int = m.LAYOUT_HASH) -> bytes:
    return cobs_encode(body + zlib.crc32(body, seed).to_bytes(4, "little")) + b"\0"


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 0x55 or 1]) + data[at + 1 :]


HEADER = bytes([PROTOCOL_VERSION << 4 | FrameClass.EVENT, 9, 3])
STAMP = b"\x40\xe2\x01\x00"
# id, bytes, frames expected, counter that grows
CASES: tuple[tuple[str, bytes, tuple[Frame, ...], str | None], ...] = (
    ("good", GOOD, (EXPECTED,), None),
    ("again", b"\0" + GOOD, (EXPECTED,), None),
    ("two", GOOD + GOOD, (EXPECTED, EXPECTED), None),
    ("event ack", encode(FrameClass.EVENT_ACK, 9, 3, 0x82), (Frame(FrameClass.EVENT_ACK, 9, 3, 0x82),), None),
    ("delimiters", b"\0\0\0", (), None),
    ("raw stop", RAW_STOP, (), "cobs_errors"),
    ("flipped", flipped(GOOD, 5), (), "crc_errors"),
    ("short", raw(HEADER + b"\x82\x02\x11" + STAMP), (), "length_errors"),
    ("long", raw(HEADER + b"\x82\x02\x11\x3c\x00" + STAMP), (), "length_errors"),
    ("no clock", raw(HEADER + b"\x82\x02\x11\x3c"), (), "length_errors"),
    ("tiny", cobs_encode(b"\x13\x01") + b"\0", (), "length_errors"),
    ("endless", b"\x31" * 200 + b"\0", (), "length_errors"),
    ("other layout", encode(FrameClass.EVENT, 9, 3, m.Count(2, 17, 60), layout=77), (), "crc_errors"),
    ("unknown code", raw(b"\x25" + HEADER[1:] + b"\xfe"), (), "unknown"),
    (
        "unknown event",
        raw(HEADER + b"\xfe\1" + STAMP),
        (Frame(FrameClass.EVENT, 9, 3, 0xFE, at_ms=123_456),),
        "unknown",
    ),
    ("unknown event without a clock", raw(HEADER + b"\xfe\1"), (), "unknown"),
    ("unknown class", raw(bytes([HEADER[0] | 0x0F, 9, 3, 0x82, 2, 17, 60]) + STAMP), (), "unknown"),
    ("other version", raw(bytes([0x13, 9, 3, 0x82, 2, 17, 60]) + STAMP), (), "unknown"),
)


def check(name: str | None, feeds: list[bytes], want: tuple[Frame, ...], before: int = 0) -> None:
    decoder = FrameDecoder()
    found = [frame for data in feeds for frame in decoder.feed(data)]
    assert tuple(found) == want
    assert decoder.frames == len(want)
    if name is not None:
        assert getattr(decoder, name) >= 1 + before


@pytest.mark.parametrize(
    ("data", "want", "counter"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
class TestCases:
    def test_whole(self, data: bytes, want: tuple[Frame, ...], counter: str | None) -> None:
        check(counter, [data], want)

    def test_byte_by_byte(self, data: bytes, want: tuple[Frame, ...], counter: str | None) -> None:
        check(counter, [bytes([byte]) for byte in data], want)

    def test_noise_before(self, data: bytes, want: tuple[Frame, ...], counter: str | None) -> None:
        check(counter, [b"\x99\x12\x45noise\0", data], want)

    def test_next_frame_behind(self, data: bytes, want: tuple[Frame, ...], counter: str | None) -> None:
        check(counter, [data + TRAILER], (*want, TRAILER_FRAME))


def test_hello_and_its_answer_pass_between_different_layouts() -> None:
    hello = m.Hello(1, 2, 3)
    decoder = FrameDecoder(layout=12345)
    assert [frame.message for frame in decoder.feed(encode(FrameClass.COMMAND, 1, 0, hello))] == [hello]


def test_open_messages_pass_in_another_version() -> None:
    body = bytes([0x22, 1, 1, m.Ack.CODE]) + m.Ack(1, m.Reason.busy).pack()
    (frame,) = FrameDecoder().feed(raw(body, 0))
    assert (frame.version, frame.message) == (2, m.Ack(1, m.Reason.busy))


@given(st.binary(max_size=250))
def test_cobs_round_trip(data: bytes) -> None:
    text = cobs_encode(data)
    assert 0 not in text
    assert len(text) == len(data) + 1
    assert cobs_decode(text) == data


@given(st.lists(st.one_of(st.just(GOOD), st.just(RAW_STOP), st.binary(max_size=80)), max_size=12), st.data())
def test_anything_goes_in_and_cutting_it_up_changes_nothing(parts: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(parts)
    whole, pieces = FrameDecoder(), FrameDecoder()
    want = whole.feed(stream)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    edges = [0, *cuts, len(stream)]
    got = [frame for a, b in pairwise(edges) for frame in pieces.feed(stream[a:b])]
    assert got == want
    assert pieces == whole


@given(st.integers(0, len(GOOD) - 2), st.integers(1, 255))
def test_no_flip_passes(at: int, mask: int) -> None:
    damaged = GOOD[:at] + bytes([GOOD[at] ^ mask]) + GOOD[at + 1 :]
    assert FrameDecoder().feed(damaged) == []
