"""Tiles are told row by row, left to right, however the picture is turned."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from vision.rows import Lying, in_rows

COUNTS = (9, 9, 9, 7)


Numbered = tuple[Lying, tuple[int, int]]


def laid(turn: float, counts: Sequence[int] = COUNTS, uneven: float = 0.0) -> list[Numbered]:
    """Return tiles of 30 x 40 in rows, turned counter-clockwise, each with its row and column."""
    lean = math.radians(turn)
    rng = np.random.default_rng(1)
    tiles = []
    for row, count in enumerate(counts):
        for column in range(count):
            x, y = 32.0 * column, 56.0 * row + uneven * float(rng.uniform(-1, 1))
            place = (x * math.cos(lean) + y * math.sin(lean), y * math.cos(lean) - x * math.sin(lean))
            tiles.append((Lying(*place, 40.0, turn % 360.0), (row, column)))
    return tiles


def told(tiles: Sequence[Numbered]) -> list[list[tuple[int, int]]]:
    """Return what is read when the tiles are given in any order."""
    order = np.random.default_rng(2).permutation(len(tiles))
    rows = in_rows([tiles[index][0] for index in order])
    return [[tiles[order[index]][1] for index in row] for row in rows]


WANTED = [[(row, column) for column in range(count)] for row, count in enumerate(COUNTS)]


@pytest.mark.parametrize("turn", [0.0, 7.0, -12.0, 40.0, -70.0, 88.0, 90.0, 92.0])
def test_rows_of_a_turned_picture(turn: float) -> None:
    assert told(laid(turn)) == WANTED
    assert told(laid(turn, uneven=6.0)) == WANTED


def test_a_picture_upside_down_is_read_as_it_lies() -> None:
    assert told(laid(180.0)) == [row[::-1] for row in WANTED[::-1]]


def test_a_tile_that_lies_across_stays_in_its_row() -> None:
    row = [Lying(32.0 * at, 100.0, 40.0, 0.0) for at in range(8)]
    row[2] = Lying(64.0, 105.0, 40.0, 90.0)
    assert in_rows(row) == [list(range(8))]


def test_tiles_without_a_common_direction_are_read_as_the_picture_is() -> None:
    tiles = [Lying(40.0 * at, 0.0 if at < 4 else 90.0, 40.0, 45.0 * at) for at in range(8)]
    assert in_rows(tiles) == [[0, 1, 2, 3], [4, 5, 6, 7]]


def test_no_tiles_have_no_rows() -> None:
    assert in_rows([]) == []
