"""What went over the wire: a ring of the last minute, kept as a text of one JSON object a line.

The first line says who made it, each other one is `[milliseconds, ">" to the board or "<" from it, bytes as
hex]`: the bytes as they were, damaged ones too, so that a replay sees what was seen.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from firmware_bridge.errors import BadRecording
from firmware_bridge.frames import RAW_STOP, Frame, FrameDecoder
from firmware_bridge.messages import LAYOUT_HASH, PROTOCOL_VERSION

Way = Literal[">", "<"]
SPAN_MS = 60_000
BYTES_MAX = 512 * 1024
"""A minute of talk is about 60 KB; a wire that floods us for a minute would be 3 MB."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes that were written or came together."""

    at_ms: int
    way: Way
    data: bytes


@dataclass(frozen=True, slots=True)
class Recording:
    """A piece of a conversation; `about` is whatever its maker wants to say of it."""

    chunks: tuple[Chunk, ...]
    about: Mapping[str, Any] = field(default_factory=dict)
    version: int = PROTOCOL_VERSION
    layout: int = LAYOUT_HASH

    def text(self) -> str:
        """Return the recording as text."""
        head = {"tablelink": self.version, "layout": f"{self.layout:08X}", **self.about}
        rows = [json.dumps(head, ensure_ascii=False)]
        rows += [json.dumps([chunk.at_ms, chunk.way, chunk.data.hex()]) for chunk in self.chunks]
        return "\n".join([*rows, ""])


def parse_recording(text: str) -> Recording:
    """Return the recording of a text.

    Raises:
        BadRecording: naming the line that makes no sense.
    """
    first, *rest = text.removesuffix("\n").split("\n")  # splitlines would cut a value at U+0085, too
    try:
        about = dict(json.loads(first))
        version, layout = int(about.pop("tablelink")), int(about.pop("layout"), 16)
    except (ValueError, TypeError, KeyError) as error:
        raise BadRecording(f"line 1 is not the first of a recording: {error}") from error
    chunks = tuple(_chunk(number, line) for number, line in enumerate(rest, start=2))
    return Recording(chunks, about, version, layout)


def _chunk(number: int, line: str) -> Chunk:
    try:
        at_ms, way, data = json.loads(line)
        if way not in (">", "<"):
            raise ValueError(f"no way {way!r}")
        return Chunk(int(at_ms), way, bytes.fromhex(data))
    except (ValueError, TypeError) as error:
        raise BadRecording(f"line {number} is not one of a recording: {error}") from error


class Recorder:
    """Keeps the last minute of both directions."""

    def __init__(self, span_ms: int = SPAN_MS, bytes_max: int = BYTES_MAX) -> None:
        self._span_ms = span_ms
        self._bytes_max = bytes_max
        self._chunks: deque[Chunk] = deque()
        self._bytes = 0

    def note(self, way: Way, data: bytes, now_ms: int) -> None:
        """Keep bytes that were written or that came."""
        if not data:
            return
        self._chunks.append(Chunk(now_ms, way, data))
        self._bytes += len(data)
        while self._chunks[0].at_ms < now_ms - self._span_ms or self._bytes > self._bytes_max:
            self._bytes -= len(self._chunks.popleft().data)
            if not self._chunks:
                return

    def recording(self, **about: Any) -> Recording:
        """Return what is kept now."""
        return Recording(tuple(self._chunks), about)


def frames_of(recording: Recording, way: Way) -> Iterator[tuple[int, Frame]]:
    """Yield the good frames of one direction with the time at which each was complete."""
    decoder = FrameDecoder(layout=recording.layout)
    for chunk in recording.chunks:
        if chunk.way == way:
            for frame in decoder.feed(chunk.data):
                yield chunk.at_ms, frame


def explain(recording: Recording) -> Iterator[str]:
    """Yield a line for each frame, raw stop and piece of rubbish, in order of time, for people."""
    decoders = {way: FrameDecoder(layout=recording.layout) for way in (">", "<")}
    begun = recording.chunks[0].at_ms if recording.chunks else 0
    for chunk in recording.chunks:
        decoder = decoders[chunk.way]
        head = f"{(chunk.at_ms - begun) / 1000:9.3f} {chunk.way}"
        bad = decoder.cobs_errors + decoder.crc_errors + decoder.length_errors + decoder.unknown
        if RAW_STOP in chunk.data:
            yield f"{head} raw stop"
        for frame in decoder.feed(chunk.data.replace(RAW_STOP, b"\0")):
            what = f"{frame.code:02X}" if frame.message is None else str(frame.message)
            yield f"{head} {frame.kind.name.lower():9} {frame.seq:3} {what}"
        bad = decoder.cobs_errors + decoder.crc_errors + decoder.length_errors + decoder.unknown - bad
        if bad:
            yield f"{head} {bad} bad"
