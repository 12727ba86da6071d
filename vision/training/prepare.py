"""Training arrays from rendered frames (the twin's `samples`) and from the photographs of the shared data.

    python -m vision.training.prepare --frames DIR... --data DIR --out DIR

Writes find.npz (tables from above and their tiles), name.npz (crops with a rim to jitter in), dice.npz.
Nothing here goes into git: the photographs may be used for training and tests only.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np

from vision.calibration import calibrate
from vision.dice import DICE_PX_PER_MM, DIE_PX
from vision.errors import MarksNotFound
from vision.table import Zone
from vision.tiles import CLASSES, UNKNOWN

TABLE = Zone(-460.0, 460.0, -460.0, 460.0)
WELL = Zone(-80.0, 80.0, -80.0, 80.0)
RIM_PX = (80, 100)
"""Width and height of a stored crop: 50 x 62.5 mm at 1.6 px per mm, tile in the middle, upright."""
PX_PER_MM = 1.6
X_CLASS = CLASSES.index(UNKNOWN)


def _in_view(quad: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    return cv2.perspectiveTransform(quad[None].astype(np.float64), np.linalg.inv(matrix))[0]


def _rim_crop(
    image: np.ndarray, matrix: np.ndarray, x: float, y: float, up_deg: float, mm: float = 1.0
) -> np.ndarray:
    """Return the stored crop around (x, y) of a rectified picture with `mm` pixels per mm."""
    turn = math.radians(up_deg)
    c, s, k = math.cos(turn), math.sin(turn), mm / PX_PER_MM
    to_view = np.array([[c * k, s * k, x], [-s * k, c * k, y], [0, 0, 1.0]])
    to_view = to_view @ np.array([[1, 0, -RIM_PX[0] / 2], [0, 1, -RIM_PX[1] / 2], [0, 0, 1.0]])
    return cv2.warpPerspective(
        image,
        matrix @ to_view,
        RIM_PX,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )


def from_frames(folders: list[Path], rng: np.random.Generator) -> dict[str, list]:
    out: dict[str, list] = defaultdict(list)
    for folder in folders:
        for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            image = cv2.imread(str(folder / row["file"]))
            try:
                calibration = calibrate(image)
            except MarksNotFound as error:
                print("skipped", folder.name, row["file"], error)
                continue
            _add_dice(out, image, calibration, row)
            if row["kind"] == "empty" and rng.random() < 0.9:
                continue
            _add_tiles(out, image, calibration, row, rng)
    return out


def _add_dice(out: dict[str, list], image: np.ndarray, calibration, row: dict) -> None:
    matrix = calibration.view(1, WELL, DICE_PX_PER_MM, 20.0)  # to straight pixels
    out["well"].append(calibration.rectify(image, 1, WELL, DICE_PX_PER_MM, 20.0))
    for die in row["dice"]:
        x, y = _in_view(calibration.straight(np.array(die["quad"])), matrix).mean(axis=0)
        out["well_dice"].append((len(out["well"]) - 1, x, y, die["pips"]))


def _add_tiles(
    out: dict[str, list], image: np.ndarray, calibration, row: dict, rng: np.random.Generator
) -> None:
    matrix = calibration.view(1, TABLE, 1.0, 22.0)  # to straight pixels

    def crop(x: float, y: float, up_deg: float) -> np.ndarray:
        return _rim_crop(image, calibration.view_at(1, TABLE, 1.0, 22.0, (x, y)), x, y, up_deg)

    out["table"].append(calibration.rectify(image, 1, TABLE, 1.0, 22.0))
    number = len(out["table"]) - 1
    upper = [(t["x_mm"], t["y_mm"]) for t in row["tiles"] if t["layer"] == 1]
    for tile in row["tiles"]:
        covered = tile["layer"] == 0 and any(
            math.hypot(tile["x_mm"] - x, tile["y_mm"] - y) < 12 for x, y in upper
        )
        if covered:
            continue
        quad = _in_view(calibration.straight(np.array(tile["quad"])), matrix)
        x, y = quad.mean(axis=0)
        up = quad[:2].mean(axis=0) - quad[2:].mean(axis=0)
        up_deg = math.degrees(math.atan2(-up[0], -up[1]))
        if tile["face"] == "side":
            out["table_tiles"].append((number, x, y, up_deg, 2))
            continue
        is_back = tile["face"] == "back"
        out["table_tiles"].append((number, x, y, up_deg, int(is_back)))
        if not is_back or rng.random() < 0.12:
            out["crop"].append(crop(x, y, up_deg))
            out["crop_class"].append(CLASSES.index(tile["face"]))
        if rng.random() < 0.04:  # something that is no whole tile: between two, or well turned
            if rng.random() < 0.7 or tile["face"] in ("1p", "back"):
                turn = float(rng.uniform(0, 2 * math.pi))
                reach = float(rng.uniform(14, 34))
                spot = (x + reach * math.cos(turn), y + reach * math.sin(turn), up_deg)
            else:
                spot = (x, y, up_deg + float(rng.choice((-1, 1))) * float(rng.uniform(35, 90)))
            out["crop"].append(crop(*spot))
            out["crop_class"].append(X_CLASS)
    for _ in range(2):
        spot = (float(rng.uniform(60, 860)), float(rng.uniform(60, 860)), float(rng.uniform(0, 360)))
        near = [
            t
            for t in out["table_tiles"]
            if t[0] == number and math.hypot(t[1] - spot[0], t[2] - spot[1]) < 22
        ]
        if not near:
            out["crop"].append(crop(*spot))
            out["crop_class"].append(X_CLASS)


def from_photos(data: Path, rng: np.random.Generator) -> dict[str, list]:
    """Return crops and scenes of the shared photographs, in the form of the rendered ones."""
    out: dict[str, list] = defaultdict(list)
    rows = list(csv.DictReader((data / "tiles" / "labels.csv").open(encoding="utf-8")))
    for row in rows:
        image = cv2.imread(str(data / "tiles" / row["file"]))
        tile = cv2.resize(image, (round(30 * PX_PER_MM), round(40 * PX_PER_MM)), interpolation=cv2.INTER_AREA)
        felt = (
            rng.integers(10, 150, 3).tolist()
            if rng.random() < 0.5
            else [int(v) for v in tile[:3].mean(axis=(0, 1))]
        )
        canvas = np.empty((RIM_PX[1], RIM_PX[0], 3), np.uint8)
        canvas[:] = felt
        top, left = (RIM_PX[1] - tile.shape[0]) // 2, (RIM_PX[0] - tile.shape[1]) // 2
        canvas[top : top + tile.shape[0], left : left + tile.shape[1]] = tile
        out["photo"].append(canvas)
        out["photo_class"].append(X_CLASS if row["class"] == "X" else CLASSES.index(row["class"]))
        out["photo_set"].append(row["set"])
    boxes = defaultdict(list)
    for row in csv.DictReader((data / "scenes" / "boxes.csv").open(encoding="utf-8")):
        boxes[row["file"]].append([float(row[key]) for key in "xywh"])
    for name, items in sorted(boxes.items()):
        image = cv2.imread(str(data / "scenes" / name))
        array = np.array(items)
        scale = 40.0 / float(np.median(array[:, 3]))
        out["scene"].append(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
        sx, sy = (out["scene"][-1].shape[1] / image.shape[1], out["scene"][-1].shape[0] / image.shape[0])
        for x, y, w, h in array:
            out["scene_tiles"].append((len(out["scene"]) - 1, (x + w / 2) * sx, (y + h / 2) * sy, 0.0, 0))
    boxes = defaultdict(list)
    for row in csv.DictReader((data / "dice" / "boxes.csv").open(encoding="utf-8")):
        boxes[row["file"]].append([float(row[key]) for key in "xywh"] + [int(row["pips"])])
    for name, items in sorted(boxes.items()):
        image = cv2.imread(str(data / "dice" / name))
        array = np.array(items)
        scale = DIE_PX * 1.15 / float(np.median(array[:, 2:4]))  # boxes hold a turned die and its side
        out["tray"].append(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR))
        for x, y, w, h, pips in array:
            out["tray_dice"].append((len(out["tray"]) - 1, (x + w / 2) * scale, (y + h / 2) * scale, pips))
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=Path, nargs="+", required=True)
    parser.add_argument("--data", type=Path, help="shared data folder; left out = rendered pictures only")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    cv2.setNumThreads(1)
    made = from_frames(options.frames, rng)
    photos = from_photos(options.data, rng) if options.data else defaultdict(list)
    options.out.mkdir(parents=True, exist_ok=True)
    pictures = np.empty(len(photos["scene"]), object)
    pictures[:] = photos["scene"]
    np.savez(
        options.out / "find.npz",
        table=np.array(made["table"]),
        tiles=np.array(made["table_tiles"], np.float32),
        scene=pictures,
        scene_tiles=np.array(photos["scene_tiles"], np.float32),
    )
    np.savez(
        options.out / "name.npz",
        crop=np.array(made["crop"]),
        label=np.array(made["crop_class"], np.int64),
        photo=np.array(photos["photo"]),
        photo_label=np.array(photos["photo_class"], np.int64),
        photo_set=np.array(photos["photo_set"]),
    )
    trays = np.empty(len(photos["tray"]), object)
    trays[:] = photos["tray"]
    np.savez(
        options.out / "dice.npz",
        well=np.array(made["well"]),
        dice=np.array(made["well_dice"], np.float32),
        tray=trays,
        tray_dice=np.array(photos["tray_dice"], np.float32),
    )
    print({key: len(value) for key, value in {**made, **photos}.items()})


if __name__ == "__main__":
    main()
