"""`mahjong-table diag config show|set`: the values in the board's memory."""

from __future__ import annotations

from typing import Annotated

import typer

from controller.cli.diag_desk import Ask, asking

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="The values in the board's memory: limits of motors, times, service code, number of sets.",
    pretty_exceptions_enable=False,
)


@app.command("show")
@asking
def show_values(ask: Ask) -> None:
    """The values in force with their limits; the service code itself only with --serial."""
    from controller.diag import configuration

    with ask.desk() as desk:
        told = configuration.read(desk)
    ask.tell(told, configuration.show_lines)


@app.command("set")
@asking
def set_values(
    ask: Ask,
    values: Annotated[
        list[str], typer.Argument(help="What to change: jam_ms=900 ...", metavar="KEY=VALUE...")
    ],
) -> None:
    """Change values, with the machine at rest; nothing moves by it. All others stay as they are."""
    from controller.diag import DiagError, configuration

    try:
        wanted = configuration.parse(values)
    except DiagError as error:
        ask.refuse(error)
    with ask.desk() as desk:
        told = configuration.write(desk, wanted)
    ask.tell(told, configuration.changed_lines)
