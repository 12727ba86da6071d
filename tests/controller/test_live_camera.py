"""The camera's edge: which frame a photo may have, and what is said when there is none."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest

from controller import camera
from controller.camera import LiveCamera, NoCamera, PhotoReader
from controller.camera_place import watch_of
from controller.effects import TakePhoto
from controller.evidence import EvidenceStore
from controller.inputs import CameraState, Input, MarksOff, PhotoFailed, PhotoRead
from tests.vision.cloth import picture
from vision.calibration import Calibration, calibrate
from vision.sources import Frame, monotonic_ms

WAIT_S = 20.0
"""For what comes at once, on any machine."""
SHORT_MS = 600
"""Until a photo that does not come is given up, where a test is about that."""
SETTLE_MS = 50


class Stub:
    """A source that a test feeds by hand."""

    def __init__(self) -> None:
        self.state = "opening"
        self.last_error = ""
        self.notes: tuple[str, ...] = ()
        self.frame: Frame | None = None
        self.on_frame: Any = None
        self._looks: queue.SimpleQueue[Frame | None] = queue.SimpleQueue()

    def open(self) -> None:
        pass

    def close(self) -> None:
        self.state = "closed"

    def latest(self, after_ms: int = -1) -> Frame | None:
        frame = self.frame if self.frame is not None and self.frame.at_ms > after_ms else None
        if threading.current_thread() is not threading.main_thread():
            self._looks.put(frame)
        return frame

    def show(self, jpeg: bytes, at_ms: int | None = None) -> None:
        self.state, self.frame = "up", Frame(jpeg, monotonic_ms() if at_ms is None else at_ms)
        self.on_frame(self.frame)

    def looked_at(self) -> None:
        """Wait until the worker, which looks while a photo is wanted, has had the frame of now."""
        while self._looks.get(timeout=WAIT_S) is not self.frame:
            pass


class Echo:
    """Eyes that tell which frame they were given."""

    is_moved = False

    def __init__(self) -> None:
        self.checked: list[bytes | None] = []
        self.moves: list[CameraState | MarksOff] = []
        self.due = True

    def read(self, want: TakePhoto, jpeg: bytes, now_ms: int) -> PhotoRead:
        return PhotoRead(want.effect_id, want.purpose, jpeg)

    def is_check_due(self, now_ms: int) -> bool:
        return self.due

    def check(self, jpeg: bytes | None, now_ms: int) -> None:
        self.checked.append(jpeg)

    def take_moves(self) -> list[CameraState | MarksOff]:
        moves, self.moves = self.moves, []
        return moves


class Rig:
    def __init__(self, source: Stub) -> None:
        self.source = source
        self.heard: queue.SimpleQueue[Input] = queue.SimpleQueue()
        self.echo = Echo()
        reader: Any = self.echo
        self.camera = LiveCamera("http://camera/", lambda: reader, self.heard.put)

    def answer(self, timeout_s: float = WAIT_S) -> Input:
        """Return the next answer to a photo request."""
        until = time.monotonic() + timeout_s
        while True:
            given = self.heard.get(timeout=max(0.01, until - time.monotonic()))
            if isinstance(given, PhotoRead | PhotoFailed):
                return given


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    source = Stub()

    def open_stub(_address: str, *, wishes: Any, on_frame: Any) -> Stub:
        source.on_frame = on_frame
        return source

    monkeypatch.setattr(camera, "open_source", open_stub)
    monkeypatch.setattr(camera, "SETTLE_MS", SETTLE_MS)
    monkeypatch.setattr(camera, "PHOTO_WAIT_MS", 1_000 * WAIT_S)
    made = Rig(source)
    made.camera.start()
    yield made
    made.camera.stop()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch, rig: Rig) -> Rig:
    """The rig of a test in which no photo comes."""
    monkeypatch.setattr(camera, "PHOTO_WAIT_MS", SHORT_MS)
    return rig


def test_a_frame_from_before_the_request_is_not_taken(rig: Rig) -> None:
    rig.source.show(b"before")
    asked_ms = monotonic_ms()
    rig.camera.take(TakePhoto("p1", "dice"))
    rig.source.looked_at()
    late_ms = monotonic_ms() + SETTLE_MS + 1
    for jpeg, at_ms in (
        (b"too soon", asked_ms + SETTLE_MS),
        (b"on its way when it was asked for", late_ms),
        (b"after", late_ms + 1),
    ):
        rig.source.show(jpeg, at_ms)
        rig.source.looked_at()
    answer = rig.answer()
    assert isinstance(answer, PhotoRead)
    assert answer.reading == b"after"


def test_equal_bytes_are_a_frozen_camera(impatient: Rig) -> None:
    rig = impatient
    rig.source.show(b"same")
    rig.camera.take(TakePhoto("p1", "lamp"))
    time.sleep(0.1)
    rig.source.show(b"same")
    assert rig.answer() == PhotoFailed("p1", "frozen")


def test_a_camera_that_freezes_after_the_request_gives_no_photo(impatient: Rig) -> None:
    rig = impatient
    rig.source.show(b"one")
    rig.camera.take(TakePhoto("p1", "lamp"))
    for _ in range(4):
        time.sleep(0.1)
        rig.source.show(b"two")
    assert rig.answer() == PhotoFailed("p1", "frozen")


def test_a_camera_that_is_gone_is_down(impatient: Rig) -> None:
    rig = impatient
    rig.source.show(b"last")
    rig.source.state = "lost"
    rig.camera.take(TakePhoto("p1", "hand", 2))
    assert rig.answer() == PhotoFailed("p1", "down")


def test_a_newer_request_takes_the_place_of_one_that_waits(rig: Rig) -> None:
    rig.camera.take(TakePhoto("wall", "wall"))
    rig.source.looked_at()
    rig.camera.take(TakePhoto("hand", "hand", 1))
    assert rig.answer() == PhotoFailed("wall", "error")
    late_ms = monotonic_ms() + SETTLE_MS + 1
    for number, jpeg in enumerate((b"wall", b"hand")):
        rig.source.show(jpeg, late_ms + number)
        rig.source.looked_at()
    answer = rig.answer()
    assert isinstance(answer, PhotoRead)
    assert answer.effect_id == "hand"


def test_states_are_told_once(rig: Rig) -> None:
    rig.source.show(b"one")
    states: list[str] = []
    until = time.monotonic() + 0.6
    while time.monotonic() < until:
        try:
            given = rig.heard.get(timeout=0.05)
        except queue.Empty:
            continue
        assert isinstance(given, CameraState)
        states.append(given.state)
    assert states == ["up"]


def black(number: int) -> bytes:
    """Return a black picture whose bytes differ from those of another number."""
    packed, jpeg = cv2.imencode(".jpg", np.zeros((240, 320, 3), np.uint8))
    assert packed
    comment = b"%d" % number
    return b"\xff\xd8\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + jpeg.tobytes()[2:]


def test_a_camera_that_sees_nothing_is_told_and_gives_no_photo(impatient: Rig) -> None:
    rig = impatient
    until, number = time.monotonic() + 10, 0
    while rig.camera._told != "blind":
        assert time.monotonic() < until
        number += 1
        rig.source.show(black(number))
        time.sleep(0.05)
    rig.camera.take(TakePhoto("p1", "hand", 1))
    for n in range(12):
        rig.source.show(black(number + 1 + n))
        time.sleep(0.06)
    assert rig.answer() == PhotoFailed("p1", "blind")


def test_notes_of_the_source_are_said_once_each(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    said: queue.SimpleQueue[str] = queue.SimpleQueue()
    monkeypatch.setattr(rig.camera, "_say", said.put)
    rig.source.notes = ("has no focus that could be set",)
    assert said.get(timeout=5) == "has no focus that could be set"
    rig.source.notes = ("has no focus that could be set", "holds its exposure at 12 ms")
    assert said.get(timeout=5) == "holds its exposure at 12 ms"
    time.sleep(0.3)
    assert said.empty()


def test_a_reason_that_comes_after_the_state_is_told_too(rig: Rig) -> None:
    rig.source.state = "lost"
    assert rig.heard.get(timeout=5) == CameraState("down")
    rig.source.last_error = "nobody answers"
    assert rig.heard.get(timeout=5) == CameraState("down")
    rig.source.last_error = "something else"
    with pytest.raises(queue.Empty):
        rig.heard.get(timeout=0.5)


def test_no_camera_answers_at_once() -> None:
    heard: list[Input] = []
    none = NoCamera(heard.append)
    none.start()
    none.take(TakePhoto("p1", "dice"))
    assert heard == [CameraState("none"), PhotoFailed("p1", "none")]


def test_bytes_that_are_no_picture_and_a_picture_without_marks(tmp_path: Path) -> None:
    eyes: Any = None
    reader = PhotoReader(eyes, EvidenceStore(tmp_path))
    assert reader.read(TakePhoto("p1", "dice"), b"no picture", 0) == PhotoFailed("p1", "error")
    packed, jpeg = cv2.imencode(".jpg", np.zeros((480, 640, 3), np.uint8))
    assert packed
    assert reader.read(TakePhoto("p2", "dice"), jpeg.tobytes(), 0) == PhotoFailed("p2", "calibration")


def test_a_photo_that_raises_costs_that_photo_only(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Echo, want: TakePhoto, jpeg: bytes, now_ms: int) -> PhotoRead:
        raise ValueError("eyes")

    with monkeypatch.context() as patch:
        patch.setattr(Echo, "read", broken)
        assert _photographed(rig, "p1") == PhotoFailed("p1", "error")
    assert isinstance(_photographed(rig, "p2"), PhotoRead)


def test_a_worker_that_fails_is_told_and_goes_on(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(source: Any, now_ms: int) -> str:
        raise RuntimeError("health")

    with monkeypatch.context() as patch:
        patch.setattr(rig.camera._health, "state", broken)
        assert rig.heard.get(timeout=WAIT_S) == CameraState("down")
    assert isinstance(_photographed(rig, "p1"), PhotoRead)


def test_a_full_disk_costs_the_photo_not_the_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def put(self, content: bytes) -> str:
            raise OSError(28, "No space left on device")

    class Eyes:
        def read_hand(self, *_: Any, **__: Any) -> str:
            return "a hand"

        def evidence(self, *_: Any, **__: Any) -> bytes:
            return b"jpeg"

    eyes, store, nothing = cast(Any, Eyes()), cast(Any, Full()), cast(Any, None)
    monkeypatch.setattr(camera, "decode", lambda jpeg: nothing)
    monkeypatch.setattr(PhotoReader, "_place", lambda self, image, now_ms: ("a place", ""))
    answer = PhotoReader(eyes, store).read(TakePhoto("p1", "hand", 1), b"", 0)
    assert answer == PhotoRead("p1", "hand", cast(Any, "a hand"), None)


def next_state(rig: Rig) -> CameraState:
    """Return the next state that the camera tells."""
    while True:
        given = rig.heard.get(timeout=5)
        if isinstance(given, CameraState):
            return given


def test_a_move_is_told_once_and_then_the_camera_is_up_again(rig: Rig) -> None:
    rig.source.show(b"one")
    assert next_state(rig) == CameraState("up")
    rig.echo.moves.append(CameraState("moved", 14.0))
    assert next_state(rig) == CameraState("moved", 14.0)
    assert next_state(rig) == CameraState("up")


def test_a_mark_off_its_place_is_told_and_the_camera_stays_up(rig: Rig) -> None:
    rig.source.show(b"one")
    assert next_state(rig) == CameraState("up")
    rig.echo.moves.append(MarksOff((2,)))
    while (given := rig.heard.get(timeout=5)) != MarksOff((2,)):
        assert not isinstance(given, CameraState)
    rig.echo.is_moved = True
    assert next_state(rig) == CameraState("moved")


def test_photos_tell_a_mark_off_its_place(tmp_path: Path) -> None:
    class Eyes:
        def read_dice(self, image: Any, calibration: Any) -> Any:
            return calibration.camera_mm

    eyes: Any = Eyes()
    reader = PhotoReader(eyes, EvidenceStore(tmp_path))
    still, aside = jpeg_of(picture()), jpeg_of(picture(shift={2: (12.0, -9.0)}))
    for jpeg, now_ms in ((still, 0), (aside, 500), (aside, 1_000), (still, 1_500), (still, 2_000)):
        assert isinstance(reader.read(TakePhoto("p", "dice"), jpeg, now_ms), PhotoRead)
    assert reader.take_moves() == [MarksOff((2,)), MarksOff(())]


def test_a_camera_stays_moved_until_the_table_is_measured_anew(rig: Rig) -> None:
    rig.source.show(b"one")
    assert next_state(rig) == CameraState("up")
    rig.echo.is_moved = True
    assert next_state(rig) == CameraState("moved")
    rig.echo.is_moved = False
    assert next_state(rig) == CameraState("up")


def test_the_marks_are_looked_at_while_nobody_wants_a_photo(rig: Rig) -> None:
    rig.source.show(b"one")
    until = time.monotonic() + 5
    while rig.echo.checked[-2:] != [b"one", None] and time.monotonic() < until:
        time.sleep(0.02)
    assert rig.echo.checked.count(b"one") == 1  # the same frame would confirm itself
    rig.echo.due = False
    time.sleep(0.3)
    rig.echo.checked.clear()
    rig.source.show(b"two")
    time.sleep(0.5)
    assert rig.echo.checked == []


def test_a_photo_of_a_moved_camera_is_refused_until_the_place_is_known(tmp_path: Path) -> None:
    """The first photo after a knock is not read; the next one, at the same new place, is."""

    class Eyes:
        def read_dice(self, image: Any, calibration: Any) -> Any:
            return calibration.camera_mm

    eyes: Any = Eyes()
    place = tmp_path / "camera-place.json"
    reader = PhotoReader(eyes, EvidenceStore(tmp_path), watch_of(tmp_path / "lens.json", place))
    still, knocked = (jpeg_of(picture(look_at=look_at)) for look_at in ((0.0, 0.0), (14.0, 6.0)))

    def photo(jpeg: bytes, now_ms: int) -> Any:
        return reader.read(TakePhoto("p", "dice"), jpeg, now_ms)

    assert reader.is_check_due(0)
    assert isinstance(photo(still, 0), PhotoRead)
    assert not reader.is_check_due(1_000)
    stood = Calibration.from_json(place.read_text())
    assert photo(knocked, 500) == PhotoFailed("p", "moved")
    assert reader.take_moves() == []
    assert isinstance(photo(knocked, 1_000), PhotoRead)
    (move,) = reader.take_moves()
    assert move.state == "moved"
    assert move.moved_mm > 8.0
    assert not reader.is_moved
    assert Calibration.from_json(place.read_text()) != stood
    anew = PhotoReader(eyes, EvidenceStore(tmp_path), watch_of(tmp_path / "lens.json", place))
    assert isinstance(anew.read(TakePhoto("p", "dice"), knocked, 0), PhotoRead)
    anew.check(None, 10)
    anew.check(b"no picture", 20)
    assert anew.take_moves() == []


def test_files_about_the_camera_that_cannot_be_read_are_left_aside(tmp_path: Path) -> None:
    (tmp_path / "lens.json").write_text("no lens")
    (tmp_path / "camera-place.json").write_bytes(b"\xff\xfe")
    watch = watch_of(tmp_path / "lens.json", tmp_path / "camera-place.json")
    assert watch.lens is None
    assert watch.held is None
    watch_of(tmp_path / "lens.json", tmp_path / "no" / "place.json").keep(
        calibrate(picture())
    )  # only a warning
    assert watch_of(tmp_path / "lens.json", None).held is None


def jpeg_of(image: Any) -> bytes:
    packed, jpeg = cv2.imencode(".jpg", image)
    assert packed
    return jpeg.tobytes()


def _photographed(rig: Rig, effect_id: str) -> Input:
    """Take a photo while frames come; return the answer."""
    rig.camera.take(TakePhoto(effect_id, "dice"))
    for n in range(12):
        time.sleep(0.05)
        rig.source.show(f"{effect_id} {n}".encode())
    return rig.answer()
