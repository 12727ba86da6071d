"""A photo of a laid-out hand, drawn from our own tile faces: evidence for the fake service."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from hardware.tiles.raster import rasterise

WIDTH, HEIGHT, TILE = 1088, 136, 48


def photo_of(tiles: Sequence[str], glare: int | None = None) -> tuple[bytes, list[list[int]]]:
    """Return a JPEG of a meld of three, the rest, and the last tile apart; and a box [x,y,w,h] per tile."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    light = 1 - 0.45 * np.hypot((x - WIDTH / 2) / WIDTH, (y - HEIGHT / 2) / HEIGHT)
    image = np.clip(np.array([62, 84, 38], np.float32) * light[..., None], 0, 255).astype(np.uint8)
    boxes: list[list[int]] = []
    left, tall = 120, TILE * 4 // 3
    for index, text in enumerate(tiles):
        if index == 3:
            left += 24
        is_last = index == len(tiles) - 1
        if is_last:
            left += 40
        top = 56 if not is_last else 12
        cv2.rectangle(image, (left, top + 6), (left + TILE, top + tall + 8), (87, 141, 176), -1)
        face = rasterise(text, TILE)
        alpha = face[:, :, 3:].astype(np.float32) / 255
        area = image[top : top + face.shape[0], left : left + TILE]
        area[:] = (face[:, :, 2::-1] * alpha + area * (1 - alpha)).astype(np.uint8)
        boxes.append([left, top, TILE, tall])
        if index == glare:
            spot = image.copy()
            cv2.circle(spot, (left + TILE // 2, top + tall - 16), 16, (255, 255, 255), -1)
            spot = cv2.GaussianBlur(spot, (0, 0), 6)
            area[:] = spot[top : top + face.shape[0], left : left + TILE]
        left += TILE + 2
    ok, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 88])
    assert ok
    return bytes(jpeg), boxes
