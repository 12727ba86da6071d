"""What the rules say against a hand given as an argument, in Chinese where that is asked for.

The rules speak English and name the place; `--jsonl` passes that on as it is. A row is the English sentence,
with what changes in it, and the Chinese for it; what no row knows stays English.
"""

from __future__ import annotations

import re

from controller.cli.score_text import Lang
from rules.errors import RuleError

HONORS = "东南西北写 E S W N，中发白写 C F P"
CAPITALS = "字牌用大写字母 E S W N C F P，花牌是 a 到 h"
TYPED = f"数字后面写 m=万 p=饼 s=条，{HONORS}，数字和括号用英文键盘输入"
FIELDS = {"hand": "", "seen": "看得见的牌：", "wild": "混牌：", "flowers": "花牌："}
"""What stands before the colon of a refused field."""
CHINESE_KEYS = r"(m=万 p=饼 s=条.*)"
ROWS = (
    # the winning shape and the number of tiles
    (r"14 tiles ask what each discard returns, 13 what they wait for; there are (?P<n>\d+)",
        "14 张问打哪张，13 张问听什么；这里有 {n} 张"),
    (r"(?P<wanted>\d+) own tiles are needed, there are (?P<n>\d+)", "要 {wanted} 张手牌，这里有 {n} 张"),
    (r"(?P<n>\d+) of (?P<tile>\S+) are visible, a set has four", "看得见 {n} 张 {tile}，一副牌只有四张"),
    (r"the model of the odds has no flowers", "这里不算花牌"),
    (r"no winning shape: the hand waits for (?P<waits>.+), not for (?P<win>\S+)",
        "不成和：听 {waits}，不是 {win}"),
    (r"no winning shape: (?P<n>\d+) tiles? short of the nearest shape: (?P<names>.+)",
        "不成和：离{names}差 {n} 张"),
    (r"no winning shape.*", "不成和：牌型不对"),
    (r"(?P<n>\d+) tiles with the winning one(, a kong counting as 3)?; a hand has (?P<most>\d+)",
        "连和牌张共 {n} 张（杠算三张），应有 {most} 张"),
    (r"(?P<n>\d+) tiles, a kong counting as 3; (?P<most>\d+) are needed.*",
        "共 {n} 张（杠算三张），应有 {most} 张"),
    (r"(?P<n>\d+) declared melds; a hand has at most (?P<most>\d+)", "副露 {n} 副，最多 {most} 副"),
    (r"(?P<n>\d+) tiles were dealt to the dealer; a hand has (?P<most>\d+)",
        "庄家起手 {n} 张，应有 {most} 张"),
    (r"the winning tile is missing.*", "没有和牌张（写在加号后面）"),
    (r"(?P<tile>\S+) is not in the tile set of .+", "这种玩法没有 {tile} 这张牌"),
    (r"more than (?P<n>\d+) of (?P<tile>\S+)", "{tile} 超过 {n} 张"),
    # tile text
    (r"longer than (?P<n>\d+) characters", "超过 {n} 个字符"),
    (r"no tiles", "没有牌"),
    (r"melds stand before the concealed tiles", "副露要写在手牌前面"),
    (r"a second plus sign", "多了一个加号"),
    (r"a plus sign is not expected", "这里不该有加号"),
    (r"z digits are not used: .+", f"不用 z 数字：{HONORS}"),
    (r"(?P<char>'.+') without its opening bracket", "{char} 前面缺左括号"),
    (r"(?P<char>'.+') without its closing (?P<other>'.+')", "{char} 后面缺 {other}"),
    (r"(?P<other>'.+') expected before (?P<char>'.+')", "{char} 前面缺 {other}"),
    (r"(?P<char>'.+') expected", "缺 {char}"),
    (r"(?P<char>'.+') is not expected here", "这里不该有 {char}"),
    (rf"(?P<char>'.+') is no tile: {CHINESE_KEYS}", f"{{char}} 不是牌：{TYPED}"),
    (r"(?P<char>'.+') is no tile: winds and dragons are capital letters.*", f"{{char}} 不是牌：{CAPITALS}"),
    (r"(?P<char>'.+') is no tile: digits with a suit.*", f"{{char}} 不是牌：数字后面写花色 m p s，{HONORS}"),
    (rf"(?P<char>'.+') is no suit: the suits are {CHINESE_KEYS}", f"{{char}} 不是花色：{TYPED}"),
    (r"(?P<char>'.+') is no suit: the suits are m p s", "{char} 不是花色：花色是 m p s"),
    (r"ranks are 1 to 9, .+", "点数是 1 到 9，没有 10；0 是赤五，只有日本麻将用"),
    (r"a fifth (?P<tile>\S+)", "第五张 {tile}"),
    (r"a fifth (?P<tile>\S+), (?P<n>\d+) beside (?P<held>\d+) in the hand",
        "第五张 {tile}：手里 {held} 张，另有 {n} 张"),
    (r"a second (?P<tile>\S+), of which there is one: .+", f"第二张 {{tile}}，每种花牌只有一张；{CAPITALS}"),
    (r"digits without a suit \(m p s\)", "数字后面缺花色（m p s）"),
    (r"digits without a suit \(m p s\): (?P<digits>\d+)", "{digits} 后面缺花色（m p s）"),
    (r"'p' without digits before it; .+", "'p' 前面缺数字；白板是大写的 P"),
    (r"'s' without digits before it; .+", "'s' 前面缺数字；南风是大写的 S"),
    (r"(?P<char>'.+') without digits before it", "{char} 前面缺数字"),
    (r"no winning tile after the plus sign", "加号后面没有和牌张"),
    (r"more than one winning tile", "和牌张不止一张"),
    # melds
    (r"the source is 1 \(upper\), .+", "来源是 1（上家）、2（对家）或 3（下家）"),
    (r"a concealed kong has no source", "暗杠没有来源"),
    (r"a concealed kong has no plus sign", "暗杠不写加号"),
    (r"only a kong can be added", "只有杠能加（加杠）"),
    (r"only a kong is declared concealed", "圆括号里只能是暗杠（四张一样的牌）"),
    (r"a chow comes from the upper seat only.*", "吃牌只能来自上家（来源 1）"),
    (r"nothing is not a chow, pung or kong: .+", "括号里没有牌"),
    (r"(?P<tiles>\S+) is not a chow, pung or kong: flowers are laid aside, not melded",
        "{tiles} 不成副露：花牌放在一边，不算副露"),
    (r"(?P<tiles>\S+) is not a chow, pung or kong: a meld has 3 or 4 tiles, not (?P<n>\d+)",
        "{tiles} 不成副露：一副有三张或四张，不是 {n} 张"),
    (r"(?P<tiles>\S+) is not a chow, pung or kong: winds and dragons form no chow",
        "{tiles} 不成副露：字牌不成顺子"),
    (r"(?P<tiles>\S+) is not a chow, pung or kong: the tiles of a meld are of one suit",
        "{tiles} 不成副露：一副牌要同一花色"),
    (r"(?P<tiles>\S+) is not a chow, pung or kong: a kong is four equal tiles",
        "{tiles} 不成副露：杠是四张一样的牌"),
    (r"(?P<tiles>\S+) is not a chow, pung or kong: a chow is three ranks in a row",
        "{tiles} 不成副露：顺子是三个连续的点数"),
    # circumstances
    (r"a win on a kong replacement needs a declared kong", "杠上开花要有亮出的杠"),
    (r"a kong replacement is always a self-draw", "杠上开花一定是自摸"),
    (r"a robbed kong is never a self-draw", "抢杠不是自摸"),
    (r"the robbed tile cannot be held elsewhere .*: all four (?P<tile>\S+) are in the robbed kong",
        "被抢的牌不能在手里：四张 {tile} 都在被抢的杠里"),
    (r"the last of its kind .+ holds a concealed (?P<tile>\S+)",
        "和绝张时另外三张都亮在外面；手里还有 {tile}"),
    (r"the last tile cannot be used for a kong.*", "最后一张不能开杠，也就没有抢杠"),
    (r"\S+ is played without flowers", "这种玩法没有花牌"),
    (r"\S+ is played without wild tiles", "这种玩法没有混牌"),
    (r"a flower is never wild", "花牌不能当混牌"),
    (r"a flower \(a to h\) is not a winning tile; .+", f"花牌（a 到 h）不是和牌张；{CAPITALS}"),
    (r"flowers \(a to h\) are laid aside .+", f"花牌（a 到 h）放在一边另算，不写在手牌里；{CAPITALS}"),
    (r"(?P<tile>\S+) is laid aside, not held.*", f"{{tile}} 放在一边，不在手里：用 --flowers 说；{CAPITALS}"),
    (r"(?P<n>\d+) flowers; the tile set of this variant has (?P<most>\d+)",
        "花牌 {n} 张，这种玩法只有 {most} 张"),
    (r"flowers is a whole number from (?P<low>\d+) to (?P<high>\d+), not (?P<n>.+)",
        "花牌数是 {low} 到 {high} 的整数，不是 {n}"),
    (r"wall_left is a whole number from (?P<low>\d+) to (?P<high>\d+), not (?P<n>.+)",
        "牌墙剩余张数是 {low} 到 {high} 的整数，不是 {n}"),
    (r"seat_wind(:| is a seat) .+", "门风（--seat-wind）是大写字母 E S W N 之一"),
    (r"round_wind(:| is a seat) .+", "圈风（--round-wind）是大写字母 E S W N 之一"),
    (r"last_tile with (?P<n>\d+) tiles left", "牌墙还有 {n} 张，不是海底"),
    (r"(?P<n>\d+) tiles in the wall; after the deal.* 0 to (?P<most>\d+) are left",
        "牌墙写的是 {n} 张，最多剩 {most} 张"),
)  # fmt: skip
_ROWS = tuple((re.compile(pattern), words) for pattern, words in ROWS)
_PLACE = re.compile(r"(?P<rest>.*?)( \(at character (?P<place>\d+)\))?", re.DOTALL)


def refusal_line(error: RuleError, lang: Lang) -> str:
    """Return a refusal for people: in Chinese where that is asked for and there are words, else as it is."""
    text = str(error)
    return (_chinese(text) or text) if lang is Lang.ZH else text


def _chinese(text: str) -> str | None:
    found = _PLACE.fullmatch(text)
    assert found is not None
    rest, place = found["rest"], found["place"]
    field, colon, inner = rest.partition(": ")
    before = ""
    if colon and field in FIELDS:
        before, rest = FIELDS[field], inner
    for pattern, words in _ROWS:
        row = pattern.fullmatch(rest)
        if row is not None:
            said = words.format(**{key: _names(part) for key, part in row.groupdict().items()})
            return before + said + (f"（第 {place} 个字符）" if place else "")
    return None


def _names(names: str) -> str:
    """Return shapes without their English names: `七对 Seven pairs or 全不靠 ...` is 七对、全不靠."""
    if names.isascii() or names.startswith("'"):
        return names
    return "、".join(name.split(" ")[0] for name in names.split(" or "))
