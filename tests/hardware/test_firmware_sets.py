"""Which set is on the table and which one is built, as the board tells it: see `test_firmware_core.Desk`."""

from __future__ import annotations

from firmware_bridge import messages as m
from tests.hardware import test_firmware_core as core
from tests.hardware.test_firmware_core import SIDES, Desk, build

UP, DOWN = m.Direction.up, m.Direction.down
EVEN = (28, 28, 28, 28)
desk = core.desk


def trays(desk: Desk, direction: m.Direction) -> None:
    assert desk.order(m.Lift(m.Target.trays, direction)) == "ok"
    up = direction == UP
    desk.set(**{f"tray_{end}_{n}": end == "up" and up for n in SIDES for end in ("up", "down")})
    desk.set(**{f"tray_down_{n}": not up for n in SIDES})
    desk.run(120)
    assert desk.motors == set()


def dome(desk: Desk) -> None:
    """Up, people push tiles in, down."""
    for up in (True, False):
        assert desk.order(m.Lift(m.Target.dome, UP if up else DOWN)) == "ok"
        desk.set(dome_up=up, dome_down=not up)
        desk.run(120)


def told(desk: Desk) -> tuple[str, str, str]:
    status = desk.status()
    return status.state.name, status.built.name, status.in_play.name


def test_one_set_is_the_first_one_wherever_it_is(desk: Desk) -> None:
    desk.homed()
    assert told(desk) == ("idle", "none", "none")
    for _ in range(2):
        build(desk, 112, EVEN)
        assert told(desk) == ("ready", "first", "none")
        trays(desk, UP)
        assert told(desk) == ("in_play", "none", "first")
        trays(desk, DOWN)
        assert told(desk) == ("idle", "none", "first")
        dome(desk)
        assert told(desk) == ("idle", "none", "none")


def test_a_watchdog_reset_keeps_what_another_reset_forgets(desk: Desk) -> None:
    desk.homed()
    build(desk, 112, EVEN)
    trays(desk, UP)
    desk.power(m.ResetCause.watchdog)
    desk.run(200)
    assert told(desk)[2] == "first"
    desk.power(m.ResetCause.external)
    desk.run(200)
    assert told(desk)[2] == "none"
