"""Errors of the controller: one base, split by what the caller can do."""

from __future__ import annotations

from typing import Any


class ControllerError(Exception):
    """Base of everything this package raises on purpose."""


class Refused(ControllerError, ValueError):
    """An input makes no sense now; `code` is for the catalogue, `params` fill its text."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


class JournalError(ControllerError):
    """Base of the journal's errors."""


class JournalBusy(JournalError, PermissionError):
    """Another process writes this journal: stop it first."""


class JournalDamaged(JournalError, ValueError):
    """The file is not a whole journal: restore a backup, or look at `journal verify`."""


class JournalFull(JournalError, OSError):
    """Nothing can be written (disk full or read-only): nothing was lost, make room and start again."""
