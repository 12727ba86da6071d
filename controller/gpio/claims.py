"""What a port has set up: the checks that are the same for every port."""

from __future__ import annotations

from controller.gpio.lines import LineRow, line_row
from controller.gpio.port import LineMisused, PortUnavailable


class Claims:
    """Remembers set up lines and refuses misuse by name."""

    def __init__(self) -> None:
        self.lines: set[str] = set()
        self.closed = False

    def claim(self, line: str, direction: str) -> LineRow:
        """Note that the line is set up; return its row."""
        row = self._row(line)
        if row.direction != direction:
            raise LineMisused(f"{line} is an {row.direction}put")
        self.lines.add(line)
        return row

    def need(self, line: str, direction: str | None = None) -> LineRow:
        """Return the row of a line that is set up, in `direction` if given."""
        row = self._row(line)
        if line not in self.lines:
            raise LineMisused(f"{line} is not set up")
        if direction is not None and row.direction != direction:
            raise LineMisused(f"{line} is an {row.direction}put")
        return row

    def outputs(self) -> list[LineRow]:
        """Return the rows of the outputs that are set up."""
        return [row for row in map(line_row, sorted(self.lines)) if row.direction == "out"]

    def _row(self, line: str) -> LineRow:
        if self.closed:
            raise PortUnavailable("the port is closed")
        return line_row(line)


def need_level(level: int) -> int:
    """Return the level if it is 0 or 1."""
    if level not in (0, 1):
        raise LineMisused(f"a level is 0 or 1, not {level}")
    return level
