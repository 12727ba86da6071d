"""The routes of a hand in play: what each has, what it lacks, which tiles help and which can go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules.errors import InvalidHand
from rules.hand import Hand, Meld, MeldKind
from rules.routes.blocks import GROUP_OF, GROUPS, KINDS, Block, Pattern
from rules.routes.book import Goal, Part, RouteBook, RoutePattern, Way, parts_of, taken
from rules.routes.cost import PAIR, SET, Bits, Group, costs, join, positions, use
from rules.routes.special import Target, special_targets
from rules.seats import Seat
from rules.tiles import TILES, Tile

_ONE_BLOCK: Bits = (1 << SET) - 1 << SET | (1 << SET) - 1 << PAIR
_NO_BLOCK: Bits = (1 << SET) - 1


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
    reaches = search.reaches(book.goals(seat_wind, round_wind), within)
    routes = [search.route(reach) for reach in reaches]
    return tuple(sorted(routes, key=lambda route: (route.distance, -route.points, len(route.patterns))))


def meld_block(meld: Meld) -> Block:
    """Return a meld as a block; a kong is a pung."""
    first = meld.tile.index
    return (first, first + 1, first + 2) if meld.kind is MeldKind.CHOW else (first,) * 3


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a goal is, and the ways (or targets of another shape) that are no further."""

    goal: Goal
    distance: int
    ways: tuple[Way | Target, ...]


class Search:
    """One hand: counts, what is left of each kind, and what was worked out for one way after another."""

    def __init__(self, sets: int, hand: Hand, seen: Sequence[int] | None) -> None:
        self.melds = [meld_block(meld) for meld in hand.melds]
        self.is_open = bool(hand.open_melds)
        self.have = hand.counts
        if sum(self.have) + 3 * len(self.melds) not in (3 * sets + 1, 3 * sets + 2):
            raise InvalidHand(
                f"{sum(self.have)} tiles beside {len(self.melds)} melds; "
                f"a hand in play has {3 * sets + 1}, or {3 * sets + 2} on its turn, a meld counting as 3"
            )
        own = [0] * len(KINDS)
        for tile in hand.tiles:
            if not tile.is_flower:
                own[tile.index] += 1
        visible = own if seen is None else [max(pair) for pair in zip(own, seen, strict=True)]
        if max(visible) > 4:
            raise InvalidHand(f"more than 4 of {TILES[visible.index(max(visible))]} are seen")
        self.most = tuple(4 - gone + held for gone, held in zip(visible, self.have, strict=True))
        self.sets = sets
        self._drawn = None if hand.win_tile is None else hand.win_tile.index
        self._lacks: dict[Way, tuple[int, tuple[Block, ...]] | None] = {}
        self._distances: dict[Way, int | None] = {}
        self._block_lacks: dict[Block, int] = {}
        self._groups: dict[Part, Group] = {}
        self._rows: dict[tuple[Part, int], Bits] = {}
        self._helps: dict[Way, tuple[frozenset[int], frozenset[int]]] = {}

    # ---- how far ----

    def reaches(self, goals: Iterable[Goal], within: int | None = None) -> list[Reach]:
        """Return how far goals are: all within reach, or those at most `within` further than the nearest."""
        found = []
        limit = 3 * self.sets + 2
        for goal in goals:
            if goal.is_concealed and self.is_open:
                continue
            distance, ways = self._nearest(goal, limit)
            if ways:
                found.append(Reach(goal, distance, tuple(ways)))
                if within is not None:
                    limit = min(limit, distance + within)
        return [reach for reach in found if reach.distance <= limit]

    def _nearest(self, goal: Goal, limit: int) -> tuple[int, Sequence[Way | Target]]:
        """Return the distance and all ways or targets that have it; none if there is none up to `limit`."""
        if goal.special is not None:
            targets = self._special_targets(goal.special)
            if not targets or targets[0].distance > limit:
                return 0, ()
            return targets[0].distance, targets
        best = limit
        ways: list[Way] = []
        for lacks, way in self._candidates(goal.ways, limit):
            if lacks > best:
                break
            distance = self._distance(way)
            if distance is None or distance > best:
                continue
            if distance < best:
                best, ways = distance, []
            ways.append(way)
        return best, ways

    def _special_targets(self, pattern: Pattern) -> list[Target]:
        return [] if self.melds else special_targets(pattern, self.have, self.most, self._drawn)

    def _candidates(self, ways: Iterable[Way], limit: int) -> list[tuple[int, Way]]:
        """Return the ways that are open, those first whose own sets lack fewest tiles."""
        found = []
        for way in ways:
            if way not in self._lacks:
                self._lacks[way] = self._lack(way)
            lacks = self._lacks[way]
            if lacks is not None and lacks[0] <= limit:
                found.append((lacks[0], way))
        found.sort(key=lambda pair: pair[0])
        return found

    def _lack(self, way: Way) -> tuple[int, tuple[Block, ...]] | None:
        """Return what the asked blocks lack and those of them that are not melded; None if they are shut."""
        blocks = way.sets
        if self.melds:
            if not all(way.admits.block(meld) for meld in self.melds):
                return None
            left = Counter(blocks) - Counter(self.melds)
            blocks = tuple(left.elements())
            if len(blocks) + len(self.melds) > self.sets:
                return None
        lacks = 0
        if way.plain:
            for block in blocks:
                lack = self._block_lacks.get(block)
                if lack is None:
                    lack = self._block_lacks[block] = self._tiles_lacking(taken((block,), None))
                lacks += lack
            if way.pair is not None:
                lacks += self._tiles_lacking({way.pair: 2})
        else:
            lacks = self._tiles_lacking(taken(blocks, way.pair))
        return None if lacks >= _SHUT else (lacks, blocks)

    def _tiles_lacking(self, counts: dict[int, int]) -> int:
        lacks = 0
        for kind, count in counts.items():
            if count > self.most[kind]:
                return _SHUT
            lacks += max(0, count - self.have[kind])
        return lacks

    def _distance(self, way: Way) -> int | None:
        if way not in self._distances:
            self._distances[way] = self._work_out(way)
        return self._distances[way]

    def _work_out(self, way: Way) -> int | None:
        lacks, blocks = self._lacks[way] or (0, ())
        rest = self.sets - len(self.melds) - len(blocks)
        total: Bits = 1
        for row in reversed(self._costs(way, blocks, rest)):  # the honors differ least: their sum is kept
            total = join(total, row, rest)
            if not total:
                return None
        cell = total >> SET * rest + (PAIR if way.pair is None else 0) & (1 << SET) - 1
        return None if not cell else lacks + (cell & -cell).bit_length() - 1

    def _parts(self, way: Way, blocks: tuple[Block, ...]) -> tuple[Part, ...]:
        return way.parts if blocks is way.sets else parts_of(way.admits, blocks, way.pair)

    def _costs(self, way: Way, blocks: tuple[Block, ...], rest: int) -> list[Bits]:
        """Return the costs of the free blocks in each group."""
        rows = []
        for part in self._parts(way, blocks):
            row = self._rows.get((part, rest))
            if row is None:
                row = self._rows[part, rest] = costs(self._group(part), rest)
            rows.append(row)
        if way.one_of_each:
            firsts = [block[0] for block in (*blocks, *self.melds)]
            full = [GROUP_OF[kind] for kind in (firsts if way.pair is None else [*firsts, way.pair])]
            if len(set(full)) < len(full):
                return [0]
            rows = [row & (_NO_BLOCK if at in full else _ONE_BLOCK) for at, row in enumerate(rows)]
        return rows

    def _group(self, part: Part) -> Group:
        """Return a group as the free blocks find it: without the tiles of the asked ones."""
        group = self._groups.get(part)
        if group is None:
            span = slice(GROUPS[part.at].start, GROUPS[part.at].stop)
            have, most = self.have[span], self.most[span]
            if any(part.fixed):
                have = tuple(max(0, held - fixed) for held, fixed in zip(have, part.fixed, strict=True))
                most = tuple(each - fixed for each, fixed in zip(most, part.fixed, strict=True))
            group = self._groups[part] = Group(have, most, part.chows, part.pungs, part.pairs)
        return group

    # ---- what helps ----

    def helps(self, reach: Reach) -> tuple[frozenset[int], frozenset[int]]:
        """Return the kinds that bring some nearest hand nearer, and those that can go without loss."""
        useful: frozenset[int] = frozenset()
        spare: frozenset[int] = frozenset()
        for way in reach.ways:
            if isinstance(way, Target):
                helps, goes = way.useful, way.spare
            else:
                if way not in self._helps:
                    self._helps[way] = self._way_helps(way, reach.distance)
                helps, goes = self._helps[way]
            useful, spare = useful | helps, spare | goes
        return useful, spare

    def _way_helps(self, way: Way, distance: int) -> tuple[frozenset[int], frozenset[int]]:
        lacks, blocks = self._lacks[way] or (0, ())
        rest = self.sets - len(self.melds) - len(blocks)
        chosen = _on_target(self._costs(way, blocks, rest), rest, _target(way, rest, distance - lacks))
        useful, spare = [], []
        for part, bits in zip(self._parts(way, blocks), chosen, strict=True):
            used = use(self._group(part), rest, bits)
            for kind, fixed, fewest, most in zip(
                GROUPS[part.at], part.fixed, used.fewest, used.most, strict=True
            ):
                if fixed + most > self.have[kind]:
                    useful.append(kind)
                if fixed + fewest < self.have[kind]:
                    spare.append(kind)
        return frozenset(useful), frozenset(spare)

    # ---- one nearest hand ----

    def route(self, reach: Reach) -> Route:
        """Return a reach with names and tiles, as people want it told."""
        goal, way = reach.goal, reach.ways[0]
        useful, spare = self.helps(reach)
        if isinstance(way, Target):
            blocks = _target_blocks(goal, way)
            asked = len(blocks)
        else:
            blocks, asked = self._example(way, reach.distance)
        wanted = Counter(kind for block in blocks for kind in block)
        missing = sorted(kind for kind, count in wanted.items() for _ in range(count - self.have[kind]))
        return Route(
            goal.patterns,
            goal.points,
            reach.distance,
            self._aims(goal, blocks, asked),
            tuple(TILES[kind] for kind in missing),
            tuple(Live(TILES[kind], self.most[kind] - self.have[kind]) for kind in sorted(useful)),
            tuple(TILES[kind] for kind in sorted(spare)),
            goal.is_concealed,
            goal.is_self_drawn,
        )

    def _example(self, way: Way, distance: int) -> tuple[list[Block], int]:
        """Return the blocks of one nearest hand without melds; the way itself asks for the first so many."""
        lacks, asked = self._lacks[way] or (0, ())
        rest = self.sets - len(self.melds) - len(asked)
        target = _target(way, rest, distance - lacks)
        blocks = [*asked, *([] if way.pair is None else [(way.pair,) * 2])]
        count = len(blocks)
        rows = self._costs(way, asked, rest)
        after: list[Bits] = [1]
        for row in reversed(rows):
            after.append(join(row, after[-1], rest))
        for row, part in zip(rows, self._parts(way, asked), strict=True):
            after.pop()
            spent = next(at for at in positions(row) if at <= target and after[-1] >> target - at & 1)
            target -= spent
            start = GROUPS[part.at].start
            found = use(self._group(part), rest, 1 << spent).blocks
            blocks += [tuple(start + rank for rank in block) for block in found]
        return blocks, count

    def _aims(self, goal: Goal, blocks: Sequence[Block], asked: int) -> tuple[Aim, ...]:
        """Share the held tiles out to the blocks, whole ones first."""
        left = list(self.have)
        held = [0] * len(blocks)
        for whole in (True, False):
            for at, block in enumerate(blocks):
                counts = Counter(block)
                got = {kind: min(count, left[kind]) for kind, count in counts.items()}
                if not held[at] and (not whole or sum(got.values()) == len(block)):
                    held[at] = sum(got.values())
                    for kind, count in got.items():
                        left[kind] -= count
        asked_sets = {block for way in goal.ways for block in way.sets}
        melded = [Aim(_tiles(meld), 3, True, meld in asked_sets) for meld in self.melds]
        aims = [Aim(_tiles(block), held[at], False, at < asked) for at, block in enumerate(blocks)]
        return (*melded, *aims)


def _tiles(block: Block) -> tuple[Tile, ...]:
    return tuple(TILES[kind] for kind in block)


def _target(way: Way, sets: int, cost: int) -> int:
    """Return the bit of a way's free blocks: so many sets, the pair if it is free, and what they cost."""
    return cost + SET * sets + (PAIR if way.pair is None else 0)


_SHUT = 99


def _on_target(rows: Sequence[Bits], sets: int, target: int) -> list[Bits]:
    """Return the cells of each row that are part of a sum that comes to the target."""
    before, after = [1], [1]
    for row in rows[:-1]:
        before.append(join(before[-1], row, sets))
    for row in reversed(rows[1:]):
        after.append(join(row, after[-1], sets))
    after.reverse()
    found = []
    for row, left, right in zip(rows, before, after, strict=True):
        others = join(left, right, sets)
        found.append(sum(1 << at for at in positions(row) if at <= target and others >> target - at & 1))
    return found


def _target_blocks(goal: Goal, target: Target) -> list[Block]:
    """Return the tiles of a target as one block, as pairs, or as what must stand and the last tile."""
    if goal.special is not None and goal.special.stands:
        return [target.tiles[:-1], target.tiles[-1:]]
    if goal.special is not None and goal.special.seven_pairs:
        return [target.tiles[at : at + 2] for at in range(0, len(target.tiles), 2)]
    return [target.tiles]
