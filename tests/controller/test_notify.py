"""What a service manager hears: ready, alive while the brain answers, stopping."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from controller.effects import Answer
from controller.live_parts import Stopping
from controller.notify import Manager, brain_answers, keep_alive


@pytest.fixture
def ear(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.bind(str(tmp_path / "notify"))
        sock.settimeout(5)
        yield sock


def manager_at(ear: socket.socket, **more: str) -> Manager:
    return Manager({"NOTIFY_SOCKET": ear.getsockname(), **more}, pid=7)


def test_the_words_of_sd_notify(ear: socket.socket) -> None:
    manager = manager_at(ear)
    manager.ready("http://127.0.0.1:8080/")
    manager.alive()
    manager.stopping()
    heard = [ear.recv(200).decode() for _ in range(3)]
    assert heard == ["READY=1\nSTATUS=http://127.0.0.1:8080/", "WATCHDOG=1", "STOPPING=1"]


def test_an_abstract_socket_is_found() -> None:
    name = f"mahjong-table-test-{time.monotonic_ns()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.bind(f"\0{name}")
        sock.settimeout(5)
        Manager({"NOTIFY_SOCKET": f"@{name}"}).alive()
        assert sock.recv(200) == b"WATCHDOG=1"


@pytest.mark.parametrize("environ", [{}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": "/nosuch/socket"}])
def test_without_a_manager_nothing_happens(environ: dict[str, str]) -> None:
    manager = Manager(environ)
    manager.ready("x")
    manager.alive()
    manager.stopping()
    assert manager.watchdog_s is None


@pytest.mark.parametrize(
    ("environ", "limit_s"),
    [
        ({"WATCHDOG_USEC": "20000000"}, 20.0),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "7"}, 20.0),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "8"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_whether_life_is_listened_for(environ: dict[str, str], limit_s: float | None) -> None:
    assert Manager(environ, pid=7).watchdog_s == limit_s


def test_a_long_start_is_told(ear: socket.socket) -> None:
    manager_at(ear).starting("the ledger is read, row 4096")
    assert ear.recv(200) == b"EXTEND_TIMEOUT_USEC=120000000\nSTATUS=the ledger is read, row 4096"


def test_life_is_told_three_times_a_limit_and_only_while_the_brain_answers(ear: socket.socket) -> None:
    manager = manager_at(ear, WATCHDOG_USEC="90000")
    asked: list[float] = []

    async def is_alive(limit_s: float) -> bool:
        asked.append(limit_s)
        if len(asked) == 5:
            raise asyncio.CancelledError
        return len(asked) != 2

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(keep_alive(manager, is_alive))
    assert asked == [pytest.approx(0.03)] * 5
    ear.setblocking(False)
    heard = [ear.recv(200) for _ in range(3)]
    assert heard == [b"WATCHDOG=1"] * 3
    with pytest.raises(BlockingIOError):
        ear.recv(200)


class Brain:
    """Answers at once, never, is at its end, or waits for room on the disk."""

    def __init__(self, way: str) -> None:
        self.way = way
        self.has_no_room = way == "waits for room"

    def ask(self, _command: Any) -> Future[Answer]:
        if self.way == "ends":
            raise Stopping("the service ends")
        future: Future[Answer] = Future()
        if self.way == "answers":
            future.set_result(Answer("", False, "refuse.unknown", {}))
        return future


@pytest.mark.parametrize(
    ("way", "alive"), [("answers", True), ("hangs", False), ("ends", False), ("waits for room", True)]
)
def test_a_brain_that_does_not_answer_is_not_alive(way: str, alive: bool) -> None:
    assert asyncio.run(brain_answers(Brain(way), 0.02)) is alive  # type: ignore[arg-type]
