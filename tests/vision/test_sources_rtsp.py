"""An RTSP camera on loopback, read by OpenCV's FFmpeg through a real socket: it hangs, goes, comes back."""

from __future__ import annotations

import itertools
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.rtsp_server import RtspCamera
from vision.sources import Frame, FreezeWatch, RtspSource, decode

LONG_MS = 30_000
SIZE = (160, 120)


def picture(number: int) -> bytes:
    """Return a grey picture whose left half tells its number."""
    image = np.full((SIZE[1], SIZE[0], 3), 128, np.uint8)
    image[:, : SIZE[0] // 2] = (number * 40 % 240 + 8, 40, 200)
    packed, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])
    assert packed
    return jpeg.tobytes()


def moving() -> Callable[[], bytes]:
    numbers = itertools.count()
    pictures = [picture(number) for number in range(6)]
    return lambda: pictures[next(numbers) % len(pictures)]


@pytest.fixture
def cameras() -> Iterator[list[RtspCamera]]:
    started: list[RtspCamera] = []
    yield started
    for camera in started:
        camera.close()


def wait_until(is_so: Callable[[], bool], timeout_s: float = 30.0) -> None:
    until = time.monotonic() + timeout_s
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_frames_come_as_jpeg_in_their_colours_and_go_on(
    cameras: list[RtspCamera], capfd: pytest.CaptureFixture[str]
) -> None:
    cameras.append(RtspCamera(moving()))
    seen: list[Frame] = []
    source = RtspSource(cameras[0].url, on_frame=seen.append)
    source.open()
    wait_until(lambda: len({frame.jpeg for frame in seen}) >= 3)
    frame = source.latest()
    assert frame is not None
    assert source.state == "up"
    source.close()
    image = decode(frame.jpeg)
    assert image.shape == (SIZE[1], SIZE[0], 3)
    left, right = image[:, :70].mean((0, 1)), image[:, 90:].mean((0, 1))
    assert np.allclose(left[1:], (40, 200), atol=12)
    assert np.allclose(right, 128, atol=8)
    assert capfd.readouterr().err == ""


def test_a_camera_that_hangs_up_is_opened_again(cameras: list[RtspCamera]) -> None:
    cameras.append(RtspCamera(moving()))
    seen: list[Frame] = []
    source = RtspSource(cameras[0].url, on_frame=seen.append)
    source.open()
    wait_until(lambda: bool(seen))
    cameras[0].hang_up()
    wait_until(lambda: source.reopened >= 1)
    assert source.last_error == "it stopped sending"
    count = len(seen)
    wait_until(lambda: len(seen) > count)
    assert cameras[0].connections >= 2
    source.close()


def test_a_camera_that_falls_silent_is_lost(cameras: list[RtspCamera]) -> None:
    frames = iter([picture(number) for number in range(30)])
    cameras.append(RtspCamera(lambda: next(frames, None)))
    source = RtspSource(cameras[0].url, read_timeout_ms=300)
    source.open()
    assert source.wait(-1, LONG_MS) is not None
    wait_until(lambda: source.reopened >= 1)
    assert source.last_error == "it stopped sending"
    source.close()


@pytest.mark.parametrize("hangs", ["OPTIONS", "DESCRIBE", "PLAY"])
def test_a_camera_that_hangs_in_connecting_is_lost(
    cameras: list[RtspCamera], hangs: str, capfd: pytest.CaptureFixture[str]
) -> None:
    cameras.append(RtspCamera(moving(), hangs=hangs))
    source = RtspSource(cameras[0].url, open_timeout_ms=300)
    source.open()
    assert source.latest() is None
    assert source.state == "opening"
    wait_until(lambda: source.state == "lost")
    assert source.last_error.startswith(f"127.0.0.1:{cameras[0].port} answers but opens no stream")
    source.close()
    assert capfd.readouterr().err == ""


def test_nobody_there_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    source = RtspSource(f"rtsp://owner:secret@127.0.0.1:{port}/x")
    source.open()
    wait_until(lambda: source.state == "lost")
    assert source.last_error == f"nobody answers at 127.0.0.1:{port} (Connection refused)"
    source.close()


def test_the_password_opens_the_camera_and_is_never_told(
    cameras: list[RtspCamera], capfd: pytest.CaptureFixture[str]
) -> None:
    cameras.append(RtspCamera(moving(), login=("owner", "s3cret")))
    wrong = RtspSource(cameras[0].url.replace("rtsp://", "rtsp://owner:wr0ng@"))
    wrong.open()
    wait_until(lambda: wrong.state == "lost")
    wrong.close()
    assert "check its path, name and password" in wrong.last_error
    right = RtspSource(cameras[0].url.replace("rtsp://", "rtsp://owner:s3cret@"))
    right.open()
    assert right.wait(-1, LONG_MS) is not None
    right.close()
    told = wrong.last_error + right.last_error + capfd.readouterr().err
    assert not [word for word in ("owner", "wr0ng", "s3cret") if word in told]


def test_a_frozen_stream_is_told_though_each_frame_is_packed_anew(cameras: list[RtspCamera]) -> None:
    same = picture(3)
    cameras.append(RtspCamera(lambda: same))
    watch = FreezeWatch(after_ms=300)
    source = RtspSource(cameras[0].url, on_frame=watch.saw)
    source.open()
    wait_until(lambda: watch.is_frozen)
    source.close()


class Wide:
    """A capture that says it has fifty megapixels, and must not be asked for them."""

    released = False

    def grab(self) -> bool:
        return True

    def retrieve(self) -> tuple[bool, Any]:
        raise AssertionError("decoded what does not fit")

    def get(self, prop: int) -> float:
        return {cv2.CAP_PROP_FRAME_WIDTH: 8660.0, cv2.CAP_PROP_FRAME_HEIGHT: 5774.0}[prop]

    def set(self, prop: int, value: float) -> bool:
        return False

    def release(self) -> None:
        self.released = True


def test_fifty_megapixels_are_refused_before_they_are_unpacked() -> None:
    wide = Wide()
    source = RtspSource("rtsp://127.0.0.1/x", opener=lambda *_: wide)
    source.open()
    wait_until(lambda: source.state == "lost")
    assert "8660 x 5774 pixels" in source.last_error
    source.close()
    assert wide.released
