"""Composed scenes: the places told are where the tiles are drawn, and a seed gives the same picture again."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from vision.readings import BACK
from vision.training.layouts import LAYOUTS, Laid, Shape, arranged
from vision.training.scenes import (
    BACK_KIND,
    DIE_KIND,
    FACE_KIND,
    STANDING_KIND,
    Camera,
    Picture,
    compose,
    place_of,
)
from vision.training.tops import Cabinet, TileSet, painted_back
from vision.training.windows import (
    KINDS,
    SIZE,
    STRIDE,
    Source,
    Windows,
    again,
    batch,
    quads_of_boxes,
    targets,
    window,
)

WHITE = np.full((96, 72, 3), 250, np.uint8)


def cabinet() -> Cabinet:
    rng = np.random.default_rng(3)
    faces = {face: [rng.integers(0, 255, (96, 72, 3)).astype(np.uint8)] for face in ("1m", "E", "X")}
    return Cabinet([TileSet("made", faces)])


def test_a_seed_gives_the_same_picture_again() -> None:
    one, other = (compose(np.random.default_rng(5), cabinet().draw(np.random.default_rng(1))) for _ in "ab")
    assert np.array_equal(one.image, other.image)
    assert np.array_equal(one.places, other.places)


def test_pictures_have_places_of_every_kind_within_reason() -> None:
    kinds, count = set(), 0
    for seed in range(120):
        rng = np.random.default_rng(seed)
        picture = compose(rng, cabinet().draw(rng), (96, 160), 24.0)
        assert picture.image.shape == (96, 160, 3)
        assert picture.image.dtype == np.uint8
        assert np.isfinite(picture.places).all()
        x, y, w, h, axis, kind, shown = picture.places.T
        assert ((w > 2) & (h > 2) & (axis >= 0) & (axis < 180) & (shown > 0) & (shown <= 1)).all()
        clear = shown > 0.5
        assert ((x > -20) & (x < 180) & (y > -20) & (y < 116))[clear].all()
        kinds |= set(kind.astype(int).tolist())
        count += len(kind)
    assert kinds == {FACE_KIND, BACK_KIND, DIE_KIND, STANDING_KIND}
    assert count > 200


def test_the_camera_straight_above_keeps_sizes_and_one_aslant_shortens() -> None:
    corners = np.array([[-0.4, 0.5, 0.0], [0.4, 0.5, 0.0], [0.4, -0.5, 0.0], [-0.4, -0.5, 0.0]])
    above, _ = Camera((0, 0), 0.0, 0.0, 1000.0, 40.0, (100.0, 50.0)).see(corners)
    assert place_of(above) == pytest.approx((100.0, 50.0, 32.0, 40.0, 0.0), abs=0.1)
    aslant, _ = Camera((0, 0), 60.0, 0.0, 1000.0, 40.0, (100.0, 50.0)).see(corners)
    assert place_of(aslant)[3] == pytest.approx(40.0 * math.cos(math.radians(60)), abs=0.2)
    turned, _ = Camera((0, 0), 0.0, 30.0, 1000.0, 40.0, (100.0, 50.0)).see(corners)
    assert place_of(turned)[4] == pytest.approx(30.0, abs=0.1)


@pytest.mark.parametrize("layout", [layout for layout, _ in LAYOUTS], ids=lambda layout: layout.__name__)
def test_tiles_of_a_layout_lie_in_none_of_the_others(layout) -> None:
    rng = np.random.default_rng(11)
    for _ in range(5):
        shape = Shape.random(rng)
        tiles = layout(rng, shape)
        assert tiles
        _are_apart(tiles, shape)


def test_layouts_beside_each_other_do_not_meet() -> None:
    rng = np.random.default_rng(12)
    for _ in range(10):
        shape = Shape.random(rng)
        _are_apart(arranged(rng, shape), shape)


def _are_apart(tiles: list[Laid], shape: Shape) -> None:
    """Centres closer than 0.6 of a tile's narrower side would be tiles in each other."""
    least = 0.6 * (shape.thick if any(tile.stands for tile in tiles) else shape.w)
    for number, one in enumerate(tiles):
        for other in tiles[:number]:
            if one.z == other.z and not (one.stands and other.stands):
                assert math.hypot(one.x - other.x, one.y - other.y) > least


def test_a_window_of_a_photo_tells_where_its_boxes_went() -> None:
    image = np.zeros((300, 400, 3), np.uint8)
    grid = [(60.0 * column, 80.0 * row) for row in (0, 1) for column in range(4)]
    boxes = np.array([[100.0 + x, 90.0 + y, 60.0, 80.0] for x, y in grid])
    colours = np.array([(0, 0, 255), (0, 255, 0)] * 4)
    for (x, y, w, h), colour in zip(boxes.astype(int), colours, strict=True):
        cv2.rectangle(image, (x, y), (x + w - 1, y + h - 1), colour.tolist(), -1)
    source = Source(
        image,
        quads_of_boxes(boxes),
        np.zeros(8, int),
        80.0,
        np.repeat([0, 1], 4),
        np.tile(np.arange(4), 2),
    )
    right = total = 0
    for seed in range(12):
        picture = window(np.random.default_rng(seed), source, 20.0, 40.0, cut=bool(seed % 2))
        for x, y, w, h, axis, kind, shown in picture.places:
            assert kind == FACE_KIND
            if shown > 0.99:
                assert 10 < w < 60
                assert 15 < h < 80
                assert min(abs(axis - 20), abs(axis - 200), abs(axis + 160)) < 20
                blue, green, red = picture.image[int(y), int(x)].astype(int)
                total += 1
                right += max(green, red) > blue + 20
    assert total > 10
    assert right == total


def test_targets_are_what_the_places_say() -> None:
    places = np.array(
        [
            (50.0, 62.0, 30.0, 40.0, 30.0, FACE_KIND, 1.0),
            (140.0, 100.0, 15.0, 20.0, 90.0, BACK_KIND, 0.9),
            (200.0, 100.0, 30.0, 40.0, 0.0, FACE_KIND, 0.3),
            (18.0, 198.0, 16.0, 16.0, 0.0, DIE_KIND, 1.0),
        ],
        np.float32,
    )
    asked = targets(places)
    cells = SIZE // STRIDE
    assert asked["heat"].shape == (KINDS, cells, cells)
    assert int((asked["heat"] == 1.0).sum()) == 3
    assert asked["heat"][FACE_KIND, 15, 12] == asked["heat"][BACK_KIND, 24, 34] == 1.0
    dx, dy, log_w, log_h, cos2, sin2 = asked["extra"][:, 15, 12]
    assert ((12.5 + dx) * STRIDE, (15.5 + dy) * STRIDE) == pytest.approx((50.0, 62.0))
    assert (log_w, log_h) == pytest.approx((0.0, 0.0), abs=1e-6)
    assert math.degrees(math.atan2(sin2, cos2)) == pytest.approx(60.0)
    assert asked["extra"][2:4, 24, 34] == pytest.approx([math.log(0.5)] * 2)
    assert asked["asked"][24, 49] == 0.0  # a tile half hidden: neither wanted nor forbidden
    assert asked["asked"][15, 12] == 1.0
    assert asked["axis"][49, 4] == 0.0
    assert asked["weight"][49, 4] == 1.0


def test_a_window_seen_again_keeps_its_places_on_its_tiles() -> None:
    image = np.zeros((SIZE, SIZE, 3), np.uint8)
    corners = cv2.boxPoints(((60.0, 150.0), (30.0, 60.0), -20.0))
    cv2.fillConvexPoly(image, np.round(corners).astype(np.int32), (200, 200, 200))
    places = np.array([(60.5, 150.5, 30.0, 60.0, 20.0, FACE_KIND, 1.0)], np.float32)
    for seed in range(12):
        seen = again(Picture(image, places), np.random.default_rng(seed))
        x, y, w, h, axis, *_ = seen.places[0]
        box = ((float(x - 0.5), float(y - 0.5)), (float(w), float(h)), -float(axis))
        inside = np.zeros((SIZE, SIZE), np.uint8)
        cv2.fillConvexPoly(inside, np.round(cv2.boxPoints(box)).astype(np.int32), 1)
        bright = seen.image.min(axis=2).astype(int)
        bright = 255 - bright if bright[0, 0] > 128 else bright
        assert (bright[inside == 1] > 50).mean() > 0.9
        assert (bright[inside == 0] > 50).mean() < 0.01


def test_batches_are_alike_for_one_seed() -> None:
    drawn = Windows(cabinet(), [], [], [])
    one, other = (batch(drawn, np.random.default_rng([1, 7]), 3) for _ in "ab")
    assert one["image"].shape == (3, SIZE, SIZE, 3)
    assert all(np.array_equal(one[key], other[key]) for key in one)


def test_a_set_keeps_one_back() -> None:
    rng = np.random.default_rng(4)
    tops = TileSet("white", {"1m": [WHITE]}).tops(rng)
    assert np.array_equal(tops(rng, BACK), tops(rng, BACK))
    assert tops(rng, "9s") is WHITE  # what a set lacks is another of its faces
    assert painted_back(rng).shape[0] == 96
