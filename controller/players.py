"""Names of players, apart from the ledger, so that a name can be erased and the ledger stays whole."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

from controller.errors import ControllerError

NAME_MAX = 24


def clean_name(name: str) -> str:
    """Return a name without spaces around it.

    Raises:
        ValueError: if it is empty or longer than 24 characters.
    """
    name = " ".join(name.split())
    if not 0 < len(name) <= NAME_MAX:
        raise ValueError(f"a name has 1 to {NAME_MAX} characters")
    return name


class Players:
    """An erasable table of player id -> name."""

    def __init__(self, path: Path | str) -> None:
        """Open or create the table at `path`."""
        file = Path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        try:
            self._db = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA secure_delete=ON")
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS players (id TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID"
            )
        except sqlite3.DatabaseError as error:
            raise ControllerError(f"{file}: the names cannot be read ({error})") from error

    def names(self) -> dict[str, str]:
        """Return all names by player id."""
        with self._lock:
            return dict(self._db.execute("SELECT id, name FROM players ORDER BY id").fetchall())

    def rename(self, player: str, name: str) -> None:
        """Set a name; surrounding spaces are dropped.

        Raises:
            ValueError: if it is empty or longer than 24 characters.
            ControllerError: if it cannot be written.
        """
        name = clean_name(name)
        try:
            with self._lock:
                self._db.execute("INSERT OR REPLACE INTO players VALUES (?, ?)", (player, name))
        except sqlite3.Error as error:
            raise ControllerError(f"the name cannot be written ({error})") from error

    def erase(self, player: str) -> None:
        """Forget a name."""
        with self._lock:
            self._db.execute("DELETE FROM players WHERE id = ?", (player,))

    def close(self) -> None:
        """Close the file."""
        self._db.close()
