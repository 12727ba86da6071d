"""`score HAND --explain` for people: what counts, what does not, equal lists, the minimum; zh, en or both."""

from __future__ import annotations

from typing import Any

import pytest

from controller.cli.score_text import Lang, answer_lines
from rules.records import answer_record
from rules.variants import get_variant

TIED = "[123m,1][456m,1][456m,1][789m,1] 3p + 3p"
CHEAP = "[234s,1][456p,1][EEE,2][888m,3] 5p + 5p"
LIMIT = "[EEE,1][SSS,3] WWW NN CC + N"


def shown(hand: str, lang: Lang, variant: str = "mcr", *, explain: bool = True, **told: Any) -> list[str]:
    rules = get_variant(variant)
    answer = answer_record(rules, {"hand": hand, "round_wind": "W", "seat_wind": "S", **told}, explain=True)
    return answer_lines(rules, hand, answer, explain=explain, lang=lang)


def test_a_hand_in_chinese() -> None:
    assert shown(TIED, Lang.ZH, flowers=3) == [
        f"{TIED}   国标麻将: 29 分",
        "    16        清龙   123m 456m 789m",
        "     6        全求人   123m 456m 456m 789m 33p",
        "     2        平和   123m 456m 456m 789m 33p",
        "     1        一般高   456m 456m",
        "     1        缺一门   123m 456m 456m 789m 33p",
        "     1 x 3    花牌",
        "     =  不计花牌 26 分",
        "不计:",
        "     -        清龙   123m 456m 789m",
        "              同一番种不能再用已用过的面子（已计清龙）",
        "     - x 2    连六   123m 456m 789m",
        "              已含于清龙",
        "     - x 2    连六   123m 456m 789m",
        "              面子已组合过（套算一次，已计清龙、一般高）",
        "     -        老少副   123m 789m",
        "              已含于清龙",
        "     -        无字",
        "              已含于平和",
        "     -        单钓将   33p",
        "              已含于全求人",
        "同分的其他计法:",
        "     =  清龙 16, 全求人 6, 平和 2, 连六 1, 缺一门 1, 花牌 3",
    ]


def test_a_hand_below_the_minimum_in_english() -> None:
    assert shown(CHEAP, Lang.EN) == [
        f"{CHEAP}   Chinese Official (MCR): 7 points",
        "     6        Melded Hand   456p 234s 888m EEE 55p",
        "     1        Pung of Terminals or Honors   EEE",
        "     =  less than the minimum of 8, may not win",
        "Not counted:",
        "     -        Single Wait   55p",
        "              contained in Melded Hand",
    ]


WAITS = [
    ("[123m,1] 456p 3337899s + 9s", "99s", "单钓将", "还听 6s"),
    ("445566m 2277779s + 8s", "789s", "坎张", "还听 9s"),
]


@pytest.mark.parametrize(("hand", "sets", "name", "why"), WAITS)
def test_a_wait_that_is_not_the_only_one_stands_beside_the_set_it_completed(
    hand: str, sets: str, name: str, why: str
) -> None:
    lines = shown(hand, Lang.ZH)
    at = next(place for place, line in enumerate(lines) if line == f"     -        {name}   {sets}")
    assert lines[at + 1].strip().startswith(f"{why}，")


def test_both_languages_hold_what_each_holds() -> None:
    both = "\n".join(shown(TIED, Lang.BOTH, flowers=3))
    for line in (*shown(TIED, Lang.ZH, flowers=3)[1:], *shown(TIED, Lang.EN, flowers=3)[1:]):
        for words in line.replace("=", "").replace(",", " ").split("   "):
            assert all(word in both for word in words.strip(" -:").split(" ")), words


@pytest.mark.parametrize(
    ("lang", "words"), [(Lang.ZH, "合计 152，封顶 88"), (Lang.EN, "152 in all, capped at 88")]
)
def test_a_cap_is_told(lang: Lang, words: str) -> None:
    assert f"     =  {words}" in shown(LIMIT, lang, "mcr-jmsa")
    assert not any("88" in line and "152" in line for line in shown(LIMIT, lang))


def test_without_explanation_only_what_counts() -> None:
    assert shown(TIED, Lang.BOTH, explain=False)[1:] == [
        "    16        清龙 Pure Straight",
        "     6        全求人 Melded Hand",
        "     2        平和 All Chows",
        "     1        一般高 Pure Double Chow",
        "     1        缺一门 One Voided Suit",
    ]


def test_one_point_is_one_point() -> None:
    assert shown("[678m,1] 567p 23477s SS + 7s", Lang.EN, self_draw=True)[0].endswith(": 1 point")
