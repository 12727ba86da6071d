"""Naming tiles: the net `name` gives the face of an upright crop, and where the tile lies in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .crops import cut, resettled
from .enrolment import Enrolment
from .errors import VisionError
from .nets import THREADS, Backend, Net
from .tiles import CLASSES

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]
Floats = NDArray[np.float32]

CROP = "64x48"
"""Height and width of the crops of a namer that does not tell (metadata `crop`)."""

AT_ONCE = 40
"""Crops that the namer looks at together: a hand of 18 tiles, both ways up. All 1,200 of a picture with 600
places took 341 MiB at once; so they take less than 100, and a quarter less time."""

PLACE = "place"
"""The namer's output of where the tile lies in its crop (`crops.resettled`)."""


@dataclass(frozen=True, slots=True)
class FaceVote:
    """Chances of the 44 classes for one crop, and whether it reads better turned by 180 degrees."""

    chances: Floats
    is_upside_down: bool

    def chance(self, name: str) -> float:
        """Return the chance of one class."""
        return float(self.chances[CLASSES.index(name)])

    def best(self, count: int = 3) -> tuple[tuple[str, float], ...]:
        """Return the `count` most likely classes with their chances."""
        order = np.argsort(-self.chances)[:count]
        return tuple((CLASSES[index], float(self.chances[index])) for index in order)


def crop_size(metadata: Mapping[str, str]) -> tuple[int, int]:
    """Return width and height in pixels of the crops that a namer takes, by what its file says.

    Raises:
        VisionError: if it says what is no size.
    """
    told = metadata.get("crop", CROP)
    height, _, width = told.partition("x")
    if not (height.isdecimal() and width.isdecimal() and int(height) and int(width)):
        raise VisionError(f"the model name.onnx takes crops of {told!r} pixels: no size")
    return int(width), int(height)


class TileNamer:
    """Faces of upright crops.

    Args:
        enrolment: what a club's own tiles look like; it has its say in every vote.

    Attributes:
        crop_px: width and height of the crops it takes.

    Raises:
        VisionError: if the model is missing or tells no size of crops that there can be.
    """

    def __init__(
        self,
        threads: int = THREADS,
        *,
        models: Path | None = None,
        backend: Backend = "onnxruntime",
        enrolment: Enrolment | None = None,
    ) -> None:
        self._net = Net("name", threads, models=models, backend=backend)
        self.enrolment = enrolment
        self.metadata, self.digest = self._net.metadata, self._net.digest
        self.crop_px = crop_size(self.metadata)

    def name(self, crops: Image) -> list[FaceVote]:
        """Return a vote for each crop (n, h, w, 3) uint8 BGR; each is looked at upright and upside down."""
        if not len(crops):
            return []
        answers, features = self._seen(np.concatenate([crops, crops[:, ::-1, ::-1]]))
        logits, turned = answers[:, : len(CLASSES)], answers[:, len(CLASSES)]
        shifted = logits - logits.max(axis=1, keepdims=True)
        chances = np.exp(shifted)
        chances /= chances.sum(axis=1, keepdims=True)
        if self.enrolment is not None:
            chances = self.enrolment.mixed(chances, features)
        count = len(crops)
        # both views must agree: the geometric mean keeps a chance high only if neither view objects
        mean = np.sqrt(chances[:count] * chances[count:])
        mean /= mean.sum(axis=1, keepdims=True)
        upside_down = turned[:count] - turned[count:]
        return [
            FaceVote(row.astype(np.float32), bool(flip > 0.0))
            for row, flip in zip(mean, upside_down, strict=True)
        ]

    def settled(self, image: Image, matrices: Sequence[Matrix]) -> list[Matrix]:
        """Return where the tiles lie by a first look at them; as told, if the model cannot say."""
        if PLACE not in self._net.outputs or not len(matrices):
            return list(matrices)
        places = self._looked_at(cut(image, matrices, self.crop_px))[PLACE]
        return [resettled(matrix, place) for matrix, place in zip(matrices, places, strict=True)]

    def features(self, crops: Image) -> Floats:
        """Return what the net sees in each upright crop (n, D): what an enrolment compares."""
        return self._seen(crops)[1]

    def _seen(self, crops: Image) -> tuple[Matrix, Floats]:
        """Return answers (n, 45) and features (n, D): those of the last layer's input if the model gives
        them, else the logits of the classes."""
        outputs = self._looked_at(crops)
        answers = outputs[self._net.outputs[0]]
        return answers.astype(np.float64), outputs.get("features", answers[:, : len(CLASSES)])

    def _looked_at(self, crops: Image) -> dict[str, Floats]:
        parts = [self._net.run_all(crops[at : at + AT_ONCE]) for at in range(0, len(crops), AT_ONCE)]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
