"""The camera's socket: many clients, never silent, freezes and goes away when told to, tells nothing."""

from __future__ import annotations

import http.client
import itertools
import socket
from collections.abc import Iterator

import pytest

from hardware.twin.renderer.mjpeg import Health, MjpegServer


class Eye:
    """A client of the stream."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=5)
        self.socket.sendall(b"GET /stream.mjpg HTTP/1.0\r\n\r\n")
        self.file = self.socket.makefile("rb")
        self.headers = list(iter(self.file.readline, b"\r\n"))

    def picture(self) -> bytes:
        assert self.file.readline() == b"--frame\r\n"
        head = list(iter(self.file.readline, b"\r\n"))
        length = next(int(line.split(b":")[1]) for line in head if line.lower().startswith(b"content-length"))
        body = self.file.read(length)
        assert self.file.read(2) == b"\r\n"
        return body

    def close(self) -> None:
        self.file.close()
        self.socket.close()


@pytest.fixture
def camera() -> Iterator[MjpegServer]:
    count = itertools.count()
    with MjpegServer(lambda: b"\xff\xd8%d" % next(count), fps=100) as server:
        yield server


def _get(port: int, path: str) -> tuple[int, list[tuple[str, str]], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.getheaders(), answer.read()
    finally:
        connection.close()


def test_two_clients_see_the_pictures_go_on(camera: MjpegServer) -> None:
    eyes = [Eye(camera.port), Eye(camera.port)]
    for eye in eyes:
        seen = [eye.picture() for _ in range(4)]
        assert len(set(seen)) == 4
        eye.close()


def test_headers_tell_nothing(camera: MjpegServer) -> None:
    eye = Eye(camera.port)
    assert eye.headers == [
        b"HTTP/1.0 200 OK\r\n",
        b"Content-Type: multipart/x-mixed-replace; boundary=frame\r\n",
        b"Cache-Control: no-store\r\n",
        b"Connection: close\r\n",
    ]
    eye.close()
    status, headers, _ = _get(camera.port, "/frame.jpg")
    assert status == 200
    assert {name for name, _ in headers} == {"Content-Type", "Cache-Control", "Connection", "Content-Length"}
    assert _get(camera.port, "/state")[0] == 404


def test_a_single_picture_is_fresh(camera: MjpegServer) -> None:
    assert _get(camera.port, "/frame.jpg")[2] != _get(camera.port, "/frame.jpg")[2]


def test_an_unchanged_table_is_sent_again() -> None:
    with MjpegServer(lambda: b"same", fps=100) as camera:
        eye = Eye(camera.port)
        assert {eye.picture() for _ in range(5)} == {b"same"}
        eye.close()


def test_a_frozen_camera_repeats_one_picture_and_recovers(camera: MjpegServer) -> None:
    eye = Eye(camera.port)
    eye.picture()
    camera.freeze()
    frozen = _get(camera.port, "/frame.jpg")[2]
    for _ in range(5):  # what was on the way may come first
        if eye.picture() == frozen:
            break
    assert {eye.picture() for _ in range(5)} == {frozen}
    camera.recover()
    assert any(eye.picture() != frozen for _ in range(5))
    eye.close()


def test_an_unplugged_camera_drops_everyone_and_comes_back(camera: MjpegServer) -> None:
    eye = Eye(camera.port)
    eye.picture()
    camera.unplug()
    assert camera.health is Health.GONE
    while True:
        try:
            if not eye.file.read(4096):
                break
        except ConnectionError:
            break
    with pytest.raises((http.client.HTTPException, ConnectionError)):
        _get(camera.port, "/frame.jpg")
    camera.recover()
    again = Eye(camera.port)
    assert again.picture().startswith(b"\xff\xd8")
    again.close()
    eye.close()


def test_stop_ends_connections_and_frees_the_port() -> None:
    camera = MjpegServer(lambda: b"x", fps=100)
    eye = Eye(camera.port)
    eye.picture()
    camera.stop()
    camera.stop()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", camera.port), timeout=1)
    eye.close()
