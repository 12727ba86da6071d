"""Marks seen well or badly, how far a camera moved, and when that is called a move."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.cloth import CAMERA, FELT, FOCAL, SIZE, Image, Place, picture, seen
from vision.calibration import Calibration, calibrate
from vision.drift import (
    CHECK_EVERY_MS,
    DOUBT_EVERY_MS,
    PATIENCE_LOOKS,
    UNSEEN_EVERY_MS,
    CameraWatch,
    Look,
    compare,
    offsets,
)
from vision.lens import Lens
from vision.marks import find_marks, sight

KNOCKED: Place = (75.0, -205.0, 1400.0)
STEP_MS = 500


@pytest.fixture(scope="module")
def well() -> Image:
    return picture(k1=-0.02, noise=2.0)


@pytest.fixture(scope="module")
def knocked() -> Image:
    return picture(k1=-0.02, noise=2.0, camera=KNOCKED, look_at=(12.0, 8.0), seed=3)


class Session:
    """A watch that looks at pictures, one every `STEP_MS`."""

    def __init__(self, held: Calibration | None = None) -> None:
        self.kept: list[Calibration] = []
        self.watch = CameraWatch(held=held, keep=self.kept.append)
        self.now_ms = 1_000

    def look(self, image: Image, after_ms: int = STEP_MS) -> Look:
        self.now_ms += after_ms
        return self.watch.saw(find_marks(image), (image.shape[1], image.shape[0]), self.now_ms)


def covered(image: Image, number: int, reach: int = 40) -> Image:
    """The picture with a hand on a mark."""
    x, y = ((-405, -405), (405, -405), (405, 405), (-405, 405))[number]
    u, v = (round(value) for value in seen(x, y, k1=-0.02))
    image = image.copy()
    image[v - reach : v + reach, u - reach : u + reach] = FELT
    return image


def test_a_good_picture_has_no_troubles(well: Image) -> None:
    seen_well = sight(well)
    assert seen_well.missing == ()
    assert seen_well.troubles == ()
    assert seen_well.size_px == SIZE
    assert [mark.number for mark in seen_well.marks] == [0, 1, 2, 3]
    assert all(0.65 < mark.px_per_mm < 0.9 for mark in seen_well.marks)


def test_covered_marks_are_named(well: Image) -> None:
    assert sight(covered(covered(well, 1), 3)).troubles == ((1, "missing"), (3, "missing"))
    assert sight(np.zeros((40, 40, 3), np.uint8)).missing == (0, 1, 2, 3)


def test_a_picture_out_of_focus_is_told() -> None:
    assert {trouble for _, trouble in sight(picture(blur=1.9)).troubles} == {"blurred"}
    assert sight(picture(blur=0.5)).troubles == ()


def test_too_little_light_is_told(well: Image) -> None:
    dark = (well * 0.22).astype(np.uint8)
    assert {trouble for _, trouble in sight(dark).troubles} == {"dark"}


def test_a_mirrored_lamp_is_told(well: Image) -> None:
    u, v = (round(value) for value in seen(405, -405, k1=-0.02))
    glare = well.copy()
    spot = glare[v - 40 : v + 40, u - 40 : u + 40].astype(np.float64)
    glare[v - 40 : v + 40, u - 40 : u + 40] = np.clip(spot * 0.4 + 150, 0, 255).astype(np.uint8)
    assert sight(glare).troubles == ((1, "glare"),)


def test_a_camera_far_away_is_told(well: Image) -> None:
    small = np.asarray(cv2.resize(well, None, fx=0.55, fy=0.55, interpolation=cv2.INTER_AREA), np.uint8)
    assert {trouble for _, trouble in sight(small).troubles} == {"small"}


def test_two_looks_of_a_camera_at_rest_agree() -> None:
    first = calibrate(picture(k1=-0.02, noise=3.0))
    for seed, hidden in ((2, ()), (3, (0,)), (4, (1,)), (5, (2,)), (6, (3,))):
        again = calibrate(picture(hidden, k1=-0.02, noise=3.0, seed=seed))
        drift = compare(first, again)
        assert drift.mm < 2.5
        assert not drift.is_move
        assert [mark.number for mark in drift.marks] == list(again.marks)
        assert all(mark.mm < 1.0 for mark in drift.marks)


def test_a_shift_is_measured_in_millimetres_and_pixels() -> None:
    """A camera that is carried sideways over a flat table by 20 mm sees everything 20 mm off."""
    first = calibrate(picture(camera=(0.0, 0.0, 1400.0), look_at=(0.0, 1.0)))
    second = picture(camera=(20.0, 0.0, 1400.0), look_at=(20.0, 1.0))
    drift = compare(first, calibrate(second))
    assert drift.mm == pytest.approx(20.0, abs=1.0)
    assert drift.px == pytest.approx(20.0 * FOCAL / 1400, abs=1.0)
    for mark in offsets(first, find_marks(second)):
        assert mark.mm == pytest.approx(20.0, abs=0.5)
        assert mark.px == pytest.approx(20.0 * FOCAL / 1400, abs=0.5)
    assert compare(first, first).mm == 0.0


def test_a_hand_over_a_mark_is_no_move(well: Image) -> None:
    session = Session()
    first = session.look(well)
    assert first.calibration is not None
    for number in (0, 1, 2, 3, 2):
        look = session.look(covered(well, number))
        assert look == Look(first.calibration)
    both = session.look(covered(covered(well, 1), 3))
    assert both == Look(first.calibration)
    three = session.look(covered(covered(covered(well, 1), 3), 0))
    assert three == Look(None, "covered")
    assert session.look(well).why == ""
    assert session.kept == [first.calibration]


def test_a_knocked_camera_is_a_move_and_measured_anew(well: Image, knocked: Image) -> None:
    session = Session()
    session.look(well)
    doubt = session.look(knocked)
    assert doubt == Look(None, "moved")
    assert session.watch.is_due(session.now_ms + DOUBT_EVERY_MS)
    found = session.look(knocked)
    assert found.why == ""
    assert found.calibration == session.watch.held == session.kept[-1]
    assert found.drift is not None
    assert found.drift.mm > 10.0
    assert not session.watch.is_moved
    assert session.look(knocked).drift is None
    assert not session.watch.is_due(session.now_ms + DOUBT_EVERY_MS)
    assert session.watch.is_due(session.now_ms + CHECK_EVERY_MS)


def test_one_wild_look_is_no_move(well: Image, knocked: Image) -> None:
    session = Session()
    session.look(well)
    for _ in range(3):
        assert session.look(knocked) == Look(None, "moved")
        assert session.look(well).drift is None
    assert len(session.kept) == 1


def test_two_frames_at_once_are_one_look(well: Image, knocked: Image) -> None:
    session = Session()
    session.look(well)
    for _ in range(5):
        assert session.look(knocked, after_ms=33) == Look(None, "moved")
    assert not session.watch.is_moved


def test_a_camera_that_swings_is_moved_until_it_rests(well: Image, knocked: Image) -> None:
    session = Session()
    session.look(well)
    places = [
        picture(k1=-0.02, camera=(60.0 + dx, -220.0, 1400.0), look_at=(dx, 0.0)) for dx in (20, -25, 40)
    ]
    looks = [session.look(place) for place in places]
    assert [look.calibration for look in looks] == [None] * 3
    assert [look.drift is not None for look in looks] == [False, False, True]
    assert session.watch.is_moved
    assert session.look(covered(covered(covered(knocked, 0), 1), 2)) == Look(None, "moved")
    assert session.look(knocked) == Look(None, "moved")
    rest = session.look(knocked)
    assert rest.calibration is not None
    assert rest.drift is None
    assert not session.watch.is_moved


def test_a_camera_that_no_longer_sees_the_table_stays_moved(well: Image) -> None:
    away = picture(k1=-0.02, camera=CAMERA, look_at=(-10.0, 180.0))
    assert len(find_marks(away)) >= 2
    session = Session()
    session.look(well)
    session.look(away)
    looks = [session.look(away) for _ in range(3)]
    assert session.watch.is_moved
    assert [look.calibration for look in looks] == [None] * 3
    assert sum(look.drift is not None for look in looks) == 1
    session.look(well)
    back = session.look(well)
    assert back.calibration is not None
    assert back.drift is None
    assert not session.watch.is_moved


def test_a_camera_that_was_moved_while_the_service_was_off_is_told(well: Image, knocked: Image) -> None:
    before = Calibration.from_json(calibrate(well).to_json())
    still = Session(before)
    assert still.look(well).why == ""
    session = Session(before)
    assert session.look(knocked).why == "moved"
    found = session.look(knocked)
    assert found.drift is not None
    assert session.kept == [found.calibration]


def test_another_picture_size_is_measured_anew(well: Image) -> None:
    session = Session()
    session.look(well)
    half = np.asarray(cv2.resize(well, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    look = session.look(half)
    assert look.calibration is not None
    assert look.calibration.size_px == (SIZE[0] // 2, SIZE[1] // 2)


def test_a_measured_lens_serves_every_look(well: Image) -> None:
    lens = Lens(SIZE, -0.02, focal_px=FOCAL)
    look = CameraWatch(lens=lens).saw(find_marks(well), SIZE, 0)
    assert look.calibration is not None
    assert look.calibration.lens == lens


def test_nothing_seen_at_first_asks_again_soon() -> None:
    session = Session()
    assert session.watch.is_due(0)
    assert session.look(np.zeros((SIZE[1], SIZE[0], 3), np.uint8)) == Look(None, "covered")
    assert not session.watch.is_due(session.now_ms + DOUBT_EVERY_MS)
    assert session.watch.is_due(session.now_ms + UNSEEN_EVERY_MS)
    session.watch.put_off(session.now_ms + 10)
    assert not session.watch.is_due(session.now_ms + DOUBT_EVERY_MS)
    assert session.watch.is_due(session.now_ms + 10 + DOUBT_EVERY_MS)


def test_a_moved_camera_that_nobody_minds_is_looked_at_less_often(well: Image) -> None:
    away = find_marks(picture(k1=-0.02, camera=CAMERA, look_at=(-10.0, 180.0)))
    watch = CameraWatch(held=calibrate(well))
    now_ms = 0
    for _ in range(PATIENCE_LOOKS):
        watch.saw(away, SIZE, now_ms)
        assert watch.is_due(now_ms + DOUBT_EVERY_MS)
        now_ms += DOUBT_EVERY_MS
    watch.saw(away, SIZE, now_ms)
    assert watch.is_moved
    assert not watch.is_due(now_ms + DOUBT_EVERY_MS)
    assert watch.is_due(now_ms + UNSEEN_EVERY_MS)


ASIDE = {2: (12.0, -9.0)}


def test_a_mark_that_was_moved_is_told_and_so_is_its_return(well: Image) -> None:
    session = Session()
    aside = picture(k1=-0.02, noise=2.0, shift=ASIDE, seed=5)
    assert session.look(well).strays is None
    first = session.look(aside)
    assert first.calibration is not None  # the table is read without it
    assert first.strays is None  # a sleeve pulls a corner aside, too
    assert session.watch.is_due(session.now_ms + DOUBT_EVERY_MS)  # so it is looked at again at once
    assert session.look(aside).strays == (2,)
    assert session.look(aside).strays is None  # once
    assert session.watch.strays == (2,)
    assert not session.watch.is_due(session.now_ms + DOUBT_EVERY_MS)
    for number in (2, 0):  # what is covered tells nothing
        assert session.look(covered(aside, number)).strays is None
    assert session.look(well).strays is None
    assert session.look(well).strays == ()
    assert session.watch.strays == ()


def test_a_mark_pulled_aside_for_one_look_is_not_told(well: Image) -> None:
    session = Session()
    aside = picture(k1=-0.02, noise=2.0, shift=ASIDE, seed=5)
    told = [session.look(image).strays for image in (well, aside, well, aside, well)]
    assert told == [None] * 5
    assert session.look(aside).strays is None
    assert session.look(aside, after_ms=100).strays is None  # two frames at once are one look


def test_a_mark_off_its_place_is_told_after_a_restart_too(well: Image) -> None:
    session = Session(held=calibrate(well))
    aside = picture(k1=-0.02, noise=2.0, shift=ASIDE, seed=5)
    assert [session.look(aside).strays for _ in range(2)] == [None, (2,)]
    assert session.kept == []
