"""Frames of the bootloader: the envelope of TableLink, every CRC seeded with the layout of boot.toml."""

from __future__ import annotations

import zlib

from firmware_bridge.boot_messages import LAYOUT_HASH, MAX_PAYLOAD, MESSAGES, PROTOCOL_VERSION
from firmware_bridge.frames import CRC, HEAD, FrameClass, cobs_decode, cobs_encode
from firmware_bridge.wire import Message

LONGEST = HEAD + MAX_PAYLOAD + CRC + 1
KINDS = {"command": FrameClass.COMMAND, "response": FrameClass.RESPONSE}


def encode_boot(message: Message, seq: int) -> bytes:
    """Return a frame between two delimiters, so that no rubbish before it can swallow it."""
    body = bytes([PROTOCOL_VERSION << 4 | KINDS[message.KIND], seq, 0, message.CODE]) + message.pack()
    body += zlib.crc32(body, LAYOUT_HASH).to_bytes(CRC, "little")
    return b"\0" + cobs_encode(body) + b"\0"


class BootDecoder:
    """Turns whatever bytes came into (seq, answer of the bootloader); all else is dropped."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[tuple[int, Message]]:
        """Return the answers completed by `data`, in order."""
        found = []
        *ended, rest = data.split(b"\0")
        for part in ended:
            text = bytes(self._buffer + part)
            self._buffer.clear()
            answer = _parse(text) if 0 < len(text) <= LONGEST else None
            if answer is not None:
                found.append(answer)
        if len(self._buffer) <= LONGEST:
            self._buffer += rest
        return found


def _parse(text: bytes) -> tuple[int, Message] | None:
    body = cobs_decode(text)
    if body is None or len(body) < HEAD + CRC:
        return None
    if zlib.crc32(body[:-CRC], LAYOUT_HASH) != int.from_bytes(body[-CRC:], "little"):
        return None
    known = MESSAGES.get(body[3])
    payload = body[HEAD:-CRC]
    if (
        body[0] != PROTOCOL_VERSION << 4 | FrameClass.RESPONSE
        or known is None
        or len(payload) != known.LENGTH
    ):
        return None
    return body[1], known.unpack(payload)
