"""The order of the tiles in the walls, for whoever wants to know what lies face down."""

from __future__ import annotations

from typing import Any

from hardware.twin.plant.plant import Plant


def wall_order(plant: Plant) -> dict[str, Any]:
    """Return every stack that stands, side by side, stack 1 at the owner's right; a taken tile is None.

    `tile` numbers the object, `face` is tile text. `up` tells whether the walls are on the table.
    """
    return {
        "build": plant.builds,
        "up": plant.walls_are_up,
        "sides": {
            str(number): [
                {"stack": index, "upper": _tile(plant, stack, 1), "lower": _tile(plant, stack, 0)}
                for index, stack in enumerate(side.ledge or side.stacks, 1)
            ]
            for number, side in plant.sides.items()
        },
    }


def _tile(plant: Plant, stack: list[int], layer: int) -> dict[str, Any] | None:
    if layer >= len(stack):
        return None
    return {"tile": stack[layer], "face": str(plant.tiles.faces[stack[layer]])}
