"""Why the rules refuse a win, in plain words: the reasons of `rules.scoring.score`, zh and en."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

REFUSALS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "not_win": ("牌型不成和", "the shape does not win"),
        "below_minimum": ("不够起和的分", "below the minimum"),
        "passed": ("刚放过这张，要等下一轮", "this tile was just let go, wait for your next draw"),
        "rob_kong": ("这里不能抢杠", "kongs cannot be robbed here"),
        "pair_not_258": ("将牌不是二五八", "the pair is not of 2, 5 or 8"),
        "no_element": ("一番也没有", "nothing in it counts"),
        "self_draw_only": ("这里只能自摸", "only a self-draw wins here"),
    }
)


def refusal_text(reason: str) -> tuple[str, str]:
    """Return the words for a reason, zh and en; a reason without words is its own."""
    return REFUSALS.get(reason, (reason, reason))
