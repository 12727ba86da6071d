"""Frames from a camera: one thread drains the stream all the time, the latest frame wins, raw JPEG bytes are
kept.

A photo request passes the time of its asking and gets only a frame that arrived after it. A camera that
stops is released and opened again; one that sends the same bytes (`FreezeWatch`) or sees nothing
(`BlindWatch`) is found out within two seconds. How to choose and set a camera: docs/camera.md.
"""

from __future__ import annotations

from vision.wishes import MAX_FRAME_PIXELS, Wish, Wishes

from .address import told_address
from .files import FileSource
from .frame import (
    MAX_FRAME_BYTES,
    Clock,
    Frame,
    FrameSource,
    SourceState,
    check_frame,
    decode,
    monotonic_ms,
)
from .mjpeg import MjpegSource
from .opening import open_source
from .picamera import PicameraSource
from .rtsp import RtspSource
from .thread import ThreadSource
from .v4l2 import V4l2Source
from .watch import BlindWatch, FreezeWatch

__all__ = [
    "MAX_FRAME_BYTES",
    "MAX_FRAME_PIXELS",
    "BlindWatch",
    "Clock",
    "FileSource",
    "Frame",
    "FrameSource",
    "FreezeWatch",
    "MjpegSource",
    "PicameraSource",
    "RtspSource",
    "SourceState",
    "ThreadSource",
    "V4l2Source",
    "Wish",
    "Wishes",
    "check_frame",
    "decode",
    "monotonic_ms",
    "open_source",
    "told_address",
]
