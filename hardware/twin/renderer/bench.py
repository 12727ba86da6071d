"""What the camera costs: `python -m hardware.twin.renderer.bench` prints milliseconds and core share."""

from __future__ import annotations

import json
import statistics
import sys
import time
from dataclasses import replace

from hardware.twin.scene import BACK, PlacedTile, Scene

from .renderer import Renderer
from .tables import random_table

FPS = 5
BUDGET_CORE = 0.5


def measure(frames: int = 40) -> dict[str, float]:
    """Return one renderer's figures: start, first, changing and unchanged frames, core share at 5 fps.

    In a changing frame one wall tile goes and one discard comes; processor time of all threads counts.
    """
    started = time.perf_counter()
    renderer = Renderer(seed=1)
    start_ms = (time.perf_counter() - started) * 1000
    table = random_table(7, kind="reveal", tiles=144)
    started = time.perf_counter()
    jpeg = renderer.render(table.scene)
    first_ms = (time.perf_counter() - started) * 1000
    scenes = [_later(table.scene, step) for step in range(1, frames + 1)]
    wall_ms, busy_s = [], time.process_time()
    for scene in scenes:
        started = time.perf_counter()
        jpeg = renderer.render(scene)
        wall_ms.append((time.perf_counter() - started) * 1000)
    busy_ms = (time.process_time() - busy_s) * 1000 / frames
    started = time.perf_counter()
    for _ in range(frames):
        renderer.render(scenes[-1])
    same_ms = (time.perf_counter() - started) * 1000 / frames
    return {
        "start_ms": start_ms,
        "first_frame_ms": first_ms,
        "changed_frame_ms_median": statistics.median(wall_ms),
        "changed_frame_cpu_ms": busy_ms,
        "unchanged_frame_ms": same_ms,
        "core_share_at_5_fps": busy_ms * FPS / 1000,
        "jpeg_kib": len(jpeg) / 1024,
        "tiles": float(len(table.scene.tiles)),
    }


def _later(scene: Scene, step: int) -> Scene:
    walls = [tile for tile in scene.tiles if tile.face == BACK]
    others = [tile for tile in scene.tiles if tile.face != BACK]
    discard = PlacedTile("5m", -100.0 + 3 * step, 130.0, step * 7.0)
    return replace(scene, tiles=(*others, *walls[: max(0, len(walls) - step)], discard))


def main() -> int:
    figures = {name: round(value, 3) for name, value in measure().items()}
    print(json.dumps({"bench": "renderer", **figures, "budget_core": BUDGET_CORE}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
