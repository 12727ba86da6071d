"""The lines through the `RPi.GPIO` API (rpi-lgpio on current systems): the only file that imports it.

No `bouncetime`: RPi.GPIO and lgpio mean different things by it, so our own filter sees every edge.
"""

from __future__ import annotations

import threading

from RPi import GPIO

from controller.gpio.claims import Claims, need_level
from controller.gpio.lines import LineRow
from controller.gpio.port import EdgeCallback, LineMisused, PortUnavailable

_PULLS = {"up": GPIO.PUD_UP, "down": GPIO.PUD_DOWN, "off": GPIO.PUD_OFF}


class RPiGpioPort:
    """`GpioPort` on the header of a Raspberry Pi."""

    def __init__(self) -> None:
        self._claims = Claims()
        self._lock = threading.Lock()
        self._told: dict[str, int] = {}
        try:
            GPIO.setwarnings(False)
            GPIO.setmode(GPIO.BCM)
        except Exception as error:  # lgpio.error comes straight from Exception
            raise PortUnavailable(f"no GPIO chip: {error}") from error

    def setup_in(self, line: str) -> None:
        """See `GpioPort.setup_in`."""
        row = self._claims.claim(line, "in")
        try:
            GPIO.setup(row.bcm, GPIO.IN, pull_up_down=_PULLS[row.pull])
        except Exception as error:
            raise PortUnavailable(f"{line} (BCM {row.bcm}): {error}") from error

    def setup_out(self, line: str, level: int) -> None:
        """See `GpioPort.setup_out`."""
        row = self._claims.claim(line, "out")
        try:
            GPIO.setup(row.bcm, GPIO.OUT, initial=_pin(row, need_level(level)))
        except LineMisused:
            raise
        except Exception as error:
            raise PortUnavailable(f"{line} (BCM {row.bcm}): {error}") from error

    def read(self, line: str) -> int:
        """See `GpioPort.read`."""
        row = self._claims.need(line)
        return _pin(row, int(GPIO.input(row.bcm)))

    def write(self, line: str, level: int) -> None:
        """See `GpioPort.write`."""
        row = self._claims.need(line, "out")
        GPIO.output(row.bcm, _pin(row, need_level(level)))

    def on_edge(self, line: str, callback: EdgeCallback) -> None:
        """See `GpioPort.on_edge`.

        The API tells that an edge was, not which: the level is read afterwards, so a pulse shorter than the
        callback may be told late or not at all, and the level that stays is always told.
        """
        row = self._claims.need(line, "in")
        if line in self._told:
            raise LineMisused(f"{line} has a listener already")
        self._told[line] = self.read(line)

        def edge(_channel: int) -> None:
            with self._lock:
                if self._claims.closed:
                    return
                level = self.read(line)
                changed = level != self._told[line]
                self._told[line] = level
                if changed:
                    callback(line, level)

        try:
            GPIO.add_event_detect(row.bcm, GPIO.BOTH, callback=edge)
        except Exception as error:
            raise PortUnavailable(f"{line} (BCM {row.bcm}): {error}") from error

    def close(self) -> None:
        """See `GpioPort.close`. Only our own pins are released."""
        if self._claims.closed:
            return
        for row in self._claims.outputs():
            GPIO.output(row.bcm, _pin(row, row.safe))
        pins = [self._claims.need(line).bcm for line in sorted(self._claims.lines)]
        with self._lock:
            self._claims.closed = True
        if pins:
            GPIO.cleanup(pins)


def _pin(row: LineRow, level: int) -> int:
    """Return the pin's level for a logical level, and the other way round."""
    return level ^ 1 if row.active_low else level
