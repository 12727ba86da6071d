"""Upright boxes as small pictures: a tile or die with its sides, its printed top and its soft shadow.

A patch depends on one object, the look and the camera only, so it can be kept and pasted again.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from .background import Backdrop
from .camera import HEIGHT, WIDTH, Array, Camera
from .look import Look

Image = NDArray[np.uint8]
Wide = NDArray[np.uint16]
SUPER = 3
"""Drawn this many times larger, then averaged: the smoothing of edges."""
LAMP_HEIGHT_MM = 1900.0


@dataclass(frozen=True, slots=True)
class Patch:
    """A picture to paste at `rows`, `columns`: colour already times alpha (0-255), `keep` = 256 - alpha."""

    rows: slice
    columns: slice
    colour: Wide
    keep: Wide

    def paste(self, frame: Image) -> None:
        area = frame[self.rows, self.columns]
        np.copyto(area, self.colour + ((area * self.keep) >> 8), casting="unsafe")


@dataclass(frozen=True, slots=True)
class Shadow:
    """Darkness 0-255 on the cloth at `rows`, `columns`."""

    rows: slice
    columns: slice
    dark: Image


@dataclass(frozen=True, slots=True)
class Solid:
    """A box standing on height `low`; `layers` = (height, colour) from below, each up to the next one."""

    x: float
    y: float
    angle_deg: float
    width: float
    length: float
    low: float
    high: float
    radius: float
    layers: tuple[tuple[float, tuple[float, float, float]], ...]
    bevel: tuple[float, float, float]

    def outline(self, z: float, inset: float = 0.0) -> Array:
        """Return the rounded outline (n, 3) at height `z`."""
        half_w, half_l, r = self.width / 2 - inset, self.length / 2 - inset, max(0.2, self.radius - inset)
        turn = np.linspace(0, np.pi / 2, 5)
        arcs = []
        for quarter, (sign_x, sign_y) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
            angle = turn + quarter * np.pi / 2
            centre_x, centre_y = sign_x * (half_w - r), sign_y * (half_l - r)
            arcs.append(np.stack([centre_x + r * np.cos(angle), centre_y + r * np.sin(angle)], 1))
        return self._stand(np.concatenate(arcs), z)

    def corners(self, z: float) -> Array:
        """Return the square corners (4, 3) at `z`: top left, top right, bottom right, bottom left as read."""
        half_w, half_l = self.width / 2, self.length / 2
        flat = np.array([[-half_w, half_l], [half_w, half_l], [half_w, -half_l], [-half_w, -half_l]])
        return self._stand(flat, z)

    def _stand(self, flat: Array, z: float) -> Array:
        angle = np.radians(self.angle_deg)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        return np.column_stack([flat @ turn + (self.x, self.y), np.full(len(flat), z)])


@dataclass(frozen=True, slots=True)
class Studio:
    """What patches are made with."""

    look: Look
    camera: Camera
    backdrop: Backdrop

    def patch(self, solid: Solid, top: Image, sides: tuple[Image, ...] = ()) -> Patch | None:
        """Return the picture of a solid with `top` (BGRA, alpha its own) on it, or None outside the picture.

        `sides`, if given, are four pictures for the faces towards the reader, right, away and left.
        """
        low, high = solid.outline(solid.low), solid.outline(solid.high)
        pixels = self.camera.project(np.concatenate([low, high]))
        x0, y0 = (int(value) for value in np.floor(pixels.min(axis=0)) - 3)
        x1, y1 = (int(value) for value in np.ceil(pixels.max(axis=0)) + 4)
        if x1 <= 0 or y1 <= 0 or x0 >= WIDTH or y0 >= HEIGHT:
            return None
        canvas = np.zeros(((y1 - y0) * SUPER, (x1 - x0) * SUPER, 4), np.uint8)
        origin = np.array([x0, y0])

        def on_canvas(points: Array) -> Array:
            placed: Array = (self.camera.project(points) - origin + 0.5) * SUPER - 0.5
            return placed

        top_pixels = on_canvas(high)
        shade = self._side_shade(solid)
        for height, colour in solid.layers:
            ground = on_canvas(solid.outline(height))
            hull = cv2.convexHull(np.concatenate([ground, top_pixels]).astype(np.float32))
            tint = tuple(float(np.clip(channel * shade, 0, 255)) for channel in colour)
            cv2.fillConvexPoly(canvas, _fixed(hull[:, 0]), (*tint, 255.0), cv2.LINE_8, 4)
        for index, side in enumerate(sides):
            quad = _side_quad(solid, index)
            normal = np.cross(quad[1] - quad[0], quad[3] - quad[0])
            if float(normal @ (self.camera.position - quad[0])) < 0:
                shaded = side.copy()
                shaded[:, :, :3] = (side[:, :, :3] * min(1.0, shade)).astype(np.uint8)
                _lay(canvas, shaded, on_canvas(quad))
        _lay(canvas, top, on_canvas(solid.corners(solid.high)))
        edge = on_canvas(solid.outline(solid.high, 0.4))
        cv2.polylines(canvas, [_fixed(edge)], True, (*solid.bevel, 255.0), SUPER - 1, cv2.LINE_AA, 4)
        canvas[:, :, 3][canvas[:, :, 3] > 0] = 255
        return self._finish(canvas, x0, y0)

    def _side_shade(self, solid: Solid) -> float:
        """Return the brightness of the sides that can be seen: those that face the camera."""
        to_eye = self.camera.position[:2] - (solid.x, solid.y)
        to_lamp = np.array([self.look.light_x_mm - solid.x, self.look.light_y_mm - solid.y])
        norm = float(np.linalg.norm(to_eye) * np.linalg.norm(to_lamp))
        return 0.74 + 0.13 * (float(to_eye @ to_lamp) / norm if norm > 1 else 0.0)

    def _finish(self, canvas: Image, x0: int, y0: int) -> Patch:
        """Return the canvas averaged down, softened like the lens, lit, and cut to the picture."""
        size = (canvas.shape[1] // SUPER, canvas.shape[0] // SUPER)
        colour = canvas.astype(np.float32)
        colour[:, :, :3] *= colour[:, :, 3:] / 255
        small = np.asarray(cv2.resize(colour, size, interpolation=cv2.INTER_AREA), np.float32)
        if self.look.blur_px > 0.05:
            small = np.asarray(cv2.GaussianBlur(small, (0, 0), self.look.blur_px), np.float32)
        gains = self.backdrop.light_at(x0 + size[0] / 2, y0 + size[1] / 2)
        alpha = np.rint(small[:, :, 3:] * (256 / 255))
        lit = np.clip(small[:, :, :3] * gains, 0, small[:, :, 3:])
        rows, columns, inner = _cut(x0, y0, size)
        return Patch(
            rows,
            columns,
            np.ascontiguousarray(lit[inner].astype(np.uint16)),
            np.ascontiguousarray((256 - alpha[inner]).astype(np.uint16)),
        )

    def shadow(self, solid: Solid) -> Shadow | None:
        """Return the soft shadow that a solid throws on the cloth."""
        away = np.array([solid.x - self.look.light_x_mm, solid.y - self.look.light_y_mm, 0.0])
        ground = solid.outline(0.0)
        thrown = ground + away * (solid.high / LAMP_HEIGHT_MM)
        hull = cv2.convexHull(self.camera.project(np.concatenate([ground, thrown])).astype(np.float32))[:, 0]
        x0, y0 = (int(value) for value in np.floor(hull.min(axis=0)) - 9)
        x1, y1 = (int(value) for value in np.ceil(hull.max(axis=0)) + 10)
        if x1 <= 0 or y1 <= 0 or x0 >= WIDTH or y0 >= HEIGHT:
            return None
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillConvexPoly(mask, _fixed(hull - (x0, y0)), self.look.shadow * 255, cv2.LINE_AA, 4)
        soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), 2.6), np.uint8)
        rows, columns, inner = _cut(x0, y0, (mask.shape[1], mask.shape[0]))
        return Shadow(rows, columns, np.ascontiguousarray(soft[inner]))


def _side_quad(solid: Solid, index: int) -> Array:
    """Return a side face's corners (0 = towards the reader, then counter-clockwise), its top edge first."""
    high, low = solid.corners(solid.high), solid.corners(solid.low)
    first, second = ((3, 2), (2, 1), (1, 0), (0, 3))[index]
    return np.stack([high[first], high[second], low[second], low[first]])


def _fixed(points: Array | NDArray[np.generic]) -> NDArray[np.int32]:
    """Return points in 1/16 pixels, as OpenCV draws them with `shift=4`."""
    fixed: NDArray[np.int32] = np.rint(np.asarray(points, np.float64) * 16).astype(np.int32)
    return fixed


def _cut(x0: int, y0: int, size: tuple[int, int]) -> tuple[slice, slice, tuple[slice, slice]]:
    """Return the slices of the picture, and of the patch, where the patch lies inside the picture."""
    left, top = max(0, x0), max(0, y0)
    right, bottom = min(WIDTH, x0 + size[0]), min(HEIGHT, y0 + size[1])
    return (
        slice(top, bottom),
        slice(left, right),
        (slice(top - y0, bottom - y0), slice(left - x0, right - x0)),
    )


def _lay(canvas: Image, picture: Image, quad: Array) -> None:
    """Warp a BGRA picture onto the canvas so that its four corners come to `quad`."""
    height, width = picture.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, quad.astype(np.float32))
    size = (canvas.shape[1], canvas.shape[0])
    warped = np.asarray(cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_LINEAR), np.uint16)
    alpha = warped[:, :, 3:]
    mixed = (warped * alpha + canvas * (255 - alpha)) // 255
    canvas[:, :, :3] = mixed[:, :, :3]
