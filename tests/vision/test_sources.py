"""What all sources share: how they are chosen, what they refuse, when they are lost; pictures from files."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.vision.http_camera import HEAD, Camera, jpeg, jpeg_of, part, wait_until
from vision.errors import FrameUnreadable
from vision.sources import (
    MAX_FRAME_PIXELS,
    FileSource,
    Frame,
    FrameSource,
    MjpegSource,
    PicameraSource,
    RtspSource,
    ThreadSource,
    V4l2Source,
    Wishes,
    decode,
    open_source,
    told_address,
)
from vision.sources.thread import STALE_MS, Frames


@pytest.fixture
def cameras() -> Iterator[list[Camera]]:
    started: list[Camera] = []
    yield started
    for camera in started:
        camera.close()


def test_folder_plays_in_name_order_and_stays_on_the_last(tmp_path: Path) -> None:
    for number in (2, 1, 3):
        (tmp_path / f"{number}.jpg").write_bytes(jpeg(number))
    (tmp_path / "notes.txt").write_text("no picture")
    now = [1000]
    source = FileSource(tmp_path, clock=lambda: now[0], frame_ms=100)
    assert source.latest() is None
    source.open()
    seen = []
    for ms in (1000, 1100, 1200, 5000):
        now[0] = ms
        frame = source.latest(after_ms=ms - 1)
        assert frame is not None
        seen.append(frame.jpeg[2])
    assert seen == [1, 2, 3, 3]
    assert source.latest(after_ms=5000) is None


def test_open_source_tells_address_number_and_folder_apart(tmp_path: Path) -> None:
    kinds = {
        "http://127.0.0.1:9/x": MjpegSource,
        "https://127.0.0.1:9/x": MjpegSource,
        "rtsp://127.0.0.1:9/x": RtspSource,
        "0": V4l2Source,
        "/dev/v4l/by-id/usb-none": V4l2Source,
        "/dev/null": V4l2Source,
        str(tmp_path): FileSource,
    }
    for camera, kind in kinds.items():
        source = open_source(camera)
        assert type(source) is kind, camera
        assert isinstance(source, FrameSource)
        assert (source.state, source.last_error, source.notes) == ("closed", "", ())


@pytest.mark.parametrize(
    ("camera", "says"),
    [
        ("ftp://owner:secret@127.0.0.1/x", "rtsp://, not 'ftp://127.0.0.1/x'"),
        ("http://owner:secret@/x", "and a host"),
        ("rtsp://owner:secret@", "and a host"),
        ("http://owner:secret@host:port/x", "port"),
        ("http://owner:secret@host/a b", "blanks"),
        ("rtsp://owner:sec/ret@host/x", "written with %"),
        ("missing", "no camera at 'missing'"),
        ("owner:secret@cam.lan/x", "no camera at '…@cam.lan/x'"),
    ],
)
def test_a_wrong_address_is_refused_without_its_password(camera: str, says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)) as refused:
        open_source(camera)
    assert "sec" not in str(refused.value)


@pytest.mark.parametrize(
    ("camera", "told"),
    [
        ("0", "0"),
        ("/dev/video0", "/dev/video0"),
        ("pictures@home/a:b", "pictures@home/a:b"),
        ("owner:secret@cam.lan/live.mjpg", "…@cam.lan/live.mjpg"),
        ("http://cam.lan:81/live.mjpg", "http://cam.lan:81/live.mjpg"),
        ("http://owner:secret@cam.lan/live.mjpg", "http://cam.lan/live.mjpg"),
        ("https://[fe80::1]:8443/x", "https://[fe80::1]:8443/x"),
        ("http://cam.lan/video.cgi?user=owner&pwd=secret", "http://cam.lan/video.cgi?…"),
        ("rtsp://10.0.0.7/user=owner_password=secret_channel=1.sdp", "rtsp://10.0.0.7/…"),
        ("rtsp://owner:sec/ret@10.0.0.7/x", "rtsp://…"),
        ("rtsp://owner:12/secret@10.0.0.7/x", "rtsp://…"),
        ("rtsp://owner:12?secret@10.0.0.7/x", "rtsp://…"),
        ("rtsp://owner:12#secret@10.0.0.7/x", "rtsp://…"),
        ("rtsp://owner:sec@ret@10.0.0.7/x", "rtsp://10.0.0.7/x"),
    ],
)
def test_an_address_is_told_without_name_and_password(camera: str, told: str) -> None:
    assert told_address(camera) == told


def test_what_cannot_be_set_from_here_is_a_note() -> None:
    for camera in ("http://127.0.0.1:9/x", "rtsp://127.0.0.1:9/x"):
        assert "own page" in "".join(open_source(camera, wishes=Wishes(exposure="lock")).notes)
        assert open_source(camera, wishes=Wishes(size_px=(640, 480))).notes == ()


def test_without_picamera2_the_refusal_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    for camera in ("picamera2", "picamera2:1"):
        with pytest.raises(ValueError, match="apt install python3-picamera2"):
            open_source(camera)
    with pytest.raises(ValueError, match="system-site-packages"):
        PicameraSource()


@pytest.mark.parametrize("data", [b"", b"no picture", b"\xff\xd8\xff\xe0 cut"])
def test_bytes_that_are_no_picture_are_refused(data: bytes) -> None:
    with pytest.raises(FrameUnreadable):
        decode(data)


def test_a_reader_that_hangs_is_called_lost_and_does_not_come_back_after_closing() -> None:
    now, goes_on = [1000], threading.Event()

    class Hanging(ThreadSource):
        opened = 0

        def _frames(self) -> Frames:
            self.opened += 1
            yield jpeg(self.opened)
            if self.opened == 1:
                goes_on.wait(10)
                yield jpeg(9)
            threading.Event().wait(0.5)

    source = Hanging(clock=lambda: now[0])
    source.open()
    assert source.wait(-1, 30_000) is not None
    assert source.state == "up"
    now[0] += STALE_MS + 1
    assert (source.state, source.last_error) == ("lost", f"no picture for {STALE_MS / 1000:g} s")
    old = source._thread
    assert old is not None
    source._thread = None  # as close leaves it behind when it does not end in time
    source._stop.set()
    source.open()
    wait_until(lambda: (frame := source.latest()) is not None and frame.jpeg == jpeg(2))
    goes_on.set()
    old.join(5)
    assert not old.is_alive()
    frame = source.latest()
    assert frame is not None
    assert frame.jpeg == jpeg(2)
    source.close()


def test_an_unforeseen_failure_of_a_driver_is_told_and_the_camera_opened_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("vision.sources.thread.REFUSED_PAUSE_MS", 10)

    class Odd(ThreadSource):
        opened = 0

        def _frames(self) -> Frames:
            self.opened += 1
            if self.opened == 1:
                raise KeyError("SensorMode")
            yield jpeg(self.opened)
            threading.Event().wait(0.5)

    source = Odd()
    source.open()
    frame = source.wait(-1, 30_000)
    assert frame is not None
    assert frame.jpeg == jpeg(2)
    assert source.last_error == "it failed: 'SensorMode'"
    source.close()


def test_a_frame_of_fifty_megapixels_is_refused_by_its_header(cameras: list[Camera], tmp_path: Path) -> None:
    huge = jpeg_of(8660, 5774)
    says = f"a frame of 8660 x 5774 pixels, at most {MAX_FRAME_PIXELS} are taken"
    cameras.append(Camera([HEAD + part(huge)], keep_open=True))
    source = MjpegSource(cameras[0].url)
    source.open()
    wait_until(lambda: source.state == "lost")
    assert (source.last_error, source.latest()) == (says, None)
    source.close()
    with pytest.raises(FrameUnreadable, match=says):
        decode(huge)
    with pytest.raises(FrameUnreadable, match="no picture"):
        decode(huge[:2] + b"x" + huge[2:])  # libjpeg looks past the x, and would decode it
    (tmp_path / "huge.jpg").write_bytes(huge)
    folder = FileSource(tmp_path)
    folder.open()
    assert folder.latest() is None
    assert (folder.state, says in folder.last_error) == ("lost", True)


def test_a_folder_goes_on_after_a_picture_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "1.jpg").write_bytes(jpeg_of(9000, 9000))
    (tmp_path / "2.jpg").write_bytes(jpeg(2))
    now = [0]
    source = FileSource(tmp_path, clock=lambda: now[0], frame_ms=100)
    source.open()
    assert (source.latest(), source.state) == (None, "lost")
    now[0] = 100
    assert source.latest() == Frame(jpeg(2), 100)
    assert source.state == "up"


def test_what_another_computer_left_in_a_folder_is_no_picture(tmp_path: Path) -> None:
    (tmp_path / "._1.jpg").write_bytes(b"\0\5\x16\7")
    (tmp_path / "1.jpg").write_bytes(jpeg(1))
    source = FileSource(tmp_path, clock=lambda: 7)
    source.open()
    assert source.latest() == Frame(jpeg(1), 7)


def test_a_folder_without_pictures_and_one_that_went_away(tmp_path: Path) -> None:
    source = FileSource(tmp_path)
    source.open()
    assert (source.state, source.last_error) == ("lost", f"no picture at {tmp_path}")
    gone = tmp_path / "gone.jpg"
    gone.write_bytes(jpeg(1))
    source = FileSource(tmp_path)
    source.open()
    gone.unlink()
    assert source.latest() is None
    assert "No such file" in source.last_error
