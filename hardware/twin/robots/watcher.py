"""Robots in front of the page: what it shows, whose turn it is, and the keys that are a guest's to press."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hardware.twin.robots.people import People
from hardware.twin.robots.script import Screen, Until
from hardware.twin.table.layout import TableTop
from rules.hand import MeldKind
from rules.seats import ALL_SEATS, Seat
from rules.situation import Kong

S = 1_000_000
GUEST_US = 24 * 3600 * S
"""A guest at the page takes all the time in the world."""

Where = tuple[Any, Any, Any]


def where(screen: Screen) -> Where:
    """Return the place in the course of a hand that a screen shows."""
    return screen.get("hand"), screen.get("phase"), screen.get("step")


def kongs_shown(screen: Screen, kong: Kong) -> int:
    """Count what may be this kong on the screen of all four, where a concealed one lies face down."""
    tiles = [each["tile"] for each in screen.get("kongs") or () if each["seat"] == kong.seat.value]
    is_down = kong.kind is MeldKind.CONCEALED_KONG
    return sum(tile == str(kong.tile) or (tile is None and is_down) for tile in tiles)


class Watcher:
    """What the robots see on the page, and how they answer it."""

    def __init__(self, top: TableTop, people: People, look: Callable[[], Screen], guest: int | None) -> None:
        self._top, self._people = top, people
        self._look, self._guest = look, guest
        self._here: Where = (None, None, None)  # where the act of now began
        self.stage = ""
        self.on_stage: Callable[[str], None] = lambda stage: None

    def _at(self, stage: str) -> None:
        """Tell that the hand reached a stage (faults can be armed for it)."""
        self.stage = stage
        self.on_stage(stage)

    # ---- looking at the screen ----

    @property
    def hand(self) -> int:
        """Return the number of the hand on the screen."""
        return int(self._look().get("hand") or 0)

    @property
    def _screen(self) -> Screen:
        return self._look()

    def _sides(self) -> dict[Seat, int]:
        seats = self._screen.get("seats") or {}
        return {seat: int(seats.get(seat.value, {}).get("side", seat.index + 1)) for seat in ALL_SEATS}

    def _side(self, seat: Seat) -> int:
        return self._sides()[seat]

    def _moves_on(self, limit_us: int) -> Until:
        """Wait until the screen shows another place in the course."""
        here = where(self._screen)
        return Until(lambda screen: where(screen) != here, limit_us)

    def _has_moved_on(self) -> bool:
        """Return whether the screen has left the place at which this act began: somebody was quicker."""
        return where(self._screen) != self._here

    # ---- the guest: a person at the page, whose robot only moves the wood ----

    def _is_guest(self, seat: Seat | None) -> bool:
        return seat is not None and self._guest is not None and self._side(seat) == self._guest

    def _wait_for_guest(self, limit_us: int = GUEST_US) -> Until:
        """Wait until the page has brought the hand on from where the act began, or something broke.

        The guest may have been quicker than the robot's own pause: then there is nothing to wait for.
        """
        here, broken = self._here, bool(self._screen.get("fault"))
        return Until(lambda screen: (where(screen), bool(screen.get("fault"))) != (here, broken), limit_us)

    def _guest_is_asked(self) -> bool:
        """Return whether the screen asks the guest's side (alone or with others) to do something."""
        asked = {act.get("side") for act in self._screen.get("act") or ()}
        return self._guest is not None and self._guest in asked

    def _lift_key(self, key: str) -> Until:
        """Press a lift key, or leave it to the guest whose side is asked. Then wait for what it brings."""
        if self._has_moved_on() or self._guest_is_asked():
            return self._wait_for_guest()
        self._people.press_lift(key)
        return self._moves_on(5 * S)

    def _short_key(self, seat: Seat, limit: Until) -> Until:
        """Tap the seat key of a seat; the guest's is left to the page. Then wait for what it brings."""
        if self._is_guest(seat):
            return self._wait_for_guest()
        self._people.press_short(self._side(seat))
        return limit
