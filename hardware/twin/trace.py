"""What happened on both sides of the pins: a VCD of every pin and byte, and JSON lines of the wood.

`Trace` hears of everything from `Machine` and sorts each step by time; the same seed and the same host give
the same two files, byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from hardware.twin.harness_client import PinEdge, WireByte
from hardware.twin.plant.wiring import Wiring
from hardware.twin.vcd import VcdWriter

FLUSH_US = 1_000_000
WIRE = {True: ("heard", "heard_now"), False: ("said", "said_now")}


class Trace:
    """Both files, or one of them."""

    def __init__(self, wiring: Wiring, vcd: Path | None = None, events: Path | None = None) -> None:
        """Open the files, over those of a run before.

        Raises:
            OSError: if one cannot be written.
        """
        self._wiring = wiring
        self._events: IO[str] | None = None if events is None else events.open("w", encoding="utf-8")
        self._vcd_file: IO[str] | None = None if vcd is None else vcd.open("w", encoding="ascii")
        self._vcd: VcdWriter | None = None
        self._step: list[tuple[int, str, float]] = []
        self._rows: list[tuple[int, str]] = []
        self._flushed_us = 0
        if self._vcd_file is not None:
            self._vcd = VcdWriter(self._vcd_file)
            self._declare(self._vcd)

    @property
    def wants_bytes(self) -> bool:
        """Return whether the bytes of the wire are wanted."""
        return self._vcd is not None

    def _declare(self, vcd: VcdWriter) -> None:
        for device in self._wiring.inputs:
            vcd.declare("inputs", device.id, "bit")
        for device in self._wiring.outputs:
            vcd.declare("outputs", device.id, "bit")
        for name in self._wiring.analog:
            vcd.declare("millivolt", name, "real")
        for byte, now in WIRE.values():
            vcd.declare("uart", byte, "byte")
            vcd.declare("uart", now, "event")
        vcd.declare("board", "reset", "event")
        vcd.begin()

    # ---- pins ----

    def pin(self, at_us: int, device: str, level: int) -> None:
        """An input's level changed, bounces included."""
        if self._vcd is not None:
            self._step.append((at_us, device, level))

    def analog(self, at_us: int, device: str, millivolt: int) -> None:
        """A voltage changed."""
        if self._vcd is not None:
            self._step.append((at_us, device, float(millivolt)))
        self.write(at_us, "analog", id=device, millivolt=millivolt)

    def edge(self, edge: PinEdge) -> None:
        """The board drives a pin another way."""
        device = self._wiring.by_pin.get((edge.port, edge.bit))
        if device is not None:
            self.pin(edge.at_us, device.id, edge.level)
            self.write(edge.at_us, "output", id=device.id, on=edge.level == device.level(True))

    def wire(self, byte: WireByte) -> None:
        """A byte on the serial line."""
        value, now = WIRE[byte.heard]
        self._step += [(byte.at_us, value, byte.byte), (byte.at_us, now, 1)]

    def reset(self, at_us: int) -> None:
        """The chip started anew."""
        if self._vcd is not None:
            self._step.append((at_us, "reset", 1))
        self.write(at_us, "reset")

    def until(self, now_us: int) -> None:
        """Everything up to now has been told: write it in the order of time."""
        if self._vcd is not None:
            self._step.sort(key=lambda change: change[0])
            for change in self._step:
                self._vcd.change(*change)
            self._step.clear()
        if self._events is not None and self._rows:
            self._rows.sort(key=lambda row: row[0])
            self._events.write("".join(text for _, text in self._rows))
            self._rows.clear()
        if now_us - self._flushed_us >= FLUSH_US:
            self._flushed_us = now_us
            self._each_file(lambda file: file.flush())

    # ---- wood ----

    def write(self, at_us: int, kind: str, **body: Any) -> None:
        """Something of the world, as one JSON line."""
        if self._events is not None:
            row = {"at_us": at_us, "kind": kind, **body}
            self._rows.append((at_us, json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"))

    def close(self, now_us: int) -> None:
        """Write how long it lasted and close the files; twice is harmless."""
        self.until(now_us)
        if self._vcd is not None:
            self._vcd.end(now_us)
            self._vcd = None
        self._each_file(lambda file: file.close())
        self._events = self._vcd_file = None

    def _each_file(self, do: Callable[[IO[str]], None]) -> None:
        for file in (self._events, self._vcd_file):
            if file is not None:
                do(file)
