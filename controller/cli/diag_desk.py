"""What all `mahjong-table diag` commands share: whom to ask, the settings, refusals, and a person's yes."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from controller.cli.errors import CliError
from controller.cli.score_text import Lang

if TYPE_CHECKING:
    from controller.diag import Desk

SETTINGS = Path("/etc/mahjong-table/table.toml")
USUAL_PORT = 8080

Serial = Annotated[
    str | None,
    typer.Option("--serial", help="Serial port of the board: asked directly.", metavar="DEV"),
]
Url = Annotated[
    str | None,
    typer.Option("--url", help="Address of a service, such as http://127.0.0.1:8080.", metavar="URL"),
]
ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", help=f"Settings file of the service [{SETTINGS}].", metavar="FILE"),
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")]
Language = Annotated[Lang, typer.Option("--lang", help="Language of the text.")]


@contextlib.contextmanager
def asked_desk(
    serial: str | None, url: str | None, config: Path | None, *, as_json: bool, lang: Lang
) -> Iterator[Desk]:
    """Yield whom to ask; a refusal becomes the one line on stderr, and with --json an object too."""
    from controller.diag import DiagError, Place, find_desk

    if serial is not None and url is not None:
        raise typer.BadParameter("give --serial or --url, not both")
    known = settings(config)
    place = Place(serial, url, known.serial, known.port or USUAL_PORT)
    try:
        with find_desk(place, lambda zh, en: remark(zh, en, lang)) as desk:
            yield desk
    except DiagError as error:
        refuse(error.code, error.zh, error.en, as_json=as_json, lang=lang)


def settings(config: Path | None) -> Any:
    """Return the service's settings: of the named file, else of the usual one where it is readable."""
    from controller.config import load_config
    from controller.errors import ControllerError

    try:
        usual = SETTINGS if config is None and _is_readable(SETTINGS) else config
        return load_config(usual)
    except ControllerError as error:
        raise CliError(str(error)) from error


def _is_readable(path: Path) -> bool:
    try:
        with path.open("rb"):
            return True
    except OSError:
        return False


def refuse(code: str, zh: str, en: str, *, as_json: bool, lang: Lang) -> NoReturn:
    if as_json:
        print_json({"error": {"code": code, "message": en, "message_zh": zh}})
    raise CliError(lang.say(zh, en, " / "))


def remark(zh: str, en: str, lang: Lang) -> None:
    print(lang.say(zh, en, " / "), file=sys.stderr)


def print_json(answer: dict[str, Any]) -> None:
    print(json.dumps(answer, ensure_ascii=False))


def show(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


def agreed(lang: Lang) -> bool:
    """Ask; only a person at a terminal can agree, and only by the whole word."""
    if not sys.stdin.isatty():
        remark("要人在终端上确认，或加 --yes", "a person must confirm at a terminal, or give --yes", lang)
        return False
    print(
        lang.say("手都离开机器了吗？打 yes 开始", "All hands off the machine? Type yes to begin", " / ")
        + ": ",
        end="",
        file=sys.stderr,
        flush=True,
    )
    return sys.stdin.readline().strip().lower() in ("yes", "是")
