"""The controls of a V4L2 camera (exposure, focus, white balance), by ioctl on a file of their own.

OpenCV sets controls too, but prints a line for each that a camera lacks and tells no range. The numbers are
those of <linux/videodev2.h> and <linux/v4l2-controls.h>; they are the same on x86-64 and aarch64.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from dataclasses import dataclass
from typing import Protocol

from vision.errors import CameraLost
from vision.wishes import SETTLE_MS, Wish, Wishes

from .frame import Clock

_CAPABILITY = struct.Struct("=16s32s32sIII12x")
_QUERY = struct.Struct("=II32siiiiI8x")
_CONTROL = struct.Struct("=Ii")
_READ, _WRITE = 2, 1


def _request(direction: int, number: int, size: int) -> int:
    """Return the number of a V4L2 request, as the macros _IOR and _IOWR make it."""
    return direction << 30 | size << 16 | ord("V") << 8 | number


QUERYCAP = _request(_READ, 0, _CAPABILITY.size)
G_CTRL = _request(_READ | _WRITE, 27, _CONTROL.size)
S_CTRL = _request(_READ | _WRITE, 28, _CONTROL.size)
QUERYCTRL = _request(_READ | _WRITE, 36, _QUERY.size)
CAP_CAPTURE, CAP_DEVICE_CAPS = 0x1001, 0x8000_0000  # single and multi-planar
FLAG_DISABLED = 0x1


@dataclass(frozen=True, slots=True)
class Knob:
    """A thing to set: the control that says who decides, its values, the control of the value itself."""

    name: str
    who: int
    camera_decides: tuple[int, ...]
    we_decide: int
    value: int
    steps_per_unit: float
    unit: str


KNOBS = (
    # aperture priority is what webcams have (the shutter moves), plain auto what a few others have
    Knob("exposure", 0x009A_0901, (3, 0), 1, 0x009A_0902, 10.0, " ms"),  # in steps of 100 us
    Knob("focus", 0x009A_090C, (1,), 0, 0x009A_090A, 1.0, ""),
    Knob("white balance", 0x0098_090C, (1,), 0, 0x0098_091A, 1.0, " K"),
)


class Controls(Protocol):
    """What `Steering` needs of a device."""

    def range(self, control: int) -> tuple[int, int] | None:
        """Return the least and the greatest value, None if there is no such control."""

    def get(self, control: int) -> int:
        """Return the value; OSError if it is refused."""

    def set(self, control: int, value: int) -> None:
        """Set the value; OSError if it is refused."""


class ControlFile:
    """The device, opened for its controls alone: V4L2 lets a second file do so while the first streams.

    Raises:
        CameraLost: if it cannot be opened or is no camera, with the reason.
    """

    def __init__(self, path: str) -> None:
        try:
            self._file = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            raise CameraLost(open_words(path, error)) from error
        try:
            self._check(path)
        except CameraLost:
            self.close()
            raise

    def _check(self, path: str) -> None:
        data = bytearray(_CAPABILITY.size)
        try:
            fcntl.ioctl(self._file, QUERYCAP, data)
        except OSError as error:
            raise CameraLost(f"{path} is no camera") from error
        *_, capabilities, device = _CAPABILITY.unpack(data)
        able = device if capabilities & CAP_DEVICE_CAPS else capabilities
        if not able & CAP_CAPTURE:
            raise CameraLost(f"{path} sends no pictures: a camera has several numbers, try the one before")

    def range(self, control: int) -> tuple[int, int] | None:
        """See `Controls.range`."""
        data = bytearray(_QUERY.pack(control, 0, b"", 0, 0, 0, 0, 0))
        try:
            fcntl.ioctl(self._file, QUERYCTRL, data)
        except OSError:
            return None
        _, _, _, least, greatest, _, _, flags = _QUERY.unpack(data)
        return None if flags & FLAG_DISABLED else (least, greatest)

    def get(self, control: int) -> int:
        """See `Controls.get`."""
        data = bytearray(_CONTROL.pack(control, 0))
        fcntl.ioctl(self._file, G_CTRL, data)
        return int(_CONTROL.unpack(data)[1])

    def set(self, control: int, value: int) -> None:
        """See `Controls.set`."""
        fcntl.ioctl(self._file, S_CTRL, bytearray(_CONTROL.pack(control, value)))

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def open_words(path: str, error: OSError) -> str:
    """Return what is wrong with a device that cannot be opened, and what to do.

    >>> open_words("/dev/video0", OSError(errno.EACCES, "Permission denied"))
    '/dev/video0 may not be used by this user (group video?)'
    """
    known = {
        errno.ENOENT: "there is no {}",
        errno.ENODEV: "there is no camera behind {}",
        errno.ENXIO: "there is no camera behind {}",
        errno.EACCES: "{} may not be used by this user (group video?)",
        errno.EPERM: "{} may not be used by this user (group video?)",
        errno.EBUSY: "{} is held by another program",
    }
    return known.get(error.errno or 0, f"{{}} cannot be opened ({error.strerror or error})").format(path)


class Steering:
    """Carries out wishes on a camera that has just been opened; what is refused becomes a note.

    `step` is called with every frame: a lock is set when the camera has had `SETTLE_MS` to decide.
    """

    def __init__(self, device: Controls, wishes: Wishes, clock: Clock) -> None:
        self._device, self._clock = device, clock
        self._locks: list[Knob] = []
        self.notes: list[str] = []
        wished = (wishes.exposure, wishes.focus, wishes.white_balance)
        for knob, wish in zip(KNOBS, wished, strict=True):
            self._begin(knob, wish)
        self._lock_ms = clock() + SETTLE_MS

    def step(self) -> bool:
        """Set the locks if it is time; return whether there is something new in `notes`."""
        if not self._locks or self._clock() < self._lock_ms:
            return False
        locks, self._locks = self._locks, []
        for knob in locks:
            self._lock(knob)
        return True

    def _begin(self, knob: Knob, wish: Wish) -> None:
        device = self._device
        if wish != "auto" and device.range(knob.who) is None and device.range(knob.value) is None:
            self.notes.append(f"has no {knob.name} that could be set")
        elif isinstance(wish, str):
            self._let_camera_decide(knob)
            if wish == "lock":
                self._locks.append(knob)
        else:
            self._set(knob, wish)

    def _let_camera_decide(self, knob: Knob) -> None:
        """Try what the camera may know; one that knows none decides always or never."""
        if self._device.range(knob.who) is None:
            return
        for value in knob.camera_decides:
            try:
                self._device.set(knob.who, value)
            except OSError:
                continue
            return

    def _set(self, knob: Knob, wish: float) -> None:
        said = f"{knob.name} {wish:g}{knob.unit}"
        limits = self._device.range(knob.value)
        if limits is None:
            self.notes.append(f"has no {knob.name} that could be set")
            return
        least, greatest = (limit / knob.steps_per_unit for limit in limits)
        if not least <= wish <= greatest:
            self.notes.append(f"cannot do {said}: {least:g} to {greatest:g}{knob.unit}")
            return
        try:
            self._decide(knob, round(wish * knob.steps_per_unit))
        except OSError as error:
            self.notes.append(f"refuses {said} ({error.strerror})")

    def _lock(self, knob: Knob) -> None:
        """Hold what the camera decided; one that does not tell its value holds what it has."""
        device = self._device
        try:
            value = device.get(knob.value) if device.range(knob.value) is not None else None
            self._decide(knob, value)
        except OSError as error:
            self.notes.append(f"refuses to hold its {knob.name} ({error.strerror})")
            return
        at = "" if value is None else f" at {value / knob.steps_per_unit:g}{knob.unit}"
        self.notes.append(f"holds its {knob.name}{at}")

    def _decide(self, knob: Knob, value: int | None) -> None:
        """Take the decision from the camera, then set the value: the other way round is refused."""
        if self._device.range(knob.who) is not None:
            self._device.set(knob.who, knob.we_decide)
        if value is not None:
            self._device.set(knob.value, value)
