"""`mahjong-table vision enrol`: the eyes learn what a club's own tiles look like."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from controller.cli.errors import CliError
from controller.cli.score_text import Lang

if TYPE_CHECKING:
    from vision import Eyes
    from vision.enrol import Enrolled
    from vision.enrolment import Enrolment, Image
    from vision.errors import EnrolmentRefused, PictureRefused

FILES_MAX = 500
GUIDE = (
    (
        "把牌正面朝上、字头朝上，按下面的顺序摆成四行（有花牌摆五行）。行间留一指宽，画面里不要有别的东西：",
        "Lay the tiles face up, upright, in these four rows (five with flowers), a finger's width between"
        " rows, nothing else in the picture:",
    ),
    ("  一万到九万", "  characters 1 to 9"),
    ("  一饼到九饼", "  dots 1 to 9"),
    ("  一条到九条", "  bamboos 1 to 9"),
    ("  东 南 西 北 中 发 白", "  east south west north, red green white dragon"),
    (
        "  （花牌）春 夏 秋 冬 梅 兰 菊 竹",
        "  (flowers) spring summer autumn winter plum orchid chrysanthemum bamboo",
    ),
    (
        "从正上方拍清楚。也可以一行一张照片，按顺序给出；或者给一个文件夹，里面每张牌一张图片，"
        "以牌名命名（1m.jpg、E.png、一万.jpg、东风-2.jpg，或子文件夹 1m/）。",
        "Photograph them sharp, from straight above. One photo a row in this order is fine, too; or name a"
        " folder with a picture of each tile, named by it (1m.jpg, E.png, 一万.jpg, or subfolders 1m/).",
    ),
)

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")]
Data = Annotated[
    Path | None, typer.Option(help="Data folder [$XDG_STATE_HOME/mahjong-table].", metavar="DIR")
]
Language = Annotated[Lang, typer.Option("--lang", help="Language of the text.")]


def enrol(
    pictures: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PHOTO... | DIR", help="The laid-out tiles, or a folder of named pictures."),
    ] = None,
    data: Data = None,
    keep: Annotated[
        bool,
        typer.Option("--keep-pictures", help="Keep the small crops, so that a later model needs no photo."),
    ] = False,
    show: Annotated[bool, typer.Option("--show", help="Tell what is enrolled.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Forget the club's tiles.")] = False,
    as_json: AsJson = False,
    lang: Language = Lang.BOTH,
) -> None:
    """Learn what a club's own tiles look like, from one photo of them; without PHOTO: how to lay them out."""
    if sum((bool(pictures), show, remove)) > 1:
        raise typer.BadParameter("give photos, --show or --remove, one of them")
    if pictures and len(pictures) > 1 and any(path.is_dir() for path in pictures):
        raise typer.BadParameter("give photos, or one folder of named pictures and nothing beside it")
    from controller.config import data_folder, enrolment_path
    from vision.errors import EnrolmentRefused, PictureRefused

    path = enrolment_path(data_folder() if data is None else data)
    try:
        if remove:
            _remove(path, as_json, lang)
        elif show:
            _show(path, as_json, lang)
        elif pictures:
            _learn(path, pictures, keep, as_json, lang)
        else:
            for zh, en in GUIDE:
                print(lang.say(zh, en, "\n"))
    except (EnrolmentRefused, PictureRefused) as error:
        raise _told(error, as_json, lang) from error
    except OSError as error:
        raise CliError(f"{error.filename or path}: {error.strerror or error}") from error


def _told(error: EnrolmentRefused | PictureRefused, as_json: bool, lang: Lang) -> CliError:
    """Return the refusal as the one line on stderr; with --json the object is printed, too."""
    if as_json:
        said = {"code": error.code, "message": str(error), "zh": error.zh}
        print(json.dumps({"error": said}, ensure_ascii=False))
    return CliError(lang.say(error.zh, str(error), " / "))


def _remove(path: Path, as_json: bool, lang: Lang) -> None:
    was_there = path.exists()
    path.unlink(missing_ok=True)
    if as_json:
        print(json.dumps({"removed": was_there}))
    elif was_there:
        print(lang.say("已删除本店牌样", "the club's tiles are forgotten", " / "))
    else:
        print(lang.say("本来就没有登记", "nothing was enrolled", " / "))


def _show(path: Path, as_json: bool, lang: Lang) -> None:
    from vision.enrolment import load_enrolment

    stored = load_enrolment(path)
    if as_json:
        print(json.dumps(_state(path, stored), ensure_ascii=False))
    elif stored is None:
        print(lang.say("没有登记", "nothing is enrolled", " / "))
    else:
        state = _state(path, stored)
        fits = (
            lang.say("可用", "in use", " / ")
            if state["fits_model"]
            else lang.say("模型换过了，请重新登记", "another model is installed: enrol again", " / ")
        )
        print(f"{state['made_at']}  {len(state['faces'])}  {' '.join(state['faces'])}\n{fits}")


def _state(path: Path, stored: Enrolment | None) -> dict[str, Any]:
    if stored is None:
        return {"file": str(path), "faces": []}
    from vision import Eyes
    from vision.enrol import learnt_again

    return {
        "file": str(path),
        "faces": list(stored.faces),
        "made_at": stored.made_at,
        "keeps_pictures": stored.pictures is not None,
        "fits_model": learnt_again(Eyes().namer, stored) is not None,
    }


def _learn(path: Path, pictures: list[Path], keep: bool, as_json: bool, lang: Lang) -> None:
    from vision import Eyes
    from vision.enrol import enrol as learn

    eyes = Eyes()
    crops = _named(eyes, pictures[0]) if pictures[0].is_dir() else _laid_out(eyes, pictures)
    done = learn(eyes.namer, crops, keep=keep)
    done.enrolment.save(path)
    if as_json:
        told = {**_state(path, done.enrolment), "known": done.known, "new": done.new}
        print(json.dumps({**told, "sharpness": round(done.sharpness, 4)}, ensure_ascii=False))
        return
    print(_learnt(done, path, lang))


def _learnt(done: Enrolled, path: Path, lang: Lang) -> str:
    """Return what was learnt, for people."""
    count, known = len(done.enrolment.faces), len(done.known)
    lines = [
        lang.say(
            f"学会 {count} 种牌：原来认得 {known} 种，新学 {len(done.new)} 种",
            f"{count} faces learnt: {known} were known already, {len(done.new)} are new",
            " / ",
        )
    ]
    if done.new:
        lines.append("  " + " ".join(done.new))
    lines.append(
        lang.say(f"存在 {path}；重启服务后生效", f"kept in {path}; restart the service to use it", " / ")
    )
    return "\n".join(lines)


def _laid_out(eyes: Eyes, photos: list[Path]) -> dict[str, list[Image]]:
    """Return the crops by face of tiles laid out in order, in one photo or several."""
    from vision.enrol import order_of
    from vision.rows import in_rows
    from vision.spots import lying

    rows: list[int] = []
    crops: list[Image] = []
    for photo in photos:
        image = _pixels(photo)
        seen = eyes.places(image)
        found = eyes.crops(image, seen) if seen else ()
        for row in in_rows([lying(item) for item in seen]):
            rows.append(len(row))
            crops += [found[index] for index in row]
    faces = order_of(rows)
    return {face: [crop] for face, crop in zip(faces, crops, strict=True)}


def _named(eyes: Eyes, folder: Path) -> dict[str, list[Image]]:
    """Return the crops by face of a folder of named pictures, each one upright tile."""
    from vision.errors import EnrolmentRefused

    crops: dict[str, list[Image]] = {}
    for face, path in _named_files(folder):
        crops.setdefault(face, []).append(eyes.whole_crop(_pixels(path))[0])
    if not crops:
        raise EnrolmentRefused(
            "missing",
            f"no picture in {folder} is named by a tile: name them 1m.jpg to 9s.jpg, E S W N C F P (flowers"
            " a to h), or in Chinese (一万.jpg)",
            f"{folder} 里没有以牌名命名的图片：请命名为 1m.jpg 到 9s.jpg、E S W N C F P（花牌 a 到 h），"
            "或用中文（一万.jpg）",
        )
    return crops


def _pixels(path: Path) -> Image:
    """Return the pixels of a picture; a refusal says which one."""
    from vision.errors import PictureRefused
    from vision.pictures import read_picture

    try:
        return read_picture(path).image
    except PictureRefused as error:
        raise PictureRefused(error.code, f"{path}: {error}", f"{path}：{error.zh}") from error


def _named_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the pictures that are named by a face, or lie in a folder that is; what begins with a dot is
    some program's own."""
    from vision.enrol import face_named

    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith("."))
    for count, path in enumerate(files):
        if count >= FILES_MAX:
            raise CliError(f"{folder}: more than {FILES_MAX} files / 文件超过 {FILES_MAX} 个")
        face = face_named(re.split(r"[-_ .(（]", path.stem)[0]) or face_named(path.parent.name)
        if face:
            yield face, path
