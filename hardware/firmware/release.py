"""What leaves the house: the program's bytes and version, and an Intel HEX file for the first flashing."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hardware.firmware import build, flash_map

ROW = 16
RECORD_DATA, RECORD_END, RECORD_SEGMENT = 0, 1, 4


@dataclass(frozen=True, slots=True)
class Program:
    """The compiled program: its bytes from address 0 on, its version, and the hash of its sources."""

    data: bytes
    version: tuple[int, int, int]
    source: str


def program() -> Program:
    """Return the program, compiled if its sources changed.

    Raises:
        BuildError: as `build_firmware`.
    """
    return Program(build.flash_bytes(build.build_firmware()), version(), build.source_hash())


def version(text: str | None = None) -> tuple[int, int, int]:
    """Return the version in core/version.h (or in `text`)."""
    if text is None:
        path = next(path for path in build.firmware_sources() if path.name == "version.h")
        text = path.read_text("utf-8")
    major, minor, patch = (
        int(re.findall(rf"#define FIRMWARE_{part} (\d+)u", text)[0]) for part in ("MAJOR", "MINOR", "PATCH")
    )
    return major, minor, patch


def record(head: bytes) -> bytes:
    """Return what the bootloader wants to find behind a program, so that it starts it.

    Args:
        head: the payload of Begin in boot.toml, which describes the program.
    """
    return head + zlib.crc32(head, flash_map.RECORD_SEED).to_bytes(4, "little")


def intel_hex(parts: Mapping[int, bytes]) -> str:
    """Return an Intel HEX file of these bytes at these addresses."""
    lines = []
    upper = None
    for at, row in _rows(parts):
        if at >> 16 != upper:
            upper = at >> 16
            lines.append(_line(0, RECORD_SEGMENT, upper.to_bytes(2, "big")))
        lines.append(_line(at & 0xFFFF, RECORD_DATA, row))
    return "\n".join([*lines, _line(0, RECORD_END, b""), ""])


def _rows(parts: Mapping[int, bytes]) -> Iterator[tuple[int, bytes]]:
    for start, data in sorted(parts.items()):
        for at in range(0, len(data), ROW):
            yield start + at, data[at : at + ROW]


def _line(at: int, kind: int, data: bytes) -> str:
    row = bytes([len(data), at >> 8, at & 0xFF, kind]) + data
    return f":{row.hex()}{-sum(row) & 0xFF:02x}".upper()


def first_flash(head: bytes, data: bytes) -> str:
    """Return program, record and bootloader as one Intel HEX file.

    Args:
        head: the payload of Begin in boot.toml; data: the program.
    """
    boot = build.flash_bytes(build.build_bootloader())
    return intel_hex(
        {flash_map.PROGRAM_AT: data, flash_map.PROGRAM_RECORD_AT: record(head), flash_map.BOOT_AT: boot}
    )
