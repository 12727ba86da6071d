# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts the harness process (hardware/twin/harness, linked to simavr) and speaks its line protocol.

Time is the board's own: microseconds since the process began, growing through every reset. Settings
(`set_pin`, `send` ...) are collected and travel with the next `run`, so a step costs one round trip.
"""

from __future__ import annotations

import contextlib
import socket
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

ResetKind = Literal["power", "external", "brownout", "unknown", "hang"]
EXIT_WAIT_S = 2.0


class HarnessError(RuntimeError):
    """The harness process ended or answered what it should not."""


@dataclass(frozen=True, slots=True)
class PinEdge:
    """A watched output pin changed: port letter, bit, new level, microsecond."""

    port: str
    bit: int
    level: int
    at_us: int


@dataclass(frozen=True, slots=True)
class RunReport:
    """Why and when a run ended: bytes the board sent, output edges, and whether it was reset."""

    now_us: int
    sent: bytes
    edges: tuple[PinEdge, ...]
    was_reset: bool
    frame: bool
    interrupted: bool


@dataclass(frozen=True, slots=True)
class HarnessStats:
    """Counters since the start of the process."""

    cycles: int
    resets: int
    bytes_in: int
    bytes_out: int
    overruns: int
    damaged: int
    edges_lost: int
    """Output edges that found the list of a report full."""
    bytes_lost: int
    """Bytes of either direction that found the wire's queue full."""
    bytes_unheard: int
    """Bytes for the board that came while it was held in reset."""


@dataclass(frozen=True, slots=True)
class WireByte:
    """A byte as the board heard it (`heard`, its stop bit has passed) or said it, and when."""

    at_us: int
    heard: bool
    byte: int


class Harness:
    """One simulated board. Use as a context manager; the process never outlives it."""

    def __init__(self, binary: Path, elf: Path, eeprom: Path | None = None) -> None:
        """Start `binary` with the firmware `elf`; the EEPROM lives in the file `eeprom` when given."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        command = [str(binary), str(elf), str(theirs.fileno())]
        if eeprom is not None:
            command.append(str(eeprom))
        try:
            self._process = subprocess.Popen(
                command, pass_fds=(theirs.fileno(),), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
            )
        finally:
            theirs.close()
        self._socket = ours
        self._lines = ours.makefile("rb")
        self._pending: list[str] = []

    def __enter__(self) -> Harness:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def set_pin(self, port: str, bit: int, level: int) -> None:
        """Put `level` on an input pin, from the next run on."""
        self._pending.append(f"p {port} {bit} {level}\n")

    def set_adc(self, channel: int, millivolt: int) -> None:
        """Put a voltage on an ADC channel."""
        self._pending.append(f"a {channel} {millivolt}\n")

    def watch(self, port: str, mask: int) -> None:
        """End runs at edges of these output pins of `port`."""
        self._pending.append(f"w {port} {mask:02x}\n")

    def send(self, data: bytes) -> None:
        """Put bytes from the host on the wire, behind those still travelling."""
        if data:
            self._pending.append(f"x {data.hex()}\n")

    def reset(self, kind: ResetKind) -> None:
        """Reset the chip, or (`hang`) let it spin with interrupts off until its watchdog does."""
        self._pending.append(f"z {kind}\n")

    def hold_reset(self, held: bool) -> None:
        """Pull the reset line down or let it go; time passes meanwhile."""
        self._pending.append(f"h {int(held)}\n")

    def damage(
        self,
        way: Literal["to", "from"],
        seed: int,
        *,
        flip: int = 0,
        drop: int = 0,
        insert: int = 0,
        repeat: int = 0,
    ) -> None:
        """Damage bytes on the way "to" or "from" the board, in parts per million of bytes."""
        self._pending.append(f"d {way} {flip} {drop} {insert} {repeat} {seed}\n")

    def host_baud(self, baud: int) -> None:
        """Say at what rate the host speaks and listens, whatever it set on the pseudo terminal; 0 = as it did
        (without one, always the chip's). Other rates are rubbish."""
        self._pending.append(f"b {baud}\n")

    def hold_up_receiver(self, microseconds: int) -> None:
        """Hold the receive interrupt up from the next byte on: two bytes are kept, the rest overruns."""
        self._pending.append(f"k {microseconds}\n")

    def flash(self, elf: Path) -> None:
        """Flash another program, as a technician does, and start it.

        Raises:
            HarnessError: if it cannot be read.
        """
        if self._ask(f"flash {elf.absolute()}\n") != ["F", "1"]:
            raise HarnessError(f"cannot flash {elf}")

    def tap(self, on: bool) -> None:
        """Keep every byte of the wire with its time, for `tapped`."""
        self._pending.append(f"tap {int(on)}\n")

    def tapped(self) -> list[WireByte]:
        """Return the bytes since the last call, in order.

        Raises:
            HarnessError: if some were lost, since nobody had looked for too long.
        """
        found: list[WireByte] = []
        while True:
            words = self._ask("u\n")
            if words[1] != "0":
                raise HarnessError(f"{words[1]} bytes of the wire were lost: look more often")
            rest = words[2:]
            if not rest:
                return found
            found += [
                WireByte(int(rest[i + 1]), rest[i] == ">", int(rest[i + 2], 16))
                for i in range(0, len(rest), 3)
            ]

    def program(self, at: int, data: bytes) -> None:
        """Put bytes into the program memory, as a programmer does."""
        cuts = range(0, len(data), 4096)
        self._pending += [f"f {at + cut} {data[cut : cut + 4096].hex()}\n" for cut in cuts]

    def read_program(self, at: int, count: int) -> bytes:
        """Return bytes of the program memory."""
        words = [self._ask(f"g {at + part} {min(4096, count - part)}\n")[2] for part in range(0, count, 4096)]
        return b"".join(bytes.fromhex(word) for word in words if word != "-")

    def pages_changed(self) -> int:
        """Return how many pages of its memory the program has erased or written by itself."""
        return int(self._ask("g 0 1\n")[1])

    def start_at(self, at: int) -> None:
        """Set where a reset begins, as the fuses BOOTRST and BOOTSZ do."""
        self._pending.append(f"j {at}\n")

    def wear_out(self, at: int) -> None:
        """Let this byte of the program memory be 0 from now on, whatever is written there."""
        self._pending.append(f"n {at}\n")

    def cut_power(self, seed: int) -> None:
        """Cut the power for a moment; a page just being erased or written is left as rubbish."""
        self._pending.append(f"c {seed}\n")

    def run(self, until_us: int) -> RunReport:
        """Run in virtual time to the first thing worth a look, or to `until_us`."""
        return self._parse_run(self._ask(f"r {until_us}\n"))

    def run_paced(self, until_us: int) -> RunReport:
        """As `run`, but as fast as the wall clock; bytes go through the pseudo terminal."""
        return self._parse_run(self._ask(f"t {until_us}\n"))

    def start_paced(self, until_us: int) -> None:
        """Begin a paced run; `finish_paced` returns its report, at once if anything is written meanwhile."""
        self._pending.append(f"t {until_us}\n")
        self._flush()

    def finish_paced(self) -> RunReport:
        """Return the report of the run begun by `start_paced`."""
        return self._parse_run(self._read_line())

    def interrupt(self) -> None:
        """End a paced run that another call began."""
        self._socket.sendall(b"\n")

    def fileno(self) -> int:
        """Return the file descriptor that becomes readable when a paced run ended."""
        return self._socket.fileno()

    def plug(self, link: Path) -> None:
        """Open a pseudo terminal for the serial line and point the symbolic link at it."""
        if self._ask(f"pty {link}\n") != ["P", "1"]:
            raise HarnessError(f"no pseudo terminal at {link}")

    def unplug(self) -> None:
        """Close the pseudo terminal: whoever has it open sees the cable go."""
        self._pending.append("nopty\n")
        self._flush()

    def stats(self) -> HarnessStats:
        """Return the counters."""
        return HarnessStats(*map(int, self._ask("s\n")[1:]))

    def outputs(self) -> dict[str, int]:
        """Return the bits each port drives high."""
        pairs = (word.split("=") for word in self._ask("o\n")[1:])
        return {port: int(value, 16) for port, value in pairs}

    def witness(self) -> bytes:
        """Return what the program said through GPIOR0 since the last look (`hal_witness` in its hal.h).

        Raises:
            HarnessError: if something was lost, since nobody had looked for too long.
        """
        _, lost, said = self._ask("v\n")
        if lost != "0":
            raise HarnessError(f"{lost} bytes of the witness were lost: look more often")
        return b"" if said == "-" else bytes.fromhex(said)

    def close(self) -> None:
        """End the process; the EEPROM file is written first."""
        with contextlib.suppress(OSError, HarnessError):
            self._socket.settimeout(EXIT_WAIT_S)
            self._ask("q\n")
        with contextlib.suppress(OSError):
            self._socket.close()
        try:
            self._process.wait(EXIT_WAIT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _flush(self, last: Iterable[str] = ()) -> None:
        self._pending.extend(last)
        data = "".join(self._pending).encode()
        self._pending.clear()
        try:
            self._socket.sendall(data)
        except OSError as error:
            raise HarnessError("the harness process is gone") from error

    def _read_line(self) -> list[str]:
        try:
            line = self._lines.readline()
        except OSError:
            line = b""
        if not line.endswith(b"\n"):
            raise HarnessError("the harness process is gone")
        words = line.decode().split()
        if words[:1] == ["?"]:
            raise HarnessError(f"the harness does not know {words[1:]}")
        return words

    def _ask(self, command: str) -> list[str]:
        self._flush((command,))
        return self._read_line()

    @staticmethod
    def _parse_run(words: list[str]) -> RunReport:
        flags, sent, rest = words[2], words[3], words[4:]
        edges = tuple(
            PinEdge(rest[i], int(rest[i + 1]), int(rest[i + 2]), int(rest[i + 3]))
            for i in range(0, len(rest), 4)
        )
        data = b"" if sent == "-" else bytes.fromhex(sent)
        return RunReport(int(words[1]), data, edges, "z" in flags, "f" in flags, "i" in flags)
