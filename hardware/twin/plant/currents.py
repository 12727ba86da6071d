"""What the motors draw, as the three current sensors of the board see it: a surge at the start, a steady
current, four times that when something holds the motor, nothing when its wire is broken.

Figures are those of the builder's papers (hardware/wiring/parts.toml); each motor of a table is a little
unlike its brothers. The noise of brushes and converter is the harness's.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from hardware.twin.plant.chance import stream
from hardware.twin.plant.schedule import Entry, Schedule, cancel

_MAIN = dict.fromkeys(("turn", "ring", "tray", "dome", "dice"), "main_current")
GROUPS: Mapping[str, str] = MappingProxyType({"feed": "feed_current", "stack": "stack_current", **_MAIN})
MA_PER_MV = 2
SURGE = ((0, 1.0), (40_000, 0.4), (100_000, 0.0))
"""How much of the way from running to held a motor draws so many microseconds after its start."""
UNLIKE = 0.06
DICE_VOLTS = 5.0
BRIDGE_MA = 2_100.0
"""A two-way driver limits the current."""


@cache
def _figures() -> Mapping[str, tuple[float, float]]:
    """Return (running, held) in milliampere by kind of motor."""
    papers = tomllib.loads(files("hardware").joinpath("wiring", "parts.toml").read_text(encoding="utf-8"))
    supply = papers["supply"]
    found = {}
    for load in papers["loads"]:
        volts = DICE_VOLTS if load["match"] == "dice" else supply["volts"]
        running = 1000.0 * load["watts"] * load["motors"] / volts
        held = running * supply["stall_factor"]
        found[load["match"]] = (running, min(held, BRIDGE_MA) if load["drive"] == "bridge" else held)
    return found


def kind_of(motor: str) -> str:
    """Return the kind of a motor output: `feed` of `feed_3`, `tray` of `tray_raise`."""
    return motor.partition("_")[0]


@dataclass
class _Motor:
    running_ma: float
    held_ma: float
    on: bool = False
    surge: float = 0.0
    due: list[Entry] = field(default_factory=list)
    held: bool = False
    broken: bool = False
    shorted: bool = False

    @property
    def ma(self) -> float:
        if self.broken or not (self.on or self.shorted):
            return 0.0
        part = 1.0 if self.held else self.surge
        return self.running_ma + (self.held_ma - self.running_ma) * part


class Currents:
    """All motors of a table; `tell(device, millivolt)` hears when a sensor's voltage changes."""

    def __init__(self, seed: int, schedule: Schedule, tell: Callable[[str, int], None]) -> None:
        self._seed, self._schedule, self._tell = seed, schedule, tell
        self._motors: dict[str, _Motor] = {}
        self._told: dict[str, int] = {}

    def _motor(self, name: str) -> _Motor:
        if name not in self._motors:
            running, held = _figures()[kind_of(name)]
            factor = stream(self._seed, "motor", name).uniform(1.0 - UNLIKE, 1.0 + UNLIKE)
            self._motors[name] = _Motor(running * factor, held * factor)
        return self._motors[name]

    def drive(self, name: str, on: bool) -> None:
        """An output switches a motor on or off."""
        motor = self._motor(name)
        motor.on = on
        for entry in motor.due:
            cancel(entry)
        motor.due.clear()
        for after_us, part in SURGE if on else ():
            if after_us == 0:
                motor.surge = part
            else:
                motor.due.append(
                    self._schedule.after(after_us, lambda part=part: self._calms(name, part))  # type: ignore[misc]
                )
        self._show(name)

    def _calms(self, name: str, part: float) -> None:
        self._motor(name).surge = part
        self._show(name)

    def hold(self, name: str, held: bool) -> None:
        """Something keeps the motor from turning, or lets it go."""
        self._motor(name).held = held
        self._show(name)

    def cut(self, name: str, broken: bool) -> None:
        """The motor's wire breaks, or is whole again."""
        self._motor(name).broken = broken
        self._show(name)

    def short(self, name: str, shorted: bool) -> None:
        """The motor's driver conducts whatever the board says, or is a new one."""
        self._motor(name).shorted = shorted
        self._show(name)

    def mend(self) -> None:
        """All motors turn freely, with whole wires and drivers."""
        for name, motor in self._motors.items():
            motor.held = motor.broken = motor.shorted = False
            self._show(name)

    def is_cut(self, name: str) -> bool:
        """Return whether the motor's wire is broken."""
        return self._motor(name).broken

    def is_dead(self, name: str) -> bool:
        """Return whether the motor cannot turn."""
        motor = self._motor(name)
        return motor.broken or motor.held

    def _show(self, name: str) -> None:
        sensor = GROUPS[kind_of(name)]
        total = sum(motor.ma for each, motor in self._motors.items() if GROUPS[kind_of(each)] == sensor)
        millivolt = min(5_000, round(total / MA_PER_MV))
        if self._told.get(sensor) != millivolt:
            self._told[sensor] = millivolt
            self._tell(sensor, millivolt)
