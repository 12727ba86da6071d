"""From patterns and a variant's points to routes: every smallest sum of patterns that reaches the minimum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, cycle, product

from rules.options import Options
from rules.routes.blocks import (
    ANY,
    GROUPS,
    ROUND_WIND,
    SEAT_WIND,
    WINDS,
    Admits,
    Block,
    Pattern,
    Template,
)
from rules.seats import Seat
from rules.variant import Fan, Variant

MOST_PATTERNS = 4  # a sum of more is no plan


@dataclass(frozen=True, slots=True)
class RoutePattern:
    """One pattern that a route aims at, as the variant's row has it; `points` is the worth of one."""

    key: str
    zh: str
    en: str
    points: int


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What a way asks of one group: the free blocks (bits of ranks) and the tiles its own sets take."""

    at: int
    chows: int
    pungs: int
    pairs: int
    fixed: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """One way to reach a sum of patterns with sets and a pair.

    Attributes:
        sets, pair: what must be among the blocks.
        parts: the same for each group, as `parts_of` has it.
        plain: no two of those blocks share a kind, so that what they lack may be added up.
    """

    admits: Admits
    sets: tuple[Block, ...]
    pair: int | None
    one_of_each: bool
    parts: tuple[Part, ...]
    plain: bool


@dataclass(frozen=True, slots=True, eq=False)
class Goal:
    """A sum of patterns with all ways to reach it; `special` is its pattern where that is another shape."""

    patterns: tuple[RoutePattern, ...]
    ways: tuple[Way, ...]
    special: Pattern | None
    is_concealed: bool
    is_self_drawn: bool

    @property
    def points(self) -> int:
        """The least that a hand with these patterns is worth."""
        return sum(pattern.points for pattern in self.patterns)


@dataclass(frozen=True, slots=True)
class _Worth:
    """A pattern with the variant's row and its points."""

    pattern: Pattern
    fan: Fan
    points: int


class RouteBook:
    """All routes of a variant under the table's options.

    Args:
        patterns: what can be aimed at (`rules.routes.PATTERNS`); those without a row are left out.
    """

    def __init__(self, variant: Variant, options: Options, patterns: Sequence[Pattern]) -> None:
        self.sets = (variant.hand_size - 1) // 3
        self.minimum = variant.minimum(options)
        fans = {fan.key: fan for fan in variant.rows(variant.fans, options)}
        self._worths = tuple(
            _Worth(pattern, fans[pattern.key], fans[pattern.key].value(options))
            for pattern in patterns
            if pattern.key in fans
        )
        self._goals: dict[tuple[Seat, Seat], tuple[Goal, ...]] = {}
        self._ways: dict[tuple[object, ...], Way] = {}

    def goals(self, seat_wind: Seat, round_wind: Seat) -> tuple[Goal, ...]:
        """Return every route there is for a seat, those with fewest ways first."""
        key = (seat_wind, round_wind)
        if key not in self._goals:
            kinds = {SEAT_WIND: WINDS[seat_wind.index], ROUND_WIND: WINDS[round_wind.index]}
            goals = [self._goal(worths, kinds) for worths in sums(self._worths, self.minimum)]
            kept = [goal for goal in goals if not _is_superfluous(goal, goals)]
            self._goals[key] = tuple(sorted(kept, key=lambda goal: len(goal.ways)))
        return self._goals[key]

    def _goal(self, worths: Sequence[_Worth], kinds: dict[int, int]) -> Goal:
        patterns = [worth.pattern for worth in worths]
        special = patterns[0] if patterns[0].is_special else None
        return Goal(
            tuple(RoutePattern(each.fan.key, each.fan.zh, each.fan.en, each.points) for each in worths),
            () if special else tuple(dict.fromkeys(self._ways_of(patterns, kinds))),
            special,
            any(pattern.is_concealed for pattern in patterns),
            any(pattern.is_self_drawn for pattern in patterns),
        )

    def _ways_of(self, patterns: Sequence[Pattern], kinds: dict[int, int]) -> Iterator[Way]:
        one_of_each = any(pattern.one_of_each for pattern in patterns)
        for admits in _all_admits(patterns):
            for chosen in product(*(pattern.templates for pattern in patterns)):
                template = _merged([_placed(each, kinds) for each in chosen])
                if template is None or not _fits(template, admits, self.sets, one_of_each):
                    continue
                key = (admits, template, one_of_each)
                if key not in self._ways:
                    self._ways[key] = _way(admits, template, one_of_each)
                yield self._ways[key]


def sums(worths: Sequence[_Worth], minimum: int) -> Iterator[tuple[_Worth, ...]]:
    """Yield the sets of patterns that reach the minimum and would not without any one of them.

    Left out are patterns that exclude each other, hands of another shape in a sum, and a pattern where the
    weaker one it includes would do.
    """
    if minimum <= 0:
        return
    points = {worth.pattern.key: worth.points for worth in worths}
    alone = [worth for worth in worths if worth.points >= minimum]
    yield from ((worth,) for worth in alone)
    small = [worth for worth in worths if worth.points < minimum and not worth.pattern.is_special]
    for count in range(2, MOST_PATTERNS + 1):
        for chosen in combinations(small, count):
            total = sum(worth.points for worth in chosen)
            if total < minimum or total - min(worth.points for worth in chosen) >= minimum:
                continue
            keys = {worth.pattern.key for worth in chosen}
            if any(not keys.isdisjoint(worth.fan.excludes) for worth in chosen):
                continue
            if any(
                total - worth.points + points.get(worth.pattern.weaker or "", -total) >= minimum
                for worth in chosen
            ):
                continue
            yield chosen


def _all_admits(patterns: Sequence[Pattern]) -> tuple[Admits, ...]:
    found = []
    for chosen in product(*(zip(pattern.admits, cycle(pattern.spans)) for pattern in patterns)):
        admits = ANY
        for each, _ in chosen:
            admits &= each
        possible = bool(admits.pairs and admits.chows | admits.pungs)
        if possible and all(admits.reaches(kinds) for _, spans in chosen for kinds in spans):
            found.append(admits)
    return tuple(dict.fromkeys(found))


def _is_superfluous(goal: Goal, goals: Sequence[Goal]) -> bool:
    """Return whether the goal has no way, or another one asks for less (or the same) and is worth as much."""
    if goal.special is not None:
        return False
    return not goal.ways or any(
        other is not goal
        and other.points >= goal.points
        and _covers(other, goal)
        and (other.points > goal.points or not _covers(goal, other) or goals.index(other) < goals.index(goal))
        for other in goals
    )


def _covers(other: Goal, goal: Goal) -> bool:
    """Return whether every hand that one goal aims at is one that the other aims at too."""
    if other.is_concealed > goal.is_concealed or other.is_self_drawn > goal.is_self_drawn:
        return False
    return all(any(_asks_less(one, way) for one in other.ways) for way in goal.ways)


def _asks_less(one: Way, way: Way) -> bool:
    return (
        way.admits <= one.admits
        and one.one_of_each <= way.one_of_each
        and (one.pair is None or one.pair == way.pair)
        and not Counter(one.sets) - Counter(way.sets)
    )


def _placed(template: Template, kinds: dict[int, int]) -> Template:
    """Return the template with seat wind and prevalent wind filled in."""
    return Template(
        tuple(tuple(kinds.get(kind, kind) for kind in block) for block in template.sets), template.pair
    )


def _merged(templates: Sequence[Template]) -> Template | None:
    """Return the least that holds all templates; one set may serve several. None: two different pairs."""
    pairs = {template.pair for template in templates if template.pair is not None}
    if len(pairs) > 1:
        return None
    sets: Counter[Block] = Counter()
    for template in templates:
        sets |= Counter(template.sets)
    return Template(tuple(sorted(sets.elements())), min(pairs, default=None))


def _fits(template: Template, admits: Admits, sets: int, one_of_each: bool) -> bool:
    """Return whether a hand can hold the template at all: room, admitted blocks, four of a kind."""
    blocks = template.sets
    if len(blocks) > sets or not all(admits.block(block) for block in blocks):
        return False
    if template.pair is not None and not admits.pair(template.pair):
        return False
    if one_of_each and not _is_spread(template, admits):
        return False
    return max(taken(blocks, template.pair).values(), default=0) <= 4


def _is_spread(template: Template, admits: Admits) -> bool:
    """Return whether every suit, winds and dragons can have one block each."""
    firsts = [block[0] for block in template.sets] + ([] if template.pair is None else [template.pair])
    allowed = admits.chows | admits.pungs | admits.pairs
    return all(sum(first in group for first in firsts) <= 1 for group in GROUPS) and all(
        any(allowed >> kind & 1 for kind in group) for group in GROUPS
    )


def taken(blocks: Iterable[Block], pair: int | None) -> Counter[int]:
    """Return how many tiles of each kind sets and a pair take."""
    counts = Counter(kind for block in blocks for kind in block)
    if pair is not None:
        counts[pair] += 2
    return counts


def _way(admits: Admits, template: Template, one_of_each: bool) -> Way:
    blocks = [set(block) for block in template.sets] + ([] if template.pair is None else [{template.pair}])
    plain = all(one.isdisjoint(two) for one, two in combinations(blocks, 2))
    parts = parts_of(admits, template.sets, template.pair)
    return Way(admits, template.sets, template.pair, one_of_each, parts, plain)


@lru_cache(maxsize=1 << 14)
def parts_of(admits: Admits, sets: tuple[Block, ...], pair: int | None) -> tuple[Part, ...]:
    """Return what free blocks and asked ones come to in each group; equal parts are one object."""
    fixed = taken(sets, pair)
    parts = []
    for at, group in enumerate(GROUPS):
        ranks = (1 << len(group)) - 1
        masks = (mask >> group.start & ranks for mask in (admits.chows, admits.pungs, admits.pairs))
        parts.append(_part(at, *masks, tuple(fixed[kind] for kind in group)))
    return tuple(parts)


@cache
def _part(at: int, chows: int, pungs: int, pairs: int, fixed: tuple[int, ...]) -> Part:
    return Part(at, chows, pungs, pairs, fixed)
