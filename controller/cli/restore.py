"""`mahjong-table restore`: a backup of the ledger put back, while the service is stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from controller.cli.errors import CliError
from controller.config import data_folder, journal_path

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="What `mahjong-table backup` wrote.", metavar="FILE")],
    data: Annotated[
        Path | None,
        typer.Option("--data", help="Data folder. Default: $XDG_STATE_HOME/mahjong-table.", metavar="DIR"),
    ] = None,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Put a ledger aside that holds rows which the backup does not have."),
    ] = False,
) -> None:
    """Check a backup of the ledger and put it back; the service must be stopped.

    A ledger with rows that the backup does not have, or a damaged one, is replaced with --replace only, and
    kept under another name. Names and photos of the data folder stay as they are.
    """
    from controller.backup import restore as put_back
    from controller.errors import JournalError

    path = journal_path(data or data_folder())
    try:
        done = put_back(file, path, replace=replace)
    except JournalError as error:
        raise CliError(str(error)) from error
    print(f"{path}: {done.verdict.rows} rows, every seal right, 账本印 {done.verdict.head[:8]}")
    if done.aside is not None:
        print(f"{done.aside}: the ledger that stood there 换下的旧账本")
