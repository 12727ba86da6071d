"""Pictures from files, refused with a reason before they can do harm: size is read from the header, then
decoded."""

from __future__ import annotations

import contextlib
import os
import struct
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from .errors import PictureRefused

Image = NDArray[np.uint8]

MAX_FILE_BYTES = 64 * 1024 * 1024
MAX_PIXELS = 50_000_000
"""A 48-megapixel phone photo passes; 50 million pixels are 150 MB decoded, what a Pi can spare."""
MAX_SIDE_PX = 30_000

_STDERR = threading.Lock()
_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG_SIZE_MARKERS = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_JPEG_BARE_MARKERS = frozenset({0x01, *range(0xD0, 0xD8)})


def read_picture(path: Path) -> Image:
    """Return the pixels (h, w, 3) uint8 BGR of a JPEG or PNG file, turned as its EXIF orientation says.

    Raises:
        PictureRefused: with code `not_found`, `directory`, `unreadable`, `empty`, `not_an_image`,
        `too_large` or
            `broken`.
    """
    data = _content(path)
    size = picture_size(data)
    if size is None:
        raise PictureRefused("not_an_image", "neither JPEG nor PNG")
    width, height = size
    if width <= 0 or height <= 0:
        raise PictureRefused("broken", "a picture without pixels")
    if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE_PX:
        raise PictureRefused("too_large", f"{width} x {height} pixels, at most {MAX_PIXELS} are read")
    try:
        with _quiet_stderr():
            image = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise PictureRefused("broken", "the picture cannot be decoded") from error
    if image is None:
        raise PictureRefused("broken", "the picture cannot be decoded")
    return np.asarray(image, dtype=np.uint8)


@contextlib.contextmanager
def _quiet_stderr() -> Iterator[None]:
    """Send file descriptor 2 nowhere: libpng and libjpeg write their complaints there, whatever OpenCV's log
    level is. Whoever calls is told by the refusal."""
    with _STDERR, contextlib.ExitStack() as stack:
        try:
            kept = os.dup(2)
        except OSError:  # closed: nothing can be written
            yield
            return
        stack.callback(os.close, kept)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        stack.callback(os.close, nowhere)
        sys.stderr.flush()
        os.dup2(nowhere, 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)


def _content(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise PictureRefused("directory", "a folder, not a picture")
        if not path.exists():
            raise PictureRefused("not_found", "no such file")
        if not path.is_file():
            raise PictureRefused("not_an_image", "no regular file")
        size = path.stat().st_size
        if size == 0:
            raise PictureRefused("empty", "an empty file")
        if size > MAX_FILE_BYTES:
            raise PictureRefused("too_large", f"{size} bytes, at most {MAX_FILE_BYTES} are read")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        if isinstance(error, PictureRefused):
            raise
        raise PictureRefused("unreadable", getattr(error, "strerror", None) or str(error)) from error


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Return (width, height) from the header of a PNG or JPEG, None if it is neither; (0, 0) for a cut-off
    header."""
    if data.startswith(_PNG):
        if len(data) < 24 or data[12:16] != b"IHDR":
            return 0, 0
        width, height = struct.unpack(">II", data[16:24])
        return int(width), int(height)
    if data.startswith(b"\xff\xd8\xff"):
        return _jpeg_size(data)
    return None


def _jpeg_size(data: bytes) -> tuple[int, int]:
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            return 0, 0
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in _JPEG_SIZE_MARKERS:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return int(width), int(height)
        elif marker in _JPEG_BARE_MARKERS:
            at += 2
        else:
            at += 2 + int(struct.unpack(">H", data[at + 2 : at + 4])[0])
    return 0, 0
