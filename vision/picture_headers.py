"""What the first bytes of a picture file promise: kind, size, transparency, and whether it is all there.

Read before anything is decoded, so that a small file cannot ask for much memory.

Sources: ITU T.81 B.1 (JPEG markers), PNG specification 5 and 11.2, WebP container specification, GIF89a
section 18, BITMAPFILEHEADER and BITMAPINFOHEADER.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Literal

Kind = Literal["JPEG", "PNG", "WebP", "GIF", "BMP"]

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG_SIZE_MARKERS = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_JPEG_BARE_MARKERS = frozenset({0x01, *range(0xD0, 0xD8)})
_JPEG_SCAN, _JPEG_END = 0xDA, b"\xff\xd9"
_JPEG_IN_ONE_PASS = frozenset({0xC0, 0xC1})
_WEBP_ALPHA = 0x10
_ORIENTATION, _SHORT = 0x0112, 3

# Brands of the box "ftyp", bytes 8 to 11 of the file.
_BOX_NAMES = {
    **dict.fromkeys((b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1"), "HEIC"),
    **dict.fromkeys((b"avif", b"avis"), "AVIF"),
}
_NAMES = (
    (b"II*\0", "TIFF"), (b"MM\0*", "TIFF"), (b"%PDF", "PDF"), (b"\0\0\0\x0cjP", "JPEG 2000"),
    (b"\xff\x4f\xff\x51", "JPEG 2000"), (b"\0\0\0\x0cJXL", "JPEG XL"), (b"\xff\x0a", "JPEG XL"),
    (b"<svg", "SVG"), (b"8BPS", "Photoshop"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Header:
    """What a file promises. `width` and `height` in pixels before it is turned, 0 for a damaged header;
    `in_one_pass`: rows can be decoded without keeping the whole picture (not progressive)."""

    kind: Kind
    width: int = 0
    height: int = 0
    bits: int = 8
    has_alpha: bool = False
    in_one_pass: bool = False
    is_complete: bool = True


def header_of(data: bytes) -> Header | None:
    """Return what a JPEG, PNG, WebP, GIF or BMP file promises; None if it is none of them."""
    if data.startswith(b"\xff\xd8\xff"):
        return _jpeg(data)
    if data.startswith(_PNG):
        return _png(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp(data)
    if data[:6] in (b"GIF87a", b"GIF89a"):
        if len(data) < 13:
            return Header("GIF")
        width, height = struct.unpack_from("<HH", data, 6)
        return Header("GIF", width, height, has_alpha=data[:6] == b"GIF89a")
    if data.startswith(b"BM") and len(data) >= 26 and data[6:10] == bytes(4):
        return _bmp(data)
    return None


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Return (width, height) as the header tells them, None if it is no picture; (0, 0) for a damaged one."""
    header = header_of(data)
    return None if header is None else (header.width, header.height)


def name_of(data: bytes) -> str | None:
    """Return what other kind of file this is, for people; None if nobody knows."""
    if data[4:8] == b"ftyp":
        return _BOX_NAMES.get(data[8:12], "MP4")
    return next((name for first, name in _NAMES if data.lstrip()[:16].startswith(first)), None)


def orientation_of(exif: bytes) -> int:
    """Return how a picture is to be turned, 1 to 8, by its EXIF note; 1 (as it is) if that says nothing.

    Source: TIFF 6.0 section 2 (header, directory of 12-byte entries), Exif 2.32 4.6.4 (tag 0x0112).
    """
    tiff = exif.removeprefix(b"Exif\0\0")
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(tiff[:4])
    if order is None or len(tiff) < 8:
        return 1
    at = int(struct.unpack_from(order + "I", tiff, 4)[0])
    if at + 2 > len(tiff):
        return 1
    entries = int(struct.unpack_from(order + "H", tiff, at)[0])
    for entry in range(at + 2, min(at + 2 + 12 * entries, len(tiff) - 11), 12):
        tag, kind, count, value = struct.unpack_from(order + "HHIH", tiff, entry)
        if (tag, kind, count) == (_ORIENTATION, _SHORT, 1):
            return int(value) if 1 <= value <= 8 else 1
    return 1


def _jpeg(data: bytes) -> Header:
    at, size, in_one_pass = 2, (0, 0), False
    while at + 9 < len(data):
        if data[at] != 0xFF or data[at + 1] == 0:  # libjpeg skips FF 00, and may find another size behind it
            return Header("JPEG")
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in _JPEG_BARE_MARKERS:
            at += 2
        elif marker == _JPEG_SCAN:
            return Header("JPEG", *size, in_one_pass=in_one_pass, is_complete=data.find(_JPEG_END, at) >= 0)
        else:
            if marker in _JPEG_SIZE_MARKERS:
                height, width = struct.unpack_from(">HH", data, at + 5)
                size, in_one_pass = (width, height), marker in _JPEG_IN_ONE_PASS
            at += 2 + int(struct.unpack_from(">H", data, at + 2)[0])
    return Header("JPEG", *size, is_complete=False)


def _png(data: bytes) -> Header:
    if len(data) < 33 or data[12:16] != b"IHDR":
        return Header("PNG")
    width, height, bits, colour = struct.unpack_from(">IIBB", data, 16)
    has_alpha, at = colour in (4, 6), 8
    while at + 12 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        has_alpha |= kind == b"tRNS"
        at += 12 + size
        if kind == b"IEND":
            break
    else:
        return Header("PNG", width, height, bits, has_alpha, is_complete=False)
    return Header("PNG", width, height, bits, has_alpha, is_complete=at <= len(data))


def _webp(data: bytes) -> Header:
    if len(data) < 30:
        return Header("WebP")
    kind, is_complete = data[12:16], len(data) >= struct.unpack_from("<I", data, 4)[0] + 8
    has_alpha = False
    if kind == b"VP8X":
        width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
        has_alpha = bool(data[20] & _WEBP_ALPHA)
    elif kind == b"VP8L" and data[20] == 0x2F:
        packed = struct.unpack_from("<I", data, 21)[0]
        width, height = (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1
        has_alpha = bool(packed >> 28 & 1)
    elif kind == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", data, 26))
    else:
        return Header("WebP")
    return Header("WebP", width, height, has_alpha=has_alpha, is_complete=is_complete)


def _bmp(data: bytes) -> Header:
    start, info = struct.unpack_from("<II", data, 10)
    width, height = struct.unpack_from("<HH" if info == 12 else "<ii", data, 18)
    return Header("BMP", width, abs(height), is_complete=start < len(data))
