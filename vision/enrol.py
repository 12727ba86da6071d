"""Learning what a club's own tiles look like, from a photo of them laid out in order or from named pictures.

Nothing is learnt from a doubtful layout: every face must be there once, sharp, unlike the others, and where
the order says it is, as far as the net can tell.
"""

from __future__ import annotations

import datetime
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from .enrolment import Enrolment, Image
from .errors import EnrolmentRefused
from .namer import TileNamer
from .tiles import CLASSES

ROWS: tuple[tuple[str, ...], ...] = (
    *(tuple(f"{rank}{suit}" for rank in range(1, 10)) for suit in "mps"),
    tuple("ESWNCFP"),
)
"""The order in which the faces are laid out, row by row, left to right."""
FLOWER_ROW = tuple("abcdefgh")
"""A fifth row, if the set has flowers."""
ORDINARY = tuple(face for row in ROWS for face in row)
_RANKS = "一二三四五六七八九"
_SUITS = {"m": "万萬", "p": "饼筒餅", "s": "条索條"}
_OTHERS = {
    "E": ("东", "东风", "東"), "S": ("南", "南风"), "W": ("西", "西风"), "N": ("北", "北风"),
    "C": ("中", "红中"), "F": ("发", "发财", "發"), "P": ("白", "白板"),
    "a": ("春",), "b": ("夏",), "c": ("秋",), "d": ("冬",),
    "e": ("梅",), "f": ("兰", "蘭"), "g": ("菊",), "h": ("竹",),
}  # fmt: skip
_IN_CHINESE = {
    **{
        f"{written}{suit}": f"{rank}{key}"
        for rank, name in enumerate(_RANKS, 1)
        for key, suits in _SUITS.items()
        for suit in suits
        for written in (name, rank)
    },
    **{name: face for face, names in _OTHERS.items() for name in names},
}

AGREED = 0.65
"""Least part of the tiles that the net must read as the order says."""
SURE = 0.90
"""Chance from which the net contradicts the order."""
CONTRADICTED_MAX = 4
"""More tiles than this that are surely another face: the order is not what was said."""
ALIKE = 0.97
"""Cosine of two different faces that are one tile, photographed twice."""
SHARP = 0.012
"""Least sharpness (see `sharpness`) of the middle tile of a set."""
SHIFTS = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
"""Pixels that a crop is moved by: a prototype is the mean of what the net sees."""


@dataclass(frozen=True, slots=True)
class Enrolled:
    """What was learnt, and what the net alone made of it: the faces it read right and those it did not."""

    enrolment: Enrolment
    sharpness: float
    known: tuple[str, ...]
    new: tuple[str, ...]


def face_named(name: str) -> str | None:
    """Return the face that a file or folder is named by, as tile text or in Chinese; None if it is none.

    Chinese names also serve where a disk knows no large and small letters, so that `E` and `e` are one file.

    >>> face_named("5p"), face_named("五筒"), face_named("红中"), face_named("photo")
    ('5p', '5p', 'C', None)
    """
    name = unicodedata.normalize("NFC", name)
    return name if name in ORDINARY or name in FLOWER_ROW else _IN_CHINESE.get(name)


def order_of(rows: Sequence[int]) -> tuple[str, ...]:
    """Return the faces of rows of so many tiles.

    Raises:
        EnrolmentRefused: with code `rows` if they are not 9, 9, 9, 7 and perhaps 8 for the flowers.
    """
    wanted = [len(row) for row in ROWS]
    if list(rows) in (wanted, [*wanted, len(FLOWER_ROW)]):
        return ORDINARY if len(rows) == len(wanted) else (*ORDINARY, *FLOWER_ROW)
    seen = ", ".join(map(str, rows)) or "0"
    wrong = next((at for at, (a, b) in enumerate(zip(rows, wanted, strict=False)) if a != b), len(rows))
    row = (*ROWS, FLOWER_ROW)[wrong] if wrong <= len(ROWS) else ()
    missing = f"; row {wrong + 1} is {' '.join(row)}" if row else ""
    zh_row = f"；第 {wrong + 1} 行是 {' '.join(row)}" if row else ""
    raise EnrolmentRefused(
        "rows",
        f"rows of {seen} tiles are seen, wanted are rows of 9, 9, 9, 7 (and 8 flowers){missing}: lay them out"
        " with a gap between the rows, nothing else in the picture",
        f"看到各行 {seen} 张，应为 9、9、9、7 张（花牌第五行 8 张）{zh_row}：行间留空，画面里不要有别的东西",
    )


def enrol(namer: TileNamer, crops: Mapping[str, Sequence[Image]], *, keep: bool = False) -> Enrolled:
    """Return what a club's tiles look like to the net.

    Args:
        crops: one or more upright crops of each face, as the namer takes them.
        keep: the pictures, so that another model can learn them without a new photo.

    Raises:
        EnrolmentRefused: with code `missing`, `blurred`, `alike` or `order`.
    """
    missing = [face for face in ORDINARY if not crops.get(face)]
    if missing:
        names = " ".join(missing)
        raise EnrolmentRefused(
            "missing", f"no picture of {names}: all 34 faces are needed", f"缺 {names}：34 种牌都要有"
        )
    faces = tuple(face for face in (*ORDINARY, *FLOWER_ROW) if crops.get(face))
    of = tuple(face for face in faces for _ in crops[face])
    pictures = np.stack([crop for face in faces for crop in crops[face]])
    sharp = float(np.median([sharpness(picture) for picture in pictures]))
    if sharp < SHARP:
        raise EnrolmentRefused(
            "blurred",
            f"the picture is blurred (sharpness {sharp:.4f}, {SHARP} is needed): hold the camera still, clean"
            " the lens, more light",
            f"照片模糊（清晰度 {sharp:.4f}，至少 {SHARP}）：相机拿稳，擦镜头，光线亮一些",
        )
    known, new = _judged_by_net(namer, pictures, of)
    enrolment = learn(namer, pictures, of, faces, keep=keep)
    _refuse_twins(enrolment)
    return Enrolled(enrolment, sharp, known, new)


def learn(
    namer: TileNamer, pictures: Image, of: Sequence[str], faces: Sequence[str], *, keep: bool = False
) -> Enrolment:
    """Return prototypes of faces from crops (n, h, w, 3), of which `of` tells the faces, unchecked."""
    upright, turned = (_features(namer, side) for side in (pictures, pictures[:, ::-1, ::-1]))
    both = np.stack([upright, turned], axis=1)
    owner = np.array([list(faces).index(face) for face in of])
    means = np.stack([both[owner == index].mean(axis=0) for index in range(len(faces))])
    centre = means.mean(axis=(0, 1))
    away = means - centre
    away /= np.maximum(np.linalg.norm(away, axis=2, keepdims=True), 1e-6)
    return Enrolment(
        tuple(faces),
        tuple(CLASSES.index(face) for face in faces),
        centre.astype(np.float32),
        away.astype(np.float32),
        namer.digest,
        datetime.datetime.now(datetime.UTC).date().isoformat(),
        pictures if keep else None,
        tuple(of) if keep else (),
    )


def learnt_again(namer: TileNamer, enrolment: Enrolment) -> Enrolment | None:
    """Return an enrolment for this namer: the same if it was made for it, made anew from kept pictures if
    not, None if there are none."""
    if enrolment.model == namer.digest:
        return enrolment
    if enrolment.pictures is None:
        return None
    pictures = np.stack([_as_taken(picture, namer.crop_px) for picture in enrolment.pictures])
    return learn(namer, pictures, enrolment.of, enrolment.faces, keep=True)


def _as_taken(picture: Image, crop_px: tuple[int, int]) -> Image:
    """Return a kept crop in the size that a namer takes."""
    shrinks = picture.shape[1] >= crop_px[0] and picture.shape[0] >= crop_px[1]
    method = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, crop_px, interpolation=method), dtype=np.uint8)


def sharpness(picture: Image) -> float:
    """Return the part of a crop's contrast that is in its finest detail, 0 to about 0.3."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    fine = grey - cv2.GaussianBlur(grey, (0, 0), 1.0)
    return float(fine.var() / max(float(grey.var()), 1.0))


def _features(namer: TileNamer, pictures: Image) -> NDArray[np.float64]:
    """Return the mean features (n, D) over small moves of each picture."""
    moved = [np.roll(pictures, shift, axis=(1, 2)) for shift in SHIFTS]
    return np.asarray(np.mean([namer.features(one) for one in moved], axis=0), dtype=np.float64)


def _judged_by_net(
    namer: TileNamer, pictures: Image, of: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the faces that the net alone reads as told, and the others.

    Raises:
        EnrolmentRefused: with code `order` if it contradicts too often.
    """
    best = [vote.best(1)[0] for vote in namer.name(pictures)]
    right = [read == face for (read, _), face in zip(best, of, strict=True)]
    against = {
        face: read
        for (read, chance), face in zip(best, of, strict=True)
        if read != face and chance >= SURE and read in ORDINARY
    }
    swapped = [face for face, read in against.items() if against.get(read) == face]
    if sum(right) < AGREED * len(right) or len(against) > CONTRADICTED_MAX or swapped:
        shown = {face: against[face] for face in swapped} or against
        told = ", ".join(f"{face} looks like {read}" for face, read in list(shown.items())[:6])
        zh_told = "，".join(f"{face} 像 {read}" for face, read in list(shown.items())[:6])
        raise EnrolmentRefused(
            "order",
            f"the order is doubtful: {sum(right)} of {len(right)} tiles look as they should"
            f"{'; ' + told if told else ''}. Lay them out again, upright, in the order asked for",
            f"顺序可疑：{len(right)} 张里只有 {sum(right)} 张对得上{'；' + zh_told if zh_told else ''}。"
            "请按要求的顺序正着重摆一遍",
        )
    known = {face for is_right, face in zip(right, of, strict=True) if is_right}
    return tuple(dict.fromkeys(face for face in of if face in known)), tuple(
        dict.fromkeys(face for face in of if face not in known)
    )


def _refuse_twins(enrolment: Enrolment) -> None:
    """Refuse two faces that look like one tile."""
    upright = enrolment.prototypes[:, 0]
    cosines = upright @ upright.T
    np.fill_diagonal(cosines, -1.0)
    first, second = np.unravel_index(int(np.argmax(cosines)), cosines.shape)
    if cosines[first, second] >= ALIKE:
        names = [enrolment.faces[index] for index in sorted((int(first), int(second)))]
        raise EnrolmentRefused(
            "alike",
            f"{names[0]} and {names[1]} look like the same tile: put the right tile in its place",
            f"{names[0]} 和 {names[1]} 看上去是同一张牌：换成对的牌",
        )
