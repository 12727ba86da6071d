"""Hands without machine, screen and time: how the robots play, as fast as the rules allow."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.twin.plant.chance import stream
from hardware.twin.plant.plant import Plant, stand_walls
from hardware.twin.plant.schedule import Schedule
from hardware.twin.robots.dealing import Wall, deal, throws_needed
from hardware.twin.robots.hand import Play
from hardware.twin.robots.outcome import Outcome
from hardware.twin.robots.script import Asking, Script
from hardware.twin.table.layout import TableTop
from rules.hand import MeldKind
from rules.scoring import resolve_options
from rules.seats import ALL_SEATS, Seat
from rules.tiles import Tile
from rules.variants import PLAYED, get_variant


def quick_hands(seed: int, hands: int, variant_key: str = PLAYED) -> Iterator[Outcome]:
    """Play hands with a rotating dealer and yield how they ended; the sum of tiles is checked each time."""
    variant = get_variant(variant_key)
    options = resolve_options(variant, {})
    plant = Plant(seed, variant.tiles, Schedule(), lambda device, on: None, lambda line, level: None)
    top = TableTop(plant)
    sides = {seat: seat.index + 1 for seat in ALL_SEATS}
    for hand in range(1, hands + 1):
        dealer = Seat.at(hand - 1)
        stand_walls(plant)
        rng = stream(seed, "quick-throw", hand)
        throws = [(rng.randint(1, 6), rng.randint(1, 6)) for _ in range(throws_needed(options))]
        wall = Wall(top, variant, options, dealer, throws, sides)
        _rush(deal(top, wall, dealer, variant.hand_size, sides))
        play = Play(top, wall, variant, options, dealer, sides, hand, _say_nothing)
        _rush(play.run())
        top.check()
        assert play.outcome is not None
        yield play.outcome
        top.sweep()
        top.heap = []


def _say_nothing(seat: Seat, kind: MeldKind, tile: Tile, source: Seat | None) -> Asking:
    return True
    yield


def _rush(script: Script) -> None:
    """Run a script without letting any time pass."""
    for _ in script:
        pass
