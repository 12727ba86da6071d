"""The profiles of 国标麻将: where rule bodies differ, and that nothing else changes.

Source of the differences: ../shared/data/mcr/README.md, "Rule base", column "elsewhere"; points and numbers
of 2006: fan.csv beside it. Totals are worked out by hand, element by element.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rules.records import answer_record
from rules.scoring import resolve_options
from rules.variants import get_variant
from rules.variants.guides import GUIDES

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "mcr"
MCR = get_variant("mcr")
DRAWN = {"self_draw": True}
Worth = Mapping[str, int]

PAIRS = "1166m 2288p 44s 559s + 9s"
PAIRS_OF_ALL_TYPES = "1166m 2288p 44s EEF + F"
TWO_CONCEALED_KONGS = "(2222m)(7777p) 345s 67s 99p + 8s"
ONE_OF_EACH_KONG = "(2222m)[7777p,2] 555s 88s EE + 8s"
THREE_KONGS = "(2222m)(7777p)[8888s,2] 34s EE + 5s"
LIMIT = "[EEE,1][SSS,3] WWW NN CC + N"
PLAIN = "[123m,1] 456p 79s 666m NN + 8s"
CONCEALED = "123m 456p 78s 666m NN + 9s"

# hand, circumstances (seat S, round W), elements with what each brings
Table = list[tuple[str, dict[str, Any], Worth]]

DEFAULT: Table = [
    (PAIRS, DRAWN, {"七对": 24, "无字": 1, "自摸": 1}),
    (PAIRS_OF_ALL_TYPES, {}, {"七对": 24, "五门齐": 6}),
    (TWO_CONCEALED_KONGS, {}, {"双暗杠": 6, "门前清": 2, "连六": 1, "无字": 1}),
    (ONE_OF_EACH_KONG, {}, {"碰碰和": 6, "明暗杠": 5, "双暗刻": 2}),
    (THREE_KONGS, {}, {"三杠": 32, "双暗刻": 2}),
    (LIMIT, {}, {"大四喜": 88, "字一色": 64}),
    (PLAIN, {}, {"花龙": 8, "坎张": 1}),
    (CONCEALED, DRAWN, {"花龙": 8, "不求人": 4}),
]

# every hand that must be concealed: its self-draw counts 不求人 4 where the League counts 自摸 1
ALWAYS_CONCEALED: list[tuple[str, Worth]] = [
    ("1112345678999m + 5m", {"九莲宝灯": 88, "双暗刻": 2, "幺九刻": 1}),
    ("1122334455667s + 7s", {"连七对": 88}),
    ("19m 19p 19s ESWNCFP + P", {"十三幺": 88}),
    ("222m 555p 888s 66p NN + N", {"四暗刻": 64, "幺九刻": 1}),
    (PAIRS, {"七对": 24, "无字": 1}),
    ("147m 25p 39s ESWNCF + P", {"七星不靠": 24}),
    ("147m 258p 36s ESWCF + P", {"全不靠": 12}),
]
WMO2006: Table = [
    *((hand, DRAWN, {**worth, "不求人": 4}) for hand, worth in ALWAYS_CONCEALED),
    (PAIRS, {}, {"七对": 24, "无字": 1}),
    (
        "19m 19p 19s ESWNCFP + P",
        {**DRAWN, "last_tile": True},
        {"十三幺": 88, "妙手回春": 8, "不求人": 4},
    ),
    (TWO_CONCEALED_KONGS, {}, {"双暗杠": 8, "门前清": 2, "连六": 1, "无字": 1}),
    (ONE_OF_EACH_KONG, {}, {"碰碰和": 6, "明暗杠": 6, "双暗刻": 2}),
    (THREE_KONGS, {}, {"三杠": 32, "双暗刻": 2}),
    (PAIRS_OF_ALL_TYPES, {}, {"七对": 24, "五门齐": 6}),
    (LIMIT, {}, {"大四喜": 88, "字一色": 64}),
    (PLAIN, {}, {"花龙": 8, "坎张": 1}),
    (CONCEALED, DRAWN, {"花龙": 8, "不求人": 4}),
]
JMSA: Table = [
    (PAIRS_OF_ALL_TYPES, {}, {"七对": 24}),
    ("[234m,1] 678p NN CCC 78s + 9s", {}, {"五门齐": 6, "箭刻": 2}),
    (PAIRS, DRAWN, {"七对": 24, "无字": 1, "自摸": 1}),
    (TWO_CONCEALED_KONGS, {}, {"双暗杠": 6, "门前清": 2, "连六": 1, "无字": 1}),
    (ONE_OF_EACH_KONG, {}, {"碰碰和": 6, "明暗杠": 5, "双暗刻": 2}),
    (PLAIN, {}, {"花龙": 8, "坎张": 1}),
]
TEXT_1998: Table = [
    (ONE_OF_EACH_KONG, {}, {"碰碰和": 6, "双暗刻": 2, "暗杠": 2, "明杠": 1}),
    (TWO_CONCEALED_KONGS, {}, {"双暗杠": 6, "门前清": 2, "连六": 1, "无字": 1}),
    (THREE_KONGS, {}, {"三杠": 32, "双暗刻": 2}),
    (PAIRS, DRAWN, {"七对": 24, "无字": 1, "自摸": 1}),
    (PAIRS_OF_ALL_TYPES, {}, {"七对": 24, "五门齐": 6}),
    (LIMIT, {}, {"大四喜": 88, "字一色": 64}),
    (PLAIN, {}, {"花龙": 8, "坎张": 1}),
]
ROWS = [
    (profile, hand, told, worth)
    for profile, table in (
        ("mcr", DEFAULT),
        ("mcr-wmo2006", WMO2006),
        ("mcr-jmsa", JMSA),
        ("mcr-1998", TEXT_1998),
    )
    for hand, told, worth in table
]


def answer(profile: str, hand: str, told: Mapping[str, Any] | None = None) -> dict[str, Any]:
    record = {"hand": hand, "seat_wind": "S", "round_wind": "W", **(told or {})}
    return answer_record(get_variant(profile), record)


def worth_of(answered: Mapping[str, Any]) -> dict[str, int]:
    return {row["name"]: row["points"] * row["count"] for row in answered["fan"]}


@pytest.mark.parametrize(("profile", "hand", "told", "worth"), ROWS)
def test_each_profile_counts_what_its_text_says(
    profile: str, hand: str, told: dict[str, Any], worth: Worth
) -> None:
    answered = answer(profile, hand, told)
    assert worth_of(answered) == worth
    assert answered["total"] == sum(worth.values())


@pytest.mark.parametrize(("hand", "worth"), ALWAYS_CONCEALED)
@pytest.mark.parametrize("profile", ["mcr", "mcr-jmsa", "mcr-1998"])
def test_elsewhere_a_self_draw_of_a_concealed_shape_counts_one(profile: str, hand: str, worth: Worth) -> None:
    counted = worth_of(answer(profile, hand, DRAWN))
    assert counted == {**worth, "自摸": 1}


# ---- the cap of the Japanese association ----

CAP = [
    ("far above", LIMIT, 0, {"大四喜": 88, "字一色": 64}, 88),
    ("flowers under the cap", "19m 19p 19s ESWNCFP + P", 3, {"十三幺": 88, "花牌": 3}, 88),
    ("flowers reach it", "[CCC,1][FFF,2] PP 234m 78p + 9p", 8, {"小三元": 64, "缺一门": 1, "花牌": 8}, 73),
    ("below", PLAIN, 2, {"花龙": 8, "坎张": 1, "花牌": 2}, 11),
    (
        "of two readings above it the higher sum is told: 138, the other has 116",
        "2233344466s FFF + 2s",
        0,
        {"绿一色": 88, "一色三节高": 24, "三暗刻": 16, "碰碰和": 6, "箭刻": 2, "门前清": 2},
        88,
    ),
]


@pytest.mark.parametrize(("says", "hand", "flowers", "worth", "total"), CAP)
def test_a_hand_is_worth_88_at_most(says: str, hand: str, flowers: int, worth: Worth, total: int) -> None:
    answered = answer("mcr-jmsa", hand, {"flowers": flowers})
    assert (worth_of(answered), answered["total"]) == (worth, total), says
    assert answer("mcr", hand, {"flowers": flowers})["total"] == sum(worth.values())


def test_only_lists_of_the_same_sum_before_the_cap_are_ties() -> None:
    hand = "2233344466s FFF + 2s"  # three pungs 138, three chows 116
    told = {"hand": hand, "seat_wind": "S", "round_wind": "W"}
    answered = answer_record(get_variant("mcr-jmsa"), told, explain=True)
    assert (answered["total"], answered["alt"]) == (88, [])


# ---- rows against the shared list ----


def fan_csv() -> list[dict[str, str]]:
    path = DATA / "fan.csv"
    if not path.is_file():
        pytest.skip(f"the shared list of fan is not beside the checkout: {path}")
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def listed(profile: str) -> list[tuple[str, str, int]]:
    """Return number, name and points of every row of a profile."""
    variant = get_variant(profile)
    options = resolve_options(variant, {})
    return [(number, fan.zh, fan.value(options)) for number, fan in GUIDES[profile].numbered(variant)]


def test_numbers_names_and_points_of_1998() -> None:
    rows = sorted((int(row["id"]), row["zh"], int(row["points"])) for row in fan_csv())
    assert sorted((int(number), zh, value) for number, zh, value in listed("mcr")) == rows
    assert sorted((int(number), zh, value) for number, zh, value in listed("mcr-1998")) == rows[:81]


def test_numbers_names_and_points_of_2006() -> None:
    rows = {row["zh"]: (row["wmo2006_id"], int(row["wmo2006_points"])) for row in fan_csv()}
    rows["明暗杠"] = ("82", rows["明暗杠"][1])  # 57b there; our rows have one number for it everywhere
    assert {zh: (number, value) for number, zh, value in listed("mcr-wmo2006")} == rows


def test_english_names_and_exclusions_are_those_of_the_list() -> None:
    rows = fan_csv()
    names = {row["id"]: row["zh"] for row in rows}
    zh_of = {fan.key: fan.zh for fan in MCR.fans}
    fans = {fan.zh: fan for fan in MCR.fans}
    for row in rows:
        fan = fans[row["zh"]]
        assert fan.en == row["en"]
        on_sets = {names[number] for number in row["excludes_set_level"].split()}
        always = {names[number] for number in row["excludes"].split()} - on_sets
        absorbed = {zh_of[key] for key, _ in fan.absorbs}
        assert {zh_of[key] for key in fan.contains} | absorbed == on_sets, fan.key
        assert {zh_of[key] for key in fan.excludes} == always, fan.key


# ---- nothing else changes ----


def changes(profile: str, record: Mapping[str, Any]) -> bool:
    """Return whether the text of a profile has something to say about a hand that mcr values so."""
    names, fan = set(record["fan"]), record["fan"]
    if profile == "mcr-1998":
        return "明暗杠" in names
    if profile == "mcr-jmsa":
        return {"七对", "五门齐"} <= names or sum(fan.values()) > 88
    concealed = {"九莲宝灯", "连七对", "十三幺", "四暗刻", "七对", "七星不靠", "全不靠"}
    # a self-draw of a shape that must be concealed; the circumstances are in the record
    return bool({"双暗杠", "明暗杠"} & names or (concealed & names and record["self_draw"]))


@pytest.mark.parametrize("profile", ["mcr-wmo2006", "mcr-jmsa", "mcr-1998"])
def test_the_shared_hands_keep_their_value_where_nothing_differs(profile: str) -> None:
    path = DATA / "vectors.jsonl"
    if not path.is_file():
        pytest.skip(f"the shared MCR hands are not beside the checkout: {path}")
    variant = get_variant(profile)
    same = changed = 0
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        answered = answer_record(variant, record)
        lists = [record["fan"], *record.get("alt", [])]
        kept = answered["total"] == record["total"] and worth_of(answered) in lists
        if changes(profile, record):
            changed += 1
            assert not kept, (profile, record)
        else:
            same += 1
            assert kept, (profile, record, worth_of(answered))
    assert same > 3000
    assert changed > 30
