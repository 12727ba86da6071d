"""The pin map of the board (hardware/wiring/devices.toml) as the plant uses it: devices by id and by pin."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Device:
    """One wired thing; `level` tells the pin level that means on or off."""

    id: str
    port: str
    bit: int
    is_input: bool
    kind: str
    active_high: bool
    side: int

    def level(self, on: bool) -> int:
        """Return the level at the pin when the device is on (blocked, pressed, running) or off."""
        return int(on == self.active_high)


@dataclass(frozen=True)
class Wiring:
    """All devices."""

    devices: dict[str, Device]
    by_pin: dict[tuple[str, int], Device]
    analog: dict[str, tuple[int, int]]
    """Channel of the converter and healthy voltage in mV of the analog inputs."""

    @property
    def inputs(self) -> list[Device]:
        """The devices that the board reads."""
        return [device for device in self.devices.values() if device.is_input]

    @property
    def outputs(self) -> list[Device]:
        """The devices that the board drives."""
        return [device for device in self.devices.values() if not device.is_input]


@cache
def load_wiring() -> Wiring:
    """Return the pin map, read once."""
    text = files("hardware").joinpath("wiring", "devices.toml").read_text(encoding="utf-8")
    every = [row for group in tomllib.loads(text)["devices"].values() for row in group]
    rows = [row for row in every if row["kind"] != "analog"]
    devices = {
        row["id"]: Device(
            row["id"],
            row["port"],
            row["bit"],
            row["direction"] == "in",
            row["kind"],
            row["active"] == "high",
            row["side"],
        )
        for row in rows
    }
    analog = {row["id"]: (row["channel"], row["healthy_mv"]) for row in every if row["kind"] == "analog"}
    return Wiring(devices, {(device.port, device.bit): device for device in devices.values()}, analog)
