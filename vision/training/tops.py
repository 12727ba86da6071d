"""Tiles as pictures to paste: the photographed sets, our rendered styles, and painted backs.

A *set* holds pictures (h, w, 3) uint8 BGR of upright tiles by face; a picture of a scene shows one set, as
real pictures do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.readings import BACK
from vision.tiles import CLASSES, UNKNOWN

from .data import FOREIGN, Crop
from .grounds import Image, any_colour, clouds, colour

Tops = Callable[[np.random.Generator, str], Image]
"""Gives the picture of a tile seen from above, for a face ("1m" ... "h", "X", "back")."""

TOP_PX = 96
"""Height of a kept picture: no composed tile is drawn larger than 1.5 times this."""
NAMED: tuple[str, ...] = tuple(face for face in CLASSES if face not in (BACK, UNKNOWN))


@dataclass(frozen=True, slots=True)
class TileSet:
    """One physical set (or style): its pictures by face, and how often it is drawn."""

    name: str
    faces: Mapping[str, Sequence[Image]]
    share: float = 1.0

    def tops(self, rng: np.random.Generator) -> Tops:
        """Return the set's pictures with one back for all: its own, or a painted one."""
        own = self.faces.get(BACK)
        known = [face for face in self.faces if face != BACK]
        has_blanks = rng.random() < 0.25  # many sets have a white dragon without any print
        seed = int(rng.integers(2**63))
        painted: dict[str, Image] = {}

        def paint(face: str) -> Image:
            if face not in painted:  # few scenes show it: painted when asked for, the same whenever that is
                own_rng = np.random.default_rng([seed, len(face)])
                painted[face] = (
                    painted_back(own_rng) if face == BACK else painted_blank(own_rng, self.faces[known[0]][0])
                )
            return painted[face]

        def top(rng: np.random.Generator, face: str) -> Image:
            if (face == BACK and not own) or (face == "P" and has_blanks):
                return paint(face)
            pictures = self.faces.get(face) or self.faces[known[int(rng.integers(len(known)))]]
            return pictures[int(rng.integers(len(pictures)))]

        return top


def from_crops(crops: Iterable[Crop], share: float = 1.0) -> list[TileSet]:
    """Return the photographed sets, each crop at most `TOP_PX` high."""
    found: dict[str, dict[str, list[Image]]] = {}
    for crop in crops:
        found.setdefault(crop.set, {}).setdefault(crop.face, []).append(shrunk(crop.image))
    return [TileSet(name, faces, share) for name, faces in sorted(found.items())]


def shrunk(image: Image) -> Image:
    """Return a copy at most `TOP_PX` high."""
    scale = TOP_PX / image.shape[0]
    if scale >= 1.0:
        return image.copy()
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def rendered(count: int, seed: int, share: float = 1.0) -> list[TileSet]:
    """Return `count` drawn styles with one picture of each face, of `X` and of the back."""
    from .art import Style, tile_back, tile_top  # drawing needs more than pasting

    sets = []
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        style = Style.random(rng)
        faces = {face: [tile_top(style, face, rng, TOP_PX)] for face in (*NAMED, FOREIGN)}
        faces[BACK] = [tile_back(style, rng, TOP_PX)]
        sets.append(TileSet(f"style{number}", faces, share))
    return sets


def painted_back(rng: np.random.Generator) -> Image:
    """Return the back of a set: one colour, marbled like jade, of bamboo, or with a printed frame."""
    height, width = TOP_PX, round(TOP_PX / float(rng.uniform(1.25, 1.42)))
    base = any_colour(rng) if rng.random() < 0.4 else colour(rng, (80, 260), (0.3, 0.95), (0.25, 0.9))
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = base
    kind = int(rng.integers(4))
    if kind == 1:  # jade or marble
        picture += (clouds(rng, height, width, 0.9) * float(rng.uniform(8, 30)))[..., None]
    elif kind == 2:  # bamboo: fibres along the tile
        fibre = cv2.resize(rng.normal(0, 1, (3, width)).astype(np.float32), (width, height))
        picture += (fibre * float(rng.uniform(3, 14)))[..., None]
    elif kind == 3 and rng.random() < 0.6:
        rim = int(rng.integers(6, 16))
        far = (width - rim, height - rim)
        cv2.rectangle(picture, (rim, rim), far, any_colour(rng).tolist(), int(rng.integers(1, 4)))
    return bevelled(rng, picture)


def painted_blank(rng: np.random.Generator, like: Image) -> Image:
    """Return an empty face in the body colour of another tile of the set."""
    body = np.percentile(like.reshape(-1, 3), 75, axis=0).astype(np.float32)
    height = like.shape[0]
    picture = np.empty((height, like.shape[1], 3), np.float32)
    picture[:] = body
    picture += (clouds(rng, *picture.shape[:2]) * float(rng.uniform(0, 4)))[..., None]
    return bevelled(rng, picture)


def bevelled(rng: np.random.Generator, picture: np.ndarray) -> Image:
    """Return the picture with rounded edges: light on one side, dark on the other."""
    height, width = picture.shape[:2]
    rim = max(2, int(width * float(rng.uniform(0.03, 0.1))))
    inside = np.zeros((height, width), np.float32)
    inside[rim:-rim, rim:-rim] = 1.0
    inside = cv2.GaussianBlur(inside, (0, 0), rim * 0.6)
    lean = (cv2.Sobel(inside, cv2.CV_32F, 1, 0), cv2.Sobel(inside, cv2.CV_32F, 0, 1))
    turn, depth = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(10, 60))
    slope = (lean[0] * np.cos(turn) + lean[1] * np.sin(turn)) * depth
    shaded = picture + slope[..., None] - (1.0 - inside[..., None]) * float(rng.uniform(0, 25))
    return np.clip(shaded, 0, 255).astype(np.uint8)


class Cabinet:
    """All sets to draw from."""

    def __init__(self, sets: Sequence[TileSet]) -> None:
        if not sets:
            raise ValueError("a cabinet needs at least one set of tiles")
        self.sets = tuple(sets)
        shares = np.array([one.share for one in sets], np.float64)
        self._chances = shares / shares.sum()

    def draw(self, rng: np.random.Generator) -> Tops:
        """Return the pictures of one set."""
        return self.sets[int(rng.choice(len(self.sets), p=self._chances))].tops(rng)


def save_sets(path: Path, sets: Sequence[TileSet]) -> None:
    """Keep sets in one file, their pictures as PNG."""
    names, faces, packed = [], [], []
    for one in sets:
        for face, pictures in one.faces.items():
            for picture in pictures:
                names.append(one.name)
                faces.append(face)
                packed.append(cv2.imencode(".png", picture)[1])
    files = np.empty(len(packed), object)
    files[:] = packed
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part.npz")
    np.savez(part, name=np.array(names), face=np.array(faces), png=files)
    part.replace(path)


def load_sets(path: Path, share: float = 1.0) -> list[TileSet]:
    """Return the sets of a file written by `save_sets`."""
    data = np.load(path, allow_pickle=True)
    found: dict[str, dict[str, list[Image]]] = {}
    for name, face, packed in zip(data["name"], data["face"], data["png"], strict=True):
        picture = cv2.imdecode(packed, cv2.IMREAD_COLOR)
        found.setdefault(str(name), {}).setdefault(str(face), []).append(picture)
    return [TileSet(name, faces, share) for name, faces in found.items()]
