"""Lies of the camera, for tests: what is painted differs from what lies on the table."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hardware.twin.scene import PlacedTile, Scene, to_local

from .geometry import geometry

SABOTAGES = ("lying-face", "lying-dice")


def tamper(scene: Scene, sabotage: str | None) -> Scene:
    """Return the scene as the sabotaged camera shows it; without sabotage, the scene itself."""
    if sabotage == "lying-face":
        return _lie_about_a_face(scene)
    if sabotage == "lying-dice" and scene.dice:
        first = min(scene.dice, key=lambda die: (die.x_mm, die.y_mm))
        lie = replace(first, pips=first.pips - 1 if first.pips > 1 else 2)
        return replace(scene, dice=tuple(lie if die is first else die for die in scene.dice))
    return scene


def hand_side(tile: PlacedTile) -> int | None:
    """Return the side (1-4) in whose hand zone the tile's centre lies, or None."""
    geo = geometry()
    for side in (1, 2, 3, 4):
        x, y = to_local(side, tile.x_mm, tile.y_mm)
        if geo.hand_x[0] <= x <= geo.hand_x[1] and geo.hand_y[0] <= y <= geo.hand_y[1]:
            return side
    return None


def _lie_about_a_face(scene: Scene) -> Scene:
    """Paint one kind of suit tile of each laid-out hand as its neighbour (6m as 5m).

    All copies of the kind lie together. A kind that is in no chow and has most copies is chosen first: its
    pair or pung stays one, the lie looks like a legal hand, and only the truth can tell.
    """
    by_side: dict[int, Counter[str]] = {}
    for tile in scene.tiles:
        side = hand_side(tile)
        if side is not None and len(tile.face) == 2:
            by_side.setdefault(side, Counter())[tile.face] += 1
    lies: dict[int, tuple[str, str]] = {}
    for side, counts in by_side.items():

        def key(face: str, counts: Counter[str] = counts) -> tuple[bool, int, str]:
            in_chow = any(counts[other] for other in _near(face, (-2, -1, 1, 2)))
            return in_chow or counts[face] < 2, -counts[face], face

        for face in sorted(counts, key=key):
            free = [other for other in _near(face, (-1, 1)) if counts[face] + counts[other] <= 4]
            if free:
                lies[side] = (face, free[0])
                break
    tiles = []
    for tile in scene.tiles:
        side = hand_side(tile)
        told = lies.get(side) if side is not None else None
        tiles.append(replace(tile, face=told[1]) if told and tile.face == told[0] else tile)
    return replace(scene, tiles=tuple(tiles))


def _near(face: str, steps: tuple[int, ...]) -> list[str]:
    """Return the suit tiles that many ranks away, as far as there are any."""
    return [f"{int(face[0]) + step}{face[1]}" for step in steps if 1 <= int(face[0]) + step <= 9]
