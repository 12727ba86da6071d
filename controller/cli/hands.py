"""What `score`, `waits` and `odds` share: options that tell of a hand, and hands answered one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated

import typer

from controller.cli.errors import CliError
from controller.cli.refusal_text import refusal_line
from controller.cli.score_text import Lang
from rules.errors import RuleError

VariantSlug = Annotated[str, typer.Option(help="Rule variant, see `rules list`.")]
SeatWind = Annotated[str, typer.Option(help="Seat wind of the player; E deals.")]
RoundWind = Annotated[str, typer.Option(help="Wind of the circle.")]
Flowers = Annotated[str, typer.Option(help="Flowers laid aside: how many, or which, e.g. ae.")]
Wild = Annotated[str, typer.Option(help="Kinds that stand for others, e.g. '9p'.")]
Language = Annotated[Lang, typer.Option(help="Language of the answer to HAND.")]


def refuse_both_or_neither(hands: Sequence[str] | None, *, jsonl: bool, lines: str = "hands") -> None:
    """Refuse a command line that gives hands and says that they come from stdin, or does neither.

    Raises:
        typer.BadParameter: says what to give.
    """
    if jsonl == bool(hands):
        both = ", not both" if jsonl else ""
        raise typer.BadParameter(f"give hands as arguments, or --jsonl and {lines} on stdin{both}")


def answer_hands(
    hands: Iterable[str] | None, lang: Lang, answer: Callable[[str], tuple[list[str], str]]
) -> None:
    """Print the lines of every hand; `answer` also says why it is refused, "" if it is not.

    Raises:
        CliError: at the end, with every hand that was refused and why.
    """
    refused = []
    for text in hands or ():
        try:
            lines, why = answer(text)
        except RuleError as error:
            lines, why = [], refusal_line(error, lang)
        if lines:
            typer.echo("\n".join(lines))
        if why:
            refused.append(f"{text or lang.empty}: {why}")
    if refused:
        raise CliError("; ".join(refused))
