"""What must never move at the same time, judged by where things are, whatever their switches say."""

from __future__ import annotations

from collections.abc import Iterable

from hardware.twin.plant.motion import Travel


class Collision(RuntimeError):
    """The controller drove two parts of the machine into each other: on a real table something breaks."""


def find_collision(
    trays: Travel, dome: Travel, turning: Iterable[int], walls_meet: bool = False
) -> str | None:
    """Return what collides, None if all is well.

    Args:
        turning: sides whose stacker motor is on.
        walls_meet: a wall stands on a tray while another one still stands on the table above it.
    Source: hardware/wiring/README.md, interlocks: trays and dome never leave the bottom together, stackers
        turn only with trays at the bottom.
    """
    trays_away, dome_away = _is_away(trays), _is_away(dome)
    if trays_away and dome_away:
        return "trays and dome are up together"
    if trays_away:
        for side in turning:
            return f"the stacker of side {side} pushes under a raised tray"
    if trays.is_rising and walls_meet:
        return "the trays lift a wall into one that stands on the table"
    return None


def _is_away(travel: Travel) -> bool:
    return travel.is_rising or not travel.is_down
