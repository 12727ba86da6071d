"""`mahjong-table backup`: the ledger copied into one file, while the service runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from controller.cli.errors import CliError
from controller.config import data_folder, journal_path

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The new file; one that exists is refused.", metavar="FILE")],
    data: Annotated[
        Path | None,
        typer.Option("--data", help="Data folder. Default: $XDG_STATE_HOME/mahjong-table.", metavar="DIR"),
    ] = None,
) -> None:
    """Copy the ledger into one file, as it is at one moment, and check every seal of the copy.

    The service may be running. Names (players.db) and photos (evidence/) are not in it: they can be erased,
    and a copy must not outlive that.
    """
    from controller.backup import back_up
    from controller.errors import JournalError

    try:
        verdict = back_up(journal_path(data or data_folder()), file)
    except JournalError as error:
        raise CliError(str(error)) from error
    print(f"{file}: {verdict.rows} rows, every seal right, 账本印 {verdict.head[:8]}")
    print("without names and photos 不含姓名和照片")
