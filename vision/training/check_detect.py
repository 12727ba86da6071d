"""How well a finder of free pictures finds the tiles of the sets it never saw, faces left aside.

    python -m vision.training.check_detect --data ../shared/data --models .deps/train/folds/0 [--few]

Prints one line a condition: recall, precision (IoU 0.5 of upright boxes), pictures with every tile found
and none invented, median milliseconds.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.crops import tile_corners
from vision.detect import Detector
from vision.evaluate.cuts import Picture, cut_row, turned
from vision.evaluate.matching import Found, Truth, compare
from vision.evaluate.photos import Photo, Photos
from vision.looks import find_tiles
from vision.tiles import Seen

from .folds import ALL_SETS

BORDERS = (0.0, 0.6, 1.5)
TURNS = (90.0, 15.0, 37.0)


def pictures(photo: Photo, few: bool) -> Iterator[tuple[str, Picture]]:
    """Yield the conditions of a photo by name: as it is, its rows on felt, some of them turned."""
    image = cv2.imread(str(photo.path))
    yield "photo", Picture(image, photo.tiles)
    rng = np.random.default_rng([1, *photo.path.name.encode()])
    rows = photo.rows()
    for row in rows[:2] if few else rows:
        for border in BORDERS:
            yield f"row {border}", cut_row(image, row, border, rng)
        turn = float(rng.choice(TURNS))
        yield f"row turned {turn:.0f}", turned(cut_row(image, row, 0.6, rng), turn, rng)


def box_of(seen: Seen) -> tuple[float, float, float, float]:
    """Return the upright box x, y, w, h of a tile in pixels of the picture."""
    corners = tile_corners(seen.spot.x, seen.spot.y, seen.up_deg, seen.tile_px)
    points = cv2.perspectiveTransform(corners[None], seen.matrix)[0]
    low, high = points.min(axis=0), points.max(axis=0)
    return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--sets", help="judge these sets (comma between), not the unseen ones")
    parser.add_argument("--few", action="store_true", help="two rows of each photo")
    given = parser.parse_args()
    cv2.setNumThreads(given.threads)
    detector = Detector(given.threads, models=given.models)
    sets = set(given.sets.split(",")) if given.sets else ALL_SETS - set(detector.sets)
    counts: dict[str, np.ndarray] = {}
    times: dict[str, list[float]] = {}
    for photo in Photos(given.data).photos:
        if photo.set not in sets:
            continue
        for name, picture in pictures(photo, given.few):
            started = time.perf_counter()
            seen = find_tiles(picture.image, detector)
            times.setdefault(name, []).append((time.perf_counter() - started) * 1000)
            # every answer is called a tile: only places are judged
            truths = [Truth("tile", tile.box) for tile in picture.tiles]
            tally = compare(truths, [Found("tile", box_of(one)) for one in seen])
            whole = tally.right == tally.tiles == tally.answered
            line = np.array([tally.tiles, tally.right, tally.answered, 1, whole])
            if not whole:
                print(
                    f"  {photo.path.name} {name}: {tally.right} of {tally.tiles}, {tally.answered} answered"
                )
            for key in (name, f"{photo.set} all"):
                counts[key] = counts.get(key, np.zeros(5, int)) + line
    for name, (tiles, right, answered, number, whole) in sorted(counts.items()):
        took = f"{np.median(times[name]):6.1f} ms" if name in times else ""
        print(
            f"{name:16} recall {right / tiles:.4f}  precision {right / max(answered, 1):.4f}  "
            f"whole {whole}/{number}  {took}"
        )


if __name__ == "__main__":
    main()
