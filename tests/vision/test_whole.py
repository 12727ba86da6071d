"""A picture that is one tile, however it lies: by a namer that knows a tile with a red bar at its top."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.tiles.raster import rasterise
from vision import Eyes, VisionError
from vision.crops import resettled
from vision.namer import AT_ONCE, FaceVote, TileNamer
from vision.readings import UNSURE
from vision.tiles import CLASSES, UNKNOWN, Seen, Spot
from vision.whole import agreed, name_whole

Image = NDArray[np.uint8]


def vote(face: str, chance: float, upside_down: bool = False) -> FaceVote:
    chances = np.full(len(CLASSES), (1 - chance) / (len(CLASSES) - 1), np.float32)
    chances[CLASSES.index(face)] = chance
    return FaceVote(chances, upside_down)


class BarNamer:
    """Sure of 1m when it sees a level red bar in the upper or lower half, of nothing else."""

    crop_px = (36, 48)

    def settled(self, image: Image, matrices: list[np.ndarray]) -> list[np.ndarray]:
        return matrices  # cannot tell

    def name(self, crops: Image) -> list[FaceVote]:
        return [self._one(crop) for crop in crops]

    def _one(self, crop: Image) -> FaceVote:
        red = (crop[..., 2].astype(int) - crop[..., 1]) > 80
        rows, columns = np.nonzero(red)
        if not len(rows) or np.ptp(columns) < 1.2 * np.ptp(rows):
            return vote(UNKNOWN, 0.9)
        return vote("1m", 0.98, bool(rows.mean() > crop.shape[0] / 2))


@pytest.fixture
def tile() -> Image:
    picture = np.full((160, 120, 3), 235, np.uint8)
    picture[25:45, 20:100] = (30, 30, 200)
    return picture


@pytest.mark.parametrize(("turns", "up"), [(0, 0), (1, 90), (2, 180), (3, 270)])
def test_a_tile_is_named_whichever_edge_is_up(tile: Image, turns: int, up: int) -> None:
    picture = np.ascontiguousarray(np.rot90(tile, turns))
    seen, turn = name_whole(picture, BarNamer())  # type: ignore[arg-type]
    assert seen.best(1)[0][0] == "1m"
    assert (turn + 180 * seen.is_upside_down) % 360 == up


@pytest.mark.parametrize("skew", [-15, 15])
def test_a_little_turn_does_not_matter(tile: Image, skew: int) -> None:
    matrix = cv2.getRotationMatrix2D((60, 80), skew, 1.0)
    picture = np.asarray(cv2.warpAffine(tile, matrix, (120, 160), borderValue=(40, 90, 40)), np.uint8)
    seen, turn = name_whole(picture, BarNamer())  # type: ignore[arg-type]
    assert seen.best(1)[0][0] == "1m"
    assert turn == 0


class LevelNamer(BarNamer):
    """Sure of 1m if the bar is quite level, of 7p else; told by how many degrees the tile leans."""

    def __init__(self, leaning: float) -> None:
        self._place = np.array([0.0, 0.0, 0.0, 0.0, -math.radians(leaning)], np.float32)

    def settled(self, image: Image, matrices: list[np.ndarray]) -> list[np.ndarray]:
        return [resettled(matrix, self._place) for matrix in matrices]

    def _one(self, crop: Image) -> FaceVote:
        red = (crop[..., 2].astype(int) - crop[..., 1]) > 80
        rows, columns = np.nonzero(red)
        lean = abs(np.polyfit(columns, rows, 1)[0])
        return vote("1m" if lean < 0.09 else "7p", 0.98)


@pytest.mark.parametrize("degrees", [-15, 15])
def test_a_leaning_tile_is_named_where_it_lies(tile: Image, degrees: int) -> None:
    matrix = cv2.getRotationMatrix2D((60, 80), degrees, 1.0)
    picture = np.asarray(cv2.warpAffine(tile, matrix, (120, 160), borderValue=(40, 90, 40)), np.uint8)
    seen, turn = name_whole(picture, LevelNamer(degrees))  # type: ignore[arg-type]
    assert (seen.best(1)[0][0], turn) == ("1m", 0)
    assert seen.best(1)[0][1] > 0.9
    unsettled, _ = name_whole(picture, LevelNamer(0))  # type: ignore[arg-type]
    assert unsettled.best(1)[0][0] == "7p"


class NarrowNamer(BarNamer):
    """Sees that the tile across is smaller than the picture is high."""

    def settled(self, image: Image, matrices: list[np.ndarray]) -> list[np.ndarray]:
        first, across = matrices
        return [first, resettled(across, np.array([0.0, 0.0, -0.35, -0.35, 0.0], np.float32))]


def test_a_tile_lying_in_an_upright_picture_is_found(tile: Image) -> None:
    lying = np.rot90(cv2.resize(tile, (80, 107)))
    picture = np.full((160, 120, 3), (40, 90, 40), np.uint8)
    picture[40:120, 6:113] = lying
    seen, turn = name_whole(picture, NarrowNamer())  # type: ignore[arg-type]
    assert seen.best(1)[0][0] == "1m"
    assert turn == 90


def test_the_middle_of_a_picture_is_not_a_tile_lying_across(tile: Image) -> None:
    """A joker that fills its picture has the dot of 1p in its middle."""
    joker = np.full((160, 120, 3), 235, np.uint8)
    joker[10:150, 55:70] = (30, 30, 200)  # across, a bar
    seen, turn = name_whole(joker, BarNamer())  # type: ignore[arg-type]
    assert seen.best(1)[0][0] == UNKNOWN
    assert turn == 0


def test_what_no_way_knows_stays_unknown() -> None:
    seen, turn = name_whole(np.full((90, 70, 3), 120, np.uint8), BarNamer())  # type: ignore[arg-type]
    assert seen.best(1)[0][0] == UNKNOWN
    assert turn == 0


def test_one_look_that_objects_lowers_the_chance() -> None:
    both = agreed([vote("2m", 0.9), vote("2m", 0.9)]).chance("2m")
    torn = agreed([vote("2m", 0.9), vote("3m", 0.9)])
    assert both > 0.89
    assert torn.chance("2m") == pytest.approx(torn.chance("3m"))
    assert torn.chance("2m") < 0.6


def test_looks_count_heads_about_the_way_up() -> None:
    assert agreed([vote("5m", 0.9, True), vote("5m", 0.9, True), vote("5m", 0.9)]).is_upside_down
    assert not agreed([vote("5m", 0.9, True), vote("5m", 0.9), vote("5m", 0.9)]).is_upside_down


@pytest.mark.parametrize("size", [(1, 1), (1, 400), (400, 1), (3000, 20)])
def test_pictures_of_any_shape_are_answered(size: tuple[int, int]) -> None:
    seen, _ = name_whole(np.zeros((*size, 3), np.uint8), BarNamer())  # type: ignore[arg-type]
    assert seen.best(1)[0][0] == UNKNOWN


@pytest.fixture(scope="module")
def eyes() -> Eyes:
    return Eyes(threads=1)


@pytest.mark.parametrize("face", ["1m", "7p", "3s", "N", "c"])
@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_our_own_faces_are_read_the_way_they_lie(eyes: Eyes, face: str, turns: int) -> None:
    drawn = rasterise(face, 120).astype(np.float32)
    ink = drawn[..., 3:] / 255
    tile = (drawn[..., 2::-1] * ink + 225 * (1 - ink)).astype(np.uint8)
    picture = np.ascontiguousarray(np.rot90(tile, turns))
    reading = eyes.name_crop(picture)
    assert reading.best == face
    assert reading.angle == 90.0 * turns
    assert reading.box == (0, 0, picture.shape[1], picture.shape[0])


class OtherNet:
    """A net for larger crops that tells the size of what it was given."""

    outputs = ("answer",)

    def __init__(self, *_: object, **__: object) -> None:
        self.metadata, self.digest = {"crop": CROP}, ""

    def run_all(self, images: Image) -> dict[str, NDArray[np.float32]]:
        assert images.shape[1:] == (96, 72, 3)
        return {"answer": np.zeros((len(images), len(CLASSES) + 1), np.float32)}


CROP = "96x72"


def test_crops_have_the_size_that_the_model_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.namer.Net", OtherNet)
    eyes = Eyes(threads=1)
    eyes.warm_up(("faces",))
    picture = np.full((300, 200, 3), 90, np.uint8)
    assert eyes.name_crop(picture).tile == UNSURE
    assert eyes.whole_crop(picture).shape == (1, 96, 72, 3)
    assert eyes.crops(picture, [Seen(Spot(100, 90, 20.0, False, 0.9), np.eye(3), 20.0)]).shape == (
        1,
        96,
        72,
        3,
    )


def test_many_crops_are_looked_at_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is answered as it would be alone; a picture full of tiles takes no more memory than a hand."""
    sizes: list[int] = []

    class PickyNet(OtherNet):
        outputs = ("answer", "features")

        def run_all(self, images: Image) -> dict[str, NDArray[np.float32]]:
            sizes.append(len(images))
            answer = super().run_all(images)["answer"]
            answer[np.arange(len(images)), images[:, 0, 0, 0] % 42] = 9.0
            return {"answer": answer, "features": images[:, 0, :5, 0].astype(np.float32)}

    monkeypatch.setattr("vision.namer.Net", PickyNet)
    crops = np.zeros((100, 96, 72, 3), np.uint8)
    crops += np.arange(100, dtype=np.uint8)[:, None, None, None]
    namer = TileNamer()
    faces = [vote.best(1)[0][0] for vote in namer.name(crops)]
    assert faces == [CLASSES[number % 42] for number in range(100)]
    np.testing.assert_array_equal(namer.features(crops), crops[:, 0, :5, 0])
    assert max(sizes) == AT_ONCE
    assert sum(sizes) == 300


@pytest.mark.parametrize("told", ["", "64", "64x", "axb", "0x0", "64x48x3"])
def test_a_model_that_tells_no_size_is_refused(monkeypatch: pytest.MonkeyPatch, told: str) -> None:
    monkeypatch.setattr("vision.namer.Net", OtherNet)
    monkeypatch.setattr(f"{__name__}.CROP", told)
    with pytest.raises(VisionError, match="no size"):
        TileNamer()
