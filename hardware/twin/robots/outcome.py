"""How a hand ended, as the players who sat there know it."""

from __future__ import annotations

from dataclasses import dataclass

from rules.hand import Hand
from rules.seats import Seat
from rules.tiles import Tile


@dataclass(frozen=True, slots=True)
class Outcome:
    """A win (`seat`, `by`, `source`, `hand`, `win_number` = tile object) or, with no seat, a drawn hand."""

    dealer: Seat
    seat: Seat | None = None
    by: str | None = None
    source: Seat | None = None
    hand: Hand | None = None
    win_number: int | None = None
    flags: tuple[str, ...] = ()
    points: dict[str, int | float] | None = None
    flowers: tuple[Tile, ...] = ()
    round_wind: Seat = Seat.E
    next_dealer: Seat | None = None
    """Who deals after a win."""
