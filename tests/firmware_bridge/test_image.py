"""Image files: what is written parses back, and no damaged byte goes unnoticed."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.boot_messages import Begin, BootBoard
from firmware_bridge.errors import BadImage
from firmware_bridge.image import BLOCK, HEAD, MAGIC, PAGE, Image

PROGRAM = bytes(range(256)) * 5 + b"end"


def image(program: bytes = PROGRAM) -> Image:
    return Image.of(program, board=BootBoard.atmega2560, version=(1, 2, 3), source=0xC0FFEE, layout=5)


@given(st.binary(min_size=1, max_size=2000))
def test_what_is_packed_parses_back(program: bytes) -> None:
    assert Image.parse(image(program).pack()) == image(program)


@given(st.binary(min_size=1, max_size=2000))
def test_blocks_are_the_program_and_nothing_but_filling(program: bytes) -> None:
    made = image(program)
    blocks = [block for page in range(made.pages) for block in made.blocks_of(page)]
    assert [index for index, _ in blocks] == list(range(-(-len(program) // BLOCK)))
    assert b"".join(data for _, data in blocks).rstrip(b"\xff") == program.rstrip(b"\xff")
    assert {len(made.page(number)) for number in range(made.pages)} == {PAGE}


@pytest.mark.parametrize("bit", [0, 7])
def test_a_flipped_bit_anywhere_is_noticed(bit: int) -> None:
    whole = image().pack()
    for at in range(len(whole)):
        damaged = bytearray(whole)
        damaged[at] ^= 1 << bit
        with pytest.raises(BadImage):
            Image.parse(bytes(damaged))


def with_head(data: bytes, **changed: int) -> bytes:
    head = Begin.unpack(data[len(MAGIC) : HEAD - 4])
    values = {name: getattr(head, name) for name in Begin.__slots__} | changed
    packed = MAGIC + Begin(**values).pack()
    return packed + zlib.crc32(packed).to_bytes(4, "little") + data[HEAD:]


WHOLE = image().pack()
REFUSED = {
    "empty": (b"", "no firmware image"),
    "another file": (b"\x7fELF" + WHOLE, "no firmware image"),
    "only the magic": (MAGIC, "head of the firmware image is damaged"),
    "cut in the head": (WHOLE[:20], "head of the firmware image is damaged"),
    "cut at the end": (WHOLE[:-1], "should hold 1283 bytes of program and holds 1282"),
    "longer": (WHOLE + b"\0", "should hold 1283 bytes of program and holds 1284"),
    "nothing but the head": (WHOLE[:HEAD], "holds 0"),
    "a newer format": (with_head(WHOLE, format=2), "has format 2 and this program knows 1"),
    "another program": (with_head(WHOLE, crc=1), "its CRC is wrong"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_image_is_refused_in_one_sentence_of_both_languages(name: str) -> None:
    data, words = REFUSED[name]
    with pytest.raises(BadImage, match=words) as caught:
        Image.parse(data)
    assert caught.value.zh
    assert "\n" not in str(caught.value)
