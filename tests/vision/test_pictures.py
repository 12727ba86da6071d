"""Picture files are refused with a reason before they can do harm."""

from __future__ import annotations

import contextlib
import os
import struct
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import PictureRefused
from vision.pictures import MAX_PIXELS, picture_size, read_picture


def png(width: int, height: int) -> bytes:
    """A PNG header that promises any size, with hardly any pixels behind it."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0" * 100))
        + chunk(b"IEND", b"")
    )


def jpeg_bytes(width: int = 40, height: int = 30) -> bytes:
    image = np.zeros((height, width, 3), np.uint8)
    image[: height // 2] = (0, 0, 255)
    return bytes(cv2.imencode(".jpg", image)[1])


@pytest.mark.parametrize(
    ("content", "code"),
    [
        pytest.param(b"", "empty", id="empty"),
        pytest.param(b"hello", "not_an_image", id="text"),
        pytest.param(b"GIF89a" + bytes(40), "not_an_image", id="gif"),
        pytest.param(jpeg_bytes()[:60], "broken", id="jpeg cut in its header"),
        pytest.param(b"\x89PNG\r\n\x1a\n", "broken", id="png cut in its header"),
        pytest.param(b"\x89PNG\r\n\x1a\n" + bytes(50), "broken", id="png of zeros"),
        pytest.param(png(60_000, 60_000), "too_large", id="png bomb"),
        pytest.param(png(40_000, 1), "too_large", id="png line"),
        pytest.param(png(0, 10), "broken", id="png without pixels"),
        pytest.param(b"\xff\xd8\xff" + b"\xff" * 500, "broken", id="jpeg of fill bytes"),
    ],
)
def test_refused_with_a_code(tmp_path: Path, content: bytes, code: str) -> None:
    path = tmp_path / "picture.jpg"
    path.write_bytes(content)
    with pytest.raises(PictureRefused) as refused:
        read_picture(path)
    assert refused.value.code == code
    assert str(refused.value)


GOOD_PNG = bytes(cv2.imencode(".png", np.full((40, 50, 3), 90, np.uint8))[1])


def _with_wrong_crc(data: bytes) -> bytes:
    at = data.index(b"IDAT") + 6
    return data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(GOOD_PNG[: len(GOOD_PNG) // 2], id="png cut in its pixels"),
        pytest.param(_with_wrong_crc(GOOD_PNG), id="png with a wrong crc"),
        pytest.param(png(2000, 2000), id="png with hardly any pixels"),
        pytest.param(GOOD_PNG[:33] + GOOD_PNG[-12:], id="png without data"),
        pytest.param(jpeg_bytes()[:-40] + b"\0\0\xff\xd0", id="jpeg with rubbish at its end"),
    ],
)
def test_broken_pixels_are_told_in_our_words_only(
    tmp_path: Path, content: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    """The decoders write lines of their own to file descriptor 2."""
    path = tmp_path / "picture"
    path.write_bytes(content)
    with contextlib.suppress(PictureRefused):
        assert read_picture(path).ndim == 3
    assert capfd.readouterr().err == ""
    print("still there", file=sys.stderr)
    assert capfd.readouterr().err == "still there\n"


def test_a_huge_picture_in_a_small_file_is_not_decoded(tmp_path: Path) -> None:
    path = tmp_path / "huge.png"
    path.write_bytes(png(8_000, 8_000))
    with pytest.raises(PictureRefused) as refused:
        read_picture(path)
    assert refused.value.code == "too_large"


def test_folders_devices_and_missing_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, code in (
        (tmp_path, "directory"),
        (tmp_path / "no", "not_found"),
        (tmp_path / "pipe", "not_an_image"),
    ):
        with pytest.raises(PictureRefused) as refused:
            read_picture(path)
        assert refused.value.code == code


def test_huge_files_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.jpg"
    with path.open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    with pytest.raises(PictureRefused) as refused:
        read_picture(path)
    assert refused.value.code == "too_large"


def test_size_is_told_by_the_header() -> None:
    assert picture_size(jpeg_bytes(40, 30)) == (40, 30)
    assert picture_size(png(123, 45)) == (123, 45)
    assert picture_size(b"BM") is None
    assert MAX_PIXELS >= 48_000_000


def test_exif_orientation_is_applied(tmp_path: Path) -> None:
    tiff = b"II*\0\x08\0\0\0\x01\0" + struct.pack("<HHIHH", 0x0112, 3, 1, 6, 0) + b"\0\0\0\0"
    exif = b"Exif\0\0" + tiff
    plain = jpeg_bytes(40, 30)
    path = tmp_path / "turned.jpg"
    path.write_bytes(plain[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + plain[2:])
    image = read_picture(path)
    assert image.shape == (40, 30, 3)
    assert image[20, 27, 2] > 200  # the red upper half now lies right
    assert image[20, 2, 2] < 60


@pytest.mark.parametrize("flags", [cv2.IMREAD_GRAYSCALE])
def test_grey_pictures_are_read_in_colour(tmp_path: Path, flags: int) -> None:
    path = tmp_path / "grey.png"
    path.write_bytes(bytes(cv2.imencode(".png", np.full((8, 9), 77, np.uint8))[1]))
    assert read_picture(path).shape == (8, 9, 3)
