"""The three networks and how they are written to ONNX. Input: RGB 0..1, (n, 3, h, w)."""

from __future__ import annotations

import io
from pathlib import Path

import onnx
import torch
from torch import Tensor, nn

NAMER_SIZE = (80, 56)
"""Height and width of the crops that the namer takes."""
PLACE_SCALE = (0.05, 0.05, 0.1, 0.1, 0.15)
"""How much the five figures of a tile's place vary in training."""


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


class Residual(nn.Module):
    """Two convolutions beside a way past them."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = block(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, image: Tensor) -> Tensor:
        return torch.relu(image + self.second(self.first(image)))


class Namer(nn.Module):
    """Logits of the classes and one of "upside down", the features behind them, and the tile's place in the
    crop (`vision.crops.resettled`).

    Each crop is first brought to mean 0 and spread 1, so that exposure and the body's colour matter little.
    The head sees where each feature lies (no pooling): pips are told apart by their places.
    Input heights and widths must be multiples of 8.
    """

    def __init__(
        self,
        classes: int,
        size: tuple[int, int] = NAMER_SIZE,
        widths: tuple[int, int, int] = (32, 64, 128),
        blocks: tuple[int, int, int] = (1, 1, 1),
        features: int = 160,
    ) -> None:
        super().__init__()
        stages: list[nn.Module] = []
        before = 3
        for width, count in zip(widths, blocks, strict=True):
            stages += [block(3, width, 2, size=5)] if before == 3 else [nn.MaxPool2d(2), block(before, width)]
            stages += [Residual(width) for _ in range(count)]
            before = width
        self.body = nn.Sequential(*stages)
        self.told = block(before, 32, size=1)
        cells = (size[0] // 8) * (size[1] // 8)
        self.head = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.25), nn.Linear(32 * cells, features), nn.ReLU(), nn.Dropout(0.1)
        )
        self.out = nn.Linear(features, classes + 1)
        self.place = nn.Sequential(
            block(before, 8, size=1),
            nn.Flatten(),
            nn.Linear(8 * cells, 48),
            nn.ReLU(),
            nn.Linear(48, len(PLACE_SCALE)),
        )
        self.register_buffer("scale", torch.tensor(PLACE_SCALE))

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        mean = image.mean((1, 2, 3), keepdim=True)
        spread = (image - mean).square().mean((1, 2, 3), keepdim=True).sqrt() + 0.05
        seen = self.body((image - mean) / spread)
        features = self.head(self.told(seen))
        return self.out(features), features, self.place(seen) * self.scale


class Ensemble(nn.Module):
    """The mean answer of some namers, cooled: what is written to ONNX.

    `cooling` multiplies the logits of the classes so that chances are honest (1 / temperature).
    """

    def __init__(self, members: list[Namer], cooling: float = 1.0) -> None:
        super().__init__()
        self.members = nn.ModuleList(members)
        self.cooling = cooling

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        answers, features, places = zip(*(member(image) for member in self.members), strict=True)
        logs = torch.stack([torch.log_softmax(answer[:, :-1], 1) for answer in answers]).mean(0)
        turned = torch.stack([answer[:, -1:] for answer in answers]).mean(0)
        return (
            torch.cat([logs * self.cooling, turned], 1),
            torch.cat(features, 1),
            torch.stack(places).mean(0),
        )


def write_onnx(
    net: nn.Module,
    path: Path,
    height: int,
    width: int,
    *,
    free: tuple[str, ...],
    outputs: tuple[str, ...] = ("answer",),
    metadata: dict[str, str] | None = None,
) -> None:
    """Write the net with the named axes free ("n", "h", "w") and what is to be known of it beside the
    weights."""
    net.eval()
    axes = {number: name for number, name in ((0, "n"), (2, "h"), (3, "w")) if name in free}
    buffer = io.BytesIO()
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, height, width),),
        buffer,
        input_names=["image"],
        output_names=list(outputs),
        dynamic_axes={"image": axes, **{name: {0: "n"} for name in outputs}},
        opset_version=17,
        dynamo=False,
    )
    model = onnx.load_from_string(buffer.getvalue())
    onnx.helper.set_model_props(model, metadata or {})
    onnx.checker.check_model(model)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(model.SerializeToString())
