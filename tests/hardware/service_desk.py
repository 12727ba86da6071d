"""What tests of the service mode share: how it is entered, its keys, and the number on its lamps."""

from __future__ import annotations

from firmware_bridge import messages as m
from tests.hardware.test_firmware_core import DEVICES, Desk

CODE = 1234
"""The factory's service code (core/config.c)."""
LAMP = {row["id"]: 1 << row["status"] for row in DEVICES["lamps"]}
NUMBER = {row["id"]: row["status"] for row in DEVICES["actuators"]}
BUZZER = LAMP["buzzer"]
READY = sum(LAMP[f"ready_{n}"] for n in (1, 2, 3, 4))
SINGLE = sorted(name for name in NUMBER if name != "reverse")


def keys_at_power_on(desk: Desk, hold_ms: int = 1_100) -> None:
    """Both lift keys are held while the table is switched on."""
    desk.set(key_lift_a=1, key_lift_b=1)
    desk.power()
    desk.run(hold_ms)
    desk.set(key_lift_a=0, key_lift_b=0)
    desk.run(700)


def serve(desk: Desk) -> Desk:
    desk.up()
    assert desk.order(m.Service(True, CODE)) == "ok"
    desk.run(600)
    return desk


def press(desk: Desk, key: str, ms: int = 60) -> None:
    desk.set(**{key: 1})
    desk.run(ms)
    desk.set(**{key: 0})
    desk.run(100)


def shown(desk: Desk) -> int:
    """The number on the four dealer lamps, lamp 1 the highest bit."""
    return sum(8 >> place for place in range(4) if desk.lamps >> place & 1)


def choose(desk: Desk, number: int) -> None:
    """Step to a test with a dice key and run it with a lift key."""
    for _ in range(16):
        if shown(desk) == number:
            break
        press(desk, "key_dice_1")
    assert shown(desk) == number
    press(desk, "key_lift_a")


def jog(desk: Desk, name: str, run_ms: int, ms: int = 25) -> str:
    return desk.order(m.Jog(NUMBER[name], run_ms), ms)
