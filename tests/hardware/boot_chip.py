"""A simulated chip with our bootloader in it, and small programs of a test's own to put into it."""

from __future__ import annotations

import functools
import random
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from firmware_bridge.boot_frames import BootDecoder, encode_boot
from firmware_bridge.boot_messages import Begin, BootBoard, Here
from firmware_bridge.image import Image
from firmware_bridge.update import Update
from firmware_bridge.wire import Message
from hardware.firmware import build, flash_map
from hardware.firmware.release import record
from hardware.twin.harness_client import Harness

# Says its name and why it started, "[A01]", every 2 ms; UUUU = leave for the bootloader, HHHH = hang.
PROGRAM = r"""
#include <avr/io.h>
#include <avr/wdt.h>
#include "flash_map.h"
static void put(char c) { while (!(UCSR0A & (1 << UDRE0))) {} UDR0 = (uint8_t)c; }
int main(void) {
    uint8_t cause = MCUSR | UPDATE_NOTE, same = 0; /* an update shows as 8x */
    char last = 0;
    MCUSR = 0;
    wdt_enable(WDTO_250MS);
    UCSR0A = 1 << U2X0; UBRR0H = 0; UBRR0L = 7; UCSR0B = (1 << RXEN0) | (1 << TXEN0);
    TCCR1B = (1 << CS12) | (1 << CS10);
    for (;;) {
        put('['); put(NAME); put('0' + (cause >> 4)); put('0' + (cause & 15)); put(']');
        for (uint16_t since = TCNT1; (uint16_t)(TCNT1 - since) < 31;) {
            if (!(UCSR0A & (1 << RXC0))) continue;
            char byte = (char)UDR0;
            same = byte == last ? same + 1 : 1;
            last = byte;
            if (same < 4) continue;
            if (byte == 'U') { UPDATE_CELL[0] = FLASH_UPDATE_KEY; UPDATE_CELL[1] = ~FLASH_UPDATE_KEY & ~1ul; }
            if (byte == 'U' || byte == 'H') { for (;;) {} }
        }
        wdt_reset();
    }
}
"""
STEP_US = 2000
START_US = 150_000
"""A whole program runs so soon after a reset."""


@functools.cache
def program(name: str, pages: int = 12) -> bytes:
    """Return a program that says `name`, filled up with bytes of its own to almost so many pages."""
    gcc = shutil.which("avr-gcc")
    assert gcc is not None, "apt install gcc-avr avr-libc"
    with tempfile.TemporaryDirectory() as folder:
        build.write_headers(Path(folder))
        source, elf = Path(folder, "say.c"), Path(folder, "say.elf")
        source.write_text(PROGRAM)
        command = [gcc, "-Os", "-std=gnu11", "-mmcu=atmega2560", f"-DNAME='{name}'", f"-I{folder}"]
        subprocess.run([*command, "-o", str(elf), str(source)], check=True)
        code = build.flash_bytes(elf)
    return code + random.Random(name).randbytes(pages * flash_map.PAGE - 100 - len(code))


def image(name: str, pages: int = 12) -> Image:
    """Return the image of such a program."""
    return Image.of(
        program(name, pages),
        board=BootBoard.atmega2560,
        version=(1, 2, ord(name)),
        source=ord(name),
        layout=1,
    )


def old() -> Image:
    """Return the program that a chip has: 2972 bytes in 12 pages, it says A."""
    return image("A")


def new() -> Image:
    """Return the program that it gets: 16 pages, it says B."""
    return image("B", 16)


class Chip:
    """The chip, its wire, and its clock in microseconds.

    Args:
        runs: the program that was flashed with the bootloader, None = no program.
        mutant: of the bootloader.
    """

    def __init__(self, runs: Image | None = None, mutant: str | None = None) -> None:
        self.harness = Harness(build.build_harness(), build.build_bootloader())
        self.harness.program(0, b"\xff" * flash_map.BOOT_AT)
        self.harness.program(flash_map.BOOT_AT, build.flash_bytes(build.build_bootloader(mutant)))
        if runs is not None:
            self.harness.program(flash_map.PROGRAM_AT, runs.program)
            self.harness.program(flash_map.PROGRAM_RECORD_AT, record(runs.head.pack()))
        self.harness.start_at(flash_map.BOOT_AT)
        self.now = 0
        self.heard = b""
        self.resets = 0
        self.cut()

    def close(self) -> None:
        self.harness.close()

    def cut(self, seed: int = 1) -> None:
        """Cut the power for a moment."""
        self.harness.cut_power(seed)
        self.run_us(0)

    def run_us(self, duration: int) -> bytes:
        """Let time pass; returns what the chip said."""
        end, said = self.now + duration, b""
        while True:
            report = self.harness.run(end)
            self.now = report.now_us
            said += report.sent
            self.resets += report.was_reset
            if self.now >= end:
                self.heard += said
                return said

    def say(self, data: bytes, duration: int = 0) -> bytes:
        """Send bytes, let time pass, return what the chip said."""
        self.harness.send(data)
        return self.run_us(duration)

    def converse(self, update: Update, *, until_us: int | None = None) -> Update:
        """Carry on an update to its end, or to a moment."""
        end = self.now + 60_000_000 if until_us is None else until_us
        while not update.is_over and self.now < end:
            output = update.take_output()
            said = self.say(output, min(STEP_US, end - self.now))
            update.feed(said, self.now // 1000)
            update.tick(self.now // 1000)
        return update

    def update(self, wanted: Image | None, call_ms: int = 3000) -> Update:
        """Begin a conversation with the bootloader."""
        return Update(wanted, self.now // 1000, call_ms=call_ms)

    def ask(self, message: Message, seq: int = 7, wait_us: int = 400_000) -> Message | None:
        """Send one command and return its answer."""
        answers = BootDecoder().feed(self.say(encode_boot(message, seq), wait_us))
        return next((answer for number, answer in answers if number == seq), None)

    def who(self) -> Here | None:
        """Call a few times, as a host does; returns what the bootloader says, None if it is not there."""
        return self.converse(self.update(None, call_ms=100)).here

    def running(self, wait_us: int = 20_000) -> str | None:
        """Return the name and reset cause of the program that runs, None if none does."""
        said = self.run_us(wait_us)
        found = [part.rpartition(b"[")[2] for part in said.split(b"]")[:-1]]
        return found[-1].decode() if found else None

    def flashed(self, wanted: Image) -> bool:
        """Return whether the program lies where programs run, byte by byte."""
        return self.harness.read_program(flash_map.PROGRAM_AT, len(wanted.program)) == wanted.program


Make = Callable[..., Chip]
"""Makes chips as `Chip` does; they end with the test."""


def chips() -> Iterator[Make]:
    """Yield a maker of chips: the body of a fixture."""
    made: list[Chip] = []

    def one(runs: Image | None = None, mutant: str | None = None) -> Chip:
        made.append(Chip(runs, mutant))
        return made[-1]

    yield one
    for chip in made:
        chip.close()


def begin(of: Image, **changed: int) -> Begin:
    """Return the head of an image, changed."""
    values = {name: getattr(of.head, name) for name in Begin.__slots__}
    return Begin(**{**values, **changed})
