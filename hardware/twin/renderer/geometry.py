"""The table's dimensions as one frozen value, read from hardware/table/geometry.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Geometry:
    """Millimetres; the meaning of each field stands beside its number in geometry.toml."""

    field_half: float
    tile_width: float
    tile_length: float
    tile_thickness: float
    mark_size: float
    mark_card: float
    mark_centres: tuple[tuple[float, float], ...]
    hand_x: tuple[float, float]
    hand_y: tuple[float, float]
    row_y: float
    win_y: float
    meld_gap: float
    win_gap: float
    added_kong_dy: float
    wall_y: float
    wall_pitch: float
    river_rows: tuple[float, ...]
    river_first_x: float
    river_pitch: float
    river_per_row: int
    flower_rows: tuple[float, ...]
    flower_first_x: float
    flower_pitch: float
    flowers_per_row: int
    dice_radius: float
    die_edge: float
    dome_radius: float
    dome_travel: float
    lamp_x: float
    lamp_y: float
    lamp_radius: float


@lru_cache(maxsize=1)
def geometry() -> Geometry:
    """Return the table's dimensions, read once."""
    text = (files("hardware") / "table" / "geometry.toml").read_text(encoding="utf-8")
    data: dict[str, dict[str, Any]] = tomllib.loads(text)
    tile, marks, hand = data["tile"], data["marks"], data["hand"]
    wall, river, flowers, lamps = data["wall"], data["river"], data["flowers"], data["lamps"]
    return Geometry(
        field_half=data["field"]["half"],
        tile_width=tile["width"],
        tile_length=tile["length"],
        tile_thickness=tile["thickness"],
        mark_size=marks["size"],
        mark_card=marks["card"],
        mark_centres=tuple((x, y) for x, y in marks["centres"]),
        hand_x=(hand["x"][0], hand["x"][1]),
        hand_y=(hand["y"][0], hand["y"][1]),
        row_y=hand["row_y"],
        win_y=hand["win_y"],
        meld_gap=hand["meld_gap"],
        win_gap=hand["win_gap"],
        added_kong_dy=hand["added_kong_dy"],
        wall_y=wall["y"],
        wall_pitch=wall["pitch"],
        river_rows=tuple(river["rows_y"]),
        river_first_x=river["first_x"],
        river_pitch=river["pitch"],
        river_per_row=river["per_row"],
        flower_rows=tuple(flowers["rows_y"]),
        flower_first_x=flowers["first_x"],
        flower_pitch=flowers["pitch"],
        flowers_per_row=flowers["per_row"],
        dice_radius=data["dice"]["radius"],
        die_edge=data["dice"]["edge"],
        dome_radius=data["dome"]["radius"],
        dome_travel=data["dome"]["travel"],
        lamp_x=lamps["x"],
        lamp_y=lamps["y"],
        lamp_radius=lamps["radius"],
    )
