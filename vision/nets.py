"""Small ONNX networks, loaded once and run with few threads, by onnxruntime or by OpenCV's dnn.

onnxruntime is the first choice because it measured faster on the same files (see models/README.md). Where it
cannot be imported (it has no wheel for a 32-bit Pi) OpenCV runs them; both give the same numbers.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import logging
import math
import threading
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from .errors import VisionError
from .onnx_facts import facts_of

Floats = NDArray[np.float32]
Backend = Literal["onnxruntime", "opencv"]

THREADS = 2
"""A Pi has four cores; the service leaves two for everything else."""

OF = "of"
"""Metadata of an int8 copy: the SHA-256 of its original."""

log = logging.getLogger(__name__)


class Net:
    """One model file, one input `image` (n, 3, h, w) float32 RGB 0..1.

    Args:
        name: of the file, without `.onnx`.
        threads: that one call may use. OpenCV knows only one number for the whole process: with `opencv` it
            is set for everything.
        models: folder of the file; None = the models that come with the package.
        backend: what is to run it; `backend` of the object tells what really does.
        int8: whether onnxruntime may run an int8 copy of it.

    Attributes:
        outputs: their names, in order.
        metadata: what the file says about itself.
        digest: SHA-256 of the file.
        is_int8: whether onnxruntime runs the file's int8 copy, `NAME.int8.onnx` (see training/quantise.py).

    Raises:
        VisionError: if the file is missing or no model.
    """

    def __init__(
        self,
        name: str,
        threads: int = THREADS,
        *,
        models: Path | None = None,
        backend: Backend = "onnxruntime",
        int8: bool = True,
    ) -> None:
        content = _content(name, models)
        self.digest = hashlib.sha256(content).hexdigest()
        runtime = _onnxruntime() if backend == "onnxruntime" else None
        self.backend: Backend = "opencv" if runtime is None else "onnxruntime"
        try:
            facts = facts_of(content)
            faster = _int8_copy(name, models, self.digest) if int8 and runtime is not None else None
            self.is_int8 = faster is not None
            self._engine: _Engine = (
                _OpenCv(content, threads)
                if runtime is None
                else _OnnxRuntime(runtime, faster or content, threads)
            )
        except Exception as error:  # each runtime has exceptions of its own, OpenCV's changed with versions
            raise VisionError(f"the model {name}.onnx cannot be used: {error}") from error
        self.outputs = facts.outputs
        self.metadata = facts.metadata

    def run(self, images: NDArray[np.uint8]) -> Floats:
        """Return the first output for BGR pictures (n, h, w, 3) uint8."""
        return self._engine.run(planes_of(images), self.outputs[:1])[0]

    def run_all(self, images: NDArray[np.uint8]) -> dict[str, Floats]:
        """Return every output by its name for BGR pictures (n, h, w, 3) uint8."""
        return dict(zip(self.outputs, self._engine.run(planes_of(images), self.outputs), strict=True))


def told_number(metadata: Mapping[str, str], key: str, name: str, default: float | None = None) -> float:
    """Return a number greater than 0 that the file of a model says about itself.

    Raises:
        VisionError: if it does not say it and there is no default, or says something else.
    """
    told = metadata.get(key)
    if told is None and default is not None:
        return default
    try:
        number = float(told or "")
    except ValueError:
        number = 0.0
    if not 0.0 < number < math.inf:
        raise VisionError(f"the model {name}.onnx tells no {key}: {told!r}")
    return number


def planes_of(images: NDArray[np.uint8]) -> Floats:
    """Return the nets' input (n, 3, h, w) float32 RGB 0..1 of BGR pictures (n, h, w, 3) uint8."""
    planes = np.ascontiguousarray(images[..., ::-1].transpose(0, 3, 1, 2), dtype=np.float32)
    planes *= np.float32(1.0 / 255.0)
    return planes


def _content(name: str, models: Path | None) -> bytes:
    file = (files("vision") / "models" if models is None else models) / f"{name}.onnx"
    try:
        return file.read_bytes()
    except OSError as error:
        where = "this installation" if models is None else str(models)
        raise VisionError(f"the model {name}.onnx is missing from {where}") from error


def _int8_copy(name: str, models: Path | None, digest: str) -> bytes | None:
    """Return the int8 copy of a model, None if there is none or it is one of another file."""
    file = (files("vision") / "models" if models is None else models) / f"{name}.int8.onnx"
    try:
        content = file.read_bytes()
    except OSError:
        return None
    if facts_of(content).metadata.get(OF) != digest:
        log.warning("%s.int8.onnx is the copy of another model and is left out", name)
        return None
    return content


@functools.cache
def _onnxruntime() -> Any:
    """Return the module, or None (said once) where it cannot be imported."""
    try:
        return importlib.import_module("onnxruntime")
    except (ImportError, OSError) as error:  # a library of it can be missing, too
        log.warning("onnxruntime cannot be used (%s): the nets run in OpenCV, which takes longer", error)
        return None


class _Engine(Protocol):
    def run(self, planes: Floats, outputs: Sequence[str]) -> list[Floats]:
        """Return the named outputs."""


class _OnnxRuntime:
    def __init__(self, runtime: Any, content: bytes, threads: int) -> None:
        options = runtime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.enable_cpu_mem_arena = False
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session: Any = runtime.InferenceSession(content, options, providers=["CPUExecutionProvider"])

    def run(self, planes: Floats, outputs: Sequence[str]) -> list[Floats]:
        answers = self._session.run(list(outputs), {"image": planes})
        return [np.asarray(answer, dtype=np.float32) for answer in answers]


class _OpenCv:
    """The same in OpenCV's dnn, whose nets keep their last input: one call at a time."""

    def __init__(self, content: bytes, threads: int) -> None:
        cv2.setNumThreads(threads)
        self._net: Any = cv2.dnn.readNetFromONNX(np.frombuffer(content, dtype=np.uint8))
        self._lock = threading.Lock()

    def run(self, planes: Floats, outputs: Sequence[str]) -> list[Floats]:
        with self._lock:
            self._net.setInput(planes, "image")
            answers = self._net.forward(list(outputs))
            return [np.array(answer, dtype=np.float32) for answer in answers]
