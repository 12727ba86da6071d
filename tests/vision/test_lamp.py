"""A lamp is told by the shape of its light: what is only bright, or only red, is no lamp."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from hardware.twin.renderer import Renderer
from hardware.twin.scene import PlacedTile, Scene
from vision import Calibration, calibrate, decode
from vision.lamp import Image, read_lamp
from vision.table import geometry, to_table


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(7_740_000)


def socket(side: int) -> tuple[float, float]:
    plan = geometry()["lamps"]
    return to_table(side, float(plan["x"]), float(plan["y"]))


def shown(renderer: Renderer, lamp: int, *covers: tuple[int, str]) -> Image:
    """Return a frame with tiles ((side, face), ...) on sockets."""
    tiles = tuple(PlacedTile(face, *socket(side), 0.0) for side, face in covers)
    return decode(renderer.render(Scene(tiles, lamp_side=lamp)))


def laid(image: Image, table: Calibration, side: int, radius_mm: float, colour: tuple[int, int, int]) -> None:
    """Put a flat round thing on a socket."""
    x, y = socket(side)
    (u, v), (edge, _) = table.table_to_pixel(x, y), table.table_to_pixel(x + radius_mm, y)
    cv2.circle(image, (round(u), round(v)), max(2, round(abs(edge - u))), colour, -1, cv2.LINE_AA)


@pytest.mark.parametrize("lamp", [0, 1, 2, 3, 4])
def test_each_lamp_and_none(renderer: Renderer, lamp: int) -> None:
    image = shown(renderer, lamp)
    reading = read_lamp(image, calibrate(image))
    assert reading.side == (lamp or None)
    assert reading.score > 0.95


@pytest.mark.parametrize("radius_mm", [6.0, 8.0, 12.0, 40.0])
@pytest.mark.parametrize(
    "colour",
    [
        pytest.param((235, 235, 235), id="white napkin"),
        pytest.param((40, 96, 250), id="amber chip"),
        pytest.param((30, 30, 220), id="red chip"),
        pytest.param((60, 220, 250), id="yellow chip"),
    ],
)
def test_a_bright_thing_on_a_socket_is_no_lamp(
    renderer: Renderer, radius_mm: float, colour: tuple[int, int, int]
) -> None:
    image = shown(renderer, 0).copy()
    table = calibrate(image)
    laid(image, table, 2, radius_mm, colour)
    assert read_lamp(image, table).side is None


@pytest.mark.parametrize("face", ["P", "C", "F", "1p", "1s", "5p", "back", "side"])
def test_a_tile_on_a_socket_is_no_lamp(renderer: Renderer, face: str) -> None:
    image = shown(renderer, 0, (2, face))
    reading = read_lamp(image, calibrate(image))
    assert reading.side is None
    lit = shown(renderer, 3, (2, face))
    assert read_lamp(lit, calibrate(lit)).side == 3, "the lamp beside it is seen all the same"


def test_a_covered_lit_lamp_is_not_looked_for_elsewhere(renderer: Renderer) -> None:
    image = shown(renderer, 1, (1, "back"), (2, "P"))
    assert read_lamp(image, calibrate(image)).side is None
    sleeve = shown(renderer, 1).copy()
    table = calibrate(sleeve)
    laid(sleeve, table, 1, 20.0, (40, 40, 40))
    laid(sleeve, table, 3, 15.0, (235, 235, 235))
    reading = read_lamp(sleeve, table)
    assert (reading.side, reading.score) == (None, 0.0)


def test_two_lamps_and_glare_over_all_are_no_answer(renderer: Renderer) -> None:
    first, second = shown(renderer, 1), shown(renderer, 2)
    both = np.maximum(first, second)
    assert read_lamp(both, calibrate(first)).side is None
    bright = cv2.add(first, np.full_like(first, 170))
    assert read_lamp(np.asarray(bright, np.uint8), calibrate(first)).side is None
