"""Places of tiles and dice in any picture: oriented boxes of any size and turn, without table marks.

One small net answers heat and boxes at every fourth pixel; it is at its best with tiles `tile_px` long and
copes with a third to three times of that. Choosing the scale is the work of `looks`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from .nets import THREADS, Backend, Net, told_number

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Ints = NDArray[np.intp]

KINDS = ("face", "back", "die", "standing")
"""Order of the net's heat channels; a standing tile shows none of its two sides and is left out."""
TILE_WIDTH_PART = 0.75
"""Width of the tile that sizes are answered in, as part of its length."""
PIECE_PX, RIM_PX = 1024, 128
"""Large pictures are looked at in pieces of so many rows and columns; a rim round them is looked at too and
thrown away, as far as the net sees from one place."""
SAME_CENTRE = 0.8
"""Cells: neighbours that put the centre nearer than this mean the same tile."""
MOST_PLACES = 600
"""A table shows 144 tiles, two sets laid out 288; more are not looked at."""
SAME_PLACE = 0.25
"""Two boxes that share so much of their union are one tile: two tiles side by side share nothing."""
INSIDE = 0.6
"""A box that lies in another one with so much of its area is a part of that tile (or that one is two
tiles)."""
ODD_SIZE = 2.0
"""Tiles of one picture are of one size, up to perspective: what is so many times larger or smaller is
none."""
AT_LEAST_FOR_SIZE = 4
"""Tiles that must be seen before one is odd."""

HALF = (0.25, 0.6)
"""Part of the usual tile's area that half a tile may have: two of four balls, with little round them."""
FILLED = 0.7
"""Part of the box round both halves that they must fill: halves touch."""
LIKE_FORM = (0.6, 1.25)
"""How wide and high both halves are together, in tiles: little is seen round the balls."""

NEAR = 4.5
"""Tiles whose middles are not so many sizes apart lie near enough to have one size, whatever the
perspective."""
LIKE_AXIS = math.cos(math.radians(2 * 20.0))
"""Tiles turned by less than 20 degrees from each other look alike."""


@dataclass(frozen=True, slots=True)
class Place:
    """An oriented box in pixels of the picture looked at.

    `axis_deg` 0-180, counter-clockwise from straight up, is the direction in which a print is read or its
    opposite; `h` is the size along it, `w` across (a tile seen aslant may be wider than high). `score` is
    the heat, 0-1.
    """

    x: float
    y: float
    w: float
    h: float
    axis_deg: float
    kind: str
    score: float

    @property
    def size(self) -> float:
        """Side of the square with the same area."""
        return math.sqrt(self.w * self.h)


class Detector:
    """Runs the net `detect` on pictures of any shape."""

    def __init__(
        self, threads: int = THREADS, *, models: Path | None = None, backend: Backend = "onnxruntime"
    ) -> None:
        self._net = Net("detect", threads, models=models, backend=backend)
        self.stride = int(told_number(self._net.metadata, "stride", "detect"))
        self.tile_px = told_number(self._net.metadata, "tile_px", "detect")
        self.sets = tuple(filter(None, self._net.metadata.get("sets", "").split(",")))

    def find(self, image: Image, least: float) -> list[Place]:
        """Return the tiles and dice in an (h, w, 3) uint8 BGR picture, surest first; sides of the picture
        must be multiples of 16."""
        height, width = image.shape[:2]
        answer: Floats | None = None
        for top in range(0, height, PIECE_PX):
            for left in range(0, width, PIECE_PX):
                bottom, right = min(height, top + PIECE_PX), min(width, left + PIECE_PX)
                y0, x0 = max(0, top - RIM_PX), max(0, left - RIM_PX)
                piece = image[y0 : bottom + RIM_PX, x0 : right + RIM_PX]
                got = self._net.run(np.ascontiguousarray(piece)[None])[0]
                if answer is None:
                    answer = np.empty((got.shape[0], height // self.stride, width // self.stride), np.float32)
                rows = slice(top // self.stride, bottom // self.stride)
                columns = slice(left // self.stride, right // self.stride)
                y, x = (top - y0) // self.stride, (left - x0) // self.stride
                answer[:, rows, columns] = got[
                    :, y : y + rows.stop - rows.start, x : x + columns.stop - columns.start
                ]
        if answer is None:
            return []
        return apart(places_of(answer, least, self.stride, self.tile_px))


def places_of(answer: Floats, least: float, stride: int, tile_px: float) -> list[Place]:
    """Return the peaks of the net's answer (10, rows, columns), surest first.

    Channels: four heats (logits, in the order of `KINDS`), offset x, y in cells, logarithms of width and
    height over those of the tile `tile_px` long, cosine and sine of twice the axis.
    """
    peak = answer[: len(KINDS)].max(axis=0)
    least_logit = math.log(least / (1.0 - least))
    around = cv2.dilate(peak, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((peak >= least_logit) & (peak >= around))
    order = np.argsort(-peak[rows, columns], kind="stable")[:MOST_PLACES]
    rows, columns = rows[order], columns[order]
    heats = answer[: len(KINDS), rows, columns].astype(np.float64)
    kinds = heats.argmax(axis=0)
    scores = 1.0 / (1.0 + np.exp(-heats.max(axis=0)))
    column, row, log_w, log_h, cos2, sin2 = _agreed(answer[len(KINDS) :], peak, rows, columns)
    x, y = (column + 0.5) * stride, (row + 0.5) * stride
    w = np.exp(np.clip(log_w, -3.0, 3.0)) * tile_px * TILE_WIDTH_PART
    h = np.exp(np.clip(log_h, -3.0, 3.0)) * tile_px
    axis = np.degrees(np.arctan2(sin2, cos2)) / 2.0 % 180.0
    boxes = np.stack([x, y, w, h, axis], 1).tolist()
    return [
        Place(x, y, w, h, axis, KINDS[kind], float(score))
        for (x, y, w, h, axis), kind, score in zip(boxes, kinds, scores, strict=True)
    ]


def _agreed(extra: Floats, peak: Floats, rows: Ints, columns: Ints) -> NDArray[np.float64]:
    """Return what peaks and the cells round them say together (6, n): column and row of the centre, sizes,
    turn.

    Each of nine cells tells where the centre is and counts by its heat; those that mean another tile's are
    left out.
    """
    height, width = extra.shape[1:]
    total = np.zeros((len(extra), len(rows)))
    weights = np.zeros(len(rows))
    own = np.stack([columns + extra[0, rows, columns], rows + extra[1, rows, columns]])
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            r, c = np.clip(rows + down, 0, height - 1), np.clip(columns + right, 0, width - 1)
            said = extra[:, r, c].astype(np.float64)
            said[0] += c
            said[1] += r
            same = np.hypot(*(said[:2] - own)) < SAME_CENTRE
            weight = same / (1.0 + np.exp(-peak[r, c]))
            total += said * weight
            weights += weight
    agreed: NDArray[np.float64] = total / weights
    return agreed


def apart(places: Sequence[Place]) -> list[Place]:
    """Return the places without second answers for one tile, parts of tiles and standing ones.

    Nothing is moved or added. Sizes that fit the others are preferred, whatever the heat of a part.
    """
    usual = usual_size(places)
    ranked = sorted(places, key=lambda place: -place.score * _fit(place, usual))
    kept: list[Place] = []
    centres = np.zeros((len(ranked), 2))
    reach = np.zeros(len(ranked))
    for place in ranked:
        if usual and place.kind in ("face", "back") and _fit(place, usual) == 0.0:
            continue
        here, far = (place.x, place.y), max(place.w, place.h)
        count = len(kept)
        near = np.hypot(*(centres[:count] - here).T) < 0.75 * np.maximum(reach[:count], far)
        if any(_are_one(kept[index], place) for index in np.nonzero(near)[0]):
            continue
        centres[count], reach[count] = here, far
        kept.append(place)
    return [place for place in kept if place.kind != "standing"]


def joined(places: Sequence[Place]) -> list[Place]:
    """Return the places with halves of tiles put together: 4p may be seen as two tiles of two balls each.

    Two boxes are one tile if each has about half the area of the whole tiles near by, and both together lie
    and measure as these do.
    """
    usual = usual_size(places)
    halves = [place for place in places if place.kind == "face" and usual and _is_half(place, usual)]
    whole = [place for place in places if place.kind == "face" and place not in halves]
    kept = list(places)
    pairs = [
        (one, other)
        for one, other in itertools.combinations(halves, 2)
        if math.hypot(one.x - other.x, one.y - other.y) < usual
    ]
    while joins := [
        (*pair, tile)
        for pair in pairs
        if all(place in kept for place in pair) and (tile := _together(*pair, whole)) is not None
    ]:
        for one, other, tile in joins:  # what was joined is a neighbour of the next ones
            if one in kept and other in kept:
                kept[kept.index(one)] = tile
                kept.remove(other)
                whole.append(tile)
    return kept


def _is_half(place: Place, usual: float) -> bool:
    return HALF[0] < (place.size / usual) ** 2 < HALF[1]


def _together(one: Place, other: Place, whole: Sequence[Place]) -> Place | None:
    """Return the tile that two halves make up, None if it would be another one than the tiles near by."""
    x, y = (one.x + other.x) / 2.0, (one.y + other.y) / 2.0
    near = [tile for tile in whole if math.hypot(tile.x - x, tile.y - y) < NEAR * tile.size]
    if len(near) < AT_LEAST_FOR_SIZE:
        return None
    doubled = [math.radians(2.0 * tile.axis_deg) for tile in near]
    axis = math.atan2(sum(map(math.sin, doubled)), sum(map(math.cos, doubled))) / 2.0
    corners = np.concatenate([cv2.boxPoints(_rectangle(place)) for place in (one, other)])
    w = float(np.ptp(corners @ (math.cos(axis), -math.sin(axis))))
    h = float(np.ptp(corners @ (math.sin(axis), math.cos(axis))))
    if one.w * one.h + other.w * other.h < FILLED * w * h:
        return None
    form = float(np.median([tile.w for tile in near])), float(np.median([tile.h for tile in near]))
    if not all(LIKE_FORM[0] < a / b < LIKE_FORM[1] for a, b in zip((w, h), form, strict=True)):
        return None
    return Place(x, y, *form, math.degrees(axis) % 180.0, one.kind, max(one.score, other.score))


def evened(places: Sequence[Place]) -> list[Place]:
    """Return the places with the sizes of tiles near by: where a print has a frame, the frame's size may be
    answered for the tile's. Centres and turns stay."""
    tiles = [place for place in places if place.kind in ("face", "back")]
    if len(tiles) < AT_LEAST_FOR_SIZE:
        return list(places)
    centres = np.array([(tile.x, tile.y) for tile in tiles])
    sizes = np.array([(tile.w, tile.h) for tile in tiles])
    axes = np.radians([2.0 * tile.axis_deg for tile in tiles])
    evened_sizes: dict[Place, tuple[float, float]] = {}
    for number, tile in enumerate(tiles):
        near = np.hypot(*(centres - centres[number]).T) < NEAR * tile.size
        near &= np.cos(axes - axes[number]) > LIKE_AXIS
        near &= np.abs(np.log(sizes / sizes[number])).max(axis=1) < math.log(ODD_SIZE)
        if near.sum() >= AT_LEAST_FOR_SIZE:
            w, h = np.median(sizes[near], axis=0)
            evened_sizes[tile] = (float(w), float(h))
    return [
        replace(place, w=evened_sizes[place][0], h=evened_sizes[place][1]) if place in evened_sizes else place
        for place in places
    ]


def usual_size(places: Sequence[Place]) -> float:
    """Return the median size of the tiles, weighted by their scores; 0 if there are too few to tell."""
    tiles = sorted((place for place in places if place.kind in ("face", "back")), key=lambda p: p.size)
    if len(tiles) < AT_LEAST_FOR_SIZE:
        return 0.0
    sums = np.cumsum([place.score for place in tiles])
    return tiles[int(np.searchsorted(sums, sums[-1] / 2))].size


def _fit(place: Place, usual: float) -> float:
    """Return 1 for the usual size down to 0 for an odd one; dice and standing tiles have no usual size."""
    if not usual or place.kind not in ("face", "back"):
        return 1.0
    off = abs(math.log(place.size / usual)) / math.log(ODD_SIZE)
    return 0.0 if off > 1.0 else 1.0 - 0.5 * off


def _are_one(one: Place, other: Place) -> bool:
    """Return whether two boxes lie in the same place."""
    found, points = cv2.rotatedRectangleIntersection(_rectangle(one), _rectangle(other))
    if found == cv2.INTERSECT_NONE or points is None:
        return False
    shared = float(cv2.contourArea(cv2.convexHull(points)))
    areas = one.w * one.h, other.w * other.h
    return shared > SAME_PLACE * (sum(areas) - shared) or shared > INSIDE * min(areas)


def _rectangle(place: Place) -> tuple[tuple[float, float], tuple[float, float], float]:
    return (place.x, place.y), (place.w, place.h), -place.axis_deg
