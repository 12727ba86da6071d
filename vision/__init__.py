"""From pixels to tiles, dice, dealer lamp and wall, each with its confidence; sources, calibration and
models.

Names are imported when first used, so that a process that only drains a camera loads no network runtime.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .calibration import Calibration as Calibration
    from .calibration import calibrate as calibrate
    from .errors import CameraLost as CameraLost
    from .errors import FrameUnreadable as FrameUnreadable
    from .errors import MarksNotFound as MarksNotFound
    from .errors import PictureRefused as PictureRefused
    from .errors import VisionError as VisionError
    from .eyes import Eyes as Eyes
    from .readings import DiceReading as DiceReading
    from .readings import DieReading as DieReading
    from .readings import HandReading as HandReading
    from .readings import LampReading as LampReading
    from .readings import MeldReading as MeldReading
    from .readings import TileReading as TileReading
    from .readings import WallReading as WallReading
    from .sources import BlindWatch as BlindWatch
    from .sources import Frame as Frame
    from .sources import FrameSource as FrameSource
    from .sources import FreezeWatch as FreezeWatch
    from .sources import decode as decode
    from .sources import open_source as open_source
    from .sources import told_address as told_address
    from .wishes import Wishes as Wishes

_HOMES = {
    "BlindWatch": "sources",
    "Calibration": "calibration",
    "CameraLost": "errors",
    "DiceReading": "readings",
    "DieReading": "readings",
    "Eyes": "eyes",
    "Frame": "sources",
    "FrameSource": "sources",
    "FrameUnreadable": "errors",
    "FreezeWatch": "sources",
    "HandReading": "readings",
    "LampReading": "readings",
    "MarksNotFound": "errors",
    "MeldReading": "readings",
    "PictureRefused": "errors",
    "TileReading": "readings",
    "VisionError": "errors",
    "WallReading": "readings",
    "Wishes": "wishes",
    "calibrate": "calibration",
    "decode": "sources",
    "open_source": "sources",
    "told_address": "sources",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """Return a public name, importing its module."""
    if name not in _HOMES:
        raise AttributeError(f"module 'vision' has no attribute {name!r}")
    return getattr(importlib.import_module(f"vision.{_HOMES[name]}"), name)
