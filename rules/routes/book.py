"""From patterns and a variant's points to routes: every smallest sum of patterns that reaches the minimum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, cycle, product

from rules.options import Options
from rules.routes.blocks import (
    ANY,
    ROUND_WIND,
    SEAT_WIND,
    WINDS,
    Admits,
    Block,
    Pattern,
    Template,
)
from rules.routes.ways import Way, asks_less, make_way, merged, under
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
        self.variant, self.patterns = variant, patterns
        self.sets = (variant.hand_size - 1) // 3
        self.minimum = variant.minimum(options)
        fans = {fan.key: fan for fan in variant.rows(variant.fans, options)}
        self._worths = tuple(
            _Worth(pattern, fans[pattern.key], fans[pattern.key].value(options))
            for pattern in patterns
            if pattern.key in fans
        )
        self._ways: dict[tuple[object, ...], Way | None] = {}
        self._sums = self._needed_sums()
        self._all: dict[tuple[Seat, Seat], tuple[Goal, ...]] = {}
        self._with_melds = lru_cache(maxsize=256)(self._open_goals)

    def goals(
        self, seat_wind: Seat, round_wind: Seat, melds: tuple[Block, ...] = (), is_open: bool = False
    ) -> tuple[Goal, ...]:
        """Return every route there is for a seat, those with fewest ways first.

        Args:
            melds: declared sets; routes that they shut are left out, the others see what is left to do.
            is_open: whether one of them is more than a concealed kong.
        """
        if melds:
            return self._with_melds(seat_wind, round_wind, tuple(sorted(melds)), is_open)
        key = (seat_wind, round_wind)
        if key not in self._all:
            goals = [self._goal(worths, seat_wind, round_wind) for worths in self._sums]
            self._all[key] = tuple(sorted(goals, key=lambda goal: len(goal.ways)))
        return self._all[key]

    def _open_goals(
        self, seat_wind: Seat, round_wind: Seat, melds: tuple[Block, ...], is_open: bool
    ) -> tuple[Goal, ...]:
        made: dict[Way, Way | None] = {}
        found = []
        for goal in self.goals(seat_wind, round_wind):
            if goal.special is not None or (goal.is_concealed and is_open):
                continue
            for way in goal.ways:
                if way not in made:
                    made[way] = under(way, melds, self.sets)
            ways = tuple(left for way in goal.ways if (left := made[way]) is not None)
            if ways:
                found.append(replace(goal, ways=ways))
        return tuple(sorted(found, key=lambda goal: len(goal.ways)))

    def _needed_sums(self) -> list[tuple[_Worth, ...]]:
        """Return the sums that no other one makes superfluous, for a seat whose winds are two."""
        goals = {self._goal(worths, Seat.E, Seat.S): worths for worths in sums(self._worths, self.minimum)}
        every = list(goals)
        return [worths for goal, worths in goals.items() if not _is_superfluous(goal, every)]

    def _goal(self, worths: Sequence[_Worth], seat_wind: Seat, round_wind: Seat) -> Goal:
        kinds = {SEAT_WIND: WINDS[seat_wind.index], ROUND_WIND: WINDS[round_wind.index]}
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
                template = merged([_placed(each, kinds) for each in chosen])
                if template is None:
                    continue
                key = (admits, template, one_of_each)
                if key not in self._ways:
                    self._ways[key] = make_way(admits, template, self.sets, one_of_each)
                way = self._ways[key]
                if way is not None:
                    yield way


def book_of(variant: Variant, options: Options, patterns: Sequence[Pattern]) -> RouteBook:
    """Return the book of a variant under resolved options, worked out once for each such object."""
    book: RouteBook | None = options.derived.get("routes")
    if book is None or book.variant is not variant or book.patterns is not patterns:
        book = options.derived["routes"] = RouteBook(variant, options, patterns)
    return book


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
    return all(any(asks_less(one, way) for one in other.ways) for way in goal.ways)


def _placed(template: Template, kinds: dict[int, int]) -> Template:
    """Return the template with seat wind and prevalent wind filled in."""
    return Template(
        tuple(tuple(kinds.get(kind, kind) for kind in block) for block in template.sets), template.pair
    )
