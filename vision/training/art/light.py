"""Light on a whole scene or one crop: slopes, soft shadows, gloss. Cameras are `augment`'s business."""

from __future__ import annotations

import cv2
import numpy as np

from .sheet import Image, turned


def slope(image: np.ndarray, rng: np.random.Generator, most: float = 0.5) -> np.ndarray:
    """Return the float32 picture under a lamp to one side: gains differ by up to `most` over it."""
    height, width = image.shape[:2]
    turn, reach = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0, most))
    y = np.linspace(-0.5, 0.5, height, dtype=np.float32)[:, None] * np.float32(np.sin(turn))
    x = np.linspace(-0.5, 0.5, width, dtype=np.float32)[None, :] * np.float32(np.cos(turn))
    return image * (1 + reach * (x + y))[..., None]


def shadow(image: np.ndarray, rng: np.random.Generator, darkest: float = 0.55) -> np.ndarray:
    """Return the float32 picture with one soft-edged shadow (an arm, a head, a shelf)."""
    height, width = image.shape[:2]
    size = float(np.hypot(height, width))
    small = max(16, round(min(height, width, 256)))
    dim = np.zeros((small, small), np.float32)
    middle = rng.uniform(0, small, 2)
    half = rng.uniform(0.15, 0.9, 2) * small
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    shape = turned(corners, float(rng.uniform(0, 180))) + middle
    cv2.fillPoly(dim, [shape.astype(np.int32)], 1.0)
    dim = cv2.GaussianBlur(dim, (0, 0), float(rng.uniform(0.01, 0.09)) * small + 0.3)
    dim = cv2.resize(dim, (width, height), interpolation=cv2.INTER_LINEAR)
    deep = float(rng.uniform(0.15, darkest)) * min(1.0, 0.4 + size / 200)
    tint = np.array([0.9, 1.0, 1.05], np.float32) if rng.random() < 0.5 else np.ones(3, np.float32)
    return image * (1 - deep * dim[..., None] * tint)


def gloss(image: np.ndarray, rng: np.random.Generator, brightest: float = 170.0) -> np.ndarray:
    """Return the float32 picture with an elongated reflection of a lamp or window on it."""
    height, width = image.shape[:2]
    turn = float(rng.uniform(0, np.pi))
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x -= np.float32(rng.uniform(-0.1, 1.1) * width)
    y -= np.float32(rng.uniform(-0.1, 1.1) * height)
    c, s = np.float32(np.cos(turn)), np.float32(np.sin(turn))
    size = min(height, width)
    along = (x * c + y * s) / np.float32(rng.uniform(0.3, 1.5) * size)
    across = (y * c - x * s) / np.float32(rng.uniform(0.04, 0.25) * size)
    spot = np.exp(-(along**2 + np.abs(across) ** np.float32(rng.uniform(1.6, 3.5))))
    return image + spot[..., None] * np.float32(rng.uniform(25, brightest))


def cast(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Image:
    """Return a uint8 BGR picture under a random light; `strength` 0-1 scales how often and how much."""
    picture = image.astype(np.float32)
    if rng.random() < 0.6 * strength:
        picture = slope(picture, rng, 0.5 * strength)
    if rng.random() < 0.3 * strength:
        picture = shadow(picture, rng, 0.55 * strength)
    if rng.random() < 0.2 * strength:
        picture = gloss(picture, rng, 170.0 * strength)
    return np.clip(picture, 0, 255).astype(np.uint8)
