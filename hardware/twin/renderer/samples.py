"""Labelled pictures of random tables: `python -m hardware.twin.renderer.samples --n 100 --seed 1 --out DIR`.

Writes DIR/<seed>.jpg and one JSON object a line to DIR/labels.jsonl:
{"file", "seed", "kind", "look": {...}, "side": 1-4|null, "lamp": 0-4, "dome_up",
 "hand": {"melds": [{"kind", "faces", "source", "sideways"}], "concealed": [...], "win_tile"}|null,
 "tiles": [{"face", "x_mm", "y_mm", "angle_deg", "layer", "quad", "box", "zone": 1-4|null}],
 "dice": [{"pips", "x_mm", "y_mm", "angle_deg", "quad", "box"}],
 "stacks": [[0-2, ...] x 4], "marks": [quad x 4]}
`quad`: pixels of the top face, its own top left, top right, bottom right, bottom left; `box`: [x, y, w, h]
round it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from hardware.twin.scene import PlacedDie, PlacedTile

from .camera import Array
from .geometry import geometry
from .look import Look
from .renderer import Renderer
from .sabotage import hand_side
from .tables import KINDS, Table, random_table


def label(renderer: Renderer, table: Table) -> dict[str, Any]:
    """Return what is true of a table in one renderer's picture, ready for JSON (keys as above, no file)."""
    tiles = [
        {**_thing(renderer, tile), "face": tile.face, "layer": tile.layer, "zone": hand_side(tile)}
        for tile in table.scene.tiles
    ]
    dice = [{**_thing(renderer, die), "pips": die.pips} for die in table.scene.dice]
    hand = None
    if table.side is not None:
        melds = [
            {"kind": m.kind, "faces": list(m.faces), "source": m.source, "sideways": m.sideways}
            for m in table.melds
        ]
        hand = {"melds": melds, "concealed": list(table.concealed), "win_tile": table.win_tile}
    return {
        "kind": table.kind,
        "look": asdict(renderer.look),
        "side": table.side,
        "lamp": table.scene.lamp_side,
        "dome_up": table.scene.dome_up,
        "hand": hand,
        "tiles": tiles,
        "dice": dice,
        "stacks": [list(side) for side in table.stacks],
        "marks": [_round(_mark_quad(renderer, x, y)) for x, y in geometry().mark_centres],
    }


def _mark_quad(renderer: Renderer, x: float, y: float) -> Array:
    half = geometry().mark_size / 2
    corners = np.array(
        [[x - half, y + half, 0], [x + half, y + half, 0], [x + half, y - half, 0], [x - half, y - half, 0]]
    )
    return renderer.camera.project(corners)


def _thing(renderer: Renderer, thing: PlacedTile | PlacedDie) -> dict[str, Any]:
    quad = renderer.quad(thing)
    (left, top), (right, bottom) = quad.min(axis=0), quad.max(axis=0)
    box = [round(float(value), 1) for value in (left, top, right - left, bottom - top)]
    place = {
        "x_mm": round(thing.x_mm, 2),
        "y_mm": round(thing.y_mm, 2),
        "angle_deg": round(thing.angle_deg, 2),
    }
    return {**place, "quad": _round(quad), "box": box}


def _round(quad: Array) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in quad]


def sample(
    seed: int, *, calm: bool = False, kind: str | None = None, tilt_deg: float | None = None
) -> tuple[Renderer, Table]:
    """Return renderer and table of a seed; `calm` = looks like the twin's own table, else varied, with
    `tilt_deg` in a pose of `Look.tilted`."""
    look = Look.of_seed(seed) if calm else Look.varied(seed)
    if tilt_deg is not None:
        look = look.tilted(seed, tilt_deg)
    return Renderer(seed, look=look), random_table(seed, kind)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m hardware.twin.renderer.samples", description=__doc__)
    parser.add_argument("--n", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1, help="first seed; picture i has seed + i")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--calm", action="store_true", help="looks of installed cameras only")
    parser.add_argument("--tilt", type=float, metavar="DEG", help="poses up to so far off, turned by as much")
    parser.add_argument("--kind", choices=KINDS, help="only tables of this kind")
    parser.add_argument("--per-look", type=int, default=1, help="pictures with one look: faster")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    renderer: Renderer | None = None
    with (options.out / "labels.jsonl").open("w", encoding="utf-8") as labels:
        for index in range(options.n):
            seed = options.seed + index
            if renderer is None or index % options.per_look == 0:
                renderer, table = sample(seed, calm=options.calm, kind=options.kind, tilt_deg=options.tilt)
            else:
                table = random_table(seed, options.kind)
            name = f"{seed:06d}.jpg"
            (options.out / name).write_bytes(renderer.render(table.scene))
            row = {"file": name, "seed": seed, **label(renderer, table)}
            labels.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
    print(f"{options.n} pictures in {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
