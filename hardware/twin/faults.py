"""Faults by name: what is broken on the table, at once or when the hand reaches a stage, and what mends it.

A fault is a word with an optional side (`jam:2`) and parameters. In a faults file every line is a JSON object
`{"name": "jam:2", "hand": 1, "when": "building:build", "after_ms": 3000, ...}`; without `hand` and `when`
it strikes `at_ms` (virtual time, default 0).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.twin.plant.breakage import BREAKS, COUNTS, LEVELS, ONE_SIDE
from hardware.twin.programs import PROGRAMS

NAMES = (
    *BREAKS,
    *PROGRAMS,
    "slow_adapter",
    "wrong_baud",
    "adapter_back",
    "overrun",
    "hang",
    "reset",
    "brownout",
    "camera_freeze",
    "camera_gone",
    "camera_back",
    "camera_knock",
    "camera_turned",
    "camera_straight",
    "unplug",
    "plug",
    "mend",
)
WITH_SIDE = tuple(ONE_SIDE)
LONGEST_MS = 24 * 3600 * 1000
MOST_HANDS = 1_000_000
_RANGES = {
    "hand": (1, MOST_HANDS),
    "after_ms": (0, LONGEST_MS),
    "at_ms": (0, LONGEST_MS),
    "for_ms": (1, LONGEST_MS),
}
KEYS = ("op", "name", "side", "when", "level", "count", *_RANGES)


class UnknownFault(ValueError):
    """No fault has this name, or something it needs is missing or impossible."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault to strike."""

    name: str
    side: int = 0
    hand: int | None = None
    when: str | None = None
    after_ms: int = 0
    at_ms: int = 0
    for_ms: int | None = None
    """After this long it goes away by itself (cable, adapter, program, camera)."""
    level: float | None = None
    """How much of it (dirt, light), 0 to 1."""
    count: int | None = None
    """How many tiles (missing_tile, mixed_set)."""


def parse_fault(row: Mapping[str, Any]) -> Fault:
    """Return the fault of a JSON object.

    >>> parse_fault({"name": "jam:2"}).side
    2
    """
    if not isinstance(row.get("name"), str):
        raise UnknownFault("a fault needs a name")
    name, _, side_text = row["name"].partition(":")
    if name not in NAMES:
        raise UnknownFault(f"unknown fault {name!r}: one of {', '.join(NAMES)}")
    unknown = sorted(str(key) for key in row if key not in KEYS)
    if unknown:
        raise UnknownFault(f"{name} has no {unknown[0]!r}: one of {', '.join(KEYS)}")
    when = row.get("when")
    if when is not None and not isinstance(when, str):
        raise UnknownFault(f"when is a stage of the hand, not {when!r}")
    numbers = {
        key: _number(key, row[key], least, most)
        for key, (least, most) in _RANGES.items()
        if row.get(key) is not None
    }
    return Fault(
        name,
        _side(name, side_text, row.get("side")),
        numbers.get("hand"),
        when,
        numbers.get("after_ms", 0),
        numbers.get("at_ms", 0),
        numbers.get("for_ms"),
        _level(name, row.get("level")),
        _tiles(name, row.get("count")),
    )


def _side(name: str, text: str, given: object) -> int:
    """Return the side of a fault, 0 for one that has none."""
    if text:
        given = int(text) if text.isascii() and text.isdecimal() else text
    if name not in WITH_SIDE:
        if given not in (None, 0):
            raise UnknownFault(f"{name} has no side, not even {given!r}")
        return 0
    return 1 if given is None else _number(f"{name} needs a side: it", given, 1, 4)


def _level(name: str, given: object) -> float | None:
    if given is None:
        return None
    if name not in LEVELS:
        raise UnknownFault(f"{name} has no level: one of {', '.join(LEVELS)} has")
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= 1:
        raise UnknownFault(f"level is a number from 0 to 1, not {given!r}")
    return float(given)


def _tiles(name: str, given: object) -> int | None:
    if given is None:
        return None
    if name not in COUNTS:
        raise UnknownFault(f"{name} has no count: one of {', '.join(COUNTS)} has")
    return _number("count", given, 1, COUNTS[name][0])


def _number(key: str, value: object, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise UnknownFault(f"{key} is a whole number from {least} to {most}, not {value!r}")
    return value


def read_faults(path: Path) -> list[Fault]:
    """Return the faults of a file of JSON lines; blank lines and those beginning with # are skipped.

    Raises:
        UnknownFault: with the number of the line, for one that is no fault.
    """
    faults = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            row = json.loads(line)
            if not isinstance(row, dict):
                raise UnknownFault("a fault is a JSON object")
            faults.append(parse_fault(row))
        except (ValueError, RecursionError) as error:
            raise UnknownFault(f"{path}, line {number}: {error}") from error
    return faults
