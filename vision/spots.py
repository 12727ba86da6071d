"""Places of tiles and dice, from the rectified picture they were found in to the frame."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from .crops import crop_matrix, tile_corners
from .dice import DIE_PX, DieSpot
from .readings import Box
from .rows import Lying
from .tiles import Seen

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]

SIDEWAYS_FROM_DEG = 45.0
"""A tile turned by more than this from upright lies sideways."""


def read_from(item: Seen, upright_deg: float) -> Seen:
    """Return the spot with its reading direction: upright, or turned by about 90 degrees
    counter-clockwise."""
    turn = (item.spot.axis_deg - upright_deg) % 180.0
    if turn > 180.0 - SIDEWAYS_FROM_DEG:
        turn -= 180.0
    return replace(item, up_deg=upright_deg + turn)


def crop_of(item: Seen) -> Matrix:
    """Return the matrix from a tile's crop (see `crops.cut`) to pixels of the frame."""
    return item.matrix @ crop_matrix(item.spot.x, item.spot.y, item.up_deg, item.tile_px)


def tile_box(item: Seen) -> Box:
    """Return the box of a tile in the frame."""
    corners = tile_corners(item.spot.x, item.spot.y, item.up_deg, item.tile_px)
    return _box(cv2.perspectiveTransform(corners[None], item.matrix)[0])


def inside(box: Box, image: Image) -> Box | None:
    """Return the part of a box that lies in a picture (h, w, 3), None if there is none."""
    x, y, w, h = box
    left, top = max(x, 0), max(y, 0)
    width, height = min(x + w, image.shape[1]) - left, min(y + h, image.shape[0]) - top
    return (left, top, width, height) if width > 0 and height > 0 else None


def die_box(spot: DieSpot, matrix: Matrix) -> Box:
    """Return the box of a die in the frame; the matrix leads there from its rectified picture."""
    half = DIE_PX / 2
    corners = np.array([[spot.x + dx * half, spot.y + dy * half] for dx in (-1, 1) for dy in (-1, 1)])
    return _box(cv2.perspectiveTransform(corners[None], matrix)[0])


def _box(points: Matrix) -> Box:
    left, top = (math.floor(value + 1e-6) for value in points.min(axis=0))  # what a turn rounds is no pixel
    right, bottom = (math.ceil(value - 1e-6) for value in points.max(axis=0))
    return left, top, right - left, bottom - top


def picture_angle(item: Seen, up_deg: float) -> float:
    """Return the reading direction in the frame, degrees counter-clockwise from straight up, 0 to 360."""
    turn = math.radians(up_deg)
    x, y = item.spot.x, item.spot.y
    ends = np.array([[[x, y], [x - 10.0 * math.sin(turn), y - 10.0 * math.cos(turn)]]])
    (u0, v0), (u1, v1) = cv2.perspectiveTransform(ends, item.matrix)[0]
    return math.degrees(math.atan2(-(u1 - u0), -(v1 - v0))) % 360.0


def lying(item: Seen) -> Lying:
    """Return how a tile lies in the picture."""
    corners = tile_corners(item.spot.x, item.spot.y, item.up_deg, item.tile_px)
    corners = cv2.perspectiveTransform(corners[None], item.matrix)[0]
    x, y = corners.mean(axis=0)
    size = float(np.linalg.norm(corners[0] + corners[1] - corners[2] - corners[3])) / 2.0
    return Lying(float(x), float(y), size, picture_angle(item, item.up_deg))
