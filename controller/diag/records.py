"""What the board keeps over power cuts: its faults, and what it has done in its life."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controller.diag.answers import Answer
from controller.diag.desk import Desk
from controller.diag.serving import motors
from controller.questions import MOTORS_TOLD
from firmware_bridge.faults import FAULTS

TRIES = 3
"""A fault that comes while the log is read shifts all records by one: then it is read anew."""


@dataclass(frozen=True, slots=True)
class LoggedFault:
    """One fault: which start of the board it came in, and how long after that start."""

    code: int
    key: str | None
    name_zh: str | None
    name_en: str | None
    side: int
    detail: int
    boot: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class FaultLog(Answer):
    """The records that are whole, newest first, and how many of the memory are damaged."""

    faults: tuple[LoggedFault, ...]
    damaged: int


@dataclass(frozen=True, slots=True)
class Statistics(Answer):
    """Sums over the life of the board's memory; jams by side, seconds that each motor has run by its id."""

    builds: int
    tiles: int
    lifts: int
    throws: int
    faults: int
    boots: int
    jams: tuple[int, ...]
    motor_seconds: Mapping[str, int]


def fault_log(desk: Desk) -> FaultLog:
    """Return the faults that the board remembers.

    Raises:
        DiagError: if it is not answered.
    """
    first = desk.told("fault_log", 0)
    for _ in range(TRIES):
        rows = [first, *(desk.told("fault_log", index) for index in range(1, first["count"]))]
        before, first = first, desk.told("fault_log", 0)
        if first == before:
            break
    whole = tuple(_logged(row) for row in rows if row["code"])
    return FaultLog(desk.kind, desk.place, whole, rows[0]["damaged"])


def _logged(row: Mapping[str, Any]) -> LoggedFault:
    known = FAULTS.get(row["code"])
    key, zh, en = (known.key, known.zh, known.en) if known else (None, None, None)
    return LoggedFault(row["code"], key, zh, en, row["side"], row["detail"], row["boot_count"], row["at_ms"])


def statistics(desk: Desk) -> Statistics:
    """Return what the machine has done.

    Raises:
        DiagError: if it is not answered.
    """
    told = desk.told("statistics")
    seconds = [each for first in (0, MOTORS_TOLD) for each in desk.told("motor_seconds", first)["seconds"]]
    ran = {row["id"]: seconds[row["status"]] for row in motors()}
    return Statistics(desk.kind, desk.place, **{**told, "jams": tuple(told["jams"])}, motor_seconds=ran)
