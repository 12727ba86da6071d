"""What lies under and beside tiles in a picture: cloth, wood, paper, and things that are no tiles.

All pictures are (h, w, 3) uint8 BGR, made by the caller's generator; sizes in pixels. `tile_px` is the length
of a tile's long side in the picture, so that things get believable sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np

Image = np.ndarray
Ground = Callable[[np.random.Generator, int, int], Image]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789&%"


def colour(
    rng: np.random.Generator,
    hue: tuple[float, float],
    strong: tuple[float, float],
    bright: tuple[float, float],
) -> np.ndarray:
    """Return one BGR colour (3,) float32 drawn from ranges of hue (0-360), saturation and value (0-1)."""
    hsv = np.array(
        [[[rng.uniform(*hue) / 2 % 180, rng.uniform(*strong) * 255, rng.uniform(*bright) * 255]]], np.uint8
    )
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)


def any_colour(rng: np.random.Generator) -> np.ndarray:
    """Return any BGR colour, strong or dull, dark or light."""
    return colour(rng, (0, 360), (0.0, 1.0), (0.05, 1.0))


def clouds(rng: np.random.Generator, height: int, width: int, grain: float = 0.5) -> np.ndarray:
    """Return smooth noise (h, w) float32 of about -1 to 1; `grain` is the weight of each finer layer."""
    total, weight = np.zeros((height, width), np.float32), 1.0
    for cells in (3, 9, 27):
        layer = rng.normal(0, 0.5, (cells, cells)).astype(np.float32)
        total += weight * cv2.resize(layer, (width, height), interpolation=cv2.INTER_CUBIC)
        weight *= grain
    return total


def _finish(picture: np.ndarray) -> Image:
    return np.clip(picture, 0, 255).astype(np.uint8)


def flat(rng: np.random.Generator, height: int, width: int) -> Image:
    """Return one colour: white studio paper, or the plain border around a cut-out row."""
    base = colour(rng, (0, 360), (0, 0.12), (0.85, 1.0)) if rng.random() < 0.4 else any_colour(rng)
    shade = clouds(rng, height, width, 0.0) * float(rng.choice((0.0, 4.0, 12.0)))
    return _finish(base + shade[..., None])


def cloth(rng: np.random.Generator, height: int, width: int) -> Image:
    """Return felt: green most often, with a weave and worn places."""
    hue = (90, 170) if rng.random() < 0.5 else (0, 360)
    base = colour(rng, hue, (0.15, 0.9), (0.12, 0.75))
    weave = rng.normal(0, float(rng.uniform(1, 9)), (height, width)).astype(np.float32)
    if rng.random() < 0.5:
        weave = cv2.GaussianBlur(weave, (0, 0), float(rng.uniform(0.4, 1.0))) * 1.8
    return _finish(base + (weave + clouds(rng, height, width) * float(rng.uniform(2, 16)))[..., None])


def wood(rng: np.random.Generator, height: int, width: int) -> Image:
    """Return planks with grain along one direction."""
    along, across = (width, height) if rng.random() < 0.5 else (height, width)
    base = colour(rng, (12, 40), (0.25, 0.75), (0.2, 0.85))
    grain = cv2.resize(
        rng.normal(0, 1, (across, max(2, along // 50))).astype(np.float32),
        (along, across),
        interpolation=cv2.INTER_CUBIC,
    )
    grain = cv2.GaussianBlur(grain, (0, 0), float(rng.uniform(0.3, 1.5))) * float(rng.uniform(5, 22))
    plank = int(rng.integers(30, 120))
    if rng.random() < 0.6:
        grain[:: max(plank, 2)] -= 40.0
    if along == height and across == width:
        grain = grain.T
    grain = cv2.resize(grain, (width, height))
    return _finish(base + (grain + clouds(rng, height, width) * 10)[..., None])


def chequered(rng: np.random.Generator, height: int, width: int) -> Image:
    """Return a cloth of squares, stripes or gingham, at any turn; some cells have a tile's shape."""
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    turn = float(rng.uniform(0, np.pi))
    along = columns * np.cos(turn) + rows * np.sin(turn)
    across = rows * np.cos(turn) - columns * np.sin(turn)
    size = float(rng.uniform(8, 60))
    stretch = float(rng.choice((1.0, 1.0, 1.33, 4.0)))
    first = np.floor(along / size) % 2
    second = np.floor(across / (size * stretch)) % 2
    pick = (first + second) / 2 if rng.random() < 0.5 else (first + second) % 2
    one, other = any_colour(rng), any_colour(rng)
    weave = rng.normal(0, float(rng.uniform(0, 6)), (height, width, 1))
    return _finish(one + (other - one) * pick[..., None] + weave)


def patterned(rng: np.random.Generator, height: int, width: int) -> Image:
    """Return a cloth with one printed motif repeated in a lattice."""
    picture = cloth(rng, height, width)
    step, ink = int(rng.integers(14, 70)), any_colour(rng).tolist()
    kind, size = int(rng.integers(4)), max(2, int(step * rng.uniform(0.15, 0.4)))
    thick = int(rng.choice((-1, 1, 2)))
    for row, y in enumerate(range(0, height + step, step)):
        for x in range(step // 2 * (row % 2), width + step, step):
            _motif(picture, kind, x, y, size, ink, thick)
    return picture


def _motif(picture: Image, kind: int, x: int, y: int, size: int, ink: Sequence[float], thick: int) -> None:
    if kind == 0:
        cv2.circle(picture, (x, y), size, ink, thick, cv2.LINE_AA)
    elif kind == 1:
        corners = np.array([(x, y - size), (x + size, y), (x, y + size), (x - size, y)], np.int32)
        cv2.polylines(picture, [corners], True, ink, max(thick, 1), cv2.LINE_AA)
    elif kind == 2:
        for turn in range(0, 180, 45):
            dx, dy = size * np.cos(np.radians(turn)), size * np.sin(np.radians(turn))
            cv2.line(picture, (int(x - dx), int(y - dy)), (int(x + dx), int(y + dy)), ink, max(thick, 1), 16)
    else:
        cv2.rectangle(picture, (x - size, y - size), (x + size, y + size), ink, thick)


def printed(rng: np.random.Generator, height: int, width: int) -> Image:
    """Return a newspaper or a box with text, at any turn."""
    side = int(np.hypot(height, width)) + 2
    page = np.empty((side, side, 3), np.uint8)
    paper = colour(rng, (20, 60), (0, 0.2), (0.7, 1.0)) if rng.random() < 0.7 else any_colour(rng)
    page[:] = paper.astype(np.uint8)
    ink = (paper * float(rng.uniform(0.0, 0.5))).tolist()
    size = float(rng.uniform(0.3, 0.9))
    column, line = int(rng.integers(80, 240)), int(size * 30) + 3
    for x in range(0, side, column + 12):
        for y in range(line, side, line):
            length = int(column / (size * 17))
            text = "".join(rng.choice(list(LETTERS + "     "), length))
            cv2.putText(page, text, (x, y), int(rng.integers(0, 4)), size, ink, 1, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 4))):
        x, y = (int(value) for value in rng.integers(0, side, 2))
        far = (x + int(rng.integers(20, 120)), y + int(rng.integers(20, 120)))
        cv2.rectangle(page, (x, y), far, any_colour(rng).tolist(), -1)
    matrix = cv2.getRotationMatrix2D((side / 2, side / 2), float(rng.uniform(0, 360)), 1.0)
    matrix[:, 2] += ((width - side) / 2, (height - side) / 2)
    return cv2.warpAffine(page, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)


GROUNDS: tuple[tuple[Ground, float], ...] = (
    (cloth, 0.42), (flat, 0.22), (wood, 0.15), (patterned, 0.08), (chequered, 0.07), (printed, 0.06)
)  # fmt: skip


def ground(rng: np.random.Generator, height: int, width: int) -> Image:
    """Return one of the grounds, one in seven with a second one laid over a part of it (a tray, a mat)."""
    shares = np.array([share for _, share in GROUNDS])
    make = GROUNDS[int(rng.choice(len(GROUNDS), p=shares / shares.sum()))][0]
    picture = make(rng, height, width)
    if rng.random() < 0.15:
        turn, reach = float(rng.uniform(0, 180)), float(rng.uniform(0.3, 0.9))
        middle = (float(rng.uniform(0, width)), float(rng.uniform(0, height)))
        size = (width * reach, height * reach * float(rng.uniform(0.3, 1.2)))
        corners = cv2.boxPoints((middle, size, turn)).astype(np.int32)
        mask = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(mask, corners, 255, cv2.LINE_AA)
        other = GROUNDS[int(rng.integers(3))][0](rng, height, width)
        picture = blend(picture, other, mask)
        rail = (any_colour(rng) * 0.5).tolist()
        cv2.polylines(picture, [corners], True, rail, int(rng.integers(1, 7)), cv2.LINE_AA)
    return picture


def blend(under: Image, over: Image, mask: np.ndarray) -> Image:
    """Return `over` laid on `under` where the mask (h, w) uint8 is set."""
    part = mask.astype(np.float32)[..., None] / 255.0
    return (under + (over.astype(np.float32) - under) * part).astype(np.uint8)
