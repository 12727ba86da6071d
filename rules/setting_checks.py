"""Settings that contradict each other: what would have no effect or can never be, as rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rules.options import OptionValue

if TYPE_CHECKING:
    from rules.settings import Settings

Refusal = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class _Unused:
    """A setting that only says something where `holds`; elsewhere it keeps its default."""

    key: str
    holds: Callable[[Settings], bool]
    zh: str
    en: str


def _mode(*modes: str) -> Callable[[Settings], bool]:
    return lambda settings: settings["mode"] in modes


def _pays_draw(settings: Settings) -> bool:
    return settings.pays_draw_itself or settings["on_draw"] == "pass_and_pay"


_CIRCLES = ("只在轮庄（mode=circles）时有用", "it says something only where mode is circles")

UNUSED: tuple[_Unused, ...] = (
    _Unused("on_dealer_win", _mode("circles"), *_CIRCLES),
    _Unused("on_other_win", _mode("circles"), *_CIRCLES),
    _Unused("on_draw", _mode("circles"), *_CIRCLES),
    _Unused("max_hands", _mode("circles"), *_CIRCLES),
    _Unused(
        "max_counts",
        lambda settings: settings.number("max_hands") > 0,
        "先要定连庄上限 max_hands",
        "it says something only with a limit in max_hands",
    ),
    _Unused(
        "draw_pay",
        _pays_draw,
        "荒庄要设成下庄赔分（on_draw=pass_and_pay）",
        "a drawn hand is paid only where on_draw is pass_and_pay",
    ),
    _Unused("mcr_seats", _mode("mcr"), "只在国标轮庄时有用", "it says something only where mode is mcr"),
    _Unused(
        "loss_limit",
        _mode("winner_deals"),
        "只在谁和谁庄（mode=winner_deals）时有用",
        "it says something only where mode is winner_deals",
    ),
    _Unused(
        "hands",
        _mode("circles", "winner_deals", "discarder_deals", "dice_each_hand"),
        "国标总是四圈，盘数不能另定",
        "Chinese Official always has four circles",
    ),
    _Unused(
        "winner_dice_on_draw",
        lambda settings: settings["reseating"] in ("winner_dice", "wind_stack"),
        "只在胜家掷骰换位时有用",
        "it says something only where the winner throws for new seats",
    ),
    _Unused(
        "walls108",
        lambda settings: settings.tiles == 108 and settings.number("players") == 4,
        "只在四人 108 张时有用",
        "it says something only for 108 tiles and four players",
    ),
)


def clash(settings: Settings, defaults: Mapping[str, OptionValue]) -> Refusal | None:
    """Return why settings do not go together (code, key, zh, en), or None.

    Args:
        defaults: the value of each setting that nobody chose; a setting without use may keep it.
    """
    for row in UNUSED:
        if settings[row.key] != defaults[row.key] and not row.holds(settings):
            return "setting_unused", row.key, row.zh, row.en
    if settings["on_draw"] == "pass_and_pay" and not settings.number("draw_pay"):
        return (
            "setting_impossible",
            "draw_pay",
            "荒庄赔分要定赔多少",
            "how much a drawn hand pays is missing",
        )
    if settings["reseating"] == "wind_stack" and settings.number("players") != 4:
        return (
            "setting_impossible",
            "reseating",
            "掷骰选风要四个人",
            "four wind tiles are taken off a stack by four players",
        )
    return None
