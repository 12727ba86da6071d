"""Turning refusals of the rules into refusals of the command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

import typer

from controller.cli.errors import CliError
from controller.cli.jsonl import Handler, LineRefused
from controller.cli.score_text import Lang
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


# beginnings of what the rules say about hands that people often give, and the Chinese for them
_ZH = (
    (
        r"no winning shape: the hand waits for (?P<waits>.+), not for (?P<win>\S+)$",
        "不成和：听 {waits}，不是 {win}",
    ),
    (
        r"no winning shape: (?P<n>\d+) tiles? short of the nearest shape: (?P<names>.+)$",
        "不成和：离{names}差 {n} 张",
    ),
    (r"no winning shape", "不成和：牌型不对"),
    (
        r"(?P<n>\d+) tiles with the winning one(, a kong counting as 3)?; a hand has (?P<most>\d+)$",
        "连和牌张共 {n} 张（杠算三张），应有 {most} 张",
    ),
    (
        r"(hand: )?(?P<n>\d+) tiles, a kong counting as 3; (?P<most>\d+) are needed",
        "共 {n} 张（杠算三张），应有 {most} 张",
    ),
    (r"the winning tile is missing", "没有和牌张（写在加号后面）"),
)


def refusal_line(error: RuleError, lang: Lang) -> str:
    """Return a refusal for people: in Chinese where that is asked for and there are words, else as it is."""
    text = str(error)
    if lang is Lang.ZH:
        for pattern, words in _ZH:
            found = re.match(pattern, text)
            if found is not None:
                return words.format(**{key: _chinese(part) for key, part in found.groupdict().items()})
    return text


def _chinese(names: str) -> str:
    """Return shapes without their English names: `七对 Seven pairs or 全不靠 ...` is 七对 or 全不靠."""
    if names.isascii():
        return names
    return "、".join(name.split(" ")[0] for name in names.split(" or "))


def flowers_given(text: str) -> int | str:
    """Return the flowers of an argument as a record has them: a number, or their tiles."""
    return int(text) if text.lstrip("-").isdecimal() and len(text) < 5 else text


def variant_or_exit(slug: str) -> Variant:
    """Return the variant named on the command line, or say which there are and exit with 1."""
    try:
        return get_variant(slug)
    except RuleError as error:
        raise CliError(str(error)) from error
