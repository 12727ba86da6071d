"""The record of what really happened, one JSON object a line: end-to-end tests compare the ledger with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO, Any


class Truth:
    """Appends to a file when there is one and always keeps the rows of this run."""

    def __init__(self, path: Path | None = None) -> None:
        self._file: IO[str] | None = None if path is None else path.open("a", encoding="utf-8")
        self.rows: list[dict[str, Any]] = []

    def write(self, hand: int, kind: str, **body: Any) -> None:
        """Add a row; it is on disk when this returns."""
        row = {"hand": hand, "kind": kind, **body}
        self.rows.append(row)
        if self._file is not None:
            self._file.write(json.dumps(row, ensure_ascii=False) + "\n")
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
