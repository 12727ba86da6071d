"""The Raspberry Pi's camera: what picamera2 is asked for, how each refusal is told. The module is played."""

from __future__ import annotations

import sys
import time
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from vision.sources import Frame, PicameraSource, Wishes, decode
from vision.sources.picamera import PiSteering

CONTROLS = {
    "AeEnable": (False, True, True),
    "ExposureTime": (100, 200_000, 20_000),
    "AnalogueGain": (1.0, 16.0, 1.0),
    "AwbEnable": (False, True, None),
    "ColourGains": (0.0, 32.0, None),
    "ColourTemperature": (100, 100_000, None),
    "AfMode": (0, 2, 0),
    "LensPosition": (0.0, 15.0, 1.0),
}
METADATA = {"ExposureTime": 12_500, "AnalogueGain": 2.0, "ColourGains": (1.8, 1.5), "LensPosition": 2.25}


class Request:
    released = 0

    def make_array(self, name: str) -> Any:
        assert name == "main"
        return np.full((48, 64, 3), (200, 100, 50), np.uint8)

    def get_metadata(self) -> dict[str, Any]:
        return METADATA

    def release(self) -> None:
        Request.released += 1


class Camera:
    """One camera of the module; `requests` frames, then it raises `ends`."""

    made: ClassVar[list[Camera]] = []

    def __init__(self, number: int, *, requests: int = 3, ends: Exception | None = None) -> None:
        self.number, self._left, self._ends = number, requests, ends or TimeoutError()
        self.camera_controls = dict(CONTROLS)
        self.done: list[Any] = []
        self.set: list[dict[str, Any]] = []
        Camera.made.append(self)

    def create_video_configuration(self, main: dict[str, Any]) -> dict[str, Any]:
        return {"main": main}

    def configure(self, config: dict[str, Any]) -> None:
        self.done.append(config)

    def start(self) -> None:
        self.done.append("start")

    def set_controls(self, controls: dict[str, Any]) -> None:
        unknown = set(controls) - set(self.camera_controls)
        if unknown:
            raise RuntimeError(f"Control {unknown} is not advertised by libcamera")
        self.set.append(controls)

    def capture_request(self, wait: float) -> Request:
        assert 0 < wait <= 2
        self._left -= 1
        if self._left < 0:
            raise self._ends
        return Request()

    def close(self) -> None:
        self.done.append("close")


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Any:
    played = SimpleNamespace(Picamera2=Camera)
    monkeypatch.setitem(sys.modules, "picamera2", played)
    Camera.made, Request.released = [], 0
    return played


def run(**options: Any) -> tuple[PicameraSource, list[Frame]]:
    seen: list[Frame] = []
    source = PicameraSource(on_frame=seen.append, **options)
    source.open()
    until = time.monotonic() + 30
    while not source.reopened:
        assert time.monotonic() < until
        time.sleep(0.005)
    source.close()
    return source, seen


def test_frames_come_packed_and_every_request_is_given_back(module: Any) -> None:
    source, seen = run(wishes=Wishes(size_px=(64, 48)))
    assert source.last_error == "it stopped sending"
    assert np.allclose(decode(seen[0].jpeg)[24, 32], (200, 100, 50), atol=4)
    assert Request.released == 3
    config, *rest = Camera.made[0].done
    assert config == {"main": {"size": (64, 48), "format": "RGB888"}}
    assert rest == ["start", "close"]


def test_not_every_frame_is_packed(module: Any) -> None:
    module.Picamera2 = lambda number: Camera(number, requests=40)
    _, seen = run()
    assert 1 <= len(seen) < 20
    assert Request.released == 40


def wrapped(why: str) -> RuntimeError:
    error = RuntimeError("Camera __init__ sequence did not complete.")
    error.__context__ = RuntimeError(why)
    return error


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (IndexError("list index out of range"), "there is no Raspberry Pi camera 0"),
        (wrapped("Failed to acquire camera: Device or resource busy"), "it is held by another program"),
        (wrapped("no sensor"), "it cannot be opened: no sensor"),
        (ImportError("libcamera.so.0.5"), "picamera2 cannot be loaded: libcamera.so.0.5"),
    ],
)
def test_a_camera_that_does_not_open_says_why(module: Any, error: Exception, says: str) -> None:
    def refuse(number: int) -> Any:
        raise error

    module.Picamera2 = refuse
    source, seen = run()
    assert (source.last_error, seen) == (says, [])


def test_a_camera_that_fails_is_closed_and_lost(module: Any) -> None:
    module.Picamera2 = lambda number: Camera(number, ends=RuntimeError("Camera frontend has timed out"))
    source, _ = run()
    assert source.last_error == "it failed: Camera frontend has timed out"
    assert Camera.made[0].done[-1] == "close"


def steered(wishes: Wishes, without: tuple[str, ...] = ()) -> tuple[Camera, list[str]]:
    camera, now = Camera(0), [0]
    for name in without:
        del camera.camera_controls[name]
    steering = PiSteering(camera, wishes, lambda: now[0])
    assert not steering.is_due
    now[0] = 3000
    if steering.is_due:
        steering.lock(METADATA)
    assert not steering.is_due
    return camera, steering.notes


def test_auto_leaves_all_to_the_camera_and_keeps_its_focus_going() -> None:
    camera, notes = steered(Wishes())
    assert (camera.set, notes) == ([{"AfMode": 2}], [])


def test_numbers_are_set_at_once() -> None:
    camera, notes = steered(Wishes(exposure=20.0, focus=2.5, white_balance=4500.0))
    assert notes == []
    assert camera.set == [
        {"ExposureTime": 20_000},
        {"AfMode": 0, "LensPosition": 2.5},
        {"ColourTemperature": 4500},
    ]


def test_a_lock_holds_what_the_frame_was_made_with() -> None:
    camera, notes = steered(Wishes("lock", "lock", "lock"))
    assert notes == [
        "holds its exposure at 12.5 ms",
        "holds its focus at 2.25",
        "holds its white balance",
    ]
    assert camera.set == [
        {"AfMode": 2},
        {"ExposureTime": 12_500, "AnalogueGain": 2.0},
        {"AfMode": 0, "LensPosition": 2.25},
        {"ColourGains": (1.8, 1.5)},
    ]


@pytest.mark.parametrize(
    ("wishes", "without", "note"),
    [
        (Wishes(focus="lock"), ("AfMode", "LensPosition"), "has no focus that could be set"),
        (Wishes(focus=2.0), ("AfMode", "LensPosition"), "has no focus that could be set"),
        (Wishes(focus=99.0), (), "cannot do focus 99: 0 to 15"),
        (Wishes(exposure=900.0), (), "cannot do exposure 900 ms: 0.1 to 200 ms"),
        (
            Wishes(white_balance=4500.0),
            ("ColourTemperature",),
            "has no white balance that could be set",
        ),
    ],
)
def test_what_a_camera_lacks_is_a_note(wishes: Wishes, without: tuple[str, ...], note: str) -> None:
    assert steered(wishes, without)[1] == [note]


def test_what_the_camera_does_not_tell_is_not_said_to_be_held() -> None:
    camera, now = Camera(0), [0]
    steering = PiSteering(camera, Wishes(white_balance="lock"), lambda: now[0])
    steering.lock({})
    assert steering.notes == ["does not tell its white balance, so it cannot be held"]
    assert camera.set == [{"AfMode": 2}]


def test_a_refusal_of_libcamera_is_a_note() -> None:
    camera, now = Camera(0), [0]

    def refuse(controls: dict[str, Any]) -> None:
        raise RuntimeError("camera is stopped")

    camera.set_controls = refuse  # type: ignore[method-assign]
    camera.camera_controls.pop("AfMode")  # else it is set at once
    steering = PiSteering(camera, Wishes(exposure="lock", white_balance=5000.0), lambda: now[0])
    now[0] = 5000
    steering.lock(METADATA)
    assert steering.notes == [
        "refuses white balance 5000 K (camera is stopped)",
        "refuses to hold its exposure (camera is stopped)",
    ]


def test_a_note_reaches_the_source(module: Any) -> None:
    source, _ = run(wishes=Wishes(focus=99.0))
    assert source.notes == ("cannot do focus 99: 0 to 15",)
