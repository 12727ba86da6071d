"""What an ONNX file says about itself, read without a network runtime.

Both runtimes can run a model, only one of them hands out its metadata. The few fields wanted stand at fixed
numbers of the protobuf message `ModelProto`, so a walk over the outermost fields is enough.

Source: onnx/onnx.proto (ModelProto 7 graph, 14 metadata_props; GraphProto 12 output; ValueInfoProto 1 name;
StringStringEntryProto 1 key, 2 value) and the protobuf encoding guide.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

_GRAPH, _METADATA, _OUTPUT, _NAME, _KEY, _VALUE = 7, 14, 12, 1, 1, 2
_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5


@dataclass(frozen=True, slots=True)
class OnnxFacts:
    """Names of a model's outputs in their order, and its metadata."""

    outputs: tuple[str, ...]
    metadata: dict[str, str] = field(default_factory=dict)


def facts_of(content: bytes) -> OnnxFacts:
    """Return what the bytes of a model file say.

    Raises:
        ValueError: if they are no ONNX model.
    """
    outputs: list[str] = []
    metadata: dict[str, str] = {}
    for number, value in _fields(memoryview(content)):
        if number == _GRAPH:
            outputs += [_text(output, _NAME) for at, output in _fields(value) if at == _OUTPUT]
        elif number == _METADATA:
            metadata[_text(value, _KEY)] = _text(value, _VALUE)
    if not outputs:
        raise ValueError("no ONNX model: it has no outputs")
    return OnnxFacts(tuple(outputs), metadata)


def _text(message: memoryview, wanted: int) -> str:
    return next((bytes(value).decode() for number, value in _fields(message) if number == wanted), "")


def _fields(message: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Yield the fields of a message that are bytes, text or messages, in order, with their numbers."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        kind = key & 7
        if kind == _VARINT:
            _, at = _varint(message, at)
        elif kind == _BYTES:
            size, at = _varint(message, at)
            if at + size > len(message):
                raise ValueError("no ONNX model: cut off")
            yield key >> 3, message[at : at + size]
            at += size
        elif kind in (_EIGHT_BYTES, _FOUR_BYTES):
            at += 8 if kind == _EIGHT_BYTES else 4
        else:
            raise ValueError("no ONNX model: an unknown kind of field")


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    """Return the number at a place and where the next field begins."""
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(message):
            break
        value |= (message[at] & 0x7F) << shift
        at += 1
        if message[at - 1] < 0x80:
            return value, at
    raise ValueError("no ONNX model: cut off")
