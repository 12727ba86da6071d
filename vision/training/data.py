"""The photographs of the shared data: crops as published, whole scenes with boxes, and crops with a rim.

Nothing here goes into git: the photographs may be used for training and tests only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.evaluate.labels import FOREIGN, crop_labels, dice_labels, photo_labels, photographs
from vision.tiles import CLASSES, UNKNOWN

Image = NDArray[np.uint8]

TURNED_SETS = frozenset({"s01"})
"""Sets whose tiles lie either way up in their photographs, unlabelled."""

TILE_PX = (60, 80)
"""Width and height of the tile in a rimmed crop: 2 pixels per millimetre of a 30 x 40 mm tile."""
RIM_PX = (20, 24)
"""Columns and rows of surroundings on each side of it."""
CANVAS_PX = (TILE_PX[0] + 2 * RIM_PX[0], TILE_PX[1] + 2 * RIM_PX[1])


@dataclass(frozen=True, slots=True)
class Crop:
    """One tile: (h, w, 3) uint8 BGR, its face (42 faces, "back" or "X") and the set it belongs to."""

    image: Image
    face: str
    set: str


class Box(NamedTuple):
    """A tile of a scene: pixels of the photo, face, row and column of the laid-out grid."""

    x: float
    y: float
    w: float
    h: float
    face: str
    row: int
    col: int


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole photo of one set with the boxes of all its tiles."""

    image: Image
    boxes: tuple[Box, ...]
    set: str
    name: str


def class_of(face: str) -> int:
    """Return the namer's class of a label: "X" is `unknown`."""
    return CLASSES.index(UNKNOWN if face == FOREIGN else face)


class Photos:
    """Reads the shared folder (`tiles/`, `scenes/`); `root` as `../shared/data`. The labels are read as the
    evaluation reads them.

    Raises:
        NoPhotos: if the folder is not there, or a table is damaged.
    """

    def __init__(self, root: Path) -> None:
        self.root = photographs(root)

    def crops(self, sets: Collection[str]) -> list[Crop]:
        """Return the published crops of some sets, as stored (upright box, at most 256 px high)."""
        return [
            Crop(_read(label.path), label.face, label.set)
            for label in crop_labels(self.root)
            if label.set in sets
        ]

    def scenes(self, sets: Collection[str]) -> list[Scene]:
        """Return the whole photos of some sets."""
        return [
            Scene(
                _read(photo.path),
                tuple(Box(*tile.box, tile.face, tile.row, tile.column) for tile in photo.tiles),
                photo.set,
                photo.path.name,
            )
            for photo in photo_labels(self.root)
            if photo.set in sets
        ]

    def rimmed(self, sets: Collection[str], rng: np.random.Generator, windows: float = 0.2) -> Iterator[Crop]:
        """Yield each tile once as a picture of `CANVAS_PX` with what lies round it, then windows that are no
        tile (face "X"): between tiles, or several at once; `windows` of them for each tile."""
        for scene in self.scenes(sets):
            scale = TILE_PX[1] / float(np.median([box.h for box in scene.boxes]))
            method = cv2.INTER_AREA if scale < 1.0 else cv2.INTER_CUBIC
            small = cv2.resize(scene.image, None, fx=scale, fy=scale, interpolation=method)
            ratio = (small.shape[1] / scene.image.shape[1], small.shape[0] / scene.image.shape[0])
            for box in scene.boxes:
                yield Crop(_canvas(small, box, ratio), box.face, scene.set)
            for index in rng.choice(len(scene.boxes), round(windows * len(scene.boxes)), replace=False):
                yield Crop(_canvas(small, _astray(scene.boxes[index], rng), ratio), FOREIGN, scene.set)
        for crop in self.crops(set(sets) - self._photographed()):  # published without its photo
            tile = cv2.resize(crop.image, TILE_PX, interpolation=cv2.INTER_AREA)
            rim = (RIM_PX[1], RIM_PX[1], RIM_PX[0], RIM_PX[0])
            yield Crop(
                np.asarray(cv2.copyMakeBorder(tile, *rim, cv2.BORDER_REPLICATE), np.uint8),
                crop.face,
                crop.set,
            )

    def dice(self) -> Iterator[tuple[Image, list[np.ndarray]]]:
        """Yield the photos of dice with the corners (4, 2) of each die's upright box in pixels."""
        for path, boxes in dice_labels(self.root).items():
            yield (
                _read(path),
                [np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]]) for x, y, w, h in boxes],
            )

    def _photographed(self) -> set[str]:
        return {photo.set for photo in photo_labels(self.root)}


def _canvas(image: Image, box: Box, ratio: tuple[float, float]) -> Image:
    """Return the rimmed crop of a box; `ratio` from the photo's pixels to those of `image`."""
    sx, sy = box.w * ratio[0] / TILE_PX[0], box.h * ratio[1] / TILE_PX[1]
    matrix = np.array(
        [[sx, 0.0, box.x * ratio[0] - RIM_PX[0] * sx], [0.0, sy, box.y * ratio[1] - RIM_PX[1] * sy]]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(image, matrix, CANVAS_PX, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _astray(box: Box, rng: np.random.Generator) -> Box:
    """Return a place that holds no whole tile: off by about half a tile, or over several tiles."""
    if rng.random() < 0.3:
        grow = float(rng.uniform(1.9, 3.0))
        shift = rng.uniform(-0.5, 0.5, 2)
    else:
        grow = float(rng.uniform(0.9, 1.15))
        shift = rng.uniform(-0.6, 0.6, 2)
        axis = int(rng.integers(2))
        shift[axis] = float(rng.choice((-1.0, 1.0))) * float(rng.uniform(0.4, 0.6))
    w, h = box.w * grow, box.h * grow
    x = box.x + box.w / 2 + float(shift[0]) * box.w - w / 2
    y = box.y + box.h / 2 + float(shift[1]) * box.h - h / 2
    return Box(x, y, w, h, FOREIGN, box.row, box.col)


def _read(path: Path) -> Image:
    image = cv2.imread(str(path))
    if image is None:
        raise FileNotFoundError(f"{path} is listed but cannot be read")
    return np.asarray(image, np.uint8)
