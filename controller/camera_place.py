"""What is known of the camera from earlier runs: its lens and where it stood, files in the data folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import structlog

from vision.calibration import Calibration
from vision.drift import CameraWatch
from vision.errors import VisionError
from vision.lens import Lens

log = structlog.get_logger(__name__)

_Known = TypeVar("_Known")


def watch_of(lens: Path, place: Path | None) -> CameraWatch:
    """Return the watch over a camera's place with what is known of it: a lens measured by `vision lens`, and
    where the camera stood when the service ran last; both are files that may be missing.

    A file that cannot be read is told and left aside: the marks say the same again.
    """
    watch = CameraWatch(lens=_known(lens, Lens.from_json))
    if place is not None:
        watch.held = _known(place, Calibration.from_json)
        watch.keep = partial(_keep, place)
    return watch


def _known(path: Path, parse: Callable[[str], _Known]) -> _Known | None:
    try:
        return parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError, VisionError) as error:
        log.warning("camera.unknown", file=str(path), why=str(error))
        return None


def _keep(path: Path, calibration: Calibration) -> None:
    """Write the camera's place for the next start; a full disk costs that."""
    try:
        fresh = path.with_suffix(".new")
        fresh.write_text(calibration.to_json(), encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        log.warning("camera.place_lost", why=str(error))
