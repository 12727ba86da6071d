"""Naming a picture that is one tile: cut by a person, so lying or a little turned as often as not.

A first look tells where in the picture it lies, then it is looked at in several ways at once; the ways vote.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from .crops import CROP_MARGIN, Matrix, crop_matrix, cut, resettled
from .light import lit
from .namer import FaceVote, TileNamer
from .tiles import CLASSES, UNKNOWN

Image = NDArray[np.uint8]

LOOKS = np.array([[0.0] * 5, [0.03, 0.0, 0.05, 0.05, 0.05], [-0.03, 0.0, -0.05, -0.05, -0.05]], np.float32)
"""Small steps aside (see `crops.resettled`) from where the tile lies: a face that is sure survives them."""
DOUBTED, BELIEVED = 0.5, 0.9
"""A tile that lies across the picture's shape is believed only if the obvious way has less than the one and
the other way more than the other."""
BEYOND = 0.08
"""Part of the picture's size that a tile lying across may reach beyond its edges. The middle of a joker,
looked at across, passes for 1p."""


def name_whole(image: Image, namer: TileNamer) -> tuple[FaceVote, float]:
    """Return what the tile is that fills an (h, w, 3) uint8 BGR picture, and the direction it is read in
    (degrees counter-clockwise from up: 0, 90, 180 or 270)."""
    image = lit(image)
    height, width = image.shape[:2]
    full = 1.0 + 2.0 * CROP_MARGIN
    upright, lying = (width / full, height / full), (height / full, width / full)
    ways = [(0.0, upright), (90.0, lying if width > height else upright)]
    if width > height:
        ways.reverse()
    places = namer.settled(image, [crop_matrix(width / 2, height / 2, turn, size) for turn, size in ways])
    matrices = [resettled(place, aside) for place in places for aside in LOOKS]
    votes = namer.name(cut(image, matrices, namer.crop_px))
    count = len(LOOKS)
    obvious, other = agreed(votes[:count]), agreed(votes[count:])
    lies_across = _sureness(obvious) < DOUBTED and _sureness(other) > BELIEVED
    if lies_across and _is_inside(places[1], image):
        return other, ways[1][0]
    return obvious, ways[0][0]


def _is_inside(matrix: Matrix, image: Image) -> bool:
    """Return whether the tile that a crop shows lies in the picture."""
    near, far = CROP_MARGIN / (1 + 2 * CROP_MARGIN), (1 + CROP_MARGIN) / (1 + 2 * CROP_MARGIN)
    corners = np.array([[near, near, 1.0], [far, near, 1.0], [far, far, 1.0], [near, far, 1.0]]) @ matrix.T
    parts = corners[:, :2] / (image.shape[1], image.shape[0])
    return bool((parts > -BEYOND).all() and (parts < 1.0 + BEYOND).all())


def agreed(votes: Iterable[FaceVote]) -> FaceVote:
    """Return the vote of several looks at one tile: a chance stays high only if no look objects."""
    looks = list(votes)
    logs = np.mean([np.log(np.maximum(vote.chances, 1e-9)) for vote in looks], axis=0)
    chances = np.exp(logs - logs.max())
    down = sum(vote.is_upside_down for vote in looks)
    return FaceVote((chances / chances.sum()).astype(np.float32), down * 2 > len(looks))


_KNOWN = [index for index, name in enumerate(CLASSES) if name != UNKNOWN]


def _sureness(vote: FaceVote) -> float:
    """Return the chance of the likeliest face or back."""
    return float(vote.chances[_KNOWN].max())
