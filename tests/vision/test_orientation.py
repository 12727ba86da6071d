"""A picture is read as its EXIF note says that it is to be looked at, whatever kind of file it is."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.picture_headers import orientation_of
from vision.pictures import read_picture


def encoded(kind: str, image: np.ndarray) -> bytes:
    return bytes(cv2.imencode(kind, image)[1])


def half_red(height: int, width: int) -> np.ndarray:
    image = np.zeros((height, width, 3), np.uint8)
    image[: height // 2] = (0, 0, 255)
    return image


def tiff_note(orientation: int, order: str = "<") -> bytes:
    """The EXIF note of an orientation, 1 to 8, behind a tag that says nothing about it."""
    start = {"<": b"II*\0", ">": b"MM\0*"}[order] + struct.pack(order + "I", 8)
    entries = struct.pack(order + "HHHIHHHHIHH", 2, 0x0102, 3, 1, 8, 0, 0x0112, 3, 1, orientation, 0)
    return start + entries + bytes(4)


def turned_jpeg(image: np.ndarray) -> bytes:
    """A JPEG with the EXIF note that its left side is up."""
    plain = encoded(".jpg", image)
    exif = b"Exif\0\0" + tiff_note(6)
    return plain[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + plain[2:]


def test_exif_orientation_is_applied(tmp_path: Path) -> None:
    path = tmp_path / "turned.jpg"
    path.write_bytes(turned_jpeg(half_red(30, 40)))
    image = read_picture(path).image
    assert image.shape == (40, 30, 3)
    assert image[20, 27, 2] > 200  # the red upper half now lies right
    assert image[20, 2, 2] < 60


@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_applied_to_pictures_with_transparency(tmp_path: Path, orientation: int) -> None:
    """As OpenCV does it where there is none."""
    image = np.zeros((30, 40, 4), np.uint8)
    image[:15, :, 2], image[:, :20, 1], image[..., 3] = 200, 150, 255
    plain, shown = encoded(".png", image), encoded(".png", image[..., :3])
    exif = b"eXIf" + tiff_note(orientation, "<>"[orientation % 2])
    note = struct.pack(">I", len(exif) - 4) + exif + struct.pack(">I", zlib.crc32(exif))
    for name, data in (("alpha", plain), ("none", shown)):
        (tmp_path / name).write_bytes(data[:33] + note + data[33:])
    turned, wanted = (read_picture(tmp_path / name).image for name in ("alpha", "none"))
    np.testing.assert_array_equal(turned, wanted)
    assert (turned.shape == (40, 30, 3)) is (orientation >= 5)


@pytest.mark.parametrize(
    "note",
    [b"", b"II*\0", b"Exif\0\0", b"MM\0*\xff\xff\xff\xff", tiff_note(9), tiff_note(0), tiff_note(6)[:-8]],
)
def test_a_note_that_says_nothing_turns_nothing(note: bytes) -> None:
    assert orientation_of(note) == 1
    assert orientation_of(b"Exif\0\0" + tiff_note(8, ">")) == 8


def test_a_turned_picture_is_shrunk_as_it_is_turned(tmp_path: Path) -> None:
    path = tmp_path / "turned.jpg"
    path.write_bytes(turned_jpeg(np.zeros((601, 5401, 3), np.uint8)))
    picture = read_picture(path)
    assert picture.image.shape == (2701, 301, 3)
    assert picture.box_in_file((0, 0, 301, 2701)) == (0, 0, 601, 5401)
