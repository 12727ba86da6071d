"""From the table marks to millimetres: where a table point is in the picture, and zones seen from above.

A homography leads from the felt to the pixels of a straight lens, the lens from there to the picture: both
are fitted to the corners of the visible marks (three are enough), or the lens is one measured before. A
tile's top lies above the felt, so the camera's place is estimated too (square pixels): `height_mm` of the
calls below then removes the parallax. When the camera looks straight down and no lens was measured, the
height cannot be told from the marks; a usual height is assumed, an error of 20 % moves a tile's top by less
than 2 mm.
"""

from __future__ import annotations

import itertools
import json
import math
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from .errors import MarksNotFound, VisionError
from .fit import camera_place, fit_without_moved
from .lens import MAX_SIDE_PX, Lens
from .marks import Seen, find_marks, mark_corners, mark_numbers
from .table import SIDES, Zone, ZoneName, side_matrix, to_table, zone

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]
Maps = tuple[NDArray[np.float32], NDArray[np.float32]]

MIN_MARKS = 3
LEAST_CAMERA_HEIGHT_MM = 100.0
"""A lens lower than this sees no table; at the height of a tile's top (22) the parallax has no answer."""
GRID_PX = 8
"""The bend is worked out at every so many pixels of a zone; between them straight lines are 0.002 px off."""
MAPS_KEPT = 4
"""Zones of one calibration whose maps are kept (the whole table's: 6 MB)."""


@dataclass(frozen=True)
class Calibration:
    """Where the table is in the picture.

    `matrix` maps table millimetres on the felt to pixels of a straight lens (row-major 3x3), `lens` bends
    these to pixels of the picture (None: it bends nothing); `camera_mm` is the lens centre; `size_px` the
    (width, height) it was made for; `marks` the ids used; `error_px` the mean corner error; `moved` a mark
    that does not lie on its place and was left out.
    """

    matrix: tuple[float, ...]
    camera_mm: tuple[float, float, float]
    size_px: tuple[int, int]
    marks: tuple[int, ...]
    error_px: float
    lens: Lens | None = None
    moved: tuple[int, ...] = ()

    def plane(self, height_mm: float = 0.0) -> Matrix:
        """Return the 3x3 matrix from table millimetres at a height above the felt to straight pixels."""
        flat: Matrix = np.array(self.matrix, dtype=np.float64).reshape(3, 3)
        if height_mm == 0.0:
            return flat
        x, y, z = self.camera_mm
        k = height_mm / (z - height_mm)
        lifted: Matrix = flat @ np.array([[1.0 + k, 0.0, -k * x], [0.0, 1.0 + k, -k * y], [0.0, 0.0, 1.0]])
        return lifted

    def straight(self, points: Matrix) -> Matrix:
        """Return where a straight lens would show what the picture shows at pixels (n, 2)."""
        return np.asarray(points, dtype=np.float64) if self.lens is None else self.lens.straighten(points)

    def bent(self, points: Matrix) -> Matrix:
        """Return where the picture shows straight pixels (n, 2): the other way of `straight`."""
        return np.asarray(points, dtype=np.float64) if self.lens is None else self.lens.bend(points)

    def to_pixels(self, points: Matrix, height_mm: float = 0.0) -> Matrix:
        """Return the pixels (n, 2) of table points (n, 2)."""
        return self.bent(_through(self.plane(height_mm), points))

    def to_table(self, pixels: Matrix, height_mm: float = 0.0) -> Matrix:
        """Return the table millimetres (n, 2) of pixels (n, 2), if what is seen there lies at that height."""
        back: Matrix = np.linalg.inv(self.plane(height_mm)).astype(np.float64)
        return _through(back, self.straight(pixels))

    def table_to_pixel(self, x: float, y: float, height_mm: float = 0.0) -> tuple[float, float]:
        """Return the pixel (x right, y down) of a table point."""
        u, v = self.to_pixels(np.array([[x, y]]), height_mm)[0]
        return float(u), float(v)

    def pixel_to_table(self, u: float, v: float, height_mm: float = 0.0) -> tuple[float, float]:
        """Return the table millimetres of a pixel, if what is seen there lies at that height."""
        x, y = self.to_table(np.array([[u, v]]), height_mm)[0]
        return float(x), float(y)

    def view(self, side: int, area: Zone, px_per_mm: float, height_mm: float = 0.0) -> Matrix:
        """Return the 3x3 matrix from pixels of the rectified area (see `rectify`) to straight pixels.

        These are the picture's pixels only for a lens that bends nothing: `bent` takes points on, `view_at`
        a small piece of the area.
        """
        to_local = np.array(
            [[1.0 / px_per_mm, 0.0, area.x0], [0.0, -1.0 / px_per_mm, area.y1], [0.0, 0.0, 1.0]]
        )
        matrix: Matrix = self.plane(height_mm) @ np.array(side_matrix(side)) @ to_local
        return matrix

    def view_at(
        self, side: int, area: Zone, px_per_mm: float, height_mm: float, at: tuple[float, float]
    ) -> Matrix:
        """Return the 3x3 matrix from pixels of the rectified area to pixels of the picture, exact at the
        pixel `at` of the area and less than 0.1 px off within a tile's size of it."""
        matrix = self.view(side, area, px_per_mm, height_mm)
        if self.lens is None:
            return matrix
        u, v = _through(matrix, np.array([at], dtype=np.float64))[0]
        near: Matrix = self.lens.slope(float(u), float(v)) @ matrix
        return near

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
        if self.lens is None or self.lens.is_straight:
            matrix = self.view(side, area, px_per_mm, height_mm)
            flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            return np.asarray(cv2.warpPerspective(image, matrix, size, flags=flags), dtype=np.uint8)
        maps = _maps(self, (side, area, px_per_mm, height_mm), size)
        return np.asarray(cv2.remap(image, *maps, cv2.INTER_LINEAR), dtype=np.uint8)

    def sees_table(self) -> bool:
        """Whether the places of all four hands and of the dice lie in the picture."""
        width, height = self.size_px
        points = [
            to_table(side, x, y)
            for side, area in itertools.product(SIDES, (zone("hand_centres"), zone("dice")))
            for x, y in itertools.product((area.x0, area.x1), (area.y0, area.y1))
        ]
        pixels = self.to_pixels(np.array(points))
        return bool(np.all(pixels >= 0.0) and np.all(pixels < (width, height)))

    def to_json(self) -> str:
        """Return the calibration as JSON text, read back by `from_json`."""
        data: dict[str, Any] = {
            "matrix": list(self.matrix),
            "camera_mm": list(self.camera_mm),
            "size_px": list(self.size_px),
            "marks": list(self.marks),
            "error_px": self.error_px,
        }
        if self.lens is not None:
            data["lens"] = self.lens.to_plain()
        if self.moved:
            data["moved"] = list(self.moved)
        return json.dumps(data)

    @classmethod
    def from_json(cls, text: str) -> Calibration:
        """Return the calibration written by `to_json`, of this version or one that knew no lens.

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
            moved = tuple(int(value) for value in data.get("moved", ()))
            lens = None if data.get("lens") is None else Lens.from_plain(data["lens"])
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            raise VisionError(f"not a calibration: {error or type(error).__name__}") from error
        _check_numbers(matrix, (x, y, z), (width, height), error_px)
        if lens is not None and lens.size_px != (width, height):
            raise VisionError("not a calibration: its lens is one for pictures of another size")
        return cls(matrix, (x, y, z), (width, height), marks, error_px, lens, moved)


def _check_numbers(
    matrix: tuple[float, ...], camera: tuple[float, float, float], size: tuple[int, int], error_px: float
) -> None:
    """Say no to numbers that no camera over a table can have."""
    is_nine = len(matrix) == 9 and bool(np.all(np.isfinite(matrix)))
    if not is_nine or abs(np.linalg.det(np.reshape(matrix, (3, 3)))) < 1e-12:
        raise VisionError("not a calibration: the matrix must be nine numbers of an invertible 3x3 matrix")
    if not np.all(np.isfinite(camera)):
        raise VisionError("not a calibration: the camera's place must be three numbers")
    if camera[2] < LEAST_CAMERA_HEIGHT_MM:
        raise VisionError(
            f"not a calibration: a camera less than {LEAST_CAMERA_HEIGHT_MM:.0f} mm above the felt"
        )
    if not (0 < size[0] <= MAX_SIDE_PX and 0 < size[1] <= MAX_SIDE_PX):
        raise VisionError(f"not a calibration: a picture of {size[0]} x {size[1]} pixels")
    if not (math.isfinite(error_px) and error_px >= 0.0):
        raise VisionError(f"not a calibration: an error of {error_px} pixels")


def calibrate(image: Image, lens: Lens | None = None) -> Calibration:
    """Return where the table is in the picture, from three or four of its marks.

    Args:
        image: (h, w, 3) uint8 BGR.
        lens: as measured for this camera; None, or one that the marks gainsay, fits its bend to them.
    Raises:
        MarksNotFound: if fewer than three marks are seen or they do not fit the table's drawing.
        VisionError: if the lens was measured on pictures of another shape.
    """
    return calibrate_marks(find_marks(image), (image.shape[1], image.shape[0]), lens)


def calibrate_marks(seen: Seen, size_px: tuple[int, int], lens: Lens | None = None) -> Calibration:
    """Return the calibration of marks found in a picture of `size_px`; see `calibrate`."""
    if len(seen) < MIN_MARKS:
        missing = ", ".join(str(number) for number in mark_numbers() if number not in seen)
        raise MarksNotFound(f"{len(seen)} of 4 table marks seen, {MIN_MARKS} needed; not seen: {missing}")
    measured = None if lens is None else lens.for_size(size_px)
    try:
        try:
            fit, moved = fit_without_moved(seen, size_px, measured)
        except MarksNotFound:
            if measured is None:
                raise
            fit, moved = fit_without_moved(seen, size_px)  # the lens is not the one that was measured
        camera = camera_place(fit.matrix, fit.lens)
    except (np.linalg.LinAlgError, cv2.error) as error:
        raise MarksNotFound("the table marks do not span the table") from error
    numbers = tuple(sorted(number for number in seen if number not in moved))
    matrix = tuple(float(value) for value in fit.matrix.ravel())
    return Calibration(matrix, camera, size_px, numbers, round(fit.error_px, 3), fit.lens, moved)


def _through(matrix: Matrix, points: Matrix) -> Matrix:
    """Return points (n, 2) taken through a 3x3 matrix."""
    flat = np.asarray(points, dtype=np.float64) @ matrix[:, :2].T + matrix[:, 2]
    through: Matrix = flat[:, :2] / flat[:, 2:]
    return through


_KEPT: OrderedDict[tuple[Any, ...], Maps] = OrderedDict()


def _maps(calibration: Calibration, place: tuple[int, Zone, float, float], size: tuple[int, int]) -> Maps:
    """Return where each pixel of a rectified area lies in the picture: two maps for `cv2.remap`."""
    key = (calibration, *place)
    maps = _KEPT.pop(key, None)
    if maps is None:
        maps = _made_maps(calibration, calibration.view(*place), size)
    _KEPT[key] = maps
    while len(_KEPT) > MAPS_KEPT:
        _KEPT.pop(next(iter(_KEPT)), None)  # another thread may have taken it meanwhile
    return maps


def _made_maps(calibration: Calibration, view: Matrix, size: tuple[int, int]) -> Maps:
    """Work the maps out on a coarse grid and fill in between.

    `cv2.resize` puts the value of cell i at pixel `(i + 0.5) * GRID_PX - 0.5`; a rim of one cell on each side
    is cut off again, since nothing lies beyond it to fill in from.
    """
    columns, rows = (-(-side // GRID_PX) for side in size)
    across = (np.arange(-1, columns + 1) + 0.5) * GRID_PX - 0.5
    down = (np.arange(-1, rows + 1) + 0.5) * GRID_PX - 0.5
    grid = np.stack(np.meshgrid(across, down), axis=-1)
    spots = calibration.bent(_through(view, grid.reshape(-1, 2))).reshape(grid.shape).astype(np.float32)
    large = cv2.resize(spots, (len(across) * GRID_PX, len(down) * GRID_PX), interpolation=cv2.INTER_LINEAR)
    cut = np.asarray(large, dtype=np.float32)[GRID_PX : GRID_PX + size[1], GRID_PX : GRID_PX + size[0]]
    return np.ascontiguousarray(cut[..., 0]), np.ascontiguousarray(cut[..., 1])


__all__ = [
    "Calibration",
    "calibrate",
    "calibrate_marks",
    "find_marks",
    "mark_corners",
]
