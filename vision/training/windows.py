"""Training windows of the finder: composed scenes, photographs, the twin's tables and dice, with their
targets.

    python -m vision.training.windows --frames DIR... --out FILE.npz      pack the twin's tables (once)

A window is a square picture with its places (rows as `scenes.Picture.places`). Places in pixels count from
the edge of the first pixel, as everywhere in `vision`.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from .augment import light
from .data import Photos, Scene
from .grounds import Image, blend, ground
from .scenes import BACK_KIND, DIE_KIND, FACE_KIND, STANDING_KIND, Picture, compose, place_of, worn
from .tops import Cabinet

SIZE = 224
STRIDE = 4
TILE_PX = 40.0
"""Long side of a tile that the finder is at its best with."""
TILE_SIZE = (30.0, TILE_PX)
"""Width and height that the answered sizes are parts of."""
LENGTHS_PX = (13.0, 130.0)
"""Least and greatest long side shown in training."""
KINDS = 4
EXTRAS = 6
"""Offset x, y in cells; logarithms of width and height over `TILE_SIZE`; cosine and sine of twice the
axis."""
CLEAR, VAGUE = 0.5, 0.15
"""Visible part from which a place is to be found, and below which it is none; between them nothing is
asked."""


@dataclass(slots=True)
class Source:
    """A picture to cut windows from, in ever smaller copies, and its places as quads (n, 4, 2) with kinds
    (n,).

    `rows`, `columns`: place of each quad in the laid-out grid, or empty; `tile_px` = usual long side.
    """

    image: Image
    quads: np.ndarray
    kinds: np.ndarray
    tile_px: float
    rows: np.ndarray = field(default_factory=lambda: np.zeros(0, int))
    columns: np.ndarray = field(default_factory=lambda: np.zeros(0, int))
    levels: list[Image] = field(default_factory=list)

    def level(self, scale: float) -> tuple[Image, float]:
        """Return the copy to draw from at `scale`, and how many times smaller it is."""
        if not self.levels:
            self.levels.append(self.image)
        wanted = max(0, int(np.floor(np.log2(1.0 / max(scale, 1e-3)) + 0.3)))
        while len(self.levels) <= wanted and min(self.levels[-1].shape[:2]) >= 16:
            last = self.levels[-1]
            half = (last.shape[1] // 2, last.shape[0] // 2)
            self.levels.append(cv2.resize(last, half, interpolation=cv2.INTER_AREA))
        number = min(wanted, len(self.levels) - 1)
        return self.levels[number], self.image.shape[1] / self.levels[number].shape[1]


def quads_of_boxes(boxes: np.ndarray) -> np.ndarray:
    """Return quads (n, 4, 2) of upright boxes x, y, w, h (n, 4)."""
    x, y, w, h = boxes.T
    return np.stack([np.stack(pair, 1) for pair in ((x, y), (x + w, y), (x + w, y + h), (x, y + h))], 1)


def photo_sources(scenes: Sequence[Scene]) -> list[Source]:
    """Return the photographs of laid-out sets."""
    sources = []
    for scene in scenes:
        boxes = np.array([box[:4] for box in scene.boxes], np.float64)
        sources.append(
            Source(
                scene.image,
                quads_of_boxes(boxes),
                np.full(len(boxes), FACE_KIND),
                float(np.median(boxes[:, 3])),
                np.array([box.row for box in scene.boxes]),
                np.array([box.col for box in scene.boxes]),
            )
        )
    return sources


def dice_sources(root: Path) -> list[Source]:
    """Return the photographs of dice, each die as an upright box."""
    boxes: dict[str, list[list[float]]] = {}
    with (root / "dice" / "boxes.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            boxes.setdefault(row["file"], []).append([float(row[key]) for key in "xywh"])
    sources = []
    for name, rows in sorted(boxes.items()):
        image = cv2.imread(str(root / "dice" / name))
        array = np.array(rows)
        kinds = np.full(len(array), DIE_KIND)
        sources.append(Source(image, quads_of_boxes(array), kinds, 2.2 * float(np.median(array[:, 2:]))))
    return sources


def twin_sources(path: Path) -> list[Source]:
    """Return the packed tables of the twin, see `pack`."""
    data = np.load(path, allow_pickle=True)
    quads, kinds, table = data["quads"], data["kinds"], data["table"]
    return [
        Source(
            cv2.imdecode(packed, cv2.IMREAD_COLOR), quads[table == number], kinds[table == number], TILE_PX
        )
        for number, packed in enumerate(data["jpeg"])
    ]


def length_px(rng: np.random.Generator) -> float:
    """Return a long side: near `TILE_PX` most often, any size else."""
    if rng.random() < 0.6:
        return float(np.clip(TILE_PX * np.exp(rng.normal(0, 0.22)), *LENGTHS_PX))
    return float(np.exp(rng.uniform(*np.log(LENGTHS_PX))))


def window(rng: np.random.Generator, source: Source, turn_deg: float, length: float, cut: bool) -> Picture:
    """Return a window of a picture, turned, scaled to tiles `length` long, slightly in perspective.

    Args:
        cut: show only some rows and columns of the laid-out grid, on another ground.
    """
    keep = np.array([0.0, 0.0, source.image.shape[1], source.image.shape[0]])
    chosen = np.arange(len(source.quads))
    if cut and len(source.rows):
        keep, chosen = _cut_out(rng, source)
    scale = length / source.tile_px
    at = keep[:2] + (keep[2:] - keep[:2]) * rng.random(2)
    if len(chosen) and rng.random() < 0.9:
        at = source.quads[chosen[int(rng.integers(len(chosen)))]].mean(0)
    corners = quads_of_boxes(np.array([[*keep[:2], *(keep[2:] - keep[:2])]]))[0]
    to_window = _view(rng, at, turn_deg, scale, corners)
    image, smaller = source.level(scale)
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])  # OpenCV counts from the middle of a pixel
    matrix = np.linalg.inv(half) @ to_window @ np.diag([smaller, smaller, 1.0]) @ half
    drawn = cv2.warpPerspective(image, matrix, (SIZE, SIZE), borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros((SIZE, SIZE), np.uint8)
    edge = cv2.perspectiveTransform(corners[None], to_window)[0]
    cv2.fillConvexPoly(mask, np.round((edge - 0.5) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    if mask.min() < 255:
        drawn = blend(ground(rng, SIZE, SIZE), drawn, mask)
    places = _places(source, to_window, keep)
    return Picture(worn(light(drawn, rng, 1.3), rng), places)


def _cut_out(rng: np.random.Generator, source: Source) -> tuple[np.ndarray, np.ndarray]:
    """Return the rectangle of some rows and columns of the grid, and which quads lie in them."""
    lines = sorted(set(source.rows.tolist()))
    first = int(rng.integers(len(lines)))
    last = min(len(lines), first + int(rng.choice((1, 1, 1, 2, 4))))
    picked = np.isin(source.rows, lines[first:last])
    places = sorted(set(source.columns[picked].tolist()))
    left = int(rng.integers(len(places))) if rng.random() < 0.5 else 0
    right = int(rng.integers(left, len(places))) + 1 if rng.random() < 0.5 else len(places)
    picked &= np.isin(source.columns, places[left:right])
    if not picked.any():
        return np.array([0.0, 0.0, source.image.shape[1], source.image.shape[0]]), np.arange(
            len(source.quads)
        )
    corners = source.quads[picked].reshape(-1, 2)
    return np.concatenate([corners.min(0), corners.max(0)]), np.nonzero(picked)[0]


def _view(
    rng: np.random.Generator, at: np.ndarray, turn_deg: float, scale: float, corners: np.ndarray
) -> np.ndarray:
    """Return the 3x3 matrix from the picture to the window; `at` comes to lie near the middle, and no
    corner (4, 2) of what is shown behind the camera."""
    c, s = np.cos(np.radians(turn_deg)) * scale, np.sin(np.radians(turn_deg)) * scale
    squash = np.eye(3)
    if rng.random() < 0.35:  # a camera that does not look straight down
        squash[0, 0], squash[1, 1] = np.exp(rng.normal(0, 0.09, 2))
        squash[0, 1] = float(rng.normal(0, 0.04))
        lean = rng.normal(0, 0.0005, 2)
        spread = (corners - at) @ np.array([[c, -s], [s, c]])
        nearest = 1.0 + float((spread @ lean).min())
        squash[2, :2] = lean * min(1.0, 0.5 / max(1.0 - nearest, 1e-6))
    middle = SIZE / 2 + rng.uniform(-0.35, 0.35, 2) * SIZE
    move = np.array([[1, 0, middle[0]], [0, 1, middle[1]], [0, 0, 1.0]])
    spin = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1.0]])
    return move @ squash @ spin @ np.array([[1, 0, -at[0]], [0, 1, -at[1]], [0, 0, 1.0]])


def _places(source: Source, to_window: np.ndarray, keep: np.ndarray) -> np.ndarray:
    if not len(source.quads):
        return np.zeros((0, 7), np.float32)
    shown = _part_inside(source.quads, keep)
    quads = cv2.perspectiveTransform(source.quads.reshape(1, -1, 2), to_window).reshape(-1, 4, 2)
    shown = shown * _part_inside(quads, np.array([0.0, 0.0, SIZE, SIZE]))
    rows = [
        (*place_of(quad), kind, part)
        for quad, kind, part in zip(quads, source.kinds, shown, strict=True)
        if part > VAGUE / 2
    ]
    return np.array(rows, np.float32).reshape(-1, 7)


def _part_inside(quads: np.ndarray, room: np.ndarray) -> np.ndarray:
    """Return which part of each quad's upright frame lies in a room (left, top, right, bottom)."""
    low, high = quads.min(1), quads.max(1)
    inner = np.clip(np.minimum(high, room[2:]) - np.maximum(low, room[:2]), 0, None)
    return inner.prod(1) / np.maximum((high - low).prod(1), 1e-6)


class Windows:
    """Draws windows from all sources; a source may be empty.

    Args:
        cabinet: sets of single tiles for composed scenes.
    """

    def __init__(
        self, cabinet: Cabinet, photos: Sequence[Source], twin: Sequence[Source], dice: Sequence[Source]
    ) -> None:
        self.cabinet = cabinet
        self.photos, self.twin, self.dice = photos, twin, dice
        shares = np.array([0.53, 0.25 * bool(photos), 0.12 * bool(twin), 0.10 * bool(dice)])
        self._chances = shares / shares.sum()

    def draw(self, rng: np.random.Generator) -> Picture:
        """Return a window (SIZE, SIZE, 3) with its places."""
        kind = int(rng.choice(4, p=self._chances))
        if kind == 0:
            return compose(rng, self.cabinet.draw(rng), (SIZE, SIZE), length_px(rng))
        if kind == 1:
            turn = float(rng.normal(0, 3)) if rng.random() < 0.5 else float(rng.uniform(0, 360))
            source = self.photos[int(rng.integers(len(self.photos)))]
            return window(rng, source, turn, length_px(rng), cut=bool(rng.random() < 0.55))
        if kind == 2:
            source = self.twin[int(rng.integers(len(self.twin)))]
            turn = float(rng.choice((0, 90, 180, 270))) + float(rng.normal(0, 8))
            length = float(np.clip(TILE_PX * np.exp(rng.normal(0, 0.15)), 20, 80))
            return window(rng, source, turn, length, cut=False)
        source = self.dice[int(rng.integers(len(self.dice)))]
        return window(rng, source, float(rng.normal(0, 8)), float(rng.uniform(30, 130)), cut=False)


def targets(places: np.ndarray, size: int = SIZE) -> dict[str, np.ndarray]:
    """Return what the net is asked for: heat (4, n, n), extra (6, n, n), their weight (n, n), the weight of
    the axis (n, n) and where heat is not asked for (n, n), for n = size / STRIDE."""
    cells = size // STRIDE
    heat = np.zeros((KINDS, cells, cells), np.float32)
    extra = np.zeros((EXTRAS, cells, cells), np.float32)
    weight, axis_weight = np.zeros((cells, cells), np.float32), np.zeros((cells, cells), np.float32)
    asked = np.ones((cells, cells), np.float32)
    grid = np.arange(cells, dtype=np.float32)
    # the clearest last, so that theirs are the cells that two places share
    for x, y, w, h, axis, kind, shown in sorted(places.tolist(), key=lambda row: row[6]):
        column, row = x / STRIDE - 0.5, y / STRIDE - 0.5
        c, r = round(column), round(row)
        if shown < CLEAR:
            if shown >= VAGUE:
                reach = 0.35 * min(w, h) / STRIDE
                near = (grid[None, :] - column) ** 2 + (grid[:, None] - row) ** 2 <= reach**2
                asked[near] = 0.0
            continue
        if not (0 <= c < cells and 0 <= r < cells):
            continue
        wide = 2.0 * float(np.clip(0.13 * np.sqrt(w * h) / STRIDE, 0.7, 3.5)) ** 2
        bell = np.exp(-((grid - r) ** 2) / wide)[:, None] * np.exp(-((grid - c) ** 2) / wide)[None, :]
        np.maximum(heat[int(kind)], bell, out=heat[int(kind)])
        turn = np.radians(2 * axis)
        size_logs = (np.log(w / TILE_SIZE[0]), np.log(h / TILE_SIZE[1]))
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                v, u = r + dr, c + dc
                share = 1.0 if dr == dc == 0 else 0.4
                if 0 <= v < cells and 0 <= u < cells and weight[v, u] <= share:
                    extra[:, v, u] = (column - u, row - v, *size_logs, np.cos(turn), np.sin(turn))
                    weight[v, u] = share
                    axis_weight[v, u] = 0.0 if kind == DIE_KIND else share
    return {"heat": heat, "extra": extra, "weight": weight, "axis": axis_weight, "asked": asked}


def again(picture: Picture, rng: np.random.Generator) -> Picture:
    """Return the picture turned by a quarter or mirrored, in other colours: a second window for a tenth of
    the work.

    A mirrored print is no tile's, but where a tile lies does not depend on its print.
    """
    image, places = picture.image, picture.places.copy()
    size = image.shape[0]
    for _ in range(int(rng.integers(0, 4))):
        image = np.rot90(image)
        places[:, :2] = np.stack([places[:, 1], size - places[:, 0]], 1)
        places[:, 4] = (places[:, 4] + 90.0) % 180.0
    if rng.random() < 0.5:
        image = image[:, ::-1]
        places[:, 0] = size - places[:, 0]
        places[:, 4] = -places[:, 4] % 180.0
    if rng.random() < 0.3:
        image = image[..., rng.permutation(3)]
    if rng.random() < 0.04:
        image = 255 - image
    gain = np.exp(rng.normal(0, 0.2) + rng.normal(0, 0.06, 3))
    return Picture(np.clip(image * gain, 0, 255).astype(np.uint8), places)


def batch(windows: Windows, rng: np.random.Generator, count: int) -> dict[str, np.ndarray]:
    """Return `count` windows as arrays: image (n, SIZE, SIZE, 3) uint8 and the targets; every second one is
    another one seen `again`."""
    pictures: list[Picture] = []
    while len(pictures) < count:
        picture = windows.draw(rng)
        pictures += [picture, again(picture, rng)]
    asked = [targets(picture.places) for picture in pictures[:count]]
    stacked = {key: np.stack([one[key] for one in asked]) for key in asked[0]}
    return {"image": np.stack([picture.image for picture in pictures[:count]]), **stacked}


def pack(folders: Sequence[Path], path: Path, most: int) -> int:
    """Write the twin's tables seen from above at 1 px/mm, as JPEG, with the quads of tiles and dice; return
    how many."""
    from vision.calibration import calibrate
    from vision.errors import MarksNotFound
    from vision.table import Zone

    area = Zone(-460.0, 460.0, -460.0, 460.0)
    jpegs, quads, kinds, tables = [], [], [], []
    for folder in folders:
        for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if len(jpegs) >= most or (row["kind"] == "empty" and len(jpegs) % 4):
                continue
            image = cv2.imread(str(folder / row["file"]))
            try:
                calibration = calibrate(image)
            except MarksNotFound:
                continue
            table = calibration.rectify(image, 1, area, 1.0, 22.0)
            inverse = np.linalg.inv(calibration.view(1, area, 1.0, 22.0))
            jpegs.append(cv2.imencode(".jpg", table, [cv2.IMWRITE_JPEG_QUALITY, 93])[1])
            for quad, kind in _labels(row):
                points = calibration.straight(np.array(quad, np.float64))
                quads.append(cv2.perspectiveTransform(points[None], inverse)[0])
                kinds.append(kind)
                tables.append(len(jpegs) - 1)
    packed = np.empty(len(jpegs), object)
    packed[:] = jpegs
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, jpeg=packed, quads=np.array(quads), kinds=np.array(kinds), table=np.array(tables))
    return len(jpegs)


def _labels(row: dict) -> list[tuple[list, int]]:
    """Return quads and kinds of a frame's tiles that nothing covers, and of its dice."""
    upper = [(tile["x_mm"], tile["y_mm"]) for tile in row["tiles"] if tile["layer"] == 1]
    found = [(die["quad"], DIE_KIND) for die in row["dice"]]
    for tile in row["tiles"]:
        if tile["layer"] == 0 and any(np.hypot(tile["x_mm"] - x, tile["y_mm"] - y) < 12 for x, y in upper):
            continue
        kind = {"side": STANDING_KIND, "back": BACK_KIND}.get(tile["face"], FACE_KIND)
        found.append((tile["quad"], kind))
    return found


def collect(data: Path, sets: frozenset[str], cabinet: Cabinet, twin: Path | None) -> Windows:
    """Return the windows for a fold: photographs of the given sets only."""
    photos = photo_sources(Photos(data).scenes(sets))
    return Windows(cabinet, photos, twin_sources(twin) if twin else [], dice_sources(data))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--most", type=int, default=240)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    print(pack(options.frames, options.out, options.most), "tables packed")


if __name__ == "__main__":
    main()
