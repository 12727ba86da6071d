"""A club's own tiles are learnt from a clean layout only, and only help."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.twin.renderer.samples import sample
from vision import Eyes, calibrate, decode
from vision.enrol import (
    FLOWER_ROW,
    ORDINARY,
    SHARP,
    enrol,
    learn,
    learnt_again,
    order_of,
    sharpness,
)
from vision.enrolment import Enrolment, load_enrolment
from vision.errors import EnrolmentRefused
from vision.tiles import CLASSES

Crops = dict[str, list[np.ndarray]]


@pytest.fixture(scope="module")
def eyes() -> Eyes:
    return Eyes(threads=1)


@pytest.fixture(scope="module")
def crops(eyes: Eyes) -> Crops:
    """A crop of each face as the eyes themselves cut it out of frames of the twin."""
    found: Crops = {}
    for seed in range(7_810_000, 7_810_012):
        renderer, table = sample(seed, calm=True, kind="reveal")
        image = decode(renderer.render(table.scene))
        calibration = calibrate(image)
        seen = eyes.places(image, calibration)
        cuts = eyes.crops(image, seen)
        for vote, crop in zip(eyes.namer.name(cuts), cuts, strict=True):
            face, chance = vote.best(1)[0]
            if face in ORDINARY and chance > 0.97:
                found.setdefault(face, []).append(crop[::-1, ::-1] if vote.is_upside_down else crop)
        if all(len(found.get(face, ())) > 1 for face in ORDINARY):
            break
    return found


def first_of_each(crops: Crops) -> Crops:
    return {face: crops[face][:1] for face in ORDINARY}


def test_a_set_is_learnt_and_read_with(eyes: Eyes, crops: Crops, tmp_path: Path) -> None:
    done = enrol(eyes.namer, first_of_each(crops))
    assert len(done.known) == 34
    assert done.new == ()
    path = tmp_path / "data" / "own_tiles.npz"
    done.enrolment.save(path)
    assert path.stat().st_size < 200_000
    stored = load_enrolment(path)
    assert stored is not None
    assert stored.pictures is None
    assert (stored.faces, stored.columns, stored.model) == (ORDINARY, tuple(range(34)), eyes.namer.digest)
    others = np.stack([crops[face][-1] for face in ORDINARY])
    own = Eyes(threads=1, enrolment=path)
    before, after = eyes.namer.name(others), own.namer.name(others)
    assert [vote.best(1)[0][0] for vote in after] == list(ORDINARY)
    assert (
        np.mean([vote.best(1)[0][1] for vote in after])
        >= np.mean([vote.best(1)[0][1] for vote in before]) - 0.02
    )


def test_the_clubs_tile_speaks_where_the_net_wavers(eyes: Eyes, crops: Crops) -> None:
    own = enrol(eyes.namer, first_of_each(crops)).enrolment
    features = eyes.namer.features(crops["2m"][-1][None])
    wavering = np.full((1, len(CLASSES)), 1e-4)
    wavering[0, [CLASSES.index("2m"), CLASSES.index("3m")]] = 0.45, 0.55
    mixed = own.mixed(wavering / wavering.sum(), features)
    assert mixed.sum() == pytest.approx(1.0)
    assert CLASSES[int(mixed.argmax())] == "2m"


def refused(eyes: Eyes, crops: Crops) -> str:
    with pytest.raises(EnrolmentRefused) as caught:
        enrol(eyes.namer, crops)
    assert caught.value.zh
    assert str(caught.value)
    return caught.value.code


def test_a_doubtful_layout_is_refused(eyes: Eyes, crops: Crops) -> None:
    good = first_of_each(crops)
    assert refused(eyes, {face: good[face] for face in ORDINARY if face not in ("3s", "C")}) == "missing"
    blurred = {face: [cv2.GaussianBlur(crop, (0, 0), 4) for crop in rows] for face, rows in good.items()}
    assert refused(eyes, blurred) == "blurred"
    turned_round = dict(zip(ORDINARY, reversed([good[face] for face in ORDINARY]), strict=True))
    assert refused(eyes, turned_round) == "order"
    assert refused(eyes, {**good, "2m": good["3m"], "3m": good["2m"]}) == "order"
    assert refused(eyes, {**good, "2m": good["3m"]}) == "alike"


def test_a_face_the_net_does_not_know_is_learnt(eyes: Eyes, crops: Crops) -> None:
    rng = np.random.default_rng(3)
    odd = cv2.resize(rng.integers(0, 255, (8, 6, 3)).astype(np.uint8), crops["P"][0].shape[1::-1])
    done = enrol(eyes.namer, {**first_of_each(crops), "P": [odd]})
    assert done.new == ("P",)
    assert "P" in done.enrolment.faces


@pytest.mark.parametrize(
    ("rows", "faces"),
    [((9, 9, 9, 7), ORDINARY), ((9, 9, 9, 7, 8), (*ORDINARY, *FLOWER_ROW))],
)
def test_the_order_of_a_layout(rows: Sequence[int], faces: tuple[str, ...]) -> None:
    assert order_of(rows) == faces


@pytest.mark.parametrize("rows", [(), (9, 9, 9), (9, 8, 9, 7), (9, 9, 9, 7, 7), (34,), (9, 9, 9, 7, 8, 1)])
def test_other_rows_are_refused(rows: Sequence[int]) -> None:
    with pytest.raises(EnrolmentRefused) as caught:
        order_of(rows)
    assert caught.value.code == "rows"


def test_sharpness_falls_with_blur(crops: Crops) -> None:
    crop = crops["8m"][0]
    values = [
        sharpness(crop),
        *(sharpness(cv2.GaussianBlur(crop, (0, 0), sigma)) for sigma in (1.0, 2.0, 4.0)),
    ]
    assert values == sorted(values, reverse=True)
    assert values[0] > SHARP > values[-1]


def some_enrolment(eyes: Eyes, crops: Crops, *, keep: bool) -> Enrolment:
    pictures = np.stack([crops[face][0] for face in ORDINARY])
    return learn(eyes.namer, pictures, ORDINARY, ORDINARY, keep=keep)


def test_another_model_learns_from_kept_pictures_or_says_so(
    eyes: Eyes, crops: Crops, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for keep in (True, False):
        path = tmp_path / f"{keep}.npz"
        own = some_enrolment(eyes, crops, keep=keep)
        Enrolment(
            own.faces, own.columns, own.centre, own.prototypes, "another", own.made_at, own.pictures, own.of
        ).save(path)
        with caplog.at_level(logging.WARNING):
            used = Eyes(threads=1, enrolment=path).namer.enrolment
        assert (used is not None) is keep
        if used is not None:
            np.testing.assert_allclose(used.prototypes, own.prototypes, atol=1e-5)
    assert ["another model" in record.getMessage() for record in caplog.records] == [True]


def test_kept_pictures_fit_a_model_with_other_crops(eyes: Eyes, crops: Crops) -> None:
    own = some_enrolment(eyes, crops, keep=True)
    assert own.pictures is not None
    larger = np.stack([cv2.resize(picture, (72, 96)) for picture in own.pictures])
    again = learnt_again(eyes.namer, replace(own, model="another", pictures=larger))
    assert again is not None
    assert again.pictures is not None
    assert again.pictures.shape == own.pictures.shape
    assert (np.einsum("fsd,fsd->fs", again.prototypes, own.prototypes) > 0.9).all()


@pytest.mark.parametrize("content", [b"", b"PK\3\4 rubbish", json.dumps({"faces": []}).encode()])
def test_a_damaged_file_is_told_and_left_out(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "own_tiles.npz"
    path.write_bytes(content)
    with pytest.raises(EnrolmentRefused, match="enrol again"):
        load_enrolment(path)
    with caplog.at_level(logging.WARNING):
        assert Eyes(threads=1, enrolment=path).namer.enrolment is None
    assert "enrol again" in caplog.text
    assert load_enrolment(tmp_path / "nothing.npz") is None


def test_half_an_enrolment_is_refused(eyes: Eyes, crops: Crops, tmp_path: Path) -> None:
    own = some_enrolment(eyes, crops, keep=False)
    path = tmp_path / "own_tiles.npz"
    kept = some_enrolment(eyes, crops, keep=True)
    assert kept.pictures is not None
    for half in (
        replace(own, columns=own.columns[:-1]),
        replace(own, columns=tuple(column + 100 for column in own.columns)),
        replace(own, columns=own.columns[::-1]),
        replace(kept, of=kept.of[:-1]),
        replace(kept, pictures=kept.pictures[..., 0]),
    ):
        half.save(path)
        with pytest.raises(EnrolmentRefused):
            load_enrolment(path)
