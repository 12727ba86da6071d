"""`mahjong-table diag config show|set`: the values in the board's memory."""

from __future__ import annotations

from typing import Annotated

import typer

from controller.cli.diag_desk import (
    AsJson,
    ConfigFile,
    Language,
    Serial,
    Url,
    asked_desk,
    print_json,
    refuse,
    show,
)
from controller.cli.score_text import Lang

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="The values in the board's memory: limits of motors, times, service code, number of sets.",
    pretty_exceptions_enable=False,
)


@app.command("show")
def show_values(
    serial: Serial = None,
    url: Url = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
    lang: Language = Lang.BOTH,
) -> None:
    """The values in force with their limits; the service code itself only with --serial."""
    from controller.diag import configuration

    with asked_desk(serial, url, config, as_json=as_json, lang=lang) as desk:
        told = configuration.read(desk)
    if as_json:
        print_json(told.as_json())
    else:
        show(configuration.show_lines(told, lang))


@app.command("set")
def set_values(
    values: Annotated[
        list[str], typer.Argument(help="What to change: jam_ms=900 ...", metavar="KEY=VALUE...")
    ],
    serial: Serial = None,
    url: Url = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
    lang: Language = Lang.BOTH,
) -> None:
    """Change values, with the machine at rest; nothing moves by it. All others stay as they are."""
    from controller.diag import DiagError, configuration

    try:
        wanted = configuration.parse(values)
    except DiagError as error:
        refuse(error.code, error.zh, error.en, as_json=as_json, lang=lang)
    with asked_desk(serial, url, config, as_json=as_json, lang=lang) as desk:
        told = configuration.write(desk, wanted)
    if as_json:
        print_json(told.as_json())
    else:
        show(configuration.changed_lines(told, lang))
