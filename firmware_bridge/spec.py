"""Reads protocol.toml into values; the layout hash is made from what matters on the wire."""

from __future__ import annotations

import tomllib
import zlib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal

Kind = Literal["command", "response", "event", "note"]
KINDS: tuple[Kind, ...] = ("command", "response", "event", "note")
VERSION_MAX = 15
"""The version travels in half a byte."""
EVENT_MAX = 8
"""Events are kept on the board until acknowledged: 32 of them, in little memory."""
SIZES = {"u8": 1, "u16": 2, "u32": 4, "bool": 1}


class SpecError(ValueError):
    """protocol.toml contradicts itself; the text says where."""


@dataclass(frozen=True, slots=True)
class EnumSpec:
    """Names of the values of one byte."""

    name: str
    text: str
    values: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field: `type` is u8, u16, u32, bool or the name of an enum; `default` is a help for Python only."""

    name: str
    type: str
    default: int | None = None

    @property
    def size(self) -> int:
        """Return the length in bytes."""
        return SIZES.get(self.type, 1)


@dataclass(frozen=True, slots=True)
class MessageSpec:
    """One message; `open` = its CRC is seeded with 0, it may grow at its end and has `least` bytes."""

    name: str
    code: int
    kind: Kind
    text: str
    open: bool
    answer: str | None
    fields: tuple[FieldSpec, ...]
    least: int
    since: int = 1

    @property
    def length(self) -> int:
        """Return the length of the payload of this version."""
        return sum(each.size for each in self.fields)


@dataclass(frozen=True, slots=True)
class Spec:
    """The whole protocol."""

    name: str
    version: int
    baud: int
    baud_fallback: int
    max_payload: int
    enums: tuple[EnumSpec, ...]
    messages: tuple[MessageSpec, ...]

    @property
    def layout_hash(self) -> int:
        """Return the CRC-32 of every name, number, type and order, texts left out; never 0."""
        lines = [f"{self.name} {self.version}"]
        lines += [
            f"enum {e.name} " + " ".join(f"{name}={value}" for name, value in e.values) for e in self.enums
        ]
        for m in self.messages:
            fields = " ".join(f"{f.name}:{f.type}" for f in m.fields)
            kept = f"{int(m.open)} {m.answer or '-'} {m.least} {m.since}"
            lines.append(f"message {m.name} {m.code} {m.kind} {kept} {fields}")
        return zlib.crc32("\n".join(lines).encode()) or 1


def load_spec(text: str | None = None) -> Spec:
    """Parse and check the description (the packaged protocol.toml unless `text` is given).

    Raises:
        SpecError: on double codes, unknown types or a payload that is too long.
    """
    data = tomllib.loads(
        text if text is not None else files("firmware_bridge").joinpath("protocol.toml").read_text("utf-8")
    )
    enums = tuple(
        EnumSpec(name, row["text"], tuple(row["values"].items())) for name, row in data["enums"].items()
    )
    messages = tuple(_message(row) for row in data["messages"])
    spec = Spec(
        **{key: data["protocol"][key] for key in ("name", "version", "baud", "baud_fallback", "max_payload")},
        enums=enums,
        messages=messages,
    )
    _check(spec)
    return spec


def load_boot_spec() -> Spec:
    """Return the description of what the bootloader speaks, which never changes."""
    return load_spec(files("firmware_bridge").joinpath("boot.toml").read_text("utf-8"))


def _message(row: dict[str, Any]) -> MessageSpec:
    fields = tuple(FieldSpec(*each) for each in row["fields"])
    return MessageSpec(
        row["name"],
        row["code"],
        row["kind"],
        row["text"],
        row.get("open", False),
        row.get("answer", "Ack") if row["kind"] == "command" else None,
        fields,
        row.get("least", sum(each.size for each in fields)),
        row.get("since", 1),
    )


def load_layouts(text: str | None = None) -> dict[int, int]:
    """Return the layout hash of every version that there ever was (the packaged layouts.txt unless given).

    Raises:
        SpecError: if a version has two layouts, or two versions have the same.
    """
    if text is None:
        text = files("firmware_bridge").joinpath("layouts.txt").read_text("utf-8")
    rows = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    layouts = {int(version): int(layout, 16) for version, layout in rows}
    if len(layouts) != len(rows) or len(set(layouts.values())) != len(rows):
        raise SpecError("layouts.txt: two rows share a version or a layout")
    return layouts


def check_layout(spec: Spec, layouts: dict[int, int]) -> None:
    """Do nothing if the description may go by its version.

    Raises:
        SpecError: if its layout is not the one of its version, or its version is not the newest.
    """
    known = layouts.get(spec.version)
    if known != spec.layout_hash:
        was = "unknown" if known is None else f"{known:08X}"
        raise SpecError(
            f"layout {spec.layout_hash:08X} is not that of version {spec.version} ({was}): raise `version` "
            "in protocol.toml and run python -m firmware_bridge.generate"
        )
    if spec.version != max(layouts):
        raise SpecError(f"version {spec.version} is older than {max(layouts)} in layouts.txt")


def _check(spec: Spec) -> None:
    types = {*SIZES, *(e.name for e in spec.enums)}
    names = {m.name for m in spec.messages}
    if len({m.code for m in spec.messages}) != len(spec.messages) or len(names) != len(spec.messages):
        raise SpecError("two messages share a code or a name")
    if not 1 <= spec.version <= VERSION_MAX:
        raise SpecError(f"version {spec.version} is not 1 to {VERSION_MAX}")
    for m in spec.messages:
        if m.kind not in KINDS:
            raise SpecError(f"{m.name}: no kind {m.kind}")
        if m.length > spec.max_payload:
            raise SpecError(f"{m.name}: {m.length} bytes are more than {spec.max_payload}")
        if not (m.least == m.length or (m.open and m.least < m.length)):
            raise SpecError(f"{m.name}: only an open message may come shorter, and none longer")
        if m.kind == "event" and m.length > EVENT_MAX:
            raise SpecError(f"{m.name}: an event has at most {EVENT_MAX} bytes")
        if m.answer is not None and m.answer not in names:
            raise SpecError(f"{m.name}: no answer {m.answer}")
        for each in m.fields:
            if each.type not in types:
                raise SpecError(f"{m.name}.{each.name}: no type {each.type}")
