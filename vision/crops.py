"""Upright crops of tiles: which part of a picture each one shows, and its pixels.

Places are told in edges, as boxes are: the first pixel of a picture reaches from 0 to 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]

CROP_MARGIN = 0.05
"""Part of the tile's size that a crop shows beyond each edge."""
TILE_ASPECT = (3.0, 4.0)
"""Width and height of a tile's face, in any unit."""
MOST_SHIFT, MOST_GROWTH, MOST_TURN = 0.15, 0.35, 0.45
"""How far a crop is believed to be out of place: centre in its sizes, logarithm of the size, radians."""


def crop_matrix(x: float, y: float, angle_deg: float, size: tuple[float, float]) -> Matrix:
    """Return the 3x3 matrix from a crop, taken as a square of side 1, to the picture; `size` (width, height)
    of the tile in pixels of the picture.

    `angle_deg` counter-clockwise: the crop shows the tile with that direction up.
    """
    width, height = size[0] * (1 + 2 * CROP_MARGIN), size[1] * (1 + 2 * CROP_MARGIN)
    turn = math.radians(angle_deg)
    c, s = math.cos(turn), math.sin(turn)
    linear = np.array([[c * width, s * height], [-s * width, c * height]])
    matrix: Matrix = np.eye(3)
    matrix[:2, :2] = linear
    matrix[:2, 2] = np.array([x, y]) - linear @ (0.5, 0.5)
    return matrix


def whole_matrix(image: Image) -> Matrix:
    """Return the matrix of the crop of a picture that one upright tile fills."""
    height, width = image.shape[:2]
    whole = 1.0 + 2.0 * CROP_MARGIN
    return crop_matrix(width / 2, height / 2, 0.0, (width / whole, height / whole))


def resettled(matrix: Matrix, place: NDArray[np.float32]) -> Matrix:
    """Return the matrix of the crop that shows the tile in its place, from that of a crop that is a little
    out of place.

    Args:
        place: where the tile lies in the crop: its centre from the crop's, in parts of width and height;
            logarithms of its width and height over those it should have; its turn in radians
            clockwise. Limited to what a first look can be wrong by.
    """
    shift = np.clip(place[:2], -MOST_SHIFT, MOST_SHIFT)
    growth = np.exp(np.clip(place[2:4], -MOST_GROWTH, MOST_GROWTH))
    turn = float(np.clip(place[4], -MOST_TURN, MOST_TURN))
    c, s = math.cos(turn), math.sin(turn)
    aspect = np.diag(TILE_ASPECT)
    linear = np.diag(growth) @ np.linalg.solve(aspect, np.array([[c, -s], [s, c]]) @ aspect)
    step = np.eye(3)
    step[:2, :2] = linear
    step[:2, 2] = 0.5 + shift - linear @ (0.5, 0.5)
    return matrix @ step


def tile_corners(x: float, y: float, angle_deg: float, size: tuple[float, float]) -> Matrix:
    """Return a tile's corners (4, 2) in the rectified picture: top left, top right, bottom right, bottom
    left."""
    turn = math.radians(angle_deg)
    c, s = math.cos(turn), math.sin(turn)
    w, h = size[0] / 2, size[1] / 2
    return np.array([[x + c * u + s * v, y - s * u + c * v] for u, v in ((-w, -h), (w, -h), (w, h), (-w, h))])


def cut(image: Image, matrices: Sequence[Matrix], crop_px: tuple[int, int]) -> Image:
    """Return the crops (n, h, w, 3) of a picture (h, w, 3).

    Args:
        matrices: each maps a crop, taken as a square of side 1, to the picture (see `crop_matrix`).
        crop_px: width and height of the crops.
    """
    width, height = crop_px
    # OpenCV's whole numbers are middles of pixels
    to_square = np.array(
        [[1.0 / width, 0.0, 0.5 / width], [0.0, 1.0 / height, 0.5 / height], [0.0, 0.0, 1.0]]
    )
    crops = np.empty((len(matrices), height, width, 3), dtype=np.uint8)
    levels: list[Image] = [image]
    for index, matrix in enumerate(matrices):
        side = cv2.perspectiveTransform(np.array([[[0.0, 0.0], [0.0, 1.0]]]), matrix)[0]
        shrink = float(np.linalg.norm(side[1] - side[0])) / height
        level = max(0, math.floor(math.log2(max(shrink, 1e-6)) + 0.25))
        while len(levels) <= level and min(levels[-1].shape[:2]) > 8:
            levels.append(np.asarray(cv2.pyrDown(levels[-1]), dtype=np.uint8))
        level = min(level, len(levels) - 1)
        # each pixel of a level has its middle where every (2**level)th one of the picture has it
        to_level = np.array([[1.0, 0.0, -0.5], [0.0, 1.0, -0.5], [0.0, 0.0, 2.0**level]])
        crops[index] = cv2.warpPerspective(
            levels[level],
            to_level @ matrix @ to_square,
            crop_px,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return crops
