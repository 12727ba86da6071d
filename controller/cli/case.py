"""`mahjong-table case --jsonl`: answers rule cases, one JSON object a line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from controller.cli.errors import CliError
from controller.cli.jsonl import run_jsonl
from controller.cli.rule_lines import answering
from rules.cases import answer_case
from rules.variants.house import InvalidHouseRules, load_house_rules

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def case(
    jsonl: Annotated[bool, typer.Option("--jsonl", help="Read cases from stdin, answer on stdout.")] = False,
    rules: Annotated[
        list[Path] | None, typer.Option(help="A club's own rules: a Python file, see docs/engine.md.")
    ] = None,
) -> None:
    """Answer rule cases, one JSON object a line.

    A line is a case of shared/rules/cases without "expect", plus "variant" of its file: a winner, events, or
    an op with "in". The answer has the keys such a case expects.
    """
    if not jsonl:
        raise typer.BadParameter("cases are read as JSON lines: add --jsonl")
    for path in rules or ():
        try:
            load_house_rules(path)
        except InvalidHouseRules as error:
            raise CliError(str(error)) from error
    run_jsonl(answering(answer_case))
