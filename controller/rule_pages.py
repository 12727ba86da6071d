"""Prints a variant for readers: `python -m controller.rule_pages SLUG [--check FILE]`, and its terminal page.

`docs/rules-mcr.md` is printed from the rows of `rules/variants/mcr.py` and the guide beside them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path

from rules.guide import Example, Guide, Section
from rules.hand import MeldKind
from rules.options import Option, Options, OptionValue
from rules.scoring import Kong, Situation, resolve_options
from rules.seats import Seat
from rules.settings import default_of, explained, preset, rows_of
from rules.tiles import TILES
from rules.variant import Fan, KongRow, Variant
from rules.variants import OFFICIAL, get_variant
from rules.variants.guides import GUIDES

# what no tile shows, in the keys of a record
TOLD = {
    "self_draw": ("自摸", "self-draw"),
    "rob_kong": ("抢杠", "robbed kong"),
    "kong_replacement": ("杠后补牌", "kong replacement"),
    "last_tile": ("最后一张", "last tile"),
    "last_of_kind": ("其余三张已亮明", "the other three lie open"),
}
HEADS = (
    "号 no.",
    "番种 element",
    "说明 what it is",
    "不计 not counted beside it",
    "例牌 example",
    "合计 total",
)
INDENT = " " * 12
ONE_OF = {"wait": ("边张、坎张、单钓将只计其一", "only one of the three waits")}


# ---- what counts under which options ----

Needs = Mapping[str, OptionValue]


def rows_with_needs(variant: Variant) -> Iterator[tuple[Fan | KongRow, Needs]]:
    """Yield the elements, then the kongs, each with the option that it needs; {} = it counts by default."""
    by_default = _counting(variant, resolve_options(variant, {}))
    for fan in variant.fans:
        yield by_default.get(fan.key, fan), _needs(variant, _counts(variant, fan.key))
    for kong in variant.kongs:
        yield kong, _needs(variant, partial(_is_paid, kong))


def _counts(variant: Variant, key: str) -> Callable[[Options], bool]:
    return lambda options: key in _counting(variant, options)


def _counting(variant: Variant, options: Options) -> dict[str, Fan]:
    return {fan.key: fan for fan in variant.rows(variant.fans, options)}


def _is_paid(row: KongRow, options: Options) -> bool:
    """Return whether anybody pays for such a kong, of a wild tile if need be."""
    tile, east, south = TILES[0], Seat.E, Seat.S
    source = south if row.kind is MeldKind.EXPOSED_KONG else None
    situation = Situation(east, options=options, wild=(tile,))
    return any(row.pays(Kong(east, row.kind, tile, source), row.value(options), situation, options).values())


def _needs(variant: Variant, holds: Callable[[Options], bool]) -> Needs:
    """Return {} for what holds by default, else the first one option that makes it so."""
    if holds(resolve_options(variant, {})):
        return {}
    for option in variant.options:
        for value in _other_values(option):
            if holds(resolve_options(variant, {option.key: value})):
                return {option.key: value}
    raise ValueError(f"no option of {variant.key} makes it count")


def _other_values(option: Option) -> list[OptionValue]:
    values: list[OptionValue] = [choice.key for choice in option.choices]
    if option.kind == "bool":
        values = [True, False]
    return [value for value in values if value != option.default]


def needs_text(needs: Needs) -> str:
    """Return what is needed as an option is given, e.g. `public_extras=on`."""
    return ", ".join(f"{key}={_value_text(value)}" for key, value in needs.items())


def _value_text(value: OptionValue) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


# ---- what is not counted beside an element ----


def not_beside(variant: Variant, fan: Fan) -> tuple[str, str]:
    """Return what is not counted beside an element, zh and en; empty where there is nothing."""
    rows = {each.key: each for each in variant.fans}

    def names(keys: tuple[str, ...], zh_more: str = "", en_more: str = "") -> list[tuple[str, str]]:
        known = [rows[key] for key in keys if key in rows]
        return [(row.zh + zh_more, row.en + en_more) for row in known]

    found = names(fan.excludes)
    found += names(fan.contains, "（仅限组成该番的面子）", " (on its own sets)")
    found += names(tuple(key for key, _ in fan.absorbs), "（仅限组成该番的刻子）", " (on its pungs)")
    if fan.one_of:
        found.append(ONE_OF[fan.one_of])
    return "、".join(zh for zh, _ in found), ", ".join(en for _, en in found)


def example_text(example: Example) -> str:
    """Return the hand of an example with its circumstances, in both languages."""
    told = [f"{' '.join(TOLD[key])} `--{key.replace('_', '-')}`" for key in example.told]
    if example.flowers:
        told.append(f"花牌 {example.flowers} flowers `--flowers {example.flowers}`")
    return example.hand + (f"; {', '.join(told)}" if told else "")


def example_command(variant: Variant, example: Example) -> str:
    """Return the command that scores an example as the page tells it."""
    told = "".join(f" --{key.replace('_', '-')}" for key in example.told)
    flowers = f" --flowers {example.flowers}" if example.flowers else ""
    return f'mahjong-table score --variant {variant.key} --seat-wind S{told}{flowers} "{example.hand}"'


# ---- the page of docs ----


def page(variant: Variant) -> str:
    """Return the whole page as Markdown, Chinese first.

    Raises:
        KeyError: if the variant has no guide.
    """
    guide = GUIDES[variant.key]
    command = f"python -m controller.rule_pages {variant.key}"
    lines = [
        f"# {variant.zh} · {variant.en}",
        "",
        f"Printed from the rows of the rules by `{command}`; do not edit. 本页由规则表生成，请勿手改。",
        "",
        f"Source 来源: {variant.source}",
    ]
    for section in guide.sections:
        lines += ["", *_section(section)]
    lines += ["", *_profiles(guide), "", *_options(variant), "", *_elements(variant, guide)]
    return "\n".join(lines) + "\n"


def _section(section: Section) -> Iterator[str]:
    yield f"## {section.title[0]} · {section.title[1]}"
    yield ""
    for zh, en in section.items:
        yield f"- {zh}<br>{en}"


def _profiles(guide: Guide) -> Iterator[str]:
    yield "## 各家规则的不同 · Where rule bodies differ"
    yield ""
    for key, (zh, en) in guide.profiles:
        yield f"- `{key}`：{zh}<br>{en}"
    yield ""
    keys = [key for key, _ in guide.profiles]
    yield "| 手牌 hand | " + " | ".join(f"`{key}`" for key in keys) + " | 说明 why |"
    yield "|---|" + "---:|" * len(keys) + "---|"
    for each in guide.profile_hands:
        told = "".join(f"; {' '.join(TOLD[key])} `--{key.replace('_', '-')}`" for key in each.told)
        totals = " | ".join(str(each.totals[key]) for key in keys)
        yield f"| `{each.hand}`{told} | {totals} | {each.why[0]}<br>{each.why[1]} |"


def _options(variant: Variant) -> Iterator[str]:
    yield "## 可约定的 · What a table may agree on"
    yield ""
    yield "| 选项 option | 名称 name | 默认 default | 可选 values |"
    yield "|---|---|---|---|"
    for option in variant.options:
        yield f"| `{option.key}` | {option.zh} {option.en} | {option.default} | {values_text(option)} |"


def values_text(option: Option) -> str:
    """Return what an option may be."""
    if option.kind == "int":
        return f"{option.low}–{option.high}"
    if option.kind == "bool":
        return "on, off"
    any_of = "可多选 any of: " if option.kind == "set" else ""
    return any_of + ", ".join(f"{each.key} {each.zh}" for each in option.choices)


def _elements(variant: Variant, guide: Guide) -> Iterator[str]:
    yield f"## 番种 · The {len(variant.fans)} elements"
    yield ""
    yield (
        "例牌：南家在东风圈和牌（命令默认东家，所以要写 `--seat-wind S`），未注明者为点炮和；加号后是和牌张，"
        "方括号是明面子，逗号后是牌的来源（1 上家、2 对家、3 下家），圆括号是暗杠，如 `(5555p)`；"
        "m 万、p 饼、s 条、E S W N 东南西北、C F P 中发白，小写 a 到 h 是花牌。合计为整副牌的分。<br>"
        "Examples: South wins in the East round (the command takes East unless told: write `--seat-wind S`), "
        "on a discard where nothing else is said; the winning tile stands after the plus sign, open melds in "
        "square brackets with whose tile it was after a comma (1 upper, 2 opposite, 3 lower seat), concealed "
        "kongs in round ones as `(5555p)`; m characters, p dots, s bamboos, E S W N winds, C F P red, green "
        "and white dragon, small a to h flowers. The total is that of the hand."
    )
    yield ""
    yield f"    {example_command(variant, guide.examples['last_tile_draw'])}"
    options = resolve_options(variant, {})
    for value, rows in groupby(guide.numbered(variant), key=lambda row: row[1].value(options)):
        yield ""
        yield f"### {value} 分 · {value} {'point' if value == 1 else 'points'}"
        yield ""
        yield f"| {' | '.join(HEADS)} |"
        yield "|---:|---|---|---|---|---:|"
        for number, fan in rows:
            yield _element(variant, number, fan, guide.examples[fan.key])


def _element(variant: Variant, number: str, fan: Fan, example: Example) -> str:
    zh, en = not_beside(variant, fan)
    beside = f"{zh}<br>{en}" if zh else "—"
    hand, told, more = example_text(example).partition("; ")
    sets = f"<br>{example.sets}" if example.sets else ""
    cells = [
        number,
        f"**{fan.zh}**<br>{fan.en}",
        f"{example.zh}<br>{example.en}",
        beside,
        f"`{hand}`{told}{more}{sets}",
        str(example.total),
    ]
    return f"| {' | '.join(cells)} |"


# ---- the page for a terminal ----


def terminal_page(variant: Variant) -> list[str]:
    """Return a variant as lines for a terminal: options, payments and elements, with what is not counted."""
    guide = GUIDES.get(variant.key)
    lines = [f"{variant.key}  {variant.zh}  {variant.en}, {variant.tiles} tiles 张", f"  {variant.source}"]
    if guide is not None:
        lines += ["", *_terminal_guide(variant, guide)]
    lines += ["", "可约定的 Options (default first):"]
    lines += [f"  {row.key:<24} {row.zh} {row.en}: {_default_first(row)}" for row in variant.options]
    options = resolve_options(variant, {})
    if variant.minimum(options):
        lines += ["", f"起和 Minimum: {variant.minimum(options)}"]
    numbers = {} if guide is None else {fan.key: number for number, fan in guide.numbered(variant)}
    groups: dict[str, list[str]] = {"": []}
    kongs: dict[str, list[str]] = {"": []}
    for row, needs in rows_with_needs(variant):
        if isinstance(row, KongRow):
            line = f"      {row.value(options):>4}  {row.zh}  {row.en}"
            kongs.setdefault(needs_text(needs), []).append(line)
        else:
            group = groups.setdefault(needs_text(needs), [])
            group += _terminal_element(variant, row, numbers.get(row.key, ""), guide)
    for needed, told in groups.items():
        more = f"，约定 {needed} 才计 counted only with {needed}" if needed else ""
        lines += ["", f"番种 Elements{more}:", *told]
    for needed, told in kongs.items():
        more = f"，约定 {needed} 才付 paid only with {needed}" if needed else ""
        lines += ["", f"杠 Kongs{more}:", *told] if told else []
    return lines


def settings_page(slug: str) -> list[str]:
    """Return every setting of a rule text as lines for a terminal, explained in both languages.

    Raises:
        SettingRefused: if there is no such rule text.
    """
    lines = [f"{slug}  设置 Settings (default first)"]
    heads = {"options": "玩法 The variant", "procedure": "牌桌 The table"}
    for group, rows in rows_of(slug).items():
        lines += ["", f"{heads[group]} ({group}):"] if rows else []
        for row in rows:
            named = replace(row, default=default_of(slug, row))
            lines += [f"  {row.key:<24} {row.zh} {row.en}: {_default_first(named)}"]
            lines += [f"{INDENT}{text}" for text in explained(group, row.key)]
    note = preset(slug).note
    return [*lines, "", *note] if note[0] else lines


def _terminal_element(variant: Variant, fan: Fan, number: str, guide: Guide | None) -> Iterator[str]:
    yield f"{number:>4}  {fan.value(resolve_options(variant, {})):>4}  {fan.zh}  {fan.en}"
    if guide is not None:
        example, (zh, en) = guide.examples[fan.key], not_beside(variant, fan)
        yield f"{INDENT}{example.zh} / {example.en}"
        if zh:
            yield f"{INDENT}不计：{zh}"
            yield f"{INDENT}without: {en}"


def _terminal_guide(variant: Variant, guide: Guide) -> Iterator[str]:
    differs = dict(guide.profiles).get(variant.key)
    if differs is not None:
        yield f"  {differs[0]}"
        yield f"  {differs[1]}"
    for section in guide.sections:
        yield ""
        yield f"{section.title[0]} {section.title[1]}:"
        for zh, en in section.items:
            yield f"  - {zh}"
            yield f"    {en}"


def _default_first(option: Option) -> str:
    if option.kind == "int":
        return f"{option.default} ({option.low} to {option.high})"
    if option.kind == "bool":
        return "on, off" if option.default else "off, on"
    if option.kind == "set":
        return f"{option.default or 'none'} (可多选 any of: {', '.join(each.key for each in option.choices)})"
    ordered = sorted(option.choices, key=lambda choice: bool(choice.key != option.default))
    return ", ".join(f"{choice.key} ({choice.zh})" for choice in ordered)


def main(arguments: list[str]) -> int:
    """Print the page of a variant, or compare it with a file (exit 1 when they differ)."""
    text = page(get_variant(arguments[0] if arguments else OFFICIAL))
    if arguments[1:2] == ["--check"]:
        return 0 if Path(arguments[2]).read_text(encoding="utf-8") == text else 1
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
