"""A part that goes, stays away or comes back is told once each."""

from __future__ import annotations

import os
import pty
import queue
import socket
from pathlib import Path
from typing import cast

import pytest

from controller.camera import PhotoReader
from controller.devices import LiveDevices
from controller.inputs import CameraState, Input, PortDown, PortUp
from controller.watch import PartWatch, board_words, camera_words
from vision.wishes import Wishes

WAIT_S = 10.0


def test_a_board_is_told_missing_back_and_lost(tmp_path: Path) -> None:
    told: queue.SimpleQueue[str] = queue.SimpleQueue()
    heard: queue.SimpleQueue[Input] = queue.SimpleQueue()
    device = tmp_path / "ttyNOPE"
    devices = LiveDevices(
        heard.put,
        serial=str(device),
        camera=None,
        gpio=None,
        make_reader=lambda: pytest.fail("no photo"),
        say=told.put,
    )
    devices.start()
    try:
        assert told.get(timeout=WAIT_S) == f"board: {device} is not there; trying again"
        master, slave = pty.openpty()
        device.symlink_to(os.ttyname(slave))
        assert told.get(timeout=WAIT_S) == f"board: {device} is back"
        device.unlink()
        os.close(slave)
        os.close(master)
        assert told.get(timeout=WAIT_S) == f"board: {device} is not there; trying again"
    finally:
        devices.stop()
    assert told.empty()
    assert heard.get() == CameraState("none")
    kinds = [type(heard.get()) for _ in range(3)]
    assert kinds == [PortDown, PortUp, PortDown]


def test_a_part_that_is_starved_while_the_table_starts_is_not_called_lost(tmp_path: Path) -> None:
    device, now = tmp_path / "board", [100.0]
    told: list[str] = []
    device.touch()

    def words(watch: PartWatch, part: str) -> str:
        if part == "board":
            return board_words(watch.place, f"{device} is gone", watch.is_starting)
        return camera_words("down", watch.was_up, watch.is_starting)

    for part in ("board", "camera"):
        watch = PartWatch(part, str(device), told.append, lambda: now[0])
        watch.up()
        for _ in range(2):
            watch.down(words(watch, part))
            watch.up()
            now[0] += 30.0
    assert told == [
        f"board: {device} falters while the table starts; trying again",
        f"board: {device} is back",
        f"board: {device} does not keep up with what it is sent; trying again",
        f"board: {device} is back",
        f"camera: {device} falters while the table starts; trying again",
        f"camera: {device} is back",
        f"camera: {device} sends no picture any more; trying again",
        f"camera: {device} is back",
    ]
    device.unlink()  # a board that was pulled out is not there, whenever it happens
    assert board_words(str(device), f"{device} is gone", True) == "is not there"


def test_a_camera_is_told_with_its_reason_and_without_its_password() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    told: queue.SimpleQueue[str] = queue.SimpleQueue()
    devices = LiveDevices(
        lambda given: None,
        serial=None,
        camera=f"http://owner:secret@127.0.0.1:{port}/live?pwd=secret",
        wishes=Wishes(focus="lock"),
        gpio=None,
        make_reader=lambda: cast(PhotoReader, None),
        say=told.put,
    )
    devices.start()
    try:
        lines = {told.get(timeout=WAIT_S) for _ in range(2)}
    finally:
        devices.stop()
    place = f"camera: http://127.0.0.1:{port}/live?…"
    assert lines == {
        f"{place} cannot be told its exposure, focus or white balance from here: use its own page",
        f"{place} is not there (it is gone: [Errno 111] Connection refused); trying again",
    }


def test_a_camera_is_told_by_its_changes() -> None:
    told: list[str] = []
    watch = PartWatch("camera", "0", told.append)
    for state in ("down", "down", "up", "frozen", "up", "blind", "up", "up", "moved", "up", "down"):
        if state == "up":
            watch.up()
        else:
            watch.down(camera_words(state, watch.was_up, moved_mm=13.6))
    assert told == [
        "camera: 0 is not there; trying again",
        "camera: 0 is back",
        "camera: 0 sends the same picture again and again; trying again",
        "camera: 0 is back",
        "camera: 0 sees nothing (lens covered, or no light?); trying again",
        "camera: 0 is back",
        "camera: 0 was moved, by 14 mm on the table; trying again",
        "camera: 0 is back",
        "camera: 0 sends no picture any more; trying again",
    ]
