"""Pictures of tables composed from single tiles: `compose` lays tiles, looks at them with a camera and
lights them.

Unlike the twin's renderer this draws no table of ours: any ground, any layout, any camera from 45 to 90
degrees above the table (a rack of standing tiles: from 25), and every place is known exactly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.readings import BACK

from . import friends
from .augment import light
from .grounds import Image, any_colour, ground
from .layouts import Die, Laid, Shape, arranged, dice_beside
from .tops import Tops, shrunk

FACE_KIND, BACK_KIND, DIE_KIND, STANDING_KIND = range(4)
"""Kinds of places, in the order of the finder's heat channels."""
LEAST_SHOWN = 0.45
"""A standing tile counts as its face (or back) when that side is drawn at least so large as seen head-on."""
SUBPIXEL = 4
"""Bits of a pixel's fraction in polygons given to OpenCV."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture (h, w, 3) uint8 BGR with its places (n, 7) float32: centre x, y, width and height in
    pixels, axis (degrees counter-clockwise from straight up, 0-180), kind, visible part 0-1."""

    image: Image
    places: np.ndarray


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera above the table that looks at `aim`; lengths in tiles, angles in degrees.

    `bend` is the radial distortion at one picture width from the middle.
    """

    aim: tuple[float, float]
    tilt_deg: float
    yaw_deg: float
    distance: float
    px_per_tile: float
    middle: tuple[float, float]
    bend: float = 0.0

    def see(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return pixels (n, 2) and depths (n,) of points (n, 3)."""
        yaw, tilt = np.radians(self.yaw_deg), np.radians(self.tilt_deg)
        x, y = points[:, 0] - self.aim[0], points[:, 1] - self.aim[1]
        x, y = np.cos(yaw) * x - np.sin(yaw) * y, np.sin(yaw) * x + np.cos(yaw) * y
        depth = self.distance + y * np.sin(tilt) - points[:, 2] * np.cos(tilt)
        down = -y * np.cos(tilt) - points[:, 2] * np.sin(tilt)
        scale = self.px_per_tile * self.distance / np.maximum(depth, 0.05 * self.distance)
        seen = np.stack([x, down], 1) * scale[:, None]
        far = (seen**2).sum(1) / (2.0 * max(self.middle)) ** 2
        return seen * (1.0 + self.bend * far)[:, None] + np.array(self.middle), depth


def camera_for(
    rng: np.random.Generator, tiles: Sequence[Laid], tile_px: float, size: tuple[int, int]
) -> Camera:
    """Return a camera near a random tile, at the scale asked for."""
    height, width = size
    stands = any(tile.stands for tile in tiles)
    if stands and rng.random() < 0.6:
        tilt, yaw = float(rng.uniform(35, 65)), float(rng.normal(0, 14))
    else:
        tilt = abs(float(rng.normal(0, 6))) if rng.random() < 0.45 else float(rng.uniform(0, 45))
        kind = rng.random()
        yaw = float(rng.normal(0, 3)) + (float(rng.choice((90, 180, 270))) if 0.45 < kind < 0.6 else 0.0)
        yaw = float(rng.uniform(0, 360)) if kind > 0.6 else yaw
    aim = (0.0, 0.0)
    if tiles:
        near = tiles[int(rng.integers(len(tiles)))]
        aim = (near.x, near.y)
    middle = (
        width * (0.5 + float(rng.uniform(-0.35, 0.35))),
        height * (0.5 + float(rng.uniform(-0.35, 0.35))),
    )
    distance = float(np.exp(rng.uniform(np.log(14), np.log(45))))
    return Camera(aim, tilt, yaw, distance, tile_px, middle, float(rng.normal(0, 0.015)))


@dataclass(frozen=True, slots=True)
class _Solid:
    """A box in pixels: its eight corners (bottom four, top four: far left, far right, near right, near
    left), the corners of the shown side (top left, top right, bottom right, bottom left) and its depth."""

    corners: np.ndarray
    shown: tuple[int, int, int, int]
    hidden: tuple[int, int, int, int]
    depth: float
    layer: float

    @property
    def quad(self) -> np.ndarray:
        return self.corners[list(self.shown)]


LYING = ((4, 5, 6, 7), (0, 1, 2, 3))
STANDING = ((7, 6, 2, 3), (4, 5, 1, 0))


def _solids(camera: Camera, items: Sequence[Laid | Die], shape: Shape) -> list[_Solid]:
    if not items:
        return []
    corners = _corners(items, shape)
    pixels, depths = camera.see(corners.reshape(-1, 3))
    pixels, depths = pixels.reshape(-1, 8, 2), depths.reshape(-1, 8)
    solids = []
    for item, eight, depth in zip(items, pixels, depths, strict=True):
        shown, hidden = STANDING if isinstance(item, Laid) and item.stands else LYING
        layer = item.z if isinstance(item, Laid) else 0.0
        solids.append(_Solid(eight, shown, hidden, float(depth.mean()), layer))
    return solids


def _corners(items: Sequence[Laid | Die], shape: Shape) -> np.ndarray:
    """Return the corners (n, 8, 3) of boxes, bottom four first."""
    sides = {False: (shape.w, 1.0, shape.thick), True: (shape.w, shape.thick, 1.0)}
    rows = [
        (item.x, item.y, item.turn_deg, item.z, *sides[item.stands])
        if isinstance(item, Laid)
        else (item.x, item.y, item.turn_deg, 0.0, item.edge, item.edge, item.edge)
        for item in items
    ]
    x, y, turn, low, a, b, c = (column[:, None] for column in np.array(rows, np.float64).T)
    u, v = np.array([-1, 1, 1, -1]) * a / 2, np.array([1, 1, -1, -1]) * b / 2
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    base = np.stack([x + cos * u - sin * v, y + sin * u + cos * v], 2)
    heights = np.broadcast_to(np.stack([low, low + c], 1), (len(rows), 2, 4))
    return np.concatenate([np.concatenate([base, heights[:, level, :, None]], 2) for level in (0, 1)], 1)


def place_of(quad: np.ndarray) -> tuple[float, float, float, float, float]:
    """Return centre, width, height and axis of a quad (4, 2): top left, top right, bottom right, bottom
    left."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad.tolist()
    up = (ax + bx - cx - dx) / 2, (ay + by - cy - dy) / 2
    across = (bx + cx - ax - dx) / 2, (by + cy - ay - dy) / 2
    axis = math.degrees(math.atan2(-up[0], -up[1])) % 180.0
    x, y = (ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4
    return x, y, math.hypot(*across), math.hypot(*up), axis


def _polygon(picture: np.ndarray, points: np.ndarray, ink: object, line: int = cv2.LINE_AA) -> None:
    # OpenCV's whole numbers are middles of pixels, ours are their edges
    hull = cv2.convexHull(np.round((points - 0.5) * (1 << SUBPIXEL)).astype(np.int32))
    cv2.fillConvexPoly(picture, hull, ink, line, SUBPIXEL)


def _shadows(rng: np.random.Generator, picture: Image, solids: Sequence[_Solid], tile_px: float) -> Image:
    mask = np.zeros(picture.shape[:2], np.uint8)
    turn, reach = float(rng.uniform(0, 2 * np.pi)), tile_px * float(rng.uniform(0.0, 0.5))
    shift = np.array([np.cos(turn), np.sin(turn)]) * reach
    for solid in solids:
        base = solid.corners[:4]
        _polygon(mask, np.concatenate([base, base + shift * (1 + solid.layer)]), 255)
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.5, tile_px * float(rng.uniform(0.02, 0.15))))
    dark = 1.0 - soft.astype(np.float32) / 255.0 * float(rng.uniform(0.1, 0.75))
    return (picture * dark[..., None]).astype(np.uint8)


def _paste(picture: Image, top: Image, quad: np.ndarray, round_part: float) -> None:
    """Draw an upright tile picture into a quad, its corners rounded off."""
    height, width = picture.shape[:2]
    left, upper = np.maximum(np.floor(quad.min(0)).astype(int) - 1, 0)
    right, lower = np.minimum(np.ceil(quad.max(0)).astype(int) + 2, (width, height))
    if right <= left or lower <= upper:
        return
    drawn = max(float(np.hypot(*(quad[3] - quad[0]))), float(np.hypot(*(quad[2] - quad[1]))), 4.0)
    scale = min(1.0, 1.25 * drawn / top.shape[0])
    if scale < 1.0:
        top = cv2.resize(top, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    rows, columns = top.shape[:2]
    cover = np.full((rows, columns), 255, np.uint8)
    cut = round(columns * round_part)
    if cut >= 1:
        cover[:] = 0
        cv2.rectangle(cover, (cut, 0), (columns - 1 - cut, rows - 1), 255, -1)
        cv2.rectangle(cover, (0, cut), (columns - 1, rows - 1 - cut), 255, -1)
        for x in (cut, columns - 1 - cut):
            for y in (cut, rows - 1 - cut):
                cv2.circle(cover, (x, y), cut, 255, -1, cv2.LINE_AA)
    # pixel centres: the outer edge of the first pixel lies at -0.5
    edge = np.array(
        [[-0.5, -0.5], [columns - 0.5, -0.5], [columns - 0.5, rows - 0.5], [-0.5, rows - 0.5]], np.float32
    )
    matrix = cv2.getPerspectiveTransform(edge, (quad - (left, upper) - 0.5).astype(np.float32))
    room = (int(right - left), int(lower - upper))
    drawn_top = cv2.warpPerspective(top, matrix, room, borderMode=cv2.BORDER_REPLICATE)
    part = cv2.warpPerspective(cover, matrix, room).astype(np.float32)[..., None] / 255.0
    under = picture[upper:lower, left:right]
    picture[upper:lower, left:right] = (under + (drawn_top.astype(np.float32) - under) * part).astype(
        np.uint8
    )


def die_top(rng: np.random.Generator, pips: int) -> Image:
    """Return the upper face of a die: white most often, with red one and four as in mahjong."""
    base = (235, 240, 242) if rng.random() < 0.7 else any_colour(rng).tolist()
    ink = (20, 20, 25) if rng.random() < 0.7 else any_colour(rng).tolist()
    if pips in (1, 4) and rng.random() < 0.6:
        ink = (30, 25, 190)
    picture = np.empty((48, 48, 3), np.uint8)
    picture[:] = base
    spots = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "035268"}[pips]
    size = 9 if pips == 1 else 5
    for spot in spots:
        line, place = divmod(int(spot), 3)
        cv2.circle(picture, (11 + 13 * place, 11 + 13 * line), size, ink, -1, cv2.LINE_AA)
    return picture


def compose(
    rng: np.random.Generator, tops: Tops, size: tuple[int, int] = (256, 256), tile_px: float = 40.0
) -> Picture:
    """Return a picture of tiles of one set, about `tile_px` long near the middle, on any ground.

    Args:
        size: height and width in pixels.
        tops: pictures of the set's tiles, see `tops.Tops`.
    """
    shape = Shape.random(rng)
    tiles = arranged(rng, shape) if rng.random() < 0.93 else []
    dice = dice_beside(rng, tiles) if rng.random() < 0.4 else []
    camera = camera_for(rng, tiles, tile_px, size)
    picture = ground(rng, *size)
    if rng.random() < 0.4:
        friends.scatter(rng, picture, tile_px)
    items: list[Laid | Die] = [*tiles, *dice]
    solids = _solids(camera, items, shape)
    order = [
        index
        for index in sorted(range(len(items)), key=lambda at: (solids[at].layer > 0.1, -solids[at].depth))
        if _is_near(solids[index], size)
    ]
    picture = _shadows(rng, picture, [solids[index] for index in order], tile_px)
    ids = np.zeros(size, np.uint16)
    paint = _Paint.random(rng)
    for index in order:
        item = items[index]
        top = die_top(rng, item.pips) if isinstance(item, Die) else shrunk(tops(rng, item.face))
        paint.draw(picture, solids[index], top, item)
        _polygon(ids, solids[index].corners, 0, cv2.LINE_8)
        _polygon(ids, solids[index].quad, index + 1, cv2.LINE_8)
    if rng.random() < 0.06:
        ids[friends.hand(rng, picture, tile_px) > 0] = 0
    if rng.random() < 0.2:
        streak(rng, picture)
    rows = [_row(items[index], solids[index], ids, index + 1, tile_px, shape) for index in order]
    places = np.array([row for row in rows if row[6] > 0.0], np.float32).reshape(-1, 7)
    return Picture(worn(light(picture, rng, 1.3), rng), places)


def _is_near(solid: _Solid, size: tuple[int, int]) -> bool:
    low, high = solid.corners.min(0), solid.corners.max(0)
    return bool(high[0] > 0 and high[1] > 0 and low[0] < size[1] and low[1] < size[0])


def _row(
    item: Laid | Die, solid: _Solid, ids: np.ndarray, number: int, tile_px: float, shape: Shape
) -> tuple[float, ...]:
    quad = solid.quad
    area = float(cv2.contourArea(quad.astype(np.float32)))
    if isinstance(item, Die):
        kind = DIE_KIND
    else:
        kind = BACK_KIND if item.face == BACK else FACE_KIND
        if item.stands and area < LEAST_SHOWN * shape.w * tile_px**2:
            kind, quad = STANDING_KIND, solid.corners[4:8]
    seen = int((ids == number).sum()) / max(area, 1.0)
    if kind == STANDING_KIND:  # its shown side is out of view: count the top instead
        seen = 1.0 if _inside(quad, ids.shape) else 0.1
    return (*place_of(quad), kind, min(seen, 1.0))


def _inside(quad: np.ndarray, size: tuple[int, ...]) -> bool:
    x, y = quad.mean(axis=0)
    return bool(0 <= x < size[1] and 0 <= y < size[0])


@dataclass(frozen=True, slots=True)
class _Paint:
    """Colours of a set's sides: the body under the face, the layer of the back, how dark the sides are, how
    far the back reaches through the tile, how round the corners are."""

    body: tuple[float, float, float]
    back: tuple[float, float, float]
    depth: float
    round_part: float

    @classmethod
    def random(cls, rng: np.random.Generator) -> _Paint:
        shade = float(rng.uniform(0.5, 0.95))
        body = tuple(float(value) * shade for value in (225, 235, 240) - rng.uniform(0, 40, 3))
        back = tuple(float(value) * shade for value in any_colour(rng))
        return cls(body, back, float(rng.uniform(0.2, 0.6)), float(rng.choice((0.0, 0.05, 0.1))))  # type: ignore[arg-type]

    def draw(self, picture: Image, solid: _Solid, top: Image, item: Laid | Die) -> None:
        """Draw the sides of a box, then its shown side."""
        upper, lower, depth = self.body, self.back, self.depth
        if isinstance(item, Die):
            lower = upper = tuple(float(value) * 0.8 for value in top[2, 24])  # type: ignore[assignment]
        elif item.face == BACK:
            upper, lower, depth = lower, upper, 1.0 - depth
        _polygon(picture, solid.corners, upper)
        under = solid.corners[list(solid.hidden)]
        _polygon(picture, np.concatenate([under, under + (solid.quad - under) * depth]), lower)
        _paste(picture, top, solid.quad, self.round_part)


def streak(rng: np.random.Generator, picture: Image) -> None:
    """Add the reflection of a lamp: a long soft ellipse that saturates."""
    height, width = picture.shape[:2]
    layer = np.zeros((height, width), np.uint8)
    middle = (int(rng.integers(0, width)), int(rng.integers(0, height)))
    axes = (int(rng.integers(10, max(11, width // 2))), int(rng.integers(3, max(4, height // 8))))
    cv2.ellipse(layer, middle, axes, float(rng.uniform(0, 180)), 0, 360, 255, -1)
    soft = cv2.GaussianBlur(layer, (0, 0), max(1.0, axes[1] * float(rng.uniform(0.3, 1.0))))
    lit = picture + soft.astype(np.float32)[..., None] * float(rng.uniform(0.2, 0.8))
    picture[:] = np.clip(lit, 0, 255).astype(np.uint8)


def worn(picture: Image, rng: np.random.Generator) -> Image:
    """Return the picture after a file format or a small sensor: JPEG, or shrunk and enlarged again."""
    if rng.random() < 0.15:
        part = float(rng.uniform(0.5, 0.9))
        small = cv2.resize(picture, None, fx=part, fy=part, interpolation=cv2.INTER_AREA)
        picture = cv2.resize(small, (picture.shape[1], picture.shape[0]), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.5:
        _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 96))])
        picture = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    return picture
