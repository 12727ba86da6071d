"""The four players' hands and mouths: keys they can press and things they can say on the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hardware.twin.plant.plant import Plant

SHORT_US = 180_000
LONG_US = 1_250_000
"""A second and a bit: the service takes one second of holding for a long press."""

Post = Callable[[str, dict[str, Any]], None]


class People:
    """What robots can do to the table besides moving tiles."""

    def __init__(self, plant: Plant, post: Post) -> None:
        self._plant = plant
        self.post = post

    def press_lift(self, key: str = "lift_a") -> None:
        """Press one of the two lift keys."""
        self._plant.press_key(key)

    def press_dice(self, side: int) -> None:
        """Press the dice key of a side."""
        self._plant.press_key(f"dice_{side}")

    def press_short(self, side: int) -> None:
        """Tap the seat key of a side."""
        self._plant.press_seat(side, SHORT_US)

    def press_long(self, side: int) -> None:
        """Hold the seat key of a side."""
        self._plant.press_seat(side, LONG_US)
