"""Crops with a rim, made once and read by all folds: photographs, the twin's frames, drawn styles.

A shelf is two files: `NAME.u8`, (n, 128, 100, 3) uint8 BGR without a header, read as needed, and `NAME.json`
with the class, the group (set, style or "twin") and whether the way up is known, for each crop.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

from vision.evaluate import labels as label_reader
from vision.tiles import CLASSES, UNKNOWN

from .data import CANVAS_PX, FOREIGN, RIM_PX, TILE_PX, TURNED_SETS, Image, Photos, class_of
from .folds import ALL_SETS

SEED = 20261130
X_CLASS = CLASSES.index(UNKNOWN)
TWIN_EACH = 130
"""Most crops of one class from the twin's frames; their art is one style, however varied the light."""


class Item(NamedTuple):
    """A rimmed crop on its way to a shelf."""

    image: Image
    label: int
    group: str
    knows_up: bool = True


@dataclass(frozen=True)
class Shelf:
    """Crops of one source; `images` is a memory map."""

    images: np.ndarray
    labels: np.ndarray
    groups: np.ndarray
    knows_up: np.ndarray

    def only(self, groups: Iterable[str]) -> np.ndarray:
        """Return the numbers of the crops of some groups."""
        return np.nonzero(np.isin(self.groups, sorted(groups)))[0]


def shelf(folder: Path, name: str) -> Shelf:
    """Return a shelf that was filled before."""
    rows = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    shape = (len(rows["labels"]), CANVAS_PX[1], CANVAS_PX[0], 3)
    return Shelf(
        np.memmap(folder / f"{name}.u8", np.uint8, "r", shape=shape),
        np.array(rows["labels"], np.int64),
        np.array(rows["groups"]),
        np.array(rows["knows_up"], bool),
    )


def recipe(*modules: str) -> str:
    """Return a digest of the sources in this folder that a shelf is made by, and of what reads the labels; a
    name may be a package's."""
    here = Path(__file__).parent
    files = [
        file
        for name in modules
        for file in sorted(here.glob(f"{name}.py")) + sorted(here.glob(f"{name}/*.py"))
    ]
    files.append(Path(label_reader.__file__))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def fill(folder: Path, name: str, items: Iterator[Item], made_by: str = "") -> None:
    """Write a shelf, unless it is there and was made by the same `recipe`."""
    index = folder / f"{name}.json"
    if index.exists():
        if json.loads(index.read_text(encoding="utf-8")).get("made_by") == made_by:
            return
        index.unlink()
    folder.mkdir(parents=True, exist_ok=True)
    rows: dict[str, Any] = {"labels": [], "groups": [], "knows_up": [], "made_by": made_by}
    with (folder / f"{name}.u8").open("wb") as images:
        for item in items:
            images.write(np.ascontiguousarray(item.image).data)
            rows["labels"].append(item.label)
            rows["groups"].append(item.group)
            rows["knows_up"].append(bool(item.knows_up))
            if len(rows["labels"]) % 1000 == 0:
                print(f"{name}: {len(rows['labels'])} crops", file=sys.stderr, flush=True)
    index.write_text(json.dumps(rows), encoding="utf-8")  # written last: it says that the shelf is whole


def photographed(root: Path) -> Iterator[Item]:
    """Yield every tile of the photographs and windows that are none; group = set."""
    photos = Photos(root)
    for name in sorted(ALL_SETS):
        rng = np.random.default_rng([SEED, int(name[1:])])
        for crop in photos.rimmed({name}, rng):
            yield Item(crop.image, class_of(crop.face), name, name not in TURNED_SETS)


def of_twin(folders: Sequence[Path]) -> Iterator[Item]:
    """Yield tiles of the twin's frames (`hardware.twin.renderer.samples`) and windows that are none."""
    rng = np.random.default_rng([SEED, 1])
    counts = np.zeros(len(CLASSES), int)
    for folder in folders:
        for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["kind"] == "empty" and rng.random() < 0.9:
                continue
            image = cv2.imread(str(folder / row["file"]))
            for item in _of_frame(image, row["tiles"], rng):
                most = TWIN_EACH * (6 if item.label == X_CLASS else 1)
                if counts[item.label] < most:
                    counts[item.label] += 1
                    yield item


def _of_frame(image: Image, tiles: list[dict], rng: np.random.Generator) -> Iterator[Item]:
    places = np.array([(tile["x_mm"], tile["y_mm"]) for tile in tiles]).reshape(-1, 2)
    upper = places[[tile["layer"] == 1 for tile in tiles]]
    for tile, place in zip(tiles, places, strict=True):
        covered = tile["layer"] == 0 and len(upper) and np.hypot(*(upper - place).T).min() < 12
        if covered or tile["face"] == "side":
            continue
        yield Item(_from_quad(image, tile["quad"]), CLASSES.index(tile["face"]), "twin")
        if rng.random() < 0.06:  # between two tiles, or on the felt beside them
            turn, reach = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(15, 40))
            shift = (2 * reach * np.cos(turn), 2 * reach * np.sin(turn))
            yield Item(_from_quad(image, tile["quad"], shift), X_CLASS, "twin")


def _from_quad(image: Image, quad: list | np.ndarray, shift: tuple[float, float] = (0.0, 0.0)) -> Image:
    """Return the rimmed crop of a tile whose own corners are given, or of a place beside it (`shift` in
    its pixels)."""
    left, top = RIM_PX[0] - shift[0], RIM_PX[1] - shift[1]
    right, bottom = left + TILE_PX[0], top + TILE_PX[1]
    own = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    matrix = cv2.getPerspectiveTransform(own, np.array(quad, np.float32))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpPerspective(image, matrix, CANVAS_PX, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def of_dice(root: Path, folders: Sequence[Path]) -> Iterator[Item]:
    """Yield dice of the photographs and of the twin's frames in windows of a tile's shape: one red pip passes
    for 1p otherwise."""
    rng = np.random.default_rng([SEED, 3])
    for image, quads in Photos(root).dice():
        for quad in quads:
            yield Item(_from_quad(image, _tile_round(quad, rng)), X_CLASS, "dice", knows_up=False)
    for folder in folders:
        for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            image = cv2.imread(str(folder / row["file"])) if row["dice"] else None
            for die in row["dice"]:
                quad = _tile_round(np.array(die["quad"]), rng)
                yield Item(_from_quad(image, quad), X_CLASS, "twin dice", knows_up=False)


def _tile_round(quad: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the corners (4, 2) of a tile's shape round a die's, lying along one of its edges."""
    quad = np.roll(quad, int(rng.integers(4)), axis=0)
    middle = quad.mean(axis=0)
    across, along = (quad[1] - quad[0]) / 2, (quad[3] - quad[0]) / 2
    across, along = across * float(rng.uniform(0.9, 1.35)), along * float(rng.uniform(0.95, 1.8))
    corners = [-across - along, across - along, across + along, along - across]
    return middle + np.array(corners)


def drawn(styles: int) -> Iterator[Item]:
    """Yield the 42 faces, two backs and some foreign pictures of drawn styles; group = "art" + number."""
    from . import art

    faces = [face for face in CLASSES if face not in ("back", UNKNOWN)] + ["back"] * 2 + [FOREIGN] * 8
    for number in range(styles):
        rng = np.random.default_rng([SEED, 2, number])
        style = art.Style.random(rng)
        tops = [
            art.tile_back(style, rng, TILE_PX[1])
            if face == "back"
            else art.tile_top(style, face, rng, TILE_PX[1])
            for face in faces
        ]
        sized = [cv2.resize(top, TILE_PX, interpolation=cv2.INTER_AREA) for top in tops]
        for index, face in enumerate(faces):
            around = [sized[int(rng.integers(len(sized)))] for _ in range(4)]
            yield Item(among(sized[index], around, rng), class_of(face), f"art{number}")


def among(top: Image, around: Sequence[Image], rng: np.random.Generator) -> Image:
    """Return a rimmed crop of a tile with neighbours at some of its four sides, on a plain ground."""
    ground = rng.integers(0, 200, 3) if rng.random() < 0.7 else top.reshape(-1, 3).min(0)
    canvas = np.empty((CANVAS_PX[1], CANVAS_PX[0], 3), np.uint8)
    canvas[:] = np.asarray(ground, np.uint8)
    gap = int(rng.integers(0, 3)) if rng.random() < 0.8 else int(rng.integers(3, 14))
    (rim_x, rim_y), (width, height) = RIM_PX, TILE_PX
    row = bool(rng.random() < 0.85)
    spots = (
        (-width - gap, 0, row),
        (width + gap, 0, row),
        (0, -height - gap, False),
        (0, height + gap, False),
    )
    for (dx, dy, likely), other in zip(spots, around, strict=True):
        if rng.random() < (0.8 if likely else 0.35):
            _paste(canvas, other, rim_x + dx, rim_y + dy)
    _paste(canvas, top, rim_x, rim_y)
    return canvas


def _paste(canvas: Image, tile: Image, left: int, top: int) -> None:
    height, width = tile.shape[:2]
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(canvas.shape[1], left + width), min(canvas.shape[0], top + height)
    if x1 > x0 and y1 > y0:
        canvas[y0:y1, x0:x1] = tile[y0 - top : y1 - top, x0 - left : x1 - left]
