"""Which combinations of sets count: each set is combined once (账户原则 "account once").

A combination element is made of two, three or four sets. Once sets have been combined, a free set may join
them once, through one of them; seen as a graph, the counted combinations form a forest over the sets. With n
sets that allows n-1 pairs, or one pair beside a triple of four sets, and nothing beside a quadruple.
Source: 1998 rules, principles 2, 3 and 5; League rules 2025, annex 1 item 11.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

Kinds = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Combination:
    """What sets an element is made of.

    `of` is `chow` or `pung`; `matches` gets the ascending kinds of `size` sets (lowest tiles of chows).
    """

    of: str
    size: int
    matches: Callable[[Kinds], bool]


@dataclass(frozen=True, slots=True)
class Row:
    """A combination element as the solver sees it: number in the table of rows, value, conflicts.

    `bit` is its own in masks of excluded elements (0 = never excluded), `excludes` such a mask.
    """

    number: int
    combination: Combination
    value: int
    bit: int
    excludes: int


@dataclass(frozen=True, slots=True)
class Part:
    """One counted combination: the number of its element and the places of its sets."""

    number: int
    places: int


@dataclass(frozen=True, slots=True)
class Solution:
    """The best choice of combinations and its worth."""

    parts: tuple[Part, ...]
    total: int


NOTHING: Final = Solution((), 0)


class Solver:
    """Finds the best combinations of a reading's chows, or of its pungs; remembers what it has found.

    What is remembered depends on the kinds of one to five sets only, never on a whole hand.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows: tuple[Row, ...] = tuple(rows)
        self._by_number: dict[int, Row] = {row.number: row for row in rows}
        self._bits: int = 0
        for row in rows:
            self._bits |= row.bit
        self._known: dict[tuple[Kinds, int], tuple[Solution, ...]] = {}

    def best(self, kinds: Kinds, barred: int) -> Solution:
        """Return the best choice for sets of these ascending kinds; `barred` (a mask) may not count."""
        if len(kinds) < 2:
            return NOTHING
        known = self._known.get((kinds, barred & self._bits))
        return (self.all_best(kinds, barred) if known is None else known)[0]

    def all_best(self, kinds: Kinds, barred: int) -> tuple[Solution, ...]:
        """Return every choice that is worth as much as the best, elements first in the table first."""
        barred &= self._bits
        known = self._known.get((kinds, barred))
        if known is not None:
            return known
        parts = [part for part in self.candidates(kinds) if not barred & self._by_number[part.number].bit]
        found: list[Solution] = []
        self._choose(parts, 0, [], list(range(len(kinds))), 0, found)
        top = max(each.total for each in found)
        unique: dict[tuple[int, ...], Solution] = {}
        for each in found:
            if each.total == top:
                unique.setdefault(tuple(sorted(part.number for part in each.parts)), each)
        best = tuple(unique[key] for key in sorted(unique))
        self._known[kinds, barred] = best
        return best

    def candidates(self, kinds: Kinds) -> list[Part]:
        """Return every combination that is there, counted or not."""
        found = []
        for row in self._rows:
            size = row.combination.size
            for places in combinations(range(len(kinds)), size):
                if row.combination.matches(tuple([kinds[place] for place in places])):
                    found.append(Part(row.number, sum(1 << place for place in places)))
        return found

    def _choose(
        self,
        parts: list[Part],
        start: int,
        chosen: list[Part],
        component: list[int],
        excluded: int,
        found: list[Solution],
    ) -> None:
        """Add every allowed choice of parts from `start` on; `component` numbers the tree of each set."""
        found.append(Solution(tuple(chosen), sum(self._by_number[part.number].value for part in chosen)))
        for at in range(start, len(parts)):
            part = parts[at]
            row = self._by_number[part.number]
            if excluded & row.bit or not _may_join(part, chosen, component):
                continue
            if any(row.excludes & self._by_number[other.number].bit for other in chosen):
                continue
            touched = {component[place] for place in range(len(component)) if part.places >> place & 1}
            joined = [min(touched) if each in touched else each for each in component]
            self._choose(
                parts,
                at + 1,
                [*chosen, part],
                joined,
                excluded | row.excludes,
                found,
            )


def _may_join(part: Part, chosen: list[Part], component: list[int]) -> bool:
    """Return whether the sets of a part lie in different trees and none is used by this element already."""
    trees = [component[place] for place in range(len(component)) if part.places >> place & 1]
    if len(set(trees)) < len(trees):
        return False
    return not any(other.number == part.number and other.places & part.places for other in chosen)
