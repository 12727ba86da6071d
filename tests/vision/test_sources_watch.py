"""A camera that sends and shows nothing is found out: frozen, black, white, covered. No table is."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.twin.renderer import Look, Renderer
from hardware.twin.scene import Scene
from vision.sources import BlindWatch, Frame, FreezeWatch
from vision.sources.watch import EDGE_LEVELS, scan_of, steepest_edge

Image = NDArray[np.uint8]
HEIGHT, WIDTH = 1080, 1920


def packed(image: NDArray[np.floating] | Image, quality: int = 88) -> bytes:
    is_packed, jpeg = cv2.imencode(
        ".jpg", np.clip(image, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality]
    )
    assert is_packed
    return jpeg.tobytes()


def flat(level: float, sigma: float = 0.0, seed: int = 0) -> NDArray[np.float32]:
    noise = np.random.default_rng(seed).standard_normal((HEIGHT, WIDTH, 1), np.float32) * np.float32(sigma)
    return np.repeat(np.float32(level) + noise, 3, axis=2)


def glow() -> NDArray[np.float32]:
    """A finger on the lens: red light through it from one side, and the noise of full gain."""
    across = np.linspace(0, 90, WIDTH, dtype=np.float32)[None, :, None]
    return flat(20, 20.0) + across * np.array([0.3, 0.4, 1.0], np.float32)


def vignette() -> NDArray[np.float32]:
    """A cap that lets some light in at its rim."""
    y, x = np.mgrid[-1 : 1 : HEIGHT * 1j, -1 : 1 : WIDTH * 1j]
    return flat(4, 6.0) + (np.hypot(x, y) ** 4 * 12)[..., None].astype(np.float32)


BLIND: dict[str, Callable[[], NDArray[np.float32]]] = {
    "black": lambda: flat(0),
    "white": lambda: flat(255),
    "one colour": lambda: flat(0) + np.array([60, 110, 40], np.float32),
    "dark with noise": lambda: flat(3, 5.0),
    "covered at full gain": lambda: flat(40, 20.0),
    "finger": glow,
    "cap": vignette,
}


@pytest.mark.parametrize("name", BLIND)
def test_pictures_that_show_nothing(name: str) -> None:
    edge = steepest_edge(packed(BLIND[name]()))
    assert edge is not None
    assert edge < EDGE_LEVELS * 0.75


def marks(felt: float, gain: float, sigma: float) -> NDArray[np.float32]:
    """An empty table: felt, and four black and white cards of 70 px, out of focus."""
    image = np.full((HEIGHT, WIDTH, 3), felt, np.float32)
    for x, y in ((300, 150), (1550, 160), (290, 880), (1560, 890)):
        image[y : y + 70, x : x + 70] = 220
        image[y + 10 : y + 60, x + 10 : x + 60] = 25
        image[y + 20 : y + 40, x + 25 : x + 45] = 220
    return cv2.GaussianBlur(image * np.float32(gain), (0, 0), 4.0) + flat(0, sigma)


@pytest.mark.parametrize(("felt", "gain", "sigma"), [(90, 1.0, 2.0), (60, 0.35, 4.0), (120, 1.1, 8.0)])
def test_an_empty_table_in_poor_light_is_seen(felt: float, gain: float, sigma: float) -> None:
    edge = steepest_edge(packed(marks(felt, gain, sigma)))
    assert edge is not None
    assert edge > EDGE_LEVELS * 1.5


@pytest.mark.parametrize("seed", range(3))
def test_the_twins_tables_are_seen_in_every_light(seed: int) -> None:
    edge = steepest_edge(Renderer(seed, look=Look.varied(seed)).render(Scene()))
    assert edge is not None
    assert edge > EDGE_LEVELS * 2


@pytest.mark.parametrize("data", [b"", b"no picture", b"\xff\xd8\xff\xe0 cut", packed(np.zeros((16, 16, 3)))])
def test_bytes_that_show_no_picture_say_nothing(data: bytes) -> None:
    assert steepest_edge(data) is None
    watch = BlindWatch(after_ms=0)
    assert not watch.saw(Frame(data, 0))


def told(watch: BlindWatch | FreezeWatch, frames: list[tuple[int, bytes]]) -> list[bool]:
    return [watch.saw(Frame(jpeg, at_ms)) for at_ms, jpeg in frames]


BLACK, TABLE = packed(np.zeros((240, 320, 3))), packed(marks(90, 1.0, 2.0))


def test_blind_is_told_within_two_seconds_at_five_frames_a_second_and_over_at_once() -> None:
    watch = BlindWatch()
    frames = [(at, TABLE if at <= 1000 or at >= 4000 else BLACK) for at in range(0, 6000, 200)]
    answers = dict(zip((at for at, _ in frames), told(watch, frames), strict=True))
    first = min(at for at, is_blind in answers.items() if is_blind)
    assert 1000 < first <= 2800, "the state is asked for each 200 ms"
    assert all(answers[at] for at in range(first, 4000, 200))
    assert not any(answers[at] for at in range(4400, 6000, 200))


def test_a_shadow_that_passes_is_no_blindness() -> None:
    watch = BlindWatch()
    frames = [(at, BLACK if 1000 <= at < 1700 else TABLE) for at in range(0, 4000, 100)]
    assert not any(told(watch, frames))


def test_frames_between_two_looks_are_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[bytes] = []
    monkeypatch.setattr("vision.sources.watch.steepest_edge", lambda jpeg: looks.append(jpeg) or 99.0)
    told(BlindWatch(every_ms=400), [(at, TABLE) for at in range(0, 2000, 33)])
    assert len(looks) == 5


def test_frozen_is_told_within_two_seconds_at_five_frames_a_second() -> None:
    frames = [(at, b"moves %d" % at if at <= 1000 else b"moves 1000") for at in range(0, 4000, 200)]
    answers = dict(zip((at for at, _ in frames), told(FreezeWatch(), frames), strict=True))
    first = min(at for at, is_frozen in answers.items() if is_frozen)
    assert 2000 < first <= 2800, "the state is asked for each 200 ms"
    assert told(FreezeWatch(1000), [(0, b"a"), (999, b"a"), (1000, b"a"), (1001, b"b")]) == [
        False,
        False,
        True,
        False,
    ]


def stamped(jpeg: bytes, text: bytes, marker: int = 0xFE) -> bytes:
    """The JPEG with a comment, or another segment, at its beginning."""
    return jpeg[:2] + bytes([0xFF, marker]) + (len(text) + 2).to_bytes(2, "big") + text + jpeg[2:]


@pytest.mark.parametrize("marker", [0xFE, 0xE1])
def test_a_frozen_camera_that_writes_the_time_beside_the_picture_is_told(marker: int) -> None:
    frames = [(at, stamped(TABLE, b"\xff\xda %d" % at, marker)) for at in range(0, 2000, 200)]
    assert told(FreezeWatch(), frames)[-1]
    living = [(at, packed(marks(90 + at / 200, 1.0, 2.0))) for at in range(0, 2000, 200)]
    assert not any(told(FreezeWatch(), living))


@pytest.mark.parametrize("data", [b"", b"\xff\xd8", b"\xff\xd8\xff", b"\xff\xd8\xff\xe0\0", b"no picture"])
def test_what_is_no_jpeg_is_compared_whole(data: bytes) -> None:
    assert scan_of(data) == data
