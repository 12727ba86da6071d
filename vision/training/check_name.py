"""How right and how sure a fold's namer is on sets it never saw.

    python -m vision.training.check_name --models .deps/train/folds/1 --fold 1 --data ../shared/data

Writes `name.npz` beside the model: the votes on the unseen crops, which `calibrate` pools over the folds.
Measured through `vision.whole` and `vision.namer`, so it is the shipped path that is judged.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.crops import crop_matrix, cut
from vision.namer import TileNamer
from vision.tiles import CLASSES
from vision.whole import name_whole

from .data import CANVAS_PX, TILE_PX, Crop, Image, Photos, class_of
from .folds import unseen
from .shelf import X_CLASS

ORDINARY = 34
FACES = 42
FELT = (52, 84, 38)
FOUND_ASIDE = (1.4, 1.7, 2.0, 0.035)
"""How far a detector is off: pixels of `TILE_PX` across and down, degrees, logarithm of the size."""
MOST_WRONG = 0.002
"""Of the accepted answers: the goal on photographs that nobody has seen is 0.003."""
MOST_FOREIGN = 0.08
"""Part of the foreign tiles that may be accepted as a face: the goal is 0.10."""
MOST_ACCEPTED = 0.985
"""Part of the faces of unseen sets that may be accepted: the least sure 1.5 % are always asked about.
Sets that a model finds easy say nothing of its errors on the next one, and a wrong answer is worse than
a question."""
LEAST_THRESHOLD, MOST_THRESHOLD = 0.5, 0.995
COOLINGS = np.linspace(0.3, 2.0, 69)


@dataclass(frozen=True)
class Votes:
    """Chances (n, 44) of some crops with their classes and sets."""

    chances: np.ndarray
    labels: np.ndarray
    sets: np.ndarray

    def cooled(self, cooling: float) -> Votes:
        """Return the votes with their log chances multiplied: 1 / temperature."""
        logs = np.log(np.maximum(self.chances, 1e-12)) * cooling
        chances = np.exp(logs - logs.max(1, keepdims=True))
        return Votes(chances / chances.sum(1, keepdims=True), self.labels, self.sets)

    def answers(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the best answer that is a face or a back, and its chance: what threshold 0 gives."""
        known = self.chances[:, :X_CLASS]
        return known.argmax(1), known.max(1)

    def of(self, chosen: np.ndarray) -> Votes:
        return Votes(self.chances[chosen], self.labels[chosen], self.sets[chosen])


def pooled(parts: list[Votes]) -> Votes:
    return Votes(
        *(np.concatenate([getattr(part, key) for part in parts]) for key in ("chances", "labels", "sets"))
    )


def turned(image: Image, degrees: float, *, grow: bool = True) -> Image:
    """Return the picture turned counter-clockwise on felt; `grow` = so that its corners are kept."""
    if degrees % 90 == 0:
        return np.ascontiguousarray(np.rot90(image, round(degrees / 90)))
    height, width = image.shape[:2]
    matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), degrees, 1.0)
    size = (width, height)
    if grow:
        c, s = abs(matrix[0, 0]), abs(matrix[0, 1])
        size = (round(width * c + height * s), round(width * s + height * c))
        matrix[:, 2] += ((size[0] - width) / 2, (size[1] - height) / 2)
    return cv2.warpAffine(image, matrix, size, flags=cv2.INTER_LINEAR, borderValue=FELT)


CONDITIONS = {
    "as given": lambda image: image,
    "180": lambda image: turned(image, 180),
    "90": lambda image: turned(image, 90),
    "270": lambda image: turned(image, 270),
    "+15 grown": lambda image: turned(image, 15),
    "-15 grown": lambda image: turned(image, -15),
    "+15 cut": lambda image: turned(image, 15, grow=False),
    "-15 cut": lambda image: turned(image, -15, grow=False),
}


def votes_of(namer: TileNamer, crops: list[Crop], condition: str) -> Votes:
    """Return the votes on pictures of one tile each."""
    change = CONDITIONS[condition]
    chances = [name_whole(change(crop.image), namer)[0].chances for crop in crops]
    labels = [class_of(crop.face) for crop in crops]
    return Votes(np.array(chances), np.array(labels), np.array([crop.set for crop in crops]))


def found_votes(namer: TileNamer, canvases: list[Crop]) -> Votes:
    """Return the votes on tiles as a detector would place them: among their neighbours, a little off."""
    rng = np.random.default_rng(5)
    labels = np.array([class_of(crop.face) for crop in canvases])
    chances = []
    for crop in canvases:
        x, y, turn, grown = rng.normal(0, FOUND_ASIDE)
        size = (TILE_PX[0] * math.exp(grown), TILE_PX[1] * math.exp(grown))
        place = crop_matrix(CANVAS_PX[0] / 2 + x, CANVAS_PX[1] / 2 + y, turn, size)
        settled = namer.settled(crop.image, [place])
        chances.append(namer.name(cut(crop.image, settled, namer.crop_px))[0].chances)
    return Votes(np.array(chances), labels, np.array([crop.set for crop in canvases]))


def told(votes: Votes, threshold: float) -> str:
    """Return one line of figures: right among 34 and 42 faces, accepted, wrong among these, X accepted."""
    best, score = votes.answers()
    right = best == votes.labels
    ordinary, faces, foreign = votes.labels < ORDINARY, votes.labels < FACES, votes.labels == X_CLASS
    accepted = faces & (score >= threshold)
    parts = [
        f"34: {_share(right[ordinary])}",
        f"42: {_share(right[faces])}",
        f"accepted {accepted.sum() / max(1, faces.sum()):.4f}",
        f"wrong of these {_share(~right[accepted])}",
    ]
    if foreign.any():
        parts.append(f"X accepted {_share(score[foreign] >= threshold)}")
    return "  ".join(parts)


def _share(hits: np.ndarray) -> str:
    return f"{hits.mean():.4f} ({int(hits.sum())}/{hits.size})" if hits.size else "-"


def worst_set(votes: Votes) -> str:
    best, _ = votes.answers()
    rates = {
        str(name): float((best == votes.labels)[chosen].mean())
        for name in np.unique(votes.sets)
        if (chosen := (votes.sets == name) & (votes.labels < FACES)).any()
    }
    return "  ".join(f"{name} {rate:.4f}" for name, rate in sorted(rates.items(), key=lambda pair: pair[1]))


def mixed_up(votes: Votes, most: int = 14) -> str:
    best, _ = votes.answers()
    wrong = (best != votes.labels) & (votes.labels < FACES)
    pairs = Counter(
        f"{name}:{CLASSES[label]}>{CLASSES[answer]}"
        for name, label, answer in zip(votes.sets[wrong], votes.labels[wrong], best[wrong], strict=True)
    )
    return " ".join(f"{pair} x{count}" for pair, count in pairs.most_common(most))


def honest(votes: Votes) -> tuple[float, float]:
    """Return (cooling, threshold) for pooled unseen votes: the likeliest cooling, then the least threshold
    with at most `MOST_WRONG` wrong among the accepted, `MOST_FOREIGN` of the foreign tiles accepted and
    `MOST_ACCEPTED` of the faces."""
    faces = votes.of(votes.labels < FACES)
    rows = np.arange(len(faces.labels))
    costs = [-np.log(faces.cooled(c).chances[rows, faces.labels] + 1e-9).mean() for c in COOLINGS]
    cooling = float(COOLINGS[int(np.argmin(costs))])
    best, score = faces.cooled(cooling).answers()
    order = np.argsort(-score)
    wrong, score = (best != faces.labels)[order], score[order]
    rates = np.cumsum(wrong) / np.arange(1, len(order) + 1)
    last_of_equals = np.append(score[1:] < score[:-1], True)
    allowed = np.nonzero((rates <= MOST_WRONG) & last_of_equals)[0]
    threshold = float(score[allowed[-1]]) if len(allowed) else 1.0
    threshold = max(threshold, float(np.quantile(score, 1 - MOST_ACCEPTED)))
    foreign = votes.of(votes.labels == X_CLASS).cooled(cooling).answers()[1]
    if len(foreign):
        threshold = max(threshold, float(np.quantile(foreign, 1 - MOST_FOREIGN)))
    return cooling, min(max(threshold, LEAST_THRESHOLD), MOST_THRESHOLD)


def judge(namer: TileNamer, photos: Photos, fold: int, threshold: float) -> Votes:
    """Print the figures of a fold; return the pooled votes of crops as given and as found."""
    sets = unseen(fold)
    crops = photos.crops(sets)
    plain = None
    for name in CONDITIONS:
        votes = votes_of(namer, crops, name)
        plain = votes if plain is None else plain
        print(f"{name:10} {told(votes, threshold)}", flush=True)
    assert plain is not None
    rimmed = list(photos.rimmed(sets, np.random.default_rng(3), windows=0.0))
    found = found_votes(namer, rimmed)
    print(f"{'found':10} {told(found, threshold)}")
    print("sets      ", worst_set(plain))
    print("mixed up  ", mixed_up(plain))
    return pooled([plain, found])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, required=True, help="folder with name.onnx")
    parser.add_argument("--fold", type=int, required=True, choices=range(5))
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    namer = TileNamer(options.threads, models=options.models)
    threshold = float(namer.metadata.get("threshold") or 0.9)
    votes = judge(namer, Photos(options.data), options.fold, threshold)
    np.savez(options.models / "name.npz", chances=votes.chances, labels=votes.labels, sets=votes.sets)
    print("alone: cooling {:.3f}, threshold {:.3f}".format(*honest(votes)))


if __name__ == "__main__":
    main()
