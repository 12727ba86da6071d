"""From the option `--camera` to the source that reads it."""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from vision.wishes import NOT_FROM_HERE, Wishes

from .address import told_address
from .files import FileSource
from .frame import Clock, Frame, monotonic_ms
from .mjpeg import MjpegSource
from .picamera import PicameraSource
from .rtsp import RtspSource
from .thread import ThreadSource
from .v4l2 import V4l2Source

Source: TypeAlias = ThreadSource | FileSource


def open_source(
    camera: str,
    *,
    wishes: Wishes | None = None,
    clock: Clock = monotonic_ms,
    on_frame: Callable[[Frame], None] | None = None,
) -> Source:
    """Return the source for the option `--camera`, not opened yet.

    Args:
        camera: an http(s) or rtsp(s) address, the number or path of a V4L2 device, `picamera2` or
            `picamera2:N`, or a picture or folder of pictures.
        wishes: exposure, focus, white balance and size; where they cannot be set, a note says so.
    Raises:
        ValueError: if it is none of these; the text names no password.
    """
    wishes = wishes or Wishes()
    picamera = re.fullmatch(r"picamera2(?::(\d+))?", camera)
    if picamera:
        number = int(picamera.group(1) or 0)
        return PicameraSource(number, wishes=wishes, clock=clock, on_frame=on_frame)
    if camera.isdecimal() or camera.startswith("/dev/") or Path(camera).is_char_device():
        device = int(camera) if camera.isdecimal() else camera
        return V4l2Source(device, wishes=wishes, clock=clock, on_frame=on_frame)
    if "://" in camera:
        source = _from_network(camera, clock, on_frame)
        if not wishes.is_plain:
            source.remark(NOT_FROM_HERE)
        return source
    if not Path(camera).exists():
        raise ValueError(
            f"no camera at {told_address(camera)!r}: give an http or rtsp address, a number, picamera2 or a "
            "folder of pictures"
        )
    return FileSource(camera, clock=clock)


def _from_network(camera: str, clock: Clock, on_frame: Callable[[Frame], None] | None) -> ThreadSource:
    told = told_address(camera)
    try:
        parts = urllib.parse.urlsplit(camera)
        scheme, _ = parts.scheme, parts.port
    except ValueError as error:
        raise ValueError(
            f"the port of a camera address is a number, and a name or password with / ? # @ : is written "
            f"with %: {told!r}"
        ) from error
    kinds: dict[str, Callable[[], ThreadSource]] = {
        "http": lambda: MjpegSource(camera, clock=clock, on_frame=on_frame),
        "https": lambda: MjpegSource(camera, clock=clock, on_frame=on_frame),
        "rtsp": lambda: RtspSource(camera, clock=clock, on_frame=on_frame),
        "rtsps": lambda: RtspSource(camera, clock=clock, on_frame=on_frame),
    }
    if scheme not in kinds:
        raise ValueError(f"a camera address starts with http://, https:// or rtsp://, not {told!r}")
    try:
        return kinds[scheme]()
    except ValueError as error:
        raise ValueError(f"{error}: {told!r}") from error
