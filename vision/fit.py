"""The table's place and the lens's bend, from the corners of three or four marks.

Sixteen corners tell more than a homography needs: near the picture's corners a bending lens makes a square
mark longer along the radius than across it. So k1 is fitted with it. People lay the marks down by hand, so
each may lie a little off its place; that is part of the fit, held by what is usual, and the marks' true shape
speaks for the lens. Simulated with corners 0.15 px off and marks 1 mm and 0.5 degrees off: k1 to 0.2 % (one
sigma). k2 cannot be told this way: marks show one distance from the middle only (see `vision.lens_board`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from .errors import MarksNotFound
from .lens import Lens, Matrix
from .marks import Seen, mark_corners
from .table import geometry

USUAL_CAMERA_HEIGHT_MM = 1100.0
"""Taken when the view is too straight to tell the height from the marks (a camera over a 0.9 m table)."""
MAX_FIT_ERROR_MM, LEAST_LIMIT_PX = 2.5, 1.5
"""Mean corner error above which the marks do not lie as on the drawing; rendered frames: 0.1, laid down by
hand: about 1. In a small picture the limit is this many pixels."""
CORNER_PX = 0.2
"""How well a corner is found (one sigma); 0.06 in drawn pictures, and cards are not quite flat."""
PLACE_MM = 1.0
TURN_RAD = 0.009
"""How well a mark is laid down by hand (one sigma): a millimetre, half a degree."""
USUAL_K1 = 0.03
"""Spread of the bend of table cameras (one sigma): few are beyond 3 % at the picture's corner."""
MOST_K1 = 0.12
MARK_MOVED_MM = 6.0
"""A mark this far off its place, by the other three, was moved; below, it was laid down a little off."""
CLEARLY = 2.0
"""The three that agree must fit this much better than any other three, else nobody knows which one moved."""
UNIT_MM = 400.0
ROUNDS = 6
STEP = 1e-6
SURE = 1e-7


@dataclass(frozen=True, slots=True)
class Fit:
    """What the marks say: `matrix` (3x3) from table millimetres to pixels of a straight lens, then `lens`.

    `error_px` is the mean distance of the corners from the drawing; `cost` the sum of squares in sigmas, by
    corner; `off_mm` the largest distance of a mark from its place as the fit explains it.
    """

    matrix: Matrix
    lens: Lens
    error_px: float
    cost: float
    off_mm: float


class _Problem:
    """Residuals of the corners and of what is usual, for many trial values at once."""

    def __init__(self, seen: Seen, lens: Lens, is_known: bool) -> None:
        self.numbers = sorted(seen)
        self._radius = lens.radius_px
        self._plan = np.stack([mark_corners(number) for number in self.numbers]) / UNIT_MM
        self._centres = self._plan.mean(axis=1, keepdims=True)
        self.pixels = np.stack([seen[number] for number in self.numbers])
        self._goal = (self.pixels - lens.centre_px) / self._radius
        self._lens, self._k1_spread = lens, SURE if is_known else USUAL_K1

    def start(self) -> Matrix:
        """Return the first trial: a plain homography, the lens as given, every mark in its place."""
        fitted, _ = cv2.findHomography(self._plan.reshape(-1, 2), self._goal.reshape(-1, 2), 0)
        if fitted is None or abs(fitted[2, 2]) < 1e-9:
            raise MarksNotFound("the table marks do not span the table")
        flat = np.asarray(fitted, dtype=np.float64).ravel() / fitted[2, 2]
        return np.concatenate([flat[:8], [self._lens.k1], np.zeros(3 * len(self.numbers))])

    def residuals(self, trials: Matrix) -> Matrix:
        """Return residuals in sigmas (m, 11 n + 1) of trial values (m, 9 + 3 n)."""
        count, marks = len(trials), len(self.numbers)
        off = trials[:, 9:].reshape(count, marks, 3)
        moved, turn = off[..., :2] * (PLACE_MM / UNIT_MM), off[..., 2] * TURN_RAD
        arm = self._plan - self._centres
        across = np.stack([-arm[..., 1], arm[..., 0]], axis=-1)
        laid = self._plan + moved[:, :, None, :] + turn[:, :, None, None] * across
        bent = self.project(trials, laid)
        miss = (bent - self._goal) * (self._radius / CORNER_PX)
        usual = (trials[:, 8:9] - self._lens.k1) / self._k1_spread
        return np.concatenate([miss.reshape(count, -1), usual, trials[:, 9:]], axis=1)

    def project(self, trials: Matrix, points: Matrix) -> Matrix:
        """Return where the lens shows points (m or 1, marks, 4, 2), in radii from its axis."""
        matrix = np.concatenate([trials[:, :8], np.ones((len(trials), 1))], axis=1).reshape(-1, 3, 3)
        flat = np.einsum("mij,mbcj->mbci", matrix[:, :, :2], points) + matrix[:, None, None, :, 2]
        flat = flat[..., :2] / flat[..., 2:]
        s = np.sum(flat * flat, axis=-1, keepdims=True)
        k1 = trials[:, 8][:, None, None, None]
        bent: Matrix = flat * (1.0 + s * (k1 + s * self._lens.k2))
        return bent

    def solve(self) -> tuple[Matrix, float]:
        """Return the best values and their cost by corner (Gauss and Newton; the start is near)."""
        best = self.start()
        steps = np.eye(len(best)) * STEP
        for _ in range(ROUNDS):
            rows = self.residuals(np.concatenate([best[None], best + steps]))
            slopes = (rows[1:] - rows[0]).T / STEP
            best = best - np.linalg.lstsq(slopes, rows[0], rcond=None)[0]
            best[8] = min(max(best[8], -MOST_K1), MOST_K1)
        cost = float(np.sum(self.residuals(best[None]) ** 2)) / (4 * len(self.numbers))
        return best, cost


def fit_marks(seen: Seen, size_px: tuple[int, int], lens: Lens | None = None) -> Fit:
    """Return the table's place from the marks seen, at least three.

    Args:
        size_px: (width, height) of the picture.
        lens: as measured for such pictures; None fits k1 too.
    Raises:
        MarksNotFound: if the corners do not span the table.
    """
    base = lens or Lens(size_px)
    problem = _Problem(seen, base, lens is not None)
    best, cost = problem.solve()
    if not np.all(np.isfinite(best)):
        raise MarksNotFound("the table marks do not span the table")
    plan = np.stack([mark_corners(number) for number in problem.numbers])
    again = problem.project(best[None], plan[None] / UNIT_MM)[0] * base.radius_px + base.centre_px
    error = float(np.mean(np.linalg.norm(again - problem.pixels, axis=-1)))
    x, y = base.centre_px
    to_pixels = np.array([[base.radius_px, 0.0, x], [0.0, base.radius_px, y], [0.0, 0.0, 1.0]])
    matrix = to_pixels @ np.append(best[:8], 1.0).reshape(3, 3) @ np.diag([1 / UNIT_MM, 1 / UNIT_MM, 1.0])
    off = np.linalg.norm(best[9:].reshape(-1, 3)[:, :2], axis=1) * PLACE_MM
    fitted = Lens(size_px, round(float(best[8]), 6), base.k2, base.centre_px, base.focal_px)
    return Fit(matrix, lens or fitted, error, cost, float(off.max()))


def fit_without_moved(
    seen: Seen, size_px: tuple[int, int], lens: Lens | None = None
) -> tuple[Fit, tuple[int, ...]]:
    """Return the fit, and the number of the one mark that was moved if three agree against it.

    Raises:
        MarksNotFound: if the marks do not lie as on the drawing and nobody knows which one is wrong.
    """
    whole = fit_marks(seen, size_px, lens)
    limit_px = max(LEAST_LIMIT_PX, MAX_FIT_ERROR_MM * _px_per_mm(seen))
    if len(seen) > 3 and (whole.off_mm > 2.0 * PLACE_MM or whole.error_px > limit_px / 2):
        fits = {left: fit_marks(_but(seen, left), size_px, lens) for left in seen}
        order = sorted(fits, key=lambda left: fits[left].cost)
        left, best = order[0], fits[order[0]]
        is_clear = best.cost * CLEARLY < fits[order[1]].cost and best.error_px <= limit_px / 2
        if is_clear and mark_off_mm(best, left, seen[left]) >= MARK_MOVED_MM:
            return best, (left,)
    if whole.error_px > limit_px:
        raise MarksNotFound(f"the table marks lie {whole.error_px:.1f} px off the drawing")
    return whole, ()


def _px_per_mm(seen: Seen) -> float:
    side = float(geometry()["marks"]["size"])
    areas = [abs(cv2.contourArea(quad.astype(np.float32))) for quad in seen.values()]
    return float(np.mean(np.sqrt(areas))) / side


def _but(seen: Seen, left: int) -> Mapping[int, Matrix]:
    return {number: quad for number, quad in seen.items() if number != left}


def mark_off_mm(fit: Fit, number: int, quad: Matrix) -> float:
    """Return how far from its place a mark lies, by a fit to the others."""
    straight = fit.lens.straighten(quad)
    found = cv2.perspectiveTransform(straight[None], np.linalg.inv(fit.matrix))[0]
    return float(np.linalg.norm(np.mean(found - mark_corners(number), axis=0)))


def camera_place(matrix: Matrix, lens: Lens) -> tuple[float, float, float]:
    """Return the lens centre in table millimetres, from the homography of the felt to straight pixels."""
    x, y = lens.centre_px
    centred = np.array([[1.0, 0.0, -x], [0.0, 1.0, -y], [0.0, 0.0, 1.0]]) @ matrix
    focal = lens.focal_px or _focal(centred)
    rays = np.diag([1.0 / focal, 1.0 / focal, 1.0]) @ centred
    r1, r2, shift = rays[:, 0], rays[:, 1], rays[:, 2]
    size = (np.linalg.norm(r1) + np.linalg.norm(r2)) / 2.0
    r1, r2, shift = r1 / size, r2 / size, shift / size
    turn = np.stack([r1, r2, np.cross(r1, r2)], axis=1)
    u, _, vt = np.linalg.svd(turn)
    place = -(u @ vt).T @ shift
    return float(place[0]), float(place[1]), float(abs(place[2]))


def _focal(centred: Matrix) -> float:
    """Return the focal length in pixels that the slant of the view tells, or the usual one."""
    a, b = centred[:, 0], centred[:, 1]
    known = np.array([a[0] * b[0] + a[1] * b[1], a[0] ** 2 + a[1] ** 2 - b[0] ** 2 - b[1] ** 2])
    slope = np.array([a[2] * b[2], a[2] ** 2 - b[2] ** 2])
    scale = (np.linalg.norm(a[:2]) + np.linalg.norm(b[:2])) / 2.0
    usual = float(USUAL_CAMERA_HEIGHT_MM * scale / abs(centred[2, 2]))
    # tilt of about 6 degrees and more tells the focal length; below, corner noise dominates
    if np.linalg.norm(slope) * usual**2 <= 0.01 * scale**2:
        return usual
    squared = -float(known @ slope) / float(slope @ slope)
    return float(np.clip(np.sqrt(squared), 0.5 * usual, 2.0 * usual)) if squared > 0.0 else usual
