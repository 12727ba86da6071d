"""Bytes <-> frames: COBS with 0x00 as delimiter, CRC-32 seeded with the layout hash, exact lengths.

Frame body: version<<4 | class, seq, boot_id, code, payload, CRC-32 (little-endian).
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from enum import IntEnum

from firmware_bridge.messages import LAYOUT_HASH, MAX_PAYLOAD, MESSAGES, PROTOCOL_VERSION
from firmware_bridge.wire import Message

RAW_STOP = b"\x00\x18\x18\x18\x00"
"""Never a frame: the code 0x18 promises 23 bytes."""
HEAD = 4
CRC = 4
STAMP = 4
"""Every event ends with the board's clock."""
MAX_BODY = HEAD + MAX_PAYLOAD + CRC
MAX_ENCODED = MAX_BODY + 1


class FrameClass(IntEnum):
    """The low half of the first byte."""

    COMMAND = 1
    RESPONSE = 2
    EVENT = 3
    EVENT_ACK = 4
    NOTE = 5


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame that passed every check; `message` is None for an event acknowledgement, and for an event
    that this program does not know (it is acknowledged all the same: those behind it must come)."""

    kind: FrameClass
    seq: int
    boot_id: int
    code: int
    message: Message | None = None
    version: int = PROTOCOL_VERSION
    at_ms: int = 0
    """Events: the board's clock when it happened."""


def cobs_encode(data: bytes) -> bytes:
    """Return `data` without zero bytes, one byte longer (at most 254 bytes in).

    >>> cobs_encode(bytes([1, 0, 2])).hex()
    '02010202'
    """
    out = bytearray()
    for part in data.split(b"\x00"):
        out.append(len(part) + 1)
        out += part
    return bytes(out)


def cobs_decode(data: bytes) -> bytes | None:
    """Return the bytes that were encoded, or None if `data` is no COBS text of a short frame."""
    out = bytearray()
    at = 0
    while at < len(data):
        count = data[at]
        part = data[at + 1 : at + count]
        if count == 0 or len(part) != count - 1 or 0 in part:
            return None
        out += part
        at += count
        if at < len(data):
            out.append(0)
    return bytes(out)


def encode(
    kind: FrameClass,
    seq: int,
    boot_id: int,
    message: Message | int,
    *,
    layout: int = LAYOUT_HASH,
    again: bool = False,
    at_ms: int = 0,
) -> bytes:
    """Return a whole frame with its delimiter; `message` is a number for an event acknowledgement (its code).

    `again` puts a 0x00 in front, so that rubbish before it cannot swallow a repeat. `at_ms`: of an event.
    """
    code, payload = (message, b"") if isinstance(message, int) else (message.CODE, message.pack())
    if kind == FrameClass.EVENT:
        payload += at_ms.to_bytes(STAMP, "little")
    body = bytes([PROTOCOL_VERSION << 4 | kind, seq, boot_id, code]) + payload
    body += zlib.crc32(body, _seed(code, kind, layout)).to_bytes(CRC, "little")
    return (b"\x00" if again else b"") + cobs_encode(body) + b"\x00"


def _seed(code: int, kind: int, layout: int) -> int:
    known = MESSAGES.get(code)
    return 0 if known is not None and known.OPEN and kind != FrameClass.EVENT_ACK else layout


@dataclass(slots=True)
class FrameDecoder:
    """Turns whatever bytes came into frames; what is bad is counted, never raised."""

    layout: int = LAYOUT_HASH
    frames: int = 0
    cobs_errors: int = 0
    crc_errors: int = 0
    length_errors: int = 0
    unknown: int = 0
    _buffer: bytearray = field(default_factory=bytearray)
    _overlong: bool = False

    def feed(self, data: bytes) -> list[Frame]:
        """Return the frames completed by `data`, in order."""
        found: list[Frame] = []
        parts = data.split(b"\x00")
        for index, part in enumerate(parts):
            if not self._overlong:
                self._buffer += part
                self._overlong = len(self._buffer) > MAX_ENCODED
            if index < len(parts) - 1:
                frame = self._end()
                if frame is not None:
                    found.append(frame)
        return found

    def reset(self) -> None:
        """Forget a frame begun before a break of the line."""
        self._buffer.clear()
        self._overlong = False

    def _end(self) -> Frame | None:
        text, overlong = bytes(self._buffer), self._overlong
        self.reset()
        if overlong:
            self.length_errors += 1
            return None
        return self._parse(text) if text else None

    def _crc_fits(self, body: bytes) -> bool:
        seed = _seed(body[3], body[0] & 15, self.layout)
        return zlib.crc32(body[:-CRC], seed) == int.from_bytes(body[-CRC:], "little")

    def _parse(self, text: bytes) -> Frame | None:
        body = cobs_decode(text)
        if body is None:
            self.cobs_errors += 1
            return None
        if not HEAD + CRC <= len(body) <= MAX_BODY:
            self.length_errors += 1
            return None
        first, seq, boot_id, code = body[:HEAD]
        version, kind = first >> 4, first & 15
        if not self._crc_fits(body):
            self.crc_errors += 1
            return None
        known = MESSAGES.get(code)
        if known is None and kind in (FrameClass.EVENT, FrameClass.EVENT_ACK) and version == PROTOCOL_VERSION:
            return self._unknown_event(body)
        if kind not in FrameClass._value2member_map_ or known is None:
            self.unknown += 1
            return None
        if version != PROTOCOL_VERSION and not known.OPEN:
            self.unknown += 1
            return None
        payload, at_ms = body[HEAD:-CRC], 0
        if kind == FrameClass.EVENT:
            payload, at_ms = payload[:-STAMP], int.from_bytes(payload[-STAMP:], "little")
        if not _fits(known, kind, len(payload)):
            self.length_errors += 1
            return None
        self.frames += 1
        message = None if kind == FrameClass.EVENT_ACK else known.unpack(payload)
        return Frame(FrameClass(kind), seq, boot_id, code, message, version, at_ms)

    def _unknown_event(self, body: bytes) -> Frame | None:
        """Return an event (or its acknowledgement) that only its number is known of."""
        kind = FrameClass(body[0] & 15)
        stamp = body[HEAD:-CRC][-STAMP:] if kind == FrameClass.EVENT else b""
        self.unknown += 1
        if kind == FrameClass.EVENT and len(stamp) < STAMP:
            return None
        self.frames += 1
        return Frame(kind, body[1], body[2], body[3], at_ms=int.from_bytes(stamp, "little"))


def _fits(known: type[Message], kind: int, length: int) -> bool:
    """Return whether a payload may have this length: an open message of another version may be longer."""
    if kind == FrameClass.EVENT_ACK:
        return length == 0
    return length == known.LENGTH or (known.OPEN and length >= known.LEAST)
