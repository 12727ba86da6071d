"""Names of the bits that STATUS carries, from the pin map hardware/wiring/devices.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

SERVICE_CODE_MOST = 9_999
"""The most that the board keeps as its service code (hardware/firmware/core/config.c)."""


@cache
def _groups() -> Mapping[str, list[dict[str, Any]]]:
    text = files("hardware").joinpath("wiring/devices.toml").read_text("utf-8")
    groups: Mapping[str, list[dict[str, Any]]] = tomllib.loads(text)["devices"]
    return groups


def device_rows(*groups: str) -> tuple[dict[str, Any], ...]:
    """Return the rows of groups of the pin map (sensors, keys, actuators, lamps), in its order."""
    return tuple(row for group in groups for row in _groups().get(group, ()))


@cache
def _table() -> Mapping[str, tuple[tuple[int, str], ...]]:
    """Return (status bit, device id) by field: sensors, keys, actuators."""
    return {
        name: tuple((int(row["status"]), str(row["id"])) for row in device_rows(name))
        for name in ("sensors", "keys", "actuators")
    }


def named_bits(field: str, word: int) -> dict[str, bool]:
    """Return every device of a STATUS field (sensors, keys, actuators) with its state."""
    return {name: bool(word >> bit & 1) for bit, name in _table()[field]}
