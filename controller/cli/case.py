"""`mahjong-table case --jsonl`: answers rule cases, one JSON object a line."""

from __future__ import annotations

from typing import Annotated

import typer

from controller.cli.jsonl import run_jsonl
from controller.cli.rule_lines import answering
from rules.cases import answer_case

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def case(
    jsonl: Annotated[bool, typer.Option("--jsonl", help="Read cases from stdin, answer on stdout.")] = False,
) -> None:
    """Answer rule cases, one JSON object a line.

    A line is a case of shared/rules/cases without "expect", plus "variant" of its file: a winner, events, or
    an op with "in". The answer has the keys such a case expects.
    """
    if not jsonl:
        raise typer.BadParameter("cases are read as JSON lines: add --jsonl")
    run_jsonl(answering(answer_case))
