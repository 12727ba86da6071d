"""`mahjong-table firmware build|info|flash`: the board's program, built, described, put into the board."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from controller.cli.errors import CliError
from controller.cli.score_text import Lang
from hardware.firmware.build import FLASH_BUDGET, BuildError, FirmwareInfo, firmware_info

if TYPE_CHECKING:
    from firmware_bridge.image import Image

STABLE_NAME = "/dev/mahjong-table"
"""What hardware/pi/70-mahjong-table.rules calls the board."""

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="The board's firmware: build it, tell what it is, put it into the board.",
)

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")]
Language = Annotated[Lang, typer.Option("--lang", help="Language of the text.")]
ImageFile = Annotated[Path, typer.Argument(help="Firmware image, as `firmware build --out` writes it.")]


def _info() -> FirmwareInfo:
    try:
        return firmware_info()
    except BuildError as error:
        raise CliError(str(error)) from error


def _refuse(code: str, zh: str, en: str, *, as_json: bool, lang: Lang) -> NoReturn:
    if as_json:
        print(json.dumps({"error": {"code": code, "message": en, "message_zh": zh}}, ensure_ascii=False))
    raise CliError(lang.say(zh, en, " / "))


@app.command()
def build(
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Write the image that `firmware flash` takes.", metavar="FILE"),
    ] = None,
    hex_file: Annotated[
        Path | None,
        typer.Option(
            "--hex",
            help="Write program and bootloader as Intel HEX, for the first flashing with a programmer.",
            metavar="FILE",
        ),
    ] = None,
) -> None:
    """Compile the firmware if its sources changed and print the paths of what was made."""
    if out is None and hex_file is None:
        typer.echo(str(_info().elf))
        return
    image = _compiled_image()
    try:
        if out is not None:
            out.write_bytes(image.pack())
            typer.echo(str(out))
        if hex_file is not None:
            hex_file.write_text(_first_flash(image), "ascii")
            typer.echo(str(hex_file))
    except OSError as error:
        raise CliError(f"cannot write {error.filename}: {error.strerror}") from error


def _compiled_image() -> Image:
    from firmware_bridge.boot_messages import BootBoard
    from firmware_bridge.image import Image
    from firmware_bridge.messages import LAYOUT_HASH
    from hardware.firmware.release import program

    try:
        made = program()
    except BuildError as error:
        raise CliError(str(error)) from error
    source = int(made.source[:8], 16)
    return Image.of(
        made.data, board=BootBoard.atmega2560, version=made.version, source=source, layout=LAYOUT_HASH
    )


def _first_flash(image: Image) -> str:
    from hardware.firmware.release import first_flash

    try:
        return first_flash(image.head.pack(), image.program)
    except BuildError as error:
        raise CliError(str(error)) from error


@app.command()
def info(
    image: Annotated[
        Path | None, typer.Argument(help="A firmware image; without one: the firmware built here.")
    ] = None,
    as_json: AsJson = False,
    lang: Language = Lang.BOTH,
) -> None:
    """Tell what an image is, or file, source hash and sizes of the firmware built here."""
    if image is not None:
        _tell_image(image, as_json=as_json, lang=lang)
        return
    made = _info()
    row = {
        "elf": str(made.elf),
        "source": made.source,
        "flash": made.flash,
        "ram": made.ram,
        "budget": FLASH_BUDGET,
    }
    if as_json:
        typer.echo(json.dumps(row))
        return
    typer.echo(f"file    {made.elf}")
    typer.echo(f"source  {made.source[:16]}")
    typer.echo(f"flash   {made.flash} of {FLASH_BUDGET} bytes")
    typer.echo(f"ram     {made.ram} of 8192 bytes")


def _read_image(path: Path, *, as_json: bool, lang: Lang) -> Image:
    from firmware_bridge.errors import BadImage
    from firmware_bridge.image import Image

    try:
        return Image.parse(path.read_bytes())
    except OSError as error:
        why = error.strerror or str(error)
        _refuse(
            "unreadable", f"{path} 读不了：{why}", f"cannot read {path}: {why}", as_json=as_json, lang=lang
        )
    except BadImage as error:
        _refuse("bad_image", f"{path}：{error.zh}", f"{path}: {error.en}", as_json=as_json, lang=lang)


def _image_row(image: Image) -> dict[str, Any]:
    head = image.head
    return {
        "board": head.board.name,
        "version": image.version,
        "source": f"{head.source:08x}",
        "layout": f"{head.layout:08x}",
        "size": head.size,
        "crc": f"{head.crc:08x}",
    }


def _tell_image(path: Path, *, as_json: bool, lang: Lang) -> None:
    from firmware_bridge.messages import LAYOUT_HASH

    image = _read_image(path, as_json=as_json, lang=lang)
    row = _image_row(image)
    fits = image.head.layout == LAYOUT_HASH
    if as_json:
        print(json.dumps({**row, "fits": fits}))
        return
    words = {
        "board": ("控制板", "board"),
        "version": ("版本", "version"),
        "source": ("源码", "source"),
        "layout": ("协议", "protocol"),
        "size": ("字节", "bytes"),
        "crc": ("CRC-32", "CRC-32"),
    }
    for key, (zh, en) in words.items():
        print(f"{lang.say(zh, en) if zh != en else en}  {row[key]}")
    if not fits:
        print(lang.say("协议与本程序不同", "its protocol is not that of this program", " / "))


@app.command()
def flash(
    image: ImageFile,
    port: Annotated[
        str, typer.Option("--port", help="Serial port of the board.", metavar="DEV")
    ] = STABLE_NAME,
    again: Annotated[bool, typer.Option("--again", help="Also if the board runs this very program.")] = False,
    as_json: AsJson = False,
    lang: Language = Lang.BOTH,
) -> None:
    """Put an image into the board over its serial port, at rest; exit 0 when the new program has come up."""
    from controller.diag import DiagError
    from controller.flashing import AlreadyThere, Flasher

    made = _read_image(image, as_json=as_json, lang=lang)
    bar = _Bar(lang)
    try:
        with Flasher(port, made, say=bar.say, progress=bar.progress) as flasher:
            done = flasher.run(again=again)
    except AlreadyThere as there:
        bar.say(there.zh, there.en)
        if as_json:
            print(json.dumps({"flashed": False, **_image_row(made)}))
        return
    except DiagError as error:
        bar.end()
        _refuse(error.code, error.zh, error.en, as_json=as_json, lang=lang)
    told = {"version": done.version, "source": done.source}
    if as_json:
        figures = {"pages": done.pages, "pages_sent": done.pages_sent, "retries": done.retries}
        print(json.dumps({"flashed": True, **told, **figures, "seconds": done.seconds}))
        return
    zh = f"新程序 {done.version}（{done.source}）已运行，用了 {done.seconds} 秒。开桌前先回零"
    en = f"program {done.version} ({done.source}) runs, after {done.seconds} s. Home the table before a game"
    print(lang.say(zh, en, " / "))


class _Bar:
    """Progress on stderr: one line that grows at a terminal, every tenth elsewhere."""

    def __init__(self, lang: Lang) -> None:
        self._lang = lang
        self._at_terminal = sys.stderr.isatty()
        self._open = False
        self._tenth = -1

    def say(self, zh: str, en: str) -> None:
        self.end()
        print(self._lang.say(zh, en, " / "), file=sys.stderr, flush=True)

    def progress(self, done: int, of: int) -> None:
        tenth = done * 10 // of
        if self._at_terminal:
            print(f"\r{done * 100 // of:3} %", end="", file=sys.stderr, flush=True)
            self._open = True
        elif tenth != self._tenth:
            print(f"{tenth * 10} %", file=sys.stderr, flush=True)
        self._tenth = tenth

    def end(self) -> None:
        """Leave the line of the progress."""
        if self._open:
            print(file=sys.stderr)
        self._open = False
