"""The three networks and how they are written to ONNX. Input: RGB 0..1, (n, 3, h, w)."""

from __future__ import annotations

import io
from pathlib import Path

import onnx
import torch
from torch import Tensor, nn


def block(inputs: int, outputs: int, stride: int = 1, dilation: int = 1, size: int = 3) -> nn.Sequential:
    pad = dilation * (size // 2)
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, pad, dilation, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(True),
    )


class Spotter(nn.Module):
    """A heat map at stride 4 with `heats` channels of heat and `extras` channels of what is known at a
    centre."""

    def __init__(self, heats: int, extras: int, width: int = 32) -> None:
        super().__init__()
        self.second = block(3, 16, 2)
        self.fourth = nn.Sequential(block(16, width, 2), block(width, width))
        self.eighth = nn.Sequential(
            block(width, 48, 2), block(48, 48), block(48, 48, dilation=2), block(48, 48, dilation=2)
        )
        self.grow = nn.Upsample(scale_factor=2, mode="nearest")
        self.join = block(width + 48, width, size=1)
        self.last = block(width, width)
        self.heat = nn.Conv2d(width, heats, 1)
        self.extra = nn.Conv2d(width, extras, 1)
        nn.init.constant_(self.heat.bias, -4.0)

    def forward(self, image: Tensor) -> Tensor:
        quarter = self.fourth(self.second(image * 2.0 - 1.0))
        joined = self.last(self.join(torch.cat([quarter, self.grow(self.eighth(quarter))], 1)))
        return torch.cat([self.heat(joined), self.extra(joined)], 1)


class Namer(nn.Module):
    """Logits of the classes and one of "upside down", for crops of 48 x 64."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            block(3, 24, 2),  # 24 x 32
            block(24, 48),
            nn.MaxPool2d(2),  # 12 x 16
            block(48, 64),
            block(64, 64),
            nn.MaxPool2d(2),  # 6 x 8
            block(64, 96),
            block(96, 48, size=1),
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(48 * 6 * 8, 128), nn.ReLU(True))
        self.out = nn.Linear(128, classes + 1)
        self.register_buffer("cooling", torch.ones(classes + 1))

    def forward(self, image: Tensor) -> Tensor:
        return self.out(self.head(self.body(image * 2.0 - 1.0))) * self.cooling


def write_onnx(net: nn.Module, path: Path, height: int, width: int, *, free: tuple[str, ...]) -> None:
    """Write the net with the named axes free ("n", "h", "w")."""
    net.eval()
    axes = {number: name for number, name in ((0, "n"), (2, "h"), (3, "w")) if name in free}
    buffer = io.BytesIO()
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, height, width),),
        buffer,
        input_names=["image"],
        output_names=["answer"],
        dynamic_axes={"image": axes, "answer": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
    model = onnx.load_from_string(buffer.getvalue())
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())
