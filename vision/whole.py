"""Naming a picture that is one tile: cut by a person, so lying or a little turned as often as not.

The tile is looked at in several ways at once; the ways vote.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from .crops import CROP_MARGIN, crop_matrix, cut
from .tiles import CLASSES, UNKNOWN, FaceVote, TileNamer

Image = NDArray[np.uint8]

SKEWS_DEG = (0.0, -6.0, 6.0)
"""Small turns tried on top of each way; the namer was trained up to 17 degrees."""
DOUBTED, BELIEVED = 0.5, 0.9
"""A tile that lies across the picture's shape is believed only if the obvious way has less than the one and
the other way more than the other."""


def name_whole(image: Image, namer: TileNamer) -> tuple[FaceVote, float]:
    """Return what the tile is that fills an (h, w, 3) uint8 BGR picture, and the direction it is read in
    (degrees counter-clockwise from up: 0, 90, 180 or 270)."""
    height, width = image.shape[:2]
    full = 1.0 + 2.0 * CROP_MARGIN
    upright, lying = (width / full, height / full), (height / full, width / full)
    ways = [(0.0, upright), (90.0, lying if width > height else upright)]
    if width > height:
        ways.reverse()
    matrices = [
        crop_matrix(width / 2, height / 2, turn + skew, size) for turn, size in ways for skew in SKEWS_DEG
    ]
    votes = namer.name(cut(image, matrices, namer.crop_px))
    count = len(SKEWS_DEG)
    obvious, other = agreed(votes[:count]), agreed(votes[count:])
    vote, turn = obvious, ways[0][0]
    if _sureness(obvious) < DOUBTED and _sureness(other) > BELIEVED:
        vote, turn = other, ways[1][0]
    return vote, turn


def agreed(votes: Iterable[FaceVote]) -> FaceVote:
    """Return the vote of several looks at one tile: a chance stays high only if no look objects."""
    looks = list(votes)
    logs = np.mean([np.log(np.maximum(vote.chances, 1e-9)) for vote in looks], axis=0)
    chances = np.exp(logs - logs.max())
    down = sum(vote.is_upside_down for vote in looks)
    return FaceVote((chances / chances.sum()).astype(np.float32), down * 2 > len(looks))


def _sureness(vote: FaceVote) -> float:
    """Return the chance of the likeliest face or back."""
    return float(np.delete(vote.chances, CLASSES.index(UNKNOWN)).max())
