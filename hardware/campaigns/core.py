"""The core of the firmware in this process (hal_library), for campaigns that need many steps."""

from __future__ import annotations

import ctypes

from firmware_bridge.wire import Message
from hardware.firmware.build import build_library
from hardware.firmware.devices import input_id, load_devices

LOG_SIZE = 4096
SIDES = (1, 2, 3, 4)


class Core:
    """The firmware's core in this process, one at a time."""

    def __init__(self, mutant: str | None) -> None:
        self._library = ctypes.CDLL(str(build_library(mutant)))
        self._at = (ctypes.c_uint32 * LOG_SIZE)()
        self._bits = (ctypes.c_uint16 * LOG_SIZE)()
        self._status = (ctypes.c_uint8 * 4)()
        self._library.firmware_order.argtypes = (ctypes.c_uint8, ctypes.c_char_p)

    def reset(self, cause: int) -> None:
        """Reset the chip."""
        self._library.firmware_reset(cause)

    def put(self, number: int, level: bool) -> None:
        """Put a level on an input."""
        self._library.firmware_input(number, int(level))

    def analog(self, number: int, millivolt: int) -> None:
        """Put a voltage on an analog input."""
        self._library.firmware_analog(number, millivolt)

    def set_duty(self, percent: int) -> None:
        """Put another share of ten minutes into the configuration in force, until the next reset."""
        self._library.firmware_duty(percent)

    def run(self, ms: int) -> None:
        """Let time pass."""
        self._library.firmware_run(ms)

    def order(self, message: Message) -> int:
        """Give an order; returns the reason of the refusal, 0 if accepted."""
        return int(self._library.firmware_order(message.CODE, message.pack()) & 0xFF)

    def beat(self) -> None:
        """The host lives."""
        self._library.firmware_beat()

    def stop(self) -> None:
        """The raw stop."""
        self._library.firmware_stop()

    @property
    def motors(self) -> int:
        """Return the motors that are on."""
        return int(self._library.firmware_motors() & 0xFFFF)

    @property
    def now(self) -> int:
        """Return milliseconds since the reset."""
        return int(self._library.firmware_now() & 0xFFFFFFFF)

    def status(self) -> tuple[int, bool, bool, int]:
        """Return state, stopped, homed, number of the last stop."""
        self._library.firmware_status(self._status)
        state, stopped, homed, stops = self._status
        return state, bool(stopped), bool(homed), stops

    def changes(self) -> list[tuple[int, int]]:
        """Return (ms, motors) of each change since the last call."""
        count = self._library.firmware_changes(self._at, self._bits)
        return [(self._at[i], self._bits[i]) for i in range(count)]


DEVICES = load_devices()["devices"]
INPUT = {row["id"]: input_id(row) for group in ("sensors", "keys") for row in DEVICES[group]}
DEBOUNCE = {row["id"]: row["debounce_ms"] for group in ("sensors", "keys") for row in DEVICES[group]}
MOTOR = {row["id"]: 1 << row["status"] for row in DEVICES["actuators"]}
REST = ("dome_down", *(f"{name}_{n}" for name in ("stack_home", "tray_down") for n in SIDES))
TRAYS = MOTOR["tray_raise"] | MOTOR["tray_lower"]
DOME = MOTOR["dome_raise"] | MOTOR["dome_lower"]
STACKERS = sum(MOTOR[f"stack_{n}"] for n in SIDES)
FEEDS = MOTOR["turn"] | MOTOR["ring"] | sum(MOTOR[f"feed_{n}"] for n in SIDES)
DICE = MOTOR["dice"]
