"""`mahjong-table twin campaign NAME`: long runs on the simulated board, figures, exit 1 when one is missed.

A campaign is a row here and a module that is started as a process: `python -m MODULE --n N --seed S
[--sabotage NAME]`. The module writes one JSON object on stdout: figures, and `missed` with a sentence for
each line that was not reached. What it writes on stderr is progress and reaches the person as it comes.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from controller.cli.errors import CliError


@dataclass(frozen=True, slots=True)
class Campaign:
    """One campaign: what it is, the module that runs it, its full size, and how it can be made to fail."""

    text: str
    module: str
    n: int
    sabotages: Mapping[str, str]


CAMPAIGNS: dict[str, Campaign] = {
    "link": Campaign(
        "Commands and events through noise: none lost, none twice, none accepted damaged.",
        "hardware.campaigns.link",
        100_000,
        {
            "no-dedup": "the board acts on every copy of a command: counted as repeated",
            "no-crc": "neither end looks at the CRC: counted as undetected",
        },
    ),
}


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
    row = CAMPAIGNS.get(name)
    if row is None:
        raise CliError(f"no campaign {name!r}: {', '.join(CAMPAIGNS)}")
    if sabotage == "list":
        for key, text in row.sabotages.items():
            print(f"{key:14} {text}")
        return
    if sabotage is not None and sabotage not in row.sabotages:
        raise CliError(f"campaign {name} has no sabotage {sabotage!r}: {', '.join(row.sabotages) or 'none'}")
    figures = _figures(row, row.n if n is None else n, seed, sabotage)
    missed = [str(text) for text in figures.get("missed", ())]
    if as_json:
        print(json.dumps(figures, ensure_ascii=False), flush=True)
    else:
        _tell(figures)
    if missed:
        raise CliError("; ".join(missed))


def _figures(row: Campaign, n: int, seed: int, sabotage: str | None) -> dict[str, Any]:
    words = [sys.executable, "-m", row.module, "--n", str(n), "--seed", str(seed)]
    words += [] if sabotage is None else ["--sabotage", sabotage]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False)
    lines = done.stdout.strip().splitlines()
    try:
        figures: dict[str, Any] = json.loads(lines[-1])
    except (IndexError, ValueError):
        raise CliError(f"the campaign ended with {done.returncode} and told no figures") from None
    return figures


def _tell(figures: Mapping[str, Any], before: str = "") -> None:
    for key, value in figures.items():
        if isinstance(value, dict):
            _tell(value, f"{before}{key}.")
        elif key != "missed":
            print(f"{before + key:34} {value}")
