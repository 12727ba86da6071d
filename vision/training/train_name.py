"""The namer: faces of upright crops. `python -m vision.training.train_name --data DIR --out DIR`."""

from __future__ import annotations

import time

import cv2
import numpy as np
import torch
from torch.nn import functional

from vision.tiles import CLASSES, CROP_MARGIN, CROP_PX

from .augment import light, tensor
from .loop import Loop, options_of
from .nets import Namer, write_onnx
from .prepare import PX_PER_MM, RIM_PX

UNSURE_TURN = {CLASSES.index(face) for face in ("back", "unknown")}
PHOTO_SHARE = 0.3


class Crops:
    """Crops with jitter of place, turn and size, half of them upside down."""

    def __init__(self, path, rng: np.random.Generator, hold_set: str | None = None) -> None:
        data = np.load(path, allow_pickle=True)
        self.rng = rng
        self.crops, self.labels = data["crop"], data["label"]
        used = data["photo_set"] != hold_set if hold_set else np.ones(len(data["photo"]), bool)
        self.photos, self.photo_labels = data["photo"][used], data["photo_label"][used]
        self.photo_turned = data["photo_set"][used] == "s01"
        self.by_class = [np.nonzero(self.labels == index)[0] for index in range(len(CLASSES))]

    def draw(self) -> tuple[np.ndarray, int, float]:
        """Return a crop, its class, and 1 = upside down, 0 = upright, -1 = not known."""
        rng = self.rng
        if len(self.photos) and rng.random() < PHOTO_SHARE:
            number = int(rng.integers(len(self.photos)))
            image, label = self.photos[number], int(self.photo_labels[number])
            image = image[..., rng.permutation(3)] if rng.random() < 0.08 else image
            known = not self.photo_turned[number]
        else:
            label = int(rng.integers(len(CLASSES))) if rng.random() < 0.9 else len(CLASSES) - 1
            pool = self.by_class[label]
            number = int(pool[int(rng.integers(len(pool)))])
            image, known = self.crops[number], True
        turned = bool(rng.random() < 0.5)
        window = jittered(image, rng, 180.0 if turned else 0.0)
        turn = -1.0 if not known or label in UNSURE_TURN else float(turned)
        return light(window, rng), label, turn


def jittered(image: np.ndarray, rng: np.random.Generator | None, turn_deg: float = 0.0) -> np.ndarray:
    """Return the crop that the namer sees out of a stored one, moved a little; rng None = exactly."""
    dx, dy, spin, grow_x, grow_y = 0.0, 0.0, 0.0, 1.0, 1.0
    if rng is not None:
        dx, dy = rng.normal(0, 1.1, 2) * PX_PER_MM
        spin = float(rng.normal(0, 2.2))
        grow = float(np.exp(rng.normal(0, 0.035)))
        grow_x, grow_y = grow * float(np.exp(rng.normal(0, 0.02))), grow
    width, height = 30.0 * PX_PER_MM * (1 + 2 * CROP_MARGIN), 40.0 * PX_PER_MM * (1 + 2 * CROP_MARGIN)
    turn = np.radians(turn_deg + spin)
    sx, sy = width / CROP_PX[0] * grow_x, height / CROP_PX[1] * grow_y
    c, s = np.cos(turn), np.sin(turn)
    matrix = np.array([[c * sx, s * sy, 0.0], [-s * sx, c * sy, 0.0]])
    matrix[:, 2] = np.array([RIM_PX[0] / 2 + dx, RIM_PX[1] / 2 + dy]) - matrix[:, :2] @ (
        np.array(CROP_PX) / 2
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(image, matrix, CROP_PX, flags=flags, borderMode=cv2.BORDER_REPLICATE)


def main() -> None:
    options = options_of(__doc__, steps=1500)
    loop = Loop(options, "name")
    crops = Crops(options.data / "name.npz", loop.rng)
    net = loop.resume(Namer(len(CLASSES)))
    count = len(CLASSES)
    for step in loop.steps(net, rate=3e-3):
        drawn = [crops.draw() for _ in range(96)]
        labels = torch.tensor([label for _, label, _ in drawn])
        turns = torch.tensor([turn for _, _, turn in drawn])
        answer = net(torch.from_numpy(tensor([image for image, _, _ in drawn])))
        named = functional.cross_entropy(answer[:, :count], labels, label_smoothing=0.02)
        known = turns >= 0
        turned = functional.binary_cross_entropy_with_logits(answer[known, count], turns[known])
        loop.learn(step, named + 0.15 * turned, {"named": named, "turned": turned})
    write_onnx(net, options.out / "name.onnx", CROP_PX[1], CROP_PX[0], free=("n",))
    print("name.onnx", (options.out / "name.onnx").stat().st_size, f"{time.process_time():.0f} s cpu")


if __name__ == "__main__":
    main()
