"""Tiles of many makers, drawn: the pictures that the namer and the finder are trained on.

    style = Style.random(np.random.default_rng(7))      # one maker's set
    ink = draw_face(style, "5m", 96)                    # BGRA, ink alone
    top = tile_top(style, "5m", rng, 96)                # BGR, a tile from above
    back = tile_back(style, rng, 96)

Look at it: `python -m vision.training.art.contact --out /tmp/sheet.png`. No photograph is copied here.
"""

from __future__ import annotations

from .body import mask as tile_mask
from .fonts import FontsMissing
from .style import Style
from .tiles import FACES, FOREIGN, draw_face, tile_back, tile_top

__all__ = ["FACES", "FOREIGN", "FontsMissing", "Style", "draw_face", "tile_back", "tile_mask", "tile_top"]
