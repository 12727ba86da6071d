"""Small ONNX networks, loaded once and run with few threads.

onnxruntime is used because it measured faster than cv2.dnn on the same files (see models/README.md).
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from .errors import VisionError

Floats = NDArray[np.float32]

THREADS = 2
"""A Pi has four cores; the service leaves two for everything else."""


class Net:
    """One model file of `vision/models`, one input `image` (n, 3, h, w) float32 RGB 0..1, one output."""

    def __init__(self, name: str, threads: int = THREADS) -> None:
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.enable_cpu_mem_arena = False
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        model = files("vision") / "models" / f"{name}.onnx"
        try:
            content = model.read_bytes()
        except OSError as error:
            raise VisionError(f"the model {name}.onnx is missing from this installation") from error
        self._session: Any = ort.InferenceSession(content, options, providers=["CPUExecutionProvider"])

    def run(self, images: NDArray[np.uint8]) -> Floats:
        """Return the output for BGR pictures (n, h, w, 3) uint8."""
        planes = np.ascontiguousarray(images[..., ::-1].transpose(0, 3, 1, 2), dtype=np.float32)
        planes *= np.float32(1.0 / 255.0)
        return np.asarray(self._session.run(None, {"image": planes})[0], dtype=np.float32)
