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
    from vision.eyes import Part
    from vision.pictures import Picture

    Image = NDArray[np.uint8]
    Answer = Callable[[Eyes, Image, Calibration | None], dict[str, Any]]

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)

Images = Annotated[
    list[Path],
    typer.Argument(
        metavar="IMAGE...", help="JPEG, PNG, WebP, BMP or GIF files (of a moving picture the first)."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line instead of text.")]
Threshold = Annotated[
    float | None,
    typer.Option(min=0.0, max=1.0, help="Least score of an answer; 0 always answers. Default: as measured."),
]
Threads = Annotated[int, typer.Option(help="Processor cores that one look may use.", min=1, max=8)]
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
        bool, typer.Option("--crop", help="Each picture is one tile that fills it, any edge up.")
    ] = False,
    threshold: Threshold = None,
    calibration: CalibrationFile = None,
    threads: Threads = 2,
) -> None:
    """Name the tiles in each picture: tile text, back, or ? when not sure."""

    def answer(eyes: Eyes, image: Image, table: Calibration | None) -> dict[str, Any]:
        if crop:
            reading = eyes.name_crop(image)
            return {"tile": reading.tile, "score": reading.score}
        return {"tiles": [_tile(reading) for reading in eyes.find_tiles(image, table)]}

    parts: tuple[Part, ...] = ("faces",) if crop else ("places", "pictures", "faces")
    _answer_all(images, answer, as_json, (threshold, threads), calibration, parts, needs_table=not crop)


@app.command("dice")
def dice(
    images: Images,
    as_json: AsJson = False,
    threshold: Threshold = None,
    calibration: CalibrationFile = None,
    threads: Threads = 2,
) -> None:
    """Read the pips of each die in each picture."""

    def answer(eyes: Eyes, image: Image, table: Calibration | None) -> dict[str, Any]:
        reading = eyes.read_dice(image, table)
        return {
            "dice": [
                {"pips": die.pips, "box": list(die.box), "score": round(die.score, 4)} for die in reading.dice
            ]
        }

    _answer_all(images, answer, as_json, (threshold, threads), calibration, ("dice",))


@app.command("lamp")
def lamp(
    images: Images,
    as_json: AsJson = False,
    threshold: Threshold = None,
    calibration: CalibrationFile = None,
    threads: Threads = 2,
) -> None:
    """Tell which side's dealer lamp is lit in each picture."""

    def answer(eyes: Eyes, image: Image, table: Calibration | None) -> dict[str, Any]:
        if table is None:  # without the marks nobody knows where the lamps are
            return {"lamp": {"side": None, "score": 0.0}}
        reading = eyes.read_lamp(image, table)
        sure = threshold is None or reading.score >= threshold
        return {"lamp": {"side": reading.side if sure else None, "score": reading.score}}

    _answer_all(images, answer, as_json, (threshold, threads), calibration, ())


def _tile(reading: TileReading) -> dict[str, Any]:
    return {"tile": reading.tile, "box": list(reading.box), "angle": reading.angle, "score": reading.score}


def _answer_all(
    images: list[Path],
    answer: Answer,
    as_json: bool,
    given: tuple[float | None, int],
    calibration: Path | None,
    parts: tuple[Part, ...],
    needs_table: bool = True,
) -> None:
    """Answer every picture in order; exit 1 if one could not be read. `given` are threshold and threads."""
    import cv2

    from vision import Eyes, PictureRefused, VisionError
    from vision.pictures import read_picture

    known = _given_calibration(calibration)
    cv2.setNumThreads(given[1])
    try:
        eyes = Eyes(*given)
        eyes.warm_up(parts)
    except VisionError as error:
        raise CliError(str(error)) from error
    refused = 0
    for path in images:
        line: dict[str, Any] = {"file": str(path)}
        table = None
        try:
            picture = read_picture(path, whole=known is not None)
            started = time.perf_counter()
            table = _table_of(picture.image, known) if needs_table else None
            line |= _in_file(answer(eyes, picture.image, table), picture)
            line["ms"] = round((time.perf_counter() - started) * 1000, 1)
        except PictureRefused as error:
            refused += 1
            line["error"] = {"code": error.code, "message": str(error), "zh": error.zh}
        told = json.dumps(line, ensure_ascii=False) if as_json else _in_words(line, table is not None)
        print(told, flush=True)
    if refused:
        raise CliError(f"{refused} of {len(images)} pictures could not be read")


def _in_file(told: dict[str, Any], picture: Picture) -> dict[str, Any]:
    """Return an answer with its boxes in pixels of the file: very large pictures are shrunk to be read."""
    for item in (*told.get("tiles", ()), *told.get("dice", ())):
        item["box"] = list(picture.box_in_file(item["box"]))
    return told


def _given_calibration(path: Path | None) -> Calibration | None:
    if path is None:
        return None
    from vision import Calibration, VisionError

    try:
        return Calibration.from_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CliError(f"calibration {path}: {error.strerror}") from error
    except (UnicodeDecodeError, VisionError) as error:
        why = str(error) if isinstance(error, VisionError) else "is no text"
        raise CliError(
            f"calibration {path}: {why}; give a file written by vision calibrate --out"
            " / 用不了，它应是 vision calibrate --out 写出的文件"
        ) from error


def _table_of(image: Image, given: Calibration | None) -> Calibration | None:
    """Return the given calibration if it is one for pictures of this size, else what the table marks say."""
    from vision import MarksNotFound, PictureRefused, calibrate

    if given is not None:
        width, height = given.size_px
        if (height, width) != image.shape[:2]:
            raise PictureRefused(
                "wrong_size",
                f"the calibration is for pictures of {width} x {height} pixels: calibrate for this camera",
                f"标定是给 {width} x {height} 像素的图片做的：给这台相机重新标定",
            )
        return given
    try:
        return calibrate(image)
    except MarksNotFound:
        return None


def _in_words(line: dict[str, Any], knows_table: bool) -> str:
    """Return one answer as text for people; a lamp needs the table's place."""
    if "error" in line:
        return f"{line['file']}: {line['error']['zh']} / {line['error']['message']}"
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
    if not knows_table:
        zh, en = "找不到桌面，vision calibrate 会说原因", "the table is not found: vision calibrate tells why"
        return f"{line['file']}: {zh} / {en}"
    return f"{line['file']}: " + ("no lamp" if side is None else f"lamp of side {side}")


if __name__ == "__main__":
    app(sys.argv[1:])
