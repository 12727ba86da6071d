"""A dark picture is lit as far as it helps; a light one is left alone."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.detect import Detector
from vision.light import BRIGHT, MOST_GAIN, lit
from vision.looks import find_tiles
from vision.training.data import Photos

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


def picture(tile: int, ground: int = 30, size: tuple[int, int] = (1080, 1920)) -> np.ndarray:
    """A cloth of one grey with one small tile of another."""
    image = np.full((*size, 3), ground, np.uint8)
    image[500:544, 900:933] = tile
    return image


@pytest.mark.parametrize("tile", [170, 220, 255])
def test_a_light_picture_is_the_same_object(tile: int) -> None:
    """One tile is enough to tell that it is light, however dark the cloth is."""
    image = picture(tile)
    assert lit(image) is image


@pytest.mark.parametrize(("tile", "wanted"), [(120, BRIGHT), (60, BRIGHT), (20, 20 * MOST_GAIN), (0, 0)])
def test_the_brightest_place_of_a_dark_one_becomes_bright(tile: int, wanted: float) -> None:
    image = picture(tile, tile // 3)
    bright = lit(image)
    assert bright[520, 910].tolist() == pytest.approx([wanted] * 3, abs=1)
    assert bright[5, 5].tolist() == pytest.approx([wanted / 3] * 3, abs=MOST_GAIN)
    assert image[520, 910].tolist() == [tile] * 3  # what was given is not changed


@pytest.mark.parametrize("size", [(1, 1), (1, 30_000), (2, 2)])
def test_pictures_of_any_shape_are_lit(size: tuple[int, int]) -> None:
    assert lit(np.full((*size, 3), 50, np.uint8)).max() == BRIGHT


def test_a_grain_of_glare_does_not_make_a_picture_light() -> None:
    image = picture(60, 20, (200, 300))
    image[10, 10] = 255
    assert lit(image).mean() > 2 * image.mean()


@pytest.mark.skipif(not DATA.is_dir(), reason="no photos beside the repository (../shared/data)")
def test_tiles_of_a_dark_photo_are_found() -> None:
    (scene, *_) = Photos(DATA).scenes({"s08"})
    boxes = [box for box in scene.boxes if box.row == 7]
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.x + box.w for box in boxes), max(box.y + box.h for box in boxes)
    row = scene.image[int(top) : int(bottom) + 1, int(left) : int(right) + 1]
    dark = (cv2.copyMakeBorder(row, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(52, 88, 36)) * 0.2).astype(
        np.uint8
    )
    detector = Detector(1)
    assert len(find_tiles(lit(dark), detector)) == len(boxes)
