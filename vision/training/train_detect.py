"""The finder of free pictures, trained without the sets of one fold.

    python -m vision.training.train_detect --fold N|final --data ../shared/data --out .deps/train/folds/N

Writes detect.pt (resumes from it) and detect.onnx. Pictures are made by processes of their own; batch i
depends on seed and i alone.
"""

from __future__ import annotations

import argparse
import multiprocessing as mp
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch

from .data import Photos
from .finder import Detector, losses
from .folds import trained_on
from .loop import Loop
from .nets import write_onnx
from .tops import Cabinet, from_crops, load_sets, rendered, save_sets
from .windows import SIZE, STRIDE, TILE_PX, Windows, batch, collect

STYLES = 60
STYLE_SEED = 20_000
STEPS, BATCH, RATE = 1400, 16, 4e-3
AHEAD = 4
"""Batches that lie ready."""


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fold", required=True, help="0-4: leave out the sets of this fold; final: use all")
    parser.add_argument("--data", type=Path, required=True, help="folder of the shared photographs")
    parser.add_argument("--out", type=Path, required=True, help="folder for checkpoint and ONNX")
    parser.add_argument("--cache", type=Path, default=Path(".deps/train"), help="styles.npz and twin.npz")
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--batch", type=int, default=BATCH)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--makers", type=int, default=1, help="processes that make pictures")
    parser.add_argument("--start", type=Path, help="checkpoint whose weights to begin with")
    return parser.parse_args()


def windows_for(given: argparse.Namespace) -> Windows:
    """Return the pictures of a fold; drawn styles are made once and kept in the cache."""
    sets = trained_on(None if given.fold == "final" else int(given.fold))
    styles = given.cache / "styles.npz"
    if not styles.exists():
        save_sets(styles, rendered(STYLES, STYLE_SEED))
    real = from_crops(Photos(given.data).crops(sets))
    drawn = load_sets(styles)
    # as many scenes of photographed sets as of drawn ones
    real = [type(one)(one.name, one.faces, len(drawn) / len(real)) for one in real]
    twin = given.cache / "twin.npz"
    return collect(given.data, sets, Cabinet([*real, *drawn]), twin if twin.exists() else None)


def _maker(given: argparse.Namespace, first: int, every: int, queue: mp.Queue) -> None:
    cv2.setNumThreads(1)
    windows = windows_for(given)
    for number in range(first, given.steps, every):
        queue.put(batch(windows, np.random.default_rng([given.seed, number]), given.batch))


def batches(given: argparse.Namespace, first: int) -> Iterator[dict[str, np.ndarray]]:
    """Yield the batches from number `first` on, in order, made by `makers` processes."""
    context = mp.get_context("spawn")
    queues = [context.Queue(AHEAD) for _ in range(given.makers)]
    makers = [
        context.Process(target=_maker, args=(given, first + at, given.makers, queue), daemon=True)
        for at, queue in enumerate(queues)
    ]
    for maker in makers:
        maker.start()
    for number in range(first, given.steps):
        yield queues[(number - first) % given.makers].get(timeout=600)
    for maker in makers:
        maker.join()


def tensors(made: dict[str, np.ndarray]) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """Return the pictures (n, 3, h, w) RGB 0..1 and the targets."""
    image = torch.from_numpy(made.pop("image")[..., ::-1].copy()).permute(0, 3, 1, 2)
    image = image.to(torch.float32).div_(255.0).contiguous(memory_format=torch.channels_last)
    return image, {key: torch.from_numpy(value) for key, value in made.items()}


def main() -> None:
    given = options()
    if not (given.cache / "styles.npz").exists():
        windows_for(given)  # before any process needs it
    loop = Loop(given, "detect", ema=0.995)
    net = loop.resume(Detector())
    ready = batches(given, loop.first)
    for step in loop.steps(net, rate=RATE):
        image, asked = tensors(next(ready))
        with loop.autocast():
            answer = net(image)
        parts = losses(answer, asked)
        loop.learn(step, sum(parts.values()), parts)  # type: ignore[arg-type]
    sets = trained_on(None if given.fold == "final" else int(given.fold))
    metadata = {
        "stride": str(STRIDE),
        "tile_px": str(TILE_PX),
        "kinds": "face,back,die,standing",
        "sets": ",".join(sorted(sets)),
    }
    path = given.out / "detect.onnx"
    write_onnx(loop.averaged.float(), path, SIZE, SIZE, free=("n", "h", "w"), metadata=metadata)
    print("detect.onnx", path.stat().st_size, "bytes", f"{time.process_time():.0f} s cpu")


if __name__ == "__main__":
    main()
