"""A lens measured with the printed board: some pictures of it, held at many slants, give focal length, axis
and bend.

The board is the last page of the sheet of marks (`vision.sheet`): a chessboard with a small mark in each
white square, so that a part of it is enough. How large it was printed does not matter for the lens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from .errors import VisionError
from .lens import Lens

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]

COLUMNS, ROWS = 7, 10
MARK_PART = 0.7
"""Side of a mark in times of a square's: seven modules, so a module is a tenth of a square."""
DICTIONARY = "DICT_5X5_100"
"""Another one than the table's: the board may lie on the table."""
LEAST_CORNERS = 12
LEAST_PICTURES = 5
MAX_ERROR_PX = 1.5
"""Mean error above which the pictures were blurred or the board was not flat; a good session has 0.1 to
0.5."""
LEAST_SLANT = 0.06
"""Spread of the board's tilt below which all pictures are alike and tell no focal length (its sine)."""
CERTAIN = 2.0
"""k2 is kept only if it is so many times its own uncertainty."""


class LensNotMeasured(VisionError, ValueError):
    """The pictures do not tell the lens: take more, or better ones. `zh` is the same text in Chinese."""

    def __init__(self, message: str, zh: str) -> None:
        super().__init__(message)
        self.zh = zh


@dataclass(frozen=True, slots=True)
class LensReport:
    """A measured lens: mean corner error in pixels, how many pictures were used, uncertainty of k1 (one
    sigma)."""

    lens: Lens
    error_px: float
    pictures: int
    k1_sigma: float


@lru_cache(maxsize=1)
def board() -> cv2.aruco.CharucoBoard:
    """Return the board with squares of length 1."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), 1.0, MARK_PART, dictionary)


def find_board(image: Image) -> tuple[Matrix, Matrix] | None:
    """Return the board's inner corners seen: (n, 3) on the board and (n, 2) in the picture, None if too
    few."""
    gray = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board()).detectBoard(gray)
    if ids is None or len(ids) < LEAST_CORNERS:
        return None
    numbers = np.asarray(ids).ravel()
    known = np.asarray(board().getChessboardCorners(), dtype=np.float64)[numbers]
    if np.linalg.matrix_rank(known[:, :2] - known[:, :2].mean(axis=0)) < 2:
        return None  # all in one line
    return known, np.asarray(corners, dtype=np.float64).reshape(-1, 2)


def measure_lens(images: Sequence[Image]) -> LensReport:
    """Return the lens from pictures of the board, all of one size.

    Raises:
        LensNotMeasured: if too few pictures show the board, they are all alike, or they do not fit one lens.
    """
    sizes = {(image.shape[1], image.shape[0]) for image in images}
    if len(sizes) > 1:
        raise LensNotMeasured(
            "the pictures have different sizes: take all with one camera at one size",
            "图片大小不一样：请用同一相机、同一大小拍",
        )
    views = [view for view in map(find_board, images) if view is not None]
    if len(views) < LEAST_PICTURES:
        raise LensNotMeasured(
            f"{len(views)} of {len(images)} pictures show enough of the board, {LEAST_PICTURES} needed: take"
            " ten sharp pictures of the printed lens board (vision marks, page 2), each at another slant",
            f"{len(images)} 张图里只有 {len(views)} 张看清校准板，至少要 {LEAST_PICTURES} 张："
            "对着打印的镜头校准板（vision marks 的第 2 页）换着角度拍十张清楚的",
        )
    size = sizes.pop()
    flags = cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K3
    found = _solve(views, size, flags)
    if abs(found.bend[1]) < CERTAIN * found.sigma[1]:
        found = _solve(views, size, flags | cv2.CALIB_FIX_K2)
    if found.error_px > MAX_ERROR_PX:
        raise LensNotMeasured(
            f"the pictures do not fit one lens, {found.error_px:.1f} px off: glue the board flat on card,"
            " hold it still, and leave focus and zoom alone between the pictures",
            f"这些图对不上同一个镜头，偏差 {found.error_px:.1f} 像素："
            "把校准板贴平，拿稳，拍的时候不要动对焦和变焦",
        )
    if found.slant < LEAST_SLANT:
        raise LensNotMeasured(
            "the board lies alike in all pictures: tilt it, each time another way",
            "校准板在每张图里角度都差不多：每次换个方向斜着拍",
        )
    ratio = float(np.hypot(*size)) / 2.0 / found.focal
    lens = Lens(
        size, found.bend[0] * ratio**2, found.bend[1] * ratio**4, (found.axis[0], found.axis[1]), found.focal
    )
    return LensReport(lens, round(found.error_px, 3), len(views), found.sigma[0] * ratio**2)


@dataclass(frozen=True, slots=True)
class _Solved:
    focal: float
    axis: tuple[float, float]
    bend: tuple[float, float]
    sigma: tuple[float, float]
    error_px: float
    slant: float


def _solve(views: Sequence[tuple[Matrix, Matrix]], size: tuple[int, int], flags: int) -> _Solved:
    """Run OpenCV's bundle adjustment; k1 and k2 in its terms (over the focal length)."""
    start = np.diag([float(size[0]), float(size[0]), 1.0])
    start[0, 2], start[1, 2] = (size[0] - 1) / 2.0, (size[1] - 1) / 2.0
    try:
        answer = cv2.calibrateCameraExtended(
            [known.astype(np.float32).reshape(-1, 1, 3) for known, _ in views],
            [pixels.astype(np.float32).reshape(-1, 1, 2) for _, pixels in views],
            size,
            start,
            np.zeros(5),
            flags=flags,
        )
    except cv2.error as error:
        raise LensNotMeasured(
            "the pictures do not tell a lens: take ten, each at another slant and place in the picture",
            "这些图量不出镜头：换着角度、换着画面里的位置拍十张",
        ) from error
    error_px, matrix, bend, turns = float(answer[0]), answer[1], np.ravel(answer[2]), answer[3]
    spread = np.ravel(np.asarray(answer[5]))
    axes = np.stack([np.asarray(cv2.Rodrigues(np.asarray(turn))[0])[:, 2] for turn in turns])
    slant = float(np.linalg.norm(axes[:, :2] - axes[:, :2].mean(axis=0), axis=1).max())
    return _Solved(
        float(matrix[0, 0]),
        (float(matrix[0, 2]), float(matrix[1, 2])),
        (float(bend[0]), float(bend[1])),
        (float(spread[4]), float(spread[5])),
        error_px,
        slant,
    )
