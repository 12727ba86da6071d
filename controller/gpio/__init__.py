"""The Pi's own lines: e-stop sense, dealer lamp sense, seat keys, board reset.

Slow and safety-independent: the hard stop loop is wired, the firmware stops motors by itself.
"""

from controller.gpio.lines import INPUTS, LINES, OUTPUTS, LineRow, line_row
from controller.gpio.port import EdgeCallback, GpioError, GpioPort, LineMisused, PortUnavailable

__all__ = [
    "INPUTS",
    "LINES",
    "OUTPUTS",
    "EdgeCallback",
    "GpioError",
    "GpioPort",
    "LineMisused",
    "LineRow",
    "PortUnavailable",
    "line_row",
]
