"""Parts of the live table: what goes through its mailbox, what it shows, what it reaches of the world."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from controller.effects import TakePhoto
from controller.errors import ControllerError
from controller.history import History
from controller.projections import history_view
from controller.seen import photos_of
from controller.sheet_views import SCORE_VIEWS
from controller.state import TableState
from controller.timers import as_of


class Stopping(ControllerError, RuntimeError):
    """The service ends: nothing new is taken."""


class Devices(Protocol):
    """The world as the brain thread reaches it; nothing here waits."""

    def send(self, data: bytes) -> None:
        """Write bytes to the board."""

    def take_photo(self, want: TakePhoto) -> None:
        """Take and read a photo; the answer comes through the mailbox."""

    def set_line(self, line: str, level: int) -> None:
        """Drive an output line."""


class Nothing:
    """No devices yet."""

    def send(self, data: bytes) -> None:
        """See `Devices.send`."""

    def take_photo(self, want: TakePhoto) -> None:
        """See `Devices.take_photo`."""

    def set_line(self, line: str, level: int) -> None:
        """See `Devices.set_line`."""


@dataclass(frozen=True, slots=True)
class Named:
    """Players are called otherwise from now on: names by player id. Nothing for the brain or the ledger."""

    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What is shown, whole and never changed afterwards."""

    seq: int
    state: Mapping[str, Any] = field(default_factory=dict)
    machine: Mapping[str, Any] = field(default_factory=dict)
    history: History = field(default_factory=History)
    table: TableState = field(default_factory=TableState)
    names: Mapping[str, str] = field(default_factory=dict)

    def view(self, name: str) -> Mapping[str, Any]:
        """Return a view by name, see `web.service.Service.view`."""
        match name:
            case "state":
                return as_of(self.state, monotonic_ms())
            case "machine":
                return self.machine
            case "photos":
                return photos_of(self.table, self.history.rows)
            case "history":
                return dict(history_view(self.history.rows, total=self.history.total))
        return SCORE_VIEWS[name](self.table, self.names)

    def without_room(self) -> Snapshot:
        """Return what is shown while the ledger cannot be written: all as it was, and why nothing moves."""
        health = {**self.state.get("health", {}), "ledger": "full"}
        return replace(self, state={**self.state, "health": health})


def monotonic_ms() -> int:
    """Return the steady clock in milliseconds."""
    return time.monotonic_ns() // 1_000_000
