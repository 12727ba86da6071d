"""What every part of the evaluation is given: photographs, readers, the peer, how much to look at."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.errors import PictureRefused, VisionError
from vision.pictures import read_picture

from .judges import Judges
from .peer import Peer
from .photos import NoPhotos, Photos

Image = NDArray[np.uint8]
Item = TypeVar("Item")


@dataclass(slots=True)
class Bench:
    """The means of one evaluation.

    Args:
        data: None = no photographs are at hand. peer: None = not asked for.
        quick: each part looks at a small sample, the same for the same seed.
        hands: twin hands to read. keep: folder for what is made on the way (twin frames).
        say: told what is being done, one line at a time.
    """

    data: Photos | None
    judges: Judges
    peer: Peer | None
    quick: bool
    seed: int
    hands: int
    keep: Path
    say: Callable[[str], None]
    _last: tuple[Path, Image] | None = field(default=None, init=False)

    @property
    def photos(self) -> Photos:
        """The photographs.

        Raises:
            NoPhotos: if there are none.
        """
        if self.data is None:
            raise NoPhotos("this part needs the photographs: give their folder with --data")
        return self.data

    def rng(self, *names: object) -> np.random.Generator:
        """Return a random source that depends on the seed and on names only, not on what was done before."""
        return np.random.default_rng([self.seed, *(zlib.crc32(str(name).encode()) for name in names)])

    def sample(self, items: Sequence[Item], few: int, *names: object) -> list[Item]:
        """Return all items, or with `quick` a random few of them, in their order."""
        if not self.quick or len(items) <= few:
            return list(items)
        chosen = self.rng("sample", *names).choice(len(items), few, replace=False)
        return [items[index] for index in sorted(chosen)]

    def picture(self, path: Path) -> Image:
        """Return the pixels of a file as `see` reads it; the last one is kept.

        Raises:
            NoPhotos: if a picture that the labels name cannot be read.
        """
        if self._last is None or self._last[0] != path:
            try:
                self._last = (path, read_picture(path).image)
            except PictureRefused as error:
                raise NoPhotos(f"{path}: {error}") from error
        return self._last[1]

    def name(self, path: Path) -> str:
        """Return a file's name below the photographs."""
        return path.relative_to(self.photos.root).as_posix()


class PartMissing(VisionError, ValueError):
    """There is no part of that name: `run.PARTS` lists them."""
