"""What one player can see: his own tiles and everything that lies open, nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.hand import Hand
from rules.options import Options
from rules.seats import Seat
from rules.situation import Situation
from rules.tiles import KINDS_WITHOUT_FLOWERS, Tile
from rules.variant import Variant


@dataclass(frozen=True)
class Eyes:
    """The view of one seat. `hand` has the drawn tile apart on the own turn; `open_tiles` are all rivers and
    all melds of the others."""

    seat: Seat
    hand: Hand
    open_tiles: tuple[Tile, ...]
    wall_left: int
    dealer: Seat
    variant: Variant
    options: Options
    flags: frozenset[str] = frozenset()
    extra: Mapping[str, object] = field(default_factory=dict)
    round_wind: Seat = Seat.E
    flowers: tuple[Tile, ...] = ()
    """The own flowers, laid aside."""

    def situation(self, flags: frozenset[str] = frozenset()) -> Situation:
        """Return the circumstances as the rules ask for them."""
        return Situation(
            self.dealer,
            options=self.options,
            flags=flags,
            wall_left=self.wall_left,
            round_wind=self.round_wind,
        )

    def seen(self) -> list[int]:
        """Return counts of the 34 kinds that this player sees anywhere."""
        counts = [0] * KINDS_WITHOUT_FLOWERS
        for tile in (*self.hand.tiles, *self.open_tiles):
            if tile.index < KINDS_WITHOUT_FLOWERS:
                counts[tile.index] += 1
        return counts
