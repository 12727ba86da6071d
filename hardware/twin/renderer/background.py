"""What never moves: cloth, rim, marks, dice well and lamps' sockets, as one picture; and the light on all."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from .camera import HEIGHT, WIDTH, Camera
from .geometry import geometry
from .look import Look

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
SCALE = 2.0
"""Pixels per mm of the flat drawing that is warped into the camera's view."""
HALF_X, HALF_Y = 940, 620
RIM_MM = 46.0


@lru_cache(maxsize=1)
def _grain() -> Floats:
    """Return a square of wrap-around cloth noise, mean 0, about unit size."""
    rng = np.random.default_rng(20260101)
    size = 1024
    total = np.zeros((size, size), np.float32)
    for blur, weight, coarse in ((0.7, 0.55, 1), (2.0, 0.45, 1), (9.0, 0.5, 4), (40.0, 0.5, 16)):
        layer = rng.standard_normal((size // coarse, size // coarse)).astype(np.float32)
        padded = cv2.copyMakeBorder(layer, 16, 16, 16, 16, cv2.BORDER_WRAP)
        smooth = np.asarray(cv2.GaussianBlur(padded, (0, 0), blur / coarse), np.float32)
        large = np.asarray(cv2.resize(smooth, None, fx=coarse, fy=coarse, interpolation=cv2.INTER_CUBIC))
        cut = large[16 * coarse : -16 * coarse, 16 * coarse : -16 * coarse]
        total += weight * cut / float(cut.std())
    return total / float(total.std())


def _plane(look: Look) -> Image:
    """Return the table from straight above, SCALE pixels per mm, y up turned to rows going down."""
    geo = geometry()
    rng = np.random.default_rng([look.texture_seed, 1])
    height, width = int(2 * HALF_Y * SCALE), int(2 * HALF_X * SCALE)
    grain = _grain()
    shift_y, shift_x = (int(value) for value in rng.integers(0, 1024, 2))
    cloth = np.tile(np.roll(grain, (shift_y, shift_x), (0, 1)), (height // 1024 + 1, width // 1024 + 1))
    cloth = cloth[:height, :width] * np.float32(look.felt_texture * 4.2)
    image = np.empty((height, width, 3), np.uint8)
    for channel, level in enumerate((34, 38, 44)):  # the floor, out of focus
        image[:, :, channel] = np.clip(cloth * np.float32(0.5) + level, 0, 255)

    def rows(low: float, high: float, limit: int, sign: int) -> slice:
        half = HALF_X if sign > 0 else HALF_Y
        first, last = int((half + low) * SCALE), int((half + high) * SCALE)
        return slice(max(0, first), min(limit, last))

    reach = geo.field_half + RIM_MM
    wood = np.array(rng.choice([[40, 62, 92], [30, 40, 58], [58, 84, 118], [52, 52, 54]]), np.float32)
    area = image[rows(-reach, reach, height, -1), rows(-reach, reach, width, 1)]
    stripes = np.resize(np.roll(grain, shift_x, 0)[:, :1], (area.shape[0], 1, 1)) * 5
    area[:] = np.clip(wood + stripes, 0, 255)
    field = (
        rows(-geo.field_half, geo.field_half, height, -1),
        rows(-geo.field_half, geo.field_half, width, 1),
    )
    for channel, tone in enumerate(look.felt):
        image[(*field, channel)] = np.clip(cloth[field] + np.float32(tone), 0, 255)
    _draw_marks(image)
    _draw_centre(image, look)
    return image


def to_plane(x: float, y: float) -> tuple[int, int]:
    """Return the flat drawing's pixel of a table point, in 1/16 pixels for OpenCV's `shift=4`."""
    return round((x + HALF_X) * SCALE * 16), round((HALF_Y - y) * SCALE * 16)


def _draw_marks(image: Image) -> None:
    geo = geometry()
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    card, black = round(geo.mark_card * SCALE), round(geo.mark_size * SCALE)
    for mark_id, (x, y) in enumerate(geo.mark_centres):
        left, top = round((x + HALF_X) * SCALE - card / 2), round((HALF_Y - y) * SCALE - card / 2)
        image[top : top + card, left : left + card] = (232, 236, 236)
        inset = (card - black) // 2
        pattern = np.asarray(cv2.aruco.generateImageMarker(dictionary, mark_id, black), np.float32)
        ink = (22 + pattern * (212 / 255)).astype(np.uint8)
        image[top + inset : top + inset + black, left + inset : left + inset + black] = ink[:, :, None]


def _draw_centre(image: Image, look: Look) -> None:
    """Draw the dice well with its ring, and four dark lamps."""
    geo = geometry()
    centre = to_plane(0, 0)

    def disc(radius: float, colour: tuple[float, float, float], at: tuple[int, int] = centre) -> None:
        cv2.circle(image, at, round(radius * SCALE * 16), colour, -1, cv2.LINE_AA, 4)

    disc(geo.dome_radius + 5, (24, 26, 26))
    disc(geo.dome_radius + 3, (120, 126, 128))
    disc(geo.dome_radius - 1, (66, 70, 72))
    disc(geo.dome_radius - 3, (30, 34, 34))
    blue, green, red = look.felt
    disc(geo.dice_radius + 4, (blue * 0.62, green * 0.62, red * 0.62))
    for x, y in ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)):
        at = to_plane(x * -geo.lamp_y, y * -geo.lamp_y)
        disc(geo.lamp_radius + 2.5, (26, 28, 30), at)
        disc(geo.lamp_radius, (34, 30, 74), at)
        disc(geo.lamp_radius * 0.45, (46, 42, 104), at)


class Backdrop:
    """The empty table in one camera: `image` (1080, 1920, 3) BGR, and `light` gains on a grid of 8 pixels."""

    def __init__(self, look: Look, camera: Camera) -> None:
        step = 8
        grid_y, grid_x = np.mgrid[0 : HEIGHT + step : step, 0 : WIDTH + step : step].astype(np.float64)
        pixels = np.column_stack([grid_x.ravel(), grid_y.ravel()])
        table = camera.unproject(pixels).reshape(*grid_x.shape, 2)
        self.light = _light(look, table, grid_x, grid_y)
        plane = _plane(look)
        plane = np.asarray(cv2.GaussianBlur(plane, (0, 0), 0.62 + look.blur_px * 1.4), np.uint8)
        map_x = _grow((table[:, :, 0] + HALF_X) * SCALE, step)
        map_y = _grow((HALF_Y - table[:, :, 1]) * SCALE, step)
        flat = cv2.remap(plane, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        gain = np.stack([_grow(self.light[:, :, channel], step) for channel in range(3)], 2)
        lit = flat.astype(np.float32) * gain
        self.image: Image = np.clip(lit, 0, 255).astype(np.uint8)

    def light_at(self, x: float, y: float) -> Floats:
        """Return the gains (blue, green, red) at a pixel."""
        row = int(np.clip(y / 8 + 0.5, 0, self.light.shape[0] - 1))
        column = int(np.clip(x / 8 + 0.5, 0, self.light.shape[1] - 1))
        gains: Floats = self.light[row, column]
        return gains


def _grow(grid: NDArray[np.floating], step: int) -> Floats:
    """Return the grid of every `step` pixels grown to full size (values sit on pixels 0, step, ...)."""
    rows, columns = np.arange(HEIGHT, dtype=np.float32) / step, np.arange(WIDTH, dtype=np.float32) / step
    map_x, map_y = np.meshgrid(columns, rows)
    source = np.ascontiguousarray(grid, dtype=np.float32)
    return np.asarray(cv2.remap(source, map_x, map_y, cv2.INTER_LINEAR), np.float32)


def _light(
    look: Look, table: NDArray[np.float64], grid_x: NDArray[np.float64], grid_y: NDArray[np.float64]
) -> Floats:
    away = np.hypot(table[:, :, 0] - look.light_x_mm, table[:, :, 1] - look.light_y_mm)
    level = 1.06 - look.light_fall * np.clip(away / 1100, 0, 1.4) ** 1.3
    level = level + look.glare * np.exp(-((away / 170) ** 2))
    corner = np.hypot((grid_x - WIDTH / 2) / WIDTH, (grid_y - HEIGHT / 2) / WIDTH)
    level = level * (1 - 0.35 * corner**2)  # vignette of the lens
    lit: Floats = (level[:, :, None] * np.array(look.light_gain)).astype(np.float32)
    return lit
