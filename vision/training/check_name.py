"""How sure and how right the namer is on held-out crops; writes the cooling that makes its chances honest.

python -m vision.training.check_name --data DIR --net CHECKPOINT --out FILE.onnx
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import torch

from vision.tiles import CLASSES, CROP_PX, UNKNOWN

from .augment import light, tensor
from .nets import Namer, write_onnx
from .train_name import jittered

LEAST_COOLING, MOST_COOLING = 0.4, 1.0
"""Chances are never sharpened: on rendered frames alone a factor of 1.9 would fit best, but a real table will
be harder than they are, and too little confidence is the safe side."""


def logits_of(net: Namer, crops: list[np.ndarray]) -> torch.Tensor:
    with torch.no_grad():
        return torch.cat(
            [net(torch.from_numpy(tensor(crops[at : at + 256]))) for at in range(0, len(crops), 256)]
        )


def both_views(net: Namer, crops: list[np.ndarray], count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean log chances of upright and upside-down views, and the share of right turns."""
    up = logits_of(net, crops)
    down = logits_of(net, [np.ascontiguousarray(crop[::-1, ::-1]) for crop in crops])
    return np.stack([up[:, :count].numpy(), down[:, :count].numpy()]), (up[:, count] - down[:, count]).numpy()


def chances(views: np.ndarray, cooling: float) -> np.ndarray:
    logs = torch.log_softmax(torch.from_numpy(views) * cooling, -1).mean(0)
    return torch.softmax(logs, -1).numpy()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--net", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--repeats", type=int, default=2)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    net = Namer(len(CLASSES))
    net.load_state_dict(torch.load(options.net, weights_only=True)["net"])
    net.eval()
    net.cooling.fill_(1.0)
    data = np.load(options.data / "name.npz", allow_pickle=True)
    rng = np.random.default_rng(7)
    real = data["label"] != CLASSES.index(UNKNOWN)
    plain = [jittered(crop, None) for crop in data["crop"][real]]
    hard = [light(jittered(crop, rng), rng) for _ in range(options.repeats) for crop in data["crop"][real]]
    labels = data["label"][real]
    truth = np.concatenate([labels] * (options.repeats + 1))
    views, flips = both_views(net, plain + hard, len(CLASSES))
    rows = np.arange(len(truth))
    costs = {
        cooling: -np.log(chances(views, cooling)[rows, truth] + 1e-9).mean()
        for cooling in np.linspace(LEAST_COOLING, MOST_COOLING, 21)
    }
    cooling = min(costs, key=costs.__getitem__)
    sure = chances(views, cooling)
    best = sure.argmax(1)
    for name, part in (("frames", slice(0, len(plain))), ("worse light", slice(len(plain), None))):
        right = best[part] == truth[part]
        score = sure[part].max(1)
        print(f"{name}: {right.mean():.5f} right of {right.size}, cooling {cooling:.2f}")
        for least in (0.5, 0.7, 0.8, 0.9, 0.95):
            answered = score >= least
            wrong = int((answered & ~right).sum())
            print(
                f"  >= {least}: {answered.mean():.4f} answered, {wrong} wrong ({wrong / answered.sum():.5f})"
            )
        for at in np.nonzero(~right)[0][:12]:
            print("  ", CLASSES[truth[part][at]], "->", CLASSES[best[part][at]], f"{score[at]:.3f}")
    print("turns told right:", float((flips[: len(plain)] < 0).mean()))
    other = data["crop"][~real]
    odd = chances(both_views(net, [jittered(crop, None) for crop in other], len(CLASSES))[0], cooling)
    faces = odd[:, :42].max(1)
    sure_of = {least: int((faces >= least).sum()) for least in (0.8, 0.9)}
    print(f"no tile: {len(other)}, named as a face at least this sure: {sure_of}")
    if options.out:
        net.cooling[: len(CLASSES)] = cooling
        write_onnx(net, options.out, CROP_PX[1], CROP_PX[0], free=("n",))


if __name__ == "__main__":
    main()
