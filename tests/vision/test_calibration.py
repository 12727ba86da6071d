"""The table found by its marks, drawn here with nothing but OpenCV and seen through a known camera."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from tests.vision.cloth import CAMERA, FOCAL, POINTS, SIZE, bend, picture, projection, seen
from vision.calibration import Calibration, calibrate, find_marks
from vision.errors import MarksNotFound, VisionError
from vision.lens import Lens
from vision.table import Zone, to_local, to_table, zone


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
    missing = ", ".join(str(number) for number in covered)
    with pytest.raises(
        MarksNotFound, match=f"{4 - len(covered)} of 4 table marks seen.*not seen: {missing}$"
    ):
        calibrate(picture(covered))


@pytest.mark.parametrize("size", [(1, 1, 3), (5, 3000, 3), (40, 40, 3)])
def test_odd_pictures_have_no_marks(size: tuple[int, int, int]) -> None:
    assert find_marks(np.zeros(size, np.uint8)) == {}


@pytest.mark.parametrize("moved", [0, 2])
def test_a_moved_mark_is_named_and_left_out(moved: int) -> None:
    calibration = calibrate(picture(shift={moved: (-14.0, 18.0)}))
    assert calibration.moved == (moved,)
    assert moved not in calibration.marks
    assert len(calibration.marks) == 3
    for x, y in POINTS:
        assert calibration.table_to_pixel(x, y) == pytest.approx(seen(x, y), abs=1.5)


def test_marks_laid_down_by_hand_are_no_moved_marks() -> None:
    by_hand = {0: (1.0, -0.5), 1: (-1.0, 1.0), 3: (0.5, 1.0)}
    calibration = calibrate(picture(shift=by_hand, k1=-0.02))
    assert calibration.moved == ()
    assert calibration.lens is not None
    assert calibration.lens.k1 == pytest.approx(-0.02, abs=0.008)


def test_two_moved_marks_are_refused() -> None:
    with pytest.raises(MarksNotFound, match="off the drawing"):
        calibrate(picture(shift={0: (25.0, 5.0), 2: (-5.0, -30.0)}))


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


@pytest.mark.parametrize("k1", [0.0, -0.01, -0.02, -0.03, 0.015])
@pytest.mark.parametrize("covered", [(), (2,)])
def test_the_lens_is_told_by_the_marks(k1: float, covered: tuple[int, ...]) -> None:
    calibration = calibrate(picture(covered, k1=k1, noise=2.0))
    assert calibration.lens is not None
    assert calibration.lens.k1 == pytest.approx(k1, abs=0.005)
    for x, y in [*POINTS, (0.0, -400.0), (0.0, 400.0), (-400.0, 0.0)]:
        assert calibration.pixel_to_table(*seen(x, y, k1=k1)) == pytest.approx(
            (x, y), abs=1.8 if covered else 1.0
        )


def test_a_measured_lens_is_used_as_it_is() -> None:
    lens = Lens(SIZE, -0.03, focal_px=FOCAL)
    calibration = calibrate(picture(k1=-0.03), lens)
    assert calibration.lens == lens
    assert calibration.camera_mm == pytest.approx(CAMERA, abs=5.0)
    half = Lens((SIZE[0] // 2, SIZE[1] // 2), -0.03, focal_px=FOCAL / 2)
    scaled = calibrate(picture(k1=-0.03), half)
    assert scaled.lens is not None
    assert scaled.lens.size_px == SIZE
    assert scaled.table_to_pixel(340, -400, 22.0) == pytest.approx(
        calibration.table_to_pixel(340, -400, 22.0)
    )


def test_a_lens_that_the_marks_gainsay_is_left_aside() -> None:
    calibration = calibrate(picture(k1=-0.03), Lens(SIZE, 0.04))
    assert calibration.lens is not None
    assert calibration.lens.k1 == pytest.approx(-0.03, abs=0.005)


def test_a_lens_of_another_picture_is_refused() -> None:
    with pytest.raises(VisionError, match="no scale of"):
        calibrate(picture(), Lens((640, 480)))


def test_views_and_rectified_zones_are_exact_with_a_lens() -> None:
    k1, area = -0.03, zone("hand")
    image = picture(k1=k1)
    dots = [(-300.0, -400.0), (-150.0, -372.0), (0.0, -400.0), (320.0, -390.0)]
    for side in (1, 3):
        for local in dots:
            u, v = seen(*to_table(side, *local), k1=k1)
            cv2.circle(image, (round(u * 16), round(v * 16)), 5 * 16, (255, 255, 255), -1, cv2.LINE_AA, 4)
    calibration = calibrate(image)
    for side in (1, 3):
        view = calibration.rectify(image, side, "hand", 2.0)
        assert view.shape == (round(area.height * 2), round(area.width * 2), 3)
        for x, y in dots:
            at = ((x - area.x0) * 2.0, (area.y1 - y) * 2.0)
            rows, columns = (
                slice(round(at[1]) - 16, round(at[1]) + 17),
                slice(round(at[0]) - 16, round(at[0]) + 17),
            )
            bright = np.argwhere(view[rows, columns].min(axis=2) > 200).mean(axis=0)
            white = bright + np.array([rows.start, columns.start])
            assert white[::-1] == pytest.approx(at, abs=1.4)
            spot = cv2.perspectiveTransform(np.array([[at]]), calibration.view_at(side, area, 2.0, 0.0, at))[
                0, 0
            ]
            assert spot == pytest.approx(calibration.table_to_pixel(*to_table(side, x, y)), abs=1e-6)
            near = (at[0] + 30.0, at[1] - 40.0)
            spot = cv2.perspectiveTransform(
                np.array([[near]]), calibration.view_at(side, area, 2.0, 0.0, at)
            )[0, 0]
            beside = calibration.table_to_pixel(*to_table(side, x + 15.0, y + 20.0))
            assert spot == pytest.approx(beside, abs=0.1)


@pytest.mark.parametrize("area", [Zone(290.0, 331.0, -411.0, -380.0), Zone(-20.0, 21.0, -30.0, 3.0)])
def test_maps_of_a_zone_are_as_exact_as_its_points(area: Zone) -> None:
    """A picture whose colours are its own coordinates tells where each rectified pixel came from."""
    calibration = calibrate(picture(k1=-0.03))
    left, top = (value - 20.0 for value in calibration.table_to_pixel(*to_table(2, area.x0, area.y0), 22.0))
    left -= 30.0
    columns, rows = np.meshgrid((np.arange(SIZE[0]) - left) * 2.0, (np.arange(SIZE[1]) - top + 30.0) * 2.0)
    paint = np.clip(np.stack([columns, rows, rows], axis=-1), 0, 255).astype(np.float32)
    for scale in (1.0, 1.6):
        whole = calibration.rectify(paint, 2, area, scale, 22.0)  # type: ignore[arg-type]
        height, width = whole.shape[:2]
        for row, column in ((0, 0), (height - 1, width - 1), (7, width // 2), (height // 3, 11)):
            x, y = to_table(2, area.x0 + column / scale, area.y1 - row / scale)
            u, v = calibration.table_to_pixel(x, y, 22.0)
            assert 0 < whole[row, column, 0] < 255
            assert 0 < whole[row, column, 1] < 255
            # the last step cuts off what is behind the point: half a level on average
            assert (whole[row, column, 0] + 0.5) / 2.0 + left == pytest.approx(u, abs=0.27)
            assert (whole[row, column, 1] + 0.5) / 2.0 + top - 30.0 == pytest.approx(v, abs=0.27)


def test_a_calibration_of_a_version_without_lens_is_read() -> None:
    matrix = projection()[:, [0, 1, 3]]
    old = {
        "matrix": list((matrix / matrix[2, 2]).ravel()),
        "camera_mm": list(CAMERA),
        "size_px": list(SIZE),
        "marks": [0, 1, 3],
        "error_px": 0.4,
    }
    calibration = Calibration.from_json(json.dumps(old))
    assert calibration.lens is None
    assert json.loads(calibration.to_json()) == old
    for x, y in POINTS:
        assert calibration.table_to_pixel(x, y, 22.0) == pytest.approx(seen(x, y, 22.0), abs=0.01)
    assert calibration.rectify(picture(), 1, "hand").shape == (105, 720, 3)


@pytest.mark.parametrize(
    "lens",
    [
        "7",
        '{"size_px": [1920, 1080]}',
        '{"size_px": [640, 480], "k1": 0, "k2": 0, "centre_px": [320, 240]}',
        '{"size_px": [1920, 1080], "k1": NaN, "k2": 0, "centre_px": [960, 540]}',
        '{"size_px": [1920, 1080], "k1": -0.5, "k2": 0, "centre_px": [960, 540]}',
        '{"size_px": [1920, 1080], "k1": 0, "k2": 0, "centre_px": [9600, 540]}',
        '{"size_px": [1920, 1080], "k1": 0, "k2": 0, "centre_px": [960, 540], "focal_px": -4}',
    ],
)
def test_a_calibration_with_an_impossible_lens_is_refused(lens: str) -> None:
    text = '{"matrix": [1, 0, 0, 0, 1, 0, 0, 0, 1], "camera_mm": [0, 0, 1100], "size_px": [1920, 1080], '
    text += f'"marks": [0, 1, 2, 3], "error_px": 0.5, "lens": {lens}}}'
    with pytest.raises(VisionError) as refused:
        Calibration.from_json(text)
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize(("k1", "k2"), [(-0.03, 0.0), (0.02, 0.0), (-0.06, 0.02), (0.0, 0.0)])
def test_bent_and_straight_are_inverse(k1: float, k2: float) -> None:
    lens = Lens((1920, 1080), k1, k2, (950.0, 550.0))
    columns, rows = np.meshgrid(np.linspace(0, 1919, 9), np.linspace(0, 1079, 7))
    points = np.column_stack([columns.ravel(), rows.ravel()])
    assert lens.bend(lens.straighten(points)) == pytest.approx(points, abs=1e-6)
    for x, y in points:
        near = lens.slope(float(x), float(y)) @ np.array([x, y, 1.0])
        assert near[:2] == pytest.approx(lens.bend(np.array([[x, y]]))[0], abs=1e-9)
    assert Lens.from_json(lens.to_json()) == lens


def test_the_test_lens_is_the_lens() -> None:
    points = np.array([[0.0, 0.0], [1919.0, 1079.0], [300.0, 800.0]])
    assert Lens(SIZE, -0.03).bend(points) == pytest.approx(bend(points, -0.03), abs=1e-9)
