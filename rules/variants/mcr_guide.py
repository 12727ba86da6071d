"""国标麻将 in plain words, for readers; its numbers are asserted by tests, its page is docs/rules-mcr.md."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rules.guide import Guide, ProfileHand, Section
from rules.variants.mcr_examples import EXAMPLES

WINNING = Section(
    ("和牌", "Winning"),
    (
        (
            "八分起和：花牌不算在内，其余番种合计至少八分才能和。",
            "A hand may win from 8 points on; flowers are left out of these 8.",
        ),
        (
            "和牌型：四副面子一对将、七对、十三幺、全不靠（含七星不靠）、组合龙加一副面子一对将。",
            "Shapes: four sets and a pair, seven pairs, thirteen orphans, knitted tiles and honors without a "
            "pair, a knitted straight with one set and a pair.",
        ),
        (
            "一炮只和一家：由打牌者下家起，依次最近的一家和。",
            "Only one player wins on a tile: the nearest after the discarder.",
        ),
        (
            "边张、坎张、单钓将要求独听，按牌形判断：听口的牌即使已在自己手里用尽，也算一个听口。",
            "An edge, closed or single wait must be the only wait in form: a wait whose four tiles are all "
            "in the own hand still is one.",
        ),
        (
            "他人打出的牌凑成的刻子不是暗刻。",
            "A pung that another player's tile finished is not concealed.",
        ),
    ),
)

FLOWERS = Section(
    ("花牌", "Flowers"),
    (
        (
            "共八张，抓到即亮出补牌；和牌时每张一分，不计入起和分，也不妨碍无番和。",
            "There are eight. A flower is laid aside and replaced at once; it counts one point in a hand "
            "that wins, does not help to reach the 8, and does not spoil a chicken hand.",
        ),
    ),
)

PRINCIPLES = Section(
    ("计番五原则", "The five principles"),
    (
        (
            "不重复：一个番种必然包含的另一番种不再计。",
            "No repeat: what an element necessarily contains is not counted beside it.",
        ),
        (
            "不拆移：面子组合计番后，不得再拆开去组成别的番种。",
            "No taking apart: sets that were put together for an element are not arranged anew for another.",
        ),
        (
            "不得相同：一副面子组成过某番种，不得再同别的面子组成同一番种。",
            "Not the same twice: a set used for an element is not used again, with other sets, for the same "
            "element.",
        ),
        (
            "就高不就低：有几种计法时，取分高的。",
            "The higher one: of several readings the best counts.",
        ),
        (
            "套算一次：几副面子组合后，其余每副只能再同已组合的面子组合一次。因此四副顺子的番种后不再计；"
            "三副的番种后至多再计一个；否则四副顺子至多计三个。该计哪一个，同分任选。",
            "Account once: when some sets have been put together, each of the others may be put together "
            "once more with one of these. So nothing is added to an element of four chows, at most one to an "
            "element of three, and four chows otherwise make at most three. Which of equal ones is named is "
            "free.",
        ),
    ),
)

PAYMENTS = Section(
    ("付分", "Payments"),
    (
        (
            "点炮（抢杠同）：打牌者付 8 + 和牌分，另两家各付 8。",
            "On a discard or a robbed kong, its owner pays 8 and the total, the two others 8 each.",
        ),
        (
            "自摸：三家各付 8 + 和牌分。",
            "On a self-draw each of the three others pays 8 and the total.",
        ),
        (
            "杠和荒庄（荒牌）不付分；每盘轮庄。",
            "Kongs and drawn hands pay nothing; the deal passes after every hand.",
        ),
        (
            "诈和（错和）：付其他每家 10 分（选项 false_win_each）；"
            "未听牌而诈和 20 分（false_win_not_ready_each）。"
            "这两个数是本桌的约定，资料未予证实。",
            "A false win pays each other player 10 (option false_win_each), or 20 if the hand was not even "
            "ready (false_win_not_ready_each). Both amounts are house choices; no source confirms them.",
        ),
    ),
)


def _totals(mcr: int, wmo2006: int, jmsa: int, text_1998: int) -> Mapping[str, int]:
    keys = ("mcr", "mcr-wmo2006", "mcr-jmsa", "mcr-1998")
    return MappingProxyType(dict(zip(keys, (mcr, wmo2006, jmsa, text_1998), strict=True)))


PROFILES = (
    (
        "mcr",
        (
            "1998年竞赛规则（试行）加国际麻将联盟2025年补充规则。默认。",
            "The rules of 1998 (trial) with the League's supplement of 2025. The default.",
        ),
    ),
    (
        "mcr-wmo2006",
        (
            "2006年世界规则：双暗杠 8 分（列第 48 号，在碰碰和前），一明一暗两副杠 6 分；"
            "必须门清的牌型自摸计不求人 4 分，不计自摸 1 分（欧洲的读法）。",
            "World rules of 2006: two concealed kongs 8 points (number 48, before all pungs), one of each "
            "kong 6; a self-draw of a hand that must be concealed counts Fully Concealed Hand 4, not "
            "Self-Drawn 1 (the European reading).",
        ),
    ),
    (
        "mcr-jmsa",
        (
            "日本协会：七对不计五门齐；一副牌最多 88 分，花牌也在封顶之内"
            "（资料未写明花牌，这是我们的选择）。",
            "Japanese association: seven pairs do not count All Types; a hand is worth 88 at most, flowers "
            "included (our choice: the sources do not name flowers).",
        ),
    ),
    (
        "mcr-1998",
        (
            "1998年原文：没有明暗杠，一明一暗两副杠计暗杠 2、明杠 1。",
            "The plain text of 1998: no Concealed Kong and Melded Kong; one of each counts Concealed Kong 2 "
            "and Melded Kong 1.",
        ),
    ),
)

PROFILE_HANDS = (
    ProfileHand(
        "1166m 2288p 44s 559s + 9s",
        _totals(26, 29, 26, 26),
        (
            "七对 24、无字 1，自摸 1；2006年规则计不求人 4",
            "Seven Pairs 24, No Honors 1 and Self-Drawn 1; Fully Concealed Hand 4 in the rules of 2006",
        ),
        ("self_draw",),
    ),
    ProfileHand(
        "(2222m)(7777p) 345s 67s 99p + 8s",
        _totals(10, 12, 10, 10),
        ("双暗杠 6；2006年规则 8", "Two Concealed Kongs 6; 8 in the rules of 2006"),
    ),
    ProfileHand(
        "(2222m)[7777p,2] 555s 88s EE + 8s",
        _totals(13, 14, 13, 11),
        (
            "明暗杠 5；2006年规则 6；1998年原文计暗杠 2、明杠 1",
            "Concealed Kong and Melded Kong 5; 6 in the rules of 2006; Concealed Kong 2 and Melded Kong 1 in "
            "the text of 1998",
        ),
    ),
    ProfileHand(
        "1166m 2288p 44s EEF + F",
        _totals(30, 30, 24, 30),
        (
            "七对 24、五门齐 6；日本协会不计五门齐",
            "Seven Pairs 24, All Types 6; the Japanese association does not count All Types",
        ),
    ),
    ProfileHand(
        "[EEE,1][SSS,3] WWW NN CC + N",
        _totals(152, 152, 88, 152),
        (
            "大四喜 88、字一色 64；日本协会封顶 88",
            "Big Four Winds 88, All Honors 64; the Japanese association caps at 88",
        ),
    ),
    ProfileHand(
        "[123m,1] 456p 79s 666m NN + 8s",
        _totals(9, 9, 9, 9),
        ("花龙 8、坎张 1：处处相同", "Mixed Straight 8, Closed Wait 1: the same everywhere"),
    ),
)

GUIDE = Guide(
    (WINNING, FLOWERS, PRINCIPLES, PAYMENTS),
    EXAMPLES,
    PROFILES,
    PROFILE_HANDS,
    MappingProxyType({"concealed_kong_and_melded_kong": "82"}),
)
