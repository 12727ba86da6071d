"""Draw every face again: `python -m hardware.tiles.draw [--out DIR] [--sheet PNG]`.

The output is the same byte for byte with the same font file; a test draws and compares.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from . import FACE_NAMES, bamboo, characters, dots, face_file, flowers
from .glyphs import FontMissing
from .svg import BAMBOO, BAMBOO_DARK, BAMBOO_LIGHT, HEIGHT, WIDTH, box, document, number, stroke

_HONORS = dict(zip("ESWNCFP", "東南西北中發P", strict=True))


def draw(name: str) -> str:
    """Return the SVG text of a face ("5m", "E", "a", "back", "blank").

    Raises:
        FontMissing: if a character is needed and the font is not installed.
    """
    if name == "blank":
        return document("")
    if name == "back":
        return document(_grain(), BAMBOO)
    if name in _HONORS:
        return document(characters.honor(_HONORS[name]))
    if len(name) == 1:
        return document(flowers.face(name))
    suit = {"m": characters.face, "p": dots.face, "s": bamboo.face}[name[1]]
    return document(suit(int(name[0])))


def _grain() -> str:
    """Return the long fibres of a bamboo back and its two joints."""
    parts = ""
    for step in range(11):
        x = 26 + step * 24.8
        bend = ((step * 7) % 5 - 2) * 2.5
        d = f"M{number(x)} 14C{number(x + bend)} 130 {number(x - bend)} 270 {number(x)} {HEIGHT - 14}"
        parts += stroke(d, BAMBOO_LIGHT if step % 2 else BAMBOO_DARK, 3 if step % 3 else 5)
    return parts + box(0, 196, WIDTH, 5, 0, BAMBOO_DARK) + box(0, 201, WIDTH, 4, 0, BAMBOO_LIGHT)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m hardware.tiles.draw", description=__doc__)
    parser.add_argument(
        "--out", type=Path, default=Path(__file__).parent / "faces", help="folder for the SVG files"
    )
    parser.add_argument(
        "--sheet", type=Path, help="also write a contact sheet of all faces as PNG, for people"
    )
    parser.add_argument("--width", type=int, default=120, help="pixels per tile on the sheet")
    options = parser.parse_args(arguments)
    try:
        drawings = {name: draw(name) for name in FACE_NAMES}
    except (FontMissing, ImportError) as error:
        print(f"hardware.tiles.draw: {error}", file=sys.stderr)
        return 1
    options.out.mkdir(parents=True, exist_ok=True)
    for name, text in drawings.items():
        (options.out / face_file(name)).write_text(text, encoding="utf-8", newline="\n")
    if options.sheet:
        from .raster import contact_sheet

        options.sheet.write_bytes(contact_sheet(options.width))
    print(f"{len(drawings)} faces in {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
