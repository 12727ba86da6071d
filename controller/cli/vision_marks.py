"""`vision marks|calibrate|lens`: print the table's marks, measure the camera's place, measure its lens."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer

from controller.cli.errors import CliError
from controller.cli.score_text import Lang

if TYPE_CHECKING:
    from vision import Calibration
    from vision.drift import Drift
    from vision.lens import Lens
    from vision.marks import Image, Sighting

Words = tuple[str, str]
"""The same said in Chinese and in English."""
Known = TypeVar("Known")

TROUBLES: dict[str, Words] = {
    "missing": ("看不到：被挡住了，或在画面外", "not seen: covered, or out of the picture"),
    "blurred": ("没对上焦", "out of focus"),
    "dark": ("光线太暗", "too little light on it"),
    "glare": ("有灯的反光", "a lamp is mirrored in it"),
    "small": ("在画面里太小", "too small in the picture"),
}
FEW: Words = (
    "露出标记，照亮桌面，对好焦，或把相机移到桌面四角都在画面里（标记用 vision marks 打印）",
    "uncover the marks, light the cloth, focus, or move the camera until all corners of the cloth are in the"
    " picture (vision marks prints the marks)",
)
MIRRORED: Words = (
    "画面是左右反的：请在相机设置里关掉镜像",
    "the picture is mirrored: switch that off in the camera's settings",
)
ASTRAY: Words = (
    "有标记不在自己的位置：每张卡放在打印页写明的那个角，写着字的边朝一号边",
    "marks do not lie on their places: lay each card on the corner that its sheet names, the edge with the"
    " words towards side 1",
)
AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of text.")]
Language = Annotated[Lang, typer.Option("--lang", help="Language of the text.")]


def marks(
    pdf: Annotated[Path, typer.Option("--pdf", metavar="FILE", help="Where the PDF is written.")],
    paper: Annotated[Literal["A4", "A3", "Letter"], typer.Option(help="Size of the paper.")] = "A4",
    lang: Language = Lang.BOTH,
) -> None:
    """Write the table's four marks, to print and cut out, and the board that measures a lens."""
    from vision.sheet import marks_pdf

    _write(pdf, marks_pdf(paper), lang)
    zh = f"{pdf}：{paper} 两页；按 100% 打印，尺子应为 100 毫米"
    typer.echo(lang.say(zh, f"{pdf}: 2 pages {paper}; print at 100 %, the ruler must measure 100 mm", "\n"))


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
    lang: Language = Lang.BOTH,
) -> None:
    """Find the table by its marks: which are seen, how well, and how far they are from where they were."""
    from vision import Calibration
    from vision.drift import compare
    from vision.lens import Lens
    from vision.marks import sight

    known = None if lens is None else _read(lens, Lens.from_json, "vision lens", lang)
    old = None if before is None else _read(before, Calibration.from_json, "vision calibrate --out", lang)
    pixels = _pictures([image], lang)[0]
    seen = sight(pixels)
    if known is not None:
        _fit_of_size(known.for_size, lens, seen.size_px, lang)
    made = _measured(image, pixels, seen, known, lang)
    drift = None if old is None or old.size_px != made.size_px else compare(old, made)
    if out is not None:
        _write(out, made.to_json().encode(), lang)
    if as_json:
        typer.echo(json.dumps(_plain(image, seen, made, drift)))
        return
    for zh, en in [*_in_words(seen, made.moved), _found(image, made), *_moved(old, made, drift)]:
        typer.echo(lang.say(zh, en, " / "))


def lens(
    images: Annotated[list[Path], typer.Argument(metavar="IMAGE...", help="Pictures of the lens board.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the lens is written.")],
    as_json: AsJson = False,
    lang: Language = Lang.BOTH,
) -> None:
    """Measure a camera's lens from pictures of the board (last page of vision marks)."""
    from vision.lens_board import LensNotMeasured, measure_lens

    try:
        report = measure_lens(_pictures(images, lang))
    except LensNotMeasured as error:
        raise CliError(lang.say(error.zh, str(error), " / ")) from error
    _write(out, report.lens.to_json().encode(), lang)
    if as_json:
        told = {**report.lens.to_plain(), "error_px": report.error_px, "pictures": report.pictures}
        typer.echo(json.dumps({**told, "k1_sigma": round(report.k1_sigma, 6)}))
        return
    bend = f"k1 {report.lens.k1:+.2%} ± {report.k1_sigma:.2%}"
    zh = f"{out}：用了 {report.pictures} 张图，偏差 {report.error_px:.2f} 像素；画面角上 {bend}"
    off = f"{report.error_px:.2f} px off"
    en = f"{out}: from {report.pictures} pictures, {off}; {bend} at the picture's corner"
    typer.echo(lang.say(zh, en, "\n"))


def _measured(image: Path, pixels: Image, seen: Sighting, lens: Lens | None, lang: Lang) -> Calibration:
    """Return the calibration; a refusal names every mark that is in trouble, and what to do."""
    from vision import VisionError
    from vision.calibration import MIN_MARKS, calibrate_marks
    from vision.marks import is_mirrored

    try:
        return calibrate_marks(seen.corners, seen.size_px, lens)
    except VisionError as error:
        if len(seen.marks) >= MIN_MARKS:
            advice, why = ASTRAY, ("标记对不上桌面图", str(error))
        else:
            advice = MIRRORED if is_mirrored(pixels) else FEW
            count = len(seen.marks)
            why = (
                f"4 个标记只看到 {count} 个，至少要 {MIN_MARKS} 个",
                f"{count} of 4 table marks seen, {MIN_MARKS} needed",
            )
        told = _shortly(seen)
        zh = "；".join([f"{image}：{why[0]}", *(words[0] for words in told), advice[0]])
        en = "; ".join([f"{image}: {why[1]}", *(words[1] for words in told), advice[1]])
        raise CliError(lang.say(zh, en, " / ")) from error


def _shortly(seen: Sighting) -> list[Words]:
    """Return the troubles for one line: the marks that are not seen at once, none if all four are not."""
    told = [words for words in _in_words(seen, ()) if not words[0].endswith(TROUBLES["missing"][0])]
    if seen.missing and seen.marks:
        numbers = ", ".join(str(number) for number in seen.missing)
        told.insert(0, (f"看不到 {numbers}", f"not seen: {numbers}"))
    return told


def _plain(image: Path, seen: Sighting, made: Calibration, drift: Drift | None) -> dict[str, object]:
    return {
        "file": str(image),
        "marks": list(made.marks),
        "moved": list(made.moved),
        "troubles": [{"mark": number, "trouble": trouble} for number, trouble in seen.troubles],
        "error_px": made.error_px,
        "k1": None if made.lens is None else round(made.lens.k1, 5),
        "camera_mm": [round(value) for value in made.camera_mm],
        "drift_mm": None if drift is None else drift.mm,
    }


def _found(image: Path, made: Calibration) -> Words:
    numbers = ", ".join(str(number) for number in made.marks)
    return (
        f"{image}：由标记 {numbers} 找到桌面，偏差 {made.error_px:.2f} 像素",
        f"{image}: the table is found by marks {numbers}, {made.error_px:.2f} px off",
    )


def _in_words(seen: Sighting, moved: tuple[int, ...]) -> list[Words]:
    lines = [
        (f"标记 {number}：{TROUBLES[trouble][0]}", f"mark {number}: {TROUBLES[trouble][1]}")
        for number, trouble in seen.troubles
    ]
    zh, en = "不在自己的位置，没有用它", "does not lie on its place and is left out"
    return lines + [(f"标记 {number}：{zh}", f"mark {number}: {en}") for number in moved]


def _moved(old: Calibration | None, made: Calibration, drift: Drift | None) -> list[Words]:
    """Return the line that tells how far the camera moved, none if nobody asked."""
    if old is None:
        return []
    if drift is None:
        was, now = (f"{width} x {height}" for width, height in (old.size_px, made.size_px))
        zh = f"相机：没法比较，原来的标定是 {was} 的画面，这张是 {now}"
        return [(zh, f"camera: cannot be compared, that calibration is for pictures of {was}, this is {now}")]
    zh, en = ("动过", "moved") if drift.is_move else ("没动", "still")
    return [
        (
            f"相机：{zh}，桌面上相差 {drift.mm:.1f} 毫米（{drift.px:.1f} 像素）",
            f"camera: {en}, {drift.mm:.1f} mm on the table ({drift.px:.1f} px)",
        )
    ]


def _pictures(paths: Sequence[Path], lang: Lang) -> list[Image]:
    """Return the pixels of pictures; a refusal says which one."""
    from vision import PictureRefused
    from vision.pictures import read_picture

    pictures = []
    for path in paths:
        try:
            pictures.append(read_picture(path, whole=True).image)
        except PictureRefused as error:
            raise CliError(lang.say(f"{path}：{error.zh}", f"{path}: {error}", " / ")) from error
    return pictures


def _fit_of_size(
    for_size: Callable[[tuple[int, int]], object], path: Path | None, size_px: tuple[int, int], lang: Lang
) -> None:
    """Say no to a lens that was measured on pictures of another shape."""
    from vision import VisionError

    try:
        for_size(size_px)
    except VisionError as error:
        zh = f"{path}：这个镜头是在别种大小的画面上量的；请用同一相机的图，或不用 --lens"
        en = f"{path}: {error}; take a picture with the camera it was measured on, or leave --lens out"
        raise CliError(lang.say(zh, en, " / ")) from error


def _read(path: Path, parse: Callable[[str], Known], made_by: str, lang: Lang) -> Known:
    """Return what a file of ours holds; a refusal names that file and what writes one."""
    from vision import VisionError

    try:
        return parse(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CliError(f"{path}: {error.strerror}") from error
    except (UnicodeDecodeError, VisionError) as error:
        zh = f"{path}：用不了，它应是 {made_by} 写出的文件"
        en = f"{path}: {error if isinstance(error, VisionError) else 'is no text'}; give a file written by "
        raise CliError(lang.say(zh, en + made_by, " / ")) from error


def _write(path: Path, content: bytes, lang: Lang) -> None:
    """Write a file in one step: the old one stays until the new one is whole, and what is no such file is
    not written over."""
    try:
        if path.is_file() and path.stat().st_size and _first(path) != content[:1]:
            zh = f"{path}：已有这个文件，而且是别的东西；请换个名字"
            en = f"{path}: that file is there already and is something else; give another name"
            raise CliError(lang.say(zh, en, " / "))
        if path.exists() and not path.is_file():
            path.write_bytes(content)  # a pipe or /dev/stdout has no old content to keep
            return
        fresh = path.with_name(path.name + ".new")
        fresh.write_bytes(content)
        fresh.replace(path)
    except OSError as error:
        raise CliError(f"{path}: {error.strerror}") from error


def _first(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(1)
