"""`mahjong-table waits`: what hands wait for and what it is worth, or how far they are from waiting."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

from controller.cli.hands import (
    Flowers,
    Language,
    RoundWind,
    SeatWind,
    VariantSlug,
    Wild,
    answer_hands,
    refuse_both_or_neither,
)
from controller.cli.jsonl import run_jsonl
from controller.cli.rule_lines import (
    answering,
    flowers_given,
    refuse_beside_jsonl,
    variant_or_exit,
)
from controller.cli.score_text import Lang
from controller.cli.waits_text import distance_lines, route_lines, wait_lines
from rules.keys import WAIT_KEYS
from rules.notation import parse_hand
from rules.routes import answer_routes
from rules.variant import Variant
from rules.variants import OFFICIAL
from rules.wait_records import answer_shanten, answer_waits

app = typer.Typer(rich_markup_mode=None, add_completion=False)

# options that tell of a hand given as an argument; a JSON line has keys for them
_CIRCUMSTANCES = ("seen", "last_tile", "seat_wind", "round_wind", "flowers", "wild")


@app.command()
def waits(
    context: typer.Context,
    hands: Annotated[
        list[str] | None,
        typer.Argument(metavar="[HAND]...", help="13 tiles such as '[123m,1](5555p) 678s EE 23m'."),
    ] = None,
    variant: VariantSlug = OFFICIAL,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Read hands from stdin, one JSON object a line.")
    ] = False,
    far: Annotated[
        bool, typer.Option("--shanten", help="How many tiles each shape is from ready, and useful tiles.")
    ] = False,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="What each wait is worth; with --shanten: useful tiles by shape."),
    ] = False,
    routes: Annotated[
        bool, typer.Option("--routes", help="Patterns still in reach that win, for 13 or 14 tiles in play.")
    ] = False,
    within: Annotated[
        int, typer.Option(min=0, max=14, help="With --routes: so many tiles further than the nearest.")
    ] = 1,
    seen: Annotated[str, typer.Option(help="Further visible tiles, e.g. '11m 4m WW'.")] = "",
    last_tile: Annotated[bool, typer.Option("--last-tile", help="The next tile is the last one.")] = False,
    seat_wind: SeatWind = "E",
    round_wind: RoundWind = "E",
    flowers: Flowers = "0",
    wild: Wild = "",
    lang: Language = Lang.BOTH,
) -> None:
    """Show what 13 tiles wait for, in form: a wait of which the hand has all four copies is named too.

    HAND is tile text: [123m,1] is an open meld, 1 upper 上家, 2 opposite 对家, 3 lower 下家 who threw it;
    (5555p) a concealed kong 暗杠.

    With --jsonl a line has the keys hand and, if wanted, seen, seat_wind, round_wind, flowers, last_tile,
    options, flags, wall_left, wild. The answer has waits and exhausted; with --explain also detail, a row
    for each wait: copies unseen, the worth of each way to get it, and why if none wins. With --shanten it has
    regular, useful, one key for every other shape the melds allow, and best; 0 = ready, and melds need not be
    written. With --routes it has minimum and routes, nearest first: patterns and points, tiles missing, sets
    (locked, held), useful tiles with the copies that may still come. They are facts, not odds, and meant for
    training. A line that makes no sense gets {"error":{"code","message"}}. The circumstances below are for
    hands given as arguments.
    """
    refuse_both_or_neither(hands, jsonl=jsonl)
    if routes and far:
        raise typer.BadParameter("--routes and --shanten are two questions: ask one")
    rules = variant_or_exit(variant)
    if jsonl:
        refuse_beside_jsonl(context, _CIRCUMSTANCES)
        answer = _answer(rules, far=far, explain=explain, routes=routes, within=within)
        run_jsonl(answering(answer, WAIT_KEYS))
        return
    record: dict[str, Any] = {
        "seen": seen,
        "last_tile": last_tile,
        "seat_wind": seat_wind,
        "round_wind": round_wind,
        "flowers": flowers_given(flowers),
        "wild": wild,
    }
    if routes:
        record = {**record, "within": within}

    def answered(text: str) -> tuple[list[str], str]:
        return _told(rules, {**record, "hand": text}, lang, far=far, explain=explain, routes=routes), ""

    answer_hands(hands, lang, answered)


def _answer(
    variant: Variant, *, far: bool, explain: bool, routes: bool, within: int
) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
    """Return the function that answers a line."""
    if routes:
        return lambda line: answer_routes(variant, {"within": within, **line})
    question = answer_shanten if far else answer_waits
    return lambda line: question(variant, line, explain=explain)


def _told(
    variant: Variant, line: Mapping[str, Any], lang: Lang, *, far: bool, explain: bool, routes: bool
) -> list[str]:
    """Return the lines of a hand."""
    if routes:
        lines = route_lines(answer_routes(variant, line), lang)
    elif far:
        lines = distance_lines(answer_shanten(variant, line, explain=True), lang, explain=explain)
    else:
        lines = _waits(variant, line, lang, explain=explain)
    hand = parse_hand(line["hand"])
    head = hand if routes else hand.with_win_tile(None)
    return [f"{head}   {lang.say(variant.zh, variant.en)}", *lines]


def _waits(variant: Variant, line: Mapping[str, Any], lang: Lang, *, explain: bool) -> list[str]:
    """Return the waits, or how far a hand without any is from ready (not worked out with wild tiles)."""
    answer = answer_waits(variant, line, explain=explain)
    if answer["waits"]:
        return wait_lines(answer, lang)
    lines = ["  " + lang.say("没有听牌", "not ready")]
    if line["wild"]:
        return lines
    return lines + distance_lines(answer_shanten(variant, line, explain=True), lang, explain=False)
