"""What a match waits for, and why it refuses what comes instead: codes with words in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from rules.errors import RuleError


class Due(StrEnum):
    """What must happen before the next hand."""

    NOTHING = "nothing"
    FIRST_DEALER = "first_dealer"
    DEALER_THROW = "dealer_throw"
    SEAT_CHANGE = "seat_change"
    RESEAT = "reseat"
    PLAYER = "player"


MATCH_TEXTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "match_due": ("现在要先做：{due}", "first comes: {due}"),
        "match_players": ("人和座位对不上：{why}", "players and seats do not fit: {why}"),
        "match_deltas": ("这盘的分加起来不是零", "the points of a hand sum to zero over those who play"),
        "match_result": ("结果说不通：{why}", "the result makes no sense: {why}"),
    }
)
DUE_TEXTS: Mapping[Due, tuple[str, str]] = MappingProxyType(
    {
        Due.NOTHING: ("打下一盘", "the next hand"),
        Due.FIRST_DEALER: ("定庄", "the first dealer is found"),
        Due.DEALER_THROW: ("庄家为下一盘掷骰", "the dealer throws for the next hand"),
        Due.SEAT_CHANGE: ("换座", "seats change"),
        Due.RESEAT: ("换位，开新局", "new seats for the next game"),
        Due.PLAYER: ("补上离开的人", "somebody takes the seat of who left"),
    }
)


class MatchRefused(RuleError, ValueError):
    """The match does not allow it now; `code` is for programs, `zh` and `en` for people."""

    def __init__(self, code: str, zh_why: str = "", en_why: str = "") -> None:
        zh, en = MATCH_TEXTS[code]
        self.zh = zh.format(due=zh_why, why=zh_why)
        self.en = en.format(due=en_why, why=en_why)
        super().__init__(self.en)
        self.code = code
