"""Messages of BootLink, one frozen dataclass each.

Generated from boot.toml by `python -m firmware_bridge.generate`; do not edit.
"""

# ruff: noqa: E501
# fmt: off
from __future__ import annotations

from dataclasses import dataclass
from struct import Struct
from typing import ClassVar

from firmware_bridge.wire import Kind, Message, WireEnum

PROTOCOL_VERSION = 1
LAYOUT_HASH = 0x9807F9F9
BAUD = 250000
BAUD_FALLBACK = 115200
MAX_PAYLOAD = 80


class BootBoard(WireEnum):
    """The chip and the pin map it is wired by."""

    host = 0
    atmega2560 = 1


class Stay(WireEnum):
    """Why the bootloader is there."""

    listening = 0
    asked = 1
    no_program = 2
    copy_failed = 3


class Verdict(WireEnum):
    """What became of a command."""

    ok = 0
    bad_value = 1
    wrong_board = 2
    too_large = 3
    not_begun = 4
    damaged = 5
    memory = 6
    unknown = 7


@dataclass(frozen=True, slots=True)
class Who(Message):
    """Are you the bootloader? It stays for 30 s after each command."""

    CODE: ClassVar[int] = 0x01
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 0
    LEAST: ClassVar[int] = 0
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = 0x41
    STRUCT: ClassVar[Struct] = Struct("<")
    TYPES: ClassVar[tuple[type[int], ...]] = ()


@dataclass(frozen=True, slots=True)
class Begin(Message):
    """A program for this board follows; what waited to be copied before is forgotten, the running program stays. Also the head of an image file and the record of a program in flash: size in bytes, crc = CRC-32 of the program."""

    CODE: ClassVar[int] = 0x02
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 21
    LEAST: ClassVar[int] = 21
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = 0x42
    STRUCT: ClassVar[Struct] = Struct("<BBBBBIIII")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, BootBoard, int, int, int, int, int, int, int,)

    format: int
    board: BootBoard
    firmware_major: int
    firmware_minor: int
    firmware_patch: int
    source: int
    layout: int
    size: int
    crc: int


@dataclass(frozen=True, slots=True)
class Block(Message):
    """64 bytes of the program, as 16 words; a page of 256 is written when its four blocks are there. Behind the end: FF."""

    CODE: ClassVar[int] = 0x03
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 66
    LEAST: ClassVar[int] = 66
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = 0x42
    STRUCT: ClassVar[Struct] = Struct("<HIIIIIIIIIIIIIIII")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int,)

    index: int
    word_0: int
    word_1: int
    word_2: int
    word_3: int
    word_4: int
    word_5: int
    word_6: int
    word_7: int
    word_8: int
    word_9: int
    word_10: int
    word_11: int
    word_12: int
    word_13: int
    word_14: int
    word_15: int


@dataclass(frozen=True, slots=True)
class Pages(Message):
    """What lies in eight pages of the waiting room, from this one on: pages that are right need not be sent again."""

    CODE: ClassVar[int] = 0x04
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 2
    LEAST: ClassVar[int] = 2
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = 0x43
    STRUCT: ClassVar[Struct] = Struct("<H")
    TYPES: ClassVar[tuple[type[int], ...]] = (int,)

    first: int


@dataclass(frozen=True, slots=True)
class Finish(Message):
    """All is sent: check it, and from now on it is what shall run (detail = the CRC-32 that was found)."""

    CODE: ClassVar[int] = 0x05
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 0
    LEAST: ClassVar[int] = 0
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = 0x42
    STRUCT: ClassVar[Struct] = Struct("<")
    TYPES: ClassVar[tuple[type[int], ...]] = ()


@dataclass(frozen=True, slots=True)
class Run(Message):
    """Leave: copy what waits, then start the program if its CRC is right. Without one the bootloader stays."""

    CODE: ClassVar[int] = 0x06
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 0
    LEAST: ClassVar[int] = 0
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = 0x42
    STRUCT: ClassVar[Struct] = Struct("<")
    TYPES: ClassVar[tuple[type[int], ...]] = ()


@dataclass(frozen=True, slots=True)
class Here(Message):
    """The bootloader, the chip, the room for a program, why it is there, and the program that would be started."""

    CODE: ClassVar[int] = 0x41
    KIND: ClassVar[Kind] = "response"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 23
    LEAST: ClassVar[int] = 23
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<BBIBBBBBIII")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, BootBoard, int, Stay, bool, int, int, int, int, int, int,)

    bootloader: int
    board: BootBoard
    room: int
    stay: Stay
    valid: bool
    firmware_major: int
    firmware_minor: int
    firmware_patch: int
    source: int
    size: int
    crc: int


@dataclass(frozen=True, slots=True)
class Result(Message):
    """What became of a command."""

    CODE: ClassVar[int] = 0x42
    KIND: ClassVar[Kind] = "response"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 6
    LEAST: ClassVar[int] = 6
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<BBI")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, Verdict, int,)

    command: int
    verdict: Verdict
    detail: int


@dataclass(frozen=True, slots=True)
class PageSums(Message):
    """CRC-32 of eight pages."""

    CODE: ClassVar[int] = 0x43
    KIND: ClassVar[Kind] = "response"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 34
    LEAST: ClassVar[int] = 34
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<HIIIIIIII")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int, int, int, int, int, int, int, int,)

    first: int
    crc_0: int
    crc_1: int
    crc_2: int
    crc_3: int
    crc_4: int
    crc_5: int
    crc_6: int
    crc_7: int


MESSAGES: dict[int, type[Message]] = {
    0x01: Who,
    0x02: Begin,
    0x03: Block,
    0x04: Pages,
    0x05: Finish,
    0x06: Run,
    0x41: Here,
    0x42: Result,
    0x43: PageSums,
}
