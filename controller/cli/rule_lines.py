"""Turning refusals of the rules into refusals of the command line."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

import typer

from controller.cli.errors import CliError
from controller.cli.jsonl import Handler, LineRefused
from rules.errors import RuleError
from rules.keys import refuse_misspelled
from rules.variant import Variant
from rules.variants import get_variant


def answering(
    answer: Callable[[Mapping[str, Any]], Mapping[str, Any]], known: Collection[str] = ()
) -> Handler:
    """Return the function as a `--jsonl` handler: what the rules refuse becomes an error line.

    A key that is nearly one of the `known` ones is refused too.
    """

    def handler(line: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            refuse_misspelled(line, known)
            inner = line.get("in")
            if isinstance(inner, Mapping):
                refuse_misspelled(inner, known, "in.")
            return answer(line)
        except RuleError as error:
            raise LineRefused(error.code, str(error)) from error

    return handler


def refuse_beside_jsonl(context: typer.Context, names: tuple[str, ...]) -> None:
    """Refuse options that say something about hands given as arguments: a JSON line says it itself.

    Raises:
        typer.BadParameter: names the first one and the key that it is told by.
    """
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise typer.BadParameter(
                f"--{name.replace('_', '-')} is for hands given as arguments; a JSON line says it "
                f'with the key "{_KEYS.get(name, name)}"'
            )


_KEYS = {"flag": "flags"}


def flowers_given(text: str) -> int | str:
    """Return the flowers of an argument as a record has them: a number, or their tiles."""
    return int(text) if text.lstrip("-").isdecimal() and len(text) < 5 else text


def variant_or_exit(slug: str) -> Variant:
    """Return the variant named on the command line, or say which there are and exit with 1."""
    try:
        return get_variant(slug)
    except RuleError as error:
        raise CliError(str(error)) from error
