"""Pictures made of photographs: rows on felt, hands put together from rows, turned tiles and turned rows.

Pictures are (h, w, 3) uint8 BGR. Felt is drawn, so that nothing but the tiles comes from a photograph.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from .photos import Placed, Rectangle

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]

FELTS = ((62, 92, 30), (84, 104, 44), (104, 70, 34), (60, 56, 58), (50, 42, 104))
"""Blue, green, red of cloths: two greens, blue, grey, wine."""
HAND = range(14, 19)
"""Tiles of a hand region."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A made picture and the tiles in it."""

    image: Image
    tiles: tuple[Placed, ...]


def felt(height: int, width: int, rng: np.random.Generator) -> Image:
    """Return a cloth of a random colour with grain and a soft fall of light."""
    colour = np.array(FELTS[int(rng.integers(len(FELTS)))]) + rng.uniform(-10, 10, 3)
    grain = rng.normal(0.0, 1.0, (height, width, 1)).astype(np.float32)
    soft = cv2.GaussianBlur(rng.normal(0.0, 1.0, (height, width)).astype(np.float32), (0, 0), 1.5)[..., None]
    slope = np.linspace(-1.0, 1.0, width)[None, :, None] * float(rng.uniform(-8, 8))
    cloth = colour[None, None] + 3.0 * grain + 12.0 * soft + slope
    return np.asarray(np.clip(cloth, 0, 255), dtype=np.uint8)


def tile_height(tiles: Sequence[Placed]) -> float:
    """Return the median height of some tiles in pixels."""
    return float(np.median([tile.box[3] for tile in tiles]))


def cut_row(image: Image, row: Sequence[Placed], border: float, rng: np.random.Generator) -> Picture:
    """Return a row cut out of its photo by the box round its tiles, with a felt border of `border` tile
    heights."""
    left, top, right, bottom = _bounds(row, image)
    strip = image[top:bottom, left:right]
    edge = round(border * tile_height(row))
    if edge == 0:
        return Picture(np.ascontiguousarray(strip), _moved(row, -left, -top))
    ground = felt(strip.shape[0] + 2 * edge, strip.shape[1] + 2 * edge, rng)
    ground[edge : edge + strip.shape[0], edge : edge + strip.shape[1]] = strip
    return Picture(ground, _moved(row, edge - left, edge - top))


def hand_region(
    image: Image,
    rows: Sequence[Sequence[Placed]],
    start: int,
    count: int,
    border: float,
    rng: np.random.Generator,
) -> Picture:
    """Return `count` tiles in one line on felt, taken row by row from `start` on (round to the first row).

    A row that is long enough is used as it lies in the photo; else strips of several rows stand side by side.
    """
    strips: list[Picture] = []
    missing, at = count, start
    while missing > 0:
        strip = cut_row(image, list(rows[at % len(rows)])[:missing], 0.0, rng)
        strips.append(strip)
        missing -= len(strip.tiles)
        at += 1
    edge = round(border * tile_height(strips[0].tiles))
    height = max(strip.image.shape[0] for strip in strips) + 2 * edge
    ground = felt(height, sum(strip.image.shape[1] for strip in strips) + 2 * edge, rng)
    tiles: list[Placed] = []
    x = edge
    for strip in strips:
        rows_px, columns_px = strip.image.shape[:2]
        ground[edge : edge + rows_px, x : x + columns_px] = strip.image
        tiles += _moved(strip.tiles, x, edge)
        x += columns_px
    return Picture(ground, tuple(tiles))


def turned(picture: Picture, degrees: float, rng: np.random.Generator, *, grow: bool = True) -> Picture:
    """Return a picture turned counter-clockwise about its middle; the boxes are those round the turned tiles.

    Args:
        grow: the whole picture stays in sight and felt fills the corners; else the size stays, corners are
            lost and edges are repeated. Right angles need neither.
    """
    height, width = picture.image.shape[:2]
    if degrees % 90 == 0:
        image = np.ascontiguousarray(np.rot90(picture.image, round(degrees / 90) % 4))
        size = (image.shape[1], image.shape[0])
        matrix = _turn(degrees, (width, height), size)
        return Picture(image, tuple(_turned_tile(tile, matrix) for tile in picture.tiles))
    c, s = abs(math.cos(math.radians(degrees))), abs(math.sin(math.radians(degrees)))
    size = (math.ceil(width * c + height * s), math.ceil(width * s + height * c)) if grow else (width, height)
    matrix = _turn(degrees, (width, height), size)
    # pixel centres: the matrix speaks of edges, OpenCV of centres
    half = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.0, 0.0, 1.0]])
    centres = (np.linalg.inv(half) @ np.vstack([matrix, [0.0, 0.0, 1.0]]) @ half)[:2]
    if not grow:
        image = np.asarray(
            cv2.warpAffine(
                picture.image, centres, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            ),
            dtype=np.uint8,
        )
        return Picture(image, tuple(_turned_tile(tile, matrix) for tile in picture.tiles))
    inside = cv2.warpAffine(np.full((height, width), 255, np.uint8), centres, size, flags=cv2.INTER_LINEAR)
    drawn = cv2.warpAffine(picture.image, centres, size, flags=cv2.INTER_LINEAR)
    share = inside[..., None].astype(np.float32) / 255.0
    image = (drawn + felt(size[1], size[0], rng) * (1.0 - share)).clip(0, 255).astype(np.uint8)
    return Picture(image, tuple(_turned_tile(tile, matrix) for tile in picture.tiles))


def centred(image: Image, tile_px: int, side_px: int, rng: np.random.Generator) -> Image:
    """Return one tile of `tile_px` height in the middle of a square felt."""
    scale = tile_px / image.shape[0]
    width = max(1, min(side_px, round(image.shape[1] * scale)))
    small = cv2.resize(
        image, (width, tile_px), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    )
    ground = felt(side_px, side_px, rng)
    x, y = (side_px - width) // 2, (side_px - tile_px) // 2
    ground[y : y + tile_px, x : x + width] = small
    return ground


def _bounds(tiles: Sequence[Placed], image: Image) -> tuple[int, int, int, int]:
    left = max(0, math.floor(min(tile.box[0] for tile in tiles)))
    top = max(0, math.floor(min(tile.box[1] for tile in tiles)))
    right = min(image.shape[1], math.ceil(max(tile.box[0] + tile.box[2] for tile in tiles)))
    bottom = min(image.shape[0], math.ceil(max(tile.box[1] + tile.box[3] for tile in tiles)))
    return left, top, right, bottom


def _moved(tiles: Sequence[Placed], dx: float, dy: float) -> tuple[Placed, ...]:
    return tuple(
        replace(tile, box=(tile.box[0] + dx, tile.box[1] + dy, tile.box[2], tile.box[3])) for tile in tiles
    )


def _turn(degrees: float, old: tuple[int, int], new: tuple[int, int]) -> Matrix:
    """Return the 2x3 matrix that turns about the middle of one size to the middle of another."""
    angle = math.radians(degrees)
    c, s = math.cos(angle), math.sin(angle)
    turn: Matrix = np.array([[c, s], [-s, c]])
    move = np.array(new) / 2.0 - turn @ (np.array(old) / 2.0)
    return np.column_stack([turn, move])


def _turned_tile(tile: Placed, matrix: Matrix) -> Placed:
    return replace(tile, box=turned_box(tile.box, matrix))


def turned_box(box: Rectangle, matrix: Matrix) -> Rectangle:
    """Return the upright box round a turned one."""
    x, y, width, height = box
    corners = np.array([[x, y, 1.0], [x + width, y, 1.0], [x, y + height, 1.0], [x + width, y + height, 1.0]])
    points = corners @ matrix.T
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return float(left), float(top), float(right - left), float(bottom - top)
