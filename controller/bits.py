"""Names of the bits that STATUS carries, from the pin map hardware/wiring/devices.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def _table() -> Mapping[str, tuple[tuple[int, str], ...]]:
    """Return (status bit, device id) by field: sensors, keys, actuators."""
    text = files("hardware").joinpath("wiring/devices.toml").read_text("utf-8")
    groups = tomllib.loads(text)["devices"]
    return {
        name: tuple((int(row["status"]), str(row["id"])) for row in groups.get(name, ()))
        for name in ("sensors", "keys", "actuators")
    }


def named_bits(field: str, word: int) -> dict[str, bool]:
    """Return every device of a STATUS field (sensors, keys, actuators) with its state."""
    return {name: bool(word >> bit & 1) for bit, name in _table()[field]}
