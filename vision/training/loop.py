"""One training loop for all nets: seeded, one-cycle rate, a checkpoint every 100 steps to go on from."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn


def options_of(text: str | None, steps: int) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=text)
    parser.add_argument("--data", type=Path, required=True, help="folder made by vision.training.prepare")
    parser.add_argument("--out", type=Path, required=True, help="folder for checkpoint and ONNX")
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--start", type=Path, help="checkpoint whose weights to begin with")
    return parser.parse_args()


class Loop:
    """Optimiser, schedule, average of weights, checkpoint and print-outs."""

    def __init__(self, options: argparse.Namespace, name: str) -> None:
        torch.manual_seed(options.seed)
        torch.set_num_threads(options.threads)
        cv2.setNumThreads(1)
        self.rng = np.random.default_rng(options.seed)
        self.options = options
        options.out.mkdir(parents=True, exist_ok=True)
        self.checkpoint = options.out / f"{name}.pt"
        self.first = 0
        self._state: dict | None = None
        self._sums: dict[str, float] = {}

    def resume(self, net: nn.Module) -> nn.Module:
        net = net.to(memory_format=torch.channels_last)
        if self.options.start:
            net.load_state_dict(torch.load(self.options.start, weights_only=True)["net"])
        elif self.checkpoint.exists():
            self._state = torch.load(self.checkpoint, weights_only=True)
            if self._state["step"] < self.options.steps and self._state["steps"] == self.options.steps:
                net.load_state_dict(self._state["net"])
                self.first = self._state["step"]
                self.rng = np.random.default_rng([self.options.seed, self.first])
            else:
                self._state = None
        return net

    def steps(self, net: nn.Module, rate: float) -> Iterator[int]:
        self.net = net
        self.optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
        self.schedule = torch.optim.lr_scheduler.OneCycleLR(
            self.optimiser, rate, total_steps=self.options.steps + 1, pct_start=0.15
        )
        if self._state:
            self.optimiser.load_state_dict(self._state["optimiser"])
            self.schedule.load_state_dict(self._state["schedule"])
        self._started = time.monotonic()
        for step in range(self.first, self.options.steps):
            net.train()
            yield step
        self._save(self.options.steps)

    def learn(self, step: int, loss: Tensor, parts: dict[str, Tensor]) -> None:
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step()
        self.schedule.step()
        for key, value in parts.items():
            self._sums[key] = self._sums.get(key, 0.0) + float(value.detach())
        if (step + 1) % 50 == 0:
            shown = "  ".join(f"{key} {value / 50:.4f}" for key, value in self._sums.items())
            print(f"{step + 1:5d}  {shown}  {time.monotonic() - self._started:.0f} s", flush=True)
            self._sums = {}
        if (step + 1) % 100 == 0:
            self._save(step + 1)

    def _save(self, step: int) -> None:
        torch.save(
            {
                "net": self.net.state_dict(),
                "optimiser": self.optimiser.state_dict(),
                "schedule": self.schedule.state_dict(),
                "step": step,
                "steps": self.options.steps,
            },
            self.checkpoint,
        )


def splat(heat: np.ndarray, column: float, row: float, sigma: float) -> None:
    """Raise a heat map to a bell of height 1 at the cell nearest to (column, row)."""
    c, r = round(column), round(row)
    for y in range(max(0, r - 3), min(heat.shape[0], r + 4)):
        for x in range(max(0, c - 3), min(heat.shape[1], c + 4)):
            value = float(np.exp(-((x - c) ** 2 + (y - r) ** 2) / (2 * sigma**2)))
            heat[y, x] = max(heat[y, x], value)


def heat_loss(logits: Tensor, heat: Tensor) -> Tensor:
    """Return the penalty-reduced focal loss of centre maps, per centre."""
    chance = torch.sigmoid(logits).clamp(1e-4, 1 - 1e-4)
    centre = (heat > 0.999).float()
    hit = -centre * torch.log(chance) * (1 - chance) ** 2
    miss = -(1 - centre) * (1 - heat) ** 4 * torch.log(1 - chance) * chance**2
    return (hit.sum() + miss.sum()) / centre.sum().clamp(min=1)
