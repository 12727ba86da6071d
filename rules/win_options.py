"""What a table may agree on for claims, false wins, time and handling. Source: win-procedure.md.

What a variant says itself (several winners, its own amount for a false win) is an option of the variant.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rules.false_win import EACH, EACH_MOST
from rules.options import Choice, Option, Options, resolve_rows
from rules.timers import COUNTDOWN_S

BOOK = "win-procedure.md"
CLAIM_WINDOW_S = 3


def _choice(
    key: str, choices: dict[str, tuple[str, str]], default: str, zh: str, en: str, section: int
) -> Option:
    rows = tuple(Choice(value, *words) for value, words in choices.items())
    return Option(key, "choice", rows, default, zh, en, f"{BOOK} section {section}")


def _number(key: str, default: int, low: int, high: int, zh: str, en: str, section: int) -> Option:
    return Option(key, "int", (), default, zh, en, f"{BOOK} section {section}", low, high)


def _flag(key: str, zh: str, en: str, section: int) -> Option:
    return Option(key, "bool", (), False, zh, en, f"{BOOK} section {section}")


_STATED = {
    "checked": ("按核的算", "the checked value"),
    "stated_max": ("漏报不算", "points not stated are lost"),
}
_ROB = {"none": ("不可抢", "never"), "thirteen_orphans": ("十三幺可抢", "by thirteen orphans")}
_HAND = {
    "offender_dead": ("陪打到底", "it goes on, the offender cannot win"),
    "void": ("重打，庄不动", "it is played again, the dealer stays"),
}
_PROFILE = {"competition": ("比赛", "competition"), "two_player": ("二人", "two players")}
_TIMEOUT = {"warn": ("提醒并记录", "warn and note")}

WIN_OPTIONS: tuple[Option, ...] = (
    _flag("referee", "裁判核和", "A referee checks each win", 1),
    _choice("stated_counts", _STATED, "checked", "报与核不同", "Stated against checked", 1),
    _number("reveal_penalty", 0, 0, EACH_MOST, "提前亮牌付和家", "Tiles shown early pay the winner", 1),
    _choice("rob_concealed", _ROB, "none", "抢暗杠", "Robbing a concealed kong", 2),
    _number("claim_window_s", CLAIM_WINDOW_S, 0, 30, "叫牌时限（秒）", "Time for a claim, seconds", 2),
    _number("false_win_each", EACH, 0, EACH_MOST, "诈和付每家", "A false win pays each other player", 3),
    _choice("false_win_hand", _HAND, "offender_dead", "诈和后这盘", "The hand after a false win", 3),
    _choice("time_profile", _PROFILE, "competition", "打牌时限", "Time limits of a turn", 4),
    _choice("timeout_action", _TIMEOUT, "warn", "超时", "Over time", 4),
    _number("countdown_s", COUNTDOWN_S, 0, 600, "等第四家（秒）", "Waiting for the last player, seconds", 4),
    _number("per_row", 6, 1, 18, "牌河每排张数", "Discards in a row", 6),
    _flag("forbid_same_turn", "禁食替", "No discard of the kind just claimed", 6),
)

WIN_EXPLAINED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "referee": (
            "三家同意后，还要裁判核过才入账；裁判核不过就是诈和。",
            "After the other players agreed, a referee checks before the hand is entered; if he finds no "
            "win, it is a false win.",
        ),
        "stated_counts": (
            "和家报的番与核出的不同时：按核的算，或漏报的番不算。多报的番从不付。",
            "Where the stated value differs from the checked one: the checked one counts, or points that "
            "were not stated are lost. Points that the hand lacks are never paid.",
        ),
        "reveal_penalty": (
            "别家未同意之前亮了自己的牌，付和家这些分，另记一笔；0 分只记录。",
            "Who lays down his tiles before everyone has agreed pays the winner so many points, in an entry "
            "of its own; 0 only notes it.",
        ),
        "rob_concealed": (
            "暗杠一般不可抢；有的地方十三幺可以抢。加杠总可以抢。",
            "A concealed kong cannot be robbed; some tables let thirteen orphans do it. An added kong can "
            "always be robbed.",
        ),
        "claim_window_s": (
            "一张牌打出后，几秒内叫的都算，按和、碰杠、吃的次序给牌；晚了只记录。",
            "How many seconds after a discard claims count; the highest one takes the tile. Later ones are "
            "only noted.",
        ),
        "false_win_each": (
            "诈和的人付其他每家这些分。规则书没有定数，这是本店的选择；玩法自己有数的按玩法。",
            "What a player who called a win that is none pays every other player. No source confirms an "
            "amount; a rule set with an amount of its own goes before.",
        ),
        "false_win_hand": (
            "接着打：诈和的人只抓打，不能吃碰杠和；或这盘作废重打，庄家不动。",
            "Either the hand goes on and the offender only draws and discards, or it is void and played "
            "again with the same dealer.",
        ),
        "time_profile": (
            "比赛：庄家第一张 30 秒，以后每张 15 秒；二人：都是 15 秒。到点仍算及时。",
            "Competition: 30 s for the dealer's first discard, then 15 s; two players: always 15 s. The last "
            "instant is in time.",
        ),
        "timeout_action": (
            "超时只提醒并记录，牌桌不替人打牌。",
            "Who is over time is warned and it is noted; a table plays for nobody.",
        ),
        "countdown_s": (
            "三家已准备好，第四家最多再等这些秒，到点就算准备好。",
            "When all but one are ready, the last one has so many seconds; then he counts as ready.",
        ),
        "per_row": (
            "自己的牌河一排放几张：比赛 6 张，二人 11 张。",
            "How many of his discards a player lays in a row: 6 in competition, 11 with two players.",
        ),
        "forbid_same_turn": (
            "刚吃碰的牌不得当即打出，同一种牌也不得再叫；一般不限。",
            "The tile just claimed may not be discarded at once, nor its kind claimed again; most tables "
            "allow both.",
        ),
    }
)


def resolve_win_options(given: Mapping[str, object] | None = None) -> Options:
    """Return all options of this text with the given values or their defaults.

    Raises:
        InvalidOption: for an unknown key or an impossible value.
    """
    return resolve_rows("win-procedure", WIN_OPTIONS, given or {})
