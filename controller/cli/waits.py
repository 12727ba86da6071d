"""`mahjong-table waits`: what hands wait for and what it is worth, or how far they are from waiting."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

from controller.cli.errors import CliError
from controller.cli.jsonl import run_jsonl
from controller.cli.rule_lines import answering, variant_or_exit
from rules.errors import RuleError
from rules.notation import format_tiles, parse_hand, parse_tiles
from rules.routes import answer_routes
from rules.tiles import Tile, tile_name
from rules.variant import Variant
from rules.wait_records import answer_shanten, answer_waits

app = typer.Typer(rich_markup_mode=None, add_completion=False)

WAY_NAMES = {
    "discard": "点炮 discard",
    "self_draw": "自摸 self-draw",
    "last_of_kind": "和绝张 last of its kind, discard",
    "last_of_kind_self_draw": "绝张自摸 last of its kind, self-draw",
}
ROUTES_SHOWN = 8


@app.command()
def waits(
    hands: Annotated[
        list[str] | None,
        typer.Argument(metavar="[HAND]...", help="13 tiles such as '[123m,1](5555p) 678s EE 23m'."),
    ] = None,
    variant: Annotated[str, typer.Option(help="Rule variant, see `rules list`.")] = "mcr",
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
    seat_wind: Annotated[str, typer.Option(help="Seat wind of the player; E deals.")] = "E",
    round_wind: Annotated[str, typer.Option(help="Wind of the circle.")] = "E",
    flowers: Annotated[int, typer.Option(help="Flowers laid aside.")] = 0,
) -> None:
    """Show what 13 tiles wait for, in form: a wait of which the hand has all four copies is named too.

    With --jsonl a line has the keys hand and, if wanted, seen, seat_wind, round_wind, flowers, last_tile,
    options, flags, wall_left. The answer has waits and exhausted; with --explain also detail, a row for each
    wait: copies unseen, the worth of each way to get it, and why if none wins. With --shanten it has regular,
    useful, one key for every other shape the melds allow, and best; 0 = ready, and melds need not be
    written. With --routes it has minimum and routes, nearest first: patterns and points, tiles missing, sets
    (locked, held), useful tiles with the copies that may still come. They are facts, not odds, and meant for
    training. A line that makes no sense gets {"error":{"code","message"}}. The circumstances below are for
    hands given as arguments.
    """
    if jsonl == bool(hands):
        message = "give hands as arguments, or --jsonl and hands on stdin" + (", not both" if jsonl else "")
        raise typer.BadParameter(message)
    if routes and far:
        raise typer.BadParameter("--routes and --shanten are two questions: ask one")
    rules = variant_or_exit(variant)
    if jsonl:
        run_jsonl(answering(_answer(rules, far=far, explain=explain, routes=routes, within=within)))
        return
    record: dict[str, Any] = {
        "seen": seen,
        "last_tile": last_tile,
        "seat_wind": seat_wind,
        "round_wind": round_wind,
        "flowers": flowers,
    }
    if routes:
        record = {**record, "within": within}
    _print_hands(rules, hands or [], record, far=far, explain=explain, routes=routes)


def _answer(
    variant: Variant, *, far: bool, explain: bool, routes: bool, within: int
) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
    """Return the function that answers a line."""
    if routes:
        return lambda line: answer_routes(variant, {"within": within, **line})
    question = answer_shanten if far else answer_waits
    return lambda line: question(variant, line, explain=explain)


def _print_hands(
    variant: Variant,
    hands: list[str],
    record: dict[str, Any],
    *,
    far: bool,
    explain: bool,
    routes: bool,
) -> None:
    """Print every hand; when one is refused, the others are still printed and the command exits with 1."""
    refused = []
    for text in hands:
        line = {**record, "hand": text}
        try:
            if routes:
                lines = _routes(answer_routes(variant, line))
            elif far:
                lines = _distances(answer_shanten(variant, line, explain=True), explain=explain)
            else:
                lines = _waits(variant, line, answer_waits(variant, line, explain=explain))
        except RuleError as error:
            refused.append(f"{text or '(empty)'}: {error}")
            continue
        head = parse_hand(text) if routes else parse_hand(text).with_win_tile(None)
        typer.echo("\n".join([f"{head}   {variant.zh} {variant.en}", *lines]))
    if refused:
        raise CliError("; ".join(refused))


def _distances(answer: Mapping[str, Any], *, explain: bool) -> list[str]:
    """Return the distance of every shape; the useful tiles of the nearest, with `explain` of all."""
    rows = answer["detail"]
    nearest = min(row["shanten"] for row in rows)
    lines = []
    for row in rows:
        away = (
            "听牌 ready" if row["shanten"] == 0 else f"差 {row['shanten']} 张听牌 {row['shanten']} from ready"
        )
        lines.append(f"  {row['name']} {row['en']}: {away}")
        if explain or row["shanten"] == nearest:
            tiles = " ".join(f"{tile}x{copies}" for tile, copies in row["useful"].items()) or "-"
            lines.append(f"      有效牌 useful: {tiles}   共 {row['live']} 张 tiles")
    return lines


def _routes(answer: Mapping[str, Any]) -> list[str]:
    """Return the nearest routes as lines for people."""
    if not answer["routes"]:
        return [f"  够 {answer['minimum']} 分的都太远 nothing worth {answer['minimum']} points is that near"]
    lines = []
    for route in answer["routes"][:ROUTES_SHOWN]:
        names = " + ".join(f"{row['name']} {row['en']} {row['points']}" for row in route["patterns"])
        only = ["须门清 concealed"] * route["concealed"] + ["须自摸 self-drawn"] * route["self_drawn"]
        tail = f"   {', '.join(only)}" if only else ""
        lines.append(f"  {route['points']} 分: {names}{tail}")
        useful = " ".join(f"{tile}x{copies}" for tile, copies in route["useful"].items())
        away = "已成 complete" if route["distance"] == 0 else f"差 {route['distance']} 张 tiles missing"
        lines.append(f"      {away}   有效牌 useful: {useful or '-'}   共 {route['live']} 张 tiles")
        blocks = ("".join(aim["tiles"]) for aim in route["sets"] if aim["locked"])
        locked = " ".join(format_tiles(parse_tiles(block)) for block in blocks)
        lines.append(f"      已有 there already: {locked or '-'}")
    left = len(answer["routes"]) - ROUTES_SHOWN
    return lines if left <= 0 else [*lines, f"  另有 {left} 条 more: --jsonl"]


def _waits(variant: Variant, line: Mapping[str, Any], answer: Mapping[str, Any]) -> list[str]:
    """Return the waits as lines for people."""
    if not answer["waits"]:
        return [
            "  没有听牌 not ready",
            *_distances(answer_shanten(variant, line, explain=True), explain=False),
        ]
    if "detail" in answer:
        return [text for row in answer["detail"] for text in _worth(row)]
    return [
        f"  听 waits {_named(tile)}"
        + ("   四张都在手里 all four are in the hand" if tile in answer["exhausted"] else "")
        for tile in answer["waits"]
    ]


def _named(text: str) -> str:
    tile = Tile.parse(text)
    return f"{text} {tile_name(tile, 'zh')} {tile_name(tile, 'en')}"


def _worth(row: Mapping[str, Any]) -> list[str]:
    """Return the lines of one wait: copies left, each way with its fan, and why it cannot win."""
    lines = [f"  听 waits {_named(row['tile'])}   余 {row['copies']} 张 left"]
    if "why" in row:
        lines.append(f"      和不了 cannot win: {row['why']['zh']} {row['why']['en']}")
    for way, scored in row["ways"].items():
        if scored is not None and not _same_as_another(row["ways"], way):
            mark = "" if scored["meets_minimum"] else "   不能和 no win"
            lines.append(f"      {WAY_NAMES[way]}: {scored['total']}{mark}   {_fan(scored['fan'])}")
    return lines


def _same_as_another(ways: Mapping[str, Any], way: str) -> bool:
    """Return whether the last of its kind changes nothing: it is certain, or the variant does not ask."""
    plain = {"last_of_kind": "discard", "last_of_kind_self_draw": "self_draw"}.get(way)
    return plain is not None and ways[way] == ways[plain]


def _fan(rows: list[Mapping[str, Any]]) -> str:
    """Return elements with their points, e.g. `平和 All chows 2, 四归一 Tile hog 2 x 2`."""
    return ", ".join(
        f"{row['name']} {row['en']} {row['points']}" + (f" x {row['count']}" if row["count"] > 1 else "")
        for row in rows
    )
