"""Our tile faces: complete, clean SVG, drawn again to the byte, and distinct when small."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from hardware.tiles import FACE_NAMES, TILE_TEXTS, draw, face_file, face_path, glyphs
from hardware.tiles.raster import contact_sheet, rasterise
from hardware.tiles.svg import BAMBOO, BAMBOO_DARK, BAMBOO_LIGHT, BLUE, GREEN, INK, IVORY, RED

INKS = {BAMBOO, BAMBOO_DARK, BAMBOO_LIGHT, BLUE, GREEN, INK, IVORY, RED, "none"}
SHAPES = {"svg", "g", "rect", "circle", "path", "polygon"}


def test_there_are_42_faces_a_back_and_a_blank() -> None:
    assert len(TILE_TEXTS) == len(set(TILE_TEXTS)) == 42
    assert {*FACE_NAMES} - {*TILE_TEXTS} == {"back", "blank"}


def test_file_names_do_not_rely_on_letter_case() -> None:
    assert len({face_file(name).casefold() for name in FACE_NAMES}) == len(FACE_NAMES)


@pytest.mark.parametrize("name", FACE_NAMES)
def test_a_face_is_shapes_in_our_inks_and_nothing_else(name: str) -> None:
    text = face_path(name).read_text(encoding="utf-8")
    root = ET.fromstring(text)
    assert root.get("viewBox") == "0 0 300 400"
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= SHAPES
    assert set(re.findall(r'(?:fill|stroke)="([^"]+)"', text)) <= INKS
    assert "href" not in text
    assert len(text) < 20_000


@pytest.mark.skipif(not glyphs.available(), reason="fontTools or the Noto CJK font is not installed")
@pytest.mark.parametrize("name", FACE_NAMES)
def test_drawing_again_gives_the_committed_file(name: str) -> None:
    assert draw.draw(name) == face_path(name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["", "0m", "5z", "e5", "Q", "east", "../back", "BACK", "5M"])
def test_an_unknown_face_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no tile face"):
        face_path(name)


def test_pixels_are_rgba_cached_and_not_writable() -> None:
    image = rasterise("5m", 60)
    assert image.shape == (80, 60, 4)
    assert image.dtype == np.uint8
    assert rasterise("5m", 60) is image
    assert not image.flags.writeable
    assert image[0, 0, 3] == 0  # rounded corner
    assert tuple(image[40, 3]) == (246, 238, 220, 255)  # ivory, red first


def test_red_is_red_after_the_channel_order() -> None:
    red, green, blue, _ = rasterise("C", 90)[60, 45]
    assert red > 150 > 90 > max(green, blue)


@pytest.mark.parametrize("width", [0, 3, 2001])
def test_a_silly_width_is_refused(width: int) -> None:
    with pytest.raises(ValueError, match="width"):
        rasterise("5m", width)


def test_every_two_faces_differ_when_as_small_as_the_camera_sees_them() -> None:
    small = {name: rasterise(name, 32)[:, :, :3].astype(np.int16) for name in FACE_NAMES}
    for one, other in itertools.combinations(FACE_NAMES, 2):
        changed = (np.abs(small[one] - small[other]).max(axis=2) > 60).mean()
        assert changed > 0.025, (one, other, changed)


def test_the_contact_sheet_is_a_png() -> None:
    assert contact_sheet(40).startswith(b"\x89PNG")
