"""The photographs of real sets with their labels (layout: README.md of the shared data), read when needed."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property
from pathlib import Path

from vision.tiles import CLASSES

from .labels import (
    FOREIGN,
    Crop,
    NoPhotos,
    Photo,
    Placed,
    Rectangle,
    crop_labels,
    photo_labels,
    photographs,
)

__all__ = [
    "FACES",
    "FLOWERS",
    "FOREIGN",
    "ORDINARY",
    "Crop",
    "NoPhotos",
    "Photo",
    "Photos",
    "Placed",
    "Rectangle",
]

ORDINARY: frozenset[str] = frozenset(CLASSES[:34])
"""The faces of a set without flowers."""
FLOWERS: frozenset[str] = frozenset(CLASSES[34:42])
FACES: frozenset[str] = ORDINARY | FLOWERS


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
        self.root = photographs(root)
        self._crops_of, self._photos_of = crops_of, photos_of

    @cached_property
    def crops(self) -> tuple[Crop, ...]:
        """All pictures of single tiles, in the order of their file."""
        return tuple(
            crop for crop in crop_labels(self.root) if self._crops_of is None or crop.set in self._crops_of
        )

    @cached_property
    def photos(self) -> tuple[Photo, ...]:
        """All whole photographs, in the order of their file."""
        return tuple(
            photo
            for photo in photo_labels(self.root)
            if self._photos_of is None or photo.set in self._photos_of
        )

    @property
    def photographed(self) -> set[str]:
        """The sets of which there are whole photographs."""
        return {photo.set for photo in self.photos}

    @cached_property
    def without_tiles(self) -> tuple[Path, ...]:
        """Photographs that show dice and no tile."""
        return tuple(sorted((self.root / "dice").glob("*.jpg")))

    @cached_property
    def sets(self) -> tuple[str, ...]:
        """The names of all physical sets."""
        return tuple(sorted({crop.set for crop in self.crops}))
