"""What the twin's camera costs."""

from __future__ import annotations

from hardware.twin.renderer.bench import measure
from tests.bench.row import Row


def rows() -> list[Row]:
    """Return the renderer's core share at 5 changing frames a second and its times."""
    figures = measure()
    return [
        Row("renderer: core share, 5 new frames a second", figures["core_share_at_5_fps"], "core", "<= 0.5"),
        Row("renderer: changed frame, median", figures["changed_frame_ms_median"], "ms"),
        Row("renderer: unchanged frame", figures["unchanged_frame_ms"], "ms"),
    ]
