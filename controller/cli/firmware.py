"""`mahjong-table firmware build|info`: the board's program, compiled into the user's cache."""

from __future__ import annotations

import json

import typer

from controller.cli.errors import CliError
from hardware.firmware.build import FLASH_BUDGET, BuildError, FirmwareInfo, firmware_info

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Build the board's firmware and tell its size.",
)


def _info() -> FirmwareInfo:
    try:
        return firmware_info()
    except BuildError as error:
        raise CliError(str(error)) from error


@app.command()
def build() -> None:
    """Compile the firmware if its sources changed and print the file's path."""
    typer.echo(str(_info().elf))


@app.command()
def info(as_json: bool = typer.Option(False, "--json", help="One JSON object.")) -> None:
    """Tell file, source hash and sizes (building first if need be)."""
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
