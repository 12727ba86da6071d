"""Which answer belongs to which tile, and what that is worth. No pictures here: boxes and names only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Self

from vision.readings import UNSURE

from .photos import Rectangle

LEAST_IOU = 0.5
"""Overlap from which an answer lies on a tile; boxes of touching tiles have 0."""


@dataclass(frozen=True, slots=True)
class Truth:
    """A tile that is there. `counts` False: whatever is answered on it neither helps nor hurts."""

    face: str
    box: Rectangle
    counts: bool = True


@dataclass(frozen=True, slots=True)
class Found:
    """One answer; face "?" = a tile whose face is not sure, which counts as not read."""

    face: str
    box: Rectangle
    score: float = 1.0


@dataclass(slots=True)
class Tally:
    """Counts over pictures. `right`: the right face on the tile; `answered`: faces and backs said, "?" and
    what lies on tiles that do not count left out; `localised`: tiles on which any answer lies, "?"
    included."""

    tiles: int = 0
    right: int = 0
    answered: int = 0
    localised: int = 0
    unsure: int = 0
    pictures: int = 0
    exact: int = 0

    @property
    def recall(self) -> float:
        """Part of the tiles that was read right, 0 to 1."""
        return self.right / self.tiles if self.tiles else 0.0

    @property
    def precision(self) -> float:
        """Part of the answers that was right, 0 to 1; 1 if nothing was answered."""
        return self.right / self.answered if self.answered else 1.0

    @property
    def is_complete(self) -> bool:
        """Whether every tile was read right and nothing else was told."""
        return self.right == self.tiles == self.answered

    def add(self, other: Self) -> None:
        """Count another tally in."""
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))


def iou(first: Rectangle, second: Rectangle) -> float:
    """Return the intersection of two boxes over their union, 0 to 1.

    >>> iou((0, 0, 10, 10), (10, 0, 10, 10))
    0.0
    >>> iou((0, 0, 10, 10), (0, 0, 10, 5))
    0.5
    """
    width = min(first[0] + first[2], second[0] + second[2]) - max(first[0], second[0])
    height = min(first[1] + first[3], second[1] + second[3]) - max(first[1], second[1])
    if width <= 0 or height <= 0:
        return 0.0
    shared = width * height
    return shared / (first[2] * first[3] + second[2] * second[3] - shared)


def compare(truths: Sequence[Truth], found: Sequence[Found]) -> Tally:
    """Return the tally of one picture.

    A tile is read right when an answer with its face overlaps it enough; each answer counts for one tile
    and each tile for one answer, so a second answer on the same tile is a wrong one. Which answers lie on
    tiles that do not count is asked last, so that those cannot swallow a right answer.
    """
    counting = [truth for truth in truths if truth.counts]
    said = [item for item in found if item.face != UNSURE]
    right = _pairs(counting, said, same_face=True)
    left = [item for index, item in enumerate(said) if index not in right]
    ignored = [truth for truth in truths if not truth.counts]
    wrong = sum(all(iou(item.box, truth.box) < LEAST_IOU for truth in ignored) for item in left)
    tally = Tally(len(counting), len(right), len(right) + wrong, pictures=1)
    tally.localised = len(_pairs(counting, found, same_face=False))
    tally.unsure = len(found) - len(said)
    tally.exact = int(is_exact(truths, found))
    return tally


def is_exact(truths: Sequence[Truth], found: Sequence[Found]) -> bool:
    """Return whether the faces of one row read from left to right are those of the tiles, none more or less.

    Answers on tiles that do not count are left out, as those tiles are.
    """
    ignored = [truth for truth in truths if not truth.counts]
    told = [item for item in found if all(iou(item.box, truth.box) < LEAST_IOU for truth in ignored)]
    told.sort(key=lambda item: item.box[0] + item.box[2] / 2)
    due = sorted(
        (truth for truth in truths if truth.counts), key=lambda truth: truth.box[0] + truth.box[2] / 2
    )
    return [item.face for item in told] == [truth.face for truth in due]


def _pairs(truths: Sequence[Truth], found: Sequence[Found], *, same_face: bool) -> dict[int, int]:
    """Return answer -> tile, the best overlaps first; one of each."""
    close = sorted(
        (
            (-overlap, number, place)
            for number, item in enumerate(found)
            for place, truth in enumerate(truths)
            if not same_face or item.face == truth.face
            if (overlap := iou(item.box, truth.box)) >= LEAST_IOU
        ),
    )
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, number, place in close:
        if number not in pairs and place not in taken:
            pairs[number] = place
            taken.add(place)
    return pairs
