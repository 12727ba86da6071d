"""Finding tiles in a picture seen from above, and naming their faces.

Two small nets: `find` gives places (centre, axis, face or back up) on a picture of 1 pixel per millimetre,
`name` gives the face of an upright crop. Places come first, so a tile whose face is unreadable is still a
tile ("?").
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from .crops import cut, resettled
from .enrolment import Enrolment
from .errors import VisionError
from .nets import THREADS, Backend, Net
from .readings import BACK

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]
Floats = NDArray[np.float32]

FIND_PX_PER_MM = 1.0
"""Scale of the picture that the finder was trained on: a tile is 30 x 40 pixels."""
STRIDE = 4
"""Pixels per cell of the finder's answer."""
BAND_PX, BAND_RIM_PX = 256, 64
"""A large picture is looked at in bands of so many rows; as many more on both sides are thrown away."""
TILE_MM = (30.0, 40.0)
FIND_SCORE = 0.35
"""Least heat of a place: the least of 10,000 true places of fresh frames has 0.47."""
APART_MM = 20.0
"""Two places closer than this are one tile: the nearest two tiles of a table lie 30 mm apart."""

CROP = "64x48"
"""Height and width of the crops of a namer that does not tell (metadata `crop`)."""

AT_ONCE = 40
"""Crops that the namer looks at together: a hand of 18 tiles, both ways up. All 1,200 of a picture with 600
places took 341 MiB at once; so they take less than 100, and a quarter less time."""

PLACE = "place"
"""The namer's output of where the tile lies in its crop (`crops.resettled`)."""
UNKNOWN = "unknown"
CLASSES: tuple[str, ...] = (
    *(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)),
    *"ESWNCFP",
    *"abcdefgh",
    BACK,
    UNKNOWN,
)
"""Order of the namer's answers: the 42 faces in the order of the tile text, back, something else."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A tile's place in the rectified picture: centre in pixels, axis in degrees 0-180 (counter-clockwise as
    seen, 0 = long side up), whether it lies face down, and how sure the place is."""

    x: float
    y: float
    axis_deg: float
    is_back: bool
    score: float


@dataclass(frozen=True, slots=True)
class Seen:
    """A spot with the matrix from its rectified picture to the frame, and the direction it is read in
    (degrees)."""

    spot: Spot
    matrix: Matrix
    up_deg: float
    tile_px: tuple[float, float] = TILE_MM


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


class TileFinder:
    """Places of tiles in a picture of `FIND_PX_PER_MM`."""

    def __init__(
        self, threads: int = THREADS, *, models: Path | None = None, backend: Backend = "onnxruntime"
    ) -> None:
        self._net = Net("find", threads, models=models, backend=backend)

    def find(self, image: Image, least: float = FIND_SCORE) -> list[Spot]:
        """Return the tiles in an (h, w, 3) uint8 BGR picture, surest first."""
        height, width = image.shape[:2]
        padded = np.asarray(
            cv2.copyMakeBorder(image, 0, -height % 16, 0, -width % 16, cv2.BORDER_REPLICATE), dtype=np.uint8
        )
        answers = []
        for top in range(0, padded.shape[0], BAND_PX):  # bands, so that a whole table needs little memory
            first, last = max(0, top - BAND_RIM_PX), min(padded.shape[0], top + BAND_PX + BAND_RIM_PX)
            answer = self._net.run(padded[first:last][None])[0]
            skip = (top - first) // STRIDE
            answers.append(answer[:, skip : skip + BAND_PX // STRIDE])
        return spots_of(np.concatenate(answers, axis=1), least)


def spots_of(answer: Floats, least: float) -> list[Spot]:
    """Return the spots of the finder's raw answer (7, rows, columns).

    Channels: heat of face-up, face-down and standing tiles (logits; standing ones are left out), centre
    offset x, y in cells, cos and sin of twice the axis.
    """
    heat = 1.0 / (1.0 + np.exp(-answer[:3]))
    peak = heat.max(axis=0)
    ring = cv2.dilate(peak, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((peak >= least) & (peak >= ring))
    order = np.argsort(-peak[rows, columns])
    spots: list[Spot] = []
    standing: list[bool] = []
    for row, column in zip(rows[order], columns[order], strict=True):
        dx, dy, cos2, sin2 = answer[3:7, row, column]
        x = (float(column) + 0.5 + float(dx)) * STRIDE
        y = (float(row) + 0.5 + float(dy)) * STRIDE
        if any(math.hypot(x - spot.x, y - spot.y) < APART_MM for spot in spots):
            continue
        axis = math.degrees(math.atan2(float(sin2), float(cos2))) / 2.0 % 180.0
        kind = int(np.argmax(heat[:, row, column]))
        spots.append(Spot(x, y, axis, kind == 1, float(peak[row, column])))
        standing.append(kind == 2)
    return [spot for spot, stands in zip(spots, standing, strict=True) if not stands]


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
