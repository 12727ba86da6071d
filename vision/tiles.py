"""What is said of a tile in a picture: the classes of faces, the place where one lies, the way it is read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .readings import BACK

Matrix = NDArray[np.float64]

TILE_MM = (30.0, 40.0)
"""Width and height of a tile's face."""
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
