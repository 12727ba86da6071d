"""Photos of revealed hands: files named by the SHA-256 of their content, erasable, never in the ledger."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

_SHA = re.compile(r"[0-9a-f]{64}")


class EvidenceStore:
    """A folder of JPEG files."""

    def __init__(self, folder: Path | str, *, is_low: Callable[[], bool] = lambda: False) -> None:
        """Use `folder`, making it if needed; nothing new is kept while `is_low` says that the disk is."""
        self._is_low = is_low
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def put(self, content: bytes) -> str:
        """Store the content on disk (whole or not at all) and return its SHA-256 in hex.

        Raises:
            OSError: if it cannot be written, or what is left of the disk is the ledger's.
        """
        sha = hashlib.sha256(content).hexdigest()
        path = self._path(sha)
        if path.exists():
            return sha
        if self._is_low():
            raise OSError(errno.ENOSPC, "the rest of the disk is the ledger's")
        handle, part = tempfile.mkstemp(dir=self.folder, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
        except BaseException:
            Path(part).unlink(missing_ok=True)
            raise
        return sha

    def get(self, sha: str) -> bytes | None:
        """Return the content, or None if there is none of that name (or it was erased)."""
        if not _SHA.fullmatch(sha):
            return None
        try:
            return self._path(sha).read_bytes()
        except FileNotFoundError:
            return None

    def erase(self, sha: str) -> None:
        """Forget one photo; the ledger keeps its hash."""
        if _SHA.fullmatch(sha):
            self._path(sha).unlink(missing_ok=True)

    def _path(self, sha: str) -> Path:
        return self.folder / f"{sha}.jpg"
