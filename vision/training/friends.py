"""Things on a table that are no tiles: phones, hands, cups, logos, cards of paper, table marks, dome rings.

A finder that never saw them takes them for tiles. Each function draws on the given picture, whose tiles are
`tile_px` long; where something lies is left to the caller's generator.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from .grounds import LETTERS, Image, any_colour, blend, colour

Friend = Callable[[np.random.Generator, Image, float], None]


def _middle(rng: np.random.Generator, picture: Image) -> tuple[int, int]:
    return int(rng.integers(0, picture.shape[1])), int(rng.integers(0, picture.shape[0]))


def _box(rng: np.random.Generator, picture: Image, long: float, short: float) -> np.ndarray:
    return cv2.boxPoints((_middle(rng, picture), (short, long), float(rng.uniform(0, 180)))).astype(np.int32)


def phone(rng: np.random.Generator, picture: Image, tile_px: float) -> None:
    """Draw a dark slab with a lit or a black screen and rows of small pictures."""
    long = tile_px * float(rng.uniform(2.5, 5.0))
    short = long * float(rng.uniform(0.45, 0.55))
    side = int(long) + 2
    page = np.zeros((side, side, 3), np.uint8)
    left = int((side - short) / 2)
    body = any_colour(rng) * 0.25
    cv2.rectangle(page, (left, 0), (side - left, side), body.tolist(), -1)
    rim = max(1, int(long * 0.03))
    screen = any_colour(rng) * (1.0 if rng.random() < 0.6 else 0.15)
    cv2.rectangle(page, (left + rim, rim * 3), (side - left - rim, side - rim * 3), screen.tolist(), -1)
    step = max(4, int(short / 4))
    if rng.random() < 0.6:
        for y in range(rim * 4, side - rim * 4 - step, step):
            for x in range(left + rim * 2, side - left - step, step):
                far = (x + int(step * 0.65), y + int(step * 0.65))
                cv2.rectangle(page, (x, y), far, any_colour(rng).tolist(), -1)
    mask = np.zeros((side, side), np.uint8)
    cv2.rectangle(mask, (left, 0), (side - left, side), 255, -1)
    _lay(rng, picture, page, mask)


def _lay(rng: np.random.Generator, picture: Image, page: Image, mask: np.ndarray) -> None:
    """Lay a square page at any place and turn on the picture."""
    side = page.shape[0]
    matrix = cv2.getRotationMatrix2D((side / 2, side / 2), float(rng.uniform(0, 360)), 1.0)
    matrix[:, 2] += np.array(_middle(rng, picture)) - side / 2
    size = (picture.shape[1], picture.shape[0])
    over = cv2.warpAffine(page, matrix, size)
    picture[:] = blend(picture, over, cv2.warpAffine(mask, matrix, size))


def hand(rng: np.random.Generator, picture: Image, tile_px: float) -> np.ndarray:
    """Draw a hand from one edge of the picture and return where it covers (h, w) uint8."""
    height, width = picture.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    thick = max(3, int(tile_px * float(rng.uniform(0.4, 0.75))))
    palm = np.array(_middle(rng, picture), np.float64)
    turn = float(rng.uniform(0, 2 * np.pi))
    way = np.array([np.cos(turn), np.sin(turn)])
    cv2.circle(mask, _point(palm), int(thick * 1.9), 255, -1)
    cv2.line(mask, _point(palm), _point(palm + way * tile_px * 12), 255, int(thick * 2.6))
    for finger in range(int(rng.integers(2, 6))):
        lean = turn + np.pi + (finger - 2) * float(rng.uniform(0.2, 0.4))
        reach = tile_px * float(rng.uniform(1.2, 2.6))
        tip = palm + reach * np.array([np.cos(lean), np.sin(lean)])
        cv2.line(mask, _point(palm), _point(tip), 255, thick)
    skin = colour(rng, (8, 28), (0.2, 0.65), (0.3, 0.95))
    depth = cv2.GaussianBlur(mask, (0, 0), max(1.0, thick * 0.35)).astype(np.float32) / 255.0
    over = np.clip(skin * (0.45 + 0.6 * depth[..., None]), 0, 255).astype(np.uint8)
    soft = cv2.GaussianBlur(mask, (0, 0), 0.8)
    picture[:] = blend(picture, over, soft)
    return mask


def _point(place: np.ndarray) -> tuple[int, int]:
    return int(place[0]), int(place[1])


def ring(rng: np.random.Generator, picture: Image, tile_px: float) -> None:
    """Draw the bright arcs of a dome or of a glass."""
    middle, size = _middle(rng, picture), tile_px * float(rng.uniform(1.0, 5.0))
    layer = np.zeros(picture.shape[:2], np.uint8)
    axes = (int(size), int(size * float(rng.uniform(0.6, 1.0))))
    for _ in range(int(rng.integers(1, 4))):
        start = float(rng.uniform(0, 360))
        end = start + float(rng.uniform(40, 360))
        cv2.ellipse(layer, middle, axes, float(rng.uniform(0, 180)), start, end, 255, int(rng.integers(1, 6)))
        axes = (int(axes[0] * 0.9), int(axes[1] * 0.9))
    layer = cv2.GaussianBlur(layer, (0, 0), float(rng.uniform(0.6, 2.0)))
    light = np.full_like(picture, 255 if rng.random() < 0.8 else 20)
    picture[:] = blend(picture, light, (layer * float(rng.uniform(0.3, 0.9))).astype(np.uint8))


def cup(rng: np.random.Generator, picture: Image, tile_px: float) -> None:
    """Draw a cup, an ashtray or a coin from above."""
    middle = _middle(rng, picture)
    size = tile_px * float(rng.choice((0.3, 0.5, 1.2, 2.0)))
    for part in (1.0, float(rng.uniform(0.7, 0.9)), float(rng.uniform(0.2, 0.6))):
        cv2.circle(picture, middle, max(1, int(size * part)), any_colour(rng).tolist(), -1, cv2.LINE_AA)


def logo(rng: np.random.Generator, picture: Image, tile_px: float) -> None:
    """Draw letters, a badge with letters, or a star."""
    middle, size = _middle(rng, picture), tile_px * float(rng.uniform(0.4, 2.0))
    if rng.random() < 0.6:
        shape = int(rng.integers(3))
        ink, thick = any_colour(rng).tolist(), int(rng.choice((-1, 1, 3)))
        if shape == 0:
            cv2.circle(picture, middle, int(size), ink, thick, cv2.LINE_AA)
        elif shape == 1:
            corners = int(rng.integers(3, 9))
            turns = np.arange(corners) * 2 * np.pi / corners + rng.uniform(0, 3)
            points = np.stack([np.cos(turns), np.sin(turns)], 1) * size + middle
            cv2.polylines(picture, [points.astype(np.int32)], True, ink, max(thick, 1), cv2.LINE_AA)
        else:
            cv2.ellipse(picture, middle, (int(size * 1.6), int(size)), 0, 0, 360, ink, thick, cv2.LINE_AA)
    text = "".join(rng.choice(list(LETTERS), int(rng.integers(1, 6))))
    high = size / 25.0
    start = (middle[0] - int(9 * len(text) * high), middle[1] + int(10 * high))
    font, thick = int(rng.integers(0, 8)), int(rng.integers(1, 4))
    cv2.putText(picture, text, start, font, high, any_colour(rng).tolist(), thick, cv2.LINE_AA)


def package(rng: np.random.Generator, picture: Image, tile_px: float) -> None:
    """Draw a printed box, a banknote or a sheet with lines: four-cornered, but no tile."""
    long = tile_px * float(rng.uniform(1.5, 6.0))
    corners = _box(rng, picture, long, long * float(rng.uniform(0.3, 0.95)))
    base = any_colour(rng)
    cv2.fillConvexPoly(picture, corners, base.tolist(), cv2.LINE_AA)
    cv2.polylines(picture, [corners], True, (base * 0.6).tolist(), 1, cv2.LINE_AA)
    first, second, third, fourth = corners.astype(np.float64)
    ink = any_colour(rng).tolist()
    for part in np.linspace(0.1, 0.9, int(rng.integers(2, 9))):
        start, end = first + (fourth - first) * part, second + (third - second) * part
        inner = start + (end - start) * 0.1, start + (end - start) * float(rng.uniform(0.5, 0.9))
        cv2.line(picture, _point(inner[0]), _point(inner[1]), ink, int(rng.integers(1, 4)), cv2.LINE_AA)


def mark(rng: np.random.Generator, picture: Image, tile_px: float) -> None:
    """Draw a table mark: black and white cells in a black frame on white paper."""
    cells = int(rng.choice((4, 5, 6)))
    bits = np.zeros((cells + 4, cells + 4), np.uint8)
    bits[0, :] = bits[-1, :] = bits[:, 0] = bits[:, -1] = 255
    bits[2:-2, 2:-2] = rng.integers(0, 2, (cells, cells)) * 255
    side = max(8, int(tile_px * float(rng.uniform(0.6, 1.5))))
    large = cv2.resize(bits, (side, side), interpolation=cv2.INTER_NEAREST)
    _lay(rng, picture, cv2.cvtColor(large, cv2.COLOR_GRAY2BGR), np.full((side, side), 255, np.uint8))


FRIENDS: tuple[Friend, ...] = (phone, ring, cup, logo, logo, package, package, mark)
"""Those that lie under tiles or beside them; a hand is drawn over them by the composer."""


def scatter(rng: np.random.Generator, picture: Image, tile_px: float, most: int = 4) -> None:
    """Draw up to `most` things at random places."""
    for _ in range(int(rng.integers(0, most + 1))):
        FRIENDS[int(rng.integers(len(FRIENDS)))](rng, picture, tile_px)
