"""One training loop for all nets: seeded, one-cycle rate, and a checkpoint to go on from.

A run that was stopped goes on from its last checkpoint with draws seeded by that step (`Loop.rng` is
another one after `resume`): none is repeated, but the end is not to the bit that of a run in one go.
"""

from __future__ import annotations

import argparse
import copy
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

SAVED_EVERY, SHOWN_EVERY = 100, 50
"""Steps."""


def options_of(text: str | None, steps: int) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=text)
    parser.add_argument("--data", type=Path, required=True, help="folder made by vision.training.prepare")
    parser.add_argument("--out", type=Path, required=True, help="folder for checkpoint and ONNX")
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--start", type=Path, help="checkpoint whose weights to begin with")
    return parser.parse_args()


def has_fast_halves() -> bool:
    """Return whether this processor multiplies bfloat16 matrices in hardware (AMX): several times faster."""
    supported = getattr(torch.cpu, "_is_amx_tile_supported", None)
    return bool(supported and supported())


class Loop:
    """Optimiser, schedule, running mean of the weights, checkpoint and print-outs.

    Args:
        ema: decay of the running mean of the weights (`averaged`); 0 = none is kept.
    """

    def __init__(self, options: argparse.Namespace, name: str, *, ema: float = 0.0) -> None:
        torch.manual_seed(options.seed)
        torch.set_num_threads(options.threads)
        cv2.setNumThreads(1)
        self.rng = np.random.default_rng(options.seed)
        self.options = options
        options.out.mkdir(parents=True, exist_ok=True)
        self.checkpoint = options.out / f"{name}.pt"
        self.name = name
        self.first = 0
        self.ema = ema
        self.averaged: nn.Module | None = None
        self._state: dict | None = None
        self._sums: dict[str, float] = {}

    def autocast(self) -> AbstractContextManager:
        """Return the context for the forward pass: half precision where the processor is made for it."""
        return torch.autocast("cpu", dtype=torch.bfloat16, enabled=has_fast_halves())

    def resume(self, net: nn.Module) -> nn.Module:
        net = net.to(memory_format=torch.channels_last)
        start = getattr(self.options, "start", None)
        if start:
            net.load_state_dict(torch.load(start, weights_only=True)["net"])
        elif self.checkpoint.exists():
            self._state = torch.load(self.checkpoint, weights_only=True)
            if self._state["step"] <= self.options.steps and self._state["steps"] == self.options.steps:
                net.load_state_dict(self._state["net"])
                self.first = self._state["step"]
                self.rng = np.random.default_rng([self.options.seed, self.first])
                torch.manual_seed(self.options.seed + self.first)
            else:
                self._state = None
        return net

    def steps(self, net: nn.Module, rate: float, decay: float = 1e-3) -> Iterator[int]:
        """Yield the numbers of the steps still to do; after the last one the checkpoint is complete."""
        self.net = net
        self.optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=decay)
        self.schedule = torch.optim.lr_scheduler.OneCycleLR(
            self.optimiser, rate, total_steps=self.options.steps + 1, pct_start=0.15
        )
        if self.ema:
            self.averaged = copy.deepcopy(net).eval()
        if self._state:
            self.optimiser.load_state_dict(self._state["optimiser"])
            self.schedule.load_state_dict(self._state["schedule"])
            if self.averaged is not None:
                self.averaged.load_state_dict(self._state["averaged"])
        self._started = time.monotonic()
        for step in range(self.first, self.options.steps):
            net.train()
            yield step
        if self.first < self.options.steps:
            self._save(self.options.steps)

    def learn(self, step: int, loss: Tensor, parts: dict[str, Tensor]) -> None:
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step()
        self.schedule.step()
        self._average(step)
        for key, value in parts.items():
            self._sums[key] = self._sums.get(key, 0.0) + float(value.detach())
        if (step + 1) % SHOWN_EVERY == 0:
            self._show(step + 1)
        if (step + 1) % SAVED_EVERY == 0:
            self._save(step + 1)

    @torch.no_grad()
    def _average(self, step: int) -> None:
        if self.averaged is None:
            return
        keep = min(self.ema, (step + 1) / (step + 10))
        for mean, now in zip(
            self.averaged.state_dict().values(), self.net.state_dict().values(), strict=True
        ):
            if mean.dtype.is_floating_point:
                mean.lerp_(now, 1.0 - keep)
            else:
                mean.copy_(now)

    def _show(self, done: int) -> None:
        """Print a bar with what is left of time, in place on a terminal and as lines elsewhere."""
        count = min(SHOWN_EVERY, done - self.first)
        shown = "  ".join(f"{key} {value / count:.4f}" for key, value in self._sums.items())
        self._sums = {}
        took = time.monotonic() - self._started
        left = took / (done - self.first) * (self.options.steps - done)
        share = done / self.options.steps
        bar = "#" * round(20 * share) + "." * (20 - round(20 * share))
        line = f"{self.name} [{bar}] {done}/{self.options.steps}  {shown}  {took:.0f} s, {left:.0f} s left"
        if sys.stdout.isatty():
            print(f"\r\x1b[K{line}", end="" if done < self.options.steps else "\n", flush=True)
        else:
            print(line, flush=True)

    def _save(self, step: int) -> None:
        state = {
            "net": self.net.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "schedule": self.schedule.state_dict(),
            "step": step,
            "steps": self.options.steps,
        }
        if self.averaged is not None:
            state["averaged"] = self.averaged.state_dict()
        part = self.checkpoint.with_suffix(".part")
        torch.save(state, part)
        part.replace(self.checkpoint)  # a run stopped while writing leaves the last whole one


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
