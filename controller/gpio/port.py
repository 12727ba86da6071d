"""Six methods stand between us and any GPIO library; levels are logical, names are those of `LINES`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from controller.errors import ControllerError

EdgeCallback = Callable[[str, int], None]
"""Called with line and new level, from the port's own thread; it must hand over and return."""


class GpioError(ControllerError):
    """Base of what a port raises."""


class LineMisused(GpioError, ValueError):
    """The caller named a wrong line, or used it before it was set up or against its direction."""


class PortUnavailable(GpioError, OSError):
    """The lines cannot be reached: no chip, no permission, the other end is gone."""


class GpioPort(Protocol):
    """One set of lines. An implementation filters no bounce: `controller` does, the same for every port.

    Every method raises `LineMisused` for an unknown, wrong or not set up line, and `PortUnavailable`
    when the lines are gone or closed.
    """

    def setup_in(self, line: str) -> None:
        """Make an input of the line, with the pull of its row."""

    def setup_out(self, line: str, level: int) -> None:
        """Make an output of the line, driven to `level` from its first moment."""

    def read(self, line: str) -> int:
        """Return the level, 0 or 1: an input's now, an output's as last written."""

    def write(self, line: str, level: int) -> None:
        """Drive an output."""

    def on_edge(self, line: str, callback: EdgeCallback) -> None:
        """Call back at every change of an input; the last call always tells the level that stayed."""

    def close(self) -> None:
        """Leave outputs at their safe level and let go; twice is harmless."""
