"""`see tiles|dice|lamp`: what the eyes read in pictures, one line per picture."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from controller.cli.errors import CliError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision import Calibration, Eyes, TileReading

    Picture = NDArray[np.uint8]
    Answer = Callable[[Eyes, Picture, Calibration | None], dict[str, Any]]

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)

Images = Annotated[list[Path], typer.Argument(metavar="IMAGE...", help="JPEG or PNG files.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line instead of text.")]
Threshold = Annotated[
    float | None,
    typer.Option(min=0.0, max=1.0, help="Least score of an answer; 0 always answers. Default: as measured."),
]
CalibrationFile = Annotated[
    Path | None,
    typer.Option(
        "--calibration", metavar="FILE", help="Calibration as JSON; default: the table marks of each picture."
    ),
]


@app.callback()
def _see() -> None:
    """Read tiles, dice or the dealer lamp from pictures."""


@app.command("tiles")
def tiles(
    images: Images,
    as_json: AsJson = False,
    crop: Annotated[
        bool, typer.Option("--crop", help="Each picture is one tile, upright, filling it.")
    ] = False,
    threshold: Threshold = None,
    calibration: CalibrationFile = None,
) -> None:
    """Name the tiles in each picture: tile text, back, or ? when not sure."""

    def answer(eyes: Eyes, image: Picture, table: Calibration | None) -> dict[str, Any]:
        if crop:
            reading = eyes.name_crop(image)
            return {"tile": reading.tile, "score": reading.score}
        return {"tiles": [_tile(reading) for reading in eyes.find_tiles(image, table)]}

    _answer_all(images, answer, as_json, threshold, calibration, needs_table=not crop)


@app.command("dice")
def dice(
    images: Images, as_json: AsJson = False, threshold: Threshold = None, calibration: CalibrationFile = None
) -> None:
    """Read the pips of each die in each picture."""

    def answer(eyes: Eyes, image: Picture, table: Calibration | None) -> dict[str, Any]:
        reading = eyes.read_dice(image, table)
        return {
            "dice": [
                {"pips": die.pips, "box": list(die.box), "score": round(die.score, 4)} for die in reading.dice
            ]
        }

    _answer_all(images, answer, as_json, threshold, calibration)


@app.command("lamp")
def lamp(
    images: Images, as_json: AsJson = False, threshold: Threshold = None, calibration: CalibrationFile = None
) -> None:
    """Tell which side's dealer lamp is lit in each picture."""

    def answer(eyes: Eyes, image: Picture, table: Calibration | None) -> dict[str, Any]:
        if table is None:  # without the marks nobody knows where the lamps are
            return {"lamp": {"side": None, "score": 0.0}}
        reading = eyes.read_lamp(image, table)
        sure = threshold is None or reading.score >= threshold
        return {"lamp": {"side": reading.side if sure else None, "score": reading.score}}

    _answer_all(images, answer, as_json, threshold, calibration)


def _tile(reading: TileReading) -> dict[str, Any]:
    return {"tile": reading.tile, "box": list(reading.box), "angle": reading.angle, "score": reading.score}


def _answer_all(
    images: list[Path],
    answer: Answer,
    as_json: bool,
    threshold: float | None,
    calibration: Path | None,
    needs_table: bool = True,
) -> None:
    """Answer every picture in order; exit 1 if one could not be read."""
    from vision import Eyes, PictureRefused
    from vision.pictures import read_picture

    given = _given_calibration(calibration)
    eyes = Eyes(threshold)
    eyes.warm_up()
    refused = 0
    for path in images:
        line: dict[str, Any] = {"file": str(path)}
        try:
            image = read_picture(path)
            started = time.perf_counter()
            table = _table_of(image, given) if needs_table else None
            line |= answer(eyes, image, table)
            line["ms"] = round((time.perf_counter() - started) * 1000, 1)
        except PictureRefused as error:
            refused += 1
            line["error"] = {"code": error.code, "message": str(error)}
        print(json.dumps(line, ensure_ascii=False) if as_json else _in_words(line), flush=True)
    if refused:
        raise CliError(f"{refused} of {len(images)} pictures could not be read")


def _given_calibration(path: Path | None) -> Calibration | None:
    if path is None:
        return None
    from vision import Calibration, VisionError

    try:
        return Calibration.from_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, VisionError) as error:
        raise CliError(f"calibration {path}: {error}") from error


def _table_of(image: Picture, given: Calibration | None) -> Calibration | None:
    """Return the given calibration if it is one for pictures of this size, else what the table marks say."""
    from vision import MarksNotFound, PictureRefused, calibrate

    if given is not None:
        width, height = given.size_px
        if (height, width) != image.shape[:2]:
            raise PictureRefused(
                "wrong_size", f"the calibration is for pictures of {width} x {height} pixels"
            )
        return given
    try:
        return calibrate(image)
    except MarksNotFound:
        return None


def _in_words(line: dict[str, Any]) -> str:
    """Return one answer as text for people."""
    if "error" in line:
        return f"{line['file']}: {line['error']['message']}"
    if "tiles" in line:
        seen = line["tiles"]
        text = " ".join(tile["tile"] for tile in seen) if seen else "no tiles"
        return f"{line['file']}: {text}"
    if "tile" in line:
        return f"{line['file']}: {line['tile']} ({line['score']:.0%})"
    if "dice" in line:
        pips = ["?" if die["pips"] is None else str(die["pips"]) for die in line["dice"]]
        return f"{line['file']}: " + (" ".join(pips) if pips else "no dice")
    side = line["lamp"]["side"]
    return f"{line['file']}: " + ("no lamp" if side is None else f"lamp of side {side}")


if __name__ == "__main__":
    app(sys.argv[1:])
