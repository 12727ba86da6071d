"""Naming a picture that is one tile: cut by a person, so lying or a little turned as often as not.

The tile is looked at in several ways at once; the ways vote. A doubtful one is also looked at as if it leant.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from .crops import CROP_MARGIN, crop_matrix, cut
from .tiles import CLASSES, UNKNOWN, FaceVote, TileNamer

Image = NDArray[np.uint8]
Size = tuple[float, float]

SKEWS_DEG = (0.0, -6.0, 6.0)
"""Small turns tried on top of each way; the namer was trained up to 17 degrees."""
DOUBTED, BELIEVED = 0.5, 0.9
"""A tile that lies across the picture's shape is believed only if the obvious way has less than the one and
the other way more than the other."""
TILTS_DEG = (15.0, -15.0)
"""Turns that a doubtful tile is looked at in as well."""
TILTED_SIZES = (0.0, 0.5, 1.0)
"""Sizes of a turned tile: 0 = it was cut to the picture, 1 = the picture grew by its corners."""
SURE = 0.9
"""What is as sure as this is not looked at again. Nor is what is rather no tile than one: turned, it only
finds likenesses."""
TILT_DOUBTED, TILT_BELIEVED = 0.7, 0.7
"""A turned look may say another face only if the straight one has less than the one and it has more than
the other. Of 696 tiles of four sets that the namer never saw, turned by 15 degrees, 93 of 100 are sure (0.73)
with turned looks instead of 87, and three more are right; of 126 foreign ones 9 pass instead of 8. Pictures
that are not turned are answered as before."""


def name_whole(image: Image, namer: TileNamer) -> tuple[FaceVote, float]:
    """Return what the tile is that fills an (h, w, 3) uint8 BGR picture, and the direction it is read in
    (degrees counter-clockwise from up: 0, 90, 180 or 270)."""
    height, width = image.shape[:2]
    full = 1.0 + 2.0 * CROP_MARGIN
    upright, lying = (width / full, height / full), (height / full, width / full)
    ways = [(0.0, upright), (90.0, lying if width > height else upright)]
    if width > height:
        ways.reverse()
    obvious, other = _voted(
        image, namer, [[(turn + skew, size) for skew in SKEWS_DEG] for turn, size in ways]
    )
    turn, size = ways[0]
    if _sureness(obvious) < SURE and obvious.chance(UNKNOWN) <= 0.5:
        tilts = [[(turn + tilt, _tilted(size, tilt, grown)) for grown in TILTED_SIZES] for tilt in TILTS_DEG]
        tilted = max(_voted(image, namer, tilts), key=_sureness)
        if _is_better(tilted, obvious):
            return tilted, turn
    if _sureness(obvious) < DOUBTED and _sureness(other) > BELIEVED:
        return other, ways[1][0]
    return obvious, turn


def _voted(image: Image, namer: TileNamer, ways: Sequence[Sequence[tuple[float, Size]]]) -> list[FaceVote]:
    """Return the vote of each way to look at the tile: (degrees, size of the tile) of its looks."""
    middle = (image.shape[1] / 2, image.shape[0] / 2)
    matrices = [crop_matrix(*middle, degrees, size) for way in ways for degrees, size in way]
    votes = iter(namer.name(cut(image, matrices, namer.crop_px)))
    return [agreed([next(votes) for _ in way]) for way in ways]


def _tilted(size: Size, tilt_deg: float, grown: float) -> Size:
    """Return the size of a tile turned by so many degrees in a picture of a size, which grew by the tile's
    corners (1), was cut to its size (0), or something between."""
    c, s = math.cos(math.radians(abs(tilt_deg))), math.sin(math.radians(abs(tilt_deg)))
    width, height = size
    inner = (width * c - height * s) / (c * c - s * s), (height * c - width * s) / (c * c - s * s)
    shares = (max(0.5, a / b) for a, b in zip(inner, size, strict=True))  # a strip is no turned tile
    across, along = ((1.0 - grown) + grown * share for share in shares)
    return width * across, height * along


def _is_better(tilted: FaceVote, straight: FaceVote) -> bool:
    """Return whether a turned look says more than the straight one."""
    sure, before = _sureness(tilted), _sureness(straight)
    if _face(tilted) == _face(straight):
        return sure > before
    return before < TILT_DOUBTED and sure > TILT_BELIEVED


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


def _face(vote: FaceVote) -> int:
    """Return the place of the likeliest face or back."""
    return int(vote.chances[_KNOWN].argmax())
