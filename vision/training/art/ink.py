"""What makes a drawing look printed or engraved: lit edges, uneven, worn and washed-out ink."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from .sheet import Image
from .style import Ink

Floats = NDArray[np.float32]
ROWS = 192.0
"""Rows that the pixel sizes of `Ink` are meant for."""


@dataclass(frozen=True, slots=True)
class Print:
    """Ink ready to lie on a body."""

    ink: Floats
    """(h, w, 3) BGR 0-255, premultiplied by alpha."""
    alpha: Floats
    """(h, w) 0-1."""
    edge: Floats | None
    """(h, w) grey added to the body: the groove's lit and shaded lip, or None."""


def noise(rng: np.random.Generator, shape: tuple[int, int], cells: int) -> Floats:
    """Return smooth noise of about unit spread with `cells` bumps along the shorter side."""
    height, width = shape
    k = max(2, cells)
    rows = max(2, round(k * height / width))
    coarse = rng.standard_normal((rows, k), dtype=np.float32)
    return cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)


def lay(sheet: Image, ink: Ink, rng: np.random.Generator, light: tuple[float, float] = (-0.6, -0.8)) -> Print:
    """Return the drawing (premultiplied BGRA) as ink of this kind; `light` is where the light comes from."""
    scale = sheet.shape[0] / ROWS
    if ink.bleed > 0.15:
        sheet = cv2.GaussianBlur(sheet, (0, 0), 0.35 + 0.6 * ink.bleed * scale)
    picture = sheet.astype(np.float32)
    paint, alpha = picture[..., :3], picture[..., 3] * np.float32(1 / 255)
    shape = alpha.shape
    edge = None
    add = np.zeros(shape, np.float32)
    if ink.engraved:
        height = cv2.GaussianBlur(alpha, (0, 0), ink.depth * scale)
        slope = cv2.Sobel(height, cv2.CV_32F, 1, 0, scale=0.125) * light[0]
        slope += cv2.Sobel(height, cv2.CV_32F, 0, 1, scale=0.125) * light[1]
        slope *= 260.0 * ink.engraved * ink.depth * scale
        add += slope
        edge = slope * 0.3
    if ink.core:
        deep = cv2.distanceTransform((sheet[..., 3] > 127).astype(np.uint8), cv2.DIST_L2, 3)
        line = np.clip((deep - ink.core_at * scale) / (1.4 * scale), 0, 1)
        spots = np.clip(0.7 + 0.5 * noise(rng, shape, 14), 0, 1.2)
        add += line * spots * (150.0 * ink.core)
    if ink.mottle:
        rough = noise(rng, shape, 6) + 0.7 * noise(rng, shape, 24)
        add += rough * (60.0 * ink.mottle)
    paint = paint + add[..., None] * alpha[..., None]
    keep = np.full(shape, ink.opacity, np.float32)
    if ink.wash:
        keep *= 1 - ink.wash * _ramp(rng, shape)
    if ink.wear:
        keep *= np.clip(
            1.9 - 1.6 * ink.wear - noise(rng, shape, 20) * 0.9 - noise(rng, shape, 60) * 0.4, 0, 1
        )
    return Print(np.clip(paint, 0, None) * keep[..., None], alpha * keep, edge)


def _ramp(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Return a slope 0-1 over the picture in a random direction."""
    turn = float(rng.uniform(0, 2 * np.pi))
    y = np.linspace(-0.5, 0.5, shape[0], dtype=np.float32)[:, None] * np.float32(np.sin(turn))
    x = np.linspace(-0.5, 0.5, shape[1], dtype=np.float32)[None, :] * np.float32(np.cos(turn))
    return np.clip(0.5 + x + y, 0, 1)
