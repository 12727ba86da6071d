"""The variant `lianzhong`, row by row of its rule text (../shared/rules/lianzhong.md) and of its elements."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rules.cases import answer_case
from rules.errors import InvalidOption, InvalidRequest, InvalidWin
from rules.explain import explain
from rules.hand import MeldKind
from rules.notation import parse_hand, parse_tiles
from rules.records import read_record
from rules.scoring import Kong, Score, Situation, Win, resolve_options, score, settle, settle_kong
from rules.seats import ALL_SEATS, Seat
from rules.tiles import Tile
from rules.uncounted import reason_text
from rules.variants import get_variant
from tests.rules.mcr_hands import hands

RULES = Path(__file__).resolve().parents[3] / "shared" / "rules"
needs_shared = pytest.mark.skipif(not RULES.is_dir(), reason=f"shared rules not beside the checkout: {RULES}")
LIANZHONG, MCR = get_variant("lianzhong"), get_variant("mcr")
E, S, W, N = ALL_SEATS
FREE: dict[str, Any] = {"min_fan": 0}
PUBLIC: dict[str, Any] = {"public_extras": True}
LITERAL: dict[str, Any] = {"exclusions": "literal"}


def claim(
    text: str,
    by: str = "discard",
    options: Mapping[str, Any] | None = None,
    *,
    seat: Seat = S,
    source: Seat = W,
    flags: tuple[str, ...] = (),
    flowers: str = "",
    wild: str = "",
    round_wind: Seat = E,
    wall_left: int | None = None,
) -> tuple[Win, Situation]:
    """Return a win of South from West, East dealing, and its situation."""
    aside = parse_tiles(flowers)
    fed = None if by == "self_draw" else source
    win = Win(seat, parse_hand(text), by, fed, frozenset(flags), wall_left, len(aside), aside)
    return win, Situation(E, options=options or {}, round_wind=round_wind, wild=parse_tiles(wild))


def scored(text: str, *args: Any, **more: Any) -> Score:
    return score(LIANZHONG, *claim(text, *args, **more))


def listed(result: Score) -> str:
    """Return the elements as one text, sorted: `平和2 花牌1x3`."""
    names = (f"{each.zh}{each.value}{f'x{each.count}' if each.count > 1 else ''}" for each in result.elements)
    return " ".join(sorted(names))


def words(text: str) -> str:
    return " ".join(sorted(text.split()))


# ---- the shared cases and the table of elements ----


def shared_cases() -> list[dict[str, Any]]:
    if not RULES.is_dir():
        return []
    data = json.loads((RULES / "cases" / "lianzhong.json").read_text(encoding="utf-8"))
    return [{"variant": data["variant"], **case} for case in data["cases"]]


@needs_shared
def test_the_cases_are_there() -> None:
    assert len(shared_cases()) == 75


@pytest.mark.parametrize("case", shared_cases(), ids=lambda case: case["id"])
def test_shared_case(case: dict[str, Any]) -> None:
    answer = answer_case({key: value for key, value in case.items() if key != "expect"})
    expected = case["expect"]
    for each in (answer, expected):
        each.get("elements", []).sort()
    assert {key: answer[key] for key in expected} == expected
    json.dumps(answer)


# where a row says more or less than the table: row -> (more excluded, not excluded)
CHANGED: Mapping[str, tuple[str, str]] = {
    "four_directions_fa": (
        "outside_hand",
        "",
    ),  # implied by 字一色, which stands back
    "heavenly_hand": ("heavenly_ready", ""),  # implied: who wins on the dealt tiles was ready on them
    "earthly_hand": ("heavenly_ready", ""),
    "wild_kong": ("", "kong_concealed"),  # its own 暗杠 is not there; that of another kong counts
}


@needs_shared
def test_rows_are_those_of_the_table() -> None:
    with (RULES / "elements" / "lianzhong.csv").open(encoding="utf-8") as file:
        table = {row["key"]: row for row in csv.DictReader(file)}
    rows = {fan.key: fan for fan in LIANZHONG.fans}
    assert set(rows) == set(table)
    official = {fan.key: fan for fan in MCR.fans}
    for key, fan in rows.items():
        row = table[key]
        assert (fan.zh, fan.value(LIANZHONG.default_options)) == (row["zh"], int(row["value"])), key
        assert fan.en == row["en"] or key in official, key
        wanted = set(row["excludes"].split())
        if key in official:  # `contains` and `absorbs` leave out single sets
            more = {target for target, _ in fan.absorbs} | set(fan.contains)
            assert wanted <= set(fan.excludes) | more | set(official[key].excludes), key
            assert set(fan.excludes) - set(official[key].excludes) <= wanted, key
        else:
            more_words, less_words = CHANGED.get(key, ("", ""))
            assert set(fan.excludes) == (wanted | set(more_words.split())) - set(less_words.split()), key


def test_only_flowers_do_not_help_to_reach_the_minimum() -> None:
    apart = {fan.zh for fan in LIANZHONG.fans if not fan.helps_minimum}
    assert apart == {"花牌", "季花", "梅兰竹菊", "春夏秋冬"}


# ---- the extras, line by line ----

# what the text says, hand, how it is told, the whole list of elements
EXTRAS: list[tuple[str, str, dict[str, Any], str]] = [
    ("四方大发: pungs of winds", "[EEE][SSS][NNN] WWW F + F", {}, "四方大发168 单钓1"),
    ("四方大发: kongs too", "[EEEE](SSSS) NNN WWW F + F", {}, "四方大发168 三暗刻16 明暗杠5 单钓1"),
    (
        "四方大发: what is not implied is added",
        "EEE SSS NNN WWW F + F",
        {"by": "self_draw"},
        "四方大发168 四暗刻64 单钓1 自摸1",
    ),
    ("四方大发 needs 发", "[EEE][SSS][NNN] WWW C + C", {}, "大四喜88 字一色64 单钓1"),
    (
        "四方大发 needs four wind pungs",
        "[EEE][SSS][NNN] FFF W + W",
        {},
        "小四喜64 字一色64 箭刻2 圈风刻2 门风刻2 单钓1",
    ),
    (
        "天和 adds to the hand's patterns, without 不求人 自摸 and waits",
        "147m 258p 369s 123m 5s + 5s",
        {"by": "self_draw", "seat": E, "flags": ("heavenly",)},
        "天和168 组合龙12 平和2",
    ),
    (
        "天和 of fourteen dealt tiles: any of them may be the winning one",
        "11123456789995m",
        {"by": "self_draw", "seat": E, "flags": ("heavenly",)},
        "天和168 九莲宝灯88 双暗刻2 幺九刻1 258将1",
    ),
    (
        "天和 of seven pairs",
        "1122m 44p 66p 88s EE PP",
        {"by": "self_draw", "seat": E, "flags": ("heavenly",)},
        "天和168 七对24 五门齐6",
    ),
    (
        "天和 implies 天听",
        "123m 456p 789s 234s 55m",
        {"by": "self_draw", "seat": E, "flags": ("heavenly", "heavenly_ready")},
        "天和168 花龙8 平和2 258将1",
    ),
    (
        "地和 adds, without 不求人 and 自摸; waits count",
        "123m 456p 789s 24s 55m + 3s",
        {"by": "self_draw", "flags": ("earthly",)},
        "地和158 花龙8 平和2 嵌张1 258将1",
    ),
    (
        "地和 implies 天听",
        "123m 456p 789s 34s 55m + 2s",
        {"by": "self_draw", "flags": ("earthly", "heavenly_ready")},
        "地和158 花龙8 平和2 258将1",
    ),
    (
        "人和 on a discard, without 门清",
        "123m 456p 789s 34s NN + 2s",
        {"flags": ("human",)},
        "人和108 花龙8",
    ),
    (
        "人和 self-drawn: 自摸 stays",
        "123m 456p 789s 34s NN + 2s",
        {"by": "self_draw", "flags": ("human",)},
        "人和108 花龙8 自摸1",
    ),
    (
        "人和 after a claim",
        "[123m] 456p 789s 34s NN + 2s",
        {"flags": ("human",)},
        "人和108 花龙8",
    ),
    (
        "人和 is not counted with 地和",
        "123m 456p 789s 34s NN + 2s",
        {"by": "self_draw", "flags": ("human", "earthly")},
        "地和158 花龙8",
    ),
    (
        "人和 is not counted with 天和",
        "123m 456p 789s 34s NN + 2s",
        {"by": "self_draw", "seat": E, "flags": ("human", "heavenly")},
        "天和168 花龙8",
    ),
    (
        "混杠 gives no 暗杠 and no 幺九刻",
        "(9999p) 123m 456m 55s 67m + 8m",
        {"wild": "9p"},
        "混杠88 门清2 连六1 无字1 258将1",
    ),
    (
        "混杠 laid openly",
        "[9999p] 123m 456m 55s 67m + 8m",
        {"wild": "9p"},
        "混杠88 连六1 无字1 258将1",
    ),
    (
        "混杠 of a wind gives no 圈风刻, its tiles are honors",
        "(EEEE) 123m 456m 55s 67m + 8m",
        {"wild": "E", "seat": E},
        "混杠88 门清2 连六1 缺一门1 258将1",
    ),
    (
        "another kong keeps its 暗杠",
        "(9999p)(2222s) 123m 55s 67m + 8m",
        {"wild": "9p"},
        "混杠88 门清2 暗杠2 无字1 258将1",
    ),
    (
        "two other kongs are 双暗杠, not 三杠",
        "(9999p)(2222s)(3333m) 67m 55s + 8m",
        {"wild": "9p"},
        "混杠88 双暗杠6 门清2 无字1 258将1",
    ),
    (
        "混杠 is no concealed pung and combines with none; 碰碰和 is a pattern of the whole hand",
        "(9999p) 777p 888p 222s 5s + 5s",
        {"wild": "9p", "by": "self_draw"},
        "混杠88 三暗刻16 碰碰和6 不求人4 缺一门1 无字1 单钓1 258将1",
    ),
    (
        "混杠 is no 全带五",
        "(9999p) 345m 456p 567s 5m + 5m",
        {"wild": "9p"},
        "混杠88 三色三步高6 门清2 无字1 258将1",
    ),
    (
        "混杠 of a nine is no hindrance to 清幺九",
        "(9999p) 119s 111m 999m 1s + 9s",
        {"wild": "9p"},
        "混杠88 清幺九64 三暗刻16 门清2 单钓1",
    ),
    (
        "混杠 of two wild kinds",
        "(9999p)(4444s) 123m 55s 67m + 8m",
        {"wild": "9p 4s"},
        "混杠88x2 门清2 无字1 258将1",
    ),
    (
        "two wild kinds: each stands for any",
        "[EEE][SSS][WWW] N9p4s F + F",
        {"wild": "9p 4s"},
        "四方大发168",
    ),
    (
        "two wild kinds of which one is held: its pair is one of dragons",
        "[123m] 456p 789s 9p9p NN + N",
        {"wild": "9p E"},
        "花龙8 五门齐6 幺九刻1",
    ),
    (
        "天听 adds",
        "123m 456p 789s 34s NN + 2s",
        {"flags": ("heavenly_ready",)},
        "天听32 花龙8 门清2",
    ),
    ("混四节 in two suits", "[222m][333m][444p] 55p EE + 5p", {}, "混四节6 碰碰和6 缺一门1"),
    ("混四节 does not use 混三节 too", "[222m][333p][444p] 55m EE + 5m", {}, "混四节6 碰碰和6 缺一门1"),
    (
        "混四节 in three suits against 三色三节高",
        "[222m][333p][444m] 55s EE + 5s",
        {},
        "三色三节高8 碰碰和6",
    ),
    (
        "混四节 in three suits where no three of them are 三色三节高",
        "[222m][333p][444p] 55s EE + 5s",
        {},
        "混四节6 碰碰和6",
    ),
    ("混三节 in two suits", "[222m][333m][444p] 88s EE + 8s", {}, "混三节4 碰碰和6"),
    ("混三节 in any order of suits", "[222m][333p][444m] 88s EE + 8s", {}, "混三节4 碰碰和6"),
    ("混三节 not in three suits", "[222m][333p][444s] 88s EE + 8s", {}, "三色三节高8 碰碰和6"),
    ("混三节 not with a gap", "[222m][333p][555m] 88s EE + 8s", {}, "碰碰和6"),
    ("混三节 not beyond nine", "[888m][999p][111m] 44s EE + 4s", {}, "碰碰和6 幺九刻1x2"),
    ("混四步 in two suits", "[123m][234m][345p] 56p EE + 4p", {}, "混四步4 缺一门1"),
    ("混四步 in three suits", "[123m][234p][345p] 56s EE + 4s", {}, "混四步4"),
    ("混四步 against 三色三步高", "[123m][234p][345s] 56p EE + 4p", {}, "三色三步高6"),
    ("混三步 in two suits", "[234m][345p] 56m 789s EE + 4m", {}, "混三步2"),
    ("混三步 not in three suits", "[234m][345p] 56s 789p EE + 4s", {}, "三色三步高6"),
    ("混三步 not in one", "[234m][345m] 56m 789s EE + 4m", {}, "一色三步高16 缺一门1"),
    ("混三步 not by two", "[234m][456p] 67m 789s EE + 8m", {}, "无番和8"),
    ("258将: rank 2", "[345m] 678m 123s 789s 2p + 2p", {}, "258将1 平和2 老少配1 连六1 单钓1"),
    ("258将: rank 5", "[345m] 678m 123s 789s 5p + 5p", {}, "258将1 平和2 老少配1 连六1 单钓1"),
    ("258将: rank 8", "[345m] 678m 123s 789s 8p + 8p", {}, "258将1 平和2 老少配1 连六1 单钓1"),
    ("another rank is none", "[345m] 678m 123s 789s 4p + 4p", {}, "平和2 老少配1 连六1 单钓1"),
    ("幺九头: rank 1", "[345m] 678m 123s 789s 1p + 1p", {}, "幺九头1 平和2 老少配1 连六1 单钓1"),
    ("幺九头: rank 9", "[345m] 678m 123s 789s 9p + 9p", {}, "幺九头1 平和2 老少配1 连六1 单钓1"),
    ("honors are no 幺九头", "[345m] 678m 123s 789s E + E", {}, "老少配1 连六1 缺一门1 单钓1"),
    ("258将 needs four sets", "147m 258p 369s 123m 5s + 5s", {}, "组合龙12 门清2 平和2 单钓1"),
    ("幺九头 needs four sets", "147m 258p 369s 123m 9s + 9s", {}, "组合龙12 门清2 平和2 单钓1"),
    (
        "258将 not with 全带五",
        "[456m][345p][567s] 555m 5p + 5p",
        {},
        "全带五16 三色三步高6 四归一2 单钓1",
    ),
    ("258将 not with 三色双龙会", "123m 789m 55p 123s 78s + 9s", {}, "三色双龙会16 门清2"),
    ("258将 not with 一色双龙会", "123m 123m 789m 55m 78m + 9m", {}, "一色双龙会64 门清2"),
    ("幺九头 not with 清幺九", "[111m][999m][111p] 999s 9p + 9p", {}, "清幺九64 单钓1"),
]


@pytest.mark.parametrize(("says", "text", "told", "elements"), EXTRAS)
def test_extras(says: str, text: str, told: dict[str, Any], elements: str) -> None:
    result = scored(text, options=FREE, **told)
    assert listed(result) == words(elements), says
    assert result.legal


PUBLIC_EXTRAS: list[tuple[str, str, dict[str, Any], str]] = [
    (
        "八仙过海 instead of 花牌 and the sets",
        "[123m][567p] 789s 35m NN + 4m",
        {"flowers": "abcdefgh"},
        "八仙过海88 嵌张1",
    ),
    (
        "七抢一 instead of 花牌 and the sets",
        "[123m][567p] 789s 35m NN + 4m",
        {"flowers": "bcdefgh", "flags": ("seven_rob_one",)},
        "七抢一32 嵌张1",
    ),
    (
        "seven flowers alone are no 七抢一",
        "[123m][567p] 789s 35m NN + 4m",
        {"flowers": "bcdefgh"},
        "花牌1x7 梅兰竹菊1 季花1x2 嵌张1",
    ),
    ("无混", "[123m][567p] 789s 35m NN + 4m", {"wild": "9p"}, "无混2 嵌张1"),
    ("无混: not in a game without wilds", "[123m][567p] 789s 35m NN + 4m", {}, "嵌张1"),
    ("无混: no wild tile among the melds either", "[123m][789p] 567s 35m NN + 4m", {"wild": "9p"}, "嵌张1"),
    (
        "无混: not where a wild stands for another",
        "[123m][567p] 789s 35m N9p + 4m",
        {"wild": "9p"},
        "无番和8",
    ),
    ("混龙", "[123m] 456p 789m 67s NN + 8s", {}, "混龙2"),
    ("混龙 in three suits is 花龙", "[123m] 456p 789s 67s NN + 8s", {}, "花龙8"),
    ("混龙 in one suit is 青龙", "[123m] 456m 789m 67s NN + 8s", {}, "青龙16 缺一门1"),
    ("立直", "123m 345p 789s 67m NN + 8m", {"flags": ("declared_ready",)}, "立直2 门清2"),
    (
        "梅兰竹菊 beside 花牌",
        "[123m][567p] 789s 35m NN + 4m",
        {"flowers": "efgh"},
        "梅兰竹菊1 季花1 花牌1x4 嵌张1",
    ),
    (
        "春夏秋冬 beside 花牌",
        "[123m][567p] 789s 35m NN + 4m",
        {"flowers": "abcd"},
        "春夏秋冬1 季花1 花牌1x4 嵌张1",
    ),
    ("the whole set is needed", "[123m][567p] 789s 35m NN + 4m", {"flowers": "acdh"}, "花牌1x4 嵌张1"),
    ("季花 E: a e", "[123m][567p] 789s 35m NN + 4m", {"flowers": "aebf", "seat": E}, "季花1x2 花牌1x4 嵌张1"),
    ("季花 S: b f", "[123m][567p] 789s 35m NN + 4m", {"flowers": "bfcg", "seat": S}, "季花1x2 花牌1x4 嵌张1"),
    (
        "季花 W: c g",
        "[123m][567p] 789s 35m NN + 4m",
        {"flowers": "cgdh", "seat": W, "source": E},
        "季花1x2 花牌1x4 嵌张1",
    ),
    ("季花 N: d h", "[123m][567p] 789s 35m NN + 4m", {"flowers": "dhae", "seat": N}, "季花1x2 花牌1x4 嵌张1"),
]


@pytest.mark.parametrize(("says", "text", "told", "elements"), PUBLIC_EXTRAS)
def test_public_extras(says: str, text: str, told: dict[str, Any], elements: str) -> None:
    result = scored(text, options={**FREE, **PUBLIC}, **told)
    assert listed(result) == words(elements), says
    off = scored(text, options=FREE, **told)
    names = {fan.zh for fan in LIANZHONG.fans} - {each.zh for each in off.elements}
    public = {"八仙过海", "七抢一", "无混", "混龙", "立直", "梅兰竹菊", "春夏秋冬", "季花"}
    assert public <= names, "default off"


# ---- what reaches the minimum ----

MINIMUM: list[tuple[str, str, dict[str, Any], bool]] = [
    ("extras count", "[EEE][444m][777p] 88s 55s + 8s", {"round_wind": S, "seat": W, "source": S}, True),
    ("花牌 does not", "[123m] 456p 789m 67s NN + 8s", {"flowers": "abcdefg"}, False),
    (
        "nor 季花 and the sets",
        "[123m] 456p 789m 67s NN + 8s",
        {"flowers": "abcdefg", "options": PUBLIC},
        False,
    ),
    ("八仙过海 does", "[123m] 456p 789m 67s NN + 8s", {"flowers": "abcdefgh", "options": PUBLIC}, True),
    (
        "七抢一 does",
        "[123m] 456p 789m 67s NN + 8s",
        {"flowers": "abcdefg", "flags": ("seven_rob_one",), "options": PUBLIC},
        True,
    ),
    ("混杠 does", "(9999p) 123m 345s NN 67m + 8m", {"wild": "9p"}, True),
    (
        "混杠 does not where it was paid at once",
        "(9999p) 123m 345s NN 67m + 8m",
        {"wild": "9p", "options": {"wild_kong": "at_once"}},
        False,
    ),
    ("天听 does", "123m 456p 789m 67s NN + 8s", {"flags": ("heavenly_ready",)}, True),
]


@pytest.mark.parametrize(("says", "text", "told", "legal"), MINIMUM)
def test_minimum(says: str, text: str, told: dict[str, Any], legal: bool) -> None:
    result = scored(text, **told)
    assert (result.legal, result.reason) == (legal, None if legal else "below_minimum"), says
    assert result.elements


# ---- options ----

OPTION_ROWS: list[tuple[str, str, dict[str, Any], dict[str, Any], str]] = [
    (
        "literal 七对: 不求人",
        "1122m 44p 66p 88s EE P + P",
        LITERAL,
        {"by": "self_draw"},
        "七对24 五门齐6 不求人4",
    ),
    ("literal 七对: 门清 and 单钓 stay out", "1122m 44p 66p 88s EE P + P", LITERAL, {}, "七对24 五门齐6"),
    ("literal 连七对", "1122334455667m + 7m", LITERAL, {"by": "self_draw"}, "连七对88 不求人4"),
    ("literal 七星不靠", "147m 25p 69s ESWNCF + P", LITERAL, {"by": "self_draw"}, "七星不靠24 不求人4"),
    (
        "literal 十三不靠",
        "147m 258p 369s ESWN + C",
        LITERAL,
        {"by": "self_draw"},
        "十三不靠12 组合龙12 不求人4",
    ),
    ("literal 十三幺", "19m 19p 19s ESWNCFP + 9p", LITERAL, {"by": "self_draw"}, "十三幺88 不求人4"),
    ("literal 大三元", "[CCC][FFF][PPP] 23m 11s + 4m", LITERAL, {}, "大三元88 箭刻2x3 缺一门1 幺九头1"),
    ("literal 小三元 as ever", "[CCC][FFF] 345p PP 23m + 4m", LITERAL, {}, "小三元64 缺一门1"),
    ("literal 大四喜", "[EEE][SSS][NNN] WWW 5m + 5m", LITERAL, {}, "大四喜88 混一色6 幺九刻1x4 单钓1 258将1"),
    ("literal 九莲宝灯", "1112345678999m + 5m", LITERAL, {}, "九莲宝灯88 双暗刻2 门清2 幺九刻1x2 258将1"),
    (
        "literal 九莲宝灯 drawn",
        "1112345678999m + 5m",
        LITERAL,
        {"by": "self_draw"},
        "九莲宝灯88 不求人4 双暗刻2 幺九刻1x2 258将1",
    ),
    ("official 九莲宝灯", "1112345678999m + 5m", {}, {}, "九莲宝灯88 双暗刻2 幺九刻1 258将1"),
    ("official 大四喜", "[EEE][SSS][NNN] WWW 5m + 5m", {}, {}, "大四喜88 混一色6 单钓1 258将1"),
    (
        "天和 alone",
        "1122m 44p 66p 88s EE PP",
        {"first_turn_additive": False},
        {"by": "self_draw", "seat": E, "flags": ("heavenly",), "flowers": "ab"},
        "天和168",
    ),
    (
        "地和 alone",
        "123m 456p 789s 24s 55m + 3s",
        {"first_turn_additive": False},
        {"by": "self_draw", "flags": ("earthly",)},
        "地和158",
    ),
    (
        "人和 alone",
        "123m 456p 789s 24s 55m + 3s",
        {"first_turn_additive": False},
        {"by": "self_draw", "flags": ("human",)},
        "人和108",
    ),
    (
        "天和 alone beside 四方大发",
        "EEE SSS NNN WWW FF",
        {"first_turn_additive": False},
        {"by": "self_draw", "seat": E, "flags": ("heavenly",)},
        "天和168",
    ),
    (
        "人和 alone, though the hand is worth more without it",
        "[EEE] SSS NNN WWW F + F",
        {"first_turn_additive": False},
        {"flags": ("human",), "flowers": "ab"},
        "人和108",
    ),
    (
        "地和 before 人和, alone",
        "EEE SSS NNN WWW F + F",
        {"first_turn_additive": False},
        {"by": "self_draw", "flags": ("earthly", "human")},
        "地和158",
    ),
    (
        "天听 is no first turn",
        "123m 456p 789s 34s NN + 2s",
        {"first_turn_additive": False},
        {"flags": ("heavenly_ready",)},
        "天听32 花龙8 门清2",
    ),
    ("无番和 sees the extras", "[234m][345p] 56m 789s NN + 4m", FREE, {}, "混三步2"),
    (
        "无番和 does not see them",
        "[234m][345p] 56m 789s NN + 4m",
        {"wufan_sees_extras": False},
        {},
        "混三步2 无番和8",
    ),
    (
        "立直 beside 无番和",
        "[234m][456p] 789m 78s NN + 6s",
        {"wufan_sees_extras": False, **PUBLIC},
        {"flags": ("declared_ready",)},
        "立直2 无番和8",
    ),
    (
        "an official pattern that stands back for an extra one is a pattern",
        "[123m][345p] 46m 234p NN + 5m",
        {"wufan_sees_extras": False, **FREE},
        {},
        "混四步4 嵌张1 缺一门1",
    ),
    (
        "the same without a wait",
        "[123m][345s] 56m 234s NN + 4m",
        {"wufan_sees_extras": False, **FREE},
        {},
        "混四步4 缺一门1",
    ),
    (
        "a closed hand is none",
        "123m 345p 789s 67m NN + 8m",
        {"wufan_sees_extras": False, **FREE},
        {"flags": ("human",)},
        "人和108",
    ),
    ("四方大发 is none", "[EEE][SSS][NNN] WWW F + F", {"wufan_sees_extras": False}, {}, "四方大发168 单钓1"),
    (
        "混杠 is an extra",
        "[9999p][123m] 345s NN 67m + 8m",
        {"wufan_sees_extras": False},
        {"wild": "9p"},
        "混杠88 无番和8",
    ),
    (
        "无番和 with flowers",
        "[234m][456p] 789m 78s NN + 6s",
        PUBLIC,
        {"flowers": "abcd"},
        "无番和8 花牌1x4 春夏秋冬1 季花1",
    ),
    (
        "无番和 not with 八仙过海",
        "[234m][456p] 789m 78s NN + 6s",
        PUBLIC,
        {"flowers": "abcdefgh"},
        "八仙过海88",
    ),
    (
        "self_draw_only",
        "123m 456p 789s 34s NN + 2s",
        {"self_draw_only": True},
        {"by": "self_draw"},
        "花龙8 不求人4",
    ),
]


@pytest.mark.parametrize(("says", "text", "options", "told", "elements"), OPTION_ROWS)
def test_options(says: str, text: str, options: dict[str, Any], told: dict[str, Any], elements: str) -> None:
    assert listed(scored(text, options=options, **told)) == words(elements), says


def test_defaults() -> None:
    assert {
        key: LIANZHONG.default_options[key]
        for key in (
            "exclusions",
            "wilds",
            "wild_kong",
            "first_turn_additive",
            "wufan_sees_extras",
            "min_fan",
            "self_draw_only",
            "public_extras",
        )
    } == {
        "exclusions": "official",
        "wilds": False,
        "wild_kong": "with_win",
        "first_turn_additive": True,
        "wufan_sees_extras": True,
        "min_fan": 8,
        "self_draw_only": False,
        "public_extras": False,
    }
    with pytest.raises(InvalidOption, match="exclusions is one of official"):
        scored("1122m 44p 66p 88s EE P + P", options={"exclusions": "none"})


@pytest.mark.parametrize("by", ["discard", "rob_kong"])
def test_self_draw_only_refuses_what_is_not_drawn(by: str) -> None:
    result = scored("123m 456p 789s 34s NN + 2s", by, {"self_draw_only": True})
    assert (result.legal, result.elements, result.total) == (False, (), 0)
    assert result.reason in ("self_draw_only", "rob_kong")
    keys = {
        fan.key
        for fan in LIANZHONG.rows(LIANZHONG.fans, resolve_options(LIANZHONG, {"self_draw_only": True}))
    }
    assert not keys & {"last_tile_claim", "melded_hand"}


DEALT = "123m 456p 789s 234s 55m"
FIRST = "123m 456p 789s 34s 55m + 2s"
HEAVENLY: dict[str, Any] = {"by": "self_draw", "seat": E, "flags": ("heavenly",)}
CONTRADICTIONS: list[tuple[str, dict[str, Any], str]] = [
    ("123m 456p 789s 34s 55m + 2s", {"by": "self_draw", "seat": W, "flags": ("earthly",)}, "the seat after"),
    ("123m 456p 789s 34s 55m + 2s", {"flags": ("earthly",)}, "self-draw of S"),
    ("[123m] 456p 789s 34s 55m + 2s", {"by": "self_draw", "flags": ("earthly",)}, "without melds"),
    ("[123m] 456p 789s 34s 55m + 2s", {"flags": ("heavenly_ready",)}, "has melds"),
    ("123m 456p 789s 34s 55m + 2s", {"flags": ("seven_rob_one",), "flowers": "abc"}, "seven flowers"),
    ("123m 456p 789s 34s 55m + 2s", {"options": {"wilds": True}}, "which kinds are wild"),
    ("123m 456p 789s 34s 55m + 2s", {"wild": "a"}, "a flower is never wild"),
    ("123m 456p 789s 34s 55m", {"by": "self_draw", "seat": E}, "winning tile is missing"),
    ("123m 456p 789s 234s 55m", {"by": "self_draw", "seat": E}, "winning tile is missing"),
    ("123m 456p 789s 34s 55m", {"by": "self_draw", "seat": E, "flags": ("heavenly",)}, "a hand has 14"),
    ("123m 456p 789s 234s 55m", {"by": "self_draw", "seat": S, "flags": ("heavenly",)}, "dealer's self-draw"),
    ("[123m] 456p 789s 234s 55m", {"by": "self_draw", "seat": E, "flags": ("heavenly",)}, "dealt tiles"),
    (DEALT, {**HEAVENLY, "flags": ("heavenly", "last_tile")}, "heavenly is a win in the first turn"),
    (DEALT, {**HEAVENLY, "flags": ("heavenly", "last_of_kind")}, "before three of a kind can lie open"),
    (DEALT, {**HEAVENLY, "wall_left": 82}, "83 tiles are left at least"),
    (DEALT, {**HEAVENLY, "wall_left": 0}, "83 tiles are left at least"),
    (DEALT, {**HEAVENLY, "flags": ("human",)}, "is heavenly, not human"),
    (FIRST, {"by": "self_draw", "seat": E, "flags": ("human",), "wall_left": 91}, "is heavenly, not human"),
    (FIRST, {"by": "self_draw", "flags": ("earthly", "last_tile")}, "earthly is a win in the first turn"),
    (FIRST, {"by": "self_draw", "flags": ("earthly", "last_of_kind")}, "before three of a kind"),
    (FIRST, {"by": "self_draw", "flags": ("earthly",), "wall_left": 0}, "the wall is not empty"),
    (FIRST, {"flags": ("human", "last_tile")}, "human is a win in the first turn"),
    (FIRST, {"flags": ("human",), "wall_left": 0}, "the wall is not empty"),
    ("[123m][456p][789s][234s] 5m + 5m", {"flags": ("human",)}, "after 1 claimed sets at most"),
    (
        "[123m][4444p][789s] 23s 55m + 4s",
        {"by": "self_draw", "flags": ("human", "after_kong")},
        "after 2 claimed sets at most",
    ),
    (FIRST, {"flags": ("passed",)}, "passed is no flag of this variant; it has: after_kong, declared_ready"),
]
POSSIBLE: list[tuple[str, str, dict[str, Any]]] = [
    ("three others threw it in the first turn", FIRST, {"flags": ("human", "last_of_kind")}),
    ("a claim and a discard", "[123m] 456p 789s 34s 55m + 2s", {"flags": ("human",)}),
    (
        "a claim, a discard, an exposed kong and its replacement",
        "[123m][4444p] 789s 34s 55m + 2s",
        {"by": "self_draw", "flags": ("human", "after_kong")},
    ),
    ("concealed kongs are no claims", "(1111m)(4444p) 789s 34s 55m + 2s", {"flags": ("human",)}),
    ("the dealer's second draw", FIRST, {"by": "self_draw", "seat": E, "flags": ("human",), "wall_left": 90}),
    ("no flower was dealt", DEALT, {**HEAVENLY, "wall_left": 91}),
    ("every flower was dealt and replaced", DEALT, {**HEAVENLY, "wall_left": 83}),
]


@pytest.mark.parametrize(("says", "text", "told"), POSSIBLE)
def test_a_first_turn_that_can_have_happened_counts(says: str, text: str, told: dict[str, Any]) -> None:
    result = scored(text, **told)
    assert result.legal, says
    assert {"天和", "人和"} & {each.zh for each in result.elements}


@pytest.mark.parametrize(("text", "told", "message"), CONTRADICTIONS)
def test_a_win_that_cannot_have_happened_is_refused(text: str, told: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidWin, match=message):
        scored(text, **told)


# ---- payments ----


def test_a_self_draw_is_paid_by_all_and_a_discard_by_its_discarder() -> None:
    text = "123m 456p 789s 34s NN + 2s"  # 花龙 8 and 不求人 4 or 门清 2
    drawn = settle(LIANZHONG, [claim(text, "self_draw")[0]], Situation(E))
    assert drawn.deltas == {E: -20, S: 60, W: -20, N: -20}
    fed = settle(LIANZHONG, [claim(text)[0]], Situation(E))
    assert fed.deltas == {E: -8, S: 34, W: -18, N: -8}
    assert (drawn.next_dealer, fed.next_dealer) == (S, S)


@pytest.mark.parametrize("kind", [MeldKind.CONCEALED_KONG, MeldKind.EXPOSED_KONG, MeldKind.ADDED_KONG])
def test_a_kong_of_wilds_is_paid_once(kind: MeldKind) -> None:
    source = W if kind is MeldKind.EXPOSED_KONG else None
    wild = parse_tiles("9p")
    for tile, mode, each in (("9p", "at_once", 88), ("9p", "with_win", 0), ("8p", "at_once", 0)):
        situation = Situation(E, options={"wild_kong": mode}, wild=wild)
        paid = settle_kong(LIANZHONG, Kong(S, kind, Tile.parse(tile), source), situation).deltas
        assert paid == {E: -each, S: 3 * each, W: -each, N: -each}


# ---- the form of the cases ----


def case(**more: Any) -> dict[str, Any]:
    winner = {"seat": "S", "hand": "123m 456m 789m 55p 34s + 2s", "by": "discard", "from": "N"}
    return {"variant": "lianzhong", "dealer": "E", "winner": winner, "options": {"round_wind": "E", **more}}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"event": "hai_di"}, "options.event is one of tian_hu, di_hu"),
        ({"round_wind": "X"}, "options.round_wind is a seat"),
        ({"flowers": "ax"}, "options.flowers: 'x' is no tile"),
        ({"flowers": "aa"}, "options.flowers: a second a"),
        ({"flowers": 3}, "options.flowers are tiles"),
        ({"wild": ["9p", 3]}, "options.wild are tiles"),
        ({"wild": ["9z"]}, "options.wild: z digits"),
        ({"last_tile": "yes"}, "options.last_tile is true or false"),
        ({"last_tile": True, "wall_left": 3}, "has no option wall_left"),
    ],
)
def test_a_case_that_makes_no_sense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises((InvalidRequest, InvalidOption), match=message):
        answer_case(case(**options))


def test_circumstances_are_options_only_where_the_variant_says_so() -> None:
    asked = case(round_wind="E")
    with pytest.raises(InvalidOption, match="mcr has no option round_wind"):
        answer_case({**asked, "variant": "mcr"})


@pytest.mark.parametrize(
    ("hand", "ok"),
    [
        ("222m 333m [444p] 67s 99s + 8s", True),
        ("[444p] 222m 333m 67s 99s + 8s", True),
        ("222m (4444p) 333m [6789s] 99s + 8s", False),
        ("222m 333m [4444p+] 67s 99s + 8s", True),
        ("222m 333m 67s 99s + 8s [444p]", False),
    ],
)
def test_cases_write_melds_anywhere_before_the_winning_tile(hand: str, ok: bool) -> None:
    asked = case(min_fan=0)
    asked["winner"]["hand"] = hand
    if ok:
        assert ["混三节", 4] in answer_case(asked)["elements"]
    else:
        with pytest.raises(InvalidRequest, match=r"winner\.hand"):
            answer_case(asked)


# ---- beside the official rules ----

HANDS = list(hands(seed=168, count=600))
OFFICIAL_KEYS = {fan.key for fan in MCR.fans}


def test_an_official_hand_is_worth_as_much_and_what_the_extras_add() -> None:
    more = 0
    for record in HANDS:
        win, situation = read_record(MCR, record)
        official = score(MCR, win, situation)
        ours = score(LIANZHONG, win, situation)
        keys = {each.key: each.value * each.count for each in ours.elements}
        extras = sum(value for key, value in keys.items() if key not in OFFICIAL_KEYS)
        chicken = any(each.key == "chicken_hand" for each in official.elements)
        assert ours.total >= official.total - (8 if chicken else 0), record["hand"]
        assert ours.total - extras <= official.total, record["hand"]
        if not extras and not chicken:
            assert [(each.key, each.count) for each in ours.elements] == [
                (each.key, each.count) for each in official.elements
            ], record["hand"]
        more += extras > 0
    assert more > 200


def test_the_payments_of_a_hand_sum_to_zero() -> None:
    paid = 0
    for record in HANDS:
        win, situation = read_record(MCR, record)
        if score(LIANZHONG, win, situation).legal:
            deltas = settle(LIANZHONG, [win], situation).deltas
            assert sum(deltas.values()) == 0
            assert deltas[win.seat] >= 3 * 8 + 8
            paid += 1
    assert paid > 400


def test_exclusions_hold_and_what_is_not_counted_has_a_reason() -> None:
    rows = {fan.key: fan for fan in LIANZHONG.fans}
    for record in HANDS[:250]:
        win, situation = read_record(MCR, record)
        told = explain(LIANZHONG, win, situation)
        keys = [each.key for each in told.elements]
        assert not {other for key in keys for other in rows[key].excludes} & set(keys), record["hand"]
        for each in told.not_counted:
            assert reason_text(each, "zh-Hans")
            assert reason_text(each, "en")
        for tie in told.ties:
            assert sum(each.value * each.count for each in tie) == told.total
