"""Odds for training: the expected return of a discard, the width of a wait, the chance to draw it in time.

The model of the paper: 136 tiles, no flowers, basic shape only (four sets and a pair), nothing melded. The
next kong replacement (the bottom tile) may be known; beside it and the own tiles only what the player names
is seen. The horizon is one own draw, every unseen tile is as likely as another, and the unit is that chance:
a winning self-draw counts 1, a win on the kong replacement 2 instead.
Source: rules text "tile-odds" (seed 003, 篇2 and 篇5).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from rules.distance import regular_distance
from rules.errors import InvalidHand, InvalidRequest
from rules.tiles import KINDS_WITHOUT_FLOWERS, TILES, Tile, counts34

READY_TILES = 13
DRAWN_TILES = 14
SELF_DRAW_VALUE = 1
KONG_VALUE = 2
MAX_UNSEEN = 144

TRAINING = "training"
RATED_HAND = "rated_hand"
UNRATED_HAND = "unrated_hand"
PLACES = (TRAINING, RATED_HAND, UNRATED_HAND)


@dataclass(frozen=True, slots=True)
class DiscardReturn:
    """What one discard is worth in units of the chance to draw one given tile.

    `live` holds the waits that can still come with their copies, `kong_tiles` the pungs whose fourth tile
    wins by a kong on the bottom tile; both in tile order. A tile in both counts once in `value`, with 2.
    """

    discard: Tile
    live: Mapping[Tile, int]
    kong_tiles: Mapping[Tile, int]

    @property
    def self_draw(self) -> int:
        """Live copies of the waits."""
        return sum(self.live.values())

    @property
    def value(self) -> int:
        """Every live tile at its better use."""
        plain = sum(copies for tile, copies in self.live.items() if tile not in self.kong_tiles)
        return SELF_DRAW_VALUE * plain + KONG_VALUE * sum(self.kong_tiles.values())

    @property
    def double_counted(self) -> int:
        """The plain sum of both uses, as the paper adds them in one example."""
        return SELF_DRAW_VALUE * self.self_draw + KONG_VALUE * sum(self.kong_tiles.values())


def expected_return(
    tiles: Sequence[Tile], bottom: Tile | None = None, seen: Iterable[Tile] = ()
) -> tuple[DiscardReturn, ...]:
    """Return what every discard that leaves a ready hand is worth, in tile order; empty if none does.

    Args:
        tiles: the 14 own tiles, nothing melded.
        bottom: the next kong replacement where it is known.
        seen: further visible tiles (discards, melds of others), without the own ones and the bottom tile.
    Raises:
        InvalidHand: for another number of tiles, flowers, or a fifth copy among all of these.

    >>> from rules.notation import parse_tiles
    >>> found = expected_return(parse_tiles("NNN 1234m 123p 789p W"), Tile.parse("W"))
    >>> [(str(each.discard), each.value) for each in found]
    [('1m', 4), ('4m', 4), ('W', 6)]
    """
    own = _own_counts(tiles, DRAWN_TILES)
    visible = _visible(own, [*seen, *([] if bottom is None else [bottom])])
    found = []
    for index in range(KINDS_WITHOUT_FLOWERS):
        if not own[index]:
            continue
        own[index] -= 1
        waits = _waits(own)
        if waits:
            live = {TILES[wait]: 4 - visible[wait] for wait in waits if visible[wait] < 4}
            found.append(DiscardReturn(TILES[index], live, _kong_tiles(own, bottom, visible)))
        own[index] += 1
    return tuple(found)


def best_discards(returns: Iterable[DiscardReturn]) -> tuple[Tile, ...]:
    """Return the discards of the highest value, in the order given; empty if there are none."""
    known = tuple(returns)
    highest = max((each.value for each in known), default=0)
    return tuple(each.discard for each in known if each.value == highest)


def wait_widths(tiles: Sequence[Tile], seen: Iterable[Tile] = ()) -> dict[Tile, int]:
    """Return the waits of 13 tiles that can still come with their live copies, in tile order.

    Empty if the hand is not ready in the basic shape, or nothing it waits for is left.

    Raises:
        InvalidHand: as `expected_return`.

    >>> from rules.notation import parse_tiles
    >>> {str(tile): live for tile, live in wait_widths(parse_tiles("111m 456p 22p 45678s")).items()}
    {'3s': 4, '6s': 3, '9s': 4}
    """
    own = _own_counts(tiles, READY_TILES)
    visible = _visible(own, seen)
    return {TILES[wait]: 4 - visible[wait] for wait in _waits(own) if visible[wait] < 4}


def draw_odds(unseen: int, live: int, draws: int) -> Fraction:
    """Return the probability that at least one of `live` tiles comes in `draws` own draws.

    Args:
        unseen: tiles the player does not see, 0 to 144; all are equally likely.
        live: how many of them would do, 0 to `unseen`.
        draws: own draws left, 0 to `unseen`.
    Raises:
        InvalidRequest: for numbers outside these ranges.

    >>> round(float(100 * draw_odds(95, 4, 10)), 1)
    36.4
    """
    if not 0 <= unseen <= MAX_UNSEEN:
        raise InvalidRequest(f"unseen is 0 to {MAX_UNSEEN} tiles, not {unseen}")
    if not 0 <= live <= unseen:
        raise InvalidRequest(f"live is 0 to the {unseen} unseen tiles, not {live}")
    if not 0 <= draws <= unseen:
        raise InvalidRequest(f"draws is 0 to the {unseen} unseen tiles, not {draws}")
    return 1 - Fraction(comb(unseen - live, draws), comb(unseen, draws))


def may_hint(place: str, *, hand_running: bool, live_hints: bool) -> bool:
    """Return whether odds may be shown: they are for training, shown during a hand they are outside help.

    Never at a rated hand. On the training page while no hand is running; elsewhere, and on the training page
    beside a running hand, only where the table has agreed on live hints.

    Raises:
        InvalidRequest: for a place that is not one of `PLACES`.
    """
    if place not in PLACES:
        raise InvalidRequest(f"the place of a hint is one of {', '.join(PLACES)}, not {place!r}")
    if place == RATED_HAND:
        return False
    return live_hints or (place == TRAINING and not hand_running)


def _own_counts(tiles: Sequence[Tile], wanted: int) -> list[int]:
    if any(tile.is_flower for tile in tiles):
        raise InvalidHand("the model of the odds has no flowers")
    if len(tiles) != wanted:
        raise InvalidHand(f"{wanted} own tiles are needed, there are {len(tiles)}")
    return _visible([0] * KINDS_WITHOUT_FLOWERS, tiles)


def _visible(own: Sequence[int], others: Iterable[Tile]) -> list[int]:
    """Return the counts with the other visible tiles added."""
    more = tuple(others)
    if any(tile.is_flower for tile in more):
        raise InvalidHand("the model of the odds has no flowers")
    visible = [mine + seen for mine, seen in zip(own, counts34(more), strict=True)]
    for index, copies in enumerate(visible):
        if copies > 4:
            raise InvalidHand(f"{copies} of {TILES[index]} are visible, a set has four")
    return visible


def _waits(ready: list[int]) -> list[int]:
    """Return the kinds that complete 13 tiles; one of which the hand holds all four is no wait."""
    if regular_distance(ready) != 1:
        return []
    found = []
    for index in range(KINDS_WITHOUT_FLOWERS):
        if ready[index] == 4:
            continue
        ready[index] += 1
        if regular_distance(ready) == 0:
            found.append(index)
        ready[index] -= 1
    return found


def _kong_tiles(ready: Sequence[int], bottom: Tile | None, visible: Sequence[int]) -> dict[Tile, int]:
    """Return the kinds whose fourth tile makes a kong that the bottom tile completes, with live copies."""
    if bottom is None:
        return {}
    pungs = [index for index in range(KINDS_WITHOUT_FLOWERS) if ready[index] == 3 and visible[index] < 4]
    found = {}
    for index in pungs:
        rest = list(ready)
        rest[index] = 0
        rest[bottom.index] += 1
        if regular_distance(rest) == 0:
            found[TILES[index]] = 4 - visible[index]
    return found
