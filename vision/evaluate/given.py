"""Figures of given crops: upright, turned, foreign tiles, and pictures without any tile."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.readings import UNSURE

from . import cuts, metrics
from .bench import Bench
from .metrics import Answer
from .photos import FACES, FLOWERS, FOREIGN, ORDINARY, Crop

Image = NDArray[np.uint8]

QUICK_CROPS = 60
TURNS: tuple[tuple[str, float, bool], ...] = (
    ("90", 90.0, True),
    ("180", 180.0, True),
    ("270", 270.0, True),
    ("+15", 15.0, True),
    ("-15", -15.0, True),
    ("+15 cut", 15.0, False),
    ("-15 cut", -15.0, False),
)
"""Name, degrees counter-clockwise, and whether the picture grows (corners of felt) or is cut to its size."""
SWEEP = range(0, 360, 15)
SWEEP_PER_SET = 10
PEER_PER_SET = 12
"""Crops of a set that the peer is asked for when many pictures are made of each."""
PEER_TILE_PX, PEER_SIDE_PX = 64, 640
"""A single tile as the peer reads it best (vision.md section 4): 64 pixels high in the middle of 640."""
FELT_PATCHES = 24


def crops(bench: Bench) -> dict[str, Any]:
    """Return accuracy, acceptance, calibration curve and mix-ups of the given crops."""
    chosen = bench.sample(bench.photos.crops, QUICK_CROPS, "crops")
    answers = _answers(bench, chosen)
    known = [answer for answer in answers if answer.face in FACES]
    figures: dict[str, Any] = {
        "all34": metrics.accuracy(known, ORDINARY),
        "all42": metrics.accuracy(known, FACES),
        "flowers": metrics.accuracy(known, FLOWERS),
        "acceptance": metrics.acceptance(known, FACES),
        "x": metrics.foreign([answer for answer in answers if answer.face == FOREIGN]),
        "calibration": metrics.calibration(known, FACES),
        "mix_ups": metrics.mix_ups(known),
    }
    if bench.peer is not None:
        figures["peer"] = _peer_crops(bench, chosen)
    return figures


def _answers(bench: Bench, chosen: Sequence[Crop]) -> list[Answer]:
    answers = []
    for crop in chosen:
        said = bench.judges.of(crop.set, crops=True).name(bench.picture(crop.path))
        answers.append(Answer(crop.set, crop.face, said.best, said.told, said.score, bench.name(crop.path)))
    return answers


def _peer_crops(bench: Bench, chosen: Sequence[Crop]) -> dict[str, Any]:
    """Return the peer's accuracy on the 34 faces it knows: crops as they are, and set as it likes them."""
    assert bench.peer is not None
    plain: list[Answer] = []
    canvas: list[Answer] = []
    foreign: list[Answer] = []
    for crop in chosen:
        if crop.face in FLOWERS:
            continue
        image = bench.picture(crop.path)
        set_out = cuts.centred(image, PEER_TILE_PX, PEER_SIDE_PX, bench.rng("canvas", crop.path.name))
        said = bench.peer.best(set_out)
        if crop.face == FOREIGN:
            foreign.append(Answer(crop.set, crop.face, said, said or UNSURE, 1.0))
            continue
        canvas.append(Answer(crop.set, crop.face, said, said or UNSURE, 1.0))
        said = bench.peer.best(image)
        plain.append(Answer(crop.set, crop.face, said, said or UNSURE, 1.0))
    return {
        "as_given": metrics.accuracy(plain, ORDINARY),
        "centred": metrics.accuracy(canvas, ORDINARY),
        "acceptance": metrics.acceptance(canvas, ORDINARY),
        "x": metrics.foreign(foreign),
    }


def _per_set(bench: Bench, count: int, part: str) -> list[Crop]:
    """Return a random few crops of each set with known faces."""
    sets: dict[str, list[Crop]] = defaultdict(list)
    for crop in bench.photos.crops:
        if crop.face in FACES:
            sets[crop.set].append(crop)
    count = min(count, 2) if bench.quick else count
    chosen: list[Crop] = []
    for name in sorted(sets):
        picks = bench.rng(part, name).permutation(len(sets[name]))[:count]
        chosen += [sets[name][index] for index in sorted(picks)]
    return chosen


def _turned(bench: Bench, crop: Crop, degrees: float, grow: bool = True) -> Image:
    rng = bench.rng("turn", crop.path.name, degrees)
    return cuts.turned(cuts.Picture(bench.picture(crop.path), ()), degrees, rng, grow=grow).image


def turned(bench: Bench) -> dict[str, Any]:
    """Return the accuracy of crops turned by right angles and by 15 degrees, and the loss in points."""
    everything = [crop for crop in bench.photos.crops if crop.face in FACES]
    chosen = bench.sample(everything, QUICK_CROPS // 2, "turned")
    answers: dict[str, list[Answer]] = defaultdict(list)
    for crop in chosen:
        reader = bench.judges.of(crop.set, crops=True)
        for name, degrees, grow in (("0", 0.0, True), *TURNS):
            said = reader.name(_turned(bench, crop, degrees, grow))
            answers[name].append(Answer(crop.set, crop.face, said.best, said.told, said.score))
    figures = {name: _losses(group, answers["0"]) for name, group in answers.items()}
    told: dict[str, Any] = {"turns": figures}
    if bench.peer is not None:
        told["peer"] = _peer_turned(bench)
    return told


def _losses(group: Sequence[Answer], upright: Sequence[Answer]) -> dict[str, Any]:
    """Return what turned crops reach and how many points fewer that is: of the mean of the sets, and of the
    set that loses most."""
    figures: dict[str, Any] = {}
    for key, faces in (("all34", ORDINARY), ("all42", FACES)):
        figures[key] = after = metrics.accuracy(group, faces)
        before = metrics.accuracy(upright, faces)
        lost = [100 * (row[2] - after["sets"][name][2]) for name, row in before["sets"].items()]
        mean = None if not lost else round(100 * (before["mean"] - after["mean"]), 3)
        figures[f"{key}_loss_points"] = mean
        figures[f"{key}_worst_loss_points"] = round(max(lost), 3) if lost else None
    figures["acceptance"] = metrics.acceptance(group, FACES)
    return figures


def _peer_turned(bench: Bench) -> dict[str, Any]:
    assert bench.peer is not None
    right: dict[str, list[Answer]] = defaultdict(list)
    for crop in _per_set(bench, PEER_PER_SET, "peer turned"):
        if crop.face not in ORDINARY:
            continue
        for name, degrees, grow in (("0", 0.0, True), *TURNS):
            image = _turned(bench, crop, degrees, grow)
            rng = bench.rng("canvas", crop.path.name, name)
            said = bench.peer.best(cuts.centred(image, PEER_TILE_PX, PEER_SIDE_PX, rng))
            right[name].append(Answer(crop.set, crop.face, said, said or UNSURE, 1.0))
    return {name: metrics.accuracy(group, ORDINARY) for name, group in right.items()}


def sweep(bench: Bench) -> dict[str, Any]:
    """Return the part of a few crops of each set that is named right, at every 15 degrees."""
    chosen = _per_set(bench, SWEEP_PER_SET, "sweep")
    curve: dict[str, list[float | None]] = {}
    for degrees in SWEEP if not bench.quick else (0, 90, 195):
        answers = []
        for crop in chosen:
            said = bench.judges.of(crop.set, crops=True).name(_turned(bench, crop, float(degrees)))
            answers.append(Answer(crop.set, crop.face, said.best, said.told, said.score))
        accepted = metrics.acceptance(answers, FACES)
        curve[str(degrees)] = [
            metrics.accuracy(answers, FACES)["pooled"],
            accepted["accepted_part"],
            accepted["wrong_part"],
        ]
    return {"n": len(chosen), "degrees": curve}


def nothing(bench: Bench) -> dict[str, Any]:
    """Return how many tiles are told, surely, where there is none: photos of dice, plain felt."""
    reader = bench.judges.any
    files = bench.sample(bench.photos.without_tiles, 3, "dice")[:: 1 if bench.quick else 5]
    told: dict[str, Any] = {}
    sure = [
        [item.face for item in reader.look(bench.picture(path)).found if item.face != UNSURE]
        for path in files
    ]
    told["dice_photos"] = len(sure)
    told["tiles_in_dice_photos"] = sum(len(found) for found in sure)
    if bench.peer is not None:
        told["peer_tiles_in_dice_photos"] = sum(
            len(bench.peer.look(bench.picture(path)).found) for path in files
        )
    patches = [
        cuts.felt(320, 480, bench.rng("patch", index)) for index in range(3 if bench.quick else FELT_PATCHES)
    ]
    told["felt_patches"] = len(patches)
    told["tiles_on_felt"] = sum(item.face != UNSURE for patch in patches for item in reader.look(patch).found)
    return told
