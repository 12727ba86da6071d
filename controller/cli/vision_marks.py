"""`vision marks|calibrate|lens`: print the table's marks, measure the camera's place, measure its lens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from controller.cli.errors import CliError

if TYPE_CHECKING:
    from vision.lens import Lens
    from vision.marks import Sighting

TROUBLES = {
    "missing": "not seen: covered, or out of the picture",
    "blurred": "out of focus",
    "dark": "too little light on it",
    "glare": "a lamp is mirrored in it",
    "small": "too small in the picture",
}
AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of text.")]


def marks(
    pdf: Annotated[Path, typer.Option("--pdf", metavar="FILE", help="Where the PDF is written.")],
    paper: Annotated[Literal["A4", "A3", "Letter"], typer.Option(help="Size of the paper.")] = "A4",
) -> None:
    """Write the table's four marks, to print and cut out, and the board that measures a lens."""
    from vision.sheet import marks_pdf

    _write(pdf, marks_pdf(paper))
    typer.echo(f"{pdf}: 2 pages {paper}; print at 100 %, the ruler must measure 100 mm")


def calibrate(
    image: Annotated[Path, typer.Argument(metavar="IMAGE", help="A picture of the table: JPEG or PNG.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write the calibration, for see --calibration."),
    ] = None,
    lens: Annotated[
        Path | None, typer.Option("--lens", metavar="FILE", help="The camera's lens, from vision lens.")
    ] = None,
    before: Annotated[
        Path | None,
        typer.Option(
            "--before", metavar="FILE", help="An earlier calibration: tell how far the camera moved."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find the table by its marks: which are seen, how well, and how far they are from where they were."""
    from vision import Calibration, VisionError
    from vision.calibration import calibrate_marks
    from vision.drift import compare
    from vision.marks import sight
    from vision.pictures import read_picture

    try:
        known = None if lens is None else _lens(lens)
        old = None if before is None else Calibration.from_json(_text(before))
        seen = sight(read_picture(image, whole=True).image)
        made = calibrate_marks(seen.corners, seen.size_px, known)
    except VisionError as error:
        raise CliError(f"{image}: {error}") from error
    drift = None if old is None or old.size_px != made.size_px else compare(old, made)
    if out is not None:
        _write(out, made.to_json().encode())
    told = {
        "file": str(image),
        "marks": list(made.marks),
        "moved": list(made.moved),
        "troubles": [{"mark": number, "trouble": trouble} for number, trouble in seen.troubles],
        "error_px": made.error_px,
        "k1": None if made.lens is None else round(made.lens.k1, 5),
        "camera_mm": [round(value) for value in made.camera_mm],
        "drift_mm": None if drift is None else drift.mm,
    }
    if as_json:
        typer.echo(json.dumps(told))
        return
    for line in _in_words(seen, made.moved):
        typer.echo(line)
    typer.echo(f"{image}: the table is found by marks {_list(made.marks)}, {made.error_px:.2f} px off")
    if drift is not None:
        word = "moved" if drift.is_move else "still"
        typer.echo(f"camera: {word}, {drift.mm:.1f} mm on the table ({drift.px:.1f} px)")


def lens(
    images: Annotated[list[Path], typer.Argument(metavar="IMAGE...", help="Pictures of the lens board.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the lens is written.")],
    as_json: AsJson = False,
) -> None:
    """Measure a camera's lens from pictures of the board (last page of vision marks)."""
    from vision import VisionError
    from vision.lens_board import measure_lens
    from vision.pictures import read_picture

    try:
        report = measure_lens([read_picture(path, whole=True).image for path in images])
    except VisionError as error:
        raise CliError(str(error)) from error
    _write(out, report.lens.to_json().encode())
    if as_json:
        told = {**report.lens.to_plain(), "error_px": report.error_px, "pictures": report.pictures}
        typer.echo(json.dumps({**told, "k1_sigma": round(report.k1_sigma, 6)}))
        return
    typer.echo(
        f"{out}: from {report.pictures} pictures, {report.error_px:.2f} px off; k1 {report.lens.k1:+.2%} "
        f"± {report.k1_sigma:.2%} at the picture's corner"
    )


def _in_words(seen: Sighting, moved: tuple[int, ...]) -> list[str]:
    lines = [f"mark {number}: {TROUBLES[trouble]}" for number, trouble in seen.troubles]
    return lines + [f"mark {number}: does not lie on its place and is left out" for number in moved]


def _list(numbers: tuple[int, ...]) -> str:
    return ", ".join(str(number) for number in numbers)


def _lens(path: Path) -> Lens:
    from vision.lens import Lens

    return Lens.from_json(_text(path))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CliError(f"{path}: {getattr(error, 'strerror', None) or 'is no text'}") from error


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise CliError(f"{path}: {error.strerror}") from error
