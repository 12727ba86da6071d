"""Faults of the past, from the ledger: it is only read, the service may be running."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from controller.config import journal_path
from controller.diag.errors import DiagError
from controller.errors import JournalError
from controller.journal import read_records

LAST = 20


def past_faults(data: Path, last: int = LAST) -> list[dict[str, Any]] | None:
    """Return the last faults, newest first: at (UTC), code, key, side; None if there is no ledger to read.

    Raises:
        DiagError: if the ledger is damaged.
    """
    path = journal_path(data)
    if not os.access(path, os.R_OK):
        return None
    try:
        records = read_records(path)
    except JournalError as error:
        raise DiagError("ledger", f"账本读不了：{error}", f"the ledger cannot be read: {error}") from error
    found = [
        {
            "at": record.at_utc,
            "code": int(record.body.get("code", 0)),
            "key": str(record.body.get("key", "")).removeprefix("fault."),
            "side": int(record.body.get("side", 0)),
        }
        for record in records
        if record.kind == "fault" or (record.kind == "machine_event" and record.body.get("event") == "fault")
    ]
    return found[: -last - 1 : -1]
