"""Contact sheets for people: whole sets, or one face of many sets.

python -m vision.training.art.contact --out sheet.png [--sets 6] [--faces 1s,1p,a] [--seed 1] [--height 64]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from . import FACES, FOREIGN, Style, tile_back, tile_top


def _row(style: Style, faces: list[str], rng: np.random.Generator, height: int) -> list[np.ndarray]:
    tops = [tile_back(style, rng, height) if f == "back" else tile_top(style, f, rng, height) for f in faces]
    width = round(height / 1.18) + 2
    return [
        cv2.copyMakeBorder(t, 1, 1, 1, width - t.shape[1], cv2.BORDER_CONSTANT, value=(90, 90, 90))
        for t in tops
    ]


def sheet(seed: int, sets: int, faces: list[str], height: int, columns: int) -> np.ndarray:
    """Return one picture: for each set its faces in rows of `columns`."""
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(sets):
        tops = _row(Style.random(rng), faces, rng, height)
        for start in range(0, len(tops), columns):
            part = tops[start : start + columns]
            part += [np.full_like(part[0], 90)] * (columns - len(part))
            rows.append(np.hstack(part))
    return np.vstack(rows)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--sets", type=int, default=4)
    parser.add_argument("--faces", help="comma separated, default all, one back and three strange ones")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--height", type=int, default=64)
    parser.add_argument("--columns", type=int, default=16)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    faces = options.faces.split(",") if options.faces else [*FACES, "back", FOREIGN, FOREIGN, FOREIGN]
    picture = sheet(options.seed, options.sets, faces, options.height, options.columns)
    cv2.imwrite(str(options.out), picture)


if __name__ == "__main__":
    main()
