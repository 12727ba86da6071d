"""What lies on the table, by tile number: hands, melds, rivers, a laid-out hand, a heap in the middle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hardware.twin.plant.plant import SIDES, Plant
from hardware.twin.plant.tiles import TABLE
from rules.hand import Hand, Meld, MeldKind
from rules.tiles import Tile


@dataclass(slots=True)
class TableMeld:
    """A declared set of tile objects; the claimed one is named, `source` as in the rules."""

    kind: MeldKind
    numbers: list[int]
    source: int | None
    claimed: int | None = None


@dataclass(slots=True)
class Place:
    """What one player has before him."""

    concealed: list[int] = field(default_factory=list)
    drawn: int | None = None
    melds: list[TableMeld] = field(default_factory=list)
    river: list[int] = field(default_factory=list)
    flowers: list[int] = field(default_factory=list)
    laid: int | None = None
    """The winning tile when the hand lies open, None while it stands."""
    lays: int = 0
    """How often the hand was laid out (each time a little differently)."""

    def numbers(self) -> Iterator[int]:
        """All tiles of this place."""
        yield from self.concealed
        if self.drawn is not None:
            yield self.drawn
        for meld in self.melds:
            yield from meld.numbers
        yield from self.river
        yield from self.flowers
        if self.laid is not None and self.laid != self.drawn:
            yield self.laid


class TableTop:
    """The playing surface of a plant."""

    def __init__(self, plant: Plant) -> None:
        self.plant = plant
        self.places = {side: Place() for side in SIDES}
        self.heap: list[int] = []
        self.heaps = 0
        self.changes = 0
        """Grows with everything that can be seen to change."""

    def tile(self, number: int) -> Tile:
        """Return the face of a tile object."""
        return self.plant.tiles.faces[number]

    def tiles(self, numbers: list[int]) -> tuple[Tile, ...]:
        """Return the faces of tile objects."""
        return tuple(self.tile(number) for number in numbers)

    def take_from_wall(self, side: int, stack: int, layer: str) -> int:
        """Take the tile of a stack (numbered from 1 at the owner's right) from a raised wall.

        Raises:
            LookupError: if it is not there to be taken.
        """
        stacks = self.plant.standing(side)
        if not self.plant.walls_are_up or not 1 <= stack <= len(stacks):
            raise LookupError(f"no stack {stack} on the wall of side {side}")
        pile = stacks[stack - 1]
        if len(pile) != (2 if layer == "top" else 1):
            raise LookupError(f"stack {stack} of side {side} holds {len(pile)}, no {layer} tile to take")
        number = pile[-1]
        self.plant.take(side, number)
        self.changes += 1
        return number

    def hand(self, side: int, win_tile: int | None = None) -> Hand:
        """Return the hand of a side as the rules see it, with a drawn or winning tile apart."""
        place = self.places[side]
        melds = tuple(
            Meld(
                meld.kind,
                self.tiles(meld.numbers),
                None if meld.kind is MeldKind.CONCEALED_KONG else meld.source,
            )
            for meld in place.melds
        )
        last = place.drawn if win_tile is None else win_tile
        return Hand(melds, self.tiles(place.concealed), None if last is None else self.tile(last))

    def sweep(self) -> None:
        """Turn everything over and push it to a heap in the middle."""
        self.plant.sweep()
        self.places = {side: Place() for side in SIDES}
        self.heap = self.plant.tiles.at(TABLE)
        self.heaps += 1
        self.changes += 1

    def push_in(self) -> bool:
        """Push the heap and the tiles of the box into the raised dome."""
        if not self.plant.push_in():
            return False
        if not self.plant.walls_are_up:
            self.heap = []
            self.places = {side: Place() for side in SIDES}
        self.changes += 1
        return True

    def check(self) -> None:
        """Check that what lies on the table is what left the walls, each tile once.

        Raises:
            AssertionError: if not.
        """
        here = sorted([*self.heap, *(number for place in self.places.values() for number in place.numbers())])
        if here != self.plant.tiles.at(TABLE):
            raise AssertionError(
                f"{len(here)} tiles lie here, {self.plant.tiles.count(TABLE)} left the walls"
            )
