"""What the namer learns from: folds, photographs, windows, inks; and what its scores become."""

from __future__ import annotations

import csv
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.test_evaluate import made_photos
from vision.crops import crop_matrix, cut, resettled
from vision.evaluate.labels import NoPhotos
from vision.tiles import CLASSES
from vision.training import views
from vision.training.check_name import MOST_ACCEPTED, MOST_WRONG, Votes, honest, pooled, turned
from vision.training.data import CANVAS_PX, RIM_PX, TILE_PX, Photos, class_of
from vision.training.folds import ALL_SETS, FOLDS, trained_on, unseen
from vision.training.shelf import Item, _tile_round, among, fill, recipe, shelf

DATA = Path(__file__).parents[3] / "shared" / "data"
SIZE = (64, 48)


def canvas() -> np.ndarray:
    """A white tile with a red bar near its top, on green."""
    picture = np.full((CANVAS_PX[1], CANVAS_PX[0], 3), (60, 110, 40), np.uint8)
    left, top = RIM_PX
    picture[top : top + TILE_PX[1], left : left + TILE_PX[0]] = 240
    picture[top + 10 : top + 22, left + 12 : left + 48] = (30, 30, 190)
    return picture


def test_a_window_tells_where_its_tile_lies() -> None:
    """What the net learns of the place puts the window right: its tile is then where every tile is."""
    middle = (CANVAS_PX[0] / 2, CANVAS_PX[1] / 2)
    (wanted,) = cut(canvas(), [crop_matrix(*middle, 0.0, TILE_PX)], SIZE[::-1])
    before, after = [], []
    for seed in range(60):
        seen, place = views.placed_window(canvas(), np.random.default_rng(seed), SIZE)
        whole = np.diag([float(SIZE[1]), float(SIZE[0]), 1.0])
        (settled,) = cut(seen, [resettled(whole, place)], SIZE[::-1])
        inner = (slice(8, -8), slice(6, -6))
        before.append(cv2.absdiff(seen, wanted)[inner].mean())
        after.append(cv2.absdiff(settled, wanted)[inner].mean())
    assert np.mean(after) < 0.4 * np.mean(before)
    assert np.median(after) < 0.25 * np.median(before)


def red_row(image: np.ndarray) -> float:
    """Return the height of the red in a picture, 0 top to 1 bottom."""
    red = (image[..., 2].astype(int) - image[..., 1]) > 60
    return float(np.nonzero(red)[0].mean()) / image.shape[0]


def test_a_die_fills_a_window_of_a_tiles_shape() -> None:
    die = np.array([[100.0, 100.0], [120.0, 100.0], [120.0, 120.0], [100.0, 120.0]])
    for seed in range(20):
        corners = _tile_round(die, np.random.default_rng(seed))
        assert corners.mean(axis=0) == pytest.approx([110.0, 110.0])
        across, along = corners[1] - corners[0], corners[3] - corners[0]
        assert across @ along == pytest.approx(0.0, abs=1e-9)
        assert 18.0 <= np.linalg.norm(across) <= 27.0
        assert 19.0 <= np.linalg.norm(along) <= 36.0


def test_every_set_is_held_out_exactly_once() -> None:
    assert sum(len(fold) for fold in FOLDS) == len(ALL_SETS) == 15
    for fold in range(5):
        assert unseen(fold) | trained_on(fold) == ALL_SETS
        assert not unseen(fold) & trained_on(fold)
    assert trained_on(None) == ALL_SETS


@pytest.mark.skipif(not (DATA / "tiles").is_dir(), reason="the shared photographs are not here")
def test_folds_name_the_sets_of_the_photographs() -> None:
    with (DATA / "tiles" / "labels.csv").open(encoding="utf-8") as lines:
        assert {row["set"] for row in csv.DictReader(lines)} == ALL_SETS


@pytest.mark.skipif(not (DATA / "tiles").is_dir(), reason="the shared photographs are not here")
def test_a_rimmed_crop_holds_the_published_one_in_its_middle() -> None:
    photos = Photos(DATA)
    rimmed = list(photos.rimmed({"c1", "s14"}, np.random.default_rng(1), windows=0.1))
    crops = photos.crops({"c1", "s14"})
    assert len(crops) == 28 + 80
    assert len(rimmed) == 28 + 80 + 8
    assert sorted(crop.face for crop in rimmed if crop.set == "c1") == sorted(
        crop.face for crop in crops if crop.set == "c1"
    )
    (left, top), (width, height) = RIM_PX, TILE_PX
    for face in ("1s", "E", "9p"):
        inner = next(crop for crop in rimmed if crop.face == face and crop.set == "s14").image
        inner = inner[top : top + height, left : left + width].astype(float)
        alike = [
            np.corrcoef(inner.ravel(), cv2.resize(crop.image, TILE_PX).astype(float).ravel())[0, 1]
            for crop in crops
            if crop.set == "s14" and crop.face == face
        ]
        assert max(alike) > 0.9, face


def test_missing_photographs_are_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"labels\.csv"):
        Photos(tmp_path)


def test_a_shelf_gives_back_what_was_put_on_it_and_is_filled_once(tmp_path: Path) -> None:
    items = [
        Item(np.full((CANVAS_PX[1], CANVAS_PX[0], 3), n, np.uint8), n, f"s{n}", n != 1) for n in range(3)
    ]
    fill(tmp_path, "some", iter(items), "a")
    fill(tmp_path, "some", iter(items[:1]), "a")
    back = shelf(tmp_path, "some")
    assert [int(image[0, 0, 0]) for image in back.images] == [0, 1, 2]
    assert back.labels.tolist() == [0, 1, 2]
    assert back.knows_up.tolist() == [True, False, True]
    assert back.only({"s2", "s0"}).tolist() == [0, 2]


def test_a_shelf_is_filled_anew_when_it_is_made_differently(tmp_path: Path) -> None:
    item = Item(np.zeros((CANVAS_PX[1], CANVAS_PX[0], 3), np.uint8), 7, "s03")
    fill(tmp_path, "some", iter([item]), "a")
    fill(tmp_path, "some", iter([item, item]), "b")
    assert shelf(tmp_path, "some").images.shape[0] == 2
    assert recipe("shelf") == recipe("shelf") != recipe("shelf", "data")
    assert recipe("art") != recipe("no such module")


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("turn", "low", "high"), [(0.0, 0.08, 0.42), (180.0, 0.58, 0.92)])
def test_a_window_keeps_the_tile_the_way_it_is_turned(
    seed: int, turn: float, low: float, high: float
) -> None:
    image = views.window(canvas(), np.random.default_rng(seed), SIZE, turn)
    assert image.shape == (64, 48, 3)
    assert low < red_row(image) < high


@pytest.mark.parametrize("seed", range(12))
def test_other_inks_leave_the_tile_readable(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tile = canvas()[RIM_PX[1] : -RIM_PX[1], RIM_PX[0] : -RIM_PX[0]]
    grey = cv2.cvtColor(views.inked(tile, rng), cv2.COLOR_BGR2GRAY).astype(int)
    bar, body = grey[10:22, 12:48].mean(), grey[40:].mean()
    assert bar < body - 8, "the bar stays darker than the body"


@pytest.mark.parametrize("seed", range(6))
def test_light_and_camera_keep_size_and_type(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tile = views.window(canvas(), rng, SIZE)
    for change in (views.lit, views.filmed, views.stroked, views.hidden):
        image = change(tile, rng)
        assert image.shape == tile.shape
        assert image.dtype == np.uint8


def test_corners_words_and_crossed_tiles_change_only_the_tile() -> None:
    plain = canvas()
    rng = np.random.default_rng(3)
    other = np.ascontiguousarray(plain[::-1])
    for changed in (
        views.with_corner(plain, "7", rng),
        views.with_words(plain, rng),
        views.crossed(plain, other, rng),
    ):
        outside = (changed != plain).any(axis=2)
        assert outside.any()
        outside[RIM_PX[1] : -RIM_PX[1], RIM_PX[0] : -RIM_PX[0]] = False
        assert not outside.any()


def test_a_grafted_flower_keeps_its_own_marks_above_the_other_plant() -> None:
    own, other = np.full_like(canvas(), 40), np.full_like(canvas(), 200)
    for seed in range(20):
        grafted = views.grafted(own, other, np.random.default_rng(seed))
        top, low = RIM_PX[1], RIM_PX[1] + TILE_PX[1]
        assert (grafted[: top + TILE_PX[1] // 4] == 40).all()
        assert (grafted[top + TILE_PX[1] * 3 // 5 : low] == 200).all()
        assert grafted.dtype == np.uint8


def test_neighbours_never_cover_the_tile() -> None:
    top = np.full((TILE_PX[1], TILE_PX[0], 3), 250, np.uint8)
    for seed in range(8):
        picture = among(top, [top // 5] * 4, np.random.default_rng(seed))
        inner = picture[RIM_PX[1] : -RIM_PX[1], RIM_PX[0] : -RIM_PX[0]]
        assert (inner == 250).all()


def votes(rights: int, wrongs: int, sure: float, wrong_sure: float) -> Votes:
    """Votes for class 0: `rights` of them right with chance `sure`, `wrongs` for class 1."""
    chances = np.full((rights + wrongs, len(CLASSES)), 1e-6)
    chances[:rights, 0], chances[:rights, 1] = sure, 1 - sure
    chances[rights:, 1], chances[rights:, 0] = wrong_sure, 1 - wrong_sure
    return Votes(chances, np.zeros(rights + wrongs, int), np.array(["s03"] * (rights + wrongs)))


def test_the_threshold_lies_above_the_wrong_answers() -> None:
    pool = votes(990, 10, 0.98, 0.8)
    cooling, threshold = honest(pool)
    best, score = pool.cooled(cooling).answers()
    accepted = score >= threshold
    assert (best[accepted] != 0).mean() <= MOST_WRONG
    assert accepted.mean() >= 0.98


def test_the_least_sure_are_asked_about_even_where_nothing_is_wrong() -> None:
    easy = pooled([votes(1, 0, sure, 0.0) for sure in np.linspace(0.9, 0.999, 200)])
    cooling, threshold = honest(easy)
    accepted = easy.cooled(cooling).answers()[1] >= threshold
    assert 0.97 <= accepted.mean() <= MOST_ACCEPTED + 1 / 200


def test_foreign_tiles_lift_the_threshold() -> None:
    spread = [votes(10, 0, sure, 0.0) for sure in np.linspace(0.6, 0.97, 90)]
    strange = [votes(0, 1, 0.0, sure) for sure in np.linspace(0.5, 0.95, 100)]
    faces, foreign = pooled(spread), pooled(strange)
    mixed = pooled([faces, Votes(foreign.chances, np.full(100, class_of("X")), foreign.sets)])
    assert honest(mixed)[1] > honest(faces)[1]
    cooling, threshold = honest(mixed)
    _, score = mixed.cooled(cooling).answers()
    assert 0.0 < (score[-100:] >= threshold).mean() <= 0.1


def test_answers_that_are_too_sure_are_cooled() -> None:
    too_sure, _ = honest(votes(900, 100, 0.999, 0.999))
    too_shy, _ = honest(votes(1000, 0, 0.7, 0.7))
    assert too_sure < 0.6
    assert too_shy > 1.0


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_right_angle_loses_nothing(degrees: int) -> None:
    tile = canvas()
    assert (turned(turned(tile, degrees), 360 - degrees) == tile).all()


def test_a_grown_turn_keeps_the_corners() -> None:
    tile = np.full((40, 30, 3), 255, np.uint8)
    grown = turned(tile, 15)
    assert grown.shape[0] > 40
    assert grown.shape[1] > 30
    assert (grown > 250).all(axis=2).sum() > 0.93 * 40 * 30
    assert turned(tile, 15, grow=False).shape == tile.shape


def test_foreign_tiles_are_learnt_as_unknown() -> None:
    assert CLASSES[class_of("X")] == "unknown"
    assert CLASSES[class_of("h")] == "h"


def test_labels_are_read_as_the_evaluation_reads_them(tmp_path: Path) -> None:
    with pytest.raises(NoPhotos, match=r"tiles/labels\.csv"):
        Photos(tmp_path)
    root = made_photos(tmp_path / "made")
    photos = Photos(root)
    assert [crop.face for crop in photos.crops({"s04"})] == ["1m", "2m", "P", "9s", "a", "X"]
    (scene,) = photos.scenes({"s04"})
    assert (scene.name, scene.boxes[4]) == ("s04.png", (70.0, 80.0, 48.0, 64.0, "a", 1, 1))
    (root / "dice" / "boxes.csv").write_text("file,x,y,w,h,pips\nd.jpg,1,2,3.5,4,6\nd.jpg,9,9,1,1,2\n")
    ((_, dice),) = photos.dice()
    assert dice[0].tolist() == [[1.0, 2.0], [4.5, 2.0], [4.5, 6.0], [1.0, 6.0]]
    assert len(dice) == 2
    table = root / "tiles" / "labels.csv"
    table.write_text(table.read_text().replace(",2m,", ",2x,"))
    with pytest.raises(NoPhotos, match="line 3: class '2x': no tile"):
        photos.crops({"s04"})


def test_a_shelf_is_made_anew_when_the_reader_of_labels_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = recipe("data")
    other = tmp_path / "labels.py"
    other.write_text("another reader")
    monkeypatch.setattr("vision.training.shelf.label_reader.__file__", str(other))
    assert recipe("data") != before
