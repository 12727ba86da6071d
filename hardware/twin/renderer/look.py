"""How the table looks to one camera on one evening: pose, light, cloth, sensor; a pure function of a seed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

Colour = tuple[float, float, float]
"""Blue, green, red, each 0-255 (or a gain around 1)."""

FELTS: tuple[Colour, ...] = (
    (74, 96, 38), (64, 88, 26), (92, 78, 36), (112, 74, 32),
    (70, 62, 58), (52, 44, 96), (58, 110, 62), (104, 96, 84),
)  # fmt: skip
"""Greens first, then teal, blue, grey, wine, light green, light grey."""
BACKS: tuple[Colour, ...] = ((87, 141, 176), (86, 122, 40), (150, 96, 40), (70, 150, 190), (60, 96, 30))
"""Bamboo, green, blue, light bamboo, dark green."""


@dataclass(frozen=True, slots=True)
class Look:
    """Angles in degrees, lengths in mm on the table, pixels in the picture of 1920 x 1080."""

    elevation_deg: float = 81.0
    """Of the camera above the cloth; 90 = straight down."""
    azimuth_deg: float = 0.0
    """Where the camera stands, seen from the centre: 0 = towards side 1, counter-clockwise."""
    yaw_deg: float = 0.0
    """Turn of the picture against the table."""
    distance_mm: float = 1500.0
    margin_mm: float = 14.0
    """Cloth and rim seen beyond the field at the top and bottom of the picture."""
    distortion: float = -0.06
    """First radial coefficient of the lens; negative = barrel."""
    knock_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Turn of the camera after it was set up: pan, tilt, roll. What it was fitted to is no longer in its
    middle."""
    felt: Colour = FELTS[0]
    felt_texture: float = 1.0
    back: Colour = BACKS[0]
    second_back: Colour = BACKS[2]
    """Of the other set, where the table has two."""
    ivory: Colour = (1.0, 1.0, 1.0)
    """Gain on the tiles' ivory: age and maker."""
    light_x_mm: float = -250.0
    light_y_mm: float = 350.0
    light_fall: float = 0.22
    """How much darker the far corner is than the spot under the lamp, 0-0.6."""
    light_gain: Colour = (1.0, 1.0, 1.0)
    """Colour temperature and exposure."""
    glare: float = 0.0
    """Extra light in a spot of some 120 mm under the lamp, 0-0.4."""
    shadow: float = 0.42
    noise_sigma: float = 2.0
    blur_px: float = 0.35
    jpeg_quality: int = 88
    texture_seed: int = 0

    @classmethod
    def of_seed(cls, seed: int) -> Self:
        """Return the calm look of one installed camera: the twin's own table."""
        rng = np.random.default_rng([seed, 0x10C])
        warmth = float(rng.uniform(-0.05, 0.06))
        gain = float(rng.uniform(0.94, 1.04))
        return cls(
            elevation_deg=float(rng.uniform(79.0, 84.5)),
            azimuth_deg=float(rng.uniform(-20, 20)),
            yaw_deg=float(rng.uniform(-2.2, 2.2)),
            distance_mm=float(rng.uniform(1350, 1700)),
            margin_mm=float(rng.uniform(10, 20)),
            distortion=float(rng.uniform(-0.08, -0.03)),
            felt=_shift(FELTS[int(rng.integers(0, 3))], rng, 8),
            felt_texture=float(rng.uniform(0.7, 1.2)),
            ivory=(float(rng.uniform(0.95, 1.0)), float(rng.uniform(0.97, 1.0)), 1.0),
            light_x_mm=float(rng.uniform(-420, 420)),
            light_y_mm=float(rng.uniform(-420, 420)),
            light_fall=float(rng.uniform(0.12, 0.28)),
            light_gain=(gain * (1 - warmth), gain, gain * (1 + warmth)),
            glare=float(rng.uniform(0, 0.06)),
            shadow=float(rng.uniform(0.32, 0.48)),
            noise_sigma=float(rng.uniform(1.6, 2.6)),
            blur_px=float(rng.uniform(0.25, 0.5)),
            texture_seed=int(rng.integers(1 << 30)),
        )

    @classmethod
    def varied(cls, seed: int) -> Self:
        """Return a look from a wider world, for training: other cloths and lamps, worse cameras."""
        rng = np.random.default_rng([seed, 0x7A9])
        warmth = float(rng.uniform(-0.16, 0.18))
        gain = float(rng.uniform(0.68, 1.16))
        return cls(
            elevation_deg=float(rng.uniform(76, 88)),
            azimuth_deg=float(rng.uniform(-180, 180)),
            yaw_deg=float(rng.uniform(-5, 5)),
            distance_mm=float(rng.uniform(1100, 2200)),
            margin_mm=float(rng.uniform(4, 60)),
            distortion=float(rng.uniform(-0.11, 0.01)),
            felt=_shift(FELTS[int(rng.integers(len(FELTS)))], rng, 22),
            felt_texture=float(rng.uniform(0.3, 1.8)),
            back=_shift(BACKS[int(rng.integers(len(BACKS)))], rng, 14),
            ivory=(
                float(rng.uniform(0.86, 1.02)),
                float(rng.uniform(0.93, 1.02)),
                float(rng.uniform(0.96, 1.02)),
            ),
            light_x_mm=float(rng.uniform(-650, 650)),
            light_y_mm=float(rng.uniform(-650, 650)),
            light_fall=float(rng.uniform(0, 0.5)),
            light_gain=(gain * (1 - warmth), gain, gain * (1 + warmth)),
            glare=float(rng.uniform(0, 0.3)) if rng.random() < 0.4 else 0.0,
            shadow=float(rng.uniform(0.15, 0.6)),
            noise_sigma=float(rng.uniform(0.8, 5.5)),
            blur_px=float(rng.uniform(0.0, 1.0)),
            jpeg_quality=int(rng.integers(70, 96)),
            texture_seed=int(rng.integers(1 << 30)),
        )

    def tilted(self, seed: int, most_deg: float) -> Self:
        """Return the look from a random pose up to `most_deg` off the vertical, its picture turned by up to
        as much."""
        rng = np.random.default_rng([seed, 0x711])
        return replace(
            self,
            elevation_deg=float(rng.uniform(90.0 - most_deg, 90.0)),
            azimuth_deg=float(rng.uniform(-180, 180)),
            yaw_deg=float(rng.uniform(-most_deg, most_deg)),
        )


def _shift(colour: Colour, rng: np.random.Generator, spread: float) -> Colour:
    blue, green, red = (float(np.clip(value + rng.uniform(-spread, spread), 12, 235)) for value in colour)
    return blue, green, red
