"""What the dice showed in this hand, to the players' own eyes, beside what the screen took from them."""

from __future__ import annotations

from collections.abc import Callable

from hardware.twin.robots.script import Screen
from rules.seats import Seat

Pips = tuple[int, int]


class ThrowBook:
    """Keeps the throws that count; `tell` hears every throw that the table looked at, read or not.

    A throw that nobody could read is thrown again (or its pips are typed in: then it counts after all). One
    that a fault cut short was never looked at and is not told.
    """

    def __init__(self, tell: Callable[[Seat, Pips], None]) -> None:
        self._tell = tell
        self.counted: list[tuple[Seat, Pips]] = []
        self._lying: tuple[Seat, Pips] | None = None
        self._is_told = True

    def forget(self) -> None:
        """A new hand begins."""
        self.counted, self._lying, self._is_told = [], None, True

    @property
    def lying(self) -> tuple[Seat, Pips] | None:
        """The last throw, until it counts."""
        return None if (self.counted and self._lying is self.counted[-1]) else self._lying

    def remember(self) -> None:
        """The last throw counts although no screen took it: the players saw it."""
        if self.lying is not None:
            self._tell_once()
            self.counted.append(self.lying)

    def thrown(self, seat: Seat, pips: Pips) -> None:
        """The dice lie still."""
        self._lying, self._is_told = (seat, pips), False

    def look(self, screen: Screen) -> None:
        """Look whether the screen took the last throw, or asks for another."""
        if self._lying is None:
            return
        taken = len((screen.get("dice") or {}).get("throws") or ()) > len(self.counted)
        asked = screen.get("phase") == "DICE" and screen.get("step") == "ask"
        if taken or asked:
            self._tell_once()
        if taken:
            self.counted.append(self._lying)

    def _tell_once(self) -> None:
        if self._lying is not None and not self._is_told:
            self._is_told = True
            self._tell(*self._lying)
