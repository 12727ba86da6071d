"""Distance to a win, useful tiles and waits, in form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.hand import Hand
from rules.packed import GROUP_OF, UNITS
from rules.shapes import REGULAR, SEVEN_PAIRS, Shape
from rules.tiles import KINDS_WITHOUT_FLOWERS, TILES, Tile
from rules.useful import useful_mask
from rules.wait_mask import Packed, packed_wait_mask

DEFAULT_SHAPES: tuple[Shape, ...] = (REGULAR, SEVEN_PAIRS)


def shanten(counts: Sequence[int], melds: int = 0, shapes: Sequence[Shape] = DEFAULT_SHAPES) -> int:
    """Return how many tiles the standing tiles are from being ready; 0 = ready, -1 = complete.

    Args:
        counts: counts of the 34 kinds among the standing tiles (13 or 14 less three per meld).
        melds: number of declared melds.
        shapes: rows of `rules.shapes`; the nearest counts.
    """
    return min(shape.distance(counts, melds) for shape in shapes) - 1


def useful_tiles(
    counts: Sequence[int], melds: int = 0, shapes: Sequence[Shape] = DEFAULT_SHAPES
) -> tuple[Tile, ...]:
    """Return the kinds that bring the standing tiles nearer to a win, in tile order.

    For 13 tiles less three per meld. A kind of which the standing tiles hold all four is left out.
    """
    return tiles_of(_useful(counts, melds, shapes))


def _useful(counts: Sequence[int], melds: int, shapes: Sequence[Shape]) -> int:
    distances = [(shape, shape.distance(counts, melds)) for shape in shapes]
    now = min(distance for _, distance in distances)
    mask = 0
    for shape, distance in distances:
        if distance == now:
            mask |= useful_mask(shape, counts, melds, now)
    return mask


def waits(hand: Hand, shapes: Sequence[Shape] = DEFAULT_SHAPES) -> tuple[Tile, ...]:
    """Return the tiles that complete the hand in form, in tile order; empty if it is not ready.

    The winning tile of the hand, if it has one, is left out of account. A wait of which the player holds all
    four is listed too; `exhausted_waits` names those.
    """
    possible = [shape for shape in shapes if shape.allows(hand.melds)]
    return tiles_of(packed_wait_mask(_without_win_tile(hand), len(hand.melds), possible))


def tiles_of(mask: int) -> tuple[Tile, ...]:
    """Return the tiles of a mask of kinds, in tile order."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(TILES[lowest.bit_length() - 1])
        mask -= lowest
    return tuple(found)


def _without_win_tile(hand: Hand) -> Packed:
    if hand.win_tile is None or hand.win_tile.is_flower:
        return hand.packed
    groups = list(hand.packed)
    groups[GROUP_OF[hand.win_tile.index]] -= UNITS[hand.win_tile.index]
    return groups[0], groups[1], groups[2], groups[3]


def exhausted_waits(hand: Hand, shapes: Sequence[Shape] = DEFAULT_SHAPES) -> tuple[Tile, ...]:
    """Return those waits of which the player already holds all four."""
    own = [*hand.concealed, *(tile for meld in hand.melds for tile in meld.tiles)]
    return tuple(tile for tile in waits(hand, shapes) if own.count(tile) == 4)


@dataclass(frozen=True, slots=True)
class Discard:
    """What a discard leaves: its distance to ready, the useful kinds and how many of them may still come."""

    tile: Tile
    shanten: int
    useful: tuple[Tile, ...]
    live: int


def discards(
    counts: Sequence[int],
    melds: int = 0,
    shapes: Sequence[Shape] = DEFAULT_SHAPES,
    seen: Sequence[int] | None = None,
) -> tuple[Discard, ...]:
    """Return what every possible discard of 14 standing tiles (less three per meld) leaves, best first.

    Args:
        seen: counts of the 34 kinds the player sees anywhere, own tiles included; default: own tiles only.
    Best is the smallest distance, then the most useful tiles that may still come, then tile order.
    """
    hand = list(counts)
    visible = list(seen) if seen is not None else list(counts)
    kinds = [index for index in range(KINDS_WITHOUT_FLOWERS) if hand[index]]
    distances = {}
    for index in kinds:
        hand[index] -= 1
        distances[index] = shanten(hand, melds, shapes)
        hand[index] += 1
    nearest = min(distances.values(), default=0)
    found = []
    for index in kinds:
        useful: tuple[Tile, ...] = ()
        if distances[index] == nearest:
            hand[index] -= 1
            useful = useful_tiles(hand, melds, shapes)
            hand[index] += 1
        live = sum(max(0, 4 - visible[tile.index]) for tile in useful)
        found.append(Discard(TILES[index], distances[index], useful, live))
    return tuple(sorted(found, key=lambda each: (each.shanten, -each.live, each.tile)))
