"""Frames from an http camera on loopback: latest wins, arrival counts, a lost camera is opened again."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from vision.errors import FrameUnreadable
from vision.sources import (
    FileSource,
    Frame,
    FrameSource,
    FreezeWatch,
    MjpegSource,
    V4l2Source,
    decode,
    open_source,
)

HEAD = b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n"


def jpeg(number: int) -> bytes:
    return b"\xff\xd8" + bytes([number]) * 300 + b"\xff\xd9"


def part(data: bytes, with_length: bool = True) -> bytes:
    length = b"Content-Length: %d\r\n" % len(data) if with_length else b""
    return b"--frame\r\nContent-Type: image/jpeg\r\n" + length + b"\r\n" + data + b"\r\n"


class Camera:
    """A camera that sends the bytes of `sessions`, one a connection, then closes or stays silent."""

    def __init__(self, sessions: list[bytes], keep_open: bool = False) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._server.getsockname()[1]}/stream.mjpg"
        self._sessions, self._keep_open = sessions, keep_open
        self._open: list[socket.socket] = []
        self.connections = 0
        self.asked = b""
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        for session in self._sessions:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            self.connections += 1
            self.asked = connection.recv(4096)
            connection.sendall(session)
            if self._keep_open:
                self._open.append(connection)
            else:
                connection.close()

    def close(self) -> None:
        for connection in self._open:
            connection.close()
        self._server.close()


@pytest.fixture
def cameras() -> Iterator[list[Camera]]:
    started: list[Camera] = []
    yield started
    for camera in started:
        camera.close()


def test_latest_frame_wins_and_raw_bytes_are_kept(cameras: list[Camera]) -> None:
    cameras.append(Camera([HEAD + part(jpeg(1)) + part(jpeg(2)) + part(jpeg(3))], keep_open=True))
    seen: list[Frame] = []
    third = threading.Event()

    def on_frame(frame: Frame) -> None:
        seen.append(frame)
        if len(seen) == 3:
            third.set()

    source = MjpegSource(cameras[0].url, on_frame=on_frame)
    source.open()
    assert third.wait(5)
    assert [frame.jpeg for frame in seen] == [jpeg(1), jpeg(2), jpeg(3)]
    frame = source.latest()
    assert frame is not None
    assert frame.jpeg == jpeg(3)
    assert source.state == "up"
    assert source.latest(after_ms=frame.at_ms) is None
    source.close()
    assert source.state == "closed"
    assert isinstance(source, FrameSource)


def test_a_camera_without_content_length_is_understood(cameras: list[Camera]) -> None:
    cameras.append(
        Camera([HEAD + part(jpeg(1), False) + part(jpeg(2), False) + b"--frame--\r\n"], keep_open=True)
    )
    seen: list[bytes] = []
    source = MjpegSource(cameras[0].url, on_frame=lambda frame: seen.append(frame.jpeg))
    source.open()
    assert source.wait(-1, 5000) is not None
    source.close()
    assert seen[0] == jpeg(1)


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(HEAD + part(jpeg(1)), id="ends"),
        pytest.param(HEAD + part(jpeg(1)) + part(jpeg(2))[:200], id="ends inside a frame"),
        pytest.param(
            HEAD + part(jpeg(1)) + b"--frame\r\nContent-Length: 99999999999\r\n\r\n", id="impossible length"
        ),
        pytest.param(b"HTTP/1.0 503 Busy\r\n\r\n", id="refused"),
        pytest.param(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\nhello", id="no camera"),
        pytest.param(b"garbage", id="no http"),
    ],
)
def test_a_lost_camera_is_opened_again(cameras: list[Camera], broken: bytes) -> None:
    cameras.append(Camera([broken, HEAD + part(jpeg(9))], keep_open=False))
    got_nine = threading.Event()
    source = MjpegSource(cameras[0].url, on_frame=lambda frame: frame.jpeg == jpeg(9) and got_nine.set())
    source.open()
    assert got_nine.wait(10)
    assert source.reopened >= 1
    assert source.last_error
    source.close()


def test_a_silent_camera_is_lost_after_the_read_timeout(cameras: list[Camera]) -> None:
    cameras.append(Camera([HEAD + part(jpeg(1)), HEAD + part(jpeg(2))], keep_open=True))
    got_two = threading.Event()
    source = MjpegSource(
        cameras[0].url, read_timeout_ms=200, on_frame=lambda frame: frame.jpeg == jpeg(2) and got_two.set()
    )
    source.open()
    assert got_two.wait(10)
    assert "gone" in source.last_error
    source.close()


def test_nobody_there_is_a_state_not_an_exception() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    source = MjpegSource(f"http://127.0.0.1:{port}/")
    source.open()
    assert source.wait(-1, 100) is None
    source.close()
    assert source.last_error


def test_frozen_after_two_seconds_of_the_same_bytes() -> None:
    watch = FreezeWatch()
    told = [
        (ms, watch.saw(Frame(data, ms))) for ms, data in [(0, b"a"), (1999, b"a"), (2000, b"a"), (2001, b"b")]
    ]
    assert told == [(0, False), (1999, False), (2000, True), (2001, False)]


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
    assert isinstance(open_source("http://127.0.0.1:9/x"), MjpegSource)
    assert isinstance(open_source("0"), V4l2Source)
    assert isinstance(open_source(str(tmp_path)), FileSource)
    for wrong in ("ftp://127.0.0.1/x", str(tmp_path / "missing")):
        with pytest.raises(ValueError, match="camera"):
            open_source(wrong)


def test_a_missing_camera_number_is_lost_not_raised() -> None:
    source = V4l2Source(97)
    source.open()
    assert source.wait(-1, 300) is None
    source.close()


@pytest.mark.parametrize("data", [b"", b"no picture", b"\xff\xd8\xff\xe0 cut"])
def test_bytes_that_are_no_picture_are_refused(data: bytes) -> None:
    with pytest.raises(FrameUnreadable):
        decode(data)


def test_a_number_without_a_camera_is_silent_and_not_asked_all_the_time(
    capfd: pytest.CaptureFixture[str],
) -> None:
    source = V4l2Source(63)
    source.open()
    until = time.monotonic() + 10
    while source.state != "lost" and time.monotonic() < until:
        time.sleep(0.02)
    assert source.last_error == "camera 63 cannot be opened"
    assert source.reopen_pause_ms >= 3000
    source.close()
    assert capfd.readouterr().err == ""


def test_a_hearer_that_raises_is_told_and_the_source_can_be_opened_again(cameras: list[Camera]) -> None:
    session = HEAD + part(jpeg(1)) + part(jpeg(2))
    cameras.append(Camera([session, session], keep_open=True))
    heard: list[Frame] = []

    def hear(frame: Frame) -> None:
        heard.append(frame)
        if len(heard) == 1:
            raise RuntimeError("loop closed")

    source = MjpegSource(cameras[0].url, on_frame=hear)
    source.open()
    until = time.monotonic() + 10
    while source.state != "lost":
        assert time.monotonic() < until
        time.sleep(0.01)
    assert "loop closed" in source.last_error
    while source._thread is not None and source._thread.is_alive():
        time.sleep(0.01)
    source.open()
    while len(heard) < 3:
        assert time.monotonic() < until
        time.sleep(0.01)
    assert source.state == "up"
    source.close()


def test_name_and_password_of_the_address_are_sent(cameras: list[Camera]) -> None:
    cameras.append(Camera([HEAD + part(jpeg(1))], keep_open=True))
    source = MjpegSource(cameras[0].url.replace("http://", "http://owner:p%40ss@"))
    source.open()
    assert source.wait(-1, 10_000) is not None
    source.close()
    assert b"Authorization: Basic b3duZXI6cEBzcw==" in cameras[0].asked
