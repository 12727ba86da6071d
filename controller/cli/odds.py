"""`mahjong-table odds`: expected return of discards, width of waits and chances to draw, for training."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from controller.cli.hands import Language, answer_hands, refuse_both_or_neither
from controller.cli.jsonl import run_jsonl
from controller.cli.rule_lines import answering, refuse_beside_jsonl
from controller.cli.score_text import Lang
from rules.errors import InvalidRequest
from rules.fields import Fields
from rules.keys import ODDS_KEYS
from rules.notation import format_tiles, parse_hand, parse_tiles
from rules.odds import DRAWN_TILES, READY_TILES
from rules.odds_ops import SLUG
from rules.ops import find_op

app = typer.Typer(rich_markup_mode=None, add_completion=False)

# a key that only one op has -> the op; a hand alone is told by its number of tiles
_MEANT_BY_KEY = {
    "asks": "hint_gate",
    "unseen": "draw_odds",
    "live": "draw_odds",
    "draws": "draw_odds",
    "bottom": "expected_return",
}


def answer_odds(line: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the answer to one line: the fields of an op, in `in` or on their own, with or without `op`."""
    fields = Fields(line)
    given = fields.object("in") if fields.has("in") else fields
    name = fields.text("op") if fields.has("op") else _op_meant(given)
    return find_op(name, SLUG)(given, fields)


def _op_meant(given: Fields) -> str:
    for key, name in _MEANT_BY_KEY.items():
        if given.has(key):
            return name
    if not given.has("hand"):
        raise InvalidRequest("a line has a hand, or unseen with live and draws, or asks")
    hand = given.hand("hand")
    tiles = len(hand.standing)
    if tiles == READY_TILES or hand.melds:  # melds are refused there
        return "waits"
    if tiles == DRAWN_TILES:
        return "expected_return"
    raise InvalidRequest(
        f"{given.name('hand')}: {DRAWN_TILES} tiles ask what each discard returns, {READY_TILES} what they "
        f"wait for; there are {tiles}"
    )


@app.command()
def odds(
    context: typer.Context,
    hands: Annotated[
        list[str] | None,
        typer.Argument(metavar="[HAND]...", help="13 or 14 tiles such as 'NNN 1234m 123p 789p W'."),
    ] = None,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Read questions from stdin, one JSON object a line.")
    ] = False,
    bottom: Annotated[str | None, typer.Option(help="Next kong replacement where it is known.")] = None,
    seen: Annotated[str | None, typer.Option(help="Further visible tiles, e.g. '11m 4m WW'.")] = None,
    lang: Language = Lang.BOTH,
) -> None:
    """Show what each discard of 14 tiles returns, or what 13 tiles wait for (basic shape, nothing melded).

    The unit is the chance to draw one given tile. A winning self-draw counts 1, a win on the known kong
    replacement (--bottom) 2 instead; a discard that leaves no ready hand is left out. For training: during a
    rated hand this is outside help.

    With --jsonl a line has the keys of an op of the rules text tile-odds: hand, bottom, seen (14 tiles:
    expected_return; 13: waits); unseen, live, draws (draw_odds); asks (hint_gate). The key op names one.
    """
    refuse_both_or_neither(hands, jsonl=jsonl, lines="questions")
    if jsonl:
        refuse_beside_jsonl(context, ("bottom", "seen"))
        run_jsonl(answering(answer_odds, ODDS_KEYS))
        return
    answer_hands(hands, lang, lambda text: (_table(text, bottom, seen, lang), ""))


def _table(text: str, bottom: str | None, seen: str | None, lang: Lang) -> list[str]:
    """Return the answer to one hand as lines for people."""
    question: dict[str, Any] = {"hand": text, "seen": seen}
    if bottom is not None:
        question["bottom"] = bottom
    answer = answer_odds(question)
    head = format_tiles(parse_hand(text).standing)
    if bottom is not None:
        head += f"   {lang.say('杠底', 'bottom')} {bottom}"
    if seen:
        head += f"   {lang.say('已见', 'seen')} {format_tiles(parse_tiles(seen))}"
    return [head, *(_discard_lines if "discards" in answer else _wait_lines)(answer, lang)]


def _discard_lines(answer: Mapping[str, Any], lang: Lang) -> list[str]:
    if not answer["discards"]:
        return ["  " + lang.say("打哪张都不听牌", "no discard leaves a ready hand", "  ")]
    say = lang.say
    lines = [
        f"  {say('打出', 'discard')}, {say('期望', 'return')} (* {say('最高', 'best')}): "
        f"{say('自摸', 'self-draw')}, {say('杠后杠底', 'kong then bottom')}"
    ]
    for tile, row in answer["discards"].items():
        mark = "*" if tile in answer["best"] else " "
        live = _copies(row["live"].items()) or "0"
        kongs = row["kong_then_bottom"]
        tail = f"   {say('杠', 'kong')} {_copies(kongs)}" if kongs else ""
        lines.append(f"  {tile:<3}{row['value']:>4}{mark}  {say('自摸', 'draw')} {live}{tail}")
    return lines


def _wait_lines(answer: Mapping[str, Any], lang: Lang) -> list[str]:
    if not answer["waits"]:
        en = "nothing to wait for: not ready in the basic shape, or no copy left"
        return ["  " + lang.say("没有可和的牌：基本牌型没有听牌，或一张不剩", en, "  ")]
    kinds, live = answer["kinds"], answer["live"]
    number = {
        Lang.ZH: f"{kinds} 种，{live} 张",
        Lang.EN: f"{kinds} {_many('kind', kinds)}, {live} live {_many('tile', live)}",
        Lang.BOTH: f"{kinds} 种 {_many('kind', kinds)}, {live} 张 live {_many('tile', live)}",
    }[lang]
    return [f"  {lang.say('听', 'waits')} {_copies(answer['waits'].items())}", f"  {number}"]


def _many(word: str, number: int) -> str:
    return word if number == 1 else word + "s"


def _copies(pairs: Any) -> str:
    """Return tiles with their live copies, e.g. `1m×3, 4m×3`."""
    return ", ".join(f"{tile}×{copies}" for tile, copies in pairs)
