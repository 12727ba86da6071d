"""A PDF of rectangles, lines and text in exact millimetres: no more than a printed sheet of marks needs.

Hand-made since nothing here is hard and a page may not be a hair's breadth off. Latin text is Helvetica,
Chinese text the Song typeface that the format names for every reader (Adobe-GB1); neither is embedded.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby

MM = 72.0 / 25.4
"""Points in a millimetre."""
_FONTS = (
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    b"<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light-UniGB-UCS2-H /Encoding /UniGB-UCS2-H "
    b"/DescendantFonts [5 0 R] >>",
    b"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) "
    b"/Ordering (GB1) /Supplement 2 >> /DW 1000 /FontDescriptor 6 0 R >>",
    b"<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880] /ItalicAngle 0 "
    b"/Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>",
)
"""Objects 3 to 6; 1 is the catalogue and 2 the list of pages."""


@dataclass
class Page:
    """One page of `size_mm` (width, height); x to the right and y up from its lower left corner."""

    size_mm: tuple[float, float]
    _words: list[str] = field(default_factory=list)

    def boxes(self, boxes: Iterable[tuple[float, float, float, float]], gray: float = 0.0) -> None:
        """Fill rectangles (x, y, width, height) as one shape, so that no hairline shows between neighbours;
        `gray` is 0 for black, 1 for white."""
        self._words.append(" ".join([f"{gray:g} g", *(f"{_points(*box)} re" for box in boxes), "f"]))

    def line(
        self, x0: float, y0: float, x1: float, y1: float, *, width_mm: float = 0.2, dash: bool = False
    ) -> None:
        """Draw a black line."""
        pattern = "[4 3] 0 d" if dash else "[] 0 d"
        self._words.append(f"{pattern} {width_mm * MM:.3f} w {_points(x0, y0)} m {_points(x1, y1)} l S")

    def text(self, x: float, y: float, words: str, size_mm: float = 3.5, gray: float = 0.0) -> None:
        """Write one line; its baseline starts at (x, y)."""
        runs = []
        for is_latin, run in groupby(words, str.isascii):
            text = "".join(run)
            code = text.encode("ascii") if is_latin else text.encode("utf-16-be")
            runs.append(f"/{'F1' if is_latin else 'F2'} {size_mm * MM:.3f} Tf <{code.hex()}> Tj")
        self._words.append(f"BT {gray:g} g {_points(x, y)} Td {' '.join(runs)} ET")

    def stream(self) -> bytes:
        """Return what draws the page."""
        return "\n".join(self._words).encode("ascii")


def _points(*lengths_mm: float) -> str:
    return " ".join(f"{length * MM:.4f}" for length in lengths_mm)


def pdf_bytes(pages: list[Page], title: str) -> bytes:
    """Return the file."""
    first = 3 + len(_FONTS)
    kids = " ".join(f"{first + 2 * index} 0 R" for index in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>".encode("ascii"),
        *_FONTS,
    ]
    for index, page in enumerate(pages):
        stream = page.stream()
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {_points(*page.size_mm)}] /Resources "
            f"<< /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents {first + 2 * index + 1} 0 R >>".encode("ascii")
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    objects.append(f"<< /Title <feff{title.encode('utf-16-be').hex()}> >>".encode("ascii"))
    out, places = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"xref\n0 %d\n0000000000 65535 f \n%strailer\n" % (len(objects) + 1, table)
    out += b"<< /Size %d /Root 1 0 R /Info %d 0 R >>\n" % (len(objects) + 1, len(objects))
    return bytes(out + b"startxref\n%d\n%%%%EOF\n" % out.index(b"xref\n0 "))
