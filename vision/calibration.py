"""From the four table marks to millimetres: where a table point is in the picture, and zones seen from above.

The homography is fitted to all corners of the visible marks (three are enough). A tile's top lies above the
felt, so the camera's place is estimated too (square pixels, lens axis in the middle of the picture):
`height_mm` of the calls below then removes the parallax. When the camera looks straight down the height
cannot be told from the marks; a usual height is assumed, an error of 20 % moves a tile's top by less than 2
mm.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from .errors import MarksNotFound, VisionError
from .table import Zone, ZoneName, geometry, side_matrix, zone

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]

MIN_MARKS = 3
LEAST_CAMERA_HEIGHT_MM = 100.0
"""A lens lower than this sees no table; at the height of a tile's top (22) the parallax has no answer."""
MAX_SIDE_PX = 30_000
USUAL_CAMERA_HEIGHT_MM = 1100.0
"""Taken when the view is too straight to tell the height from the marks (a camera over a 0.9 m table)."""
MAX_FIT_ERROR_PX = 4.0
"""Mean corner error above which the marks do not lie as on the drawing (a mark was moved); rendered frames:
below 1."""


@dataclass(frozen=True)
class Calibration:
    """Where the table is in the picture.

    `matrix` maps table millimetres on the felt to pixels (row-major 3x3); `camera_mm` is the lens centre;
    `size_px` the (width, height) it was made for; `marks` the ids seen; `error_px` the mean corner error.
    """

    matrix: tuple[float, ...]
    camera_mm: tuple[float, float, float]
    size_px: tuple[int, int]
    marks: tuple[int, ...]
    error_px: float

    def plane(self, height_mm: float = 0.0) -> Matrix:
        """Return the 3x3 matrix from table millimetres at a height above the felt to pixels."""
        flat: Matrix = np.array(self.matrix, dtype=np.float64).reshape(3, 3)
        if height_mm == 0.0:
            return flat
        x, y, z = self.camera_mm
        k = height_mm / (z - height_mm)
        lifted: Matrix = flat @ np.array([[1.0 + k, 0.0, -k * x], [0.0, 1.0 + k, -k * y], [0.0, 0.0, 1.0]])
        return lifted

    def table_to_pixel(self, x: float, y: float, height_mm: float = 0.0) -> tuple[float, float]:
        """Return the pixel (x right, y down) of a table point."""
        u, v, w = self.plane(height_mm) @ np.array([x, y, 1.0])
        return float(u / w), float(v / w)

    def pixel_to_table(self, u: float, v: float, height_mm: float = 0.0) -> tuple[float, float]:
        """Return the table millimetres of a pixel, if what is seen there lies at that height."""
        x, y, w = np.linalg.inv(self.plane(height_mm)) @ np.array([u, v, 1.0])
        return float(x / w), float(y / w)

    def view(self, side: int, area: Zone, px_per_mm: float, height_mm: float = 0.0) -> Matrix:
        """Return the 3x3 matrix from pixels of the rectified area (see `rectify`) to pixels of the frame."""
        to_local = np.array(
            [[1.0 / px_per_mm, 0.0, area.x0], [0.0, -1.0 / px_per_mm, area.y1], [0.0, 0.0, 1.0]]
        )
        matrix: Matrix = self.plane(height_mm) @ np.array(side_matrix(side)) @ to_local
        return matrix

    def rectify(
        self,
        image: Image,
        side: int,
        area: Zone | ZoneName,
        px_per_mm: float = 1.0,
        height_mm: float = 0.0,
    ) -> Image:
        """Return the area as `side` sees it from above: (h, w, 3) uint8 BGR, row 0 = farthest from the
        player."""
        if isinstance(area, str):
            area = zone(area)
        size = (round(area.width * px_per_mm), round(area.height * px_per_mm))
        matrix = self.view(side, area, px_per_mm, height_mm)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpPerspective(image, matrix, size, flags=flags), dtype=np.uint8)

    def to_json(self) -> str:
        """Return the calibration as JSON text, read back by `from_json`."""
        return json.dumps(
            {
                "matrix": list(self.matrix),
                "camera_mm": list(self.camera_mm),
                "size_px": list(self.size_px),
                "marks": list(self.marks),
                "error_px": self.error_px,
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Calibration:
        """Return the calibration written by `to_json`.

        Raises:
            VisionError: if the text is not a calibration.
        """
        try:
            data: Any = json.loads(text)
            matrix = tuple(float(value) for value in data["matrix"])
            x, y, z = (float(value) for value in data["camera_mm"])
            width, height = (int(value) for value in data["size_px"])
            marks = tuple(int(value) for value in data["marks"])
            error_px = float(data["error_px"])
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            raise VisionError(f"not a calibration: {error or type(error).__name__}") from error
        if (
            len(matrix) != 9
            or not np.all(np.isfinite(matrix))
            or abs(np.linalg.det(np.reshape(matrix, (3, 3)))) < 1e-12
        ):
            raise VisionError(
                "not a calibration: the matrix must be nine numbers of an invertible 3x3 matrix"
            )
        if not np.all(np.isfinite((x, y, z))):
            raise VisionError("not a calibration: the camera's place must be three numbers")
        if z < LEAST_CAMERA_HEIGHT_MM:
            raise VisionError(
                f"not a calibration: a camera less than {LEAST_CAMERA_HEIGHT_MM:.0f} mm above the felt"
            )
        if not (0 < width <= MAX_SIDE_PX and 0 < height <= MAX_SIDE_PX):
            raise VisionError(f"not a calibration: a picture of {width} x {height} pixels")
        if not (math.isfinite(error_px) and error_px >= 0.0):
            raise VisionError(f"not a calibration: an error of {error_px} pixels")
        return cls(matrix, (x, y, z), (width, height), marks, error_px)


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


def find_marks(image: Image) -> dict[int, Matrix]:
    """Return the pixel corners (4, 2) of the table marks seen, by id; corner order as printed: top left,
    clockwise."""
    gray = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    known = set(geometry()["marks"]["ids"])
    seen: dict[int, Matrix] = {}
    for attempt in (
        gray,
        None,
    ):  # a second look at a softer picture when a mark is missing: noise can hide one
        view = cv2.GaussianBlur(gray, (0, 0), 1.2) if attempt is None else gray
        corners, ids, _ = _detector().detectMarkers(view)
        if ids is not None:
            for quad, number in zip(corners, np.asarray(ids).ravel(), strict=True):
                if int(number) in known:
                    seen.setdefault(int(number), np.asarray(quad, dtype=np.float64).reshape(4, 2))
        if len(seen) == len(known):
            break
    return seen


def mark_corners(number: int) -> Matrix:
    """Return the table millimetres (4, 2) of a mark's corners: top left, top right, bottom right, bottom
    left."""
    plan = geometry()["marks"]
    x, y = plan["centres"][plan["ids"].index(number)]
    half = plan["size"] / 2.0
    return np.array([[x - half, y + half], [x + half, y + half], [x + half, y - half], [x - half, y - half]])


def calibrate(image: Image) -> Calibration:
    """Return where the table is in the picture, from three or four of its marks.

    Args:
        image: (h, w, 3) uint8 BGR.
    Raises:
        MarksNotFound: if fewer than three marks are seen or they do not fit the table's drawing.
    """
    seen = find_marks(image)
    if len(seen) < MIN_MARKS:
        raise MarksNotFound(f"{len(seen)} of 4 table marks seen, {MIN_MARKS} needed")
    numbers = tuple(sorted(seen))
    plan = np.concatenate([mark_corners(number) for number in numbers])
    pixels = np.concatenate([seen[number] for number in numbers])
    fitted, _ = cv2.findHomography(plan, pixels, 0)
    if fitted is None:
        raise MarksNotFound("the table marks do not span the table")
    matrix = np.asarray(fitted, dtype=np.float64)
    again = cv2.perspectiveTransform(plan[None], matrix)[0]
    error = float(np.mean(np.linalg.norm(again - pixels, axis=1)))
    if error > MAX_FIT_ERROR_PX:
        raise MarksNotFound(f"the table marks lie {error:.1f} px off the drawing")
    height, width = image.shape[:2]
    camera = _camera_place(matrix, width, height)
    return Calibration(
        tuple(float(v) for v in matrix.ravel()), camera, (width, height), numbers, round(error, 3)
    )


def _camera_place(matrix: Matrix, width: int, height: int) -> tuple[float, float, float]:
    """Return the lens centre in table millimetres, from the homography of the felt."""
    centred = np.array([[1.0, 0.0, -width / 2.0], [0.0, 1.0, -height / 2.0], [0.0, 0.0, 1.0]]) @ matrix
    a, b = centred[:, 0], centred[:, 1]
    known = np.array([a[0] * b[0] + a[1] * b[1], a[0] ** 2 + a[1] ** 2 - b[0] ** 2 - b[1] ** 2])
    slope = np.array([a[2] * b[2], a[2] ** 2 - b[2] ** 2])
    scale = (np.linalg.norm(a[:2]) + np.linalg.norm(b[:2])) / 2.0
    usual_f = USUAL_CAMERA_HEIGHT_MM * scale / abs(centred[2, 2])
    focal = usual_f
    # tilt of about 6 degrees and more tells the focal length; below, corner noise dominates
    if np.linalg.norm(slope) * usual_f**2 > 0.01 * scale**2:
        squared = -float(known @ slope) / float(slope @ slope)
        if squared > 0.0:
            focal = float(np.clip(np.sqrt(squared), 0.5 * usual_f, 2.0 * usual_f))
    lens = np.diag([1.0 / focal, 1.0 / focal, 1.0]) @ centred
    r1, r2, shift = lens[:, 0], lens[:, 1], lens[:, 2]
    size = (np.linalg.norm(r1) + np.linalg.norm(r2)) / 2.0
    r1, r2, shift = r1 / size, r2 / size, shift / size
    turn = np.stack([r1, r2, np.cross(r1, r2)], axis=1)
    u, _, vt = np.linalg.svd(turn)
    place = -(u @ vt).T @ shift
    return float(place[0]), float(place[1]), float(abs(place[2]))
