"""The blank tile seen from above: face, round edges, a little of its sides, and what lies around it."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from .ink import noise
from .style import Style, choose

Floats = NDArray[np.float32]
VARIANTS = 6
"""How many views of the blank tile are kept per set: each has its own light, gaps and slant."""
_GROUNDS = (
    (38, 38, 40),
    (20, 22, 24),
    (70, 72, 74),
    (60, 90, 40),
    (70, 110, 30),
    (40, 60, 100),
    (60, 90, 130),
    (230, 230, 230),
    (120, 60, 30),
)


def _inside(x: Floats, y: Floats, box: tuple[float, float, float, float], radius: float) -> Floats:
    """Return how far inside a rounded box (left, top, right, bottom) each pixel lies, below 0 outside."""
    left, top, right, bottom = box
    qx = np.abs(x - (left + right) / 2) - (right - left) / 2 + radius
    qy = np.abs(y - (top + bottom) / 2) - (bottom - top) / 2 + radius
    corner = np.sqrt(np.maximum(qx, 0) ** 2 + np.maximum(qy, 0) ** 2)
    return (radius - corner - np.minimum(np.maximum(qx, qy), 0)).astype(np.float32)


@lru_cache(maxsize=64)
def blank(style: Style, variant: int, height_px: int, back: bool = False) -> Floats:
    """Return the tile without ink, (h, w, 3) float32 BGR 0-255, for this view of the set; read only."""
    rng = style.stream(f"body {variant}")
    body = style.body
    height, width = height_px, round(height_px / style.aspect)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    gap = width * float(rng.uniform(0.0, 0.014))
    side_x, side_y = (float(v) * width for v in np.clip(rng.normal(0, 0.022, 2), -0.07, 0.07))
    bevel = body.bevel * width
    outer = (gap, gap, width - 1 - gap, height - 1 - gap)
    face = (
        gap + max(0.0, side_x),
        gap + max(0.0, side_y),
        width - 1 - gap + min(0.0, side_x),
        height - 1 - gap + min(0.0, side_y),
    )
    radius = body.radius * width
    whole, top = _inside(x, y, outer, radius), _inside(x, y, face, radius)
    nx, ny = -cv2.Sobel(top, cv2.CV_32F, 1, 0, scale=0.125), -cv2.Sobel(top, cv2.CV_32F, 0, 1, scale=0.125)
    turn = float(rng.uniform(0, 2 * np.pi))
    toward = nx * np.float32(np.cos(turn)) + ny * np.float32(np.sin(turn))

    near, far = (body.back, body.colour) if back else (body.colour, body.back)
    colour = np.broadcast_to(np.array(near, np.float32), (height, width, 3)).copy()
    if back:
        _back_pattern(colour, style)
    if body.grain:
        _grain(colour, rng, body.grain)
    ramp = (x / width - 0.5) * float(rng.normal(0, 0.06)) + (y / height - 0.5) * float(rng.normal(0, 0.06))
    shade = 1.0 + ramp - body.translucent * np.exp(-np.maximum(top, 0) / (0.09 * width))
    bend = np.clip(1 - top / max(bevel, 1.0), 0, 1) ** 2 * (top > 0)
    shade += bend * (toward * (0.05 + 0.25 * body.gloss) - 0.05)
    tint = np.array([1.0 + 0.5 * body.translucent, 1.0, 1.0], np.float32)  # edges deepen, less so in blue
    colour *= np.power(np.maximum(shade, 0.05)[..., None], tint)

    side = top <= 0
    deep = -top / max(abs(side_x), abs(side_y), 1.0)
    flank = 0.8 + 0.16 * toward - 0.1 * deep
    flanks = np.array(near, np.float32) * flank[..., None]
    if body.layers > 1 and max(abs(side_x), abs(side_y)) > 0.02 * width:
        layer = np.clip((deep - (1 - body.back_part)) * 8, 0, 1)[..., None]
        flanks = flanks * (1 - layer) + np.array(far, np.float32) * flank[..., None] * layer
        if body.layers == 3:
            seam = np.exp(-(((deep - (1 - body.back_part)) * 6) ** 2))[..., None]
            flanks = flanks * (1 - 0.7 * seam) + 245 * flank[..., None] * 0.7 * seam
    part = np.clip(0.5 - top, 0, 1)[..., None] * side[..., None]
    colour = colour * (1 - part) + flanks * part
    colour *= (1 - float(rng.uniform(0.1, 0.45)) * np.exp(-np.maximum(whole, 0) / (0.008 * width)))[..., None]
    cover = np.clip(whole + 0.5, 0, 1)[..., None]
    ground = np.array(choose(rng, _GROUNDS), np.float32)
    if rng.random() < 0.35:  # the neighbours' own flanks fill the gap
        ground = np.array(near, np.float32) * float(rng.uniform(0.35, 0.8))
    return np.ascontiguousarray(colour * cover + ground * (1 - cover), dtype=np.float32)


def _grain(colour: Floats, rng: np.random.Generator, strength: float) -> None:
    height, width = colour.shape[:2]
    fine = rng.standard_normal((max(2, height // 40), max(2, width // 2)), dtype=np.float32)
    streaks = cv2.resize(fine, (width, height), interpolation=cv2.INTER_CUBIC)
    colour *= (1 + 0.012 * strength * streaks + 0.015 * strength * noise(rng, (height, width), 4))[..., None]


def _back_pattern(colour: Floats, style: Style) -> None:
    """Plain, bamboo fibres, a marbled stone, or a small lattice."""
    rng = style.stream("back")
    kind = choose(rng, ("plain", "fibre", "marble", "lattice"), (0.72, 0.12, 0.08, 0.08))
    height, width = colour.shape[:2]
    if kind == "fibre":
        _grain(colour, rng, 6.0)
    elif kind == "marble":
        cloud = noise(rng, (height, width), 5) + 0.5 * noise(rng, (height, width), 13)
        colour *= (1 + 0.12 * cloud)[..., None]
    elif kind == "lattice":
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        step = width / float(rng.integers(4, 9))
        lines = np.minimum(np.abs((x + y) % step - step / 2), np.abs((x - y) % step - step / 2))
        colour *= (1 - float(rng.uniform(-0.3, 0.3)) * (lines < step * 0.12))[..., None]


def surround(top: Floats, style: Style, rng: np.random.Generator, rim: int) -> Floats:
    """Return the tile with `rim` more pixels on each side: touching neighbours, or the table."""
    height, width = top.shape[:2]
    whole = cv2.copyMakeBorder(top, rim, rim, rim, rim, cv2.BORDER_REFLECT)
    ground = np.array(choose(rng, _GROUNDS), np.float32)
    for slab in (
        np.s_[:rim, :], np.s_[rim + height :, :], np.s_[:, :rim], np.s_[:, rim + width :],
    ):  # fmt: skip
        if rng.random() < 0.35:
            part = whole[slab]
            part[:] = ground + rng.normal(0, 4, part.shape[:2]).astype(np.float32)[..., None]
    return whole


def mask(style: Style, height_px: int) -> NDArray[np.uint8]:
    """Return the tile's outline as a mask (h, w) 0-255 with the round corners left out."""
    width = round(height_px / style.aspect)
    y, x = np.mgrid[0:height_px, 0:width].astype(np.float32)
    whole = _inside(x, y, (0, 0, width - 1, height_px - 1), style.body.radius * width)
    return (np.clip(whole + 0.5, 0, 1) * 255).astype(np.uint8)
