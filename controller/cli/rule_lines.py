"""Turning refusals of the rules into refusals of the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from controller.cli.errors import CliError
from controller.cli.jsonl import Handler, LineRefused
from rules.errors import RuleError
from rules.variant import Variant
from rules.variants import get_variant


def answering(answer: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> Handler:
    """Return the function as a `--jsonl` handler: what the rules refuse becomes an error line."""

    def handler(line: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            return answer(line)
        except RuleError as error:
            raise LineRefused(error.code, str(error)) from error

    return handler


def flowers_given(text: str) -> int | str:
    """Return the flowers of an argument as a record has them: a number, or their tiles."""
    return int(text) if text.lstrip("-").isdecimal() and len(text) < 5 else text


def variant_or_exit(slug: str) -> Variant:
    """Return the variant named on the command line, or say which there are and exit with 1."""
    try:
        return get_variant(slug)
    except RuleError as error:
        raise CliError(str(error)) from error
