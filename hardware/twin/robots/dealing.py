"""Breaking the wall and dealing, by what the dice show to the players' own eyes."""

from __future__ import annotations

from collections.abc import Sequence

from hardware.twin.robots.script import Pause, Script
from hardware.twin.table.layout import TableTop
from rules.options import Options
from rules.procedure import (
    LAYERS,
    Opening,
    TilePlace,
    deal_order,
    head_draw,
    open_wall,
    tail_draw,
    walls_agreed,
)
from rules.seats import ALL_SEATS, Seat
from rules.variant import Variant

GRAB_US = 350_000
OPENING_KEY = "opening"


class Wall:
    """The walls of one hand as its players draw from them."""

    def __init__(
        self,
        top: TableTop,
        variant: Variant,
        options: Options,
        dealer: Seat,
        throws: Sequence[tuple[int, int]],
        sides: dict[Seat, int],
    ) -> None:
        self._top, self._sides = top, sides
        self._tail_first = str(options.get("tail_first", "top"))
        self.walls = walls_agreed(variant.tiles, dealer, options)
        mode, break_at = str(options.get("opening", "two_throw")), str(options.get("break_at", "after"))
        self.opening: Opening = open_wall(mode, dealer, throws, variant.tiles, break_at, self.walls)
        self.heads = 0
        self.tails = 0

    @property
    def left(self) -> int:
        """Return how many tiles may still be drawn."""
        return 2 * sum(self.walls.values()) - self.heads - self.tails

    def draw(self) -> int:
        """Take the next tile from the head."""
        place = head_draw(self.walls, self.opening, self.heads)
        self.heads += 1
        return self._take(place, self.tails % 2 == 1, self._tail_first)

    def replace(self) -> int:
        """Take a replacement from the tail."""
        place = tail_draw(self.walls, self.opening, self.tails, self._tail_first)
        self.tails += 1
        return self._take(place, self.heads % 2 == 1, LAYERS[0])

    def _take(self, place: TilePlace, other_end_left_one: bool, gone: str) -> int:
        """Take a tile; the very last one may lie alone where the other end took its neighbour (`gone`)."""
        layer = place.layer
        if self.left == 0 and other_end_left_one:
            layer = next(each for each in LAYERS if each != gone)
        return self._top.take_from_wall(self._sides[place.seat], place.stack, layer)


def throws_needed(options: Options) -> int:
    """Return how many throws open the wall."""
    return 2 if str(options.get("opening", "two_throw")) == "two_throw" else 1


def deal(top: TableTop, wall: Wall, dealer: Seat, hand_size: int, sides: dict[Seat, int]) -> Script:
    """Take the tiles, four at a time, then one by one; the dealer's last one stays apart."""
    order = deal_order(dealer, hand_size)
    for index, seat in enumerate(order):
        if index == 0 or order[index - 1] != seat or index >= len(order) - 5:
            yield Pause(GRAB_US)
        number = wall.draw()
        place = top.places[sides[seat]]
        if index == len(order) - 1:
            place.drawn = number
        else:
            place.concealed.append(number)
    yield from _replace_flowers(top, wall, dealer, sides)


def _replace_flowers(top: TableTop, wall: Wall, dealer: Seat, sides: dict[Seat, int]) -> Script:
    for step in range(len(ALL_SEATS)):
        place = top.places[sides[Seat.at(dealer.index + step)]]
        while True:
            held = [*place.concealed, *([] if place.drawn is None else [place.drawn])]
            flower = next((number for number in held if top.tile(number).is_flower), None)
            if flower is None:
                break
            yield Pause(GRAB_US)
            place.flowers.append(flower)
            if flower == place.drawn:
                place.drawn = wall.replace()
            else:
                place.concealed.remove(flower)
                place.concealed.append(wall.replace())
            top.changes += 1
