"""From a scene to the bytes of one camera frame.

Everything still is drawn once; every tile and die is a cached patch; a frame is paste, noise, JPEG. The noise
is a window into one pool whose place comes from the scene's digest: the same scene gives the same bytes in
any process and at any speed, another scene other noise.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.tiles.raster import rasterise
from hardware.twin.scene import BACK, SIDE, PlacedDie, PlacedTile, Scene

from . import dies
from .background import Backdrop
from .camera import HEIGHT, WIDTH, Array, Camera
from .geometry import geometry
from .look import BACKS, Colour, Look
from .sabotage import SABOTAGES, tamper
from .solids import Patch, Shadow, Solid, Studio

Image = NDArray[np.uint8]
NOISE_MARGIN = 192
NOISE_UNIT = 24
KEEP_PATCHES = 400
"""Two tables full: no patch of a hand serves in the next one, and 1500 grew for seven minutes to 40 MB."""
SPRITE_PX = 120
IVORY = (214.0, 232.0, 240.0)
"""Blue, green, red of a tile's body."""
_Made = TypeVar("_Made")
_Sprite = tuple[Patch | None, Shadow | None, Array]


@lru_cache(maxsize=1)
def _noise_pool() -> Image:
    """Return noise of NOISE_UNIT round 128, larger than a frame, the same in every process."""
    rng = np.random.default_rng(20260102)
    shape = (HEIGHT + NOISE_MARGIN, WIDTH + NOISE_MARGIN, 3)
    noise = rng.standard_normal(shape, np.float32) * np.float32(NOISE_UNIT) + np.float32(128.5)
    pool: Image = np.clip(noise, 0, 255).astype(np.uint8)
    return pool


class Renderer:
    """One camera over one table; the look is `Look.of_seed(seed)` unless given.

    Args:
        seed: camera pose, light, cloth; scenes of a table all use one renderer.
        sabotage: None or one of SABOTAGES, for tests that prove that reading is real.
    Raises:
        ValueError: for an unknown sabotage.
    """

    def __init__(self, seed: int, sabotage: str | None = None, look: Look | None = None) -> None:
        if sabotage is not None and sabotage not in SABOTAGES:
            raise ValueError(f"unknown sabotage {sabotage!r}: one of {', '.join(SABOTAGES)}")
        self.look = look or Look.of_seed(seed)
        self.camera = Camera(self.look)
        self._sabotage = sabotage
        self._studio = Studio(self.look, self.camera, Backdrop(self.look, self.camera))
        self._sprites: OrderedDict[PlacedTile | PlacedDie, _Sprite] = OrderedDict()
        self._tops: dict[str, Image] = {}
        self._bases: OrderedDict[tuple[int, bool], Image] = OrderedDict()
        self._last: tuple[bytes, bytes] | None = None
        scale = np.arange(256, dtype=np.float64) - 128
        table = np.clip(np.rint(128 + scale / NOISE_UNIT * self.look.noise_sigma), 0, 255).astype(np.uint8)
        self._noise: Image = np.asarray(cv2.LUT(_noise_pool(), table), np.uint8)

    def knocked(self, turn_deg: tuple[float, float, float]) -> Renderer:
        """Return the same table seen by the camera after a knock (pan, tilt, roll); (0, 0, 0) is as it
        was."""
        return Renderer(0, self._sabotage, replace(self.look, knock_deg=turn_deg))

    def render(self, scene: Scene) -> bytes:
        """Return the JPEG of a scene; an unchanged scene costs nothing."""
        digest = scene.digest()
        if self._last is not None and self._last[0] == digest:
            return self._last[1]
        quality = [cv2.IMWRITE_JPEG_QUALITY, self.look.jpeg_quality]
        jpeg = bytes(cv2.imencode(".jpg", self.image(scene), quality)[1])
        self._last = (digest, jpeg)
        return jpeg

    def image(self, scene: Scene) -> Image:
        """Return the frame before JPEG: (1080, 1920, 3) uint8 in BGR order."""
        digest = scene.digest()
        shown = tamper(scene, self._sabotage)
        frame = self._base(shown.lamp_side, shown.dome_up).copy()
        sprites = [self._sprite(thing) for thing in self._far_to_near(shown)]
        self._darken(frame, [shadow for _, shadow, _ in sprites if shadow is not None])
        for patch, _, _ in sprites:
            if patch is not None:
                patch.paste(frame)
        dy, dx = digest[0] % NOISE_MARGIN, digest[1] % NOISE_MARGIN
        window = self._noise[dy : dy + HEIGHT, dx : dx + WIDTH]
        return np.asarray(cv2.addWeighted(frame, 1.0, window, 1.0, -128.0), np.uint8)

    def quad(self, thing: PlacedTile | PlacedDie) -> Array:
        """Return a top face's pixels (4, 2): top left, top right, bottom right, bottom left as it is read."""
        return self._sprite(thing)[2]

    def _far_to_near(self, scene: Scene) -> list[PlacedTile | PlacedDie]:
        """Return things in painting order: what is nearer to the camera's foot hides what is farther."""
        foot = self.camera.position[:2]

        def key(thing: PlacedTile | PlacedDie) -> tuple[float, float, float, str]:
            layer = thing.layer if isinstance(thing, PlacedTile) else 0
            distance = float(np.hypot(thing.x_mm - foot[0], thing.y_mm - foot[1]))
            return layer * 15 - distance, thing.x_mm, thing.y_mm, str(thing)

        return sorted((*scene.tiles, *scene.dice), key=key)

    def _darken(self, frame: Image, shadows: list[Shadow]) -> None:
        if not shadows:
            return
        top, bottom = min(s.rows.start for s in shadows), max(s.rows.stop for s in shadows)
        left, right = min(s.columns.start for s in shadows), max(s.columns.stop for s in shadows)
        dark = np.zeros((bottom - top, right - left), np.uint8)
        for shadow in shadows:
            area = dark[
                shadow.rows.start - top : shadow.rows.stop - top,
                shadow.columns.start - left : shadow.columns.stop - left,
            ]
            np.maximum(area, shadow.dark, out=area)
        keep = cv2.bitwise_not(dark)
        area = frame[top:bottom, left:right]
        area[:] = cv2.multiply(area, cv2.merge([keep, keep, keep]), scale=1 / 255)

    def _sprite(self, thing: PlacedTile | PlacedDie) -> _Sprite:
        return _cached(self._sprites, thing, KEEP_PATCHES, lambda: self._make_sprite(thing))

    def _make_sprite(self, thing: PlacedTile | PlacedDie) -> _Sprite:
        if isinstance(thing, PlacedDie):
            solid = _die_solid(thing)
            patch = self._studio.patch(solid, dies.face(thing.pips), dies.sides(thing.pips))
        else:
            solid = self._tile_solid(thing)
            patch = self._studio.patch(solid, self._top(thing.face, thing.set))
        quad = self.camera.project(solid.corners(solid.high))
        return patch, self._studio.shadow(solid), quad

    def _tile_solid(self, tile: PlacedTile) -> Solid:
        geo = geometry()
        low = tile.layer * geo.tile_thickness
        back = self._back(tile.set)
        ivory = _times(IVORY, self.look.ivory)
        length, height = geo.tile_length, geo.tile_thickness
        layers: tuple[tuple[float, tuple[float, float, float]], ...]
        if tile.face == SIDE:
            length, height = geo.tile_thickness, geo.tile_length
            layers, bevel = ((low, back),), _times(back, (0.7, 0.7, 0.7))
        elif tile.face == BACK:
            layers = ((low, ivory), (low + 13.0, back))
            bevel = _times(back, (0.72, 0.72, 0.72))
        else:
            layers = ((low, back), (low + 9.0, ivory))
            bevel = _times(ivory, (0.8, 0.82, 0.84))
        return Solid(
            tile.x_mm,
            tile.y_mm,
            tile.angle_deg,
            geo.tile_width,
            length,
            low,
            low + height,
            3.4,
            layers,
            bevel,
        )

    def _back(self, number: int) -> Colour:
        return self.look.second_back if number == 2 else self.look.back

    def _top(self, face: str, number: int) -> Image:
        """Return the printed top of a tile as BGRA, in this look's ivory or the back colour of its set."""
        name = f"{face}/{number}" if face in (BACK, SIDE) else face
        if name not in self._tops:
            drawn = rasterise(BACK if face in (BACK, SIDE) else face, SPRITE_PX)
            top = np.ascontiguousarray(drawn[:, :, [2, 1, 0, 3]]).astype(np.float32)
            if face in (BACK, SIDE):
                gain = np.asarray(self._back(number), np.float32) / np.asarray(BACKS[0], np.float32)
            else:
                gain = np.asarray(self.look.ivory, np.float32)
            top[:, :, :3] *= gain.astype(np.float32)
            self._tops[name] = np.clip(top, 0, 255).astype(np.uint8)
        return self._tops[name]

    def _base(self, lamp_side: int, dome_up: bool) -> Image:
        return _cached(self._bases, (lamp_side, dome_up), 3, lambda: self._make_base(lamp_side, dome_up))

    def _make_base(self, lamp_side: int, dome_up: bool) -> Image:
        """Return the empty table with one lamp lit and the dome down or up."""
        geo = geometry()
        image = self._studio.backdrop.image.copy()
        if dome_up:
            for radius, z, colour, width in (
                (geo.dome_radius + 1, 0.0, (10, 10, 12), 9),
                (geo.dome_radius, geo.dome_travel, (44, 48, 50), 5),
                (geo.dome_radius + 2, geo.dome_travel, (150, 156, 160), 2),
            ):  # fmt: skip
                turn = np.linspace(0, 2 * np.pi, 73)
                ring = np.column_stack([radius * np.cos(turn), radius * np.sin(turn), np.full(73, z)])
                pixels = np.rint(self.camera.project(ring) * 16).astype(np.int32)
                cv2.polylines(image, [pixels], True, colour, width, cv2.LINE_AA, 4)
        if lamp_side:
            x, y = geo.lamp_x, geo.lamp_y
            for _ in range(lamp_side - 1):
                x, y = -y, x
            self._glow(image, x, y, geo.lamp_radius)
        return image

    def _glow(self, image: Image, x: float, y: float, radius: float) -> None:
        """Add the light of a lit lamp: a pale hot core, an amber-red disc, a wide glow on the cloth."""
        (px, py), (edge_x, edge_y) = self.camera.project(np.array([[x, y, 1.0], [x + radius, y, 1.0]]))
        size = float(np.hypot(edge_x - px, edge_y - py))
        reach = int(size * 6)
        left, top = int(px) - reach, int(py) - reach
        rows, columns = np.mgrid[top : top + 2 * reach, left : left + 2 * reach].astype(np.float32)
        away = np.hypot(columns - px, rows - py) / size
        disc = np.clip((1.08 - away) * size, 0, 1)[:, :, None]
        core = np.exp(-((away / 0.55) ** 2))[:, :, None]
        halo = np.exp(-((away / 1.9) ** 2))[:, :, None] * 0.75
        area = image[top : top + 2 * reach, left : left + 2 * reach].astype(np.float32)
        area = area * (1 - disc) + disc * np.array([40, 96, 250], np.float32)
        area += core * np.array([120, 130, 20], np.float32) + halo * np.array([8, 54, 150], np.float32)
        image[top : top + 2 * reach, left : left + 2 * reach] = np.clip(area, 0, 255).astype(np.uint8)


def _die_solid(die: PlacedDie) -> Solid:
    edge = geometry().die_edge
    body = (float(dies.BODY[0]), float(dies.BODY[1]), float(dies.BODY[2]))
    bevel = _times(body, (0.86, 0.86, 0.86))
    return Solid(die.x_mm, die.y_mm, die.angle_deg, edge, edge, 0.0, edge, edge / 5, ((0.0, body),), bevel)


def _times(
    colour: tuple[float, float, float], gain: tuple[float, float, float]
) -> tuple[float, float, float]:
    blue, green, red = (min(255.0, value * factor) for value, factor in zip(colour, gain, strict=True))
    return blue, green, red


_Key = TypeVar("_Key")


def _cached(store: OrderedDict[_Key, _Made], key: _Key, keep: int, make: Callable[[], _Made]) -> _Made:
    """Return what `store` holds for `key`, made if new; the longest unused one leaves above `keep`."""
    if key in store:
        store.move_to_end(key)
        return store[key]
    made = store[key] = make()
    if len(store) > keep:
        store.popitem(last=False)
    return made


__all__ = ["SABOTAGES", "Renderer"]
