"""The printed sheet: the table's four marks as cards to cut out, and the board that measures a lens.

Everything is drawn as rectangles in exact millimetres; a ruler shows whether the printer kept the scale. Each
card says its number and which edge belongs to side 1; where it lies stands beside it, in Chinese and English.
"""

from __future__ import annotations

from typing import Literal, get_args

import cv2
import numpy as np

from .lens_board import COLUMNS, DICTIONARY, MARK_PART, ROWS
from .marks import mark_numbers
from .pdf import Page, pdf_bytes
from .table import geometry

Paper = Literal["A4", "A3", "Letter"]
PAPERS_MM: dict[Paper, tuple[float, float]] = {
    "A4": (210.0, 297.0),
    "A3": (297.0, 420.0),
    "Letter": (215.9, 279.4),
}
GAP_MM = 30.0
"""Between the cards, for scissors."""
LABEL_MM = 24.0
HEAD_MM = 36.0
RULER_MM = 100.0
HINT_GRAY = 0.72
"""Of the words in a card's white rim: readable, and too pale to disturb the mark."""
BOARD_RIM_MM = (15.0, 25.0)
Boxes = list[tuple[float, float, float, float]]

PLACES: dict[tuple[bool, bool], tuple[str, str]] = {
    (False, False): ("四号边与一号边之间（一号边的左手角）", "between sides 4 and 1: left corner of side 1"),
    (True, False): ("一号边与二号边之间（一号边的右手角）", "between sides 1 and 2: right corner of side 1"),
    (True, True): ("二号边与三号边之间（一号边对面的右角）", "between sides 2 and 3: far right from side 1"),
    (False, True): ("三号边与四号边之间（一号边对面的左角）", "between sides 3 and 4: far left from side 1"),
}
"""Which corner a mark lies on, by whether its x and y are positive."""


def marks_pdf(paper: Paper = "A4") -> bytes:
    """Return the sheet as a PDF: the four cards, then the board.

    Raises:
        ValueError: if the paper has no such name.
    """
    if paper not in get_args(Paper):
        raise ValueError(f"no paper {paper!r}: {', '.join(get_args(Paper))}")
    size = PAPERS_MM[paper]
    return pdf_bytes([_cards(size), _board(size)], "麻将桌相机标记 / Mahjong table camera marks")


def modules(dictionary: str, number: int) -> np.ndarray:
    """Return a mark as a square of modules, True where it is white, its black border included."""
    table = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    side = int(table.markerSize) + 2
    drawn = cv2.aruco.generateImageMarker(table, number, side)
    return np.asarray(drawn) > 127


def _mark(dictionary: str, number: int, x: float, y: float, size: float) -> Boxes:
    """Return the black boxes of a mark whose lower left corner is at (x, y): runs of modules, row by row."""
    white = modules(dictionary, number)
    module = size / len(white)
    boxes: Boxes = []
    for row, line in enumerate(white):
        start = 0
        for column in range(len(line) + 1):
            if column == len(line) or line[column]:
                if column > start:
                    low = y + size - (row + 1) * module
                    boxes.append((x + start * module, low, (column - start) * module, module))
                start = column + 1
    return boxes


def _cards(size: tuple[float, float]) -> Page:
    """Return the page with the four cards, laid out as they lie on the table seen from side 1."""
    page, (width, height) = Page(size), size
    plan = geometry()["marks"]
    card = float(plan["card"])
    left = (width - 2 * card - GAP_MM) / 2
    page.text(left, height - 17, "麻将桌相机标记 · Camera marks of the mahjong table", 5.5)
    page.text(
        left, height - 23, "按 100% 打印，不要缩放；沿虚线剪下，平贴在桌面四角。四张的位置和桌上一样。", 3.5
    )
    page.text(
        left,
        height - 28,
        "Print at 100 %, no scaling. Cut along the dashed lines; lay flat, placed as on this page.",
        3.5,
    )
    for number in mark_numbers():
        across, away = plan["centres"][plan["ids"].index(number)]
        x = left + (across > 0) * (card + GAP_MM)
        y = height - HEAD_MM - card - (away < 0) * (card + LABEL_MM)
        _card(page, number, x, y)
    below = height - HEAD_MM - 2 * (card + LABEL_MM)
    page.text(left + card + GAP_MM / 2 - 16, below + 4, "↑ 一号边 side 1", 3.5)
    _ruler(page, left, below - 12)
    half = card / 2
    at = float(plan["centres"][2][0])
    page.text(
        left, below - 20, f"每张中心离桌面中线各 {at:g} 毫米（卡片外边离中线 {at + half:g} 毫米）。", 3.2
    )
    page.text(left, below - 25, f"Centre of each card: {at:g} mm from both centre lines of the table.", 3.2)
    return page


def _card(page: Page, number: int, x: float, y: float) -> None:
    plan = geometry()["marks"]
    card, mark = float(plan["card"]), float(plan["size"])
    rim = (card - mark) / 2
    centre = plan["centres"][plan["ids"].index(number)]
    zh, en = PLACES[centre[0] > 0, centre[1] > 0]
    for x0, y0, x1, y1 in ((0, 0, card, 0), (0, card, card, card), (0, 0, 0, card), (card, 0, card, card)):
        page.line(x + x0, y + y0, x + x1, y + y1, width_mm=0.15, dash=True)
    page.boxes(_mark(plan["dictionary"], number, x + rim, y + rim, mark))
    page.text(x + rim, y + 1.5, f"{number} 号  此边朝一号边  this edge faces side 1", 2.4, HINT_GRAY)
    page.text(x, y - 5.5, f"{number} 号", 5.0)
    page.text(x + 12, y - 5.5, zh, 2.9)
    page.text(x, y - 11, f"No. {number}, {en}", 2.9)


def _ruler(page: Page, x: float, y: float) -> None:
    """Draw the ruler that shows whether the printer kept the scale."""
    ticks = [(x + step - 0.1, y, 0.2, 4.0 if step % 50 else 6.0) for step in range(0, int(RULER_MM) + 1, 10)]
    page.boxes([(x, y, RULER_MM, 0.3), *ticks])
    page.text(x + RULER_MM + 4, y + 2.6, "应为 100 毫米", 3.2)
    page.text(x + RULER_MM + 4, y - 1.4, "must be 100 mm", 3.2)


def _board(size: tuple[float, float]) -> Page:
    """Return the page with the board for the lens."""
    page, (width, height) = Page(size), size
    square = float(int(min((width - 2 * BOARD_RIM_MM[0]) / COLUMNS, (height - 2 * BOARD_RIM_MM[1]) / ROWS)))
    left, top = (width - COLUMNS * square) / 2, (height + ROWS * square) / 2
    inset = square * (1.0 - MARK_PART) / 2
    boxes: Boxes = []
    number = 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            x, y = left + column * square, top - (row + 1) * square
            if (row + column) % 2 == 0:
                boxes.append((x, y, square, square))
            else:
                boxes += _mark(DICTIONARY, number, x + inset, y + inset, square * MARK_PART)
                number += 1
    page.boxes(boxes)
    words = (
        "镜头校准板：贴在硬纸板上，在相机下换着角度拍十张以上，再用 mahjong-table vision lens。",
        "Lens board: glue it flat on card, take 10 pictures at many slants, then mahjong-table vision lens.",
    )
    page.text(left, top + 9, words[0], 3.2)
    page.text(left, top + 4, words[1], 3.2)
    return page
