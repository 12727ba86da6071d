"""The table's four printed marks: where they are in a picture, and whether they can be seen well.

Value types without pictures in them, so that a page can lead a person through the setting up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from .table import geometry

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]
Seen = Mapping[int, Matrix]
"""Pixel corners (4, 2) of marks by id; corner order as printed: top left, clockwise."""

EDGE_REACH_MM = 4.0
"""Profiles across a mark's edge reach so far on both sides: the card shows 5 mm of white."""
EDGE_STEP_MM = 0.2
EDGE_NEAR_MM = 2.2
"""How far from the steepest place what rises still belongs to the edge."""
BLURRED_MM = 3.2
"""Width of a mark's edge from which a picture is called out of focus. Rendered frames in focus: 1.2 to 2.1;
the strokes that tell 1p from 8p or 中 from 發 are 1.5 to 2 wide."""
DARK_LEVEL = 70.0
"""Grey level of the card's white below which there is too little light (usual frames: 150 to 240)."""
GLARE_LEVEL = 60.0
"""Grey level of the mark's black above which a lamp is mirrored in it (usual frames: 15 to 35)."""
LEAST_CONTRAST = 40.0
SMALL_PX_PER_MM = 0.5
"""A tile of 30 mm has 15 pixels then: its face cannot be read."""

Edge = tuple[float, float, float]
Trouble = Literal["missing", "blurred", "dark", "glare", "small"]


@dataclass(frozen=True, slots=True)
class MarkSeen:
    """One mark in a picture.

    `corners_px` as printed: top left, clockwise. `blur_mm` is how wide the edge between black and white is,
    `black` and `white` their grey levels (0-255), `px_per_mm` the size of a millimetre there.
    """

    number: int
    corners_px: tuple[tuple[float, float], ...]
    px_per_mm: float
    blur_mm: float
    black: float
    white: float

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong with how it can be seen, the worst first; None if nothing is."""
        if self.px_per_mm < SMALL_PX_PER_MM:
            return "small"
        if self.white < DARK_LEVEL:
            return "dark"
        if self.black > GLARE_LEVEL and self.white - self.black < self.black:
            return "glare"
        if self.white - self.black < LEAST_CONTRAST:
            return "dark"
        return "blurred" if self.blur_mm > BLURRED_MM else None


@dataclass(frozen=True, slots=True)
class Sighting:
    """What a picture of `size_px` shows of the table's marks, ordered by number."""

    size_px: tuple[int, int]
    marks: tuple[MarkSeen, ...]

    @property
    def missing(self) -> tuple[int, ...]:
        """Numbers of the marks that are covered or out of the picture."""
        seen = {mark.number for mark in self.marks}
        return tuple(number for number in mark_numbers() if number not in seen)

    @property
    def troubles(self) -> tuple[tuple[int, Trouble], ...]:
        """What is wrong, by mark number; nothing when all four are seen well."""
        found: dict[int, Trouble] = dict.fromkeys(self.missing, "missing")
        for mark in self.marks:
            if mark.trouble is not None:
                found[mark.number] = mark.trouble
        return tuple(sorted(found.items()))

    @property
    def corners(self) -> dict[int, Matrix]:
        """Pixel corners by number, as `find_marks` gives them."""
        return {mark.number: np.array(mark.corners_px, dtype=np.float64) for mark in self.marks}


def mark_numbers() -> tuple[int, ...]:
    """Return the ids of the table's marks."""
    return tuple(geometry()["marks"]["ids"])


@lru_cache(maxsize=1)
def _detector() -> cv2.aruco.ArucoDetector:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, geometry()["marks"]["dictionary"]))
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.minMarkerPerimeterRate = 0.02
    # the white card's edge lies close round the mark: at the usual rate the two are taken for one and the
    # mark is lost
    parameters.minMarkerDistanceRate = 0.02
    return cv2.aruco.ArucoDetector(dictionary, parameters)


def _gray(image: Image) -> Image:
    return image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def find_marks(image: Image) -> dict[int, Matrix]:
    """Return the pixel corners (4, 2) of the table marks seen, by id; corner order as printed: top left,
    clockwise."""
    gray = _gray(image)
    known = set(mark_numbers())
    seen: dict[int, Matrix] = {}
    for is_second in (
        False,
        True,
    ):  # a second look at a softer picture when one is missing: noise can hide it
        view = cv2.GaussianBlur(gray, (0, 0), 1.2) if is_second else gray
        corners, ids, _ = _detector().detectMarkers(view)
        if ids is not None:
            for quad, number in zip(corners, np.asarray(ids).ravel(), strict=True):
                if int(number) in known:
                    seen.setdefault(int(number), np.asarray(quad, dtype=np.float64).reshape(4, 2))
        if len(seen) == len(known):
            break
    return {number: _sharpened(gray, quad) for number, quad in seen.items()}


def is_mirrored(image: Image) -> bool:
    """Return whether the picture's mirror image shows more marks than the picture: a camera meant for video
    calls turns left and right round."""
    return len(find_marks(np.ascontiguousarray(image[:, ::-1]))) > len(find_marks(image))


def mark_corners(number: int) -> Matrix:
    """Return the table millimetres (4, 2) of a mark's corners: top left, top right, bottom right, bottom
    left."""
    plan = geometry()["marks"]
    x, y = plan["centres"][plan["ids"].index(number)]
    half = plan["size"] / 2.0
    return np.array([[x - half, y + half], [x + half, y + half], [x + half, y - half], [x - half, y - half]])


def sight(image: Image) -> Sighting:
    """Return what a picture shows of the marks.

    Args:
        image: (h, w, 3) uint8 BGR or (h, w) grey.
    """
    gray = _gray(image)
    marks = tuple(_judged(gray, number, quad) for number, quad in sorted(find_marks(gray).items()))
    return Sighting((image.shape[1], image.shape[0]), marks)


def _across(gray: Image, quad: Matrix, along: Matrix, across: Matrix) -> tuple[Matrix, Matrix]:
    """Return profiles (4, along, across) of grey levels over a mark's edges, and the 3x3 matrix from the
    mark's plane to the picture.

    The plane has millimetres, x right, y down, the mark's middle at 0; sides: top, right, bottom, left;
    `across` counts from the edge outwards.
    """
    half = geometry()["marks"]["size"] / 2.0
    flat = np.array([[-half, -half], [half, -half], [half, half], [-half, half]], dtype=np.float32)
    to_picture = np.asarray(cv2.getPerspectiveTransform(flat, quad.astype(np.float32)), dtype=np.float64)
    out, place = np.meshgrid(half + across, along)
    edges = [np.stack(pair, axis=-1) for pair in ((place, -out), (out, place), (place, out), (-out, place))]
    points = cv2.perspectiveTransform(np.concatenate(edges).reshape(1, -1, 2), to_picture)
    maps = points.reshape(4 * len(along), len(across), 2).astype(np.float32)
    levels = cv2.remap(gray, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(levels, dtype=np.float64).reshape(4, len(along), len(across)), to_picture


def _sharpened(gray: Image, quad: Matrix) -> Matrix:
    """Return the corners as the crossings of the mark's four edges.

    An edge has room for many looks, a corner for one; and the usual search for a corner is drawn aside by the
    card's own edge, 5 mm on, where that is no more than 5 pixels.
    """
    half = geometry()["marks"]["size"] / 2.0
    along, across = np.linspace(-0.8, 0.8, 17) * half, np.arange(-EDGE_REACH_MM, EDGE_REACH_MM, EDGE_STEP_MM)
    middles = (across[1:] + across[:-1]) / 2.0
    found = quad
    for _ in range(2):
        profiles, to_picture = _across(gray, found, along, across)
        rise = np.maximum(np.diff(profiles, axis=2), 0.0)  # from black to white; the card's own edge falls
        centre = middles[np.argmax(rise.mean(axis=1), axis=1)][:, None, None]
        rise = np.where(np.abs(middles - centre) <= EDGE_NEAR_MM, rise, 0.0)
        weight = rise.sum(axis=2)
        off = np.divide((rise * middles).sum(axis=2), weight, out=np.zeros_like(weight), where=weight > 0.0)
        lines = [_line(along, row, heavy) for row, heavy in zip(off, weight, strict=True)]
        top, right, bottom, left = (
            (sign, half + offset, slope)
            for sign, (offset, slope) in zip((-1.0, 1.0, 1.0, -1.0), lines, strict=True)
        )
        pairs = ((top, left), (top, right), (bottom, right), (bottom, left))
        corners = [_crossing(level, upright) for level, upright in pairs]
        flat = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
        if np.max(np.abs(np.array(corners) - flat)) > EDGE_REACH_MM:
            return found
        found = np.asarray(cv2.perspectiveTransform(np.array([corners]), to_picture)[0], dtype=np.float64)
    return found


def _line(along: Matrix, off: Matrix, weight: Matrix) -> tuple[float, float]:
    """Return offset and slope of an edge; what lies far from the first line (a finger, a speck) is left
    out."""
    usable = weight > 0.3 * np.median(weight)
    for _ in range(2):
        if np.count_nonzero(usable) < 4:
            return 0.0, 0.0
        slope, offset = np.polyfit(along[usable], off[usable], 1)
        miss = np.abs(off - offset - slope * along)
        usable &= miss <= max(0.15, 2.5 * float(np.median(miss[usable])))
    return float(offset), float(slope)


def _crossing(level: Edge, upright: Edge) -> tuple[float, float]:
    """Return where two edges cross, each (sign, offset, slope): `y = sign * (offset + slope * x)`, x by y."""
    (up, y0, yx), (right, x0, xy) = level, upright
    y = up * (y0 + yx * right * x0) / (1.0 - up * right * yx * xy)
    return right * (x0 + xy * y), y


def _judged(gray: Image, number: int, quad: Matrix) -> MarkSeen:
    """Return a mark with the width of its edges and its grey levels, from profiles across its four edges."""
    half = geometry()["marks"]["size"] / 2.0
    across = np.arange(-EDGE_REACH_MM, EDGE_REACH_MM + EDGE_STEP_MM / 2, EDGE_STEP_MM)
    profiles = _across(gray, quad, np.linspace(-0.6, 0.6, 9) * half, across)[0].mean(axis=1)
    low, high = profiles[:, :6].mean(axis=1), profiles[:, -6:].mean(axis=1)
    steepest = np.max(np.diff(profiles, axis=1), axis=1) / EDGE_STEP_MM
    widths = (high - low) / np.maximum(steepest, 1e-6)
    area = abs(float(cv2.contourArea(quad.astype(np.float32))))
    return MarkSeen(
        number,
        tuple((float(u), float(v)) for u, v in quad),
        round(float(np.sqrt(area)) / (2.0 * half), 4),
        round(float(np.median(widths)), 3),
        round(float(np.mean(low)), 1),
        round(float(np.mean(high)), 1),
    )
