"""Predicates of regional elements: words over `rules.patterns`, with what people told beside the view."""

from __future__ import annotations

from collections.abc import Callable

from rules import patterns
from rules.engine import Told
from rules.hand import Hand
from rules.situation import ROB_KONG
from rules.view import View

Counts = Callable[[View, Told], int]


def seen(*predicates: Callable[[View], int]) -> Counts:
    """Return an element that is there once where all of these are."""

    def counts(view: View, told: Told) -> int:
        return int(all(predicate(view) for predicate in predicates))

    return counts


def flagged(flag: str) -> Counts:
    """Return an element that a circumstance makes."""

    def counts(view: View, told: Told) -> int:
        return int(flag in view.flags)

    return counts


def robbed(view: View, told: Told) -> int:
    """Won on an added kong."""
    return int(view.by == ROB_KONG)


def roots(view: View, told: Told) -> int:
    """Kinds of which all four are in hand and melds together, kong or not (根)."""
    return kinds_held_fourfold(view.hand)


def kinds_held_fourfold(hand: Hand) -> int:
    """Return how many kinds the hand holds all four of."""
    tiles = hand.tiles
    return sum(tiles.count(tile) == 4 for tile in set(tiles))


def single_tile_left(view: View) -> int:
    """Four melds, concealed kongs too: one tile was left in the hand (金钩钓)."""
    return int(len(view.hand.melds) == 4)


def four_kongs(view: View) -> int:
    """Four kongs of any kind."""
    return int(len(view.hand.kongs) == 4)


def with_quad(view: View) -> int:
    """Some kind is there four times."""
    return int(kinds_held_fourfold(view.hand) > 0)


def without_quad(view: View) -> int:
    """No kind is there four times."""
    return int(kinds_held_fourfold(view.hand) == 0)


any_win: Counts = seen(patterns.any_complete_hand)
