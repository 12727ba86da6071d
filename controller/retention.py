"""How long things beside the ledger are kept: photos by age and size. Rows of the ledger are kept for ever.

A photo that is gone leaves its SHA-256 in the ledger: whoever kept a copy can still show that it is the one.
Black boxes are bounded by their number (`blackbox.KEEP`), names stay until they are erased.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

DAY_S = 86_400
PART_S = DAY_S
"""A photo that is still half written after a day belongs to a service that was ended."""


@dataclass(frozen=True, slots=True)
class Photo:
    """A file of the evidence folder."""

    path: Path
    at_s: float
    size: int


def tidy_photos(folder: Path, *, days: int, mib: int, now_s: float | None = None) -> int:
    """Remove photos older than `days`, then the oldest until the rest is at most `mib` MiB; returns how many.

    What cannot be removed stays; a missing folder has no photos.
    """
    now_s = time.time() if now_s is None else now_s
    for part in _files(folder, "*.part"):
        if now_s - part.at_s > PART_S:
            _remove(part)
    photos = sorted(_files(folder, "*.jpg"), key=lambda photo: photo.at_s)
    left, removed = sum(photo.size for photo in photos), 0
    for photo in photos:
        if now_s - photo.at_s <= days * DAY_S and left <= mib * 1024 * 1024:
            break
        if _remove(photo):
            left -= photo.size
            removed += 1
    return removed


def _files(folder: Path, pattern: str) -> Iterator[Photo]:
    for path in folder.glob(pattern):
        with suppress(OSError):
            status = path.stat()
            yield Photo(path, status.st_mtime, status.st_size)


def _remove(photo: Photo) -> bool:
    try:
        photo.path.unlink()
    except OSError:
        return False
    return True
