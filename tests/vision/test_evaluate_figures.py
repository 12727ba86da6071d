"""The evaluation's figures on small cases whose answers are known by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.vision.test_evaluate import made_photos
from vision.evaluate.cuts import Picture, cut_row, hand_region, turned
from vision.evaluate.given import _losses
from vision.evaluate.matching import Found, Tally, Truth, compare, iou, is_exact
from vision.evaluate.metrics import (
    Answer,
    acceptance,
    accuracy,
    calibration,
    foreign,
    least_threshold,
    mix_ups,
)
from vision.evaluate.photos import FACES, ORDINARY, NoPhotos, Photo, Photos, Placed
from vision.evaluate.places import Count, real_rows, truths
from vision.evaluate.targets import TARGETS, lookup, missed

ROW = [Truth("1m", (0, 0, 30, 40)), Truth("2m", (30, 0, 30, 40)), Truth("3m", (60, 0, 30, 40))]


def on(*faces: str, dx: float = 0.0) -> list[Found]:
    """Return answers on the tiles of ROW, each `dx` pixels off."""
    return [Found(face, (30 * place + dx, 0, 30, 40)) for place, face in enumerate(faces)]


@pytest.mark.parametrize(
    ("first", "second", "due"),
    [
        ((0, 0, 10, 10), (0, 0, 10, 10), 1.0),
        ((0, 0, 10, 10), (10, 0, 10, 10), 0.0),  # touching
        ((0, 0, 10, 10), (10, 10, 5, 5), 0.0),  # touching at a corner
        ((0, 0, 10, 10), (5, 0, 10, 10), 1 / 3),
        ((0, 0, 10, 10), (2, 2, 5, 5), 0.25),  # inside
        ((0, 0, 10, 10), (40, 0, 10, 10), 0.0),
    ],
)
def test_overlap(first: tuple[float, ...], second: tuple[float, ...], due: float) -> None:
    assert iou(first, second) == pytest.approx(due)  # type: ignore[arg-type]
    assert iou(second, first) == pytest.approx(due)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "right", "answered", "localised", "unsure", "exact"),
    [
        (on("1m", "2m", "3m"), 3, 3, 3, 0, True),
        (on("1m", "2m", "4m"), 2, 3, 3, 0, False),
        (on("1m", "?", "3m"), 2, 2, 3, 1, False),  # not sure = not read, and no wrong answer
        (on("1m", "2m"), 2, 2, 2, 0, False),
        (on("1m", "back", "3m"), 2, 3, 3, 0, False),
        ([*on("1m", "2m", "3m"), Found("2m", (31, 0, 30, 40))], 3, 4, 3, 0, False),  # twice the same tile
        (on("1m", "2m", "3m", dx=9), 3, 3, 3, 0, True),  # 21 of 39: enough
        (on("1m", "2m", "3m", dx=11), 0, 3, 0, 0, True),  # 19 of 41: on no tile, though the order reads well
        (on("2m", "3m", "4m", dx=30), 2, 3, 2, 0, False),  # one tile too far right: 4m lies on nothing
        ([], 0, 0, 0, 0, False),
    ],
)
def test_a_row_is_matched(
    found: list[Found], right: int, answered: int, localised: int, unsure: int, exact: bool
) -> None:
    tally = compare(ROW, found)
    assert tally == Tally(3, right, answered, localised, unsure, 1, int(exact))
    assert tally.is_complete == (right == answered == 3)
    assert tally.recall == right / 3


def test_a_wrong_answer_does_not_take_the_tile_from_a_right_one() -> None:
    wrong_closer = [Found("9m", (0, 0, 30, 40), 0.9), Found("1m", (2, 0, 30, 40), 0.5)]
    tally = compare(ROW[:1], wrong_closer)
    assert (tally.right, tally.answered, tally.localised) == (1, 2, 1)
    assert tally.precision == 0.5
    assert tally.recall == 1.0


def test_what_lies_on_a_tile_that_does_not_count_is_left_out() -> None:
    flower = Truth("a", (90, 0, 30, 40), counts=False)
    for face in ("a", "5p", "?"):
        tally = compare([*ROW, flower], on("1m", "2m", "3m", face))
        assert (tally.tiles, tally.right, tally.answered, tally.exact) == (3, 3, 3, 1)
    beside = compare([*ROW, flower], [*on("1m", "2m", "3m"), Found("5p", (130, 0, 30, 40))])
    assert (beside.right, beside.answered, beside.exact) == (3, 4, 0)


def test_flowers_and_foreign_tiles_count_as_asked() -> None:
    placed = [
        Placed(face, (30.0 * index, 0, 30, 40), 0, index) for index, face in enumerate(("1m", "a", "X"))
    ]
    lenient, strict = truths(placed, ordinary_only=True), truths(placed, ordinary_only=False)
    assert [truth.counts for truth in lenient] == [True, False, False]
    assert [truth.face for truth in strict] == ["1m", "a"]
    named = on("1m", "a", "7s")
    assert compare(lenient, named).precision == 1.0
    tally = compare(strict, named)
    assert (tally.tiles, tally.right, tally.answered) == (2, 2, 3)
    assert compare(strict, on("1m", "a", "?")).precision == 1.0


def test_rows_are_read_by_place_not_by_order_of_the_answers() -> None:
    assert is_exact(ROW, list(reversed(on("1m", "2m", "3m"))))
    assert not is_exact(ROW, on("2m", "1m", "3m"))


def answers(*rows: tuple[str, str, str, str, float]) -> list[Answer]:
    return [Answer(*row, file=f"{index}.jpg") for index, row in enumerate(rows)]


NAMED = answers(
    ("s1", "1m", "1m", "1m", 0.99),
    ("s1", "2m", "2m", "?", 0.70),
    ("s1", "a", "b", "b", 0.95),
    ("s1", "X", "5p", "5p", 0.90),
    ("s2", "1m", "1m", "1m", 0.98),
    ("s2", "2m", "3m", "?", 0.60),
)


def test_accuracy_is_told_pooled_by_mean_and_by_the_worst_set() -> None:
    told = accuracy(NAMED, ORDINARY)
    assert (told["n"], told["pooled"], told["mean"]) == (4, 0.75, 0.75)
    assert (told["worst"], told["worst_set"]) == (0.5, "s2")
    told = accuracy(NAMED, FACES)
    assert told["sets"] == {"s1": [2, 3, 0.66667], "s2": [1, 2, 0.5]}
    assert told["mean"] == pytest.approx((2 / 3 + 1 / 2) / 2, abs=1e-4)
    assert told["pooled"] == 0.6
    assert accuracy([], FACES)["n"] == 0
    assert accuracy([], FACES)["mean"] is None


def test_acceptance_counts_only_what_is_told() -> None:
    told = acceptance(NAMED, FACES)
    assert (told["n"], told["accepted"], told["wrong"]) == (5, 3, 1)
    assert told["wrong_part"] == pytest.approx(1 / 3, abs=1e-4)
    assert told["sets"] == {"s1": [2, 1, 3], "s2": [1, 0, 2]}
    strange = foreign([answer for answer in NAMED if answer.face == "X"])
    assert (strange["n"], strange["accepted"], strange["named"]) == (1, 1, {"5p": 1})


def test_calibration_error_of_known_scores() -> None:
    even = answers(*[("s", "1m", "1m" if index < 8 else "2m", "1m", 0.85) for index in range(10)])
    told = calibration(even, FACES)
    assert told["ece"] == pytest.approx(0.05)  # 0.85 said, 0.80 right
    (filled,) = [row for row in told["bins"] if row["n"]]
    assert (filled["from"], filled["n"], filled["right"]) == (0.8, 10, 0.8)
    assert filled["score"] == pytest.approx(0.85)
    assert calibration(answers(("s", "1m", "1m", "1m", 1.0)), FACES)["bins"][9]["n"] == 1
    coverage = {row["threshold"]: row for row in told["coverage"]}
    assert (coverage[0.8]["accepted"], coverage[0.8]["wrong"]) == (10, 2)
    assert coverage[0.9]["accepted"] == 0


def test_the_least_threshold_keeps_the_bound_and_splits_no_equal_scores() -> None:
    scores = [(0.9, True), (0.8, True), (0.7, False), (0.7, True), (0.6, True)]
    said = answers(*[("s", "1m", "1m" if right else "2m", "1m", score) for score, right in scores])
    assert least_threshold(said, 0.0) == 0.8
    assert least_threshold(said, 0.25) == 0.6  # 1 of 5
    assert least_threshold(said, 0.1) == 0.8
    assert least_threshold(said[2:3], 0.1) is None


def test_mix_ups_come_with_their_surest_pictures() -> None:
    first, second = mix_ups(NAMED[:3] + NAMED[4:])
    assert (first["face"], first["read"], first["accepted"]) == ("2m", "3m", 0)
    assert (second["face"], second["read"], second["accepted"], second["files"]) == (
        "a",
        "b",
        1,
        [["2.jpg", 0.95]],
    )


def photo_image() -> np.ndarray:
    image = np.zeros((100, 120, 3), np.uint8)
    for row in range(2):
        for column in range(3):
            image[10 + 40 * row : 50 + 40 * row, 15 + 30 * column : 45 + 30 * column] = (
                40 * (3 * row + column) + 20
            )
    return image


def grid() -> tuple[Placed, ...]:
    faces = ("1m", "2m", "3m", "4m", "a", "X")
    return tuple(
        Placed(face, (15.0 + 30 * (index % 3), 10.0 + 40 * (index // 3), 30.0, 40.0), index // 3, index % 3)
        for index, face in enumerate(faces)
    )


def shade(picture: Picture, tile: Placed) -> int:
    x, y, width, height = tile.box
    return int(picture.image[round(y + height / 2), round(x + width / 2)].mean())


@pytest.mark.parametrize("border", [0.0, 0.6, 1.5])
def test_a_cut_row_keeps_its_tiles_under_their_boxes(border: float) -> None:
    row = grid()[:3]
    picture = cut_row(photo_image(), row, border, np.random.default_rng(1))
    edge = round(border * 40)
    assert picture.image.shape == (40 + 2 * edge, 90 + 2 * edge, 3)
    assert [shade(picture, tile) for tile in picture.tiles] == [20, 60, 100]
    assert picture.tiles[0].box == (edge, edge, 30, 40)


def test_a_hand_is_put_together_from_rows() -> None:
    rows = [grid()[:3], grid()[3:]]
    picture = hand_region(photo_image(), rows, 1, 5, 0.6, np.random.default_rng(1))
    assert [tile.face for tile in picture.tiles] == ["4m", "a", "X", "1m", "2m"]
    assert [shade(picture, tile) for tile in picture.tiles] == [140, 180, 220, 20, 60]
    assert [tile.box[0] for tile in picture.tiles] == [24 + 30 * index for index in range(5)]


@pytest.mark.parametrize("degrees", [0, 15, -15, 40, 90, 180, 270])
@pytest.mark.parametrize("grow", [True, False])
def test_turned_tiles_lie_under_their_turned_boxes(degrees: int, grow: bool) -> None:
    flat = Picture(photo_image(), grid()[:3])
    picture = turned(flat, degrees, np.random.default_rng(1), grow=grow)
    assert [shade(picture, tile) for tile in picture.tiles] == pytest.approx([20, 60, 100], abs=3)
    c, s = abs(math.cos(math.radians(degrees))), abs(math.sin(math.radians(degrees)))
    assert picture.tiles[1].box[2:] == pytest.approx((30 * c + 40 * s, 30 * s + 40 * c))
    if not grow and degrees % 90:
        assert picture.image.shape == flat.image.shape


def test_turning_is_counter_clockwise() -> None:
    image = np.zeros((40, 30, 3), np.uint8)
    image[:10] = 200  # the upper edge
    for degrees in (90, 80):
        side = turned(Picture(image, ()), degrees, np.random.default_rng(1)).image
        assert side[side.shape[0] // 2, 3].mean() > 120  # is on the left now
        assert side[side.shape[0] // 2, -4].mean() < 60


def test_rows_of_a_photo() -> None:
    photo = Photo(path=__file__, set="s", tiles=grid())  # type: ignore[arg-type]
    assert [[tile.face for tile in row] for row in photo.rows()] == [["1m", "2m", "3m"], ["4m", "a", "X"]]
    assert len(real_rows([photo])) == 2


def test_targets_are_judged_both_ways_and_left_out_when_not_measured() -> None:
    assert len({target.key for target in TARGETS}) == len(TARGETS)
    by_key = {target.key: target for target in TARGETS}
    figures = {"crops": {"all34": {"mean": 0.991}, "acceptance": {"wrong_part": 0.004}}}
    assert by_key["crops 34"].is_met(figures) is True
    assert by_key["wrong"].is_met(figures) is False
    assert by_key["x"].is_met(figures) is None
    assert missed(figures) == ["Wrong among accepted"]
    assert lookup({"a": {"b": True}}, "a/b") is None
    assert lookup({"a": 1}, "a/b") is None


def test_what_was_not_looked_at_meets_no_target() -> None:
    nothing = Count().figures()
    figures = {
        "crops": {
            "all34": accuracy([], ORDINARY),
            "acceptance": acceptance([], FACES),
            "x": foreign([]),
        },
        "rows": dict.fromkeys(("0.0", "0.6", "1.5"), nothing),
        "scenes": nothing,
    }
    assert [target.key for target in TARGETS if target.is_met(figures) is not None] == []
    assert foreign([])["n"] == 0


def test_rows_are_judged_by_the_mean_of_the_sets() -> None:
    counted = Count()
    for name, exact, times in (("s1", 1, 9), ("s2", 0, 1)):
        for _ in range(times):
            counted.add(name, Tally(tiles=4, right=4 * exact, answered=4, pictures=1, exact=exact))
    figures = {"rows": {"0.6": counted.figures()}}
    by_key = {target.key: target for target in TARGETS}
    assert figures["rows"]["0.6"]["exact_part"] == 0.9
    assert by_key["rows 0.6 exact"].figure(figures) == 0.5
    assert lookup(figures, by_key["rows 0.6 exact"].worst) == 0.0


def test_the_loss_of_turned_crops_is_told_of_the_mean_and_of_the_worst_set() -> None:
    upright = answers(("s1", "1m", "1m", "1m", 1.0), ("s2", "1m", "1m", "1m", 1.0))
    told = _losses(answers(("s1", "1m", "1m", "1m", 1.0), ("s2", "1m", "2m", "2m", 1.0)), upright)
    assert told["all42_loss_points"] == 50.0
    assert told["all42_worst_loss_points"] == 100.0
    assert _losses([], [])["all42_loss_points"] is None


@pytest.mark.parametrize(
    ("table", "old", "new", "told"),
    [
        ("tiles/labels.csv", "file,class,set", "file,label,set", "tiles/labels.csv: no column class"),
        ("tiles/labels.csv", ",2m,", ",2x,", "tiles/labels.csv, line 3: class '2x': no tile"),
        ("tiles/labels.csv", ",2m,", ",,", "tiles/labels.csv, line 3: class is missing"),
        ("scenes/boxes.csv", "48.0", "wide", "scenes/boxes.csv, line 2: w 'wide'"),
        ("scenes/boxes.csv", "64.0", "-64", "scenes/boxes.csv, line 2: h '-64': no extent"),
        ("scenes/boxes.csv", "48.0", "nan", "scenes/boxes.csv, line 2: w 'nan'"),
        ("scenes/scenes.csv", "s04.png", "s2.png", "scenes/scenes.csv, line 2: s2.png has no tiles"),
        ("scenes/scenes.csv", "s04.png,s04", "s04.png", "scenes/scenes.csv, line 2: set is missing"),
    ],
)
def test_a_damaged_table_is_refused_with_its_line(
    tmp_path: Path, table: str, old: str, new: str, told: str
) -> None:
    root = made_photos(tmp_path / "made")
    path = root / table
    path.write_text(path.read_text().replace(old, new))
    photos = Photos(root)
    with pytest.raises(NoPhotos) as refused:
        assert len(photos.crops) + len(photos.photos) == 0
    assert str(refused.value).startswith(f"{root}/{told}")


def test_a_table_from_a_spreadsheet_is_read_and_one_in_another_coding_refused(tmp_path: Path) -> None:
    root = made_photos(tmp_path / "made")
    path = root / "tiles" / "labels.csv"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert len(Photos(root).crops) == 6
    path.write_bytes("file,class,set\n万.png,1m,s1\n".encode("gbk"))
    photos = Photos(root)
    with pytest.raises(NoPhotos, match="no table in UTF-8"):
        assert photos.crops
