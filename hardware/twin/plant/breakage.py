"""What breaks in the wood, by name, and what a person does about all of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from hardware.twin.plant.chance import stream
from hardware.twin.plant.plant import SIDES, Plant

HALF_WAY = 0.5
SLOWER = 12.0
"""With a rubber strip that slips so much a build needs about 95 s: more than 80 s, less than 200 s."""
CRAWLS = 40.0
"""A build would need some 300 s: given up after 200."""
Break = Callable[[Plant, int], None]
DIRTY, BRIGHT = 0.8, 0.7
"""Where no level is given: an eye that sees nothing any more, and sunlight."""
MIXED = 2
FREES = (1, 2)
"""What is not stuck for good comes free when its motor is turned back for the first or second time."""
PROGRAMME_72 = 1
"""A position of the switch that asks for another set than any that is played here."""


def _slow(plant: Plant, factor: float) -> None:
    for side in plant.sides.values():
        side.slowness = factor


def _soil(plant: Plant, side: int, level: float) -> None:
    plant.sides[side].eye.soil(level, stream(plant.seed, "dirt", side))


def _shine(plant: Plant, side: int, level: float) -> None:
    plant.sides[side].eye.shine(level, stream(plant.seed, "light", side))


def _mix(plant: Plant, count: int) -> None:
    """Tiles of another set came in with the own ones; each clings to the last one of some side's share."""
    for side in stream(plant.seed, "mixed", plant.builds).sample(SIDES, count):
        plant.sides[side].add_foreign()


def _frees(plant: Plant, side: int) -> int:
    return stream(plant.seed, "frees", side).randint(*FREES)


def _hold(plant: Plant, motor: str) -> None:
    plant.break_motor(motor, plant.currents.hold)


def _cut(plant: Plant, motor: str) -> None:
    plant.break_motor(motor, plant.currents.cut)


LEVELS: Mapping[str, Callable[[Plant, int, float], None]] = MappingProxyType({"dirt": _soil, "light": _shine})
"""Faults of a side that are there more or less, from 0 (well) to 1."""
COUNTS: Mapping[str, tuple[int, Callable[[Plant, int], None]]] = MappingProxyType(
    {"missing_tile": (136, lambda plant, count: plant.lose_tile(count)), "mixed_set": (4, _mix)}
)
"""Faults of so many tiles: the most there can be."""

ONE_SIDE: Mapping[str, Break] = MappingProxyType(
    {
        "jam": lambda plant, side: plant.sides[side].jam(True),
        "jam_light": lambda plant, side: plant.sides[side].jam(True, _frees(plant, side)),
        "feed_stuck": lambda plant, side: plant.sides[side].wedge(True),
        "feed_stuck_light": lambda plant, side: plant.sides[side].wedge(True, _frees(plant, side)),
        "feed_open": lambda plant, side: _cut(plant, f"feed_{side}"),
        "stacker_stuck": lambda plant, side: plant.sides[side].stall(True),
        "stacker_stuck_light": lambda plant, side: plant.sides[side].stall(True, _frees(plant, side)),
        "stacker_open": lambda plant, side: plant.currents.cut(f"stack_{side}", True),
        "driver_shorted": lambda plant, side: plant.currents.short(f"feed_{side}", True),
        "count_silent": lambda plant, side: plant.sides[side].silence(True),
        "count_stuck": lambda plant, side: plant.sides[side].hold(True),
        "count_noisy": lambda plant, side: plant.sides[side].flicker(True),
        "dirt": lambda plant, side: _soil(plant, side, DIRTY),
        "light": lambda plant, side: _shine(plant, side, BRIGHT),
        "extra_tile": lambda plant, side: plant.sides[side].add_foreign(),
        "tray_stuck": lambda plant, side: plant.stick_tray(side),
        "tray_limit_held": lambda plant, side: plant.hold_limit(side),
        "key_stuck": lambda plant, side: plant.stick_key(f"dice_{side}", True),
    }
)
WHOLE_TABLE: Mapping[str, Break] = MappingProxyType(
    {
        "missing_tile": lambda plant, side: plant.lose_tile(),
        "mixed_set": lambda plant, side: _mix(plant, MIXED),
        "switch_turned": lambda plant, side: plant.turn_switch(PROGRAMME_72),
        "slow_ring": lambda plant, side: _slow(plant, SLOWER),
        "turn_stuck": lambda plant, side: _hold(plant, "turn"),
        "ring_stuck": lambda plant, side: _hold(plant, "ring"),
        "dice_stuck": lambda plant, side: plant.currents.hold("dice", True),
        "dice_open": lambda plant, side: plant.currents.cut("dice", True),
        "crawling_ring": lambda plant, side: _slow(plant, CRAWLS),
        "dome_stuck": lambda plant, side: plant.stick_dome(HALF_WAY),
        "dome_stuck_up": lambda plant, side: plant.stick_dome(1.0, HALF_WAY),
        "dome_limit_held": lambda plant, side: plant.hold_dome_limit(True),
        "supply_low": lambda plant, side: plant.strain("motor_supply", 2_500),
        "hot": lambda plant, side: plant.strain("temperature", 480),
        "lid_open": lambda plant, side: plant.open_lid(True),
        "lid_close": lambda plant, side: plant.open_lid(False),
        "estop": lambda plant, side: plant.press_estop(True),
        "estop_release": lambda plant, side: plant.press_estop(False),
    }
)
BREAKS: Mapping[str, Break] = MappingProxyType({**ONE_SIDE, **WHOLE_TABLE})


def mend(plant: Plant, missing_at: int = 0) -> None:
    """Do what a person at the table does: everything mechanical is right again.

    Args:
        missing_at: side that lacks a tile by the screen; where none lies on the floor, it passed a counter
            unseen (the board was in reset, or was just stopping) and is sent round once more.
    """
    plant.currents.mend()
    for side in plant.sides.values():
        side.wedge(False)
        side.jam(False)
        side.stall(False)
        side.silence(False)
        side.hold(False)
        side.flicker(False)
        side.take_foreign_out()
        side.eye.wipe()
        side.eye.shade()
    _slow(plant, 1.0)
    plant.stick_tray(0)
    plant.hold_limit(0)
    plant.hold_dome_limit(False)
    plant.stick_dome(1.0)
    plant.free_keys()
    plant.turn_switch(0)
    plant.relax()
    found = plant.find_tiles()
    if not found and missing_at in plant.sides:
        plant.send_round(missing_at)
    if plant.lid_is_open:
        plant.open_lid(False)
    if plant.estop_pressed:
        plant.press_estop(False)
