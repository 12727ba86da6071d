"""`mahjong-table twin campaign NAME`: long runs on the simulated board, figures, exit 1 when one is missed.

The campaign is a process, `python -m hardware.campaigns NAME`, as the twin is: nothing of it is imported here
but the list of names.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Annotated

import typer

from controller.cli.errors import CliError
from hardware.campaigns import CAMPAIGNS


def campaign(
    name: Annotated[str, typer.Argument(help=f"One of: {', '.join(CAMPAIGNS)}.", metavar="NAME")],
    n: Annotated[int | None, typer.Option(help="How large; the full size unless given.", min=1)] = None,
    seed: Annotated[int, typer.Option(help="The same seed runs the same way.", min=0)] = 1,
    sabotage: Annotated[
        str | None,
        typer.Option(help="Prove that the figures can fail; `list` names them.", metavar="NAME|list"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The figures as one JSON object.")] = False,
) -> None:
    """Run a campaign on the simulated board; exit 1 when one of its figures is missed."""
    if name not in CAMPAIGNS:
        raise CliError(f"no campaign {name!r}: {', '.join(CAMPAIGNS)}")
    words = [name, "--seed", str(seed)]
    words += [] if n is None else ["--n", str(n)]
    words += [] if sabotage is None else ["--sabotage", sabotage]
    words += ["--json"] if as_json else []
    done = subprocess.run([sys.executable, "-m", "hardware.campaigns", *words], check=False)
    if done.returncode < 0:
        raise CliError(f"the campaign was ended by signal {-done.returncode}")
    raise typer.Exit(done.returncode)
