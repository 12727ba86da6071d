"""A stand-in for the C library `lgpio`: one chip in memory, so that rpi-lgpio's own code runs unchanged.

Only what rpi-lgpio 0.6 calls; mode bits as the real library gives them (input 0x100, output 0x200,
alert 0x400).
"""

from __future__ import annotations

import threading
import types
from collections.abc import Callable
from typing import Any

Callback = Callable[[int, int, int, int], None]
PINS = 54


class FakeChip:
    """Pins with a mode, a level and listeners; callbacks come from a thread, as in the real library."""

    def __init__(self) -> None:
        self.mode = [0] * PINS
        self.level = [0] * PINS
        self.listeners: dict[int, list[Callback]] = {}
        self.driven: set[int] = set()

    def drive(self, gpio: int, level: int) -> None:
        """Set a pin from outside; listeners hear of a change before this returns."""
        self.driven.add(gpio)
        if self.level[gpio] == level:
            return
        self.level[gpio] = level
        if self.mode[gpio] & 0x400:
            for listener in list(self.listeners.get(gpio, ())):
                thread = threading.Thread(target=listener, args=(0, gpio, level, 0))
                thread.start()
                thread.join()

    def set_mode(self, gpio: int, bits: int) -> None:
        """Claim a pin."""
        self.mode[gpio] = bits


def make(chip: FakeChip) -> Any:
    """Return a module `lgpio` over the chip."""
    lgpio: Any = types.ModuleType("lgpio")
    lgpio.error = type("error", (Exception,), {})
    lgpio.error_text = lambda code: f"error {code}"
    lgpio.GPIO_BUSY = -77
    lgpio.SET_PULL_UP, lgpio.SET_PULL_DOWN, lgpio.SET_PULL_NONE = 32, 64, 128
    lgpio.RISING_EDGE, lgpio.FALLING_EDGE, lgpio.BOTH_EDGES = 1, 2, 3

    def claim(bits: int) -> Callable[..., int]:
        def run(_chip: int, gpio: int, *_args: int) -> int:
            chip.set_mode(gpio, bits)
            return 0

        return run

    def claim_input(_chip: int, gpio: int, pull: int = 0) -> int:
        if gpio not in chip.driven:
            chip.level[gpio] = int(pull == lgpio.SET_PULL_UP)
        chip.set_mode(gpio, 0x100)
        return 0

    def claim_output(_chip: int, gpio: int, level: int = 0, _flags: int = 0) -> int:
        chip.set_mode(gpio, 0x200)
        chip.level[gpio] = int(level)
        return 0

    def claim_alert(_chip: int, gpio: int, edge: int, _flags: int = 0) -> int:
        chip.set_mode(gpio, 0x400 | edge << 17)
        return 0

    def write(_chip: int, gpio: int, level: int) -> int:
        chip.level[gpio] = int(level)
        return 0

    class Listener:
        def __init__(self, _chip: int, gpio: int, _edge: int = 1, func: Callback | None = None) -> None:
            assert func is not None
            self._gpio, self._func = gpio, func
            chip.listeners.setdefault(gpio, []).append(func)

        def cancel(self) -> None:
            chip.listeners[self._gpio].remove(self._func)

    lgpio.gpiochip_open = lambda _number: 0
    lgpio.gpiochip_close = lambda _chip: 0
    lgpio.gpio_get_chip_info = lambda _chip: (0, PINS, "fake", "fake")
    lgpio.gpio_get_mode = lambda _chip, gpio: chip.mode[gpio]
    lgpio.gpio_free = claim(0)
    lgpio.gpio_claim_input = claim_input
    lgpio.gpio_claim_output = claim_output
    lgpio.gpio_claim_alert = claim_alert
    lgpio.gpio_read = lambda _chip, gpio: chip.level[gpio]
    lgpio.gpio_write = write
    lgpio.callback = Listener
    return lgpio
