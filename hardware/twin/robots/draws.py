"""Dice before a hand, to the players' own eyes: for seats, or for who deals; and who then sits where."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hardware.twin.robots.script import Screen
from hardware.twin.robots.throws import Pips, ThrowBook
from rules.seating import Tied, reseat_by_dice, seat_by_dice, seating
from rules.seats import ALL_SEATS, Seat

SEATS, NEW_SEATS = "seats", "new_seats"


class Draws:
    """Keeps throws and places. `places` is who sits at each seat: p1 to p4 as they came to sides 1 to 4."""

    def __init__(self, tell: Callable[[Seat, Pips], None]) -> None:
        self._book = ThrowBook(tell)
        self._is_done = True
        self.places = {seat: f"p{seat.index + 1}" for seat in ALL_SEATS}

    @staticmethod
    def is_on(screen: Screen) -> bool:
        """Return whether the screen asks for a throw before a hand."""
        return bool((screen.get("draw") or {}).get("thrower"))

    @staticmethod
    def found_seats(screen: Screen) -> bool:
        """Return whether seats were thrown for in this game."""
        return (screen.get("draw") or {}).get("what") in (SEATS, NEW_SEATS)

    def thrown(self, seat: Seat, pips: Pips) -> None:
        """The dice lie still."""
        self._book.thrown(seat, pips)

    def look(self, screen: Screen) -> None:
        """Look what the screen took of the last throw; once all are thrown, sit down where they say."""
        draw: Mapping[str, Any] = screen.get("draw") or {}
        if not draw:
            return
        if len(draw["throws"]) < len(self._book.counted):
            self._book.forget()  # another draw
        if draw["thrower"]:
            self._is_done = False
        self._book.look({**screen, "dice": draw})
        if not draw["thrower"] and not self._is_done:
            self._is_done = True
            self._sit(str(draw["what"]))

    def move(self, moves: Mapping[str, str]) -> None:
        """Everybody goes where the screen asks him to."""
        self.places = {Seat(to): self.places[Seat(seat)] for seat, to in moves.items()}

    def _sit(self, what: str) -> None:
        sums = [(seat.value, sum(pips)) for seat, pips in self._book.counted]
        if what == SEATS:
            tie = "rethrow" if len(sums) > len(ALL_SEATS) else "earlier_higher"
            took = seat_by_dice(sums[: len(ALL_SEATS)], tie=tie, rethrows=sums[len(ALL_SEATS) :])
        elif what == NEW_SEATS:
            now = seating([seat.value for seat in ALL_SEATS])
            took = reseat_by_dice(now, sums[0][0], sums[0][1], "ccw")
        else:
            return
        if not isinstance(took, Tied):
            self.move({player: seat.value for seat, player in took.items()})
