"""Writes messages.py, docs/protocol.md and the firmware's C header from protocol.toml; boot.toml likewise.

`python -m firmware_bridge.generate [--check]` in a checkout; `--c FILE` is used by the firmware build, with
`--of boot.toml` by that of the bootloader.
A version is one layout for ever (layouts.txt): another layout is refused until its version is raised.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from firmware_bridge.spec import (
    EVENT_MAX,
    SIZES,
    FieldSpec,
    MessageSpec,
    Spec,
    SpecError,
    check_layout,
    load_boot_spec,
    load_layouts,
    load_spec,
)

FORMATS = {"u8": "B", "u16": "H", "u32": "I", "bool": "B"}
C_TYPES = {"u8": "uint8_t", "u16": "uint16_t", "u32": "uint32_t", "bool": "uint8_t"}
HERE = Path(__file__).resolve().parent
BY = "Generated from {} by `python -m firmware_bridge.generate`; do not edit."
MAIN, BOOT = "protocol.toml", "boot.toml"


def camel(name: str) -> str:
    """Return an enum's Python name: reset_cause -> ResetCause."""
    return "".join(part.capitalize() for part in name.split("_"))


def snake(name: str) -> str:
    """Return a message's C name: GetStatus -> get_status."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _python_type(each: FieldSpec) -> str:
    if each.type == "bool":
        return "bool"
    return "int" if each.type in SIZES else camel(each.type)


def _default(each: FieldSpec, spec: Spec) -> str:
    if each.default is None:
        return ""
    for enum in spec.enums:
        if enum.name == each.type:
            name = {value: name for name, value in enum.values}[each.default]
            return f" = {_python_type(each)}.{name}"
    return f" = {each.default}"


def _python_message(m: MessageSpec, spec: Spec) -> list[str]:
    codes = {other.name: other.code for other in spec.messages}
    types = "".join(f"{_python_type(each)}, " for each in m.fields)
    answer = f"0x{codes[m.answer]:02X}" if m.answer else "None"
    lines = [
        "@dataclass(frozen=True, slots=True)",
        f"class {m.name}(Message):",
        f'    """{m.text}"""',
        "",
        f"    CODE: ClassVar[int] = 0x{m.code:02X}",
        f'    KIND: ClassVar[Kind] = "{m.kind}"',
        f"    OPEN: ClassVar[bool] = {m.open}",
        f"    LENGTH: ClassVar[int] = {m.length}",
        f"    LEAST: ClassVar[int] = {m.least}",
        f"    SINCE: ClassVar[int] = {m.since}",
        f"    ANSWER: ClassVar[int | None] = {answer}",
        f'    STRUCT: ClassVar[Struct] = Struct("<{"".join(FORMATS.get(f.type, "B") for f in m.fields)}")',
        f"    TYPES: ClassVar[tuple[type[int], ...]] = ({types.strip()})",
    ]
    if m.fields:
        lines += ["", *(f"    {each.name}: {_python_type(each)}{_default(each, spec)}" for each in m.fields)]
    return lines


def python_text(spec: Spec, source: str = MAIN) -> str:
    """Return the text of messages.py (of boot_messages.py from boot.toml)."""
    lines = [
        f'"""Messages of {spec.name}, one frozen dataclass each.', "", BY.format(source), '"""', "",
        "# ruff: noqa: E501", "# fmt: off",
        "from __future__ import annotations", "",
        "from dataclasses import dataclass",
        "from struct import Struct",
        "from typing import ClassVar", "",
        "from firmware_bridge.wire import Kind, Message, WireEnum", "",
        f"PROTOCOL_VERSION = {spec.version}",
        f"LAYOUT_HASH = 0x{spec.layout_hash:08X}",
        f"BAUD = {spec.baud}",
        f"BAUD_FALLBACK = {spec.baud_fallback}",
        f"MAX_PAYLOAD = {spec.max_payload}",
    ]  # fmt: skip
    for enum in spec.enums:
        lines += ["", "", f"class {camel(enum.name)}(WireEnum):"]
        lines += [f'    """{enum.text[0].upper()}{enum.text[1:]}."""', ""]
        lines += [f"    {name} = {value}" for name, value in enum.values]
    for message in spec.messages:
        lines += ["", "", *_python_message(message, spec)]
    lines += ["", "", "MESSAGES: dict[int, type[Message]] = {"]
    lines += [f"    0x{m.code:02X}: {m.name}," for m in spec.messages]
    return "\n".join([*lines, "}", ""])


def _c_message(m: MessageSpec, length: int) -> list[str]:
    name = snake(m.name)
    lines = [
        "",
        f"/* {m.text} */",
        f"#define MSG_{name.upper()} 0x{m.code:02X}u",
        f"#define LEN_{name.upper()} {length}u",
    ]
    if not m.fields:
        return lines
    lines += [
        "typedef struct {",
        *(f"    {C_TYPES.get(f.type, 'uint8_t')} {f.name};" for f in m.fields),
        f"}} {name}_t;",
    ]
    full = sum(each.size for each in m.fields)
    lines.append(f"static inline uint8_t pack_{name}(const {name}_t *m, uint8_t *to) {{")
    lines += [
        "#if defined(__AVR__) /* fields lie as on the wire: low byte first, no gaps; half the code */",
        f'    _Static_assert(sizeof *m == {full}u, "a gap in {name}_t");',
        f"    memcpy(to, m, {length}u);",
        "#else",
    ]
    at = 0
    for each in m.fields:
        for byte in range(each.size):
            shift = f" >> {8 * byte}" if byte else ""
            if at < length:
                lines.append(f"    to[{at}] = (uint8_t)(m->{each.name}{shift});")
            at += 1
    lines += ["#endif", f"    return {length}u;", "}"]
    lines.append(f"static inline void unpack_{name}(const uint8_t *from, {name}_t *m) {{")
    lines += ["#if defined(__AVR__)", f"    memcpy(m, from, {full}u);", "#else"]
    at = 0
    for each in m.fields:
        c_type = C_TYPES.get(each.type, "uint8_t")
        parts = [f"({c_type})from[{at + b}]" + (f" << {8 * b}" if b else "") for b in range(each.size)]
        lines.append(f"    m->{each.name} = ({c_type})({' | '.join(parts)});")
        at += each.size
    return [*lines, "#endif", "}"]


FIRST_NOTE = 0xC0
NO_LENGTH = 0xFF


def c_text(spec: Spec, source: str = MAIN, version: int | None = None) -> str:
    """Return the text of protocol.h (boot_protocol.h): enums, codes, exact lengths, pack and unpack.

    Args:
        version: what an older board has of today's protocol, to show how a host treats it: its number and
            layout, open messages at their least length, nothing younger.
    """
    version = spec.version if version is None else version
    layout = spec.layout_hash if version == spec.version else load_layouts()[version]
    known = [m for m in spec.messages if m.since <= version]
    lengths = {m.name: m.length if version == spec.version or not m.open else m.least for m in spec.messages}
    lines = [
        f"/* {BY.format(source)} */",
        "#ifndef PROTOCOL_H", "#define PROTOCOL_H", "", "#include <stdint.h>", "#include <string.h>", "",
        f"#define PROTOCOL_VERSION {version}u",
        f"#define PROTOCOL_LAYOUT 0x{layout:08X}ul",
        f"#define PROTOCOL_BAUD {spec.baud}ul",
        f"#define PROTOCOL_BAUD_FALLBACK {spec.baud_fallback}ul",
        f"#define PROTOCOL_MAX_PAYLOAD {spec.max_payload}u",
        f"#define PROTOCOL_EVENT_MAX {EVENT_MAX}u", "",
    ]  # fmt: skip
    for enum in spec.enums:
        rows = ", ".join(f"{enum.name.upper()}_{name.upper()} = {value}" for name, value in enum.values)
        lines.append(f"enum {enum.name} {{ {rows} }};")
    for message in spec.messages:
        lines += _c_message(message, lengths[message.name])
    lines += _c_tables(known, lengths) if source == MAIN else _c_switches(known, lengths)
    return "\n".join([*lines, "", "#endif", ""])


def _c_switches(known: list[MessageSpec], lengths: dict[str, int]) -> list[str]:
    """Return what a program asks about a code, for few codes."""
    host = [m for m in known if m.kind in ("command", "note")]
    return [
        "",
        "static inline uint8_t host_message_length(uint8_t code) {",
        "    switch (code) {",
        *(f"    case 0x{m.code:02X}u: return {lengths[m.name]}u;" for m in host),
        f"    default: return {NO_LENGTH}u;",
        "    }",
        "}",
        "static inline uint8_t message_is_open(uint8_t code) {",
        "    switch (code) {",
        *(f"    case 0x{m.code:02X}u:" for m in known if m.open),
        "        return 1u;",
        "    default:",
        "        return 0u;",
        "    }",
        "}",
    ]


def _c_tables(known: list[MessageSpec], lengths: dict[str, int]) -> list[str]:
    """Return the same as tables, which take a third of the room."""
    host = {m.code: lengths[m.name] for m in known if m.kind in ("command", "note")}
    low = [host.get(code, NO_LENGTH) for code in range(max(code for code in host if code < FIRST_NOTE) + 1)]
    notes = [code for code in host if code >= FIRST_NOTE]
    bits = bytearray(max(m.code for m in known) // 8 + 1)
    for m in known:
        bits[m.code // 8] |= m.open << m.code % 8
    opened = bytes(bits).rstrip(b"\0")
    assert all(host[code] == 0 for code in notes), "a note with a payload wants a table of its own"
    return [
        "",
        "/* Exact payload length of a message from the host, 0xFF = no such message. */",
        "static inline uint8_t host_message_length(uint8_t code) {",
        f"    static const uint8_t lengths[] = {{{', '.join(map(str, low))}}};",
        "    if (code < sizeof lengths) {",
        "        return lengths[code];",
        "    }",
        f"    return {' || '.join(f'code == 0x{code:02X}u' for code in notes) or '0'} ? 0u : {NO_LENGTH}u;",
        "}",
        "",
        "/* Is the CRC of this message seeded with 0? */",
        "static inline uint8_t message_is_open(uint8_t code) {",
        f"    static const uint8_t bits[] = {{{', '.join(f'0x{each:02X}' for each in opened)}}};",
        "    return code / 8u < sizeof bits && (bits[code / 8u] >> (code & 7u) & 1u);",
        "}",
    ]


def docs_text(spec: Spec) -> str:
    """Return the text of docs/protocol.md."""
    lines = [
        f"# {spec.name} v{spec.version}: host and controller board", "", f"<!-- {BY.format(MAIN)} -->", "",
        f"Serial, {spec.baud} 8N1, or {spec.baud_fallback}: the board follows the host once it heard nothing "
        f"but rubbish for 1.5 s. Layout hash `{spec.layout_hash:08X}`.", "",
        "Frame = COBS( `version<<4 | kind`, `seq`, `boot_id`, `code`, payload, CRC-32 little-endian ) then "
        "`00`; repeats begin with another `00`. Kinds: 1 command, 2 response, 3 event, 4 event acknowledged "
        "(no payload, seq and code of the event), 5 note. CRC-32 (IEEE) over all bytes before it, "
        "seeded with the layout hash, with 0 for messages marked *open*: those only ever grow at their end, "
        "and a reader takes what it knows. Raw stop, in any state: `00 18 18 18 00`.", "",
    ]  # fmt: skip
    titles = {
        "command": "Commands (host to board, answered, repeated, acted on once)",
        "response": "Responses (board to host)",
        "event": "Events (board to host, kept until acknowledged; the board's clock follows, u32 ms)",
        "note": "Notes (no answer)",
    }
    for kind, title in titles.items():
        lines += [
            f"## {title}",
            "",
            "| code | name | open | bytes | fields | meaning |",
            "|---|---|---|---|---|---|",
        ]
        for m in spec.messages:
            if m.kind == kind:
                fields = ", ".join(f"{f.name}: {f.type}" for f in m.fields) or "-"
                text = m.text if m.answer in (None, "Ack") else f"{m.text} Answer: {m.answer}."
                lines.append(
                    f"| `{m.code:02X}` | {m.name} | {'yes' if m.open else ''} | {m.length} | {fields} "
                    f"| {text} |"
                )
        lines.append("")
    lines += ["## Enums", "", "| name | meaning | values |", "|---|---|---|"]
    for enum in spec.enums:
        lines.append(
            f"| {enum.name} | {enum.text} | {', '.join(f'{value} {name}' for name, value in enum.values)} |"
        )
    return "\n".join([*lines, ""])


def targets(spec: Spec) -> dict[Path, str]:
    """Return the committed files and what they must contain."""
    return {
        HERE / "messages.py": python_text(spec),
        HERE / "boot_messages.py": python_text(load_boot_spec(), BOOT),
        HERE.parent / "docs" / "protocol.md": docs_text(spec),
    }


def _note_layout(spec: Spec, *, write: bool) -> None:
    layouts = load_layouts()
    if write and spec.version not in layouts:
        layouts[spec.version] = spec.layout_hash
        with (HERE / "layouts.txt").open("a", encoding="utf-8") as rows:
            rows.write(f"{spec.version} {spec.layout_hash:08X}\n")
    check_layout(spec, layouts)


def main(arguments: list[str] | None = None) -> int:
    """Write or check; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m firmware_bridge.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only tell whether the files are up to date")
    parser.add_argument("--c", type=Path, metavar="FILE", help="write the C header only")
    parser.add_argument("--of", choices=(MAIN, BOOT), default=MAIN, help="for --c: which description")
    parser.add_argument(
        "--as", dest="version", type=int, metavar="N", help="for --c: as an older version had it"
    )
    options = parser.parse_args(arguments)
    spec = load_spec()
    if options.c:
        described = spec if options.of == MAIN else load_boot_spec()
        options.c.write_text(c_text(described, options.of, options.version), "utf-8")
        return 0
    try:
        _note_layout(spec, write=not options.check)
    except SpecError as error:
        print(error, file=sys.stderr)
        return 1
    stale = [
        path for path, text in targets(spec).items() if not path.exists() or path.read_text("utf-8") != text
    ]
    for path in stale:
        if options.check:
            print(f"differs from its description: {path.name}", file=sys.stderr)
        else:
            path.write_text(targets(spec)[path], "utf-8")
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
