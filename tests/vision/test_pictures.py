"""Picture files are refused with a reason before they can do harm."""

from __future__ import annotations

import contextlib
import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import PictureRefused
from vision.picture_headers import header_of, picture_size
from vision.pictures import MAX_PIXELS, Picture, read_picture


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
        pytest.param(b"GIF89a" + bytes(40), "broken", id="gif without pixels"),
        pytest.param(b"GIF89a\xff\xff\xff\xff" + bytes(40), "too_large", id="gif bomb"),
        pytest.param(b"BM" + bytes(24), "broken", id="bmp of zeros"),
        pytest.param(
            b"RIFF" + bytes(4) + b"WEBPVP8X" + bytes(4) + b"\0" * 4 + b"\xff" * 6, "too_large", id="webp bomb"
        ),
        pytest.param(b"RIFF" + bytes(4) + b"WEBP" + bytes(4), "broken", id="webp cut in its header"),
        pytest.param(b"II*\0" + bytes(40), "not_an_image", id="tiff"),
        pytest.param(b"\0\0\0\x18ftypheic" + bytes(40), "not_an_image", id="heic"),
        pytest.param(b"%PDF-1.7\n", "not_an_image", id="pdf"),
        pytest.param("一张牌".encode(), "not_an_image", id="chinese text"),
        pytest.param(b"\xff\xd8\xff", "broken", id="three bytes of a jpeg"),
        pytest.param(b"\xff\xd8\xff\0\0\x04aa" + jpeg_bytes()[2:], "broken", id="jpeg with a marker of zero"),
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
    assert ": " in str(refused.value)  # what is wrong, and what to do
    assert "：" in refused.value.zh
    assert "\n" not in str(refused.value) + refused.value.zh


def test_what_is_no_picture_is_named(tmp_path: Path) -> None:
    for first, name in (
        (b"II*\0", "TIFF"),
        (b"\0\0\0\x18ftypheic", "HEIC"),
        (b"%PDF", "PDF"),
        (b"x", "no picture"),
    ):
        path = tmp_path / "file"
        path.write_bytes(first + bytes(20))
        with pytest.raises(PictureRefused, match=name) as refused:
            read_picture(path)
        assert "JPEG" in refused.value.zh


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
        assert read_picture(path).image.ndim == 3
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
    image = np.zeros((30, 40, 3), np.uint8)
    for kind in (".jpg", ".png", ".webp", ".bmp", ".gif"):
        header = header_of(bytes(cv2.imencode(kind, image)[1]))
        assert header is not None
        assert (header.width, header.height, header.is_complete) == (40, 30, True), kind
    header = header_of(png(123, 45))
    assert header is not None
    assert (header.width, header.height) == (123, 45)
    assert header_of(b"BM") is picture_size(b"BM") is None
    assert picture_size(png(123, 45)) == (123, 45)
    assert MAX_PIXELS >= 8192 * 6144


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def small_png(colour: int, bits: int, row: bytes, *extra: bytes, rows: int = 4, width: int = 4) -> bytes:
    """A PNG of `rows` equal rows; `extra` chunks stand before the pixels."""
    header = struct.pack(">IIBBBBB", width, rows, bits, colour, 0, 0, 0)
    pixels = zlib.compress((b"\0" + row) * rows)
    return PNG_START + chunk(b"IHDR", header) + b"".join(extra) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


PNG_START = b"\x89PNG\r\n\x1a\n"
RED, WHITE = (0, 0, 255), (255, 255, 255)
PALETTE = chunk(b"PLTE", bytes((255, 0, 0, 0, 255, 0)))
COLOURS = [
    ("8 bits", small_png(2, 8, bytes((255, 0, 0)) * 4), RED),
    ("16 bits", small_png(2, 16, struct.pack(">HHH", 65535, 0, 0) * 4), RED),
    ("grey", small_png(0, 8, bytes((77,)) * 4), (77, 77, 77)),
    ("grey of 16 bits", small_png(0, 16, struct.pack(">H", 0x4D4D) * 4), (77, 77, 77)),
    ("black and white", small_png(0, 1, b"\xf0"), WHITE),
    ("palette", small_png(3, 8, bytes(4), PALETTE), RED),
    ("palette with a transparent colour", small_png(3, 8, bytes(4), PALETTE, chunk(b"tRNS", b"\0")), WHITE),
    ("opaque alpha", small_png(6, 8, bytes((255, 0, 0, 255)) * 4), RED),
    ("transparent", small_png(6, 8, bytes((0, 0, 0, 0)) * 4), WHITE),
    ("half transparent", small_png(6, 8, bytes((255, 0, 0, 128)) * 4), (127, 127, 255)),
    ("transparent, 16 bits", small_png(6, 16, struct.pack(">HHHH", 65535, 0, 0, 0) * 4), WHITE),
    ("grey with alpha", small_png(4, 8, bytes((0, 0)) * 4), WHITE),
    ("moving png", small_png(2, 8, bytes((255, 0, 0)) * 4, chunk(b"acTL", struct.pack(">II", 1, 0)), chunk(
        b"fcTL", struct.pack(">IIIIIHHBB", 0, 4, 4, 0, 0, 1, 10, 0, 0))), RED),
]  # fmt: skip


@pytest.mark.parametrize(("content", "colour"), [row[1:] for row in COLOURS], ids=[row[0] for row in COLOURS])
def test_kinds_of_png(tmp_path: Path, content: bytes, colour: tuple[int, int, int]) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(content)
    image = read_picture(path).image
    assert image.shape == (4, 4, 3)
    assert image.dtype == np.uint8
    assert np.abs(image.astype(int) - colour).max() <= 1


@pytest.mark.parametrize("kind", [".gif", ".webp", ".png"])
def test_of_a_moving_picture_the_first_frame_is_read(tmp_path: Path, kind: str) -> None:
    frames = [np.full((20, 30, 3), colour, np.uint8) for colour in (RED, (0, 255, 0), (255, 0, 0))]
    moving = cv2.Animation()
    moving.frames, moving.durations = frames, [100] * 3
    path = tmp_path / f"moving{kind}"
    assert cv2.imwriteanimation(str(path), moving)
    image = read_picture(path).image
    assert image.shape == (20, 30, 3)
    assert np.abs(image[10, 15].astype(int) - RED).max() <= 8


def flat_cmyk_jpeg(inks: tuple[int, int, int, int]) -> bytes:
    """A JPEG of 16 x 16 pixels in cyan, magenta, yellow, black (0 to 255 of ink), as Photoshop writes it:
    inverted, and said so in an Adobe segment. Each block has nothing but its mean."""

    def segment(marker: int, data: bytes) -> bytes:
        return bytes((0xFF, marker)) + struct.pack(">H", len(data) + 2) + data

    bits = ""
    before = [0, 0, 0, 0]
    for _ in range(4):
        for index, ink in enumerate(inks):
            mean = 8 * (255 - ink - 128)
            step = mean - before[index]
            before[index] = mean
            size = abs(step).bit_length()
            bits += f"{size:04b}"
            if size:
                bits += f"{step if step > 0 else step + (1 << size) - 1:0{size}b}"
            bits += "0"  # end of block
    bits += "1" * (-len(bits) % 8)
    scan = int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\0")
    frame = struct.pack(">BHHB", 8, 16, 16, 4) + b"".join(bytes((n, 0x11, 0)) for n in (1, 2, 3, 4))
    means = b"\0" + bytes((0, 0, 0, 12, *[0] * 12)) + bytes(range(12))
    ends = b"\x10" + bytes((1, *[0] * 15)) + b"\0"
    return (
        b"\xff\xd8"
        + segment(0xEE, b"Adobe" + struct.pack(">HHHB", 100, 0, 0, 0))
        + segment(0xDB, b"\0" + b"\1" * 64)
        + segment(0xC0, frame)
        + segment(0xC4, means)
        + segment(0xC4, ends)
        + segment(0xDA, b"\4" + b"".join(bytes((n, 0)) for n in (1, 2, 3, 4)) + b"\0\x3f\0")
        + scan
        + b"\xff\xd9"
    )


@pytest.mark.parametrize(
    ("inks", "colour"),
    [
        ((0, 0, 0, 0), WHITE),
        ((0, 255, 255, 0), RED),
        ((255, 0, 255, 0), (0, 255, 0)),
        ((0, 0, 0, 255), (0, 0, 0)),
        ((0, 0, 0, 128), (127, 127, 127)),
    ],
)
def test_colours_of_a_cmyk_jpeg(
    tmp_path: Path, inks: tuple[int, int, int, int], colour: tuple[int, ...]
) -> None:
    path = tmp_path / "print.jpg"
    path.write_bytes(flat_cmyk_jpeg(inks))
    image = read_picture(path).image
    assert image.shape == (16, 16, 3)
    assert np.abs(image.astype(int) - colour).max() <= 3


@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9])
@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp", ".bmp"])
def test_a_file_that_is_cut_off_is_refused(tmp_path: Path, kind: str, kept: float) -> None:
    """Half a photo would be answered as if the other half of the tiles were not there."""
    rng = np.random.default_rng(1)
    whole = bytes(cv2.imencode(kind, rng.integers(0, 255, (60, 80, 3)).astype(np.uint8))[1])
    path = tmp_path / f"cut{kind}"
    path.write_bytes(whole[: round(len(whole) * kept)])
    with pytest.raises(PictureRefused, match=r"cut off|damaged") as refused:
        read_picture(path)
    assert refused.value.code == "broken"


def test_boxes_of_a_shrunk_picture_are_those_of_the_file(tmp_path: Path) -> None:
    image = np.zeros((600, 5400, 3), np.uint8)
    image[200:400, 3000:3600] = 255
    for kind in (".jpg", ".png"):
        path = tmp_path / f"wide{kind}"
        path.write_bytes(bytes(cv2.imencode(kind, image)[1]))
        picture = read_picture(path)
        assert picture.image.shape == (300, 2700, 3)
        ys, xs = np.nonzero(picture.image[:, :, 0] > 127)
        box = picture.box_in_file((int(xs.min()), int(ys.min()), int(np.ptp(xs)) + 1, int(np.ptp(ys)) + 1))
        assert box == pytest.approx((3000, 200, 600, 200), abs=4)
        assert read_picture(path, whole=True).image.shape == image.shape
        assert picture.box_in_file((2699, 299, 1, 1)) == (5398, 598, 2, 2)


def test_a_box_up_to_the_edge_ends_at_the_edge_of_the_file() -> None:
    picture = Picture(np.zeros((7, 5, 3), np.uint8), (51 / 5, 62 / 7))
    for x in range(5):
        left, _, width, _ = picture.box_in_file((x, 0, 5 - x, 7))
        assert left + width == 51
    assert picture.box_in_file((0, 0, 5, 7)) == (0, 0, 51, 62)


@pytest.mark.parametrize(("kind", "most_mib"), [(".jpg", 120), (".png", 330)])
def test_fifty_megapixels_take_bounded_memory(tmp_path: Path, kind: str, most_mib: int) -> None:
    """The peak of a process of its own, from when it is told to count anew: a new process begins with the
    peak of the one that started it."""
    path = tmp_path / f"large{kind}"
    path.write_bytes(
        bytes(cv2.imencode(kind, np.full((6144, 8192), 99, np.uint8), [cv2.IMWRITE_PNG_COMPRESSION, 1])[1])
    )
    code = (
        "import sys\nfrom pathlib import Path\nfrom vision.pictures import read_picture\n"
        "Path('/proc/self/clear_refs').write_text('5')\n"
        "def peak():\n"
        "    told = Path('/proc/self/status').read_text().splitlines()\n"
        "    return int(next(line for line in told if line.startswith('VmHWM')).split()[1])\n"
        "before = peak()\n"
        "image = read_picture(Path(sys.argv[1])).image\nprint(*image.shape, peak() - before, image.mean())"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    height, width, channels, taken_kib, mean = map(float, done.stdout.split())
    assert (height, width, channels, mean) == (3072, 4096, 3, 99)
    assert 36 * 1024 < taken_kib < most_mib * 1024  # the shrunk picture alone takes 36 MiB


def test_a_picture_that_must_not_be_shrunk_is_no_larger_than_others(tmp_path: Path) -> None:
    """A calibration is for all pixels: a JPEG of 100 megapixels would take 300 MB."""
    path = tmp_path / "large.jpg"
    head = jpeg_bytes()
    size_at = head.index(b"\xff\xc0") + 5
    path.write_bytes(head[:size_at] + struct.pack(">HH", 10_000, 10_000) + head[size_at + 4 :])
    with pytest.raises(PictureRefused) as refused:
        read_picture(path, whole=True)
    assert refused.value.code == "too_large"


def test_transparency_of_a_very_large_picture_is_refused_not_decoded(tmp_path: Path) -> None:
    """Its four channels would take half a gigabyte."""
    path = tmp_path / "large.png"
    header = struct.pack(">IIBBBBB", 7000, 7000, 8, 6, 0, 0, 0)
    path.write_bytes(PNG_START + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b""))
    with pytest.raises(PictureRefused, match="at most 32000000 are read") as refused:
        read_picture(path)
    assert refused.value.code == "too_large"
