"""What all `mahjong-table diag` commands share: whom to ask, how it is told, and a person's yes."""

from __future__ import annotations

import contextlib
import functools
import inspect
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, NoReturn, ParamSpec, TypeVar

import typer

from controller.cli.errors import CliError
from controller.cli.score_text import Lang

if TYPE_CHECKING:
    from controller.diag import Board, Desk, DiagError
    from controller.diag.answers import Answer

_Told = TypeVar("_Told", bound="Answer")
_Own = ParamSpec("_Own")

SETTINGS = Path("/etc/mahjong-table/table.toml")
USUAL_PORT = 8080

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")]
Language = Annotated[Lang, typer.Option("--lang", help="Language of the text.")]


@dataclass(frozen=True, slots=True)
class Ask:
    """The options that every question has: whom it is put to, in which form and language it is answered."""

    serial: Annotated[
        str | None,
        typer.Option("--serial", help="Serial port of the board: asked directly.", metavar="DEV"),
    ] = None
    url: Annotated[
        str | None,
        typer.Option("--url", help="Address of a service, such as http://127.0.0.1:8080.", metavar="URL"),
    ] = None
    config: Annotated[
        Path | None,
        typer.Option("--config", help=f"Settings file of the service [{SETTINGS}].", metavar="FILE"),
    ] = None
    as_json: AsJson = False
    lang: Language = Lang.BOTH

    @contextlib.contextmanager
    def desk(self) -> Iterator[Desk]:
        """Yield whom to ask; a refusal becomes the one line on stderr, and with --json an object too."""
        from controller.diag import DiagError, Place, find_desk

        if self.serial is not None and self.url is not None:
            raise typer.BadParameter(
                self.say("--serial 和 --url 只能给一个", "give --serial or --url, not both")
            )
        known = settings(self.config, self.lang)
        place = Place(self.serial, self.url, known.serial, known.port or USUAL_PORT)
        try:
            with find_desk(place, self.remark) as desk:
                yield desk
        except DiagError as error:
            self.refuse(error)

    def say(self, zh: str, en: str) -> str:
        """Return a sentence in the wanted language, or in both."""
        return self.lang.say(zh, en, " / ")

    def remark(self, zh: str, en: str) -> None:
        """Say something beside the answer."""
        print(self.say(zh, en), file=sys.stderr)

    def tell(self, told: _Told, lines: Callable[[_Told, Lang], Iterable[str]], **more: Any) -> None:
        """Print an answer: as an object, with `more` beside what it says itself, or as lines for people."""
        if self.as_json:
            print_json({**told.as_json(), **more})
        else:
            show(lines(told, self.lang))

    def refuse(self, error: DiagError) -> NoReturn:
        """End with what stands in the way."""
        if self.as_json:
            print_json({"error": {"code": error.code, "message": error.en, "message_zh": error.zh}})
        raise CliError(self.say(error.zh, error.en))


def asking(command: Callable[Concatenate[Ask, _Own], None]) -> Callable[..., None]:
    """Return the command as typer wants it: its own parameters, then the options of `Ask`."""
    own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
    head = list(inspect.signature(Ask, eval_str=True).parameters.values())
    do: Callable[..., None] = command

    @functools.wraps(command)
    def run(**given: Any) -> None:
        ask = Ask(**{each.name: given.pop(each.name) for each in head})
        do(ask, **given)

    both = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in (*own, *head)]
    run.__signature__ = inspect.Signature(both)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in both}
    return run


def settings(config: Path | None, lang: Lang) -> Any:
    """Return the service's settings: of the named file, else of the usual one where it is readable."""
    from controller.config import load_config
    from controller.errors import ControllerError

    try:
        usual = SETTINGS if config is None and _is_readable(SETTINGS) else config
        return load_config(usual)
    except ControllerError as error:
        raise CliError(lang.say(f"设置读不了：{error}", str(error), " / ")) from error


def _is_readable(path: Path) -> bool:
    try:
        with path.open("rb"):
            return True
    except OSError:
        return False


def print_json(answer: dict[str, Any]) -> None:
    print(json.dumps(answer, ensure_ascii=False))


def show(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


def confirm(ask: Ask, what: Iterable[tuple[str, str]], *, yes: bool) -> None:
    """Say in both languages what will move, and let a person agree, unless `yes`.

    Raises:
        DiagError: if nobody does: only who sits at a terminal can, and only by the whole word.
    """
    from controller.diag import DiagError

    for zh, en in what:
        ask.remark(f"要动：{zh}", f"will move: {en}")
    if not yes and not _agreed(ask):
        raise DiagError("not_confirmed", "没有确认，什么也没动", "not confirmed, nothing has moved")


def held_board(desk: Desk) -> Board:
    """Return the board itself: nobody else may move it.

    Raises:
        DiagError: if a service holds it.
    """
    from controller.diag import Board, DiagError

    if isinstance(desk, Board):
        return desk
    raise DiagError(
        "service_holds",
        "服务在跑，只有它能让机器动：先 sudo systemctl stop mahjong-table，再带 --serial 试",
        "the service runs and only it may move the machine: sudo systemctl stop mahjong-table first, "
        "then use --serial",
    )


def _agreed(ask: Ask) -> bool:
    if not sys.stdin.isatty():
        ask.remark("要人在终端上确认，或加 --yes", "a person must confirm at a terminal, or give --yes")
        return False
    print(
        ask.say("手都离开机器了吗？打 yes 开始", "All hands off the machine? Type yes to begin") + ": ",
        end="",
        file=sys.stderr,
        flush=True,
    )
    return sys.stdin.readline().strip().lower() in ("yes", "是")
