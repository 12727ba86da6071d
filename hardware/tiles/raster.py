"""From a face's SVG to pixels, with resvg."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import resvg_py
from numpy.typing import NDArray

from . import FACE_NAMES, face_path

Image = NDArray[np.uint8]


@lru_cache(maxsize=512)
def rasterise(tile_text: str, width_px: int) -> Image:
    """Return a face as (4/3 width, width, 4) uint8 in RGBA order, corners transparent, read-only, cached.

    Raises:
        ValueError: if there is no such face or the width is not 4 to 2000 pixels.
    """
    if not 4 <= width_px <= 2000:
        raise ValueError(f"width must be 4 to 2000 pixels, not {width_px}")
    text = face_path(tile_text).read_text(encoding="utf-8")
    png = resvg_py.svg_to_bytes(svg_string=text, width=width_px, skip_system_fonts=True)
    decoded = cv2.imdecode(np.frombuffer(bytes(png), np.uint8), cv2.IMREAD_UNCHANGED)
    image = np.ascontiguousarray(cv2.cvtColor(np.asarray(decoded), cv2.COLOR_BGRA2RGBA), dtype=np.uint8)
    image.setflags(write=False)
    return image


def contact_sheet(width_px: int) -> bytes:
    """Return a PNG with all faces in rows of nine on dark cloth, for people to look at."""
    gap, per_row = max(4, width_px // 10), 9
    height_px = rasterise("blank", width_px).shape[0]
    order: list[str] = [*FACE_NAMES[:27], *FACE_NAMES[27:34], "back", "blank", *FACE_NAMES[34:42]]
    rows = -(-len(order) // per_row)
    sheet = np.full(
        (rows * (height_px + gap) + gap, per_row * (width_px + gap) + gap, 3), (47, 52, 30), np.uint8
    )
    for index, name in enumerate(order):
        row, column = divmod(index, per_row)
        y, x = gap + row * (height_px + gap), gap + column * (width_px + gap)
        face = rasterise(name, width_px)
        area = sheet[y : y + height_px, x : x + width_px]
        alpha = face[:, :, 3:].astype(np.float32) / 255
        area[:] = (face[:, :, 2::-1] * alpha + area * (1 - alpha)).astype(np.uint8)
    return bytes(cv2.imencode(".png", sheet)[1])
