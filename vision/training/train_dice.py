"""The dice net: places and pips at once. `python -m vision.training.train_dice --data DIR --out DIR`."""

from __future__ import annotations

import time

import cv2
import numpy as np
import torch
from torch.nn import functional

from vision.dice import STRIDE

from .augment import light, tensor
from .loop import Loop, heat_loss, options_of, splat
from .nets import Spotter, write_onnx

SIZE = 160


class Dice:
    """Random windows of dice wells and of photographs of dice."""

    def __init__(self, path, rng: np.random.Generator) -> None:
        data = np.load(path, allow_pickle=True)
        self.rng = rng
        self.wells, self.trays = data["well"], data["tray"]
        self.dice, self.tray_dice = data["dice"], data["tray_dice"]

    def draw(self) -> tuple[np.ndarray, np.ndarray]:
        rng = self.rng
        photo = len(self.trays) and rng.random() < 0.3
        pictures, rows = (self.trays, self.tray_dice) if photo else (self.wells, self.dice)
        if rng.random() < 0.9:
            pick = rows[int(rng.integers(len(rows)))]
            number, (x, y) = int(pick[0]), pick[1:3] + rng.uniform(-45, 45, 2)
        else:
            number = int(rng.integers(len(pictures)))
            y, x = (float(rng.uniform(0, size)) for size in pictures[number].shape[:2])
        image = pictures[number]
        places = rows[rows[:, 0] == number][:, 1:].copy()
        scale = float(np.exp(rng.normal(0, 0.09)))
        matrix = cv2.getRotationMatrix2D((float(x), float(y)), float(rng.uniform(0, 360)), scale)
        matrix[:, 2] += SIZE / 2 - np.array([x, y])
        window = cv2.warpAffine(image, matrix, (SIZE, SIZE))
        places[:, :2] = places[:, :2] @ matrix[:, :2].T + matrix[:, 2]
        inside = cv2.warpAffine(np.ones(image.shape[:2], np.uint8), matrix, (SIZE, SIZE))
        window[inside == 0] = rng.integers(0, 200, 3)
        return light(window, rng, 1.2), places


def targets(places: np.ndarray) -> tuple[np.ndarray, ...]:
    cells = SIZE // STRIDE
    heat, extra = np.zeros((1, cells, cells), np.float32), np.zeros((2, cells, cells), np.float32)
    weight, pips = np.zeros((cells, cells), np.float32), np.full((cells, cells), -1, np.int64)
    for x, y, number in places:
        column, row = x / STRIDE - 0.5, y / STRIDE - 0.5
        splat(heat[0], column, row, 1.5)
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                r, c = round(row) + dr, round(column) + dc
                if 0 <= r < cells and 0 <= c < cells:
                    extra[:, r, c] = (column - c, row - r)
                    weight[r, c] = 1.0
                    pips[r, c] = int(number) - 1
    return heat, extra, weight, pips


def main() -> None:
    options = options_of(__doc__, steps=900)
    loop = Loop(options, "dice")
    net = loop.resume(Spotter(1, 8))
    dice = Dice(options.data / "dice.npz", loop.rng)
    for step in loop.steps(net, rate=3e-3):
        drawn = [dice.draw() for _ in range(16)]
        heats, extras, weights, pips = (
            torch.from_numpy(np.stack(p)) for p in zip(*(targets(p) for _, p in drawn), strict=True)
        )
        answer = net(torch.from_numpy(tensor([image for image, _ in drawn])))
        found = heat_loss(answer[:, :1], heats)
        offset = functional.smooth_l1_loss(answer[:, 1:3], extras, reduction="none", beta=0.2)
        known = (offset * weights[:, None]).sum() / weights.sum().clamp(min=1)
        named = functional.cross_entropy(answer[:, 3:], pips, ignore_index=-1, label_smoothing=0.02)
        loop.learn(step, found + known + named, {"found": found, "known": known, "named": named})
    write_onnx(net, options.out / "dice.onnx", SIZE, SIZE, free=("n", "h", "w"))
    print("dice.onnx", (options.out / "dice.onnx").stat().st_size, f"{time.process_time():.0f} s cpu")


if __name__ == "__main__":
    main()
