"""Faults and stops of the past, from a ledger on this machine: only read, the service may run."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.config import journal_path
from controller.diag.errors import DiagError
from controller.errors import JournalError
from controller.facts import Record
from controller.journal import read_records

LAST = 20
STOP = "stop"
"""Key of a stop that somebody asked for: it latches as a fault does, and nothing is broken."""


@dataclass(frozen=True, slots=True)
class Past:
    """What a ledger tells, newest first, each with at (UTC), code, key, side; None if it cannot be read."""

    ledger: Path
    faults: tuple[dict[str, Any], ...] | None
    stops: tuple[dict[str, Any], ...] | None

    def as_json(self) -> dict[str, Any]:
        """Return plain values; `past` are the faults."""
        return {"ledger": str(self.ledger), "past": self.faults, "stops": self.stops}


def past_of(data: Path, last: int = LAST) -> Past:
    """Return the last faults and the last stops of the ledger in a data folder.

    Raises:
        DiagError: if the ledger is damaged.
    """
    path = journal_path(data)
    if not os.access(path, os.R_OK):
        return Past(path, None, None)
    try:
        rows = [_row(record) for record in read_records(path) if _is_fault(record)]
    except JournalError as error:
        raise DiagError("ledger", f"账本读不了：{error}", f"the ledger cannot be read: {error}") from error
    rows.reverse()
    faults, stops = ([row for row in rows if (row["key"] == STOP) is stop] for stop in (False, True))
    return Past(path, _first(faults, last), _first(stops, last))


def _first(rows: Iterable[dict[str, Any]], count: int) -> tuple[dict[str, Any], ...]:
    return tuple(rows)[:count]


def _is_fault(record: Record) -> bool:
    return record.kind == "fault" or (record.kind == "machine_event" and record.body.get("event") == "fault")


def _row(record: Record) -> dict[str, Any]:
    return {
        "at": record.at_utc,
        "code": int(record.body.get("code", 0)),
        "key": str(record.body.get("key", "")).removeprefix("fault."),
        "side": int(record.body.get("side", 0)),
    }
