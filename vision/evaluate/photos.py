"""The photographs of real sets with their labels (layout: README.md of the shared data), read when needed."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from vision.errors import VisionError
from vision.tiles import CLASSES

ORDINARY: frozenset[str] = frozenset(CLASSES[:34])
"""The faces of a set without flowers."""
FLOWERS: frozenset[str] = frozenset(CLASSES[34:42])
FACES: frozenset[str] = ORDINARY | FLOWERS
FOREIGN = "X"
"""Label of a tile that is none of the 42: jokers, pictorial dragons, figures."""

Rectangle = tuple[float, float, float, float]
"""x, y, width, height in pixels."""


class NoPhotos(VisionError, FileNotFoundError):
    """The folder holds no labelled photographs: give the one that does."""


@dataclass(frozen=True, slots=True)
class Crop:
    """A picture of one tile, upright (in set s01 a third lie upside down)."""

    path: Path
    face: str
    set: str


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile in a photograph; `row` and `column` of the grid in which it lies."""

    face: str
    box: Rectangle
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Photo:
    """A whole photograph of laid-out tiles."""

    path: Path
    set: str
    tiles: tuple[Placed, ...]

    def rows(self) -> list[tuple[Placed, ...]]:
        """Return the rows of tiles, each from left to right."""
        rows: dict[int, list[Placed]] = defaultdict(list)
        for tile in self.tiles:
            rows[tile.row].append(tile)
        return [tuple(sorted(rows[key], key=lambda tile: tile.box[0])) for key in sorted(rows)]


def is_ordinary(tiles: Iterable[Placed]) -> bool:
    """Return whether all tiles are of the 34 ordinary faces."""
    return all(tile.face in ORDINARY for tile in tiles)


class Photos:
    """The labelled photographs below a folder.

    Args:
        root: the folder with `tiles/labels.csv`, `scenes/boxes.csv` and `scenes/scenes.csv`.
        crops_of, photos_of: only the crops and only the whole photos of these sets; None = of all.
    Raises:
        NoPhotos: if they are not there.
    """

    def __init__(
        self,
        root: Path,
        crops_of: Collection[str] | None = None,
        photos_of: Collection[str] | None = None,
    ) -> None:
        self.root = root
        self._crops_of, self._photos_of = crops_of, photos_of
        if not (root / "tiles" / "labels.csv").is_file():
            raise NoPhotos(f"no labelled photographs in {root} (tiles/labels.csv)")

    @cached_property
    def crops(self) -> tuple[Crop, ...]:
        """All pictures of single tiles, in the order of their file."""
        folder = self.root / "tiles"
        return tuple(
            Crop(folder / row["file"], row["class"], row["set"])
            for row in _table(folder / "labels.csv")
            if self._crops_of is None or row["set"] in self._crops_of
        )

    @cached_property
    def photos(self) -> tuple[Photo, ...]:
        """All whole photographs, in the order of their file."""
        folder = self.root / "scenes"
        placed: dict[str, list[Placed]] = defaultdict(list)
        for row in _table(folder / "boxes.csv"):
            box = (float(row["x"]), float(row["y"]), float(row["w"]), float(row["h"]))
            placed[row["file"]].append(Placed(row["class"], box, int(row["row"]), int(row["col"])))
        return tuple(
            Photo(folder / row["file"], row["set"], tuple(placed[row["file"]]))
            for row in _table(folder / "scenes.csv")
            if self._photos_of is None or row["set"] in self._photos_of
        )

    @cached_property
    def without_tiles(self) -> tuple[Path, ...]:
        """Photographs that show dice and no tile."""
        return tuple(sorted((self.root / "dice").glob("*.jpg")))

    @cached_property
    def sets(self) -> tuple[str, ...]:
        """The names of all physical sets."""
        return tuple(sorted({crop.set for crop in self.crops}))


def _table(path: Path) -> Iterator[dict[str, str]]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            yield from csv.DictReader(file)
    except OSError as error:
        raise NoPhotos(f"{path}: {error.strerror}") from error
