"""The finder: places of tiles on pictures of 1 px per mm. `python -m vision.training.train_find --data
DIR`."""

from __future__ import annotations

import time

import cv2
import numpy as np
import torch
from torch.nn import functional

from vision.finder import STRIDE

from .augment import light, tensor
from .loop import Loop, heat_loss, options_of, splat
from .nets import Spotter, write_onnx

SIZE = 192


class Pictures:
    """Random windows of tables (and of photographs of laid-out sets) with their tiles."""

    def __init__(self, path, rng: np.random.Generator) -> None:
        data = np.load(path, allow_pickle=True)
        self.rng = rng
        self.tables, self.scenes = data["table"], data["scene"]
        self.tiles = _by_picture(data["tiles"], len(self.tables))
        self.scene_tiles = _by_picture(data["scene_tiles"], len(self.scenes))

    def draw(self) -> tuple[np.ndarray, np.ndarray]:
        """Return one picture (SIZE, SIZE, 3) and its rows (x, y, axis_deg, kind) in the picture's
        pixels."""
        rng = self.rng
        photo = len(self.scenes) and rng.random() < 0.15
        number = int(rng.integers(len(self.scenes) if photo else len(self.tables)))
        image = self.scenes[number] if photo else self.tables[number]
        tiles = self.scene_tiles[number] if photo else self.tiles[number]
        height, width = image.shape[:2]
        if len(tiles) and rng.random() < 0.85:
            x, y = tiles[int(rng.integers(len(tiles))), :2] + rng.uniform(-70, 70, 2)
        else:
            x, y = rng.uniform(0, width), rng.uniform(0, height)
        turn = float(rng.choice((0, 90, 180, 270))) + (
            float(rng.uniform(-45, 45)) if rng.random() < 0.3 else float(rng.normal(0, 2))
        )
        scale = float(np.exp(rng.normal(0, 0.05 if not photo else 0.12)))
        matrix = cv2.getRotationMatrix2D((float(x), float(y)), turn, scale)
        matrix[:, 2] += SIZE / 2 - np.array([x, y])
        window = cv2.warpAffine(
            image, matrix, (SIZE, SIZE), borderMode=cv2.BORDER_REFLECT_101 if photo else 0
        )
        places = tiles.copy()
        places[:, :2] = tiles[:, :2] @ matrix[:, :2].T + matrix[:, 2]
        places[:, 2] = (tiles[:, 2] + turn) % 180.0
        if photo:  # the mirrored rim shows tiles without labels: cover it
            inside = cv2.warpAffine(np.ones((height, width), np.uint8), matrix, (SIZE, SIZE))
            window[inside == 0] = rng.integers(0, 160, 3)
        return light(window, rng, 1.2), places


def _by_picture(rows: np.ndarray, count: int) -> list[np.ndarray]:
    return [
        rows[rows[:, 0] == number][:, 1:] if len(rows) else np.zeros((0, 4), np.float32)
        for number in range(count)
    ]


def targets(places: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return heat (3, n, n), known values (4, n, n) and their weight (n, n) for a window."""
    cells = SIZE // STRIDE
    heat, extra, weight = (
        np.zeros((3, cells, cells), np.float32),
        np.zeros((4, cells, cells), np.float32),
        None,
    )
    weight = np.zeros((cells, cells), np.float32)
    for x, y, axis, kind in places:
        column, row = x / STRIDE - 0.5, y / STRIDE - 0.5
        splat(heat[int(kind)], column, row, 1.2)
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                r, c = round(row) + dr, round(column) + dc
                if 0 <= r < cells and 0 <= c < cells:
                    turn = np.radians(2 * axis)
                    extra[:, r, c] = (column - c, row - r, np.cos(turn), np.sin(turn))
                    weight[r, c] = 1.0 if dr == dc == 0 else max(weight[r, c], 0.4)
    return heat, extra, weight


def main() -> None:
    options = options_of(__doc__, steps=1500)
    loop = Loop(options, "find")
    net = loop.resume(Spotter(3, 4))
    pictures = Pictures(options.data / "find.npz", loop.rng)
    for step in loop.steps(net, rate=3e-3):
        drawn = [pictures.draw() for _ in range(12)]
        heats, extras, weights = (
            torch.from_numpy(np.stack(part)) for part in zip(*(targets(p) for _, p in drawn), strict=True)
        )
        answer = net(torch.from_numpy(tensor([image for image, _ in drawn])))
        found = heat_loss(answer[:, :3], heats)
        offset = functional.smooth_l1_loss(answer[:, 3:], extras, reduction="none", beta=0.2)
        known = (offset * weights[:, None]).sum() / weights.sum().clamp(min=1)
        loop.learn(step, found + known, {"found": found, "known": known})
    write_onnx(net, options.out / "find.onnx", SIZE, SIZE, free=("n", "h", "w"))
    print("find.onnx", (options.out / "find.onnx").stat().st_size, f"{time.process_time():.0f} s cpu")


if __name__ == "__main__":
    main()
