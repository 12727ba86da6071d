"""国标麻将 for readers: what every element is in plain words, with one hand that counts it.

The winner sits South in the East round and wins on a discard where nothing else is told. The test suite
scores every hand here: it counts its element, on these sets, and has this total. docs/rules-mcr.md is
printed from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rules.guide import Example

# fmt: off
_ROWS = {
    # 88
    "big_four_winds": Example(
        "东南西北四副刻子（杠）", "pungs or kongs of all four winds",
        "[EEE,1][SSS,3] WWW NN 55m + N", 94, "EEE SSS WWW NNN"),
    "big_three_dragons": Example(
        "中发白三副刻子（杠）", "pungs or kongs of all three dragons",
        "[CCC,2][FFF,1] PPP 45m 99s + 3m", 89, "CCC FFF PPP"),
    "all_green": Example(
        "全由二、三、四、六、八条和发财组成，可以没有发财",
        "only 2 3 4 6 8 of bamboos and the green dragon, which may be missing",
        "[234s,1][666s,2] 888s 22s FF + F", 90),
    "nine_gates": Example(
        "门前清的同花色1112345678999，和该花色任何一张；和二、五、八时，两副幺九刻中有一副照计",
        "1112345678999 of one suit, concealed, and any tile of that suit; won on 2, 5 or 8, one of its two "
        "terminal pungs still counts",
        "1112345678999m + 5m", 92, "", ("self_draw",)),
    "four_kongs": Example(
        "四副杠", "four kongs",
        "[2222m,1](5555p)[8888s,2][EEEE,3] 7p + 7p", 90, "2222m 5555p 8888s EEEE"),
    "seven_shifted_pairs": Example(
        "一种花色序数相连的七对", "seven pairs of consecutive ranks in one suit",
        "2233445566778s + 8s", 90),
    "thirteen_orphans": Example(
        "三种花色的一、九和七种字牌各一张，其中一种两张",
        "one of each one, nine, wind and dragon, and a second of one of them",
        "19m 19p 19s ESWNCFP + P", 88),
    # 64
    "all_terminals": Example(
        "全由一、九组成", "only ones and nines",
        "[111m,2] 999m 111p 99p 99s + 9p", 66),
    "little_four_winds": Example(
        "三副风刻，第四种风作将", "pungs of three winds and a pair of the fourth",
        "[EEE,1][SSS,2] WWW NN 23m + 1m", 78, "EEE SSS WWW NN"),
    "little_three_dragons": Example(
        "两副箭刻，第三种箭牌作将", "pungs of two dragons and a pair of the third",
        "[CCC,1][FFF,2] PP 234m 78p + 9p", 65, "CCC FFF PP"),
    "all_honors": Example(
        "全由字牌组成", "only winds and dragons",
        "[EEE,1][NNN,2] CCC FF PP + P", 130),
    "four_concealed_pungs": Example(
        "四副暗刻（暗杠）", "four concealed pungs or kongs",
        "222m 555p 888s 66p NN + N", 66, "222m 555p 888s NNN", ("self_draw",)),
    "pure_terminal_chows": Example(
        "一种花色的两副123、两副789，五作将", "123 123 789 789 and a pair of fives, all in one suit",
        "[123p,1] 123p 55p 789p 79p + 8p", 65),
    # 48
    "quadruple_chow": Example(
        "一种花色四副相同的顺子", "four equal chows",
        "[234m,1][234m,1] 234m 34m 77p + 2m", 53, "234m 234m 234m 234m"),
    "four_pure_shifted_pungs": Example(
        "一种花色四副依次递增一位的刻子", "four pungs of one suit, each one rank above the one before",
        "[222s,2][333s,1] 444s 55s EE + 5s", 54, "222s 333s 444s 555s"),
    # 32
    "four_pure_shifted_chows": Example(
        "一种花色四副依次递增一位或两位的顺子",
        "four chows of one suit, each one rank (or each two ranks) above the one before",
        "[123m,1] 234m 345m 45m 99p + 6m", 35, "123m 234m 345m 456m"),
    "three_kongs": Example(
        "三副杠", "three kongs",
        "[2222p,1](7777m)[NNNN,2] 34s 88s + 5s", 33, "7777m 2222p NNNN"),
    "all_terminals_and_honors": Example(
        "全由一、九和字牌组成", "only ones, nines and honors, some of each",
        "[111m,2][999s,1] EEE 11p CC + C", 42),
    # 24
    "seven_pairs": Example(
        "七个对子，四张相同的可作两对", "seven pairs; four equal tiles may be two of them",
        "1166m 2288p 44s EEF + F", 30),
    "greater_honors_and_knitted_tiles": Example(
        "七种字牌各一张，加三种花色的147、258、369中七张不同的牌",
        "all seven honors and seven different tiles of 147, 258 and 369, each in a suit of its own",
        "147m 25p 39s ESWNCF + P", 24),
    "all_even_pungs": Example(
        "全由二、四、六、八的刻子和将组成", "pungs and a pair of 2, 4, 6 and 8 only",
        "[222m,1][444p,2] 666s 88p 22s + 8p", 24),
    "full_flush": Example(
        "只有一种花色", "one suit only",
        "[222p,1] 345p 99p 789p 45p + 6p", 25),
    "pure_triple_chow": Example(
        "一种花色三副相同的顺子", "three equal chows",
        "[345s,1] 345s 34s 99m 678p + 5s", 26, "345s 345s 345s"),
    "pure_shifted_pungs": Example(
        "一种花色三副依次递增一位的刻子", "three pungs of one suit, each one rank above the one before",
        "[333m,1][444m,2] 55m 789p EE + 5m", 25, "333m 444m 555m"),
    "upper_tiles": Example(
        "只有七、八、九", "ranks 7, 8 and 9 only",
        "[789m,1] 777p 789s 88p 89s + 7s", 27),
    "middle_tiles": Example(
        "只有四、五、六", "ranks 4, 5 and 6 only",
        "[456m,1] 444p 55p 456s 46s + 5s", 27),
    "lower_tiles": Example(
        "只有一、二、三", "ranks 1, 2 and 3 only",
        "[123m,1] 111p 22p 123s 13s + 2s", 28),
    # 16
    "pure_straight": Example(
        "一种花色的123、456、789", "123, 456 and 789 of one suit",
        "[123m,1] 456m 79m 333p EE + 8m", 18, "123m 456m 789m"),
    "three_suited_terminal_chows": Example(
        "两种花色的123、789，第三种花色的五作将",
        "123 and 789 in two suits and a pair of fives in the third",
        "[123m,1] 789m 123p 79p 55s + 8p", 17),
    "pure_shifted_chows": Example(
        "一种花色三副依次递增一位或两位的顺子",
        "three chows of one suit, each one rank (or each two ranks) above the one before",
        "[234p,1] 456p 68p 111m EE + 7p", 19, "234p 456p 678p"),
    "all_fives": Example(
        "每副面子和将都有五", "a five in every set and in the pair",
        "[345m,1] 567p 46s 456m 55p + 5s", 26),
    "triple_pung": Example(
        "三种花色序数相同的刻子", "pungs of the same rank in all three suits",
        "[333m,1][333p,2] 33s 678m CC + 3s", 16, "333m 333p 333s"),
    "three_concealed_pungs": Example(
        "三副暗刻（暗杠）", "three concealed pungs or kongs",
        "222m 555p 888s 34s NN + 5s", 18, "222m 555p 888s"),
    # 12
    "lesser_honors_and_knitted_tiles": Example(
        "三种花色的147、258、369和字牌中十四张不同的牌",
        "fourteen different tiles of 147, 258 and 369, each in a suit of its own, and the honors",
        "147m 258p 36s ESWCF + P", 12),
    "knitted_straight": Example(
        "三种花色的147、258、369九张", "147, 258 and 369, each in a suit of its own",
        "[CCC,1] 147m 258p 36s 44p + 9s", 14, "147m 258p 369s"),
    "upper_four": Example(
        "只有六、七、八、九", "ranks 6 to 9 only",
        "[678m,1] 789p 999s 66p 68s + 7s", 15),
    "lower_four": Example(
        "只有一、二、三、四", "ranks 1 to 4 only",
        "[123m,1] 234p 111s 44p 24s + 3s", 15),
    "big_three_winds": Example(
        "三副风刻", "pungs of three winds",
        "[EEE,1][SSS,2] WW 456p 88m + W", 17, "EEE SSS WWW"),
    # 8
    "mixed_straight": Example(
        "三种花色的123、456、789各一副", "123, 456 and 789, each in a suit of its own",
        "[123m,1] 456p 79s 666m NN + 8s", 9, "123m 456p 789s"),
    "reversible_tiles": Example(
        "只有上下对称的牌：一二三四五八九饼、二四五六八九条、白板",
        "only tiles that look the same upside down: 1234589 of dots, 245689 of bamboos, white dragon",
        "[222s,1][PPP,2] 456s 12p 88p + 3p", 11),
    "mixed_triple_chow": Example(
        "三种花色序数相同的顺子", "the same chow in all three suits",
        "[345m,1] 345p 35s 888m NN + 4s", 9, "345m 345p 345s"),
    "mixed_shifted_pungs": Example(
        "三种花色依次递增一位的刻子", "pungs in three suits, each one rank above the one before",
        "[444m,1][555p,2] 66s 123p EE + 6s", 8, "444m 555p 666s"),
    "chicken_hand": Example(
        "没有任何其他番种（花牌不算）", "no other element at all, flowers left out",
        "[678m,1] 567p 23477s SS + 7s", 8),
    "last_tile_draw": Example(
        "自摸牌墙最后一张", "self-draw of the last tile of the wall",
        "[234m,1] 777p 99m 23s 567s + 4s", 11, "4s", ("self_draw", "last_tile")),
    "last_tile_claim": Example(
        "和全盘最后打出的一张", "win on the last discard",
        "[234m,1] 777p 99m 23s 567s + 4s", 11, "4s", ("last_tile",)),
    "out_with_replacement_tile": Example(
        "开杠后补进的牌自摸", "self-draw of the replacement tile of a kong",
        "[2222m,1] 567p 99s 34s 678s + 5s", 11, "5s", ("self_draw", "kong_replacement")),
    "robbing_the_kong": Example(
        "和他人加杠的那张牌", "win on the tile another player adds to a pung",
        "[234m,1] 567p 88p 234s 67s + 8s", 13, "8s", ("rob_kong",)),
    # 6
    "all_pungs": Example(
        "四副刻子（杠）", "four pungs or kongs",
        "[222m,1][777p,2] 999s 44m CC + C", 9),
    "half_flush": Example(
        "一种花色和字牌", "one suit and honors",
        "[234s,1] 678s 55s EEE 79s + 8s", 8),
    "mixed_shifted_chows": Example(
        "三种花色依次递增一位的顺子", "chows in three suits, each one rank above the one before",
        "[234m,1] 345p 46s 789p 99s + 5s", 9, "234m 345p 456s"),
    "all_types": Example(
        "三种花色、风牌、箭牌齐全", "all three suits, winds and dragons",
        "[234m,1] 678p NN CCC 78s + 9s", 8),
    "melded_hand": Example(
        "四副明面子，单钓他人打出的牌和", "four open melds, the pair finished by another player's tile",
        "[234m,1][678p,1][EEE,2][555s,3] 9m + 9m", 8),
    "two_concealed_kongs": Example(
        "两副暗杠", "two concealed kongs",
        "(2222m)(7777p) 345s 67s 99p + 8s", 10, "2222m 7777p"),
    "two_dragon_pungs": Example(
        "两副箭刻", "pungs of two dragons",
        "[CCC,1][FFF,2] 123m 78p 99s + 9p", 10, "CCC FFF"),
    # 5
    "concealed_kong_and_melded_kong": Example(
        "一副暗杠、一副明杠", "one concealed and one exposed kong",
        "(2222m)[7777p,2] 555s 88s EE + 8s", 13, "2222m 7777p"),
    # 4
    "outside_hand": Example(
        "每副面子和将都有一、九或字牌", "a one, a nine or honors in every set and in the pair",
        "[EEE,2] 123m 79p 999s 11p + 8p", 8),
    "fully_concealed_hand": Example(
        "没有明面子，自摸", "no open meld, won by self-draw",
        "123m 456p 78s 666m NN + 9s", 12, "", ("self_draw",)),
    "two_melded_kongs": Example(
        "两副明杠", "two exposed kongs",
        "[2222m,1][7777p,2] 555s 88s EE + 8s", 10, "2222m 7777p"),
    "last_of_kind": Example(
        "其余三张已亮明，和第四张", "win on the fourth tile when the other three lie open",
        "[123m,1] 456p 79s 333s EE + 8s", 13, "8s", ("last_of_kind",)),
    # 2
    "dragon_pung": Example(
        "一副箭刻", "a pung of a dragon",
        "[CCC,2] 123m 456p 78s 55m + 9s", 10, "CCC"),
    "prevalent_wind": Example(
        "圈风的刻子", "a pung of the wind of the round",
        "[EEE,2] 123m 456p 78s 55m + 9s", 10, "EEE"),
    "seat_wind": Example(
        "门风的刻子", "a pung of the own wind",
        "[SSS,2] 123m 456p 78s 55m + 9s", 10, "SSS"),
    "concealed_hand": Example(
        "没有明面子，和他人打出的牌", "no open meld, won on another player's tile",
        "123m 456p 78s 666m NN + 9s", 10),
    "all_chows": Example(
        "四副顺子（或组合龙加一副顺子），序数牌作将",
        "four chows (or a knitted straight and a chow) and a pair that is no honor",
        "[123m,1] 456p 78s 678m 22p + 9s", 10),
    "tile_hog": Example(
        "四张相同的牌而没有开杠", "all four of a kind without a kong",
        "[123m,1] 456p 78s 999s EE + 9s", 11, "789s 999s"),
    "double_pung": Example(
        "两种花色序数相同的刻子", "pungs of the same rank in two suits",
        "[333m,1][333p,2] 777s 55m EE + 5m", 8, "333m 333p"),
    "two_concealed_pungs": Example(
        "两副暗刻（暗杠）", "two concealed pungs or kongs",
        "[222m,1][444s,2] 555p 888s N + N", 9, "555p 888s"),
    "kong_concealed": Example(
        "一副暗杠", "a concealed kong",
        "[123m,1](5555m) 456p 79s 88p + 8s", 12, "5555m"),
    "all_simples": Example(
        "没有一、九和字牌", "no ones, nines or honors",
        "[345m,1] 345p 35s 678m 22p + 4s", 14),
    # 1
    "pure_double_chow": Example(
        "一种花色两副相同的顺子", "two equal chows",
        "[123m,1] 445566p 79s EE + 8s", 10, "456p 456p"),
    "mixed_double_chow": Example(
        "两种花色序数相同的顺子", "the same chow in two suits",
        "[234m,1][234p,1][EEE,2][888s,3] 5m + 5m", 9, "234m 234p"),
    "short_straight": Example(
        "一种花色六张相连的两副顺子", "two chows of one suit that make six ranks in a row",
        "[234m,1][567m,1][EEE,2][888s,3] 5p + 5p", 9, "234m 567m"),
    "two_terminal_chows": Example(
        "一种花色的123、789", "123 and 789 of one suit",
        "[123m,1][789m,1][EEE,2][888s,3] 5p + 5p", 9, "123m 789m"),
    "pung_of_terminals_or_honors": Example(
        "一、九或字牌的刻子", "a pung of ones, nines or honors",
        "[111m,2][456p,1][678s,1][CCC,3] 5p + 5p", 9, "111m"),
    "kong_exposed": Example(
        "一副明杠", "an exposed kong",
        "[123m,1][5555m,2] 456p 79s 88p + 8s", 11, "5555m"),
    "one_voided_suit": Example(
        "缺一种花色", "one suit is missing",
        "[234m,1][678m,1][EEE,2][888s,3] 5s + 5s", 9),
    "no_honors": Example(
        "没有字牌", "no winds and no dragons",
        "[123m,1] 456p 78s 333s 22p + 9s", 9),
    "edge_wait": Example(
        "独听12的3或89的7", "the only wait: the 3 of 12 or the 7 of 89",
        "[123m,1] 456p 89s 333s EE + 7s", 9, "789s"),
    "closed_wait": Example(
        "独听顺子中间的一张", "the only wait: the middle of a chow",
        "[123m,1] 456p 79s 333s EE + 8s", 9, "789s"),
    "single_wait": Example(
        "独听将牌", "the only wait: the second tile of the pair",
        "[123m,1] 456p 789s 333s N + N", 9, "NN"),
    "self_drawn": Example(
        "自己摸牌和", "the winning tile was drawn",
        "[123m,1] 456p 78s 333s EE + 9s", 9, "9s", ("self_draw",)),
    "flower_tiles": Example(
        "每张花牌一分，不计入起和分", "each flower laid aside; does not help to reach the minimum",
        "[123m,1] 456p 78s 678m 22p + 9s", 13, "", (), 3),
}
# fmt: on

EXAMPLES: Mapping[str, Example] = MappingProxyType(_ROWS)
