"""What enrolment gains on sets that the namer never saw.

    python -m vision.training.check_enrol --data ../shared/data --folds .deps/train/folds

For each fold's model and each of its unseen sets: one crop of every face is enrolled (a copy each, from one
photo where the set has several), all other crops are named with and without. The club's own checks are left
out: here the labels are known.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import enrolment as mixing
from vision.enrol import FLOWER_ROW, ORDINARY, learn
from vision.eyes import Eyes
from vision.namer import TileNamer
from vision.training.data import FOREIGN, Crop, Photos
from vision.training.folds import FOLDS

FACES = (*ORDINARY, *FLOWER_ROW)
DRAWS = 3
"""Each set is enrolled so often, with other copies."""


@dataclass
class Count:
    """Answers on crops of faces and on foreign tiles."""

    tiles: int = 0
    right: int = 0
    accepted: int = 0
    wrong_accepted: int = 0
    foreign: int = 0
    foreign_accepted: int = 0

    def add(self, face: str, best: str, chance: float, threshold: float) -> None:
        is_accepted = chance >= threshold and best in FACES
        if face == FOREIGN:
            self.foreign += 1
            self.foreign_accepted += is_accepted
            return
        self.tiles += 1
        self.right += best == face
        self.accepted += is_accepted
        self.wrong_accepted += is_accepted and best != face

    def __str__(self) -> str:
        share = max(self.tiles, 1)
        return (
            f"{self.right / share:7.2%} right  {self.accepted / share:7.2%} accepted"
            f"  {self.wrong_accepted:3d} wrong of {self.accepted}"
            f"  foreign {self.foreign_accepted}/{self.foreign}"
        )


@dataclass
class Held:
    """The crops of an unseen set as the namer takes them, with their faces."""

    pictures: NDArray[np.uint8]
    faces: list[str]
    by_face: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))


def held(eyes: Eyes, crops: Sequence[Crop]) -> Held:
    pictures = np.stack([eyes.whole_crop(crop.image)[0] for crop in crops])
    out = Held(pictures, [crop.face for crop in crops])
    for index, face in enumerate(out.faces):
        out.by_face[face].append(index)
    return out


def enrolled(namer: TileNamer, own: Held, draw: int) -> list[int]:
    """Enrol one copy of each face; return the indices of the crops that were not used."""
    used = [rows[draw % len(rows)] for face, rows in own.by_face.items() if face in FACES]
    faces = tuple(face for face in FACES if face in own.by_face)
    namer.enrolment = learn(namer, own.pictures[used], [own.faces[index] for index in used], faces)
    return sorted(set(range(len(own.faces))) - set(used))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--folds", type=Path, required=True, help="folder with 0/name.onnx .. 4/name.onnx")
    parser.add_argument("--share", type=float, nargs="+", default=[mixing.SHARE])
    parser.add_argument("--sharpness", type=float, nargs="+", default=[mixing.SHARPNESS])
    parser.add_argument("--stranger", type=float, nargs="+", default=[mixing.STRANGER])
    parser.add_argument("--worst", action="store_true", help="one line a set, too")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    photos = Photos(options.data)
    sets: list[tuple[Eyes, str, Held]] = []
    for fold, unseen in enumerate(FOLDS):
        models = options.folds / str(fold)
        if not (models / "name.onnx").exists():
            continue
        eyes = Eyes(threads=1, models=models)
        sets += [(eyes, name, held(eyes, photos.crops({name}))) for name in sorted(unseen)]
    for share in options.share:
        for sharpness in options.sharpness:
            for stranger in options.stranger:
                mixing.SHARE, mixing.SHARPNESS, mixing.STRANGER = share, sharpness, stranger
                print(f"share {share}  sharpness {sharpness}  stranger {stranger}")
                compare(sets, options.worst)


def compare(sets: Sequence[tuple[Eyes, str, Held]], each: bool) -> None:
    without, with_it = Count(), Count()
    for eyes, name, own in sets:
        before, after = Count(), Count()
        for draw in range(DRAWS):
            rest = enrolled(eyes.namer, own, draw)
            count(after, eyes, own, rest)
            eyes.namer.enrolment = None
            count(before, eyes, own, rest)
        if each:
            print(f"  {name:4s} alone    {before}\n       enrolled {after}")
        for total, part in ((without, before), (with_it, after)):
            for key, value in vars(part).items():
                setattr(total, key, getattr(total, key) + value)
    print(f"  all  alone    {without}\n       enrolled {with_it}", flush=True)


def count(into: Count, eyes: Eyes, own: Held, indices: Sequence[int]) -> None:
    for index, vote in zip(indices, eyes.namer.name(own.pictures[indices]), strict=True):
        best, chance = vote.best(1)[0]
        into.add(own.faces[index], best, chance, eyes.tile_threshold)


if __name__ == "__main__":
    main()
