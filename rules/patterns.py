"""Small predicates on a view, shared by variants; each counts how often its pattern is there."""

from __future__ import annotations

from rules.shapes import is_258
from rules.situation import DISCARD, ROB_KONG, SELF_DRAW
from rules.splits import SetKind
from rules.variant import View


def any_complete_hand(view: View) -> int:
    """Any complete hand (和牌)."""
    return 1


def pair_of_258(view: View) -> int:
    """Sets and a pair of 2, 5 or 8."""
    return int(view.reading.shape == "regular" and is_258(view.reading.pairs[0]))


def one_suit_or_honors(view: View) -> int:
    """One suit only, or honors only (清一色, 字一色)."""
    return int(len({tile.suit for tile in view.tiles}) == 1)


def all_tiles_258(view: View) -> int:
    """Every tile a 2, 5 or 8 (将一色)."""
    return int(all(is_258(tile) for tile in view.tiles))


def four_pungs(view: View) -> int:
    """Only pungs and kongs beside the pair (碰碰胡)."""
    sets = view.reading.sets
    return int(view.reading.shape == "regular" and all(each.kind is not SetKind.CHOW for each in sets))


def seven_pairs(view: View) -> int:
    """Seven pairs (七对)."""
    return int(view.reading.shape == "seven_pairs")


def heavenly(view: View) -> int:
    """The dealer wins with the tiles dealt (天胡)."""
    return int("heavenly" in view.flags and view.by == SELF_DRAW and view.is_dealer)


def earthly_on_first_discard(view: View) -> int:
    """Another seat wins on the dealer's first discard (地胡)."""
    fed_by_dealer = view.by == DISCARD and view.source == view.dealer
    return int("earthly" in view.flags and fed_by_dealer)


def replacement_tile(view: View) -> int:
    """Self-draw on the replacement tile of a kong (杠开)."""
    return int("after_kong" in view.flags and view.by == SELF_DRAW)


def robbed_kong(view: View) -> int:
    """Win on the tile of another player's added kong (抢杠)."""
    return int(view.by == ROB_KONG)


def four_open_melds(view: View) -> int:
    """Four open melds and a win on another player's tile (全求人)."""
    return int(len(view.hand.open_melds) == 4 and view.by in (DISCARD, ROB_KONG))


def drawn_with_at_most(view: View, wall_left: int) -> int:
    """Self-draw that leaves at most so many tiles in the wall (海捞); `last_tile` says that none is left."""
    if view.by != SELF_DRAW:
        return 0
    left = 0 if "last_tile" in view.flags else view.wall_left
    return int(left is not None and left <= wall_left)
