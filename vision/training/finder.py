"""The finder of free pictures: a small net in the shape of a U, and the loss it is trained with."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from .nets import block
from .scenes import DIE_KIND
from .windows import EXTRAS, KINDS

DIE_WEIGHT = 4.0
"""Dice are a fiftieth of what is to be found: counted like tiles they were never told from them."""


class Residual(nn.Module):
    """Two convolutions added to what came in."""

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.first = block(width, width)
        self.second = nn.Sequential(
            nn.Conv2d(width, width, 3, 1, dilation, dilation, bias=False), nn.BatchNorm2d(width)
        )

    def forward(self, given: Tensor) -> Tensor:
        return functional.relu(given + self.second(self.first(given)))


class Detector(nn.Module):
    """Heat of each kind and what is known at a centre, at stride 4; looked at down to stride 16.

    Input (n, 3, h, w) RGB 0..1, h and w multiples of 16; output (n, 4 + 6, h / 4, w / 4).
    """

    def __init__(self, widths: tuple[int, int, int, int] = (16, 32, 56, 96)) -> None:
        super().__init__()
        second, fourth, eighth, sixteenth = widths
        self.second = block(3, second, 2)
        self.fourth = nn.Sequential(block(second, fourth, 2), block(fourth, fourth))
        self.eighth = nn.Sequential(block(fourth, eighth, 2), Residual(eighth))
        self.sixteenth = nn.Sequential(
            block(eighth, sixteenth, 2), Residual(sixteenth), Residual(sixteenth, dilation=2)
        )
        self.grow = nn.Upsample(scale_factor=2, mode="nearest")
        self.down16 = nn.Conv2d(sixteenth, eighth, 1)
        self.join8 = block(eighth, eighth)
        self.down8 = nn.Conv2d(eighth, fourth, 1)
        self.join4 = nn.Sequential(block(fourth, fourth), block(fourth, fourth))
        self.heat = nn.Conv2d(fourth, KINDS, 1)
        self.extra = nn.Conv2d(fourth, EXTRAS, 1)
        nn.init.constant_(self.heat.bias, -4.0)

    def forward(self, image: Tensor) -> Tensor:
        fourth = self.fourth(self.second(image * 2.0 - 1.0))
        eighth = self.eighth(fourth)
        wide = self.join8(eighth + self.grow(self.down16(self.sixteenth(eighth))))
        fine = self.join4(fourth + self.grow(self.down8(wide)))
        return torch.cat([self.heat(fine), self.extra(fine)], 1)


def _weights(like: Tensor) -> Tensor:
    """Return how much a missed place of each kind counts (KINDS, 1, 1)."""
    weights = torch.ones(KINDS, 1, 1, dtype=like.dtype)
    weights[DIE_KIND] = DIE_WEIGHT
    return weights


def losses(answer: Tensor, asked: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return the parts of the loss: `found` (heat), `place`, `size`, `axis`; their sum is learnt from.

    Args:
        answer: (n, 10, rows, columns); asked: as `windows.targets`, stacked.
    """
    answer = answer.float()
    logits, extra = answer[:, :KINDS], answer[:, KINDS:]
    chance = torch.sigmoid(logits).clamp(1e-4, 1 - 1e-4)
    centre = (asked["heat"] > 0.999).float()
    hit = -centre * torch.log(chance) * (1 - chance) ** 2
    hit = hit * _weights(hit)
    miss = -(1 - centre) * (1 - asked["heat"]) ** 4 * torch.log(1 - chance) * chance**2
    centres = centre.sum().clamp(min=1)
    found = (hit.sum() + (miss * asked["asked"][:, None]).sum()) / centres
    off = functional.smooth_l1_loss(extra, asked["extra"], reduction="none", beta=0.1)
    weight, axis = asked["weight"][:, None], asked["axis"][:, None]
    total, axis_total = weight.sum().clamp(min=1), axis.sum().clamp(min=1)
    return {
        "found": found,
        "place": (off[:, :2] * weight).sum() / total,
        "size": 2.0 * (off[:, 2:4] * weight).sum() / total,
        "axis": (off[:, 4:] * axis).sum() / axis_total,
    }
