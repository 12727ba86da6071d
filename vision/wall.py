"""How many wall stacks are left in front of each side, from the backs seen in its wall strip."""

from __future__ import annotations

from collections.abc import Sequence

from .table import geometry
from .tiles import Spot

STACK_HEIGHT_MM = 44.0
"""Top of a full stack: two tiles."""
OFF_LINE_MM = 16.0
"""A back farther from the wall's line than this is no wall tile; a lone lower tile lies up to 8 mm off."""


def count_stacks(places: Sequence[tuple[float, float, Spot]]) -> tuple[int, float]:
    """Return the stacks of one side and the least score, from (local x, local y, spot) of its strip."""
    plan = geometry()["wall"]
    reach = max(float(plan["first_x"]), float(plan["first_x_18"])) + 15.0
    found = [
        spot
        for x, y, spot in places
        if spot.is_back
        and abs(y - float(plan["y"])) <= OFF_LINE_MM
        and abs(x) <= reach
        and not 45 < spot.axis_deg < 135
    ]
    return len(found), min((spot.score for spot in found), default=1.0)
