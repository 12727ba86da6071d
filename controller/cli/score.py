"""`mahjong-table score`: the worth of hands given as tile text or as JSON lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from controller.cli.errors import CliError
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
from controller.cli.score_text import Lang, answer_lines
from rules.errors import RuleError
from rules.keys import SCORE_KEYS
from rules.records import answer_record
from rules.refusals import refusal_text
from rules.scoring import resolve_options
from rules.variant import Variant
from rules.variants import OFFICIAL

app = typer.Typer(rich_markup_mode=None, add_completion=False)

# options that tell of a hand given as an argument; a JSON line has keys for them
_CIRCUMSTANCES = (
    "self_draw",
    "rob_kong",
    "kong_replacement",
    "last_tile",
    "last_of_kind",
    "seat_wind",
    "round_wind",
    "flowers",
    "wild",
    "wall_left",
    "flag",
)


@app.command()
def score(
    context: typer.Context,
    hands: Annotated[
        list[str] | None,
        typer.Argument(metavar="[HAND]...", help="Tile text such as '[123m,1](5555p) 678s EE 23m + 4m'."),
    ] = None,
    variant: VariantSlug = OFFICIAL,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Read hands from stdin, one JSON object a line.")
    ] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Say what counts, what not, and why.")] = False,
    self_draw: Annotated[bool, typer.Option("--self-draw", help="The winning tile was drawn.")] = False,
    rob_kong: Annotated[bool, typer.Option("--rob-kong", help="It was robbed from a kong.")] = False,
    kong_replacement: Annotated[bool, typer.Option("--kong-replacement", help="It replaced a kong.")] = False,
    last_tile: Annotated[bool, typer.Option("--last-tile", help="It was the last tile.")] = False,
    last_of_kind: Annotated[bool, typer.Option("--last-of-kind", help="The other three lie open.")] = False,
    seat_wind: SeatWind = "E",
    round_wind: RoundWind = "E",
    flowers: Flowers = "0",
    wild: Wild = "",
    wall_left: Annotated[int | None, typer.Option(help="Tiles left in the wall.")] = None,
    flag: Annotated[
        list[str] | None, typer.Option(help="Further circumstance the variant has; repeatable.")
    ] = None,
    option: Annotated[list[str] | None, typer.Option(help="Table option KEY=VALUE; repeatable.")] = None,
    lang: Language = Lang.BOTH,
) -> None:
    """Score winning hands.

    HAND is tile text: m p s behind digits, E S W N C F P, the winning tile after a plus sign. [123m,1] is an
    open meld, 1 upper 上家, 2 opposite 对家, 3 lower 下家 who threw it; (5555p) a concealed kong 暗杠.

    With --jsonl a line has the keys hand, self_draw, rob_kong, kong_replacement, last_tile, last_of_kind,
    seat_wind, round_wind, flowers (a number, or the tiles: "ae"), and if wanted options, flags, wall_left,
    from, wild. The answer has total, fan (name, en, points of one, count) and meets_minimum; a win that the
    rules refuse, too low a one too, also has "legal":false and reason. A hand that is no win gets
    {"error":{"code","message"}} with code not_win, a line that makes no sense invalid. The circumstances
    below are for hands given as arguments.
    """
    refuse_both_or_neither(hands, jsonl=jsonl)
    rules = variant_or_exit(variant)
    options = _options(rules, option or [])
    if jsonl:
        refuse_beside_jsonl(context, _CIRCUMSTANCES)
        run_jsonl(
            answering(
                lambda line: answer_record(rules, _with_options(line, options), explain=explain), SCORE_KEYS
            )
        )
        return
    record: dict[str, Any] = {
        "self_draw": self_draw,
        "rob_kong": rob_kong,
        "kong_replacement": kong_replacement,
        "last_tile": last_tile,
        "last_of_kind": last_of_kind,
        "seat_wind": seat_wind,
        "round_wind": round_wind,
        "flowers": flowers_given(flowers),
        "wild": wild,
        "wall_left": wall_left,
        "flags": flag or [],
        "options": options,
    }
    answer_hands(
        hands, lang, lambda text: _scored(rules, {**record, "hand": text}, explain=explain, lang=lang)
    )


def _options(variant: Variant, pairs: list[str]) -> dict[str, Any]:
    """Return `KEY=VALUE` arguments as a mapping, checked against the variant."""
    options = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"{pair!r} is not KEY=VALUE", param_hint="--option")
        options[key.strip()] = value.strip()
    try:
        resolve_options(variant, options)
    except RuleError as error:
        raise CliError(str(error)) from error
    return options


def _with_options(line: Mapping[str, Any], options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the line with the table's options below its own."""
    own = line.get("options")
    if not options or not (own is None or isinstance(own, Mapping)):
        return line
    return {**line, "options": {**options, **(own or {})}}


def _scored(variant: Variant, record: dict[str, Any], *, explain: bool, lang: Lang) -> tuple[list[str], str]:
    """Return the lines of a hand, and why the rules refuse it."""
    answer = answer_record(variant, record, explain=True)
    lines = answer_lines(variant, record["hand"], answer, explain=explain, lang=lang)
    if answer["meets_minimum"]:
        return lines, ""
    by_rules = "规则不允许：" if lang is Lang.ZH else "refused by the rules: "
    return lines, by_rules + _refusal(answer, lang)


def _refusal(answer: Mapping[str, Any], lang: Lang) -> str:
    """Return why a win is refused, in the one language or in English."""
    reason, least, without = answer["reason"], answer["minimum"], answer["total_without_flowers"]
    zh, en = refusal_text(reason)
    if reason == "below_minimum":
        zh = f"不够起和分，不计花牌 {without} 分，要 {least} 分"
        en = f"below the minimum, {without} without flowers, {least} needed"
    return zh if lang is Lang.ZH else en
