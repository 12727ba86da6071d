"""The camera: table millimetres to pixels, with perspective and a mild barrel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .geometry import geometry
from .look import Look

WIDTH, HEIGHT = 1920, 1080
Array = NDArray[np.float64]


class Camera:
    """A pinhole looking at the table's centre, fitted so that the whole field fills the picture's height."""

    def __init__(self, look: Look) -> None:
        elevation, azimuth, yaw = np.radians([look.elevation_deg, look.azimuth_deg, look.yaw_deg])
        across = look.distance_mm * np.cos(elevation)
        self.position: Array = np.array(
            [across * np.sin(azimuth), -across * np.cos(azimuth), look.distance_mm * np.sin(elevation)]
        )
        forward = -self.position / np.linalg.norm(self.position)
        up = np.array([np.sin(yaw), np.cos(yaw), 0.0])
        right = np.cross(forward, up)
        right /= np.linalg.norm(right)
        self._axes: Array = np.stack([right, np.cross(forward, right), forward])
        self._k1 = look.distortion
        self._focal, self._centre = 1.0, np.zeros(2)
        reach = geometry().field_half + look.margin_mm
        steps = np.linspace(-reach, reach, 9)
        edge = np.concatenate(
            [np.stack([steps, np.full(9, side * reach)], 1) for side in (-1, 1)]
            + [np.stack([np.full(9, side * reach), steps], 1) for side in (-1, 1)]
        )
        seen = self.project(np.column_stack([edge, np.zeros(len(edge))]))
        low, high = seen.min(axis=0), seen.max(axis=0)
        self._focal = float(min(HEIGHT / (high[1] - low[1]), WIDTH / (high[0] - low[0])))
        self._centre = np.array([WIDTH / 2, HEIGHT / 2]) - self._focal * (low + high) / 2
        if any(look.knock_deg):
            self._axes = _turn(*np.radians(look.knock_deg)) @ self._axes

    def project(self, points: Array) -> Array:
        """Return pixel positions (n, 2) of table points (n, 3) in mm."""
        view = (np.asarray(points, dtype=np.float64) - self.position) @ self._axes.T
        flat: Array = view[:, :2] / view[:, 2:]
        flat = flat * (1 + self._k1 * (flat**2).sum(axis=1, keepdims=True))
        return flat * self._focal + self._centre

    def unproject(self, pixels: Array, z_mm: float = 0.0) -> Array:
        """Return table (x, y) in mm of pixels (n, 2) on the plane at height `z_mm`."""
        bent = (np.asarray(pixels, dtype=np.float64) - self._centre) / self._focal
        flat = bent
        for _ in range(6):  # fixed point; the distortion is mild
            flat = bent / (1 + self._k1 * (flat**2).sum(axis=1, keepdims=True))
        rays = np.column_stack([flat, np.ones(len(flat))]) @ self._axes
        reach = (z_mm - self.position[2]) / rays[:, 2:]
        table: Array = self.position[:2] + rays[:, :2] * reach
        return table


def _turn(pan: float, tilt: float, roll: float) -> Array:
    """Return the rotation of a camera's axes by small knocks, each in radians."""
    (c, s), (d, t), (e, r) = ((np.cos(angle), np.sin(angle)) for angle in (pan, tilt, roll))
    about_y = np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, d, t], [0.0, -t, d]])
    about_z = np.array([[e, r, 0.0], [-r, e, 0.0], [0.0, 0.0, 1.0]])
    turned: Array = about_z @ about_x @ about_y
    return turned
