"""What a club's own tiles look like: one small file beside the ledger, and its say in the namer's votes.

For each face that was laid out there are two prototypes, what the namer's last hidden layer saw in it
upright and upside down. A tile is compared with all of them; the comparison and the net's own chances are
multiplied (a geometric mean with the share `SHARE`). Both can object: a face becomes likely only if the net
does not rule it out and it looks like the club's tile. The file holds no pictures unless the club wants them.
"""

from __future__ import annotations

import io
import os
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .errors import EnrolmentRefused
from .tiles import CLASSES

Floats = NDArray[np.float32]
Image = NDArray[np.uint8]
Chances = NDArray[np.float64]

VERSION = 1
SHARE = 0.5
"""Part that the prototypes have in a vote, the net has the rest."""
SHARPNESS = 24.0
"""How fast a chance falls with the distance from a prototype (1 - cosine). From 14 to 36 the same tiles are
right, and ever more are sure; none wrong (NOTEBOOK, runtime)."""
STRANGER = 0.6
"""Likeness (cosine) given to what was not laid out: backs, strange pictures, flowers nobody enrolled. With
0.6 no more of them are taken for a tile than without enrolment, with 0.45 a fifth more (NOTEBOOK)."""
LEAST_CHANCE = 1e-6
MAX_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Enrolment:
    """Prototypes of a club's faces.

    Attributes:
        faces: tile text of the faces that were laid out (k).
        columns: the place of each in the namer's answer (k).
        centre: what all faces have in common (D).
        prototypes: (k, 2, D) of length 1, upright and upside down, less the centre.
        model: SHA-256 of the namer's file; features of another file mean something else.
        made_at: date, ISO 8601.
        pictures: the crops (n, h, w, 3) uint8 BGR if the club wanted them kept, and `of` the face of each.
    """

    faces: tuple[str, ...]
    columns: tuple[int, ...]
    centre: Floats
    prototypes: Floats
    model: str
    made_at: str
    pictures: Image | None = None
    of: tuple[str, ...] = ()

    def likeness(self, features: Floats) -> Floats:
        """Return how much features (m, D) look like each face (m, k): the better cosine of its two sides."""
        away = features - self.centre
        away /= np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-6)
        flat = self.prototypes.reshape(-1, self.prototypes.shape[-1])
        cosines = (away @ flat.T).reshape(len(features), len(self.faces), 2)
        return np.asarray(cosines.max(axis=2), dtype=np.float32)

    def mixed(self, chances: Chances, features: Floats) -> Chances:
        """Return the net's chances (m, classes), each row sums to 1, with what the club's tiles say."""
        like = np.full(chances.shape, STRANGER)
        like[:, list(self.columns)] = self.likeness(features)
        logs = (1.0 - SHARE) * np.log(np.maximum(chances, LEAST_CHANCE)) + SHARE * SHARPNESS * like
        logs -= logs.max(axis=1, keepdims=True)
        mixed = np.exp(logs)
        return np.asarray(mixed / mixed.sum(axis=1, keepdims=True), dtype=np.float64)

    def save(self, path: Path) -> None:
        """Write the file in one step: it is the old one or the new one, never half of one."""
        arrays = {
            "version": np.array(VERSION),
            "faces": np.array(self.faces),
            "columns": np.array(self.columns, dtype=np.int16),
            "centre": self.centre.astype(np.float16),
            "prototypes": self.prototypes.astype(np.float16),
            "model": np.array(self.model),
            "made_at": np.array(self.made_at),
        }
        if self.pictures is not None:
            arrays |= {"pictures": self.pictures, "of": np.array(self.of)}
        packed = io.BytesIO()
        np.savez_compressed(packed, allow_pickle=False, **arrays)
        path.parent.mkdir(parents=True, exist_ok=True)
        half = path.with_name(path.name + ".new")
        with half.open("wb") as file:
            file.write(packed.getvalue())
            file.flush()
            os.fsync(file.fileno())
        half.replace(path)


def load_enrolment(path: Path) -> Enrolment | None:
    """Return what was enrolled, None if nothing was.

    Raises:
        EnrolmentRefused: with code `file`: not a file of ours, or damaged.
    """
    try:
        if not path.exists():
            return None
        if path.stat().st_size > MAX_BYTES:
            raise ValueError("too large")
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
            return _checked(dict(stored))
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile, EOFError) as error:
        raise EnrolmentRefused(
            "file",
            f"the enrolment {path} cannot be used ({error}): enrol again",
            f"登记文件 {path} 用不了（{error}）：请重新登记",
        ) from error


def _checked(stored: dict[str, NDArray[np.generic]]) -> Enrolment:
    """Return the arrays as a value; whatever does not fit together is a ValueError."""
    if int(stored["version"]) != VERSION:
        raise ValueError(f"version {stored['version']}")
    faces = tuple(str(face) for face in stored["faces"])
    columns = tuple(int(column) for column in stored["columns"].astype(np.int64))
    centre = np.asarray(stored["centre"], dtype=np.float32)
    prototypes = np.asarray(stored["prototypes"], dtype=np.float32)
    if prototypes.shape != (len(faces), 2, len(centre)) or len(columns) != len(faces) or not faces:
        raise ValueError("its parts do not fit together")
    if not (np.isfinite(prototypes).all() and np.isfinite(centre).all() and min(columns) >= 0):
        raise ValueError("numbers that are none")
    if [CLASSES[column] if column < len(CLASSES) else "" for column in columns] != list(faces):
        raise ValueError("its faces are not those of these models")
    pictures, of = stored.get("pictures"), tuple(str(face) for face in stored.get("of", ()))
    if pictures is not None and (pictures.ndim != 4 or pictures.shape[-1] != 3 or len(of) != len(pictures)):
        raise ValueError("its pictures are none")
    return Enrolment(
        faces,
        columns,
        centre,
        prototypes,
        str(stored["model"]),
        str(stored["made_at"]),
        None if pictures is None else np.asarray(pictures, dtype=np.uint8),
        of,
    )
