"""`mahjong-table twin campaign NAME`: long runs on the simulated board, figures, exit 1 when one is missed.

The campaign is a process, `python -m hardware.campaigns NAME`, as the twin is: nothing of it is imported here
but the list of names. It speaks for itself: figures on stdout, what was missed or interrupted on stderr.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from controller.cli.errors import CliError
from hardware.campaigns import CAMPAIGNS


def _whole(least: int) -> Callable[[str | int], int]:
    def number(given: str | int) -> int:  # a default comes as what it is
        text = str(given)
        if not (text.isascii() and text.isdecimal() and int(text) >= least):
            raise typer.BadParameter(f"{text!r} is no whole number from {least} up")
        return int(text)

    return number


def campaign(
    name: Annotated[str, typer.Argument(help=f"One of: {', '.join(CAMPAIGNS)}.", metavar="NAME")],
    n: Annotated[
        int | None,
        typer.Option(help="How large; the full size unless given.", parser=_whole(1), metavar="NUMBER"),
    ] = None,
    seed: Annotated[
        int, typer.Option(help="The same seed runs the same way.", parser=_whole(0), metavar="NUMBER")
    ] = 1,
    sabotage: Annotated[
        str | None,
        typer.Option(help="Prove that the figures can fail; `list` names them.", metavar="NAME|list"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The figures as one JSON object.")] = False,
) -> None:
    """Run a campaign on the simulated board; exit 1 when one of its figures is missed."""
    if name not in CAMPAIGNS:
        raise typer.BadParameter(f"no campaign {name!r}; there are {', '.join(CAMPAIGNS)}", param_hint="NAME")
    words = [name, "--seed", str(seed)]
    words += [] if n is None else ["--n", str(n)]
    words += [] if sabotage is None else ["--sabotage", sabotage]
    words += ["--json"] if as_json else []
    with subprocess.Popen([sys.executable, "-m", "hardware.campaigns", *words]) as process:
        while True:
            try:
                code = process.wait()
                break
            except KeyboardInterrupt:  # the campaign heard it too, and says so
                continue
    if code < 0:
        raise CliError(f"the campaign was ended by signal {-code}")
    raise typer.Exit(code)
