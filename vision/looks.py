"""Tiles in a picture without table marks: a small look tells how large the tiles are, a second one at the
right scale finds them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from .detect import TILE_WIDTH_PART, Place, evened, joined, usual_size
from .rows import in_rows
from .spots import lying, read_from
from .tiles import Seen, Spot

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]

LEAST = 0.4
"""Places less sure than this are left out: there is no table drawing to say where tiles can lie."""
SURE = 0.45
"""Heat from which a place is certain: of 656 tiles of sets that the net never saw, 99 of 100 have more."""
LEAST_AT_FIRST = 0.25
"""The same for the looks that only tell the size."""
DOUBT = 0.2
"""A place as sure as this says nothing for a scale."""
RIVAL = 0.2
"""A look worth so much of the best one's worth may be the right one, if it tells another size."""
OTHER_SIZE = 1.5
"""Sizes that differ by this factor are not the same."""
LITTLE = 0.02
"""Below this worth the tiles may be too small to be seen: a table of 100 tiles of 14 pixels is worth 0.05."""
FIRST_PX = 65_536
"""Pixels of the first look: a row of eighteen tiles is 500 long then, its tiles more than half as long as
the net likes them; a photograph of sixteen columns has tiles of 16 pixels."""
CLOSE_LONG_PX = 96
"""Long side of the look for a tile that fills the picture."""
FAR_PX = (262_144, 1_500_000)
"""Pixels of further looks, while nothing is found: few small tiles in a large picture."""
MOST_PX = 6_000_000
"""No look has more pixels: tiles of 30 pixels in a 48-megapixel photo are not looked at."""
MOST_GROWN = 3.0
"""A picture is never enlarged more."""
MARGIN_PX = 16
GREEN = (70, 90, 40)
"""Colour round the picture: tiles that reach its edge need an outside."""
GOOD_SCALES = (0.78, 1.4)
"""Tiles of so many times the best size need no second look."""


class Finder(Protocol):
    """What finds places at one scale: `detect.Detector`."""

    tile_px: float

    def find(self, image: Image, least: float) -> list[Place]:
        """Return the places of a picture whose sides are multiples of 16, surest first."""


@dataclass(frozen=True, slots=True)
class Look:
    """What was found in the picture at one scale (pixels of the small picture per pixel of the picture):
    the boxes as they were answered, and the same with the sizes of their neighbours."""

    answered: tuple[Place, ...]
    places: tuple[Place, ...]
    scale: tuple[float, float]
    area: float

    @property
    def worth(self) -> float:
        """How much speaks for this scale: what is hardly surer than nothing counts little, and a tile
        counts by its side: parts of a tile are smaller than it, and a whole table that passes for a tile is
        only one."""
        return sum(
            (tile.score - DOUBT) ** 2 * math.sqrt(min(tile.w * tile.h / self.area, 1.0))
            for tile in self.tiles
        )

    @property
    def tiles(self) -> tuple[Place, ...]:
        """The tiles, without dice."""
        return tuple(place for place in self.places if place.kind != "die")

    @property
    def size(self) -> float:
        """Usual size of a tile in the small picture, as `Place.size`; 0 = none was found."""
        if not self.tiles:
            return 0.0
        sizes = [tile.size for tile in self.tiles]
        return usual_size(self.tiles) or float(np.average(sizes, weights=[t.score for t in self.tiles]))


def look(image: Image, scale: float, detector: Finder, least: float) -> Look:
    """Return what is found in the picture at a scale."""
    height, width = image.shape[:2]
    small_size = (max(8, round(width * scale)), max(8, round(height * scale)))
    method = cv2.INTER_AREA if scale < 1.0 else cv2.INTER_LINEAR
    small = cv2.resize(image, small_size, interpolation=method)
    more = (-(small_size[1] + 2 * MARGIN_PX) % 16, -(small_size[0] + 2 * MARGIN_PX) % 16)
    framed = cv2.copyMakeBorder(
        small,
        MARGIN_PX,
        MARGIN_PX + more[0],
        MARGIN_PX,
        MARGIN_PX + more[1],
        cv2.BORDER_CONSTANT,
        value=GREEN,
    )
    answered = detector.find(np.asarray(framed, dtype=np.uint8), least)
    places = tuple(evened(answered))
    return Look(
        tuple(answered),
        places,
        (small_size[0] / width, small_size[1] / height),
        float(small_size[0] * small_size[1]),
    )


def _scales(image: Image, pixels: Sequence[int]) -> Iterator[float]:
    area = image.shape[0] * image.shape[1]
    for wanted in pixels:
        yield min(math.sqrt(wanted / area), MOST_GROWN)


def best_look(image: Image, detector: Finder) -> Look:
    """Return the look at the scale at which tiles have their best size."""
    first = [look(image, scale, detector, LEAST_AT_FIRST) for scale in _scales(image, (FIRST_PX,))]
    close = CLOSE_LONG_PX / max(image.shape[:2])
    if close < first[0].scale[0]:
        first.append(look(image, close, detector, LEAST_AT_FIRST))
    for scale in _scales(image, FAR_PX):
        if scale > 1.0 or max(one.worth for one in first) > LITTLE:
            break
        first.append(look(image, scale, detector, LEAST_AT_FIRST))
    first.sort(key=lambda one: -one.worth)
    best = _refined(image, first[0], detector)
    for rival in first[1:]:
        ratio = rival.size / rival.scale[0] * best.scale[0] / max(best.size, 1e-6)
        if rival.worth > RIVAL * first[0].worth and not 1 / OTHER_SIZE < ratio < OTHER_SIZE:
            best = max(best, _refined(image, rival, detector), key=lambda one: one.worth)
    return best


def _refined(image: Image, found: Look, detector: Finder) -> Look:
    """Return the look at the scale that the sizes of a first one ask for, after at most three more."""
    wanted = detector.tile_px * math.sqrt(TILE_WIDTH_PART)
    for _ in range(3):
        if not found.size or GOOD_SCALES[0] < found.size / wanted < GOOD_SCALES[1]:
            break
        scale = found.scale[0] * wanted / found.size
        scale = min(scale, MOST_GROWN, math.sqrt(MOST_PX / (image.shape[0] * image.shape[1])))
        if abs(math.log(scale / found.scale[0])) < 0.05:
            break
        found = look(image, scale, detector, LEAST_AT_FIRST)
    return found


def find_tiles(image: Image, detector: Finder) -> list[Seen]:
    """Return the tiles of a picture row by row, each with its own size and read upright, or turned by about
    90 degrees counter-clockwise."""
    found = best_look(image, detector)
    sx, sy = found.scale
    matrix = np.array([[1 / sx, 0.0, -MARGIN_PX / sx], [0.0, 1 / sy, -MARGIN_PX / sy], [0.0, 0.0, 1.0]])
    seen = [
        read_from(
            Seen(
                Spot(place.x, place.y, place.axis_deg, place.kind == "back", min(1.0, place.score / SURE)),
                matrix,
                place.axis_deg,
                (place.w, place.h),
            ),
            0.0,
        )
        for place in evened(joined(found.answered))
        if place.kind != "die" and place.score >= LEAST
    ]
    return [seen[index] for row in in_rows([lying(item) for item in seen]) for index in row]
