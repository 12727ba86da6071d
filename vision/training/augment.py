"""Light, colour, blur and noise, on uint8 BGR pictures; seeded by the caller's generator."""

from __future__ import annotations

import cv2
import numpy as np


def light(image: np.ndarray, rng: np.random.Generator, strength: float = 1.0) -> np.ndarray:
    """Return the picture under another light and through a worse camera."""
    picture = image.astype(np.float32)
    gain = float(np.exp(rng.normal(0, 0.16 * strength)))
    tint = np.exp(rng.normal(0, 0.06 * strength, 3)).astype(np.float32)
    picture = picture * (gain * tint)
    if rng.random() < 0.3:  # a slope of light or the edge of a shadow
        height, width = picture.shape[:2]
        turn = float(rng.uniform(0, 2 * np.pi))
        rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
        ramp = (columns / width - 0.5) * np.cos(turn) + (rows / height - 0.5) * np.sin(turn)
        picture *= (1.0 + ramp * float(rng.uniform(0, 0.5)))[..., None]
    if rng.random() < 0.12:  # a glare spot
        height, width = picture.shape[:2]
        rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
        size = float(rng.uniform(0.1, 0.3)) * height
        spot = np.exp(
            -((columns - float(rng.uniform(0, width))) ** 2 + (rows - float(rng.uniform(0, height))) ** 2)
            / (2 * size**2)
        )
        picture += spot[..., None] * float(rng.uniform(20, 110))
    if rng.random() < 0.4:
        mean = float(picture.mean())
        picture = (picture - mean) * float(rng.uniform(0.6, 1.2)) + mean
    if rng.random() < 0.15:
        grey = picture.mean(axis=2, keepdims=True)
        picture = grey + (picture - grey) * float(rng.uniform(0.2, 1.3))
    if rng.random() < 0.4:
        picture = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.3, 1.3)))
    elif rng.random() < 0.12:
        length = int(rng.integers(2, 5))
        kernel = np.ones((1, length), np.float32) / length
        picture = cv2.filter2D(picture, -1, kernel if rng.random() < 0.5 else kernel.T)
    noise = float(rng.uniform(0, 9)) if rng.random() < 0.5 else 0.0
    if noise:
        picture += rng.normal(0, noise, picture.shape).astype(np.float32)
    return np.clip(picture, 0, 255).astype(np.uint8)


def tensor(pictures: list[np.ndarray]) -> np.ndarray:
    """Return (n, 3, h, w) float32 RGB 0..1."""
    return np.stack(pictures)[..., ::-1].transpose(0, 3, 1, 2).astype(np.float32) / 255.0
