"""What the variants' own options mean, a sentence in Chinese and in English for each key.

A key that several variants have means the same in all of them. Options of the evening are explained in
`rules.procedure_options`, those of claims in `rules.win_options`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

VARIANT_EXPLAINED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        # simplest
        "pair_rule": (
            "将牌任意，或一定要二、五、八（武汉、济南）；大胡不受这条限制。",
            "Any pair will do, or it must be of 2, 5 or 8 (Wuhan, Jinan); big elements need no such pair.",
        ),
        "base": (
            "一个底是几分，其他都按它算。",
            "How many points one base is; everything else is a multiple.",
        ),
        "big_unit": ("每个大胡值几个底。", "How many bases each big element is worth."),
        "haidi_from": (
            "从牌尾数第几墩起自摸算海底；1 只算最后一张。",
            "From which stack, counted from the tail, a self-draw is a sea-bottom one; 1 = the last tile "
            "only.",
        ),
        "system": (
            "自摸翻倍；庄家不论（一二）、翻倍（一二四）或加一倍（一二三）。",
            "A self-draw doubles; the dealer does not matter (1-2), doubles (1-2-4) or adds one (1-2-3).",
        ),
        "pay_mode": (
            "点炮时：只由放炮的付（不陪）、人人照付（全陪）、旁人付一半（半陪）。",
            "On a discard the discarder alone pays, everyone pays as if he had discarded, or the others "
            "pay half.",
        ),
        "multi_win": (
            "一张牌几家能和时，是都算，还是只算离放炮的人最近的一家。",
            "Where several can win on one tile, all do, or only the one nearest after the discarder.",
        ),
        "exposed_payer": (
            "明杠由三家付，还是由点杠的一家付三家的。",
            "Each other player pays for an exposed kong, or its feeder pays for all three.",
        ),
        "pass_lock": (
            "能和不和，到自己下次摸牌之前不能再点炮和；自摸不受限。",
            "Who lets a winning discard go may not win on another before his next draw; a self-draw "
            "always wins.",
        ),
        # the family of Chinese Official
        "min_fan": ("不算花牌，至少几分才能和。", "How many points, flowers left out, a hand needs to win."),
        "false_win_each": (
            "叫和而没和，付其他每家的分。",
            "What a player who called a win that is none pays each other player.",
        ),
        "false_win_not_ready_each": (
            "叫和时连听都没听，付其他每家的分。",
            "What he pays each other player if his hand was not even ready.",
        ),
        "exclusions": (
            "不计的番按国标补全，或只按联众原文写的。",
            "What is not counted beside an element: the official list too, or the words of this text alone.",
        ),
        "wilds": (
            "用混子打；每盘要指定哪些牌是混。",
            "Played with wild tiles, which are named for each hand.",
        ),
        "wild_kong": (
            "混杠在和牌时计 88 番，或杠时当场三家付。",
            "A kong of wild tiles counts in the winning hand, or everyone pays when it is laid.",
        ),
        "first_turn_additive": (
            "天和、地和、人和与其他番相加，或只算它自己。",
            "A win in the first turn adds to the other elements, or stands alone.",
        ),
        "wufan_sees_extras": (
            "有附加番的牌还算不算无番和：开 = 不算。",
            "Whether an extra element keeps a hand from being a chicken hand.",
        ),
        "self_draw_only": ("只许自摸，不许点炮和抢杠。", "Only a self-draw wins; discards and kongs do not."),
        "public_extras": (
            "大众麻将的附加番也算：八仙过海、七抢一、混龙等。",
            "The extra elements of the public table count too: eight flowers, two-suit straight and others.",
        ),
        # base-scoring
        "multiplier": (
            "每笔基分都乘这个数（番、注）。",
            "Every base amount is multiplied by this (stake, fan).",
        ),
        "half_rounding": (
            "半陪的一半不是整数时：照记半分、进一，或舍去；乘过倍数再取整。",
            "A half share that is no whole number is kept, rounded up or down, after the multiplier.",
        ),
        "bao_sum": (
            "不陪时放炮的人付全陪三家的总数；关 = 只付自己的。",
            "Where the discarder alone pays, he pays what all three would have paid; off = only his own "
            "share.",
        ),
        "rob_kong_as": (
            "抢杠当作被抢的人点炮，或当作自摸，三家付。",
            "A robbed kong is paid as a discard of who was robbed, or as a self-draw by everyone.",
        ),
        "special_shapes": (
            "四面子一将之外还能和的牌型；七对里四张相同可当两对，已开的杠不可。",
            "Shapes that win beside four sets and a pair. Four equal tiles may be two pairs, a declared "
            "kong may "
            "not.",
        ),
        "kong_points.exposed": (
            "和家每有一个明杠（含加杠），其他每家另付的分，和牌时一起记。",
            "What each other seat pays for an exposed or added kong of the winner, booked with the win.",
        ),
        "kong_points.concealed": (
            "和家每有一个暗杠，其他每家另付的分，和牌时一起记。",
            "What each other seat pays for a concealed kong of the winner, booked with the win.",
        ),
        "cap": (
            "一个人为一次和牌最多付几分，杠分另算；0 是不封顶。",
            "The most that one loser pays for one win, kong points beside it; 0 = no cap.",
        ),
    }
)
