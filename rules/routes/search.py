"""How far a hand in play is from goals, which kinds help and which can go: exact, four copies and all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rules.distance import FAR
from rules.errors import InvalidHand
from rules.hand import Hand, Meld, MeldKind
from rules.routes.blocks import GROUPS, Block
from rules.routes.book import Goal
from rules.routes.cost import PAIR, SET, Bits, Group, costs, join, positions, use
from rules.routes.special import Target, special_targets
from rules.routes.ways import ANY_PARTS, Part, Way
from rules.tiles import TILES, counts34


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


class _Lacking(dict[Block, int]):
    """What a set or a pair by itself lacks; FAR if there are too few tiles."""

    def __init__(self, have: Sequence[int], most: Sequence[int]) -> None:
        super().__init__()
        self._have, self._most = have, most

    def __missing__(self, block: Block) -> int:
        lacks = 0
        for kind in set(block):
            count = block.count(kind)
            lacks += FAR if count > self._most[kind] else max(0, count - self._have[kind])
        self[block] = lacks
        return lacks


class Search:
    """One hand: counts, what is left of each kind, and what was worked out for one way after another."""

    def __init__(self, sets: int, hand: Hand, seen: Sequence[int] | None) -> None:
        self.melds = tuple(meld_block(meld) for meld in hand.melds)
        self.have = hand.counts
        if sum(self.have) + 3 * len(self.melds) not in (3 * sets + 1, 3 * sets + 2):
            raise InvalidHand(
                f"{sum(self.have)} tiles beside {len(self.melds)} melds; "
                f"a hand in play has {3 * sets + 1}, or {3 * sets + 2} on its turn, a meld counting as 3"
            )
        own = counts34(hand.tiles)
        visible = own if seen is None else [max(pair) for pair in zip(own, seen, strict=True)]
        if max(visible) > 4:
            raise InvalidHand(f"more than 4 of {TILES[visible.index(max(visible))]} are seen")
        self.most = tuple(4 - gone + held for gone, held in zip(visible, self.have, strict=True))
        self.sets = sets
        self._drawn = None if hand.win_tile is None else hand.win_tile.index
        self._lacking = _Lacking(self.have, self.most)
        self._distances: dict[Way, int] = {}
        self._floors: list[int | None] = [None for _ in range(2 * (sets + 1))]
        self._slices = [(self.have[g.start : g.stop], self.most[g.start : g.stop]) for g in GROUPS]
        self._helps: dict[Way, tuple[int, int]] = {}

    # ---- how far ----

    def reaches(self, goals: Iterable[Goal], within: int | None = None) -> list[Reach]:
        """Return how far goals are: all within reach, or those at most `within` further than the nearest."""
        found = []
        limit = 3 * self.sets + 2
        for goal in goals:
            distance, ways = self._nearest(goal, limit)
            if ways:
                found.append(Reach(goal, distance, tuple(ways)))
                if within is not None:
                    limit = min(limit, distance + within)
        return [reach for reach in found if reach.distance <= limit]

    def _nearest(self, goal: Goal, limit: int) -> tuple[int, Sequence[Way | Target]]:
        """Return the distance and all ways or targets that have it; none if there is none up to `limit`."""
        if goal.special is not None:
            targets = special_targets(goal.special, self.have, self.most, self._drawn)
            if not targets or targets[0].distance > limit:
                return 0, ()
            return targets[0].distance, targets
        best = limit
        ways: list[Way] = []
        for least, way in self._candidates(goal.ways, limit):
            if least > best:
                break
            distance = self._distance(way)
            if distance < best:
                best, ways = distance, [way]
            elif distance == best:
                ways.append(way)
        return best, ways

    def _candidates(self, ways: Iterable[Way], limit: int) -> list[tuple[int, Way]]:
        """Return the ways that may be within the limit with the least they can lack, the least first."""
        lacking, floors = self._lacking, self._floors
        found = []
        for way in ways:
            if floors[way.cell] is None:
                floors[way.cell] = self._floor(way.free, way.pair is None)
            least = floors[way.cell] or 0
            if way.plain:
                for block in way.blocks:
                    least += lacking[block]
            else:
                least += self._lacks_of(way.fixed)
            if least <= limit:
                found.append((least, way))
        if len(found) > 1:
            found.sort(key=_first)
        return found

    def _lacks_of(self, counts: Iterable[tuple[int, int]]) -> int:
        lacks = 0
        for kind, count in counts:
            if count > self.most[kind]:
                return FAR
            lacks += max(0, count - self.have[kind])
        return lacks

    def _floor(self, sets: int, with_pair: bool) -> int:
        """Return what so many sets of any kind, and a pair, lack: no way lacks less beside its own blocks."""
        return _cost_of([_row(part, *self._slices[part.at], sets) for part in ANY_PARTS], sets, with_pair)

    def _distance(self, way: Way) -> int:
        distance = self._distances.get(way)
        if distance is None:
            rest = _cost_of(self._costs(way), way.free, way.pair is None)
            distance = self._distances[way] = self._lacks_of(way.fixed) + rest
        return distance

    def _costs(self, way: Way) -> list[Bits]:
        """Return the costs of the free blocks in each group."""
        slices, free = self._slices, way.free
        rows = [_row(part, *slices[part.at], free) for part in way.parts]
        if way.cells:
            return [row & cells for row, cells in zip(rows, way.cells, strict=True)]
        return rows

    # ---- what helps ----

    def helps(self, reach: Reach) -> tuple[int, int]:
        """Return masks of the kinds that bring some nearest hand nearer, and of those that can go."""
        useful = spare = 0
        for way in reach.ways:
            if isinstance(way, Target):
                helps, goes = way.useful, way.spare
            else:
                if way not in self._helps:
                    self._helps[way] = self._way_helps(way, reach.distance)
                helps, goes = self._helps[way]
            useful, spare = useful | helps, spare | goes
        return useful, spare

    def _way_helps(self, way: Way, distance: int) -> tuple[int, int]:
        chosen = _on_target(self._costs(way), way.free, self._target(way, distance))
        useful = spare = 0
        for part, bits in zip(way.parts, chosen, strict=True):
            helps, goes = _part_helps(part, *self._slices[part.at], way.free, bits)
            useful, spare = useful | helps, spare | goes
        return useful, spare

    def _target(self, way: Way, distance: int) -> int:
        """Return the bit of a way's free blocks: so many sets, the pair if it is free, and what they cost."""
        return distance - self._lacks_of(way.fixed) + SET * way.free + (PAIR if way.pair is None else 0)

    # ---- one nearest hand ----

    def example(self, way: Way, distance: int) -> tuple[list[Block], int]:
        """Return the blocks of one nearest hand without melds; the way itself asks for the first so many."""
        target = self._target(way, distance)
        blocks = [*way.sets, *([] if way.pair is None else [(way.pair,) * 2])]
        asked = len(blocks)
        rows = self._costs(way)
        after: list[Bits] = [1]
        for row in reversed(rows):
            after.append(join(row, after[-1], way.free))
        for row, part in zip(rows, way.parts, strict=True):
            after.pop()
            spent = next(at for at in positions(row) if at <= target and after[-1] >> target - at & 1)
            target -= spent
            start = GROUPS[part.at].start
            group = _group(part, *self._slices[part.at], way.free)
            found = use(group, way.free, 1 << spent).blocks
            blocks += [tuple(start + rank for rank in block) for block in found]
        return blocks, asked


def _group(part: Part, have: tuple[int, ...], most: tuple[int, ...], sets: int) -> Group:
    """Return a group as the free blocks find it: without the tiles of the asked ones.

    A pair takes two of a kind, one set and a pair three: what is there beyond that makes no difference, and
    rows that differ only so are worked out once.
    """
    if any(part.fixed):
        have = tuple(max(0, held - fixed) for held, fixed in zip(have, part.fixed, strict=True))
        most = tuple(each - fixed for each, fixed in zip(most, part.fixed, strict=True))
    if sets <= 1:
        take = 2 + sets
        have = tuple(min(take, held) for held in have)
        most = tuple(min(take, each) for each in most)
    return Group(have, most, part.chows, part.pungs, part.pairs)


@lru_cache(maxsize=1 << 16)
def _row(part: Part, have: tuple[int, ...], most: tuple[int, ...], sets: int) -> Bits:
    return costs(_group(part, have, most, sets), sets)


@lru_cache(maxsize=1 << 14)
def _part_helps(
    part: Part, have: tuple[int, ...], most: tuple[int, ...], sets: int, chosen: Bits
) -> tuple[int, int]:
    """Return masks of helpful and spare kinds of one group."""
    used = use(_group(part, have, most, sets), sets, chosen)
    useful = spare = 0
    for kind, held, fixed, least, highest in zip(
        GROUPS[part.at], have, part.fixed, used.fewest, used.most, strict=True
    ):
        if fixed + highest > held:
            useful |= 1 << kind
        if fixed + least < held:
            spare |= 1 << kind
    return useful, spare


def _cost_of(rows: Sequence[Bits], sets: int, with_pair: bool) -> int:
    """Return the lowest cost of so many sets, and a pair, over all groups; FAR if they cannot be had."""
    total: Bits = 1
    for row in reversed(rows):  # the honors differ least: their sum is kept
        total = join(total, row, sets)
    cell = total >> SET * sets + (PAIR if with_pair else 0) & (1 << SET) - 1
    return (cell & -cell).bit_length() - 1 if cell else FAR


def _first(pair: tuple[int, Way]) -> int:
    return pair[0]


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
