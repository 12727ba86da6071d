"""The finder of free pictures on photographs of sets it never saw, and on the twin's table seen without its
marks."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.twin.renderer.samples import label, sample
from vision import Eyes, decode
from vision.crops import tile_corners
from vision.detect import Detector
from vision.looks import find_tiles
from vision.nets import Net
from vision.tiles import Seen
from vision.training.data import Photos, Scene

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
FELT = (52, 88, 36)


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector(threads=1)


def box_of(seen: Seen) -> tuple[float, float, float, float]:
    """Return left, top, right, bottom of a tile in the picture."""
    corners = tile_corners(seen.spot.x, seen.spot.y, seen.up_deg, seen.tile_px)
    points = cv2.perspectiveTransform(corners[None], seen.matrix)[0]
    return (*points.min(axis=0), *points.max(axis=0))  # type: ignore[return-value]


def row_on_felt(scene: Scene, row: int, border: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a row cut out of a photo on plain felt, and the corners (n, 4) of its boxes."""
    boxes = np.array([(b.x, b.y, b.x + b.w, b.y + b.h) for b in scene.boxes if b.row == row])
    left, top, right, bottom = (round(value) for value in (*boxes[:, :2].min(0), *boxes[:, 2:].max(0)))
    left, top = max(left, 0), max(top, 0)
    strip = scene.image[top:bottom, left:right]
    image = cv2.copyMakeBorder(strip, *(border,) * 4, cv2.BORDER_CONSTANT, value=FELT)
    return image, boxes + np.array([border - left, border - top] * 2)


def overlap(one: np.ndarray, other: np.ndarray) -> float:
    """Return the intersection of two boxes over their union."""
    size = np.clip(np.minimum(one[2:], other[2:]) - np.maximum(one[:2], other[:2]), 0, None)
    shared = float(size.prod())
    return shared / float((one[2:] - one[:2]).prod() + (other[2:] - other[:2]).prod() - shared)


@pytest.mark.skipif(not DATA.is_dir(), reason="no photos beside the repository (../shared/data)")
@pytest.mark.parametrize("turn", [None, cv2.ROTATE_90_CLOCKWISE])
def test_each_tile_of_a_row_is_found_once(detector: Detector, turn: int | None) -> None:
    sets = {"s08", "s13"} - set(detector.sets) or {"s08"}
    for scene in Photos(DATA).scenes(sets):
        image, boxes = row_on_felt(scene, 3, 60)
        if turn is not None:
            image = cv2.rotate(image, turn)
            height = image.shape[1]
            boxes = np.stack([height - boxes[:, 3], boxes[:, 0], height - boxes[:, 1], boxes[:, 2]], 1)
        found = [np.array(box_of(seen)) for seen in find_tiles(image, detector)]
        assert len(found) == len(boxes)
        shared = [max(overlap(box, one) for one in found) for box in boxes]
        assert min(shared) > 0.5
        assert float(np.mean(shared)) > 0.75


def test_the_twins_table_needs_no_marks(detector: Detector) -> None:
    renderer, table = sample(7_800_003, calm=True, kind="reveal")
    image = decode(renderer.render(table.scene))
    tiles = label(renderer, table)["tiles"]
    upper = [(tile["x_mm"], tile["y_mm"]) for tile in tiles if tile["layer"]]
    due = [
        np.mean(tile["quad"], axis=0)
        for tile in tiles
        if tile["face"] != "side"
        and (tile["layer"] or all(math.dist(top, (tile["x_mm"], tile["y_mm"])) > 12 for top in upper))
    ]
    middles = [np.mean([box_of(seen)[:2], box_of(seen)[2:]], axis=0) for seen in find_tiles(image, detector)]
    found = sum(min(np.hypot(*(middle - place)) for middle in middles) < 12 for place in due)
    assert found >= 0.95 * len(due)


def test_both_runtimes_read_a_picture_alike() -> None:
    """Whatever runs the nets, the same tiles are found in the same places; doubtful ones differ by what an
    int8 copy of the namer rounds."""
    renderer, table = sample(7_800_003, calm=True, kind="reveal")
    image = decode(renderer.render(table.scene))
    hand = image[image.shape[0] // 2 :, image.shape[1] // 4 : 3 * image.shape[1] // 4]
    first, second = (Eyes(threads=1, backend=backend) for backend in ("onnxruntime", "opencv"))
    ours, theirs = first.find_tiles(hand), second.find_tiles(hand)
    rounded = 0.15 if Net("name", 1).is_int8 else 2e-3
    assert len(ours) == len(theirs) > 10
    for one, other in zip(ours, theirs, strict=True):
        assert one.best == other.best
        assert one.box == pytest.approx(other.box, abs=1)
        assert abs((one.angle - other.angle + 90.0) % 180.0 - 90.0) < 0.2  # 2p is the same upside down
        assert one.score == pytest.approx(other.score, abs=rounded)
