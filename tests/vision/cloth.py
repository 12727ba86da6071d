"""The cloth with its marks, drawn with nothing but OpenCV and seen through a known camera and lens."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.table import geometry

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]
Place = tuple[float, float, float]

CAMERA: Place = (60.0, -220.0, 1400.0)
FOCAL, SIZE = 1066.7, (1280, 720)
SCALE, HALF = 2.0, 460
FELT = (60, 90, 40)
POINTS = [(0.0, 0.0), (-340.0, -400.0), (340.0, -372.0), (400.0, 100.0), (-95.0, 0.0)]


def projection(camera: Place = CAMERA, look_at: tuple[float, float] = (0.0, 0.0)) -> Floats:
    """The 3x4 matrix of a camera that looks at a table point."""
    place = np.array(camera)
    forward = np.array([*look_at, 0.0]) - place
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    turn = np.stack([right, np.cross(forward, right), forward])
    lens = np.array([[FOCAL, 0, SIZE[0] / 2], [0, FOCAL, SIZE[1] / 2], [0, 0, 1.0]])
    return np.asarray(lens @ np.column_stack([turn, -turn @ place]))


def bend(points: Floats, k1: float) -> Floats:
    """Where a lens with this bend at the picture's corner shows straight pixels (n, 2)."""
    middle = np.array([(SIZE[0] - 1) / 2, (SIZE[1] - 1) / 2])
    away = points - middle
    return np.asarray(
        away * (1 + k1 * np.sum(away**2, axis=1, keepdims=True) * 4 / np.hypot(*SIZE) ** 2) + middle
    )


def seen(x: float, y: float, z: float = 0.0, k1: float = 0.0, camera: Place = CAMERA) -> tuple[float, float]:
    """The pixel of a table point."""
    u, v, w = projection(camera) @ np.array([x, y, z, 1.0])
    pixel = bend(np.array([[u / w, v / w]]), k1)[0]
    return float(pixel[0]), float(pixel[1])


def cloth(covered: tuple[int, ...] = (), shift: dict[int, tuple[float, float]] | None = None) -> Image:
    """The cloth from straight above, 2 px per mm; `shift` lays marks elsewhere (mm)."""
    plan = np.full((int(2 * HALF * SCALE), int(2 * HALF * SCALE), 3), FELT, np.uint8)
    marks = geometry()["marks"]
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, marks["dictionary"]))
    for number, (x, y) in zip(marks["ids"], marks["centres"], strict=True):
        if number in covered:
            continue
        dx, dy = (shift or {}).get(number, (0.0, 0.0))
        card, black = round(marks["card"] * SCALE), round(marks["size"] * SCALE)
        left, top = round((x + dx + HALF) * SCALE), round((HALF - y - dy) * SCALE)
        rows, columns = slice(top - card // 2, top + card // 2), slice(left - card // 2, left + card // 2)
        plan[rows, columns] = 235
        rows, columns = slice(top - black // 2, top + black // 2), slice(left - black // 2, left + black // 2)
        plan[rows, columns] = cv2.aruco.generateImageMarker(dictionary, number, black)[..., None]
    return plan


def bent_maps(to_source: Floats, k1: float) -> NDArray[np.float32]:
    """Where each pixel of a picture taken through a bending lens lies in a flat source; `to_source` is the
    3x3 matrix there from straight pixels."""
    step = 8  # worked out at every eighth pixel, straight lines between
    grid = np.meshgrid(np.arange(0.0, SIZE[0] + step, step), np.arange(0.0, SIZE[1] + step, step))
    pixels = np.stack(grid, axis=-1).reshape(-1, 2)
    straight = pixels.copy()
    for _ in range(8 if k1 else 0):
        straight += pixels - bend(straight, k1)
    coarse = cv2.perspectiveTransform(straight[None], to_source)[0].astype(np.float32)
    columns, rows = np.meshgrid(np.arange(SIZE[0]) / step, np.arange(SIZE[1]) / step)
    source = coarse.reshape(*grid[0].shape, 2)
    fine = cv2.remap(source, columns.astype(np.float32), rows.astype(np.float32), cv2.INTER_LINEAR)
    return np.asarray(fine, np.float32)


@lru_cache(maxsize=8)
def maps(k1: float, camera: Place, look_at: tuple[float, float]) -> NDArray[np.float32]:
    """Where each pixel of the picture lies on the plan of `cloth`."""
    # plan pixel i is the square from i to i + 1: its middle lies half a pixel on
    to_mm = np.array([[1 / SCALE, 0, 0.5 / SCALE - HALF], [0, -1 / SCALE, HALF - 0.5 / SCALE], [0, 0, 1]])
    return bent_maps(np.linalg.inv(projection(camera, look_at)[:, [0, 1, 3]] @ to_mm), k1)


def picture(
    covered: tuple[int, ...] = (),
    *,
    k1: float = 0.0,
    camera: Place = CAMERA,
    look_at: tuple[float, float] = (0.0, 0.0),
    shift: dict[int, tuple[float, float]] | None = None,
    noise: float = 0.0,
    blur: float = 0.0,
    seed: int = 1,
) -> Image:
    """The table in the camera; a covered mark has a hand of felt colour on it."""
    plan = np.asarray(cv2.GaussianBlur(cloth(covered, shift), (0, 0), 0.8), np.uint8)
    place = maps(k1, camera, look_at)
    image = np.asarray(cv2.remap(plan, place[..., 0], place[..., 1], cv2.INTER_LINEAR), np.uint8)
    if blur:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), blur), np.uint8)
    if noise:
        cv2.setRNGSeed(seed)
        grain = np.empty(image.shape, np.int16)
        cv2.randn(grain, 0, noise)
        image = np.asarray(cv2.add(image, grain, dtype=cv2.CV_8U), np.uint8)
    return image
