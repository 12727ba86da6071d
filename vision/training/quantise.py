"""An int8 copy of the namer: the same answers in less than half the time, where onnxruntime runs it.

    python -m vision.training.quantise --model vision/models/name.onnx --data ../shared/data

Writes `name.int8.onnx` beside it (static, weights a channel, activations measured on photographed crops of
the sets that the model was trained on). The copy says of which file it is one: `Net` takes no other. OpenCV's
dnn cannot run it and keeps the original. Refused if the copy disagrees.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from vision.crops import cut, whole_matrix
from vision.namer import crop_size
from vision.nets import OF, planes_of
from vision.tiles import CLASSES
from vision.training.data import Photos

Floats = NDArray[np.float32]
CROPS = 300
BATCH = 50
HAND = 28
"""Crops of a hand of 14 tiles, each looked at both ways up."""
LEAST_AGREEMENT = 0.998
"""Part of the crops on which both must name the same face."""


class Crops(CalibrationDataReader):
    """Hands out the crops in batches."""

    def __init__(self, planes: Floats) -> None:
        self._batches = iter(np.array_split(planes, -(-len(planes) // BATCH)))

    def get_next(self) -> dict[str, Floats] | None:
        batch = next(self._batches, None)
        return None if batch is None else {"image": batch}


def crops_of(data: Path, sets: Sequence[str], seed: int, crop_px: tuple[int, int]) -> Floats:
    """Return crops of these sets as the namer's input, every second one upside down."""
    crops = Photos(data).crops(set(sets))
    chosen = np.random.default_rng(seed).permutation(len(crops))[: 2 * CROPS]
    images = [crops[index].image for index in chosen]
    pictures = np.concatenate([cut(image, [whole_matrix(image)], crop_px) for image in images])
    pictures[1::2] = pictures[1::2, ::-1, ::-1]
    return planes_of(pictures)


def quantised(model: Path, planes: Floats) -> Path:
    """Write the int8 copy; return its path."""
    copy = model.with_suffix(".int8.onnx")
    with tempfile.TemporaryDirectory() as folder:
        ready = Path(folder) / "ready.onnx"
        quant_pre_process(str(model), str(ready), skip_symbolic_shape=True)
        quantize_static(
            str(ready), str(copy), Crops(planes), quant_format=QuantFormat.QDQ, per_channel=True,
            activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
        )  # fmt: skip
    done = onnx.load(str(copy))
    told = {item.key: item.value for item in onnx.load(str(model)).metadata_props}
    onnx.helper.set_model_props(done, {**told, OF: hashlib.sha256(model.read_bytes()).hexdigest()})
    copy.write_bytes(done.SerializeToString())
    return copy


def answers(model: Path, planes: Floats) -> tuple[Floats, float]:
    """Return the class logits, and the processor time in ms of one hand's crops (median of 25)."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    times = []
    for _ in range(25):
        started = time.process_time()
        session.run(None, {"image": planes[:HAND]})
        times.append((time.process_time() - started) * 1000)
    return session.run(None, {"image": planes})[0][:, : len(CLASSES)], float(np.median(times))


def shrink(model: Path, data: Path, seed: int = 1) -> bool:
    """Write the copy of a model beside it and tell how well they agree.

    Returns:
        False if they do not: no copy is left then, and the model itself is what runs.
    """
    told = {item.key: item.value for item in onnx.load(str(model)).metadata_props}
    sets = [name for name in told.get("sets", "").split(",") if name]
    if not sets:
        sys.exit(f"{model} does not say which sets it was trained on")
    planes = crops_of(data, sets, seed, crop_size(told))
    copy = quantised(model, planes[:CROPS])
    (first, before), (second, after) = (answers(one, planes[CROPS:]) for one in (model, copy))
    same = float((first.argmax(axis=1) == second.argmax(axis=1)).mean())
    print(f"{copy}: {copy.stat().st_size} bytes, {before:.1f} -> {after:.1f} ms a hand, same face {same:.2%}")
    agrees = same >= LEAST_AGREEMENT
    if not agrees:
        copy.unlink()
        print(f"{copy}: removed, since it disagrees with the model")
    return agrees


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if not shrink(options.model, options.data, options.seed):
        sys.exit(1)


if __name__ == "__main__":
    main()
