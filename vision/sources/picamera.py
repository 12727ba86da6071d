"""The Raspberry Pi's own camera through picamera2, which comes with its system and is imported here only."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import sys
from collections.abc import Callable
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


class PiSteering:
    """Carries out wishes on a camera that was just started; what it lacks becomes a note.

    libcamera forgets controls when a camera is closed, so whatever is not wished needs no undoing.
    """

    def __init__(self, camera: Any, wishes: Wishes, clock: Clock) -> None:
        self._camera, self._clock = camera, clock
        self._locks: list[str] = []
        self.notes: list[str] = []
        self._begin("exposure", wishes.exposure, "ExposureTime")
        self._begin("focus", wishes.focus, "LensPosition")
        self._begin("white balance", wishes.white_balance, "AwbEnable")
        self._lock_ms = clock() + SETTLE_MS

    @property
    def is_due(self) -> bool:
        """Whether locks wait and the camera has had its time to decide."""
        return bool(self._locks) and self._clock() >= self._lock_ms

    def _begin(self, name: str, wish: Wish, control: str) -> None:
        has = self._camera.camera_controls
        if control not in has:
            if wish != "auto":
                self.notes.append(f"has no {name} that could be set")
            return
        if wish == "lock":
            self._locks.append(name)
        if isinstance(wish, int | float):
            self._set(name, float(wish))
        elif name == "focus" and "AfMode" in has:
            self._camera.set_controls({"AfMode": AF_CONTINUOUS})

    def _set(self, name: str, value: float) -> None:
        if name == "exposure":
            self._try(f"exposure {value:g} ms", {"AeEnable": False}, "ExposureTime", round(value * 1000))
        elif name == "focus":
            self._try(f"focus {value:g}", {"AfMode": AF_MANUAL}, "LensPosition", value)
        else:
            self._try(f"white balance {value:g} K", {"AwbEnable": False}, "ColourTemperature", round(value))

    def _try(self, said: str, manual: dict[str, Any], control: str, value: float) -> None:
        has = self._camera.camera_controls
        if control not in has:
            self.notes.append(f"cannot do {said}: it has no {control}")
            return
        least, greatest = has[control][:2]
        if not least <= value <= greatest:
            self.notes.append(f"cannot do {said}: {control} is {least:g} to {greatest:g}")
            return
        self._apply(said, {**{key: off for key, off in manual.items() if key in has}, control: value})

    def lock(self, metadata: dict[str, Any]) -> None:
        """Hold what the camera decided for the frame of this metadata."""
        kinds: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
            "exposure": ({"AeEnable": False}, ("ExposureTime", "AnalogueGain")),
            "focus": ({"AfMode": AF_MANUAL}, ("LensPosition",)),
            "white balance": ({"AwbEnable": False}, ("ColourGains",)),
        }
        has, locks = self._camera.camera_controls, self._locks
        self._locks = []
        for name in locks:
            manual, keys = kinds[name]
            held = {key: metadata[key] for key in keys if key in metadata and key in has}
            if self._apply(f"to hold its {name}", {**{k: v for k, v in manual.items() if k in has}, **held}):
                self.notes.append(f"holds its {name}{_at(name, held)}")

    def _apply(self, said: str, controls: dict[str, Any]) -> bool:
        try:
            self._camera.set_controls(controls)
        except (RuntimeError, ValueError) as error:
            self.notes.append(f"refuses {said} ({error})")
            return False
        return True


def _at(name: str, held: dict[str, Any]) -> str:
    if name == "exposure" and "ExposureTime" in held:
        return f" at {held['ExposureTime'] / 1000:g} ms"
    if name == "focus" and "LensPosition" in held:
        return f" at {held['LensPosition']:g}"
    return ""
