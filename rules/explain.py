"""Why a win is worth what it is: the sets behind each element, what is not counted, equal readings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from rules.combine import Solution, Solver
from rules.evaluate import (
    Found,
    as_score,
    best_of,
    chosen_places,
    elements_of,
    weighed,
)
from rules.plan import Plan, plan_of
from rules.set_texts import texts_at
from rules.situation import Situation, Win
from rules.uncounted import absorbed_places, not_counted
from rules.variant import Score, ScoredElement, Variant, resolve_options, whole_hand


def explain(variant: Variant, win: Win, situation: Situation) -> Score:
    """Return the score with the sets of each element, what is not counted, and all lists of equal worth.

    Raises:
        InvalidWin, InvalidOption: as `score`.
    """
    plan = plan_of(variant, resolve_options(variant, situation.options))
    found = weighed(plan, win, situation)
    if isinstance(found, str):
        return Score(False, found)
    best = best_of(plan, found)
    if best is None:
        return Score(False, variant.no_element)
    return as_score(plan, best).explained(
        _with_sets(plan, best), tuple(not_counted(plan, best)), _ties(plan, found, best)
    )


# ---- the sets behind an element ----


def _with_sets(plan: Plan, found: Found) -> tuple[ScoredElement, ...]:
    places: dict[int, int] = {}
    for number, mask in chosen_places(found):
        places[number] = places.get(number, 0) | mask
    elements = []
    for element, (number, _) in zip(elements_of(plan, found), found.counted, strict=True):
        where = plan.rows[number].where
        mask = places.get(number, 0)
        if not mask:
            taken = 0
            for _, each in absorbed_places(plan, found, number):
                taken |= each
            for each in where(found.view):
                mask |= each & ~taken
        whole = where is whole_hand and not mask
        elements.append(replace(element, sets=tuple(texts_at(found.view, mask)), is_whole=whole))
    return tuple(elements)


# ---- equal lists ----


def _ties(plan: Plan, found: list[Found], best: Found) -> tuple[tuple[ScoredElement, ...], ...]:
    """Return every other list of elements with the sum of the best one."""
    named = [elements_of(plan, best)]
    for each in found:
        if each.total != best.total:
            continue
        for other in _same_worth(plan, each):
            if other not in named:
                named.append(other)
    return tuple(named[1:])


def _same_worth(plan: Plan, found: Found) -> Iterator[tuple[ScoredElement, ...]]:
    """Yield the list of a reading under every choice of equal combinations and of equal names."""
    chosen = {part.number for part in (*found.chow_parts.parts, *found.pung_parts.parts)}
    barred = _barred(plan, found, chosen)
    fixed = [(number, count) for number, count in found.counted if number not in chosen]
    for chows, pungs in product(
        _choices(plan.chows, found.view.chows, barred), _choices(plan.pungs, found.view.pungs, barred)
    ):
        counts: dict[int, int] = {}
        for part in (*chows.parts, *pungs.parts):
            counts[part.number] = counts.get(part.number, 0) + 1
        for names in _namings(plan, found, fixed):
            other = Found(found.view)
            other.counted = sorted([*names, *counts.items()])
            yield elements_of(plan, other)


def _barred(plan: Plan, found: Found, chosen: set[int]) -> int:
    barred = 0
    for number, _ in found.counted:
        if number not in chosen:
            barred |= plan.excludes[number]
    return barred


def _choices(solver: Solver, kinds: tuple[int, ...], barred: int) -> tuple[Solution, ...]:
    return solver.all_best(kinds, barred) if len(kinds) > 1 else (Solution((), 0),)


def _namings(plan: Plan, found: Found, fixed: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Yield the fixed elements, and again with each other name of one that has several."""
    yield fixed
    for place, (number, count) in enumerate(fixed):
        word = plan.rows[number].one_of
        for other, row in enumerate(plan.rows):
            if word and row.one_of == word and other != number and plan.values[other] == plan.values[number]:
                assert row.counts is not None
                if row.counts(found.view) == count:
                    yield [*fixed[:place], (other, count), *fixed[place + 1 :]]
