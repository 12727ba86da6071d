"""The table through its camera: a `Scene` in, a JPEG of 1920 x 1080 out, the same bytes every time."""

from __future__ import annotations

from .look import Look
from .renderer import SABOTAGES, Renderer

__all__ = ["SABOTAGES", "Look", "Renderer"]
