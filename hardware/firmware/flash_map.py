"""Where things lie in the program memory of the board: one table for the bootloader, the build and the tests.

    00000  the program                          1E000  its record: what it is, how long, its CRC
    1F000  the waiting room for a new one       3D000  the record of what waits there
    3F000  the bootloader (4 KiB, fuses BOOTSZ = 01, BOOTRST = 0), its name in the last 8 bytes

A record is written when everything before it is there: with it a program counts, without it there is none.
"""

from __future__ import annotations

PAGE = 256
ROOM = 0x1E000
"""Bytes that a program may have."""
PROGRAM_AT = 0
PROGRAM_RECORD_AT = 0x1E000
WAITING_AT = 0x1F000
WAITING_RECORD_AT = 0x3D000
BOOT_AT = 0x3F000
BOOT_SIZE = 0x1000
BOOT_NAME_AT = 0x3FFF8
BOOT_NAME = b"MJTB"
RECORD_SEED = 0x4D4A5452
"""Of a record's CRC-32, so that erased or zeroed memory is none."""
UPDATE_KEY = 0x55504454
"""In RAM over a reset, and in EnterUpdate: stay in the bootloader."""


def header_text() -> str:
    """Return flash_map.h."""
    rows = {
        "PAGE": PAGE, "ROOM": ROOM, "PROGRAM_AT": PROGRAM_AT, "PROGRAM_RECORD_AT": PROGRAM_RECORD_AT,
        "WAITING_AT": WAITING_AT, "WAITING_RECORD_AT": WAITING_RECORD_AT, "BOOT_AT": BOOT_AT,
        "BOOT_NAME_AT": BOOT_NAME_AT, "BOOT_NAME": int.from_bytes(BOOT_NAME, "little"),
        "RECORD_SEED": RECORD_SEED, "UPDATE_KEY": UPDATE_KEY,
    }  # fmt: skip
    lines = ["/* Generated from flash_map.py by the firmware build; do not edit. */"]
    lines += ["#ifndef FLASH_MAP_H", "#define FLASH_MAP_H"]
    lines += [f"#define FLASH_{name} 0x{value:X}ul" for name, value in rows.items()]
    lines += [
        "/* Left for the bootloader in the last bytes of RAM: FLASH_UPDATE_KEY, then its complement with",
        " * bit 0 = the host speaks the slower rate. The stack grows over it, but only after it was read. */",
        "#define UPDATE_CELL ((volatile uint32_t *)(RAMEND - 7))",
        "/* Left for the program: it starts because of an update. Every reset clears this register;",
        " * the bit is none of MCUSR, whose bits a program cannot set. */",
        "#define UPDATE_NOTE GPIOR1",
        "#define UPDATE_NOTE_ASKED 0x80u",
    ]
    return "\n".join([*lines, "#endif", ""])
