"""The eyes on frames of the twin that no training saw: fresh seeds, its own look and harder ones.

These tests render; nothing in `vision` does.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.twin.renderer import Renderer
from hardware.twin.renderer.layout import LaidMeld, lay_flowers, lay_hand
from hardware.twin.renderer.samples import label, sample
from hardware.twin.renderer.tables import random_table
from hardware.twin.scene import PlacedDie, PlacedTile, Scene
from vision import Eyes, calibrate, decode
from vision.evaluate.frames import Figures, evaluate, truth_text

SEEDS = range(7_700_000, 7_700_020)
"""Training uses seeds below 400,000."""


@pytest.fixture(scope="module")
def eyes() -> Eyes:
    return Eyes(threads=1)


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("frames")
    with (folder / "labels.jsonl").open("w") as labels:
        for seed in SEEDS:
            if seed % 4 == 0:  # five cameras: building one takes longer than four of its pictures
                renderer, _ = sample(seed, calm=True, kind="reveal")
            table = random_table(seed, "reveal")
            name = f"{seed}.jpg"
            (folder / name).write_bytes(renderer.render(table.scene))
            labels.write(json.dumps({"file": name, **label(renderer, table)}) + "\n")
    return folder


def test_twenty_fresh_frames_are_right(eyes: Eyes, frames: Path) -> None:
    figures = Figures()
    evaluate(eyes, frames, figures)
    counts, told = figures.counts, "\n".join(figures.wrong)
    assert counts["frames"] == counts["hand"] == counts["lamp"] == 20
    assert counts["wrong_and_confident"] == 0, told
    assert counts["hand_exact"] >= 19, told
    assert counts["dice_exact"] == counts["dice"] >= 15, told
    assert counts["lamp_exact"] == 20, told
    assert counts["wall_exact"] == 20, told
    assert counts["faces_right"] >= counts["faces"] - 1, told
    assert counts["tiles_wrong_and_confident"] == 0, told
    assert counts["tiles_missed"] == counts["tiles_invented_confident"] == 0


@pytest.mark.parametrize("seed", [7_710_001, 7_710_002, 7_710_003])
def test_an_empty_table_gives_no_tile(eyes: Eyes, seed: int) -> None:
    renderer, table = sample(seed, calm=True, kind="empty")
    image = decode(renderer.render(table.scene))
    calibration = calibrate(image)
    assert [tile for tile in eyes.find_tiles(image, calibration) if tile.is_sure] == []
    for side in (1, 2, 3, 4):
        assert eyes.read_hand(image, calibration, side).tiles == ()
    assert eyes.read_wall(image, calibration).stacks == (0, 0, 0, 0)


HAND = (
    LaidMeld("chow", ("4m", "3m", "5m"), 1),
    LaidMeld("concealed_kong", ("P", "P", "P", "P"), None),
    LaidMeld("added_kong", ("7s", "7s", "7s", "7s"), 2),
)
CONCEALED, WIN = ("6m", "8p", "8p", "8p"), "6m"


def scene(side: int, shake: np.random.Generator | None = None) -> Scene:
    def nudge() -> tuple[float, float, float]:
        if shake is None:
            return 0.0, 0.0, 0.0
        dx, dy = (float(value) for value in shake.uniform(-2.0, 2.0, 2))
        return dx, dy, float(shake.uniform(-3.0, 3.0))

    dice = (PlacedDie(6, -20.0, 15.0, 33.0), PlacedDie(2, 25.0, -10.0, 71.0))
    return Scene(tuple(lay_hand(side, HAND, CONCEALED, WIN, nudge)), dice, side)


@pytest.mark.parametrize("side", [1, 2, 3, 4])
def test_every_side_and_a_shaky_hand(eyes: Eyes, side: int) -> None:
    renderer = Renderer(7_720_000 + side)
    image = decode(renderer.render(scene(side, np.random.default_rng(side))))
    reading = eyes.read_hand(image, calibrate(image), side)
    assert reading.text == "[3m4m5m,1] (PPPP) [7s7s7s7s+,2] 6m 8p 8p 8p + 6m"
    assert reading.is_sure
    assert [meld.source for meld in reading.melds] == [1, None, 2]


@pytest.mark.parametrize(("side", "flowers"), [(1, "abcdefgh"), (2, "fa"), (3, "hgd"), (4, "")])
def test_flowers_are_read_in_their_place(eyes: Eyes, side: int, flowers: str) -> None:
    shake = np.random.default_rng(side)
    laid = scene(side, shake)
    others = [face for face in "abcdefgh" if face not in flowers]
    placed = lay_flowers(side, list(flowers)) + lay_flowers(side % 4 + 1, others)
    image = decode(Renderer(7_720_060 + side).render(replace(laid, tiles=laid.tiles + tuple(placed))))
    reading = eyes.read_hand(image, calibrate(image), side, flowers=True)
    assert reading.is_sure
    assert reading.flowers is not None
    assert "".join(tile.tile for tile in reading.flowers) == flowers
    assert eyes.read_hand(image, calibrate(image), side).flowers is None
    size = [
        decode(eyes.evidence(image, calibrate(image), side, flowers=shown)).shape for shown in (False, True)
    ]
    assert size[1][0] == size[0][0]
    assert size[1][1] > size[0][1] + 150


def test_one_covered_mark_changes_nothing(eyes: Eyes) -> None:
    image = decode(Renderer(7_720_010).render(scene(3)))
    u, v = calibrate(image).table_to_pixel(-405.0, -405.0)
    cv2.circle(image, (round(u), round(v)), 60, (80, 110, 170), -1)
    calibration = calibrate(image)
    assert len(calibration.marks) == 3
    assert eyes.read_hand(image, calibration, 3).is_sure
    assert eyes.read_dice(image, calibration).pips in ((6, 2), (2, 6))
    assert eyes.read_lamp(image, calibration).side == 3


def test_the_lying_renderer_is_believed(eyes: Eyes) -> None:
    """What is painted is read, not what the plant holds: 6m is painted as 5m, nothing else changes."""
    melds = (LaidMeld("chow", ("2s", "1s", "3s"), 1), LaidMeld("pung", ("E", "E", "E"), 2))
    laid = Scene(tuple(lay_hand(1, melds, ("6m", "7p", "8p", "9p", "N", "N", "N"), "6m")))
    for sabotage, seen in ((None, "6m"), ("lying-face", "5m")):
        image = decode(Renderer(7_720_020, sabotage=sabotage).render(laid))
        reading = eyes.read_hand(image, calibrate(image), 1)
        assert reading.text == f"[1s2s3s,1] [EEE,2] {seen} 7p 8p 9p N N N + {seen}"
        assert reading.is_sure


def test_dice_that_are_not_two_are_no_throw(eyes: Eyes) -> None:
    renderer = Renderer(7_720_030)
    dice = (PlacedDie(1, -30.0, 5.0, 10.0), PlacedDie(3, 25.0, -20.0, 50.0), PlacedDie(5, 10.0, 35.0, 80.0))
    for count in (0, 1, 3):
        image = decode(renderer.render(Scene((), dice[:count])))
        reading = eyes.read_dice(image, calibrate(image))
        assert reading.pips is None
        assert len(reading.dice) == count


@pytest.mark.parametrize("face", ["1p", "2p", "4p", "5p", "P", "back"])
@pytest.mark.parametrize("turn", [0.0, 40.0])
def test_a_tile_in_the_dice_well_is_no_die(eyes: Eyes, face: str, turn: float) -> None:
    """Neither the second die of a throw nor one too many."""
    renderer = Renderer(7_720_031)
    dice = (PlacedDie(3, -25.0, -20.0, 30.0), PlacedDie(5, -28.0, 22.0, 60.0))
    for count in (1, 2):
        image = decode(renderer.render(Scene((PlacedTile(face, 12.0, 15.0, turn),), dice[:count])))
        reading = eyes.read_dice(image, calibrate(image))
        assert sorted(die.pips or 0 for die in reading.dice) == [3, 5][:count]
        assert (reading.pips is None) == (count == 1)


@pytest.mark.parametrize("pips", [1, 2, 3, 4, 5, 6])
def test_each_pip_at_many_angles(eyes: Eyes, pips: int) -> None:
    renderer = Renderer(7_720_040 + pips)
    for turn in range(0, 90, 18):
        dice = (PlacedDie(pips, -24.0, 8.0, float(turn)), PlacedDie(7 - pips, 22.0, -14.0, turn + 31.0))
        image = decode(renderer.render(Scene((), dice)))
        assert eyes.read_dice(image, calibrate(image)).pips == (pips, 7 - pips)


def test_evidence_shows_one_zone_only_and_is_the_same_each_time(eyes: Eyes) -> None:
    renderer = Renderer(7_720_050)
    alone = scene(2)
    others = [lay_hand(side, (), ("1p", "2p", "3p"), None) for side in (1, 3, 4)]
    crowd = replace(alone, tiles=alone.tiles + tuple(tile for tiles in others for tile in tiles))
    images = [decode(renderer.render(one)) for one in (alone, crowd)]
    calibration = calibrate(images[0])
    first, again, third = (eyes.evidence(image, calibration, 2) for image in (images[0], *images))
    assert first == again
    assert first.startswith(b"\xff\xd8")
    difference = decode(first).astype(int) - decode(third).astype(int)
    assert np.abs(difference).mean() < 4.0  # the noise of two frames, no tile of the others
    assert np.abs(cv2.blur(difference.astype(np.float32), (15, 15))).max() < 12.0


def test_threshold_one_says_not_sure_and_zero_always_answers() -> None:
    renderer, table = sample(7_730_000, kind="reveal")
    image = decode(renderer.render(table.scene))
    calibration = calibrate(image)
    assert table.side is not None
    strict = Eyes(1.0, threads=1).read_hand(image, calibration, table.side)
    assert not strict.is_sure
    assert strict.text == truth_text(label(renderer, table)["hand"])
    for tile in strict.tiles:
        assert tile.tile != "?" or tile.alternatives
    open_minded = Eyes(0.0, threads=1)
    assert all(tile.tile != "?" for tile in open_minded.find_tiles(image, calibration))
