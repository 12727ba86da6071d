"""Which line sits on which pin of the Pi: one row a line.

Pins are BCM numbers, kept clear of I2C (2, 3), SPI (7-11) and the UART (14, 15).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from controller.gpio.port import LineMisused


@dataclass(frozen=True, slots=True)
class LineRow:
    """One line: `bcm` pin, whether a low pin means 1, which internal pull, and its two names.

    `safe` is the logical level of an output when nobody drives it.
    """

    name: str
    direction: Literal["in", "out"]
    bcm: int
    active_low: bool
    pull: Literal["up", "down", "off"]
    zh: str
    en: str
    safe: int = 0


def _key(number: int, bcm: int) -> LineRow:
    names = "一二三四"
    return LineRow(
        f"seat{number}", "in", bcm, True, "up", f"{names[number - 1]}号位座位键", f"seat key, side {number}"
    )


def _lamp(number: int, bcm: int) -> LineRow:
    names = "一二三四"
    return LineRow(
        f"lamp{number}",
        "in",
        bcm,
        True,
        "up",
        f"{names[number - 1]}号位庄灯光敏",
        f"dealer lamp sense, side {number}",
    )


LINES: tuple[LineRow, ...] = (
    # A normally closed contact to ground: an opened contact or a cut cable reads as pressed.
    LineRow("estop", "in", 5, False, "up", "急停回读", "e-stop sense"),
    # Photodiode comparators with open collectors: low means lit.
    _lamp(1, 6),
    _lamp(2, 13),
    _lamp(3, 19),
    _lamp(4, 26),
    # Keys to ground.
    _key(1, 17),
    _key(2, 27),
    _key(3, 22),
    _key(4, 23),
    # A transistor pulls the board's RESET low: an undriven pin lets the board run.
    LineRow("mcu_reset", "out", 24, False, "off", "主控板复位", "board reset"),
)
INPUTS: tuple[str, ...] = tuple(row.name for row in LINES if row.direction == "in")
OUTPUTS: tuple[str, ...] = tuple(row.name for row in LINES if row.direction == "out")
_BY_NAME = {row.name: row for row in LINES}


def line_row(name: str) -> LineRow:
    """Return the row of a line.

    Raises:
        LineMisused: if there is no such line.

    >>> line_row("seat1").bcm
    17
    """
    row = _BY_NAME.get(name)
    if row is None:
        raise LineMisused(f"no such line: {name}")
    return row
