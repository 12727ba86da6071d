"""Ledgers for tests: recorded hands as facts, and exported ledgers put back into a file as they were."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from controller.facts import Fact
from controller.journal import Journal

OLD = Path(__file__).parent / "old_ledgers"
"""Exports (`journal export`) made by the code of the version in their names; they are never made anew."""
RECORDED = OLD / "0.1.0-mcr.jsonl"
"""One hand that the twin played: its first row starts the game."""


def exported(file: Path) -> list[dict[str, Any]]:
    """Return the rows of an export."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def start_facts() -> list[Fact]:
    """Return the facts that start the recorded game."""
    row = exported(RECORDED)[0]
    return [Fact(row["kind"], row["body"])]


def hand_facts(hand: int) -> Iterator[Fact]:
    """Yield the facts of the recorded hand, numbered otherwise."""
    for row in exported(RECORDED)[1:]:
        body = (
            row["body"]
            if "hand" not in row["body"] or row["kind"] == "hand_read"
            else {**row["body"], "hand": hand}
        )
        yield Fact(row["kind"], body)


def put_back(file: Path, path: Path) -> list[dict[str, Any]]:
    """Write an export into a new ledger at `path`, row by row as it was sealed; return its rows."""
    Journal(path).close()
    rows = exported(file)
    with sqlite3.connect(path) as db:
        for row in rows:
            body = json.dumps(row["body"], ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
            values = [row["seq"], row["at_mono"], row["at_utc"], int(row["clock_ok"]), row["kind"], body]
            values += [bytes.fromhex(row["prev_hash"]), bytes.fromhex(row["hash"])]
            db.execute("INSERT INTO journal VALUES (?,?,?,?,?,?,?,?)", values)
    db.close()
    return rows
