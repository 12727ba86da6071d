"""Who reads which picture: the models that never saw its set, asked exactly as `see tiles` asks them."""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from vision.calibration import calibrate
from vision.errors import MarksNotFound, VisionError
from vision.eyes import Eyes, Part
from vision.nets import OF
from vision.onnx_facts import facts_of

from .matching import Found

Image = NDArray[np.uint8]

FINDERS = ("detect", "find")
"""Nets that find tiles in free pictures, the newer first: where there is none, the older one does it."""
NAMER = "name"
SEEN: tuple[Part, ...] = ("places", "pictures", "faces")
CROPS: tuple[Part, ...] = ("faces",)
"""What `see tiles` warms up, for whole pictures and with --crop."""


class ModelsMissing(VisionError, FileNotFoundError):
    """The folder holds no models, or none that can judge: give another one."""


@dataclass(frozen=True, slots=True)
class Named:
    """What was said about one crop: at threshold 0, at the default threshold, and the score."""

    best: str
    told: str
    score: float


@dataclass(frozen=True, slots=True)
class Looked:
    """The tiles found in a picture, and how long pixels to answer took."""

    found: tuple[Found, ...]
    ms: float


class Reader:
    """One set of models. The calls and what is timed are those of `mahjong-table see tiles`."""

    def __init__(self, models: Path | None, threads: int) -> None:
        self.eyes = Eyes(None, threads, models=models)
        self._always = Eyes(0.0, threads, models=models)
        self.eyes.warm_up(SEEN)
        self._always.warm_up(CROPS)

    def name(self, image: Image) -> Named:
        """Return what a picture of one tile shows."""
        always = self._always.name_crop(image)
        return Named(always.tile, self.eyes.name_crop(image).tile, always.score)

    def look(self, image: Image) -> Looked:
        """Return the tiles of any picture; table marks in it are used, as the command does."""
        started = time.perf_counter()
        try:
            table = calibrate(image)
        except MarksNotFound:
            table = None
        seen = self.eyes.find_tiles(image, table)
        took = (time.perf_counter() - started) * 1000
        return Looked(tuple(Found(tile.tile, tile.box, tile.score) for tile in seen), took)


@dataclass(frozen=True, slots=True)
class Models:
    """A folder of models (None: the packaged ones) and the sets whose photographs its namer and its finder
    were trained on; None = not told. `namer` is the digest of the namer's file, `is_int8` whether its 8-bit
    copy is what runs."""

    name: str
    folder: Path | None
    namer_saw: frozenset[str] | None
    finder_saw: frozenset[str] | None
    namer: str
    is_int8: bool

    def saw(self, name: str, *, crops: bool = False) -> bool:
        """Return whether these models were, or may have been, trained on a set; for given crops only the
        namer matters."""
        told = (self.namer_saw,) if crops else (self.namer_saw, self.finder_saw)
        return any(sets is None or name in sets for sets in told)


class Judges:
    """The models of a folder: one set of them, or one in each folder below it (the folds).

    Args:
        folder: None = the packaged models. threads: of each net.
    Raises:
        ModelsMissing: if there are none.
    """

    def __init__(self, folder: Path | None, threads: int) -> None:
        self.folder = folder
        self.models = _models_in(folder)
        self.threads = threads
        self._scratch = tempfile.TemporaryDirectory(prefix="mahjong-models-")
        self.reader: Callable[[Models], Reader] = cache(self._load)

    def close(self) -> None:
        """Remove what was laid together for the readers."""
        self._scratch.cleanup()

    def __enter__(self) -> Judges:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def models_for(self, set_name: str, *, crops: bool = False) -> Models:
        """Return the models that did not see a set; if all did, the first ones."""
        return next(
            (models for models in self.models if not models.saw(set_name, crops=crops)), self.models[0]
        )

    def of(self, set_name: str, *, crops: bool = False) -> Reader:
        """Return the reader of a set's pictures: of its photos, or of its given crops."""
        return self.reader(self.models_for(set_name, crops=crops))

    @property
    def any(self) -> Reader:
        """The reader of pictures that belong to no set."""
        return self.reader(self.models[0])

    def unseen(self, sets: Sequence[str], *, crops: bool = False) -> tuple[str, ...]:
        """Return the sets that are judged by models that never saw them."""
        return tuple(name for name in sets if not self.models_for(name, crops=crops).saw(name, crops=crops))

    def _load(self, models: Models) -> Reader:
        if models.folder is None:
            return Reader(None, self.threads)
        whole = Path(self._scratch.name) / models.name
        whole.mkdir()
        for packaged in _packaged().glob("*.onnx"):  # a fold trains what reads tiles, not what reads dice
            shutil.copyfile(packaged, whole / packaged.name)
        for own in models.folder.glob("*.onnx"):
            shutil.copyfile(own, whole / own.name)
        return Reader(whole, self.threads)


def trained_on(model: Path) -> frozenset[str] | None:
    """Return the sets that a model says it was trained on (`sets` of its ONNX metadata); None = it says
    nothing.

    Raises:
        ModelsMissing: if it is no model.
    """
    options = ort.SessionOptions()
    options.log_severity_level = 4
    try:
        session: Any = ort.InferenceSession(model.read_bytes(), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime has one kind for each way to be no model
        raise ModelsMissing(
            f"{model} is no model that onnxruntime can run: train or copy it again"
        ) from error
    told = session.get_modelmeta().custom_metadata_map.get("sets")
    return None if told is None else frozenset(re.findall(r"\w+", told))


def _packaged() -> Path:
    return Path(str(files("vision") / "models"))


def _models_in(folder: Path | None) -> tuple[Models, ...]:
    if folder is None:
        return (_models("packaged", None),)
    if not folder.is_dir():
        raise ModelsMissing(f"no folder of models {folder}")
    nets = {f"{net}.onnx" for net in (*FINDERS, NAMER)}
    places = [folder, *sorted(folder.iterdir())]
    found = [place for place in places if place.is_dir() and nets & {path.name for path in place.iterdir()}]
    if not found:
        raise ModelsMissing(f"no models ({', '.join(sorted(nets))}) in {folder}, nor in a folder below it")
    return tuple(_models(place.name, place) for place in ([folder] if folder in found else found))


def _models(name: str, folder: Path | None) -> Models:
    """Return what the nets of a folder, filled up with the packaged ones, were trained on."""

    places = ([] if folder is None else [folder]) + [_packaged()]

    def net(kind: str) -> Path | None:
        return next((path for place in places if (path := place / f"{kind}.onnx").is_file()), None)

    namer, finder = net(NAMER), next((path for kind in FINDERS if (path := net(kind)) is not None), None)
    if namer is None or finder is None:
        raise ModelsMissing("the packaged models are missing from this installation")
    saw = trained_on(namer), trained_on(finder)
    digest = hashlib.sha256(namer.read_bytes()).hexdigest()
    copy = next((path for place in places if (path := place / f"{NAMER}.int8.onnx").is_file()), None)
    is_int8 = copy is not None and facts_of(copy.read_bytes()).metadata.get(OF) == digest
    return Models(name, folder, *saw, digest[:12], is_int8)
