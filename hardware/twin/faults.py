"""Faults by name: what is broken on the table, at once or when the hand reaches a stage, and what mends it.

A fault is a word with an optional side (`jam:2`) and parameters. In a faults file every line is a JSON object
`{"name": "jam:2", "hand": 1, "when": "building:build", "after_ms": 3000, ...}`; without `hand` and `when`
it strikes `at_ms` (virtual time, default 0).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

NAMES = (
    "jam",
    "count_silent",
    "tray_stuck",
    "dome_stuck",
    "hang",
    "reset",
    "brownout",
    "lid_open",
    "lid_close",
    "estop",
    "estop_release",
    "missing_tile",
    "camera_freeze",
    "camera_gone",
    "camera_back",
    "unplug",
    "plug",
    "mend",
)
WITH_SIDE = ("jam", "count_silent", "tray_stuck")


class UnknownFault(ValueError):
    """No fault has this name, or its side is missing or impossible."""


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
    """After this long it goes away by itself (unplug, camera)."""
    parameters: Mapping[str, Any] = field(default_factory=dict)


def parse_fault(row: Mapping[str, Any]) -> Fault:
    """Return the fault of a JSON object.

    >>> parse_fault({"name": "jam:2"}).side
    2
    """
    name, _, side_text = str(row.get("name", "")).partition(":")
    if name not in NAMES:
        raise UnknownFault(f"unknown fault {name!r}: one of {', '.join(NAMES)}")
    side = int(side_text or row.get("side") or (1 if name in WITH_SIDE else 0))
    if name in WITH_SIDE and side not in (1, 2, 3, 4):
        raise UnknownFault(f"{name} needs a side 1-4, not {side}")
    known = {key: row[key] for key in ("hand", "when", "after_ms", "at_ms", "for_ms") if key in row}
    return Fault(name, side, parameters=dict(row), **known)


def read_faults(path: Path) -> list[Fault]:
    """Return the faults of a file of JSON lines; blank lines and those beginning with # are skipped."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [parse_fault(json.loads(line)) for line in lines if line.strip() and not line.startswith("#")]
