"""The elements of a variant in the order they are looked at: whoever may exclude others comes before them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from rules.combine import Row, Solver
from rules.needs import NEEDS
from rules.options import Options
from rules.shapes import Shape
from rules.variant import Fan, ScoredElement, Variant
from rules.view import View

_COMBINATIONS: Final = -1  # stands for all combination elements together


class Step:
    """An element that is looked at by itself; `number` is its place in the table of rows.

    `bit` is its own in masks of excluded elements, 0 if nothing excludes it; `excludes` is such a mask.
    `is_plain` says that it absorbs nothing and is not absorbed.
    """

    __slots__ = ("bit", "counts", "excludes", "is_plain", "number")

    def __init__(
        self, number: int, counts: Callable[[View], int], bit: int, excludes: int, is_plain: bool
    ) -> None:
        self.number: int = number
        self.bit: int = bit
        self.counts: Callable[[View], int] = counts
        self.excludes: int = excludes
        self.is_plain: bool = is_plain


class Plan:
    """What scoring needs to know of a variant under one set of options.

    Attributes:
        rows: the elements, in the order of the rule text.
        values, helping: worth of one by number of the element, and what of it may help to reach the minimum.
        bits, excludes: by number of the element; only what may be excluded has a bit, so that masks of
            excluded elements stay machine words.
        fallbacks: numbers of the fallback elements, each with the features it needs.
        cap: most points that a hand is worth; None = the sum of its elements.
    """

    def __init__(self, variant: Variant, options: Options) -> None:
        self.variant: Variant = variant
        self.options: Options = options
        self.rows: tuple[Fan, ...] = variant.rows(variant.fans, options)
        self.shapes: tuple[Shape, ...] = variant.shapes(options)
        self.minimum: int = variant.minimum(options)
        self.cap: int | None = variant.cap(options)
        self.number_of: dict[str, int] = {fan.key: number for number, fan in enumerate(self.rows)}
        self.values: list[int] = [fan.value(options) for fan in self.rows]
        self.helping: list[int] = [
            value if fan.helps_minimum else 0 for fan, value in zip(self.rows, self.values, strict=True)
        ]
        self.bits: list[int] = self._bits()
        self.excludes: list[int] = [self._mask(fan.excludes) for fan in self.rows]
        self.absorbs: list[tuple[tuple[int, Callable[[View], int]], ...]] = [
            tuple((self.number_of[key], places) for key, places in fan.absorbs if key in self.number_of)
            for fan in self.rows
        ]
        self.absorbed: int = sum(1 << n for n in {n for each in self.absorbs for n, _ in each})
        order = self._order()
        at = order.index(_COMBINATIONS)
        self._before: list[Step] = [self._step(number) for number in order[:at]]
        self._after: list[Step] = [self._step(number) for number in order[at + 1 :]]
        self._steps: dict[int, tuple[list[Step], list[Step]]] = {}
        self._elements: dict[int, ScoredElement] = {}
        self.fallbacks: list[tuple[int, int]] = [
            (n, NEEDS.get(fan.fallback, 0)) for n, fan in enumerate(self.rows) if fan.fallback is not None
        ]
        self.chows: Solver = self._solver("chow")
        self.pungs: Solver = self._solver("pung")

    def steps(self, features: int) -> tuple[list[Step], list[Step]]:
        """Return the elements to look at in a view of these features, before and after the combinations."""
        found = self._steps.get(features)
        if found is None:
            found = self._possible(self._before, features), self._possible(self._after, features)
            self._steps[features] = found
        return found

    def _possible(self, steps: list[Step], features: int) -> list[Step]:
        return [step for step in steps if not NEEDS.get(step.counts, 0) & ~features]

    def element(self, number: int, count: int) -> ScoredElement:
        """Return the element of this number as it is told, counted so often."""
        found = self._elements.get(number << 8 | count)
        if found is None:
            row = self.rows[number]
            found = ScoredElement(row.key, row.zh, row.en, self.values[number], count)
            self._elements[number << 8 | count] = found
        return found

    def bars(self, excluder: int, number: int) -> bool:
        """Return whether the element of one number excludes the other."""
        return self.excludes[excluder] & self.bits[number] != 0

    def _bits(self) -> list[int]:
        named = {key for fan in self.rows for key in fan.excludes}
        bits, bit = [], 1
        for fan in self.rows:
            excludable = fan.key in named or fan.one_of
            bits.append(bit if excludable else 0)
            bit <<= bool(excludable)
        return bits

    def _mask(self, keys: Sequence[str]) -> int:
        return sum(self.bits[self.number_of[key]] for key in set(keys) if key in self.number_of)

    def _step(self, number: int) -> Step:
        fan = self.rows[number]
        assert fan.counts is not None
        others = self._one_of(number)
        plain = not self.absorbs[number] and not self.absorbed >> number & 1
        return Step(number, fan.counts, self.bits[number], self.excludes[number] | others, plain)

    def _one_of(self, number: int) -> int:
        """Return the mask of the other elements of which only one counts."""
        word = self.rows[number].one_of
        same = [n for n, fan in enumerate(self.rows) if word and fan.one_of == word and n != number]
        return sum(self.bits[n] for n in same)

    def _solver(self, of: str) -> Solver:
        return Solver(
            [
                Row(number, fan.combination, self.values[number], self.bits[number], self.excludes[number])
                for number, fan in enumerate(self.rows)
                if fan.combination is not None and fan.combination.of == of
            ]
        )

    def _order(self) -> list[int]:
        """Return the numbers, excluders first; a circle is entered at its first row, after all outside it."""
        combined = {n for n, fan in enumerate(self.rows) if fan.combination is not None}
        waiting = [n for n, fan in enumerate(self.rows) if fan.counts is not None]
        waiting.append(_COMBINATIONS)
        earlier: dict[int, set[int]] = {node: set() for node in waiting}
        for number in range(len(self.rows)):
            absorbed = {n for n, _ in self.absorbs[number]}
            source = _COMBINATIONS if number in combined else number
            for other in range(len(self.rows)):
                target = _COMBINATIONS if other in combined else other
                if not self.bars(number, other) and other not in absorbed:
                    continue
                if target != source and target in earlier and source in earlier:
                    earlier[target].add(source)
        order: list[int] = []
        while waiting:
            node = _next(waiting, earlier)
            waiting.remove(node)
            for others in earlier.values():
                others.discard(node)
            order.append(node)
        return order


def _next(waiting: list[int], earlier: dict[int, set[int]]) -> int:
    """Return the first node with nothing before it; where all have, the first whose circle has nothing."""
    for node in waiting:
        if not earlier[node]:
            return node
    above = {node: _above(node, earlier) for node in waiting}
    return next(node for node in waiting if all(node in above[other] for other in above[node]))


def _above(node: int, earlier: dict[int, set[int]]) -> set[int]:
    """Return every node from which exclusions lead to this one."""
    found: set[int] = set()
    todo = [node]
    while todo:
        for other in earlier[todo.pop()] - found:
            found.add(other)
            todo.append(other)
    return found


def plan_of(variant: Variant, options: Options) -> Plan:
    """Return the plan of a variant under resolved options, worked out once for each such object."""
    plan: Plan | None = options.derived.get("plan")
    if plan is None or plan.variant is not variant:
        plan = options.derived["plan"] = Plan(variant, options)
    return plan
