"""The routes of a hand in play, told in tiles: what each has, what it lacks, what helps and what can go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rules.hand import Hand
from rules.routes.blocks import Block, kinds_in
from rules.routes.book import Goal, RouteBook, RoutePattern
from rules.routes.search import Reach, Search
from rules.routes.special import Target
from rules.seats import Seat
from rules.tiles import TILES, Tile


@dataclass(frozen=True, slots=True)
class Aim:
    """A block of one nearest complete hand: a set, a pair, or all tiles of a hand of single ones.

    `held` of its tiles are there; `is_asked` where the patterns themselves ask for it.
    """

    tiles: tuple[Tile, ...]
    held: int
    is_melded: bool = False
    is_asked: bool = False

    @property
    def is_locked(self) -> bool:
        """True if the whole block is there."""
        return self.held == len(self.tiles)


@dataclass(frozen=True, slots=True)
class Live:
    """A useful kind and how many of it the player has not seen."""

    tile: Tile
    copies: int


@dataclass(frozen=True, slots=True)
class Route:
    """A sum of patterns that can still be reached.

    Attributes:
        points: the least that a hand with these patterns is worth (other elements only add).
        distance: tiles that must still come for the nearest such hand; 0 = complete.
        aims: one nearest hand as blocks, melds first.
        missing: the tiles it lacks, each as often as needed.
        useful: the kinds that bring some nearest hand nearer.
        spare: the kinds of which the player can give one away and be no further.
        is_concealed: no open meld is allowed.
        is_self_drawn: the points need the last tile to be drawn.
    """

    patterns: tuple[RoutePattern, ...]
    points: int
    distance: int
    aims: tuple[Aim, ...]
    missing: tuple[Tile, ...]
    useful: tuple[Live, ...]
    spare: tuple[Tile, ...]
    is_concealed: bool
    is_self_drawn: bool

    @property
    def locked(self) -> tuple[Aim, ...]:
        """The blocks that are there already."""
        return tuple(aim for aim in self.aims if aim.is_locked)

    @property
    def live(self) -> int:
        """How many useful tiles the player has not seen."""
        return sum(useful.copies for useful in self.useful)


def find_routes(
    book: RouteBook,
    hand: Hand,
    *,
    seat_wind: Seat = Seat.E,
    round_wind: Seat = Seat.E,
    seen: Sequence[int] | None = None,
    within: int | None = None,
) -> tuple[Route, ...]:
    """Return the routes that can still be reached, nearest first, then the most points.

    A route that needs more copies of a kind than are unseen is not among them.

    Args:
        hand: melds and standing tiles (13 or 14, a meld counting as three), flowers left out of account.
        seen: counts of the 34 kinds the player sees anywhere, own tiles included; default: own tiles only.
        within: leave out routes that are further than the nearest by more than this.
    Raises:
        InvalidHand: if the tiles are neither 13 nor 14, or more than four of a kind are seen.
    """
    search = Search(book.sets, hand, seen)
    goals = book.goals(seat_wind, round_wind, search.melds, bool(hand.open_melds))
    reaches = search.reaches(goals, within)
    routes = [_route(search, reach) for reach in reaches]
    return tuple(sorted(routes, key=lambda route: (route.distance, -route.points, len(route.patterns))))


def _route(search: Search, reach: Reach) -> Route:
    """Return a reach with names and tiles."""
    goal, way = reach.goal, reach.ways[0]
    useful, spare = search.helps(reach)
    melded: tuple[Aim, ...] = ()
    if isinstance(way, Target):
        blocks, asked = _target_blocks(goal, way), len(way.tiles)
    else:
        blocks, asked = search.example(way, reach.distance)
        melded = tuple(
            Aim(_tiles(meld), len(meld), is_melded=True, is_asked=meld in way.asked) for meld in search.melds
        )
    wanted = Counter(kind for block in blocks for kind in block)
    missing = sorted(kind for kind, count in wanted.items() for _ in range(count - search.have[kind]))
    return Route(
        goal.patterns,
        goal.points,
        reach.distance,
        (*melded, *_aims(search.have, blocks, asked)),
        tuple(TILES[kind] for kind in missing),
        tuple(Live(TILES[kind], search.most[kind] - search.have[kind]) for kind in kinds_in(useful)),
        tuple(TILES[kind] for kind in kinds_in(spare)),
        goal.is_concealed,
        goal.is_self_drawn,
    )


def _aims(have: Sequence[int], blocks: Sequence[Block], asked: int) -> list[Aim]:
    """Share the held tiles out to the blocks, whole ones first."""
    left = list(have)
    held = [0] * len(blocks)
    for whole in (True, False):
        for at, block in enumerate(blocks):
            got = {kind: min(block.count(kind), left[kind]) for kind in set(block)}
            if not held[at] and (not whole or sum(got.values()) == len(block)):
                held[at] = sum(got.values())
                for kind, count in got.items():
                    left[kind] -= count
    return [Aim(_tiles(block), held[at], False, at < asked) for at, block in enumerate(blocks)]


def _tiles(block: Block) -> tuple[Tile, ...]:
    return tuple(TILES[kind] for kind in block)


def _target_blocks(goal: Goal, target: Target) -> list[Block]:
    """Return the tiles of a target as one block, as pairs, or as what must stand and the last tile."""
    if goal.special is not None and goal.special.stands:
        return [target.tiles[:-1], target.tiles[-1:]]
    if goal.special is not None and goal.special.seven_pairs:
        return [target.tiles[at : at + 2] for at in range(0, len(target.tiles), 2)]
    return [target.tiles]
