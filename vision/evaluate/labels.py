"""The labels of the photographs of real sets, read strictly: one reader for the evaluation and the training.

Layout and words: README.md of the shared data. What is wrong in a table is refused with its file, line and
column: a mistyped face that were passed over in silence would flatter or spoil every figure.
"""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from vision.errors import VisionError
from vision.tiles import CLASSES

FOREIGN = "X"
"""Label of a tile that is none of the 42: jokers, pictorial dragons, figures."""
LABELS = frozenset((*CLASSES[:43], FOREIGN))
"""What a tile may be labelled: the 42 faces, "back", or foreign."""

Rectangle = tuple[float, float, float, float]
"""x, y, width, height in pixels."""
_Value = TypeVar("_Value")


class NoPhotos(VisionError, FileNotFoundError):
    """The folder holds no labelled photographs, or their tables are damaged: give the one that does."""


@dataclass(frozen=True, slots=True)
class Crop:
    """The picture of one tile, upright (in set s01 a third lie upside down): file, face, physical set."""

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
    """A whole photograph of laid-out tiles, of one physical set; at least one tile."""

    path: Path
    set: str
    tiles: tuple[Placed, ...]

    def rows(self) -> list[tuple[Placed, ...]]:
        """Return the rows of tiles, each from left to right."""
        rows: dict[int, list[Placed]] = defaultdict(list)
        for tile in self.tiles:
            rows[tile.row].append(tile)
        return [tuple(sorted(rows[key], key=lambda tile: tile.box[0])) for key in sorted(rows)]


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of a table, which can say where it is wrong."""

    path: Path
    line: int
    cells: dict[str, str | None]

    def value(self, column: str, read: Callable[[str], _Value]) -> _Value:
        text = self.cells.get(column)
        try:
            if not text:
                raise ValueError("is missing")
            return read(text)
        except ValueError as error:
            told = "is missing" if not text else f"{text!r}: {error}"
            raise NoPhotos(f"{self.path}, line {self.line}: {column} {told}") from error

    def text(self, column: str) -> str:
        return self.value(column, str)

    def box(self) -> Rectangle:
        x, y = self.value("x", _pixels), self.value("y", _pixels)
        return x, y, self.value("w", _extent), self.value("h", _extent)


def photographs(root: Path) -> Path:
    """Return the folder if it holds labelled photographs.

    Raises:
        NoPhotos: if not; says what to do.
    """
    if not (root / "tiles" / "labels.csv").is_file():
        what = "no folder" if not root.is_dir() else "no labelled photographs in"
        raise NoPhotos(f"{what} {root} (tiles/labels.csv): give the folder that holds them with --data")
    return root


def crop_labels(root: Path) -> tuple[Crop, ...]:
    """Return the pictures of single tiles, in the order of their table.

    Raises:
        NoPhotos: if the table is missing or damaged.
    """
    folder = root / "tiles"
    return tuple(
        Crop(folder / row.text("file"), row.value("class", _face), row.text("set"))
        for row in _rows(folder / "labels.csv", ("file", "class", "set"))
    )


def photo_labels(root: Path) -> tuple[Photo, ...]:
    """Return the whole photographs, in the order of their table.

    Raises:
        NoPhotos: if a table is missing or damaged, or a photograph has no tiles.
    """
    folder = root / "scenes"
    placed: dict[str, list[Placed]] = defaultdict(list)
    for row in _rows(folder / "boxes.csv", ("file", "x", "y", "w", "h", "class", "row", "col")):
        tile = Placed(row.value("class", _face), row.box(), row.value("row", int), row.value("col", int))
        placed[row.text("file")].append(tile)
    photos = []
    for row in _rows(folder / "scenes.csv", ("file", "set")):
        name = row.text("file")
        if name not in placed:
            raise NoPhotos(f"{row.path}, line {row.line}: {name} has no tiles in boxes.csv")
        photos.append(Photo(folder / name, row.text("set"), tuple(placed[name])))
    return tuple(photos)


def dice_labels(root: Path) -> dict[Path, tuple[Rectangle, ...]]:
    """Return the boxes of the dice in each photo of dice, in the order of the photos' names.

    Raises:
        NoPhotos: if the table is missing or damaged.
    """
    folder = root / "dice"
    boxes: dict[Path, list[Rectangle]] = defaultdict(list)
    for row in _rows(folder / "boxes.csv", ("file", "x", "y", "w", "h")):
        boxes[folder / row.text("file")].append(row.box())
    return {path: tuple(boxes[path]) for path in sorted(boxes)}


def _face(text: str) -> str:
    if text not in LABELS:
        raise ValueError("no tile")
    return text


def _pixels(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("no number of pixels")
    return number


def _extent(text: str) -> float:
    number = _pixels(text)
    if number <= 0.0:
        raise ValueError("no extent")
    return number


def _rows(path: Path, columns: tuple[str, ...]) -> Iterator[_Row]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            table = csv.DictReader(file)
            missing = [column for column in columns if column not in (table.fieldnames or ())]
            if missing:
                raise NoPhotos(f"{path}: no column {', '.join(missing)}")
            for cells in table:
                yield _Row(path, table.line_num, cells)
    except OSError as error:
        if isinstance(error, NoPhotos):
            raise
        raise NoPhotos(f"{path}: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise NoPhotos(f"{path}: no table in UTF-8 ({error})") from error
