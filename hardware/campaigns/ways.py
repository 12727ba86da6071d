"""How each state of the board comes about on a bench: a row a state, for campaigns that visit them all.

The table is homed and empty, with the dome down, when a way begins.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from firmware_bridge import messages as m
from firmware_bridge.wire import Message
from hardware.campaigns.rig import Rig, TableStuck
from hardware.firmware import flash_map
from hardware.firmware.build import build_bootloader, flash_bytes

DICE = m.Dice(3_000)
SERVICE_CODE = 1234
"""Of the factory (core/config.c)."""
UP = m.Direction.up


def _loading(rig: Rig, chance: random.Random) -> None:
    rig.lift(m.Target.dome, UP)
    _dice(rig, chance)


def _homing(rig: Rig, chance: random.Random) -> None:
    rig.lift(m.Target.dome, UP)
    _order(rig, m.Home())
    rig.run(chance.randint(20, 400))


def _building(rig: Rig, chance: random.Random) -> None:
    rig.load()
    _order(rig, m.Build(rig.tiles))
    rig.run(chance.randint(300, 9_000))


def _paused(rig: Rig, chance: random.Random) -> None:
    """The dome on its way up, or the dice while it is open."""
    _building(rig, chance)
    _order(rig, m.Pause(True))
    rig.wait(lambda: "dome_raise" in rig.machine.plant.motors_on, 5_000, "dome on its way up")
    if chance.random() < 0.5:
        rig.run(chance.randint(10, 400))
    else:
        rig.wait(lambda: not rig.machine.plant.motors_on, 5_000, "open dome")
        _dice(rig, chance)


def _ready(rig: Rig, chance: random.Random) -> None:
    rig.load()
    since = rig.mark()
    _order(rig, m.Build(rig.tiles))
    if rig.build_ended(since, 120_000) is None:
        raise TableStuck(f"no walls: {rig.faults(since)}")
    _dice(rig, chance)


def _lifting(rig: Rig, chance: random.Random) -> None:
    target = chance.choice((m.Target.trays, m.Target.dome))
    _order(rig, m.Lift(target, UP))
    rig.run(chance.randint(20, 500))


def _in_play(rig: Rig, chance: random.Random) -> None:
    rig.lift(m.Target.trays, UP)
    _dice(rig, chance)


def _dice(rig: Rig, chance: random.Random) -> None:
    _order(rig, DICE)
    rig.run(chance.randint(20, 2_000))


def _boot(rig: Rig, chance: random.Random) -> None:
    _dice(rig, chance)
    rig.machine.harness.reset("external")
    rig.run(1)  # the watchdog is on from the first instructions; before them nothing can be told


def _fault(rig: Rig, chance: random.Random) -> None:
    _dice(rig, chance)
    rig.machine.plant.open_lid(True)
    rig.run(100)
    rig.machine.plant.open_lid(False)
    rig.run(100)


def _safe(rig: Rig, chance: random.Random) -> None:
    _dice(rig, chance)
    rig.beating = False
    rig.run(700)
    rig.beating = True


def _estop(rig: Rig, chance: random.Random) -> None:
    _dice(rig, chance)
    rig.machine.plant.press_estop(True)
    rig.run(100)


def _stopped(rig: Rig, chance: random.Random) -> None:
    _dice(rig, chance)
    rig.link.stop(rig.now_ms)
    rig.run(100)


def _update(rig: Rig, chance: random.Random) -> None:
    """A board that was flashed with its bootloader says goodbye, and is in there 100 ms later."""
    harness = rig.machine.harness
    harness.program(flash_map.BOOT_AT, flash_bytes(build_bootloader()))
    harness.start_at(flash_map.BOOT_AT)
    _order(rig, m.EnterUpdate(flash_map.UPDATE_KEY))
    rig.run(chance.randint(1, 40))


def _service(rig: Rig, chance: random.Random) -> None:
    _order(rig, m.Service(True, SERVICE_CODE))
    _order(rig, m.Jog(chance.choice((8, 9)), 2_000))  # turntable, ring
    rig.run(chance.randint(20, 500))


def _order(rig: Rig, order: Message) -> None:
    answer = rig.order(order)
    if answer != "ok":
        raise TableStuck(f"{type(order).__name__} refused: {answer}")


@dataclass(frozen=True, slots=True)
class Way:
    """How a state comes about, and whether motors run in it."""

    reach: Callable[[Rig, random.Random], None]
    moves: bool = True
    told: bool = True
    """The board tells this state; otherwise it is over before the first word."""
    answers: bool = True
    """The board goes on as before; otherwise its program is over, and with it a hang and every answer."""


WAYS: dict[m.State, Way] = {
    m.State.boot: Way(_boot, moves=False, told=False),
    m.State.idle: Way(_dice),
    m.State.homing: Way(_homing),
    m.State.loading: Way(_loading),
    m.State.building: Way(_building),
    m.State.ready: Way(_ready),
    m.State.lifting: Way(_lifting),
    m.State.in_play: Way(_in_play),
    m.State.service: Way(_service),
    m.State.fault: Way(_fault, moves=False),
    m.State.safe: Way(_safe, moves=False),
    m.State.estop: Way(_estop, moves=False),
    m.State.stopped: Way(_stopped, moves=False),
    m.State.paused: Way(_paused),
    m.State.update: Way(_update, moves=False, answers=False),
}
