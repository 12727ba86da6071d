"""Choosing the scale of a picture: whatever its size, tiles are looked at near their best size."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.crops import tile_corners
from vision.detect import Place
from vision.looks import best_look, find_tiles
from vision.spots import inside


class WhiteFinder:
    """Finds white boxes on a dark ground that are 13 to 120 pixels long, and tells what it looked at."""

    tile_px = 40.0

    def __init__(self) -> None:
        self.looked_at: list[int] = []

    def find(self, image: np.ndarray, least: float) -> list[Place]:
        assert image.shape[0] % 16 == image.shape[1] % 16 == 0
        self.looked_at.append(image.shape[0] * image.shape[1])
        white = (image.min(axis=2) > 140).astype(np.uint8)
        _, _, stats, _ = cv2.connectedComponentsWithStats(white)
        return [
            Place(x + w / 2, y + h / 2, float(w), float(h), 0.0, "face", 0.9)
            for x, y, w, h, _ in stats[1:]
            if 13 <= h <= 120
        ]


def row_of(count: int, tile: tuple[int, int], size: tuple[int, int]) -> tuple[np.ndarray, list[list[float]]]:
    """Return a dark picture (h, w) with a row of white tiles in its middle, and their boxes."""
    image = np.full((*size, 3), 30, np.uint8)
    gap = max(2, tile[0] // 4)
    left = (size[1] - count * (tile[0] + gap) + gap) // 2
    top = (size[0] - tile[1]) // 2
    boxes = []
    for number in range(count):
        x = left + number * (tile[0] + gap)
        image[top : top + tile[1], x : x + tile[0]] = 255
        boxes.append([float(x), float(top), float(tile[0]), float(tile[1])])
    return image, boxes


@pytest.mark.parametrize(
    ("count", "tile", "size"),
    [
        (14, (30, 40), (100, 600)),
        (18, (140, 187), (500, 3300)),
        (1, (200, 270), (300, 230)),
        (6, (27, 36), (1080, 1920)),
        (3, (15, 20), (64, 80)),
        (4, (400, 533), (3000, 4000)),
    ],
    ids=["row", "large row", "one tile fills it", "few tiles in a frame", "small picture", "12 megapixels"],
)
def test_every_tile_is_found_in_its_place(count: int, tile: tuple[int, int], size: tuple[int, int]) -> None:
    image, boxes = row_of(count, tile, size)
    finder = WhiteFinder()
    look = best_look(image, finder)
    best = finder.tile_px * 0.75**0.5
    assert 0.6 < look.size / best < 1.5
    seen = find_tiles(image, finder)
    assert len(seen) == count
    for item, box in zip(seen, boxes, strict=True):
        corners = tile_corners(item.spot.x, item.spot.y, item.up_deg, item.tile_px)
        points = cv2.perspectiveTransform(corners[None], item.matrix)[0]
        found = [*points.min(axis=0), *(points.max(axis=0) - points.min(axis=0))]
        assert found == pytest.approx(box, abs=0.13 * tile[1])


@pytest.mark.parametrize("lift", range(0, 40, 5))
def test_a_row_is_told_from_left_to_right_wherever_it_lies(lift: int) -> None:
    """Tiles of one row lie a little higher or lower than each other; so does each hand that laid them."""
    image = np.full((150, 900, 3), 30, np.uint8)
    for number in range(14):
        x, y = 30 + 60 * number, 20 + lift + (number * 7) % 5
        image[y : y + 60, x : x + 45] = 255
    told = [item.spot.x for item in find_tiles(image, WhiteFinder())]
    assert len(told) == 14
    assert told == sorted(told)


BOXES = [
    ("within", (5, 6, 20, 30), (5, 6, 20, 30)),
    ("over the left and upper edge", (-4, -6, 20, 30), (0, 0, 16, 24)),
    ("over the right and lower edge", (90, 60, 20, 30), (90, 60, 10, 10)),
    ("all of it and more", (-5, -5, 200, 200), (0, 0, 100, 70)),
    ("outside", (100, 10, 20, 30), None),
    ("above", (10, -30, 20, 30), None),
]


@pytest.mark.parametrize(("box", "part"), [row[1:] for row in BOXES], ids=[row[0] for row in BOXES])
def test_a_box_ends_where_the_picture_does(
    box: tuple[int, int, int, int], part: tuple[int, int, int, int] | None
) -> None:
    assert inside(box, np.zeros((70, 100, 3), np.uint8)) == part


def test_a_hand_region_takes_a_few_small_looks() -> None:
    image, _ = row_of(14, (60, 80), (240, 1200))
    finder = WhiteFinder()
    find_tiles(image, finder)
    assert len(finder.looked_at) <= 3
    assert sum(finder.looked_at) < 250_000


@pytest.mark.parametrize("size", [(1, 1), (3, 900), (2000, 2), (480, 640)])
def test_a_picture_without_tiles_has_none(size: tuple[int, int]) -> None:
    assert find_tiles(np.zeros((*size, 3), np.uint8), WhiteFinder()) == []
