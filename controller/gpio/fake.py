"""Lines in memory: tests and the virtual table drive inputs and look at outputs."""

from __future__ import annotations

from collections.abc import Callable

from controller.gpio.claims import Claims, need_level
from controller.gpio.lines import INPUTS, OUTPUTS, line_row
from controller.gpio.port import EdgeCallback, LineMisused


class FakeGpioPort:
    """`GpioPort` without pins. `drive` is the world's hand on an input, `on_write` sees outputs change."""

    def __init__(self, on_write: Callable[[str, int], None] | None = None) -> None:
        self._claims = Claims()
        self._levels = dict.fromkeys(INPUTS, 0) | {line: line_row(line).safe for line in OUTPUTS}
        self._listeners: dict[str, EdgeCallback] = {}
        self._on_write = on_write

    def drive(self, line: str, level: int) -> None:
        """Set an input from outside; a listener hears of a change at once."""
        if line_row(line).direction != "in":
            raise LineMisused(f"{line} is an output")
        if self._levels[line] == need_level(level):
            return
        self._levels[line] = level
        listener = self._listeners.get(line)
        if listener is not None and not self._claims.closed:
            listener(line, level)

    def level(self, line: str) -> int:
        """Return what the world sees on a line, set up or not."""
        return self._levels[line]

    def setup_in(self, line: str) -> None:
        """See `GpioPort.setup_in`."""
        self._claims.claim(line, "in")

    def setup_out(self, line: str, level: int) -> None:
        """See `GpioPort.setup_out`."""
        self._claims.claim(line, "out")
        self._put(line, need_level(level))

    def read(self, line: str) -> int:
        """See `GpioPort.read`."""
        self._claims.need(line)
        return self._levels[line]

    def write(self, line: str, level: int) -> None:
        """See `GpioPort.write`."""
        self._claims.need(line, "out")
        self._put(line, need_level(level))

    def on_edge(self, line: str, callback: EdgeCallback) -> None:
        """See `GpioPort.on_edge`."""
        self._claims.need(line, "in")
        if line in self._listeners:
            raise LineMisused(f"{line} has a listener already")
        self._listeners[line] = callback

    def close(self) -> None:
        """See `GpioPort.close`."""
        if self._claims.closed:
            return
        for row in self._claims.outputs():
            self._put(row.name, row.safe)
        self._claims.closed = True

    def _put(self, line: str, level: int) -> None:
        changed = self._levels[line] != level
        self._levels[line] = level
        if changed and self._on_write is not None:
            self._on_write(line, level)
