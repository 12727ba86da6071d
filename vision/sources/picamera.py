"""The Raspberry Pi's own camera through picamera2, which comes with its system and is imported here only."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from vision.errors import CameraLost
from vision.wishes import SETTLE_MS, Wish, Wishes

from .capture import PACK_EVERY_MS, packed
from .frame import Clock, Frame, check_size, monotonic_ms
from .thread import DEVICE_PAUSE_MS, READ_TIMEOUT_MS, Frames, ThreadSource

INSTALL = (
    "picamera2 is not installed for this Python: sudo apt install python3-picamera2, and make the virtual "
    "environment with --system-site-packages"
)
AF_MANUAL, AF_CONTINUOUS = 0, 2
"""libcamera's AfModeEnum."""
BGR = "RGB888"
"""libcamera names the bytes from the last one on: this is B, G, R in memory, as OpenCV has it."""


class PicameraSource(ThreadSource):
    """A camera at the Pi's ribbon connector, by its number.

    Raises:
        ValueError: if picamera2 is not installed; says how.
    """

    reopen_pause_ms = DEVICE_PAUSE_MS

    def __init__(
        self,
        number: int = 0,
        *,
        wishes: Wishes | None = None,
        clock: Clock = monotonic_ms,
        on_frame: Callable[[Frame], None] | None = None,
    ) -> None:
        super().__init__(clock=clock, on_frame=on_frame)
        if "picamera2" not in sys.modules and importlib.util.find_spec("picamera2") is None:
            raise ValueError(INSTALL)
        self._number = number
        self._wishes = wishes or Wishes()

    def _frames(self) -> Frames:
        camera = self._opened()
        try:
            check_size(*self._wishes.size_px)
            yield from self._stream(camera)
        except TimeoutError as error:
            raise CameraLost("it stopped sending") from error
        except (RuntimeError, OSError) as error:
            if isinstance(error, CameraLost):
                raise
            raise CameraLost(f"it failed: {error}") from error
        finally:
            with contextlib.suppress(Exception):  # whatever a broken camera says to its end
                camera.close()

    def _opened(self) -> Any:
        try:
            module = importlib.import_module("picamera2")
            return module.Picamera2(self._number)
        except ImportError as error:
            raise CameraLost(f"picamera2 cannot be loaded: {error}") from error
        except IndexError as error:
            raise CameraLost(f"there is no Raspberry Pi camera {self._number}") from error
        except (RuntimeError, OSError) as error:
            why = error.__cause__ or error.__context__ or error  # picamera2 wraps what libcamera said
            if "busy" in f"{why} {error}".lower():
                raise CameraLost("it is held by another program") from error
            raise CameraLost(f"it cannot be opened: {why}") from error

    def _stream(self, camera: Any) -> Frames:
        main = {"size": self._wishes.size_px, "format": BGR}
        camera.configure(camera.create_video_configuration(main=main))
        camera.start()
        steering = PiSteering(camera, self._wishes, self._clock)
        self.remark(*steering.notes)
        due_ms = 0
        while True:
            request = camera.capture_request(wait=READ_TIMEOUT_MS / 1000)
            jpeg = None
            try:
                now_ms = self._clock()
                if now_ms >= due_ms:
                    due_ms = now_ms + PACK_EVERY_MS
                    jpeg = packed(request.make_array("main"))
                if steering.is_due:
                    steering.lock(request.get_metadata())
                    self.remark(*steering.notes)
            finally:
                request.release()
            if jpeg is not None:
                yield jpeg


@dataclass(frozen=True, slots=True)
class Knob:
    """A thing to set: the control of the value, what stops the camera from deciding, what a lock holds.

    Exposure and white balance need no word to stop: their values do it, and the words beside them (AeEnable,
    AwbEnable) have been applied after the values, or not at all (picamera2 issues 933, 1255, 1269).
    """

    name: str
    value: str
    steps_per_unit: float
    unit: str
    manual: dict[str, int]
    held: tuple[str, ...]


KNOBS = (
    # of a fixed exposure the gain stays automatic; of a held one it is held too
    Knob("exposure", "ExposureTime", 1000.0, " ms", {}, ("ExposureTime", "AnalogueGain")),
    Knob("focus", "LensPosition", 1.0, "", {"AfMode": AF_MANUAL}, ("LensPosition",)),
    Knob("white balance", "ColourTemperature", 1.0, " K", {}, ("ColourGains",)),
)


class PiSteering:
    """Carries out wishes on a camera that was just started; what it lacks becomes a note.

    libcamera forgets controls when a camera is closed, so whatever is not wished needs no undoing.
    """

    def __init__(self, camera: Any, wishes: Wishes, clock: Clock) -> None:
        self._camera, self._clock = camera, clock
        self._has: dict[str, tuple[Any, ...]] = camera.camera_controls
        self._locks: list[Knob] = []
        self.notes: list[str] = []
        wished = (wishes.exposure, wishes.focus, wishes.white_balance)
        for knob, wish in zip(KNOBS, wished, strict=True):
            self._begin(knob, wish)
        self._lock_ms = clock() + SETTLE_MS

    @property
    def is_due(self) -> bool:
        """Whether locks wait and the camera has had its time to decide."""
        return bool(self._locks) and self._clock() >= self._lock_ms

    def lock(self, metadata: dict[str, Any]) -> None:
        """Hold what the camera decided for the frame of this metadata."""
        locks, self._locks = self._locks, []
        for knob in locks:
            held = {key: metadata[key] for key in knob.held if key in metadata and key in self._has}
            if not held and not knob.manual:
                self.notes.append(f"does not tell its {knob.name}, so it cannot be held")
            elif self._apply(f"to hold its {knob.name}", {**knob.manual, **held}):
                value = held.get(knob.value)
                at = "" if value is None else f" at {value / knob.steps_per_unit:g}{knob.unit}"
                self.notes.append(f"holds its {knob.name}{at}")

    def _begin(self, knob: Knob, wish: Wish) -> None:
        if isinstance(wish, str):
            if knob.name == "focus" and "AfMode" in self._has:
                self._camera.set_controls({"AfMode": AF_CONTINUOUS})
            if wish == "lock" and not {knob.value, *knob.held} & set(self._has):
                self.notes.append(f"has no {knob.name} that could be set")
            elif wish == "lock":
                self._locks.append(knob)
        elif knob.value not in self._has:
            self.notes.append(f"has no {knob.name} that could be set")
        else:
            self._set(knob, wish)

    def _set(self, knob: Knob, wish: float) -> None:
        said = f"{knob.name} {wish:g}{knob.unit}"
        least, greatest = (limit / knob.steps_per_unit for limit in self._has[knob.value][:2])
        if not least <= wish <= greatest:
            self.notes.append(f"cannot do {said}: {least:g} to {greatest:g}{knob.unit}")
            return
        value = wish * knob.steps_per_unit
        self._apply(said, {**knob.manual, knob.value: value if knob.name == "focus" else round(value)})

    def _apply(self, said: str, controls: dict[str, Any]) -> bool:
        try:
            self._camera.set_controls({key: controls[key] for key in controls if key in self._has})
        except (RuntimeError, ValueError) as error:
            self.notes.append(f"refuses {said} ({error})")
            return False
        return True
