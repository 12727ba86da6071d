"""日本麻将, riichi: what a table agrees on, and how that is said to the library that counts the hand.

The PyPI library `mahjong` is the scorer (`riichi_hand`); sticks, honba, drawn hands and the ranking of a game
are ours (`riichi_game`). Source: rules text riichi.md.
"""

from __future__ import annotations

from rules.options import Choice, Option, Options, resolve_rows
from rules.variants.common import BREAK_AT, TAIL_FIRST, flag, integer

TEXT = "riichi.md"
SLUG = "riichi"
ZH, EN = "日本麻将", "Riichi"
TILES = 136

ABORTS = (
    Choice("kyuushu_kyuuhai", "九种九牌", "nine terminals and honors"),
    Choice("suufon_renda", "四风连打", "four equal wind discards"),
    Choice("suucha_riichi", "四家立直", "four riichi"),
    Choice("suukaikan", "四杠散了", "four kongs by different players"),
    Choice("sanchahou", "三家和", "three rons"),
)
LOCAL = (Choice("daisharin", "大车轮", "daisharin"), Choice("daichisei", "大七星", "daichisei"))
UMA = {
    "10-20": (20, 10, -10, -20),
    "5-10": (10, 5, -5, -10),
    "10-30": (30, 10, -10, -30),
    "15-5": (15, 5, -5, -15),
}

_MAPPED = f"{TEXT} (Options mapped to the library)"
_SETTLED = f"{TEXT} (Settlement formulas)"
_DRAWS = f"{TEXT} (Draw handling)"
_RANKED = f"{TEXT} (Final ranking)"


def _choice(key: str, default: str, zh: str, en: str, source: str, *choices: Choice) -> Option:
    return Option(key, "choice", choices, default, zh, en, source)


OPTIONS = (
    flag("aka", True, "赤宝牌", "Red fives, one of each suit", _MAPPED),
    flag("open_tanyao", True, "食断", "Tanyao on open hands", _MAPPED),
    flag("double_yakuman", False, "双倍役满", "Double yakuman", _MAPPED),
    _choice(
        "kazoe_limit",
        "0",
        "累计役满",
        "Thirteen han without a yakuman",
        _MAPPED,
        Choice("0", "役满", "one yakuman"),
        Choice("1", "三倍满", "sanbaiman"),
        Choice("2", "不封顶", "26 are two yakuman"),
    ),
    flag("kiriage", False, "切上满贯", "4 han 30 fu and 3 han 60 fu are mangan", _MAPPED),
    flag("open_pinfu_30", True, "副露平和形30符", "Open pinfu shape counts 30 fu", _MAPPED),
    flag("pinfu_tsumo_fu", False, "平和自摸加符", "Self-drawn pinfu gets 2 fu and is lost", _MAPPED),
    _choice(
        "renhou",
        "off",
        "人和",
        "Renhou",
        _MAPPED,
        Choice("off", "无", "none"),
        Choice("mangan", "满贯", "mangan"),
        Choice("yakuman", "役满", "yakuman"),
    ),
    Option("local", "set", LOCAL, "", "地方役满", "Local yakuman", _MAPPED),
    _choice(
        "length",
        "hanchan",
        "局数",
        "Length of a game",
        f"{TEXT} (Players)",
        Choice("hanchan", "半庄", "East and South round"),
        Choice("tonpuu", "东风战", "East round"),
    ),
    _choice(
        "repeat",
        "tenpai",
        "连庄",
        "The dealer repeats",
        f"{TEXT} (Players)",
        Choice("tenpai", "听牌连庄", "on a win, and ready at a drawn hand"),
        Choice("win_only", "和了连庄", "on a win only"),
    ),
    _choice(
        "multi_ron",
        "double",
        "多家和",
        "Several rons",
        _SETTLED,
        Choice("double", "都付", "all are paid"),
        Choice("head_bump", "头跳", "the nearest after the discarder"),
        Choice("triple_abort", "三家和流局", "three make an abortive draw"),
    ),
    flag("pao", True, "包牌", "Who feeds the last set of a yakuman answers for it", _SETTLED),
    Option(
        "aborts",
        "set",
        ABORTS,
        "kyuushu_kyuuhai,suufon_renda,suucha_riichi,suukaikan",
        "途中流局",
        "Abortive draws",
        _DRAWS,
    ),
    flag("nagashi", True, "流局满贯", "Nagashi mangan", _DRAWS),
    flag("agari_yame", True, "和了止", "A leading dealer of the last hand stops", _DRAWS),
    flag("west_extension", True, "西入", "Another round while nobody has the target", _DRAWS),
    flag("bankruptcy", True, "击飞", "A score below 0 ends the game", _DRAWS),
    _choice(
        "chombo",
        "reverse_mangan",
        "错和",
        "A false win",
        _DRAWS,
        Choice("reverse_mangan", "反满贯", "pays what a mangan self-draw would have brought"),
        Choice("fixed", "终局扣分", "is deducted from the ranking"),
    ),
    integer("start", 25_000, 0, 100_000, "起始点", "Points at the start", _RANKED),
    integer("return", 30_000, 0, 100_000, "返点", "Points to return", _RANKED),
    _choice("uma", "10-20", "顺位分", "Uma", _RANKED, *(Choice(key, key, key) for key in UMA)),
    _choice(
        "ties",
        "seat",
        "同分",
        "Equal scores",
        _RANKED,
        Choice("seat", "按座次", "nearer to the first dealer is higher"),
        Choice("split", "平分", "shared"),
    ),
    BREAK_AT,
    TAIL_FIRST,
)


def options_of(given: dict[str, object]) -> Options:
    """Return every option with its value.

    Raises:
        InvalidOption: for an unknown key or an impossible value.
    """
    return resolve_rows(SLUG, OPTIONS, given)
