"""Training from end to end: `python -m vision.training.run fold N | final | calibrate | all`.

A fold lies in WORK/folds/N: checkpoints, `name.onnx` and the finder's file, and `name.npz`, its namer's votes
on the sets it never saw. `calibrate` pools these votes: each fold's confidence is set by the other folds, the
final model's by all five. What is done already is not done again; remove a folder to train it anew.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch

from vision.namer import TileNamer
from vision.tiles import CLASSES

from . import shelf as shelves
from .check_name import Votes, honest, judge, pooled, told
from .data import Photos
from .folds import FOLDS, trained_on
from .nets import NAMER_SIZE, Ensemble, Namer, write_onnx
from .quantise import shrink
from .train_name import options_of, train

FRAMES = ("varied", "calm", "empty")
"""Folders of the twin's frames that the namer learns from."""
STYLES = 360
"""Drawn styles on the shelf."""
UNCALIBRATED = (1.0, 0.9)
FINAL = "final"


def fill_shelves(options: argparse.Namespace) -> Path:
    """Make the crops that all folds share; return their folder."""
    folder: Path = options.work / "shelves"
    shelves.fill(
        folder, "photos", shelves.photographed(options.data), shelves.recipe("data", "folds", "shelf")
    )
    frames = [options.work / "frames" / name for name in FRAMES]
    shelves.fill(folder, "twin", shelves.of_twin(frames), shelves.recipe("data", "shelf"))
    made_by = shelves.recipe("data", "shelf")
    shelves.fill(folder, "dice", shelves.of_dice(options.data, frames), made_by)
    made_by = f"{STYLES} {shelves.recipe('art', 'data', 'shelf')}"
    shelves.fill(folder, "art", shelves.drawn(STYLES), made_by)
    return folder


def export(folder: Path, fold: int | None, members: int, calibration: tuple[float, float]) -> None:
    """Write `name.onnx` of the trained members with what its users must know."""
    nets = []
    for number in range(members):
        net = Namer(len(CLASSES))
        net.load_state_dict(torch.load(folder / f"name{number}.pt", weights_only=True)["averaged"])
        nets.append(net.eval())
    cooling, threshold = calibration
    metadata = {
        "crop": f"{NAMER_SIZE[0]}x{NAMER_SIZE[1]}",
        "threshold": f"{threshold:.3f}",
        "temperature": f"{1 / cooling:.3f}",
        "sets": ",".join(sorted(trained_on(fold))),
    }
    whole = Ensemble(nets, cooling).eval()
    path = folder / "name.onnx"
    outputs = ("answer", "features", "place")
    write_onnx(whole, path, *NAMER_SIZE, free=("n",), outputs=outputs, metadata=metadata)


def train_fold(options: argparse.Namespace, fold: int | None) -> None:
    """Train finder and namer of a fold (None = final, on all sets), and judge the namer on unseen sets."""
    started = time.monotonic()
    folder: Path = options.work / "folds" / (FINAL if fold is None else str(fold))
    folder.mkdir(parents=True, exist_ok=True)
    if options.finder:
        _train_finder(options, folder, fold)
    shelf_folder = fill_shelves(options)
    for number in range(options.members):
        wanted = ["--shelves", str(shelf_folder), "--out", str(folder), "--name", f"name{number}"]
        wanted += [
            "--steps",
            str(options.steps),
            "--seed",
            str(1 + number),
            "--threads",
            str(options.threads),
        ]
        train(options_of(wanted + ([] if fold is None else ["--fold", str(fold)])))
    export(folder, fold, options.members, UNCALIBRATED)
    if fold is not None:
        namer = TileNamer(options.threads, models=folder)
        votes = judge(namer, Photos(options.data), fold, UNCALIBRATED[1])
        np.savez(folder / "name.npz", chances=votes.chances, labels=votes.labels, sets=votes.sets)
    print(f"fold {folder.name}: {time.monotonic() - started:.0f} s", flush=True)


def _train_finder(options: argparse.Namespace, folder: Path, fold: int | None) -> None:
    command = [sys.executable, "-m", "vision.training.train_detect", "--data", str(options.data)]
    command += ["--fold", FINAL if fold is None else str(fold), "--out", str(folder)]
    command += ["--cache", str(options.work), "--threads", str(options.threads)]
    subprocess.run(command, check=True)


def calibrate(options: argparse.Namespace) -> None:
    """Give every model its cooling and threshold from votes on sets that the voting models never saw."""
    votes: dict[int, Votes] = {}
    for fold in range(len(FOLDS)):
        path = options.work / "folds" / str(fold) / "name.npz"
        if path.exists():
            votes[fold] = Votes(**np.load(path))
    if len(votes) < 2:
        raise SystemExit("calibration needs the votes of two folds and more")
    for fold in (*votes, None):
        folder = options.work / "folds" / (FINAL if fold is None else str(fold))
        if not (folder / "name0.pt").exists():
            continue
        others = pooled([part for number, part in votes.items() if number != fold])
        cooling, threshold = honest(others)
        export(folder, fold, options.members, (cooling, threshold))
        shrink(folder / "name.onnx", options.data)
        print(f"{folder.name}: cooling {cooling:.3f}, threshold {threshold:.3f}")
        if fold is not None:
            print("   unseen:", told(votes[fold].cooled(cooling), threshold))
    cooling, threshold = honest(pooled(list(votes.values())))
    print("all unseen:", told(pooled(list(votes.values())).cooled(cooling), threshold))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("shelves", "fold", "final", "calibrate", "all"))
    parser.add_argument("number", nargs="?", type=int, choices=range(len(FOLDS)))
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--work", type=Path, default=Path(".deps/train"))
    parser.add_argument("--steps", type=int, default=2800)
    parser.add_argument("--members", type=int, default=1, help="namers whose answers are averaged")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2, help="processes that draw crops; 0 = none beside")
    parser.add_argument("--no-finder", dest="finder", action="store_false")
    parser.add_argument("--install", type=Path, help="folder that the final models are copied to")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    if options.what == "shelves":
        fill_shelves(options)
    elif options.what == "fold":
        if options.number is None:
            parser.error("which fold?")
        train_fold(options, options.number)
    elif options.what == "final":
        train_fold(options, None)
    elif options.what == "calibrate":
        calibrate(options)
    else:
        for fold in (*range(len(FOLDS)), None):
            train_fold(options, fold)
        calibrate(options)
    if options.install:
        for file in sorted((options.work / "folds" / FINAL).glob("*.onnx")):
            shutil.copy2(file, options.install / file.name)


if __name__ == "__main__":
    main()
