"""Crops show the part of the picture that they say, to the pixel, whatever their size."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from vision.crops import CROP_MARGIN, MOST_SHIFT, crop_matrix, cut, resettled, tile_corners, whole_matrix

ENDS = 200.0


def slope(height: int, width: int) -> np.ndarray:
    """Return a picture whose blue grows to the right and whose green grows downwards, 0 to `ENDS` from edge
    to edge."""
    image = np.zeros((height, width, 3), np.float32)
    image[..., 0] = (np.arange(width) + 0.5) / width * ENDS
    image[..., 1] = ((np.arange(height) + 0.5) / height * ENDS)[:, None]
    return np.rint(image).astype(np.uint8)


@pytest.mark.parametrize("crop_px", [(48, 64), (60, 80), (33, 47)])
@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0, 3.3, 8.0, 20.0])
def test_the_whole_picture_is_the_whole_crop(crop_px: tuple[int, int], scale: float) -> None:
    """No pixel is moved, however much the picture was shrunk on the way."""
    picture = slope(round(96 * scale), round(72 * scale))
    (crop,) = cut(picture, [whole_matrix(picture)], crop_px)
    columns, rows = crop_px
    assert crop.shape == (rows, columns, 3)
    for channel, count in enumerate(crop_px):
        seen = crop[..., channel].astype(float).mean(axis=channel)
        wanted = (np.arange(count) + 0.5) / count * ENDS
        middle = slice(count // 4, -(count // 4))
        # grey levels are whole numbers
        assert seen[middle] == pytest.approx(wanted[middle], abs=1.0)
        assert float((seen - wanted)[middle].mean()) == pytest.approx(
            0.0, abs=0.6
        )  # grey levels are whole numbers


@pytest.mark.parametrize("angle", [0.0, 30.0, 90.0, 180.0, 250.0])
def test_a_crop_is_the_tile_and_its_margin(angle: float) -> None:
    """Its corners are those of the tile, a little farther from the middle."""
    corners = tile_corners(50.0, 70.0, angle, (30.0, 40.0))
    square = np.array([[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]])
    shown = cv2.perspectiveTransform(square, crop_matrix(50.0, 70.0, angle, (30.0, 40.0)))[0]
    middle = np.array([50.0, 70.0])
    assert shown - middle == pytest.approx((corners - middle) * (1.0 + 2.0 * CROP_MARGIN))


@pytest.mark.parametrize("turned", [-17.0, 0.0, 9.0])
@pytest.mark.parametrize(("moved", "grown"), [((0.0, 0.0), 1.0), ((2.5, -3.0), 1.2), ((-3.0, 1.0), 0.85)])
def test_a_crop_out_of_place_is_put_into_place(
    turned: float, moved: tuple[float, float], grown: float
) -> None:
    """By where the tile is said to lie in it: from the crop's middle, in its own sizes, clockwise."""
    size = (30.0, 40.0)
    right = crop_matrix(50.0, 70.0, 30.0, size)
    first = crop_matrix(50.0 + moved[0], 70.0 + moved[1], 30.0 + turned, (size[0] * grown, size[1] * grown))
    at = np.linalg.inv(first) @ [50.0, 70.0, 1.0]
    place = np.array([*(at[:2] - 0.5), -math.log(grown), -math.log(grown), math.radians(turned)], np.float32)
    assert resettled(first, place) == pytest.approx(right, abs=1e-4)


def test_a_place_far_off_is_not_believed() -> None:
    """A crop that holds no tile must not wander to a neighbour's."""
    first = crop_matrix(50.0, 70.0, 0.0, (30.0, 40.0))
    gone = resettled(first, np.array([0.9, -0.9, 3.0, -3.0, 3.0], np.float32))
    middle = gone @ [0.5, 0.5, 1.0]
    width, height = first[0, 0], first[1, 1]
    assert middle[:2] == pytest.approx([50.0 + MOST_SHIFT * width, 70.0 - MOST_SHIFT * height])
