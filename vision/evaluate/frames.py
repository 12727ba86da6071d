"""How well the eyes read a folder of labelled frames: `python -m vision.evaluate DIR ... [--json] [--wrong]`.

DIR holds pictures and labels.jsonl as the twin's `samples` writes them. Prints exact figures; a reading is
*wrong and confident* when it is answered as sure and differs from the truth in anything (hand text, a die,
the lamp).
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.calibration import Calibration, Image, calibrate
from vision.errors import MarksNotFound, VisionError
from vision.eyes import Eyes
from vision.readings import BACK, HandReading, TileReading
from vision.sources import decode

MAKER = "python -m hardware.twin.renderer.samples"


class NoFrames(VisionError, RuntimeError):
    """There are no labelled frames: its text says why."""


@dataclass
class Figures:
    """Counts over all frames; `hand_ms` holds the time of each hand read."""

    counts: Counter[str] = field(default_factory=Counter)
    hand_ms: list[float] = field(default_factory=list)
    mixed_up: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def judge(self, kind: str, name: str, sure: bool, right: bool, told: str) -> None:
        """Count one answer of a kind (hand, dice, lamp, wall)."""
        self.counts[kind] += 1
        self.counts[f"{kind}_exact"] += sure and right
        self.counts[f"{kind}_right_unsure"] += right and not sure
        self.counts["wrong_and_confident"] += sure and not right
        self.counts[f"{kind}_wrong_and_confident"] += sure and not right
        if not (sure and right):
            self.wrong.append(f"{name} {kind}: {told}")

    def summary(self) -> dict[str, Any]:
        """Return the figures ready for JSON."""
        answer: dict[str, Any] = dict(sorted(self.counts.items()))
        if self.hand_ms:
            answer["hand_ms_median"] = round(float(np.median(self.hand_ms)), 1)
            answer["hand_ms_p95"] = round(float(np.percentile(self.hand_ms, 95)), 1)
        answer["mixed_up"] = dict(self.mixed_up.most_common(12))
        return answer


def truth_text(hand: dict[str, Any]) -> str:
    """Return the laid-out hand of a label in the form of `HandReading.text`."""
    parts = []
    for meld in hand["melds"]:
        faces = meld["faces"]
        if meld["kind"] == "concealed_kong":
            parts.append("(" + "".join(faces) + ")")
        else:
            plus = "+" if meld["kind"] == "added_kong" else ""
            source = "" if meld["source"] is None else f",{meld['source']}"
            parts.append("[" + "".join(sorted(faces)) + plus + source + "]")
    parts += hand["concealed"]
    if hand["win_tile"] is not None:
        parts += ["+", hand["win_tile"]]
    return " ".join(parts)


def labelled(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the label of each frame of a folder.

    Raises:
        NoFrames: if it holds none, or a line cannot be read.
    """
    path = folder / "labels.jsonl"
    try:
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                yield json.loads(line)
    except OSError as error:
        raise NoFrames(f"{path}: {error.strerror}; the twin writes such a folder ({MAKER})") from error
    except ValueError as error:
        raise NoFrames(f"{path}: no labels ({error}); the twin writes them ({MAKER})") from error


def read_frame(folder: Path, row: dict[str, Any]) -> Image:
    """Return the picture that a label belongs to."""
    try:
        return decode((folder / row["file"]).read_bytes())
    except OSError as error:
        raise NoFrames(f"{folder / row['file']}: {error.strerror}") from error


def evaluate(eyes: Eyes, folder: Path, figures: Figures) -> None:
    """Read every frame of a folder and count."""
    for row in labelled(folder):
        image = read_frame(folder, row)
        figures.counts["frames"] += 1
        try:
            calibration = calibrate(image)
        except MarksNotFound as error:
            figures.counts["frames_without_marks"] += 1
            figures.wrong.append(f"{row['file']} marks: {error}")
            continue
        _judge_hand(eyes, image, calibration, row, figures)
        _judge_rest(eyes, image, calibration, row, figures)


def _judge_hand(
    eyes: Eyes, image: Image, calibration: Calibration, row: dict[str, Any], figures: Figures
) -> None:
    shown = {tile["zone"] for tile in row["tiles"] if tile["zone"] and tile["face"] != "side"}
    for side in (1, 2, 3, 4):
        if side in shown and side != row["side"]:
            continue
        started = time.perf_counter()
        reading = eyes.read_hand(image, calibration, side)
        took = (time.perf_counter() - started) * 1000
        if side == row["side"]:
            figures.hand_ms.append(took)
            true = truth_text(row["hand"])
            figures.judge(
                "hand", row["file"], reading.is_sure, reading.text == true, _difference(reading, true)
            )
        else:
            figures.counts["bare_zones"] += 1
            figures.counts["bare_zones_with_tiles"] += bool(reading.tiles)
            figures.counts["wrong_and_confident"] += reading.is_sure
            figures.counts["bare_zones_wrong_and_confident"] += reading.is_sure
            if reading.tiles:
                figures.wrong.append(f"{row['file']} side {side}: tiles in a bare zone: {reading.text}")


def _difference(reading: HandReading, true: str) -> str:
    unsure = [f"{tile.best}@{tile.score:.2f}" for tile in reading.tiles if not tile.is_sure]
    got = reading.text or f"not laid out: {' '.join(tile.best for tile in reading.tiles)}"
    return f"true {true} | read {'=' if got == true else got} | unsure {' '.join(unsure)}"


def _judge_rest(
    eyes: Eyes, image: Image, calibration: Calibration, row: dict[str, Any], figures: Figures
) -> None:
    dice = eyes.read_dice(image, calibration)
    true_dice = sorted(die["pips"] for die in row["dice"])
    told = f"true {true_dice} read {[(die.pips, round(die.score, 3)) for die in dice.dice]}"
    if len(true_dice) == 2:
        right = dice.pips is not None and sorted(dice.pips) == true_dice
        figures.judge("dice", row["file"], dice.pips is not None, right, told)
    else:  # a missing or extra die must not be answered
        figures.counts["odd_dice"] += 1
        figures.counts["odd_dice_left_open"] += dice.pips is None
        if dice.pips is not None:
            figures.counts["wrong_and_confident"] += 1
            figures.wrong.append(f"{row['file']} odd dice: {told}")
    lamp = eyes.read_lamp(image, calibration)
    true_side = row["lamp"] or None
    right = lamp.side == true_side
    figures.judge("lamp", row["file"], True, right, f"true {true_side} read {lamp.side} {lamp.score}")
    wall = eyes.read_wall(image, calibration)
    true_wall = [sum(1 for height in side if height) for side in row["stacks"]] or [0, 0, 0, 0]
    figures.counts["wall"] += 1
    figures.counts["wall_exact"] += list(wall.stacks) == true_wall
    if list(wall.stacks) != true_wall:
        figures.wrong.append(f"{row['file']} wall: true {true_wall} read {list(wall.stacks)}")
    _judge_tiles(eyes.find_tiles(image, calibration), row, figures)


def _judge_tiles(found: Sequence[TileReading], row: dict[str, Any], figures: Figures) -> None:
    """Match all tiles of the frame by their places."""
    tops = [(t["x_mm"], t["y_mm"]) for t in row["tiles"] if t["layer"]]
    left = list(found)
    for tile in row["tiles"]:
        hidden = not tile["layer"] and any(math.dist(top, (tile["x_mm"], tile["y_mm"])) < 12 for top in tops)
        if tile["face"] == "side" or hidden:
            continue
        x, y = (sum(axis) / 4 for axis in zip(*tile["quad"], strict=True))
        near = [seen for seen in left if math.dist((x, y), _centre(seen)) < 14]
        if not near:
            figures.counts["tiles_missed"] += 1
            continue
        seen = min(near, key=lambda item: math.dist((x, y), _centre(item)))
        left.remove(seen)
        kind = "backs" if tile["face"] == BACK else "faces"
        figures.counts[kind] += 1
        figures.counts[f"{kind}_right"] += seen.tile == tile["face"]
        figures.counts[f"{kind}_unsure"] += not seen.is_sure
        if seen.is_sure and seen.tile != tile["face"]:
            figures.counts["tiles_wrong_and_confident"] += 1
            figures.mixed_up[f"{tile['face']}->{seen.tile}@{seen.score:.2f}"] += 1
    figures.counts["tiles_invented"] += len(left)
    figures.counts["tiles_invented_confident"] += sum(seen.is_sure for seen in left)


def _centre(seen: TileReading) -> tuple[float, float]:
    x, y, width, height = seen.box
    return x + width / 2, y + height / 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures of the folders; exit 1 if anything was wrong and confident."""
    parser = argparse.ArgumentParser(prog="python -m vision.evaluate", description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--threshold", type=float)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", action="store_true", dest="as_json")
    parser.add_argument("--wrong", action="store_true", help="also list every reading that is not exact")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(options.threads)
    eyes = Eyes(options.threshold, options.threads)
    eyes.warm_up()
    figures = Figures()
    try:
        for folder in options.folders:
            evaluate(eyes, folder, figures)
    except VisionError as error:
        parser.exit(1, f"{parser.prog}: {error}\n")
    summary = figures.summary()
    if options.as_json:
        print(json.dumps(summary, ensure_ascii=False))
    else:
        for key, value in summary.items():
            print(f"{key:28} {value}")
    if options.wrong:
        print("\n".join(figures.wrong))
    return 1 if figures.counts["wrong_and_confident"] else 0
