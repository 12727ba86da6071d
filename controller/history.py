"""The last hands of the ledger as rows: what the history page shows, without keeping the rows of years."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from controller.facts import Record

HANDS_KEPT = 20
"""Hands that the history page shows."""
KINDS_KEPT = frozenset({"game_started", "settled", "result_undone", "result_corrected", "players_swapped"})
"""Hands, the games they belong to, and what was corrected in them."""


@dataclass(frozen=True, slots=True)
class History:
    """`total` hands were settled; `rows` holds the last `HANDS_KEPT` of them and their games, in order."""

    total: int = 0
    rows: tuple[Record, ...] = ()


def remembered(history: History, records: Iterable[Record]) -> History:
    """Return the history after more rows of the ledger."""
    total, rows = history.total, list(history.rows)
    for record in records:
        if record.kind in KINDS_KEPT:
            rows.append(record)
            total += record.kind == "settled"
        if len(rows) > 4 * HANDS_KEPT:
            rows = _trimmed(rows)
    return History(total, tuple(_trimmed(rows)))


def _trimmed(rows: list[Record]) -> list[Record]:
    """Return the rows from the first hand kept on, behind the row of the game it belongs to."""
    settled = [at for at, record in enumerate(rows) if record.kind == "settled"]
    first = settled[-HANDS_KEPT] if len(settled) >= HANDS_KEPT else 0
    games = [record for record in rows[:first] if record.kind == "game_started"]
    return games[-1:] + rows[first:]
