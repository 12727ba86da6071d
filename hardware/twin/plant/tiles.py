"""The tile objects of the table: every one has a number, a face and exactly one place, at every moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from rules.tiles import Tile, full_set

ASIDE = "aside"
DRUM = "drum"
TABLE = "table"
FLOOR = "floor"
DRAGONS = 12
OUTSIDE = "outside"
"""Not at this table: where a tile of another set goes when someone finds it."""


def feed(side: int) -> str:
    """Return the name of the channel of a side, from the drum to the stacker."""
    return f"feed_{side}"


def mouth(side: int) -> str:
    """Return the name of the stacker of a side, where two tiles become a stack."""
    return f"mouth_{side}"


def wall(side: int) -> str:
    """Return the name of the wall of a side, on its tray."""
    return f"wall_{side}"


def ledge(side: int) -> str:
    """Return the name of the wall of a side that the table's ledges hold, its tray below it free."""
    return f"ledge_{side}"


def _faces(size: int) -> tuple[Tile, ...]:
    """Return the tiles of a set; besides those of the rules 120: with dragons, without winds."""
    return (*full_set(108), *full_set(136)[-DRAGONS:]) if size == 120 else full_set(size)


class LostTile(AssertionError):
    """A tile was where it cannot be, or the sum is wrong: the simulation itself is broken."""


class TileSet:
    """The tiles of one or two sets. `faces[number]` is the tile, `place(number)` its place."""

    def __init__(self, size: int, sets: int = 1) -> None:
        one = _faces(size)
        self.faces: tuple[Tile, ...] = one * sets
        self.sets = sets
        self._places = [ASIDE] * len(self.faces)
        self._sizes: Counter[str] = Counter({ASIDE: len(self.faces)})
        self._size = len(one)
        self.on_move: Callable[[int, str, str], None] = lambda number, source, target: None

    def __len__(self) -> int:
        """Return how many tiles make one set."""
        return self._size

    def set_of(self, number: int) -> int:
        """Return the set of a tile, 1 or 2, by the colour of its back; 0 = of no set of this table."""
        return number // self._size + 1 if number < self.sets * self._size else 0

    def add_foreign(self, place: str) -> int:
        """Put a tile of another set, with a face of this one, at a place; returns its number."""
        self.faces += (self.faces[0],)
        self._places.append(place)
        self._sizes[place] += 1
        return len(self.faces) - 1

    def place(self, number: int) -> str:
        """Return where a tile is."""
        return self._places[number]

    @property
    def places(self) -> Sequence[str]:
        """Return the place of each tile, by number."""
        return self._places

    def at(self, place: str) -> list[int]:
        """Return the tiles at a place, by number."""
        return [number for number, where in enumerate(self._places) if where == place]

    def count(self, place: str) -> int:
        """Return how many tiles are at a place."""
        return self._sizes[place]

    def move(self, number: int, source: str, target: str) -> None:
        """Move one tile.

        Raises:
            LostTile: if it was not at `source`.
        """
        if self._places[number] != source:
            raise LostTile(
                f"tile {number} ({self.faces[number]}) is at {self._places[number]}, not at {source}"
            )
        self._places[number] = target
        self._sizes[source] -= 1
        self._sizes[target] += 1
        self.on_move(number, source, target)

    def check(self, held: Iterable[tuple[str, int]]) -> None:
        """Check that all tiles are somewhere and that holders agree: (place, how many it believes to hold).

        Raises:
            LostTile: if not.
        """
        if sum(self._sizes.values()) != len(self.faces):
            raise LostTile(f"{sum(self._sizes.values())} tiles of {len(self.faces)}: {dict(self._sizes)}")
        for place, size in held:
            if self._sizes[place] != size:
                raise LostTile(f"{place} holds {size} tiles, the set says {self._sizes[place]}")
