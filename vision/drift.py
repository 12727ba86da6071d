"""Whether the camera still stands where it stood: how far things are off, and when that is called a move.

A hand over a mark hides it or pulls a corner aside for one look; a knocked camera stays elsewhere. So one
look that disagrees is a doubt: nothing is read from it. It is a move when the next look, a moment later,
finds the same new place (the table is then measured anew at once), or when look after look finds no place
that lasts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .calibration import MIN_MARKS, Calibration, calibrate_marks
from .errors import MarksNotFound
from .lens import Lens
from .marks import Seen, mark_corners, mark_numbers

Matrix = NDArray[np.float64]

MOVED_MM = 5.0
"""The camera has moved when something on the table is this far from where it should be. Two looks of a camera
that stands still differ by 1 mm at most, also with a mark covered (rendered frames)."""
STILL_MM = 3.0
"""Two looks this close show a camera that stands still."""
SETTLE_MS = 300
"""Time between two looks that count as two: a camera on its arm swings for longer than one frame."""
RESTLESS_LOOKS = 3
"""So many looks in a row, each at another place, are a move too: the camera swings or is being carried."""
CHECK_EVERY_MS = 120_000
DOUBT_EVERY_MS = 1_000
UNSEEN_EVERY_MS = 5_000
"""How often the marks are looked at: while all is well, while the camera is in doubt or was just moved, and
while they are covered or a moved camera is left as it is: a look costs a Pi a fifth of a second."""
PATIENCE_LOOKS = 60
REACH_MM = 420.0


@dataclass(frozen=True, slots=True)
class MarkOffset:
    """How far a mark is from where it was: on the table (mm) and in the picture (pixels)."""

    number: int
    mm: float
    px: float


@dataclass(frozen=True, slots=True)
class Drift:
    """How wrong the old place would be now: the most that anything on the table is off, and each mark."""

    mm: float
    px: float
    marks: tuple[MarkOffset, ...] = ()

    @property
    def is_move(self) -> bool:
        """Whether this is more than two looks of a camera at rest differ by."""
        return self.mm > MOVED_MM


def compare(old: Calibration, new: Calibration) -> Drift:
    """Return how far things on the table are off if the old calibration is used on the new one's picture.

    Both are for pictures of one size; another size has to be measured anew in any case.
    """
    steps = np.linspace(-REACH_MM, REACH_MM, 5)
    table = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    pixels = new.to_pixels(table)
    off_mm = np.linalg.norm(old.to_table(pixels) - table, axis=1)
    off_px = np.linalg.norm(old.to_pixels(table) - pixels, axis=1)
    seen = {number: new.to_pixels(mark_corners(number)) for number in new.marks}
    return Drift(round(float(off_mm.max()), 2), round(float(off_px.max()), 2), offsets(old, seen))


def offsets(old: Calibration, seen: Seen) -> tuple[MarkOffset, ...]:
    """Return how far each mark seen is from where the calibration expects it."""
    found = []
    for number, quad in sorted(seen.items()):
        plan = mark_corners(number)
        mm = np.linalg.norm(np.mean(old.to_table(quad) - plan, axis=0))
        px = np.linalg.norm(np.mean(quad - old.to_pixels(plan), axis=0))
        found.append(MarkOffset(number, round(float(mm), 2), round(float(px), 2)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Look:
    """What one look at the marks brought: the calibration that may be trusted for this picture, else why not.

    `drift` is there when this look made it a move; `covered` means that too few marks can be seen to tell.
    `strays` is there when it changed for good: the marks that lie off their places now, none = all are back.
    """

    calibration: Calibration | None
    why: Literal["", "covered", "moved"] = ""
    drift: Drift | None = None
    strays: tuple[int, ...] | None = None


@dataclass
class CameraWatch:
    """Holds the calibration of one camera from look to look.

    Args:
        lens: measured for this camera; None fits its bend to the marks.
        held: what was measured before, maybe before a restart.
        keep: hears each calibration that takes the place of one that was not true any more.

    `strays` are the marks that lie off their places, as two looks apart found them: the table is read without
    them, but the next one that is covered or moved leaves too few.
    """

    lens: Lens | None = None
    held: Calibration | None = None
    keep: Callable[[Calibration], None] = lambda calibration: None
    is_moved: bool = False
    strays: tuple[int, ...] = ()
    _stray: tuple[tuple[int, ...], int] | None = field(default=None, init=False)
    _doubt: Calibration | None = field(default=None, init=False)
    _doubts: int = field(default=0, init=False)
    _doubted_ms: int = field(default=0, init=False)
    _due_ms: int | None = field(default=None, init=False)

    def is_due(self, now_ms: int) -> bool:
        """Whether the marks are to be looked at again."""
        return self._due_ms is None or now_ms >= self._due_ms

    def put_off(self, now_ms: int) -> None:
        """No picture to look at: ask again soon."""
        self._due_ms = now_ms + DOUBT_EVERY_MS

    def saw(self, seen: Seen, size_px: tuple[int, int], now_ms: int) -> Look:
        """Take the marks found in a picture (see `vision.marks.find_marks`) and say what may be trusted.

        Raises:
            VisionError: if the lens was measured on pictures of another shape.
        """
        own = self._measure(seen, size_px)
        look = self._judge(own, seen, size_px, now_ms)
        if look.calibration is not None:
            look = replace(look, strays=self._strayed(own, seen, now_ms))
            wait_ms = CHECK_EVERY_MS if self._stray is None else DOUBT_EVERY_MS
        else:
            wait_ms = DOUBT_EVERY_MS if 0 < self._doubts <= PATIENCE_LOOKS else UNSEEN_EVERY_MS
        self._due_ms = now_ms + wait_ms
        return look

    def _judge(self, own: Calibration | None, seen: Seen, size_px: tuple[int, int], now_ms: int) -> Look:
        held = self.held
        if held is None or held.size_px != size_px:
            if own is None:
                return Look(None, "covered")
            self._hold(own)
            return Look(own)
        if own is None and len(seen) < MIN_MARKS - 1:
            return Look(None, "moved" if self.is_moved else "covered")
        drift = compare(held, own) if own is not None else _worst(offsets(held, seen))
        if self.is_moved or drift.is_move:
            return self._doubted(own, drift, now_ms)
        self._doubt, self._doubts = None, 0
        if own is not None and len(own.marks) >= len(held.marks):
            self.held = own  # follows an arm that sinks by hairs
        return Look(self.held)

    def _strayed(self, own: Calibration | None, seen: Seen, now_ms: int) -> tuple[int, ...] | None:
        """Return the marks off their places when that changed for good; a sleeve pulls one aside for a look.

        Only a look at all four marks tells.
        """
        if own is None or len(seen) < len(mark_numbers()):
            return None
        if own.moved == self.strays:
            self._stray = None
        elif self._stray is None or self._stray[0] != own.moved:
            self._stray = own.moved, now_ms
        elif now_ms - self._stray[1] >= SETTLE_MS:
            self.strays, self._stray = own.moved, None
            return self.strays
        return None

    def _measure(self, seen: Seen, size_px: tuple[int, int]) -> Calibration | None:
        try:
            return calibrate_marks(seen, size_px, self.lens)
        except MarksNotFound:
            return None

    def _doubted(self, own: Calibration | None, drift: Drift, now_ms: int) -> Look:
        """Count a look that disagrees; the second of two that find the same place makes it the camera's."""
        if self._doubts and now_ms - self._doubted_ms < SETTLE_MS:
            return Look(None, "moved")
        before, self._doubt, self._doubted_ms = self._doubt, own, now_ms
        self._doubts += 1
        stands = own is not None and before is not None and compare(before, own).mm <= STILL_MM
        told = None if self.is_moved or not drift.is_move else drift
        if own is not None and stands and own.sees_table():
            self._hold(own)
            return Look(own, "", told)
        if stands or self._doubts >= RESTLESS_LOOKS:
            self.is_moved = True
            return Look(None, "moved", told)
        return Look(None, "moved")

    def _hold(self, own: Calibration) -> None:
        self.held, self.is_moved = own, False
        self._doubt, self._doubts = None, 0
        self.keep(own)


def _worst(found: tuple[MarkOffset, ...]) -> Drift:
    return Drift(max(mark.mm for mark in found), max(mark.px for mark in found), found)
