"""Frames from an http camera: latest wins, arrival counts, a lost camera is opened again, one that is slow or
sends too much is lost too, and a password is sent only when it is asked for."""

from __future__ import annotations

import hashlib
import re
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from tests.vision.http_camera import HEAD, Camera, asks, jpeg, part, wait_until
from vision.sources import Frame, FrameSource, MjpegSource


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
    assert third.wait(30)
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
    assert source.wait(-1, 30_000) is not None
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
    assert got_nine.wait(30)
    assert source.reopened >= 1
    assert source.last_error
    source.close()


def test_broken_pictures_are_left_out_and_a_camera_that_sends_no_others_is_lost(
    cameras: list[Camera],
) -> None:
    cut = part(jpeg(1)[:-2])
    padded = jpeg(3) + b"\0\x07" * 9
    cameras.append(
        Camera([HEAD + cut + part(b"<html>") + part(jpeg(2)) + cut + part(padded)], keep_open=True)
    )
    seen: list[bytes] = []
    source = MjpegSource(cameras[0].url, on_frame=lambda frame: seen.append(frame.jpeg))
    source.open()
    wait_until(lambda: len(seen) == 2)
    assert seen == [jpeg(2), padded]
    source.close()
    now = [0]

    def clock() -> int:
        now[0] += 400
        return now[0]

    cameras.append(Camera([HEAD + 8 * cut], keep_open=True))
    source = MjpegSource(cameras[1].url, clock=clock)
    source.open()
    wait_until(lambda: source.state == "lost")
    assert (source.last_error, source.latest()) == ("what it sends are no whole JPEG pictures", None)
    source.close()


def test_a_silent_camera_is_lost_after_the_read_timeout(cameras: list[Camera]) -> None:
    cameras.append(Camera([HEAD + part(jpeg(1)), HEAD + part(jpeg(2))], keep_open=True))
    got_two = threading.Event()
    source = MjpegSource(
        cameras[0].url, read_timeout_ms=200, on_frame=lambda frame: frame.jpeg == jpeg(2) and got_two.set()
    )
    source.open()
    assert got_two.wait(30)
    assert source.last_error == "it is gone: silent"
    source.close()


def test_nobody_there_is_a_state_not_an_exception() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    source = MjpegSource(f"http://127.0.0.1:{port}/")
    source.open()
    assert source.wait(-1, 100) is None
    source.close()
    assert source.last_error


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
    until = time.monotonic() + 30
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


def test_name_and_password_are_sent_when_the_camera_asks(cameras: list[Camera]) -> None:
    cameras.append(Camera([asks('Basic realm="cam"'), HEAD + part(jpeg(1))], keep_open=True))
    source = MjpegSource(cameras[0].url.replace("http://", "http://owner:p%40ss@"))
    source.open()
    assert source.wait(-1, 30_000) is not None
    source.close()
    first, second = cameras[0].asked
    assert b"Authorization" not in first
    assert b"Authorization: Basic b3duZXI6cEBzcw==\r\n" in second


@pytest.mark.parametrize("algorithm", ["", "MD5", "SHA-256"])
def test_a_digest_is_preferred_and_right(cameras: list[Camera], algorithm: str) -> None:
    said = f", algorithm={algorithm}" if algorithm else ""
    challenge = f'Digest realm="cam, \\"old\\"", qop="auth,auth-int", nonce="n1", opaque="o1"{said}'
    both = asks(challenge).replace(b"WWW-", b'WWW-Authenticate: Basic realm="cam"\r\nWWW-', 1)
    cameras.append(Camera([both, HEAD + part(jpeg(1))], keep_open=True))
    source = MjpegSource(cameras[0].url.replace("http://", "http://owner:p%40ss@") + "?ch=1")
    source.open()
    assert source.wait(-1, 30_000) is not None
    source.close()
    answer = cameras[0].asked[1].decode()
    assert "Authorization: Digest " in answer
    header = answer.partition("Digest ")[2].partition("\r")[0]
    found = re.findall(r'(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^,\s]+))', header)
    given = {key: quoted or plain for key, quoted, plain in found}
    kind = {"SHA-256": hashlib.sha256}.get(algorithm, hashlib.md5)

    def h(text: str) -> str:
        return kind(text.encode()).hexdigest()

    who, what = h('owner:cam, "old":p@ss'), h("GET:/stream.mjpg?ch=1")
    assert given["response"] == h(f"{who}:n1:{given['nc']}:{given['cnonce']}:auth:{what}")
    assert (given["uri"], given["opaque"], given["qop"]) == ("/stream.mjpg?ch=1", "o1", "auth")
    assert (given["username"], given["realm"]) == ("owner", r"cam, \"old\"")


def test_a_wrong_password_is_told_and_not_shown(cameras: list[Camera]) -> None:
    cameras.append(Camera([asks('Basic realm="cam"')] * 3))
    source = MjpegSource(cameras[0].url.replace("http://", "http://owner:secret@"))
    source.open()
    wait_until(lambda: source.state == "lost")
    assert source.last_error == "it asks for another name and password (401)"
    source.close()


@pytest.mark.parametrize(
    "start",
    [
        pytest.param(b"HTTP/1.0 200 OK\r\nX-", id="headers"),
        pytest.param(HEAD + part(jpeg(1)) + b"--frame\r\nContent-Length: 5000\r\n\r\n", id="frame"),
        pytest.param(HEAD + part(jpeg(1)) + b"--frame\r\n\r\n", id="frame without length"),
    ],
)
def test_a_camera_that_drips_is_lost(
    cameras: list[Camera], start: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.sources.mjpeg.STALE_MS", 300)
    monkeypatch.setattr("vision.sources.mjpeg.OPEN_TIMEOUT_MS", 300)
    cameras.append(Camera([start], drip_s=0.02))
    source = MjpegSource(cameras[0].url)
    source.open()
    wait_until(lambda: source.last_error == "it is gone: too slow")
    source.close()


def test_closing_does_not_wait_for_a_camera_that_says_nothing(cameras: list[Camera]) -> None:
    cameras.append(Camera([HEAD + part(jpeg(1))], keep_open=True))
    source = MjpegSource(cameras[0].url, read_timeout_ms=60_000)
    source.open()
    assert source.wait(-1, 30_000) is not None
    thread = source._thread
    assert thread is not None
    source.close()
    assert not thread.is_alive()


def test_a_frame_that_never_ends_is_refused(cameras: list[Camera], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.sources.mjpeg.MAX_FRAME_BYTES", 100_000)
    cameras.append(Camera([HEAD + b"--frame\r\n\r\n" + b"x" * 400_000], keep_open=True))
    source = MjpegSource(cameras[0].url)
    source.open()
    wait_until(lambda: source.state == "lost")
    assert source.last_error == "a frame without an end"
    source.close()
