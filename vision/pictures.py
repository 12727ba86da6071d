"""Pictures from files, refused with a reason before they can do harm: size is read from the header, then
decoded, a very large one at a half, a quarter or an eighth.

JPEG, PNG, WebP, BMP and GIF are read, of a moving picture the first frame. Other kinds are named in the
refusal; OpenCV could decode some of them, but nobody sends tiles as TIFF, and each decoder is a door.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from .errors import PictureRefused
from .picture_headers import Header, header_of, name_of, orientation_of

Image = NDArray[np.uint8]
Pixels = NDArray[Any]
"""Pixels as a file has them: any depth, 1 to 4 channels."""

MAX_FILE_BYTES = 64 * 1024 * 1024
MAX_PIXELS = 52_000_000
"""A photo of "50 megapixels" passes (8192 x 6144 are 50.3 million). Such a one takes 292 MiB as PNG or WebP,
189 as progressive JPEG (337 without subsampling), 82 as plain JPEG: what a Pi can spare."""
MAX_PIXELS_IN_ONE_PASS = 120_000_000
"""The same for a JPEG that can be shrunk while it is decoded: the whole picture is never in memory."""
MAX_ALPHA_BYTES = 128_000_000
"""Largest decoded picture with transparency: OpenCV holds its four channels twice, a GIF's four times."""
MAX_SIDE_PX = 30_000
LONG_SIDE_PX = 2_600
"""A picture is shrunk by 2, 4 or 8 as long as its long side stays at this or more. The finder looks at 1,230
pixels at most, the namer at 80 a tile, so 32 tiles side by side lose nothing."""

_STDERR = threading.Lock()
_DAMAGE = re.compile(r"Corrupt JPEG data: (bad|premature|\d{2,} extraneous)|Premature end of JPEG")
"""What libjpeg says of a picture part of whose pixels it made up: it hands that out as if it were whole.
A few spare bytes before the end, which many webcams leave, harm nothing."""
MOST_COMPLAINTS = 65_536
"""Bytes of them that are read."""
_NO_MEMORY = -4
"""OpenCV's `StsNoMem`."""
_REDUCED = {2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}
KINDS = "JPEG, PNG, WebP, BMP, GIF"


@dataclass(frozen=True, slots=True)
class Picture:
    """Pixels (h, w, 3) uint8 BGR, turned as the file's EXIF orientation says, and how many pixels of the
    (turned) file one of them is in x and y: 1 unless the file is very large."""

    image: Image
    shrink: tuple[float, float] = (1.0, 1.0)

    def box_in_file(self, box: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
        """Return a box of `image`, (x, y, w, h), in pixels of the file."""
        sx, sy = self.shrink
        x, y, w, h = box
        left, top, right, bottom = round(x * sx), round(y * sy), round((x + w) * sx), round((y + h) * sy)
        return left, top, right - left, bottom - top


def read_picture(path: Path, *, whole: bool = False) -> Picture:
    """Return the pixels of a picture file.

    Args:
        whole: never shrink (a calibration is for pictures of one size).

    Raises:
        PictureRefused: with code `not_found`, `directory`, `unreadable`, `empty`, `not_an_image`,
            `too_large` or `broken`.
    """
    data = _content(path)
    header = header_of(data)
    if header is None:
        raise _not_an_image(name_of(data))
    _check(header, whole)
    shrink = 1 if whole else _shrink_of(header)
    try:
        with _complaints() as complaints:
            image = _decoded(np.frombuffer(data, dtype=np.uint8), header, shrink)
    except (cv2.error, MemoryError) as error:
        if isinstance(error, MemoryError) or error.code == _NO_MEMORY:
            raise _no_room(header) from error
        raise _undecodable(header) from error
    if image is None or _DAMAGE.search(complaints.text):
        raise _undecodable(header)
    return Picture(image, _shrunk_by(image, header, shrink))


def _shrink_of(header: Header) -> int:
    """Return by how much a picture is shrunk while or after it is decoded: 1, 2, 4 or 8."""
    longest = max(header.width, header.height)
    return next((by for by in (8, 4, 2) if longest >= by * LONG_SIDE_PX), 1)


def _shrunk_by(image: Image, header: Header, shrink: int) -> tuple[float, float]:
    """Return the pixels of the file, turned or not, that one pixel of the image is in x and y."""
    if shrink == 1:
        return 1.0, 1.0
    (height, width), full = image.shape[:2], (header.width, header.height)
    if abs(width * shrink - full[0]) > abs(height * shrink - full[0]):  # turned by EXIF
        full = (header.height, header.width)
    return full[0] / width, full[1] / height


def _check(header: Header, whole: bool) -> None:
    """Refuse what cannot or must not be decoded."""
    width, height = header.width, header.height
    if width <= 0 or height <= 0:
        raise PictureRefused(
            "broken",
            f"the {header.kind} header is damaged or tells of no pixels: take or copy the picture again",
            f"{header.kind} 文件头损坏，或者没有像素：重新拍照或重新复制",
        )
    most = MAX_PIXELS_IN_ONE_PASS if header.in_one_pass and not whole else MAX_PIXELS
    layers = (8 if header.kind == "GIF" else 4) if header.has_alpha else 0
    if layers:
        most = min(most, MAX_ALPHA_BYTES * 8 // (layers * header.bits))
    if width * height > most or max(width, height) > MAX_SIDE_PX:
        raise PictureRefused(
            "too_large",
            f"{width} x {height} pixels, at most {most} are read: make the picture smaller",
            f"{width} x {height} 像素，最多读 {most} 像素：把图片缩小",
        )
    if not header.is_complete:
        raise PictureRefused(
            "broken",
            f"the {header.kind} file is cut off: copy it again, to its end",
            f"{header.kind} 文件不完整：重新完整地复制一遍",
        )


def _not_an_image(name: str | None) -> PictureRefused:
    en = "no picture" if name is None else f"a {name} file"
    zh = "不是图片" if name is None else f"这是 {name} 文件"
    return PictureRefused(
        "not_an_image", f"{en}: {KINDS} are read; save it as JPEG", f"{zh}：能读 {KINDS}，请存成 JPEG"
    )


def _undecodable(header: Header) -> PictureRefused:
    return PictureRefused(
        "broken",
        f"the {header.kind} picture is damaged and cannot be decoded: take or copy it again",
        f"{header.kind} 图片损坏，解不开：重新拍照或重新复制",
    )


def _no_room(header: Header) -> PictureRefused:
    return PictureRefused(
        "too_large",
        f"{header.width} x {header.height} pixels do not fit into the free memory: make the picture smaller",
        f"{header.width} x {header.height} 像素，空闲内存装不下：把图片缩小",
    )


def _decoded(data: Image, header: Header, shrink: int) -> Image | None:
    """Return the pixels BGR, None if they cannot be decoded."""
    if header.has_alpha:
        # with transparency OpenCV hands the picture out as it is stored, not as it is turned
        raw, kinds, notes = cv2.imdecodeWithMetadata(data, flags=cv2.IMREAD_UNCHANGED)
        if raw is not None and raw.ndim == 3 and raw.shape[2] == 4:
            exif = dict(zip(np.ravel(kinds).tolist(), notes, strict=True)).get(cv2.IMAGE_METADATA_EXIF)
            up = 1 if exif is None else orientation_of(bytes(exif))
            return _turned(_on_white(_smaller(raw, shrink)), up)
    if header.kind == "JPEG" and shrink > 1:
        reduced = cv2.imdecode(data, _REDUCED[shrink])
        return None if reduced is None else np.asarray(reduced, dtype=np.uint8)
    image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return None if image is None else np.asarray(_smaller(image, shrink), dtype=np.uint8)


def _smaller(image: Pixels, shrink: int) -> Pixels:
    if shrink == 1:
        return image
    height, width = image.shape[:2]
    size = (-(-width // shrink), -(-height // shrink))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA))


def _turned(image: Image, orientation: int) -> Image:
    """Return a picture as the EXIF orientation says that it is to be looked at."""
    if orientation >= 5:  # its sides change places
        image = image.transpose(1, 0, 2)
    if orientation in (2, 3, 6, 7):
        image = image[:, ::-1]
    if orientation in (3, 4, 7, 8):
        image = image[::-1]
    return np.ascontiguousarray(image)


def _on_white(image: Pixels) -> Image:
    """Return a picture with transparency (BGRA, 8 or 16 bits) as a browser shows it: on white."""
    depth = np.float32(np.iinfo(image.dtype).max)
    shown = np.empty((*image.shape[:2], 3), dtype=np.uint8)
    for top in range(0, len(image), 64):  # a few rows at a time: floats take four times the memory
        rows = image[top : top + 64].astype(np.float32) / depth
        alpha = rows[:, :, 3:]
        shown[top : top + 64] = np.rint(255.0 * (rows[:, :, :3] * alpha + (1.0 - alpha)))
    return shown


class _Complaints:
    """What was written to file descriptor 2 meanwhile; empty until the block has ended."""

    text = ""


@contextlib.contextmanager
def _complaints() -> Iterator[_Complaints]:
    """Collect what goes to file descriptor 2: libpng and libjpeg write their complaints there, whatever
    OpenCV's log level is. Whoever calls is told by the refusal."""
    said = _Complaints()
    with _STDERR, contextlib.ExitStack() as stack:
        aside = stack.enter_context(open(os.memfd_create("complaints"), "w+b"))
        try:
            kept = os.dup(2)
        except OSError:  # closed: it is opened for the time of this block
            stack.callback(os.close, 2)
        else:
            stack.callback(os.close, kept)
            stack.callback(os.dup2, kept, 2)
        sys.stderr.flush()
        os.dup2(aside.fileno(), 2)
        try:
            yield said
        finally:
            aside.seek(0)
            said.text = aside.read(MOST_COMPLAINTS).decode(errors="replace")


def _content(path: Path) -> bytes:
    """Return the bytes of a regular file; what is none (a pipe, a device) is never opened."""
    try:
        if path.is_dir():
            raise PictureRefused(
                "directory",
                "a folder, not a picture: name the pictures in it",
                "这是文件夹，不是图片：请写出里面的图片",
            )
        if not path.exists():
            raise PictureRefused(
                "not_found", "no such file: check its name and folder", "没有这个文件：检查文件名和文件夹"
            )
        if not path.is_file():
            raise PictureRefused(
                "not_an_image",
                "a device or a pipe, no file: save the picture to a file first",
                "这是设备或管道，不是文件：先把图片存成文件",
            )
        size = path.stat().st_size
        if size == 0:
            raise PictureRefused(
                "empty", "an empty file: take or copy the picture again", "文件是空的：重新拍照或重新复制"
            )
        if size > MAX_FILE_BYTES:
            raise PictureRefused(
                "too_large",
                f"{size} bytes, at most {MAX_FILE_BYTES} are read: save it as JPEG",
                f"{size} 字节，最多读 {MAX_FILE_BYTES} 字节：请存成 JPEG",
            )
        return path.read_bytes()
    except PictureRefused:
        raise
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise PictureRefused(
            "unreadable",
            f"cannot be read: {why}; check its permissions",
            f"读不了（{why}）：检查文件权限",
        ) from error
