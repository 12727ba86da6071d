"""The namer: faces of upright crops.

    python -m vision.training.train_name --shelves DIR --out DIR [--fold N]

A fold's namer never sees the fold's own sets. Every crop is drawn anew: class, source and set evenly, then
place, inks, light and camera (`views`). Two processes draw while the net learns.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import torch
from torch.nn import functional
from torch.utils.data import DataLoader, Dataset

from vision.tiles import CLASSES, UNKNOWN

from . import views
from .data import RIM_PX, TILE_PX, Image
from .folds import trained_on
from .loop import Loop
from .nets import NAMER_SIZE, PLACE_SCALE, Namer
from .shelf import Shelf, shelf

X_CLASS = CLASSES.index(UNKNOWN)
SAME_LYING = frozenset({"1p", "3p", "4p", "5p", "9p", "P"})
"""Faces that are still themselves, or nearly, when the tile lies on its side."""
WITH_SIDES = tuple(label for label, face in enumerate(CLASSES[:42]) if face not in SAME_LYING)
PICTURES = tuple(label for label, face in enumerate(CLASSES[:42]) if len(face) == 1 or face == "1s")
NO_WAY_UP = frozenset({CLASSES.index("back"), X_CLASS})
SHARES = {"photos": 0.5, "art": 0.35, "twin": 0.15, "dice": 0.15}
"""How often a crop of each source is drawn, where it has the class."""
VARIED = {"1s": 2.5, **dict.fromkeys("abcdefgh", 2.0)}
"""Faces that makers draw most differently are drawn so much more often than the others."""
X_SHARE = 0.13
"""Part of the draws that is no known face: foreign pictures, windows, tiles lying, crossed tiles."""
CORNER, BIRD_CORNER = 0.15, 0.35
"""How often a digit is printed in a corner. Birds with a 1 were taken for a flower with a 1."""
GRAFTED = 0.35
"""Part of the photographed flowers that get another flower's plant: the marks above tell which one it is."""
WARPED = 0.35
"""Part of the draws whose strokes are moved as if another hand had drawn them."""
FILTERED = 0.25
"""Part of the draws seen through a random filter (`filtered`)."""
LABEL_SMOOTHING = 0.03
TURN_WEIGHT = 0.15
PLACE_WEIGHT = 0.2
DECAY = 0.02
RATE = 3e-3


class Drawn(NamedTuple):
    """A crop as the net sees it; `turn`: 1 upside down, 0 upright, -1 not known; `place` of the tile in it,
    None where no tile is."""

    image: Image
    label: int
    turn: float
    place: np.ndarray | None = None


class Picked(NamedTuple):
    """A rimmed crop with where it lies on which shelf."""

    canvas: Image
    knows_up: bool
    source: str
    number: int


class Draws(Dataset):
    """Batches of crops, each of its own seed: number i is the same whoever draws it."""

    def __init__(self, shelves: dict[str, Shelf], sets: frozenset[str], options: argparse.Namespace) -> None:
        self.shelves = shelves
        self.size: tuple[int, int] = options.size
        self.seed, self.steps, self.batch = options.seed, options.steps, options.batch
        often = np.array([VARIED.get(face, 1.0) for face in CLASSES if face != UNKNOWN])
        self.often = often / often.sum()
        self.pools: dict[int, dict[str, list[np.ndarray]]] = {label: {} for label in range(len(CLASSES))}
        for name, source in shelves.items():
            used = source.only(sets) if name == "photos" else np.arange(len(source.labels))
            for label in np.unique(source.labels[used]):
                numbers = used[source.labels[used] == label]
                groups = source.groups[numbers]
                self.pools[int(label)][name] = [numbers[groups == group] for group in np.unique(groups)]
        self.flowers = self._photographed_flowers()

    def __len__(self) -> int:
        return self.steps

    def __getitem__(self, step: int) -> tuple[np.ndarray, ...]:
        cv2.setNumThreads(1)
        rng = np.random.default_rng([self.seed, step])
        images = np.empty((self.batch, *self.size, 3), np.uint8)
        labels, turns = np.empty(self.batch, np.int64), np.empty(self.batch, np.float32)
        places = np.full((self.batch, len(PLACE_SCALE)), np.nan, np.float32)
        for index in range(self.batch):
            drawn = self.draw(rng)
            images[index], labels[index], turns[index] = drawn.image, drawn.label, drawn.turn
            if drawn.place is not None:
                places[index] = drawn.place
        return images, labels, turns, places

    def draw(self, rng: np.random.Generator) -> Drawn:
        """Return one crop."""
        if rng.random() < X_SHARE:
            return self._odd(rng)
        label = int(rng.choice(len(self.often), p=self.often))
        picked = self._pick(label, rng)
        canvas, face = picked.canvas, CLASSES[label]
        if face in views.FLOWERS and rng.random() < GRAFTED:
            canvas = self._grafted(picked, rng)
        if face in views.MIRRORED and rng.random() < 0.3:
            canvas = canvas[:, ::-1]
        if face in views.CORNERED and rng.random() < (BIRD_CORNER if face == "1s" else CORNER):
            canvas = views.with_corner(np.ascontiguousarray(canvas), face[0], rng)
        turned = bool(rng.random() < 0.5)
        image, place = views.placed_window(canvas, rng, self.size, 180.0 * turned)
        turn = float(turned) if picked.knows_up and label not in NO_WAY_UP else -1.0
        return Drawn(self._seen(image, rng), label, turn, place)

    def _photographed_flowers(self) -> dict[str, np.ndarray]:
        """Return the numbers of each set's flowers on the shelf of photographs."""
        pools = [self.pools[CLASSES.index(face)].get("photos", []) for face in sorted(views.FLOWERS)]
        numbers = np.concatenate([group for pool in pools for group in pool] or [np.zeros(0, int)])
        if not len(numbers):
            return {}
        groups = self.shelves["photos"].groups[numbers]
        return {str(name): numbers[groups == name] for name in np.unique(groups)}

    def _grafted(self, picked: Picked, rng: np.random.Generator) -> Image:
        """Return a photographed flower with the plant of another one of its set."""
        name = str(self.shelves[picked.source].groups[picked.number])
        if picked.source != "photos" or name in views.MARKS_BELOW:
            return picked.canvas
        other = int(rng.choice(self.flowers[name]))
        return views.grafted(picked.canvas, np.asarray(self.shelves["photos"].images[other]), rng)

    def _pick(self, label: int, rng: np.random.Generator) -> Picked:
        pools = self.pools[label]
        names = sorted(pools)
        shares = np.array([SHARES[name] for name in names])
        name = names[int(rng.choice(len(names), p=shares / shares.sum()))]
        groups = pools[name]
        numbers = groups[int(rng.integers(len(groups)))]
        number = int(numbers[int(rng.integers(len(numbers)))])
        source = self.shelves[name]
        return Picked(np.asarray(source.images[number]), bool(source.knows_up[number]), name, number)

    def _odd(self, rng: np.random.Generator) -> Drawn:
        """Return something that is no known face."""
        draw = rng.random()
        if draw < 0.55:  # as photographed, drawn or between tiles
            canvas = self._pick(X_CLASS, rng).canvas
            image = views.window(
                canvas, rng, self.size, 180.0 * float(rng.integers(2)), calm=rng.random() < 0.5
            )
        elif draw < 0.75:  # a tile lying in an upright window, or pressed into it
            canvas = self._pick(int(rng.choice(WITH_SIDES)), rng).canvas
            if rng.random() < 0.5:
                canvas = pressed(canvas)
                image = views.window(canvas, rng, self.size, 180.0 * float(rng.integers(2)))
            else:
                image = views.window(canvas, rng, self.size, 90.0 + 180.0 * float(rng.integers(2)))
        elif draw < 0.92:  # letters on a picture
            canvas = self._pick(int(rng.choice(PICTURES)), rng).canvas
            image = views.window(
                views.with_words(canvas, rng), rng, self.size, 180.0 * float(rng.integers(2))
            )
        else:  # half one, half another suit
            one, other = (int(rng.integers(9)) + 9 * int(suit) for suit in rng.permutation(3)[:2])
            canvas = views.crossed(self._pick(one, rng).canvas, self._pick(other, rng).canvas, rng)
            image = views.window(canvas, rng, self.size, 180.0 * float(rng.integers(2)), calm=True)
        return Drawn(self._seen(image, rng), X_CLASS, -1.0)

    def _seen(self, image: Image, rng: np.random.Generator) -> Image:
        if rng.random() < WARPED:
            image = views.warped(image, rng)
        if rng.random() < 0.45:
            image = views.inked(image, rng)
        if rng.random() < 0.25:
            image = views.stroked(image, rng)
        if rng.random() < 0.85:
            image = views.lit(image, rng)
        if rng.random() < 0.06:
            image = views.hidden(image, rng)
        return views.filmed(image, rng) if rng.random() < 0.85 else image


def pressed(canvas: Image) -> Image:
    """Return a rimmed crop whose tile lies on its side, pressed into the upright shape."""
    turned = canvas.copy()
    (left, top), (width, height) = RIM_PX, TILE_PX
    tile = np.ascontiguousarray(np.rot90(canvas[top : top + height, left : left + width]))
    turned[top : top + height, left : left + width] = cv2.resize(tile, TILE_PX, interpolation=cv2.INTER_AREA)
    return turned


def planes(images: np.ndarray | torch.Tensor) -> torch.Tensor:
    """Return the net's input for BGR pictures (n, h, w, 3) uint8: (n, 3, h, w) RGB 0..1."""
    tensor = torch.as_tensor(images).flip(3).permute(0, 3, 1, 2)
    return tensor.to(torch.float32, memory_format=torch.channels_last) * (1 / 255)


def filtered(images: torch.Tensor, share: float) -> torch.Tensor:
    """Return the net's input with a share of the crops mixed with what a random small filter makes of them.

    Shapes stay, inks and textures change (Xu et al. 2021, "Robust and generalizable visual representation
    learning via random convolutions").
    """
    count = round(share * len(images))
    size = int(torch.randint(0, 3, ()).item()) * 2 + 1
    weights = torch.randn(3, 3, size, size) / (3 * size * size) ** 0.5
    chosen = images[:count]
    other = functional.conv2d(chosen, weights, padding=size // 2)
    mean, spread = other.mean((2, 3), keepdim=True), other.std((2, 3), keepdim=True) + 1e-3
    other = (other - mean) / spread * chosen.std((2, 3), keepdim=True) + chosen.mean((2, 3), keepdim=True)
    part = torch.rand(count, 1, 1, 1)
    return torch.cat([part * chosen + (1 - part) * other, images[count:]])


def options_of(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shelves", type=Path, required=True, help="folder of vision.training.shelf")
    parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoint")
    parser.add_argument("--fold", type=int, choices=range(5), help="held-out fold; left out = trained on all")
    parser.add_argument("--name", default="name")
    parser.add_argument("--steps", type=int, default=2800)
    parser.add_argument("--batch", type=int, default=192)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--size", type=lambda text: tuple(map(int, text.split("x"))), default=NAMER_SIZE)
    parser.add_argument("--sources", default="photos,art,twin,dice")
    return parser.parse_args(arguments)


def train(options: argparse.Namespace) -> Namer:
    """Return the trained namer (the running mean of its weights)."""
    started = time.monotonic()
    loop = Loop(options, options.name, ema=0.998)
    shelves = {
        name: shelf(options.shelves, name)
        for name in options.sources.split(",")
        if (options.shelves / f"{name}.json").exists()
    }
    draws = Draws(shelves, trained_on(options.fold), options)
    net = loop.resume(Namer(len(CLASSES), options.size))
    left = range(loop.first, options.steps)
    batches = iter(DataLoader(draws, batch_size=None, sampler=left, num_workers=options.workers))
    count = len(CLASSES)
    for step in loop.steps(net, RATE, DECAY):
        images, labels, turns, places = next(batches)
        with loop.autocast():
            answer, _, place = net(filtered(planes(images), FILTERED))
        answer, place = answer.float(), place.float()
        named = functional.cross_entropy(answer[:, :count], labels, label_smoothing=LABEL_SMOOTHING)
        known = turns >= 0
        turned = functional.binary_cross_entropy_with_logits(answer[known, count], turns[known])
        seen = ~places[:, 0].isnan()
        off = functional.smooth_l1_loss(place[seen] / net.scale, places[seen] / net.scale)
        right = (answer[:, :count].argmax(1) == labels).float().mean()
        told = {"named": named, "turned": turned, "off": off, "right": right}
        loop.learn(step, named + TURN_WEIGHT * turned + PLACE_WEIGHT * off, told)
    print(f"{options.name}: {options.steps} steps in {time.monotonic() - started:.0f} s", flush=True)
    assert loop.averaged is not None
    return loop.averaged


if __name__ == "__main__":
    train(options_of())
