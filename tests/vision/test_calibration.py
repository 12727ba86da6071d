"""The table found by its marks, drawn here with nothing but OpenCV and seen through a known camera."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.calibration import Calibration, calibrate, find_marks
from vision.errors import MarksNotFound, VisionError
from vision.table import geometry, to_local, to_table

CAMERA = np.array([60.0, -220.0, 1400.0])
FOCAL, SIZE = 1600.0, (1920, 1080)


def projection() -> NDArray[np.float64]:
    """The 3x4 matrix of a camera that looks at the table's centre."""
    forward = -CAMERA / np.linalg.norm(CAMERA)
    right = np.cross(forward, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    turn = np.stack([right, np.cross(forward, right), forward])
    lens = np.array([[FOCAL, 0, SIZE[0] / 2], [0, FOCAL, SIZE[1] / 2], [0, 0, 1.0]])
    return np.asarray(lens @ np.column_stack([turn, -turn @ CAMERA]))


def seen(x: float, y: float, z: float = 0.0) -> tuple[float, float]:
    u, v, w = projection() @ np.array([x, y, z, 1.0])
    return float(u / w), float(v / w)


def picture(covered: tuple[int, ...] = ()) -> NDArray[np.uint8]:
    """The cloth with its marks; a covered one has a hand of felt colour on it."""
    scale = 2.0
    plan = np.full((1840, 1840, 3), (60, 90, 40), np.uint8)
    marks = geometry()["marks"]
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, marks["dictionary"]))
    for number, (x, y) in zip(marks["ids"], marks["centres"], strict=True):
        if number in covered:
            continue
        card, black = round(marks["card"] * scale), round(marks["size"] * scale)
        left, top = round((x + 460) * scale), round((460 - y) * scale)
        plan[top - card // 2 : top + card // 2, left - card // 2 : left + card // 2] = 235
        tag = cv2.aruco.generateImageMarker(dictionary, number, black)
        plan[top - black // 2 : top + black // 2, left - black // 2 : left + black // 2] = tag[..., None]
    to_mm = np.array([[1 / scale, 0, -460.0], [0, -1 / scale, 460.0], [0, 0, 1]])
    flat = projection()[:, [0, 1, 3]] @ to_mm
    return np.asarray(cv2.warpPerspective(plan, flat, SIZE, flags=cv2.INTER_AREA), dtype=np.uint8)


POINTS = [(0.0, 0.0), (-340.0, -400.0), (340.0, -372.0), (400.0, 100.0), (-95.0, 0.0)]


@pytest.mark.parametrize("covered", [(), (0,), (1,), (2,), (3,)])
def test_table_points_are_found_also_with_one_mark_covered(covered: tuple[int, ...]) -> None:
    calibration = calibrate(picture(covered))
    assert calibration.marks == tuple(number for number in (0, 1, 2, 3) if number not in covered)
    for x, y in POINTS:
        assert calibration.table_to_pixel(x, y) == pytest.approx(seen(x, y), abs=3.0)
        assert calibration.pixel_to_table(*seen(x, y)) == pytest.approx((x, y), abs=3.0)


def test_camera_place_removes_the_parallax_of_a_tile() -> None:
    calibration = calibrate(picture())
    assert calibration.camera_mm == pytest.approx(tuple(CAMERA), abs=140)
    for x, y in POINTS:
        assert calibration.table_to_pixel(x, y, 22.0) == pytest.approx(seen(x, y, 22.0), abs=1.6)


@pytest.mark.parametrize("covered", [(0, 1), (0, 2), (0, 1, 2, 3)])
def test_two_marks_are_not_enough(covered: tuple[int, ...]) -> None:
    with pytest.raises(MarksNotFound, match="of 4 table marks"):
        calibrate(picture(covered))


@pytest.mark.parametrize("size", [(1, 1, 3), (5, 3000, 3), (40, 40, 3)])
def test_odd_pictures_have_no_marks(size: tuple[int, int, int]) -> None:
    assert find_marks(np.zeros(size, np.uint8)) == {}


def test_a_moved_mark_is_refused() -> None:
    image = picture()
    u, v = (round(value) for value in seen(405, 405))
    patch = image[v - 60 : v + 60, u - 60 : u + 60].copy()
    image[v - 60 : v + 60, u - 60 : u + 60] = (60, 90, 40)
    image[v - 10 : v + 110, u - 150 : u - 30] = patch
    with pytest.raises(MarksNotFound, match="off the drawing"):
        calibrate(image)


def test_json_round_trip() -> None:
    calibration = calibrate(picture())
    assert Calibration.from_json(calibration.to_json()) == calibration


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"matrix": [1, 2]}', "null"])
def test_other_json_is_refused(text: str) -> None:
    with pytest.raises(VisionError):
        Calibration.from_json(text)


def test_singular_matrix_is_refused() -> None:
    text = calibrate(picture()).to_json()
    matrix = str(list(calibrate(picture()).matrix))
    with pytest.raises(VisionError):
        Calibration.from_json(text.replace(matrix, str([0.0] * 9)))


@pytest.mark.parametrize("side", [1, 2, 3, 4])
def test_a_zone_is_seen_as_its_player_sees_it(side: int) -> None:
    image = picture()
    for local, colour in (((-300.0, -400.0), (255, 0, 0)), ((300.0, -400.0), (0, 0, 255))):
        centre = tuple(round(value) for value in seen(*to_table(side, *local)))
        cv2.circle(image, centre, 12, colour, -1)
    view = calibrate(image).rectify(image, side, "hand")
    blue = np.argwhere((view[..., 0] > 200) & (view[..., 2] < 60)).mean(axis=0)
    red = np.argwhere((view[..., 2] > 200) & (view[..., 0] < 60)).mean(axis=0)
    assert blue[1] < 100
    assert red[1] > view.shape[1] - 100
    assert blue[0] > view.shape[0] / 2


def test_local_and_table_are_inverse() -> None:
    for side in (1, 2, 3, 4):
        assert to_local(side, *to_table(side, 12.0, -400.0)) == (12.0, -400.0)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("camera_mm", "[0, 0, NaN]"),
        ("camera_mm", "[Infinity, 0, 1100]"),
        ("camera_mm", "[0, 0, 0]"),
        ("camera_mm", "[0, 0, 22]"),
        ("camera_mm", "[0, 0, -1100]"),
        ("size_px", "[0, 1080]"),
        ("size_px", "[1920, -1]"),
        ("size_px", "[1e999, 1080]"),
        ("error_px", "NaN"),
        ("error_px", "-1"),
    ],
)
def test_a_calibration_of_impossible_numbers_is_refused_in_one_line(key: str, value: str) -> None:
    good = '{"matrix": [1, 0, 0, 0, 1, 0, 0, 0, 1], "camera_mm": [0, 0, 1100], "size_px": [1920, 1080], '
    good += '"marks": [0, 1, 2, 3], "error_px": 0.5}'
    assert Calibration.from_json(good).camera_mm == (0.0, 0.0, 1100.0)
    data = json.loads(good)
    data[key] = "@"
    with pytest.raises(VisionError) as refused:
        Calibration.from_json(json.dumps(data).replace('"@"', value))
    assert len(str(refused.value).splitlines()) == 1
