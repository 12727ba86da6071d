"""What reading one frame costs, pixels to answer."""

from __future__ import annotations

import time
from collections.abc import Callable

from hardware.twin.renderer import Renderer
from hardware.twin.renderer.tables import random_table
from tests.bench.row import Row, median
from vision import Eyes, calibrate
from vision.sources import decode

FRAMES = 12


def rows() -> list[Row]:
    """Return median times to read a revealed hand, dice and lamp of a 1920x1080 frame."""
    eyes, renderer = Eyes(), Renderer(seed=1)
    hand_ms, dice_ms, lamp_ms = [], [], []
    for seed in range(900, 900 + FRAMES):
        table = random_table(seed, kind="reveal", tiles=136)
        image = decode(renderer.render(table.scene))
        calibration = calibrate(image)
        assert table.side is not None
        side = table.side
        hand_ms.append(_ms(lambda: eyes.read_hand(image, calibration, side)))  # noqa: B023
        dice_ms.append(_ms(lambda: eyes.read_dice(image, calibration)))  # noqa: B023
        lamp_ms.append(_ms(lambda: eyes.read_lamp(image, calibration)))  # noqa: B023
    return [
        Row("vision: hand of 14 tiles, 1080p frame, median", median(hand_ms), "ms"),
        Row("vision: two dice, median", median(dice_ms), "ms"),
        Row("vision: dealer lamp, median", median(lamp_ms), "ms"),
    ]


def _ms(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000
