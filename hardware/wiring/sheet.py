"""A sheet of paper for circuit drawings: lines, boxes, words, and the few symbols that we need, as SVG text.

Lengths are pixels; symbols lie along the wire that they interrupt and leave its ends to the caller.
"""

from __future__ import annotations

from html import escape

INK, FAINT, RED, BLUE = "#1d1d1f", "#8a8a8e", "#b3261e", "#1a4f8b"
STYLE = (
    "text{font-family:'Noto Sans CJK SC','Noto Sans SC','PingFang SC','Microsoft YaHei',sans-serif;"
    f"fill:{INK}}}"
)


class Sheet:
    """One drawing."""

    def __init__(self, width: int, height: int, zh: str, en: str) -> None:
        self._size = (width, height)
        self._title = f"{zh} · {en}"
        self._parts: list[str] = []
        self.words(20, 32, self._title, size=18, bold=True)

    def svg(self) -> str:
        """Return the whole file."""
        width, height = self._size
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img">'
        )
        paper = f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
        title = f"<title>{escape(self._title)}</title>"
        return "\n".join([head, title, f"<style>{STYLE}</style>", paper, *self._parts, "</svg>", ""])

    # ------------------------------------------------------------------ plain marks

    def wire(self, *points: tuple[float, float], colour: str = INK, thick: float = 1.6) -> None:
        """Draw a wire through the points."""
        text = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._parts.append(
            f'<polyline points="{text}" fill="none" stroke="{colour}" stroke-width="{thick:g}"/>'
        )

    def box(self, x: float, y: float, width: float, height: float, *, fill: str = "#ffffff") -> None:
        """Draw a box."""
        self._parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4" fill="{fill}" '
            f'stroke="{INK}" stroke-width="1.4"/>'
        )

    def circle(self, x: float, y: float, radius: float, *, fill: str = "#ffffff") -> None:
        """Draw a circle."""
        self._parts.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{INK}" stroke-width="1.4"/>'
        )

    def dot(self, x: float, y: float) -> None:
        """Mark a joint."""
        self._parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="3.2" fill="{INK}"/>')

    def words(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: int = 12,
        bold: bool = False,
        at: str = "start",
        colour: str | None = None,
    ) -> None:
        """Write words; `at` start, middle or end says where x is."""
        more = ' font-weight="600"' if bold else ""
        more += f' style="fill:{colour}"' if colour else ""
        self._parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{at}"{more}>{escape(text)}</text>'
        )

    def both(self, x: float, y: float, zh: str, en: str, *, size: int = 12, at: str = "start") -> None:
        """Write Chinese, and English below it."""
        self.words(x, y, zh, size=size, at=at)
        self.words(x, y + size + 3, en, size=size - 1, at=at, colour=FAINT)

    def labelled(self, x: float, y: float, width: float, height: float, name: str, zh: str, en: str) -> None:
        """Draw a box with its name and what it is."""
        self.box(x, y, width, height, fill="#f6f6f8")
        middle = x + width / 2
        self.words(middle, y + 20, name, size=13, bold=True, at="middle")
        self.words(middle, y + 37, zh, size=11, at="middle")
        self.words(middle, y + 52, en, size=10, at="middle", colour=FAINT)

    # ------------------------------------------------------------------ symbols

    def ground(self, x: float, y: float, name: str = "GND") -> None:
        """Draw ground below a point."""
        self.wire((x, y), (x, y + 8))
        for index, half in enumerate((11, 7, 3)):
            self.wire((x - half, y + 8 + 4 * index), (x + half, y + 8 + 4 * index))
        self.words(x + 15, y + 18, name, size=10, colour=FAINT)

    def supply(self, x: float, y: float, name: str) -> None:
        """Draw a supply above a point."""
        self.wire((x, y), (x, y - 12))
        self.wire((x - 9, y - 12), (x + 9, y - 12), thick=2.4, colour=RED)
        self.words(x, y - 17, name, size=11, at="middle", colour=RED)

    def resistor(self, x: float, y: float, name: str, *, upright: bool = False) -> None:
        """Draw a resistor 30 long, centred."""
        if upright:
            self.box(x - 6, y - 15, 12, 30)
            self.words(x + 11, y + 4, name, size=11)
        else:
            self.box(x - 15, y - 6, 30, 12)
            self.words(x, y - 11, name, size=11, at="middle")

    def capacitor(self, x: float, y: float, name: str) -> None:
        """Draw an upright capacitor 8 long, centred."""
        self.wire((x - 11, y - 4), (x + 11, y - 4), thick=2.4)
        self.wire((x - 11, y + 4), (x + 11, y + 4), thick=2.4)
        self.words(x + 15, y + 4, name, size=11)

    def diode(self, x: float, y: float, name: str) -> None:
        """Draw an upright diode, cathode above, 18 high, centred."""
        self._parts.append(
            f'<polygon points="{x - 9:g},{y + 9:g} {x + 9:g},{y + 9:g} {x:g},{y - 7:g}" fill="{INK}"/>'
        )
        self.wire((x - 9, y - 8), (x + 9, y - 8), thick=2.4)
        self.words(x + 14, y + 4, name, size=11)

    def diode_left(self, x: float, y: float) -> None:
        """Draw a lying diode, cathode at the left, centred."""
        self._parts.append(
            f'<polygon points="{x + 9:g},{y - 9:g} {x + 9:g},{y + 9:g} {x - 7:g},{y:g}" fill="{INK}"/>'
        )
        self.wire((x - 8, y - 9), (x - 8, y + 9), thick=2.4)

    def fuse(self, x: float, y: float, name: str) -> None:
        """Draw a fuse 36 long, centred, lying."""
        self.box(x - 18, y - 6, 36, 12)
        self.wire((x - 18, y), (x + 18, y), thick=1)
        self.words(x, y - 11, name, size=11, at="middle")

    def motor(self, x: float, y: float, name: str = "M") -> None:
        """Draw a motor, radius 16, centred."""
        self.circle(x, y, 16)
        self.words(x, y + 5, name, size=14, bold=True, at="middle")

    def contact(self, x: float, y: float, *, closed: bool, name: str = "") -> None:
        """Draw a contact 36 long, lying, centred; `closed` = normally closed."""
        self.circle(x - 18, y, 2.6)
        self.circle(x + 18, y, 2.6)
        if closed:
            self.wire((x - 18, y), (x + 20, y - 6), thick=2.2)
            self.wire((x + 18, y), (x + 18, y - 9), thick=2.2)
        else:
            self.wire((x - 18, y), (x + 15, y - 13), thick=2.2)
        self.words(x, y - 18, name, size=11, at="middle")

    def mosfet(self, x: float, y: float, name: str) -> None:
        """Draw an N-channel MOSFET: gate at x - 24, drain above, source below at x."""
        self.wire((x - 24, y), (x - 12, y))
        self.wire((x - 12, y - 13), (x - 12, y + 13), thick=2.2)
        for offset in (-11, 0, 11):
            self.wire((x - 8, y + offset - 4), (x - 8, y + offset + 4), thick=2.2)
        self.wire((x - 8, y - 11), (x, y - 11), (x, y - 24))
        self.wire((x - 8, y + 11), (x, y + 11), (x, y + 24))
        self.wire((x - 8, y), (x, y), (x, y + 11))
        self.words(x + 10, y + 5, name, size=11)
