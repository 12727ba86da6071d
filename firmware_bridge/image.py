"""An image file: what `firmware build` writes and `firmware flash` sends. No I/O here.

4D 4A 54 46 ("MJTF"), Begin of boot.toml (format, board, version, source, layout, size, CRC-32 of the
program), CRC-32 of all before (little-endian), then the program, `size` bytes.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Self

from firmware_bridge.boot_messages import Begin, BootBoard
from firmware_bridge.errors import BadImage

MAGIC = b"MJTF"
FORMAT = 1
PAGE = 256
BLOCK = 64
HEAD = len(MAGIC) + Begin.LENGTH + 4


@dataclass(frozen=True, slots=True)
class Image:
    """A program and what it says of itself; both agree."""

    head: Begin
    program: bytes

    @classmethod
    def of(
        cls, program: bytes, *, board: BootBoard, version: tuple[int, int, int], source: int, layout: int
    ) -> Self:
        """Return the image of a program.

        Args:
            source: first 8 hex digits of the hash of the sources.
            layout: layout hash of the protocol that it speaks.
        """
        crc = zlib.crc32(program)
        return cls(Begin(FORMAT, board, *version, source, layout, len(program), crc), program)

    @property
    def version(self) -> str:
        """Return the version as people write it.

        >>> Image.of(b"1", board=BootBoard.atmega2560, version=(1, 2, 3), source=0, layout=0).version
        '1.2.3'
        """
        return f"{self.head.firmware_major}.{self.head.firmware_minor}.{self.head.firmware_patch}"

    def pack(self) -> bytes:
        """Return the bytes of the file."""
        head = MAGIC + self.head.pack()
        return head + zlib.crc32(head).to_bytes(4, "little") + self.program

    @classmethod
    def parse(cls, data: bytes) -> Self:
        """Return the image in a file's bytes.

        Raises:
            BadImage: if it is none, or damaged in any byte.
        """
        if not data.startswith(MAGIC):
            raise BadImage("不是固件映像", "this is no firmware image")
        end = HEAD - 4
        if len(data) < HEAD or zlib.crc32(data[:end]) != int.from_bytes(data[end:HEAD], "little"):
            raise BadImage("固件映像的头部损坏", "the head of the firmware image is damaged")
        head = Begin.unpack(data[len(MAGIC) : end])
        if head.format != FORMAT:
            raise BadImage(
                f"固件映像是第 {head.format} 版格式，本程序只懂第 {FORMAT} 版：升级本程序",
                f"the image has format {head.format} and this program knows {FORMAT}: update this program",
            )
        program = data[HEAD:]
        if len(program) != head.size:
            raise BadImage(
                f"固件映像应有 {head.size} 字节程序，却有 {len(program)} 字节",
                f"the image should hold {head.size} bytes of program and holds {len(program)}",
            )
        if zlib.crc32(program) != head.crc:
            raise BadImage("固件映像损坏（CRC 不符）", "the firmware image is damaged (its CRC is wrong)")
        return cls(head, program)

    @property
    def pages(self) -> int:
        """Return how many pages of flash the program takes."""
        return -(-len(self.program) // PAGE)

    def page(self, number: int) -> bytes:
        """Return a page as it lies in flash, FF behind the end."""
        return self.program[number * PAGE : (number + 1) * PAGE].ljust(PAGE, b"\xff")

    def blocks_of(self, number: int) -> list[tuple[int, bytes]]:
        """Return (index, bytes) of the blocks of a page that hold program."""
        data = self.page(number)
        first = number * (PAGE // BLOCK)
        held = min(PAGE, len(self.program) - number * PAGE)
        return [(first + at // BLOCK, data[at : at + BLOCK]) for at in range(0, held, BLOCK)]
