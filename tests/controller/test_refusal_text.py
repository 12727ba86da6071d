"""What is wrong with a hand is told in Chinese with --lang zh, with its place; nothing else changes."""

from __future__ import annotations

import re

import pytest

from controller.cli.refusal_text import refusal_line
from controller.cli.score_text import Lang
from rules.errors import RuleError
from rules.records import answer_record
from rules.variants import get_variant
from rules.wait_records import answer_waits

REST = "456m 789m 123p 5s"
# text, what is said of it
MISTAKES = (
    ("", "没有牌（第 1 个字符）"),
    ("1" * 401, "超过 400 个字符（第 401 个字符）"),
    ("123m [456m]", "副露要写在手牌前面（第 6 个字符）"),
    ("123m + 4m + 5m", "多了一个加号（第 11 个字符）"),
    ("123m + + 5m", "多了一个加号（第 8 个字符）"),
    ("123z", "不用 z 数字：东南西北写 E S W N，中发白写 C F P（第 4 个字符）"),
    ("123m 1z", "不用 z 数字：东南西北写 E S W N，中发白写 C F P（第 7 个字符）"),
    ("123m]", "']' 前面缺左括号（第 5 个字符）"),
    ("[123m", "'[' 后面缺 ']'（第 1 个字符）"),
    ("[123m (444p) 5s]", "'(' 前面缺 ']'（第 7 个字符）"),
    ("[123m,1+] 5s", "这里不该有 '+'（第 8 个字符）"),
    ("一万", "'一' 不是牌：数字后面写 m=万 p=饼 s=条，东南西北写 E S W N，中发白写 C F P，"
        "数字和括号用英文键盘输入（第 1 个字符）"),
    ("123万", "'万' 不是花色：数字后面写 m=万 p=饼 s=条，东南西北写 E S W N，中发白写 C F P，"
        "数字和括号用英文键盘输入（第 4 个字符）"),
    ("123x", "'x' 不是花色：花色是 m p s（第 4 个字符）"),
    ("w", "'w' 不是牌：字牌用大写字母 E S W N C F P，花牌是 a 到 h（第 1 个字符）"),
    ("X", "'X' 不是牌：数字后面写花色 m p s，东南西北写 E S W N，中发白写 C F P（第 1 个字符）"),
    ("10m", "点数是 1 到 9，没有 10；0 是赤五，只有日本麻将用（第 2 个字符）"),
    ("11111m", "第五张 1m（第 5 个字符）"),
    ("EEEEE", "第五张 E（第 5 个字符）"),
    ("aa", "第二张 a，每种花牌只有一张；字牌用大写字母 E S W N C F P，花牌是 a 到 h（第 2 个字符）"),
    ("123", "数字后面缺花色（m p s）（第 1 个字符）"),
    ("123 456m", "123 后面缺花色（m p s）（第 1 个字符）"),
    ("p", "'p' 前面缺数字；白板是大写的 P（第 1 个字符）"),
    ("s", "'s' 前面缺数字；南风是大写的 S（第 1 个字符）"),
    ("m", "'m' 前面缺数字（第 1 个字符）"),
    (f"123m {REST} +", "加号后面没有和牌张（第 24 个字符）"),
    (f"123m {REST} + 56s", "和牌张不止一张（第 27 个字符）"),
    ("[123m,4]", "来源是 1（上家）、2（对家）或 3（下家）（第 7 个字符）"),
    ("(5555p,1)", "暗杠没有来源（第 7 个字符）"),
    ("(5555p+)", "暗杠不写加号（第 7 个字符）"),
    ("[555p+]", "只有杠能加（加杠）（第 1 个字符）"),
    ("(555p)", "圆括号里只能是暗杠（四张一样的牌）（第 1 个字符）"),
    ("[123m,2]", "吃牌只能来自上家（来源 1）（第 1 个字符）"),
    ("[]", "括号里没有牌（第 1 个字符）"),
    ("[abc]", "abc 不成副露：花牌放在一边，不算副露（第 1 个字符）"),
    ("[12m]", "1m2m 不成副露：一副有三张或四张，不是 2 张（第 1 个字符）"),
    ("[ESW]", "ESW 不成副露：字牌不成顺子（第 1 个字符）"),
    ("[12m3p]", "1m2m3p 不成副露：一副牌要同一花色（第 1 个字符）"),
    ("[1112m]", "1m1m1m2m 不成副露：杠是四张一样的牌（第 1 个字符）"),
    ("[135m]", "1m3m5m 不成副露：顺子是三个连续的点数（第 1 个字符）"),
    (f"123m {REST}", "没有和牌张（写在加号后面）"),
    (f"123m {REST} + a", "花牌（a 到 h）不是和牌张；字牌用大写字母 E S W N C F P，花牌是 a 到 h"),
    ("[123m][456m][789m][123p][456p] + 5s", "副露 5 副，最多 4 副"),
)  # fmt: skip
# circumstances of a hand that is right, what is said of them
CIRCUMSTANCES = (
    ({"flowers": 9}, "花牌数是 0 到 8 的整数，不是 9"),
    ({"flowers": "aa"}, "花牌：第二张 a，每种花牌只有一张；字牌用大写字母 E S W N C F P，花牌是 a 到 h"
        "（第 2 个字符）"),
    ({"wild": "9x"}, "混牌：'x' 不是花色：花色是 m p s（第 2 个字符）"),
    ({"wild": "9p"}, "这种玩法没有混牌"),
    ({"seat_wind": "s"}, "门风（--seat-wind）是大写字母 E S W N 之一"),
    ({"seat_wind": "X"}, "门风（--seat-wind）是大写字母 E S W N 之一"),
    ({"round_wind": "X"}, "圈风（--round-wind）是大写字母 E S W N 之一"),
    ({"wall_left": 900}, "牌墙剩余张数是 0 到 144 的整数，不是 900"),
    ({"self_draw": True, "rob_kong": True}, "抢杠不是自摸"),
    ({"kong_replacement": True}, "杠上开花一定是自摸"),
    ({"kong_replacement": True, "self_draw": True}, "杠上开花要有亮出的杠"),
    ({"rob_kong": True}, "被抢的牌不能在手里：四张 5s 都在被抢的杠里"),
    ({"last_of_kind": True}, "和绝张时另外三张都亮在外面；手里还有 5s"),
)  # fmt: skip


def refusal(record: dict[str, object]) -> RuleError:
    with pytest.raises(RuleError) as refused:
        answer_record(get_variant("mcr"), record)
    return refused.value


@pytest.mark.parametrize(("text", "said"), MISTAKES, ids=[row[0][:20] or "nothing" for row in MISTAKES])
def test_a_mistake_in_a_hand(text: str, said: str) -> None:
    error = refusal({"hand": text})
    assert refusal_line(error, Lang.ZH) == said
    for lang in (Lang.EN, Lang.BOTH):
        assert refusal_line(error, lang) == str(error)
        assert str(error).isascii() or not text.isascii()


@pytest.mark.parametrize(("told", "said"), CIRCUMSTANCES, ids=[str(row[0]) for row in CIRCUMSTANCES])
def test_a_mistake_in_the_circumstances(told: dict[str, object], said: str) -> None:
    error = refusal({"hand": f"123m {REST} + 5s", **told})
    assert refusal_line(error, Lang.ZH) == said


def test_tiles_that_are_seen_elsewhere() -> None:
    with pytest.raises(RuleError) as refused:
        answer_waits(get_variant("mcr"), {"hand": f"111m {REST}", "seen": "11m"})
    assert refusal_line(refused.value, Lang.ZH) == "看得见的牌：第五张 1m：手里 3 张，另有 2 张"


def test_what_no_row_knows_stays_as_it_is() -> None:
    error = RuleError("an entirely new sentence (at character 3)")
    assert refusal_line(error, Lang.ZH) == str(error)


@pytest.mark.parametrize(("text", "said"), MISTAKES, ids=[row[0][:20] or "nothing" for row in MISTAKES])
def test_no_english_word_is_left(text: str, said: str) -> None:
    assert not re.search("[a-z]{3}", said.replace(text, "").replace("abc", ""))
