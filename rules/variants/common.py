"""Option rows and values that many variants share, worded as in _common-regional.md."""

from __future__ import annotations

from rules.options import Choice, Option, Options
from rules.variant import Value

COMMON = "_common-regional.md"

OPENING = Option(
    "opening",
    "choice",
    (
        Choice("two_throw", "两次掷骰", "two throws"),
        Choice("one_throw_min", "一掷取小", "one throw, smaller die"),
        Choice("one_throw_sum", "一掷取和", "one throw, sum"),
        Choice("own_wall_sum", "庄家自墙", "dealer's own wall"),
    ),
    "two_throw",
    "开牌",
    "Opening the wall",
    f"{COMMON} (Breaking the wall); table-procedure.md section 8",
)
BREAK_AT = Option(
    "break_at",
    "choice",
    (Choice("after", "数后一墩", "after the count"), Choice("at", "所数之墩", "the counted stack itself")),
    "after",
    "开牌处",
    "Where the wall opens",
    "table-procedure.md section 8",
)
TAIL_FIRST = Option(
    "tail_first",
    "choice",
    (Choice("top", "先上", "top first"), Choice("bottom", "先下", "bottom first")),
    "top",
    "补牌次序",
    "Replacement tile taken first",
    "table-procedure.md section 9",
)
WALLS108 = Option(
    "walls108",
    "choice",
    (
        Choice("14,13,14,13", "庄家和对家多一墩", "one more for dealer and opposite"),
        Choice("14,14,13,13", "庄家和下家多一墩", "one more for dealer and next"),
        Choice("13,14,13,14", "下家和上家多一墩", "one more for next and previous"),
    ),
    "14,13,14,13",
    "108 张的牌墙",
    "Walls of 108 tiles, stacks from the dealer on",
    f"{COMMON} (Wall sizes); table-procedure.md section 7",
)
"""For variants of 108 tiles."""
PASS_LOCK = Option("pass_lock", "bool", (), True, "过手胡", "No win after declining one", f"{COMMON} (Terms)")
WALL_OPTIONS = (OPENING, BREAK_AT, TAIL_FIRST)

SYSTEM = Option(
    "system",
    "choice",
    (
        Choice("1-2", "一二", "self-draw double"),
        Choice("1-2-4", "一二四", "self-draw double, dealer double"),
        Choice("1-2-3", "一二三", "self-draw double, dealer one more"),
    ),
    "1-2",
    "记分法",
    "Payment scheme",
    "seeds 000/002/003",
)
PAY_MODE = Option(
    "pay_mode",
    "choice",
    (
        Choice("none", "不陪", "only the feeder pays", ("包和",)),
        Choice("full", "全陪", "everyone pays"),
        Choice("half", "半陪", "the others pay half"),
    ),
    "none",
    "点炮付法",
    "Who pays for a discard",
    "seeds 000/002/003",
)


def integer(key: str, default: int, low: int, high: int, zh: str, en: str, source: str) -> Option:
    """Return an option that is a whole number."""
    return Option(key, "int", (), default, zh, en, source, low, high)


def flag(key: str, default: bool, zh: str, en: str, source: str) -> Option:
    """Return an option that is on or off."""
    return Option(key, "bool", (), default, zh, en, source)


def product(*factors: str | int) -> Value:
    """Return a value that multiplies numbers and options named by key."""

    def value(options: Options) -> int:
        result = 1
        for factor in factors:
            result *= options.number(factor) if isinstance(factor, str) else factor
        return result

    return value
