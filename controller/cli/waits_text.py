"""Waits, distances and routes as lines for people, in Chinese, in English, or both beside each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.cli.score_text import Lang
from rules.notation import format_tiles, parse_tiles
from rules.tiles import Tile, tile_name

WAY_NAMES = {
    "discard": ("点炮", "discard"),
    "self_draw": ("自摸", "self-draw"),
    "last_of_kind": ("和绝张", "last of its kind, discard"),
    "last_of_kind_self_draw": ("绝张自摸", "last of its kind, self-draw"),
}
ROUTES_SHOWN = 8


def distance_lines(answer: Mapping[str, Any], lang: Lang, *, explain: bool) -> list[str]:
    """Return the distance of every shape; the useful tiles of the nearest, with `explain` of all."""
    rows = answer["detail"]
    nearest = min(row["shanten"] for row in rows)
    lines = []
    for row in rows:
        away = row["shanten"]
        told = lang.say("听牌", "ready") if away == 0 else lang.say(f"差 {away} 张听牌", f"{away} from ready")
        lines.append(f"  {lang.say(row['name'], row['en'])}: {told}")
        if explain or away == nearest:
            tiles = " ".join(f"{tile}×{copies}" for tile, copies in row["useful"].items()) or "-"
            lines.append(f"      {lang.say('有效牌', 'useful')}: {tiles}   {_live(row['live'], lang)}")
    return lines


def _live(number: int, lang: Lang) -> str:
    tiles = "tile" if number == 1 else "tiles"
    return {
        Lang.ZH: f"共 {number} 张",
        Lang.EN: f"{number} {tiles}",
        Lang.BOTH: f"共 {number} 张 {tiles}",
    }[lang]


def route_lines(answer: Mapping[str, Any], lang: Lang) -> list[str]:
    """Return the nearest routes."""
    least = answer["minimum"]
    if not answer["routes"]:
        return [f"  {lang.say(f'够 {least} 分的都太远', f'nothing worth {least} points is that near')}"]
    lines = [line for route in answer["routes"][:ROUTES_SHOWN] for line in _route(route, lang)]
    left = len(answer["routes"]) - ROUTES_SHOWN
    if left > 0:
        more = {Lang.ZH: f"另有 {left} 条", Lang.EN: f"{left} more", Lang.BOTH: f"另有 {left} 条 more"}[lang]
        lines.append(f"  {more}: --jsonl")
    return lines


def _route(route: Mapping[str, Any], lang: Lang) -> list[str]:
    names = " + ".join(f"{lang.say(row['name'], row['en'])} {row['points']}" for row in route["patterns"])
    only = [lang.say("须门清", "concealed")] * route["concealed"]
    only += [lang.say("须自摸", "self-drawn")] * route["self_drawn"]
    tail = f"   {', '.join(only)}" if only else ""
    points = f"{route['points']} {'points' if lang is Lang.EN else '分'}"
    useful = " ".join(f"{tile}×{copies}" for tile, copies in route["useful"].items())
    blocks = ("".join(aim["tiles"]) for aim in route["sets"] if aim["locked"])
    locked = " ".join(format_tiles(parse_tiles(block)) for block in blocks)
    return [
        f"  {points}: {names}{tail}",
        f"      {_missing(route['distance'], lang)}   {lang.say('有效牌', 'useful')}: {useful or '-'}   "
        f"{_live(route['live'], lang)}",
        f"      {lang.say('已有', 'there already')}: {locked or '-'}",
    ]


def _missing(number: int, lang: Lang) -> str:
    if number == 0:
        return lang.say("已成", "complete")
    tiles = f"{'tile' if number == 1 else 'tiles'} missing"
    both = f"差 {number} 张 {tiles}"
    return {Lang.ZH: f"差 {number} 张", Lang.EN: f"{number} {tiles}", Lang.BOTH: both}[lang]


def wait_lines(answer: Mapping[str, Any], lang: Lang) -> list[str]:
    """Return the waits of a hand that has some; of an explained answer with the worth of each."""
    if "detail" in answer:
        return [text for row in answer["detail"] for text in _worth(row, lang)]
    all_held = "   " + lang.say("四张都在手里", "all four are in the hand")
    return [
        f"  {lang.say('听', 'waits')} {_named(tile, lang)}{all_held if tile in answer['exhausted'] else ''}"
        for tile in answer["waits"]
    ]


def _named(text: str, lang: Lang) -> str:
    tile = Tile.parse(text)
    return f"{text} {lang.say(tile_name(tile, 'zh'), tile_name(tile, 'en'))}"


def _worth(row: Mapping[str, Any], lang: Lang) -> list[str]:
    """Return the lines of one wait: copies left, each way with its fan, and why it cannot win."""
    copies = row["copies"]
    left = {Lang.ZH: f"余 {copies} 张", Lang.EN: f"{copies} left", Lang.BOTH: f"余 {copies} 张 left"}[lang]
    lines = [f"  {lang.say('听', 'waits')} {_named(row['tile'], lang)}   {left}"]
    if "why" in row:
        why = lang.say(row["why"]["zh"], row["why"]["en"])
        lines.append(f"      {lang.say('和不了', 'cannot win')}: {why}")
    for way, scored in row["ways"].items():
        if scored is not None and not _same_as_another(row["ways"], way):
            mark = "" if scored["meets_minimum"] else "   " + lang.say("不能和", "no win")
            name = lang.say(*WAY_NAMES[way])
            lines.append(f"      {name}: {scored['total']}{mark}   {_fan(scored['fan'], lang)}".rstrip())
    return lines


def _same_as_another(ways: Mapping[str, Any], way: str) -> bool:
    """Return whether the last of its kind changes nothing: it is certain, or adds nothing here."""
    plain = {"last_of_kind": "discard", "last_of_kind_self_draw": "self_draw"}.get(way)
    return plain is not None and ways[way] == ways[plain]


def _fan(rows: list[Mapping[str, Any]], lang: Lang) -> str:
    """Return elements with their points, e.g. `平和 All Chows 2, 四归一 Tile Hog 2 x 2`."""
    return ", ".join(
        f"{lang.say(row['name'], row['en'])} {row['points']}"
        + (f" x {row['count']}" if row["count"] > 1 else "")
        for row in rows
    )
