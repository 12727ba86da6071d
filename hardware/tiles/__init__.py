"""The tiles' faces: our own drawings as SVG (`faces/`), read as data by renderer, training and dashboard.

`python -m hardware.tiles.draw` draws them again; `hardware.tiles.raster.rasterise` gives pixels.
"""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable

TILE_TEXTS: tuple[str, ...] = (
    *(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)),
    *"ESWNCFP",
    *"abcdefgh",
)
"""The 42 faces in the order of the tile text: m p s E S W N C F P a-h."""
FACE_NAMES: tuple[str, ...] = (*TILE_TEXTS, "back", "blank")


def face_file(tile_text: str) -> str:
    """Return the file name of a face; honors and flowers differ in more than letter case.

    >>> face_file("5m"), face_file("E"), face_file("e"), face_file("back")
    ('5m.svg', 'honor_E.svg', 'flower_e.svg', 'back.svg')
    """
    if tile_text not in FACE_NAMES:
        raise ValueError(f"no tile face {tile_text!r}")
    if len(tile_text) == 1:
        return f"{'honor' if tile_text.isupper() else 'flower'}_{tile_text}.svg"
    return f"{tile_text}.svg"


def face_path(tile_text: str) -> Traversable:
    """Return where the SVG of a face lies ("5m", "E", "a", "back", "blank"), also inside a wheel.

    Raises:
        ValueError: if there is no such face.
    """
    return files("hardware") / "tiles" / "faces" / face_file(tile_text)


__all__ = ["FACE_NAMES", "TILE_TEXTS", "face_file", "face_path"]
