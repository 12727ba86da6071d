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
    found_in,
    score,
)
from rules.notation import format_tiles
from rules.plan import Plan, plan_of
from rules.situation import Situation, Win
from rules.splits import Reading
from rules.variant import NotCounted, Score, ScoredElement, Variant, resolve_options
from rules.view import CHOW_PLACE, KNITTED_PLACE, PAIR_PLACE, PUNG_PLACE


def explain(variant: Variant, win: Win, situation: Situation) -> Score:
    """Return the score with the sets of each element, what is not counted, and all lists of equal worth.

    Raises:
        InvalidWin, InvalidOption: as `score`.
    """
    scored = score(variant, win, situation)
    if scored.reading is None:
        return scored
    plan = plan_of(variant, resolve_options(variant, situation.options))
    found = found_in(plan, win, situation)
    best = best_of(plan, found)
    assert best is not None
    return replace(
        as_score(plan, best),
        elements=_with_sets(plan, best),
        not_counted=tuple(_not_counted(plan, best)),
        ties=_ties(plan, found, best),
    )


def sets_text(reading: Reading) -> list[str]:
    """Return the sets and pairs of a reading as tile text, then what stands alone."""
    sets = [format_tiles(each.tiles) for each in reading.sets]
    sets += [format_tiles((pair, pair)) for pair in reading.pairs]
    loose = [tile for tile in reading.tiles if tile.index in reading.loose]
    return [*sets, format_tiles(loose)] if loose else sets


# ---- the sets behind an element ----


def _with_sets(plan: Plan, found: Found) -> tuple[ScoredElement, ...]:
    places: dict[int, int] = {}
    for number, mask in chosen_places(found):
        places[number] = places.get(number, 0) | mask
    elements = []
    for element, (number, _) in zip(elements_of(plan, found), found.counted, strict=True):
        mask = places.get(number, 0)
        if not mask:
            for each in plan.rows[number].where(found.view):
                mask |= each
        elements.append(replace(element, sets=tuple(_texts(found.view.reading, mask))))
    return tuple(elements)


def _texts(reading: Reading, mask: int) -> Iterator[str]:
    """Yield the sets and pairs at these places as tile text."""
    sets, chows = reading.sets, len(reading.chows)
    for at in range(chows):
        if mask >> CHOW_PLACE + at & 1:
            yield format_tiles(sets[at].tiles)
    for at in range(len(reading.pungs)):
        if mask >> PUNG_PLACE + at & 1:
            yield format_tiles(sets[chows + at].tiles)
    for at, pair in enumerate(reading.pairs):
        if mask >> PAIR_PLACE + at & 1:
            yield format_tiles((pair, pair))
    if mask >> KNITTED_PLACE & 1:
        yield format_tiles(sets[-1].tiles)


# ---- what is not counted ----


def _not_counted(plan: Plan, found: Found) -> Iterator[NotCounted]:
    """Yield, in the order of the table, what the hand has beside what counts, and what it nearly has."""
    counted = dict(found.counted)
    combined = _combinations_there(plan, found)
    for number, row in enumerate(plan.rows):
        there = combined.get(number, 0) if row.counts is None else row.counts(found.view)
        missing = there - counted.get(number, 0)
        if missing > 0:
            why, by = _reason(plan, counted, number)
            other = None if by is None else plan.rows[by]
            yield NotCounted(
                row.key,
                row.zh,
                row.en,
                why,
                "" if other is None else other.key,
                "" if other is None else other.zh,
                "" if other is None else other.en,
                missing,
            )
        elif not there and row.missed is not None and (why := row.missed(found.view)):
            yield NotCounted(row.key, row.zh, row.en, why)


def _combinations_there(plan: Plan, found: Found) -> dict[int, int]:
    """Return how often each combination could be seen if sets could be used again and again."""
    there: dict[int, int] = {}
    for solver, kinds in ((plan.chows, found.view.chows), (plan.pungs, found.view.pungs)):
        for part in solver.candidates(kinds):
            there[part.number] = there.get(part.number, 0) + 1
    return there


def _reason(plan: Plan, counted: dict[int, int], number: int) -> tuple[str, int | None]:
    for other in counted:
        if plan.excludes[other] >> number & 1:
            return "excluded", other
    for other in counted:
        if any(target == number for target, _ in plan.absorbs[other]):
            return "absorbed", other
    word = plan.rows[number].one_of
    for other in counted:
        if word and plan.rows[other].one_of == word:
            return "one_of", other
    return "once", None


# ---- equal lists ----


def _ties(plan: Plan, found: list[Found], best: Found) -> tuple[tuple[ScoredElement, ...], ...]:
    """Return every other list of elements with the total of the best one."""
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
