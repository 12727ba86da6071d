"""What the namer may be shown of a tile: the window of a rimmed crop, its inks, its light, its camera.

Everything takes the caller's generator and works on uint8 BGR pictures. The numbers are ranges that real
photographs show (places: a detector's error; inks: 15 photographed sets; sizes: tiles of 13 pixels and more).
"""

from __future__ import annotations

import math
from functools import cache

import cv2
import numpy as np

from vision.crops import CROP_MARGIN

from .data import CANVAS_PX, RIM_PX, TILE_PX, Image

MIRRORED = frozenset({*(f"{rank}{suit}" for suit in "ps" for rank in range(1, 10)), "P"})
"""Faces that stay themselves in a mirror: makers draw 3p, 7p and the bird either way."""
CORNERED = frozenset({*(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)), *"ESWNCFP"})
"""Faces that some makers give a digit or letter in a corner."""
WIDE_TURN_DEG = 20.0
FLOWERS = frozenset("abcdefgh")
MARKS_BELOW = frozenset({"s01"})
"""Photographed sets whose flowers are marked below the plant."""
GRAFT_PART = (0.36, 0.5)
"""Upper part of a flower's tile in which its number and character stand."""
SEAM_PX = 4
FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
)


def window(
    canvas: Image, rng: np.random.Generator, size: tuple[int, int], turn_deg: float = 0.0, calm: bool = False
) -> Image:
    """Return (h, w, 3): the tile of a rimmed crop as a detector or a person might cut it.

    Args:
        turn_deg: turns the tile clockwise; 90 shows it lying in an upright window.
        calm: only a little out of place (for pictures that are no tile, whose meaning lies in their place).
    """
    return placed_window(canvas, rng, size, turn_deg, calm)[0]


def placed_window(
    canvas: Image, rng: np.random.Generator, size: tuple[int, int], turn_deg: float = 0.0, calm: bool = False
) -> tuple[Image, np.ndarray]:
    """Return a window and where the tile lies in it, as `vision.crops.resettled` takes it: centre from the
    window's (parts of its width and height), logarithms of width and height (0 = fills the window but for
    the margin), turn in radians clockwise."""
    height, width = size
    wide = not calm and rng.random() < 0.5
    spin = float(rng.uniform(-WIDE_TURN_DEG, WIDE_TURN_DEG)) if wide else float(rng.normal(0, 2.0))
    draw = (
        rng.random()
    )  # a detector leaves a margin, a person's crop none, some leave more or cut into the tile
    grow = (
        1.0 if draw < 0.45 else 1.0 / (1 + 2 * CROP_MARGIN) if draw < 0.8 else float(rng.uniform(0.86, 1.2))
    )
    if wide:  # a turned picture is cut at the old size, or grows by its corners
        grow *= float(rng.uniform(1.0, 1.0 + 1.1 * math.sin(math.radians(abs(spin)))))
    wild = 2.5 if rng.random() < 0.2 else 1.0
    jitter = rng.normal(0, 1, 6) * wild
    grow *= math.exp(0.035 * jitter[0])
    stretch = math.exp(0.025 * jitter[1])
    shear = 0.015 * jitter[2]
    shift = (1.4 * jitter[3], 1.7 * jitter[4])
    bare = wide or rng.random() < 0.35
    angle = math.radians(turn_deg + spin)
    c, s = math.cos(angle), math.sin(angle)
    sx = TILE_PX[0] * (1 + 2 * CROP_MARGIN) * grow * stretch / width
    sy = TILE_PX[1] * (1 + 2 * CROP_MARGIN) * grow / stretch / height
    linear = np.array([[c, s], [-s, c]]) @ np.array([[sx, shear * sx], [0.0, sy]])
    middle = np.array([(CANVAS_PX[0] - 1) / 2 + shift[0], (CANVAS_PX[1] - 1) / 2 + shift[1]])
    source, border, colour = canvas, cv2.BORDER_REPLICATE, (0.0, 0.0, 0.0)
    if bare and not calm:  # the tile alone: before felt, paper, black, or its own edge drawn out
        source = canvas[RIM_PX[1] : RIM_PX[1] + TILE_PX[1], RIM_PX[0] : RIM_PX[0] + TILE_PX[0]]
        middle -= RIM_PX
        if rng.random() < 0.7:
            border = cv2.BORDER_CONSTANT
            colour = tuple(float(v) for v in _ground(rng))
    centre_at = -np.linalg.solve(linear, np.array(shift)) / (width, height)
    place = np.array([*centre_at, -math.log(grow * stretch), -math.log(grow / stretch), math.radians(spin)])
    matrix = np.zeros((2, 3))
    matrix[:, :2] = linear
    matrix[:, 2] = middle - linear @ np.array([(width - 1) / 2, (height - 1) / 2])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    if wild > 1.0 and rng.random() < 0.4:  # a little perspective
        lean = rng.normal(0, 0.0012, 2)
        centre = np.array([[1, 0, -(width - 1) / 2], [0, 1, -(height - 1) / 2], [0, 0, 1.0]])
        tilt = np.linalg.inv(centre) @ np.array([[1, 0, 0], [0, 1, 0], [*lean, 1.0]]) @ centre
        full = np.vstack([matrix, [0, 0, 1.0]]) @ tilt
        seen = cv2.warpPerspective(
            source, full, (width, height), flags=flags, borderMode=border, borderValue=colour
        )
    else:
        seen = cv2.warpAffine(
            source, matrix, (width, height), flags=flags, borderMode=border, borderValue=colour
        )
    return np.asarray(seen, np.uint8), place


def _ground(rng: np.random.Generator) -> np.ndarray:
    draw = rng.random()
    if draw < 0.25:
        return np.zeros(3)
    if draw < 0.4:
        return np.full(3, 255.0)
    return rng.uniform(0, 170, 3)


def with_corner(canvas: Image, text: str, rng: np.random.Generator) -> Image:
    """Return a rimmed crop whose tile has a digit or letter printed in an upper corner."""
    marked = canvas.copy()
    scale = float(rng.uniform(0.32, 0.6))
    thickness = 1 if scale < 0.42 or rng.random() < 0.6 else 2
    font = FONTS[int(rng.integers(len(FONTS)))]
    (width, height), _ = cv2.getTextSize(text, font, scale, thickness)
    x = RIM_PX[0] + int(rng.integers(2, 7))
    if rng.random() < 0.5:
        x = RIM_PX[0] + TILE_PX[0] - width - int(rng.integers(2, 7))
    y = RIM_PX[1] + height + int(rng.integers(2, 8))
    ink = ((30, 20, 160), (20, 20, 25), (150, 60, 20), (40, 90, 20))[
        int(rng.choice(4, p=(0.6, 0.2, 0.15, 0.05)))
    ]
    colour = tuple(int(np.clip(value + rng.normal(0, 20), 0, 255)) for value in ink)
    cv2.putText(marked, text, (x, y), font, scale, colour, thickness, cv2.LINE_AA)
    return marked


def with_words(canvas: Image, rng: np.random.Generator) -> Image:
    """Return a tile made foreign: letters where its character was, as on jokers and season words."""
    marked = canvas.copy()
    left, top = RIM_PX
    inner = marked[top + 4 : top + TILE_PX[1] - 4, left + 4 : left + TILE_PX[0] - 4]
    body = np.percentile(inner.reshape(-1, 3), 90, axis=0)
    if rng.random() < 0.3:  # a picture turned in itself
        inner[:] = inner[:, ::-1] if rng.random() < 0.5 else inner[::-1]
    elif rng.random() < 0.3:
        inner[:] = np.roll(inner, int(rng.integers(15, 40)), axis=int(rng.integers(2)))
    band = int(rng.integers(16, 26))
    y0 = 0 if rng.random() < 0.75 else inner.shape[0] - band
    inner[y0 : y0 + band] = body
    word = str(
        rng.choice(
            ("JOKER", "WIN", "SPR", "SUM", "AUT", "BAM", "CRAK", "DOT", "JOLLY", "RED", "WHITE", "LUCK")
        )
    )
    word = (
        word
        if rng.random() < 0.7
        else "".join(rng.choice(list("ABDGHJKLMOQRTUVXYZ"), int(rng.integers(2, 5))))
    )
    font = FONTS[int(rng.integers(len(FONTS)))]
    wanted = float(rng.uniform(0.6, 0.98)) * inner.shape[1]
    (width, height), _ = cv2.getTextSize(word, font, 1.0, 1)
    scale = min(wanted / width, (band - 4) / height)
    colour = tuple(int(v) for v in rng.uniform((0, 0, 0), (170, 110, 190)))
    spot = (int((inner.shape[1] - width * scale) / 2), y0 + int((band + height * scale) / 2))
    part = inner.copy()
    cv2.putText(part, word, spot, font, scale, colour, 1 + int(rng.random() < 0.3), cv2.LINE_AA)
    inner[:] = part
    return marked


def grafted(canvas: Image, other: Image, rng: np.random.Generator) -> Image:
    """Return a rimmed crop of a flower with the plant of another one of its set below its own marks."""
    seam = RIM_PX[1] + TILE_PX[1] * float(rng.uniform(*GRAFT_PART))
    rows = np.arange(len(canvas), dtype=np.float32)
    own = np.clip((seam - rows) / SEAM_PX + 0.5, 0.0, 1.0)[:, None, None]
    return (own * canvas + (1.0 - own) * other).astype(np.uint8)


def crossed(canvas: Image, other: Image, rng: np.random.Generator) -> Image:
    """Return a tile that is none: the upper part of one on the lower part of another."""
    mixed = canvas.copy()
    left, top = RIM_PX
    cut = int(rng.uniform(0.35, 0.65) * TILE_PX[1])
    tile, part = mixed[top : top + TILE_PX[1], left : left + TILE_PX[0]], other[top : top + TILE_PX[1]]
    tile[cut:] = part[cut:, left : left + TILE_PX[0]]
    return mixed


@cache
def _grid(height: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    return rows / height - 0.5, columns / width - 0.5


def inked(image: Image, rng: np.random.Generator) -> Image:
    """Return the tile printed with other inks on another body.

    Ink is density (-log of what it lets through of the body's light): mixing the three densities changes hues
    and leaves body and black as they are; scaling them fades or darkens the print.
    """
    flat = image.reshape(-1, 3)
    luminance = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).reshape(-1)
    body = flat[luminance >= luminance.mean()].mean(axis=0).astype(np.float32) * 1.03 + 1.0
    density = -cv2.log(np.clip(image.astype(np.float32) / body, 0.02, 1.3))
    draw = rng.random()
    if draw < 0.45:  # hues drift
        mixing = np.eye(3) + rng.normal(0, 0.18, (3, 3))
    elif draw < 0.75:  # inks swapped
        mixing = np.eye(3)[rng.permutation(3)] * 0.8 + rng.uniform(0, 0.2, (3, 3))
    elif draw < 0.9:  # one ink for all
        mixing = np.outer(rng.uniform(0.25, 1.6, 3), rng.dirichlet((2.0, 2.0, 2.0)))
    else:
        mixing = np.full((3, 3), 1 / 3)
    mixing *= math.exp(float(rng.normal(0, 0.3)))
    light = body
    if rng.random() < 0.5:
        light = (
            body * np.exp(rng.normal(0, 0.12, 3)).astype(np.float32) * math.exp(float(rng.normal(0, 0.15)))
        )
    printed = cv2.exp(-cv2.transform(density, mixing.astype(np.float32))) * light.astype(np.float32)
    return np.clip(printed, 0, 255).astype(np.uint8)


def warped(image: Image, rng: np.random.Generator) -> Image:
    """Return the tile drawn by another hand: its strokes moved smoothly, by a fiftieth of its height."""
    height, width = image.shape[:2]
    reach = float(rng.uniform(0.008, 0.022)) * height
    coarse = rng.normal(0, reach, (5, 4, 2)).astype(np.float32)
    field = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    rows, columns = _pixels(height, width)
    across, down = columns + field[..., 0], rows + field[..., 1]
    return np.asarray(
        cv2.remap(image, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


@cache
def _pixels(height: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    return rows, columns


def stroked(image: Image, rng: np.random.Generator) -> Image:
    """Return the tile with thinner or thicker strokes."""
    kernel = np.ones((2, 2) if rng.random() < 0.5 else (3, 3), np.uint8)
    other = cv2.erode(image, kernel) if rng.random() < 0.5 else cv2.dilate(image, kernel)
    share = float(rng.uniform(0.2, 0.9))
    return cv2.addWeighted(image, 1 - share, other, share, 0)


def lit(image: Image, rng: np.random.Generator) -> Image:
    """Return the picture in other light: exposure, tint, slopes, shadows, glare, gamma, grey."""
    height, width = image.shape[:2]
    picture = image.astype(np.float32) * (1 / 255)
    if rng.random() < 0.3:
        picture = cv2.pow(picture, math.exp(float(rng.normal(0, 0.25))))
    gain = math.exp(float(rng.normal(0, 0.2)))
    tint = np.exp(rng.normal(0, 0.09 if rng.random() < 0.7 else 0.25, 3)).astype(np.float32)
    picture *= tint * np.float32(gain)
    rows, columns = _grid(height, width)
    if rng.random() < 0.3:
        turn, depth = float(rng.uniform(0, 2 * math.pi)), float(rng.uniform(0.1, 0.7))
        picture *= (1 + depth * (columns * math.cos(turn) + rows * math.sin(turn)))[..., None]
    if rng.random() < 0.15:  # the edge of a shadow
        turn, at, soft = (
            float(rng.uniform(0, 2 * math.pi)),
            float(rng.uniform(-0.4, 0.4)),
            float(rng.uniform(20, 90)),
        )
        side = columns * math.cos(turn) + rows * math.sin(turn) - at
        picture *= (1 - float(rng.uniform(0.1, 0.3)) * (1 + np.tanh(soft * side)))[..., None]
    if rng.random() < 0.15:  # glare: round, or a streak
        spread = rng.uniform(0.05, 0.3, 2)
        at = rng.uniform(-0.5, 0.5, 2)
        spot = np.exp(-(((columns - at[0]) / spread[0]) ** 2 + ((rows - at[1]) / spread[1]) ** 2))
        picture += spot[..., None] * np.float32(rng.uniform(0.15, 0.7))
    if rng.random() < 0.3:  # contrast
        mean = float(picture.mean())
        picture = (picture - mean) * np.float32(rng.uniform(0.45, 1.3)) + np.float32(mean)
    if rng.random() < 0.2:
        grey = picture.mean(axis=2, keepdims=True)
        picture = grey + (picture - grey) * np.float32(rng.uniform(0.0, 1.6))
    return np.clip(picture * 255, 0, 255).astype(np.uint8)


def filmed(image: Image, rng: np.random.Generator) -> Image:
    """Return the picture through a worse camera: fewer pixels, out of focus, noise, JPEG."""
    height, width = image.shape[:2]
    small = image
    if rng.random() < 0.5:
        share = math.exp(float(rng.uniform(math.log(14 / 48), 0.0))) if rng.random() < 0.85 else 13 / 48
        small = cv2.resize(image, (round(width * share), round(height * share)), interpolation=cv2.INTER_AREA)
    draw = rng.random()
    if draw < 0.25:
        small = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.3, 1.1)))
    elif draw < 0.33:
        length = int(rng.integers(2, 4))
        kernel = np.full((1, length), 1 / length, np.float32)
        small = cv2.filter2D(small, -1, kernel if rng.random() < 0.5 else kernel.T)
    elif draw < 0.42:  # sharpened by the phone
        small = cv2.addWeighted(small, 1.8, cv2.GaussianBlur(small, (0, 0), 1.0), -0.8, 0)
    if rng.random() < 0.35:
        noise = rng.normal(0, float(rng.uniform(1, 12)), small.shape).astype(np.float32)
        small = np.clip(small + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.35:
        quality = int(rng.integers(25, 96))
        small = cv2.imdecode(
            cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR
        )
    if small.shape != image.shape:
        method = (cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_AREA)[int(rng.integers(3))]
        small = cv2.resize(small, (width, height), interpolation=method)
    return small


def hidden(image: Image, rng: np.random.Generator) -> Image:
    """Return the picture with a small part covered."""
    height, width = image.shape[:2]
    h, w = int(rng.uniform(0.06, 0.2) * height), int(rng.uniform(0.06, 0.2) * width)
    y, x = int(rng.integers(height - h)), int(rng.integers(width - w))
    covered = image.copy()
    covered[y : y + h, x : x + w] = rng.integers(0, 256, 3)
    return covered
