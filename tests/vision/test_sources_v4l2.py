"""A webcam by V4L2: what is asked of OpenCV and of the kernel, and how each refusal is told.

There is no video device here: the capture and the kernel's controls are played, the errors are the kernel's.
"""

from __future__ import annotations

import errno
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.errors import CameraLost
from vision.sources import Frame, V4l2Source, Wishes, v4l2_controls
from vision.sources.v4l2 import MJPG
from vision.sources.v4l2_controls import ControlFile, Steering, open_words

AE, EXPOSURE = 0x009A0901, 0x009A0902
AF, FOCUS = 0x009A090C, 0x009A090A
AWB, KELVIN = 0x0098090C, 0x0098091A
RAW = b"\xff\xd8 as the camera packed it \xff\xd9"


@dataclass
class Webcam:
    """Its controls: control -> (least, greatest, value); a control in `stubborn` refuses to be set."""

    controls: dict[int, tuple[int, int, int]]
    stubborn: dict[int, int] = field(default_factory=dict)
    done: list[tuple[int, int]] = field(default_factory=list)
    is_closed: bool = False

    def range(self, control: int) -> tuple[int, int] | None:
        known = self.controls.get(control)
        return None if known is None else known[:2]

    def get(self, control: int) -> int:
        return self.controls[control][2]

    def set(self, control: int, value: int) -> None:
        if control in self.stubborn:
            raise OSError(self.stubborn[control], "Input/output error")
        least, greatest, _ = self.controls[control]
        if not least <= value <= greatest:
            raise OSError(errno.EINVAL, "Invalid argument")
        self.controls[control] = least, greatest, value
        self.done.append((control, value))

    def close(self) -> None:
        self.is_closed = True


def webcam(**kwargs: Any) -> Webcam:
    every = {AE: (0, 3, 3), EXPOSURE: (1, 5000, 157), AF: (0, 1, 1), FOCUS: (0, 250, 40)}
    return Webcam({**every, AWB: (0, 1, 1), KELVIN: (2800, 6500, 4600)}, **kwargs)


def steered(camera: Webcam, wishes: Wishes, wait_ms: int = 3000) -> list[str]:
    now = [0]
    steering = Steering(camera, wishes, lambda: now[0])
    assert not steering.step()
    now[0] = wait_ms
    steering.step()
    assert not steering.step()
    return steering.notes


def test_auto_gives_everything_back_to_the_camera() -> None:
    camera = webcam()
    assert steered(camera, Wishes()) == []
    assert camera.done == [(AE, 3), (AF, 1), (AWB, 1)]


def test_a_camera_without_aperture_priority_gets_plain_auto() -> None:
    camera = webcam()
    camera.controls[AE] = (0, 1, 1)
    assert steered(camera, Wishes()) == []
    assert camera.done[0] == (AE, 0)


def test_numbers_are_set_at_once_after_the_camera_was_told_not_to_decide() -> None:
    camera = webcam()
    assert steered(camera, Wishes(exposure=20.0, focus=35.0, white_balance=5000.0)) == []
    assert camera.done == [(AE, 1), (EXPOSURE, 200), (AF, 0), (FOCUS, 35), (AWB, 0), (KELVIN, 5000)]


def test_a_lock_holds_what_the_camera_decided_in_its_time() -> None:
    camera = webcam()
    lock = Wishes("lock", "lock", "lock")
    assert steered(camera, lock, wait_ms=2999) == []
    camera = webcam()
    assert steered(camera, lock) == [
        "holds its exposure at 15.7 ms",
        "holds its focus at 40",
        "holds its white balance at 4600 K",
    ]
    assert camera.done[3:] == [(AE, 1), (EXPOSURE, 157), (AF, 0), (FOCUS, 40), (AWB, 0), (KELVIN, 4600)]


def test_a_camera_that_tells_no_value_holds_what_it_has() -> None:
    camera = Webcam({AWB: (0, 1, 1)})
    assert steered(camera, Wishes(white_balance="lock")) == ["holds its white balance"]
    assert camera.done == [(AWB, 1), (AWB, 0)]


@pytest.mark.parametrize(
    ("camera", "wishes", "note"),
    [
        (Webcam({}), Wishes(focus="lock"), "has no focus that could be set"),
        (Webcam({}), Wishes(exposure=5.0), "has no exposure that could be set"),
        (Webcam({AE: (0, 3, 3)}), Wishes(exposure=5.0), "has no exposure that could be set"),
        (webcam(), Wishes(exposure=900.0), "cannot do exposure 900 ms: 0.1 to 500 ms"),
        (webcam(), Wishes(white_balance=100.0), "cannot do white balance 100 K: 2800 to 6500 K"),
        (
            webcam(stubborn={FOCUS: errno.EIO}),
            Wishes(focus=10.0),
            "refuses focus 10 (Input/output error)",
        ),
        (
            webcam(stubborn={EXPOSURE: errno.EIO}),
            Wishes(exposure="lock"),
            "refuses to hold its exposure (Input/output error)",
        ),
    ],
)
def test_what_a_camera_cannot_do_is_a_note_and_no_error(camera: Webcam, wishes: Wishes, note: str) -> None:
    assert steered(camera, wishes) == [note]


def test_a_camera_that_does_not_even_take_auto_is_left_as_it_is() -> None:
    assert steered(webcam(stubborn={AE: errno.EIO, AF: errno.EIO}), Wishes()) == []


# ---------------------------------------------------------------- the kernel


class Kernel:
    """Answers the four requests as uvcvideo does, in the structures of <linux/videodev2.h>."""

    def __init__(self, camera: Webcam, capabilities: int = 0x8420_0001, device: int = 0x0420_0001) -> None:
        self._camera, self._able = camera, (capabilities, device)

    def ioctl(self, file: int, request: int, data: bytearray) -> int:
        if request == 0x80685600:  # VIDIOC_QUERYCAP
            struct.pack_into("=II", data, 84, *self._able)
            return 0
        control = int.from_bytes(data[:4], "little")
        if control not in self._camera.controls:
            raise OSError(errno.EINVAL, "Invalid argument")
        if request == 0xC0445624:  # VIDIOC_QUERYCTRL
            assert len(data) == 68
            struct.pack_into("=ii", data, 40, *self._camera.controls[control][:2])
            struct.pack_into("=I", data, 56, 1 if control in self._camera.stubborn else 0)
        elif request == 0xC008561B:  # VIDIOC_G_CTRL
            struct.pack_into("=i", data, 4, self._camera.get(control))
        else:
            assert request == 0xC008561C  # VIDIOC_S_CTRL
            self._camera.set(control, struct.unpack_from("=i", data, 4)[0])
        return 0


def controls_of(monkeypatch: pytest.MonkeyPatch, camera: Webcam, **able: int) -> ControlFile:
    monkeypatch.setattr(v4l2_controls.fcntl, "ioctl", Kernel(camera, **able).ioctl)
    return ControlFile("/dev/null")


def test_controls_are_read_and_set_in_the_kernels_structures(monkeypatch: pytest.MonkeyPatch) -> None:
    camera = webcam()
    camera.controls[FOCUS] = (-20, 250, -7)
    controls = controls_of(monkeypatch, camera)
    assert controls.range(EXPOSURE) == (1, 5000)
    assert (controls.range(FOCUS), controls.get(FOCUS)) == ((-20, 250), -7)
    assert controls.range(0x9A09FF) is None
    controls.set(FOCUS, -9)
    assert camera.done == [(FOCUS, -9)]
    controls.close()


def test_a_control_that_is_switched_off_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    controls = controls_of(monkeypatch, webcam(stubborn={FOCUS: errno.EIO}))
    assert controls.range(FOCUS) is None
    controls.close()


def test_a_node_that_sends_no_pictures_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CameraLost, match="try the one before"):
        controls_of(monkeypatch, webcam(), device=0x04A0_0000)  # the metadata node beside each UVC camera
    with pytest.raises(CameraLost, match="try the one before"):
        controls_of(monkeypatch, webcam(), capabilities=0x2)


def test_what_is_no_camera_is_told(tmp_path: Path) -> None:
    for path in ("/dev/null", str(tmp_path / "file")):
        (tmp_path / "file").touch()
        with pytest.raises(CameraLost, match=f"{path} is no camera"):
            ControlFile(path)
    with pytest.raises(CameraLost, match="there is no /dev/video63"):
        ControlFile("/dev/video63")


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (errno.ENOENT, "there is no /dev/video0"),
        (errno.ENODEV, "there is no camera behind /dev/video0"),
        (errno.EACCES, "/dev/video0 may not be used by this user (group video?)"),
        (errno.EBUSY, "/dev/video0 is held by another program"),
        (errno.EMFILE, "/dev/video0 cannot be opened (Too many)"),
    ],
)
def test_each_refusal_says_what_to_do(number: int, says: str) -> None:
    assert open_words("/dev/video0", OSError(number, "Too many")) == says


# ---------------------------------------------------------------- the stream


class Capture:
    """A webcam in OpenCV: `frames` in turn, then it is gone, unless it is told to go on."""

    def __init__(self, frames: list[Any], fourcc: int = MJPG, size: tuple[int, int] = (1920, 1080)) -> None:
        self._frames, self._index = frames, -1
        self._size, self._fourcc = size, fourcc
        self.wanted: list[tuple[int, float]] = []
        self.is_released = threading.Event()

    def grab(self) -> bool:
        self._index += 1
        return self._index < len(self._frames)

    def retrieve(self) -> tuple[bool, Any]:
        return self._frames[self._index] is not None, self._frames[self._index]

    def get(self, prop: int) -> float:
        known = {cv2.CAP_PROP_FRAME_WIDTH: self._size[0], cv2.CAP_PROP_FRAME_HEIGHT: self._size[1]}
        return {**known, cv2.CAP_PROP_FOURCC: self._fourcc}[prop]

    def set(self, prop: int, value: float) -> bool:
        self.wanted.append((prop, value))
        return True

    def release(self) -> None:
        self.is_released.set()


def run(
    capture: Capture | None, camera: Webcam | None = None, **options: Any
) -> tuple[V4l2Source, list[Frame]]:
    """Run a source until its camera is lost; return it, closed, and the frames it gave."""
    seen: list[Frame] = []
    kernel: Callable[[str], Webcam] = lambda path: camera or webcam()  # noqa: E731
    source = V4l2Source(0, opener=lambda path: capture, controls=kernel, on_frame=seen.append, **options)
    source.open()
    until = time.monotonic() + 30
    while not source.reopened:
        assert time.monotonic() < until
        time.sleep(0.005)
    source.close()
    return source, seen


def test_the_cameras_own_jpeg_is_kept() -> None:
    capture = Capture([np.frombuffer(RAW, np.uint8).reshape(1, -1)] * 3)
    source, seen = run(capture)
    assert [frame.jpeg for frame in seen] == [RAW] * 3
    assert source.last_error == "it stopped sending"
    assert capture.is_released.is_set()
    wanted = dict(capture.wanted)
    assert wanted[cv2.CAP_PROP_FOURCC] == MJPG
    assert capture.wanted[-1] == (cv2.CAP_PROP_CONVERT_RGB, 0), "a later change would lay the buffers anew"


def test_a_jpeg_that_was_cut_off_is_left_out_and_filling_zeros_are_cut() -> None:
    whole = np.frombuffer(RAW + bytes(9), np.uint8)[None]
    cut, none = np.frombuffer(RAW[:-4], np.uint8)[None], np.zeros((1, 40), np.uint8)
    _, seen = run(Capture([cut, whole, none, whole, cut]))
    assert [frame.jpeg for frame in seen] == [RAW, RAW]


def test_a_camera_whose_jpeg_is_broken_is_unpacked_by_opencv_from_then_on() -> None:
    broken, pixels = np.zeros((1, 40), np.uint8), np.zeros((1080, 1920, 3), np.uint8)
    captures = [Capture([broken] * 40), Capture([pixels]), Capture([pixels])]
    seen: list[Frame] = []
    source = V4l2Source(
        0, opener=lambda path: captures[source.reopened], controls=lambda path: webcam(), on_frame=seen.append
    )
    source.reopen_pause_ms = 1
    source.open()
    until = time.monotonic() + 30
    while len(seen) < 2:
        assert time.monotonic() < until
        time.sleep(0.005)
    source.close()
    raw = [(cv2.CAP_PROP_CONVERT_RGB, 0) in capture.wanted for capture in captures]
    assert raw == [True, False, False]


def test_pixels_are_packed_and_not_every_one_of_them() -> None:
    now = going_clock()
    pixels = [np.full((48, 64, 3), n, np.uint8) for n in range(30)]
    _, seen = run(Capture(pixels, fourcc=0, size=(64, 48)), clock=now)
    assert 1 < len(seen) < 30
    assert seen[0].jpeg[:2] == b"\xff\xd8"


def going_clock() -> Callable[[], int]:
    """A clock that goes on by 15 ms each time it is asked."""
    now = [0]

    def tick() -> int:
        now[0] += 15
        return now[0]

    return tick


def test_another_size_and_what_is_refused_are_notes() -> None:
    capture = Capture([np.frombuffer(RAW, np.uint8)[None]], size=(1280, 720))
    source, _ = run(capture, Webcam({}), wishes=Wishes(focus="lock"))
    assert source.notes == (
        "sends 1280 x 720 pixels instead of 1920 x 1080",
        "has no focus that could be set",
    )


def test_a_lock_is_noted_while_frames_go_on() -> None:
    row = np.frombuffer(RAW, np.uint8)[None]
    source, seen = run(Capture([row] * 300), wishes=Wishes(focus="lock"), clock=going_clock())
    assert source.notes == ("holds its focus at 40",)
    assert len(seen) == 300


@pytest.mark.parametrize(
    ("capture", "says"),
    [
        (None, "/dev/video0 does not stream: another program may hold it"),
        (Capture([None]), "it sends what cannot be read"),
        (
            Capture([np.zeros((8, 9), np.uint16)]),
            "it sends neither JPEG nor colour pixels but uint16 (8, 9)",
        ),
        (Capture([None], size=(8660, 5774)), "a frame of 8660 x 5774 pixels, at most 20000000 are taken"),
    ],
)
def test_a_camera_that_is_no_good_is_lost_with_a_reason(capture: Capture | None, says: str) -> None:
    camera = webcam()
    source, seen = run(capture, camera)
    assert (source.last_error, seen) == (says, [])
    assert camera.is_closed


def test_an_error_of_opencv_is_a_lost_camera() -> None:
    class Broken(Capture):
        def retrieve(self) -> tuple[bool, Any]:
            raise cv2.error("(-215:Assertion failed)")

    source, _ = run(Broken([None]))
    assert source.last_error == "/dev/video0 sends what cannot be decoded"


def test_a_number_without_a_camera_is_silent_and_not_asked_all_the_time(
    capfd: pytest.CaptureFixture[str],
) -> None:
    source = V4l2Source(63)
    source.open()
    until = time.monotonic() + 30
    while source.state != "lost":
        assert time.monotonic() < until
        time.sleep(0.01)
    assert source.last_error == "there is no /dev/video63"
    assert source.reopen_pause_ms >= 3000
    source.close()
    assert capfd.readouterr().err == ""
