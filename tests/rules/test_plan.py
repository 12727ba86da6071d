"""The order in which elements are looked at: whoever excludes others is there before them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from rules.options import Options
from rules.plan import Plan
from rules.variant import Variant, resolve_options
from rules.variants import VARIANTS
from rules.variants.common import WALL_OPTIONS

EVERY_FEATURE = -1


def choices(variant: Variant) -> Iterator[Options]:
    """Yield every choice of the options that are no numbers; how the wall is opened changes no row."""
    rows = [row for row in variant.options if row.kind != "int" and row not in WALL_OPTIONS]
    values = [[False, True] if row.kind == "bool" else [c.key for c in row.choices] for row in rows]
    for chosen in product(*values):
        yield resolve_options(variant, dict(zip([row.key for row in rows], chosen, strict=True)))


def plans(variant: Variant) -> list[Plan]:
    """Return a plan for each set of rows that some choice of options makes."""
    found = {}
    for options in choices(variant):
        plan = Plan(variant, options)
        found[tuple((fan.key, fan.excludes, len(fan.absorbs)) for fan in plan.rows)] = plan
    return list(found.values())


def places(plan: Plan) -> dict[int, int]:
    """Return the place of each element by number, all combinations sharing one."""
    before, after = plan.steps(EVERY_FEATURE)
    found = {step.number: place for place, step in enumerate(before)}
    found |= {n: len(before) for n, fan in enumerate(plan.rows) if fan.combination is not None}
    return found | {step.number: len(before) + 1 + place for place, step in enumerate(after)}


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=list(VARIANTS))
def test_an_element_comes_before_what_it_excludes(variant: Variant) -> None:
    excluded = 0
    for plan in plans(variant):
        place = places(plan)
        assert len(place) + len(plan.fallbacks) == len(plan.rows)
        for one, other in product(place, place):
            if one == other or not plan.bars(one, other) or plan.bars(other, one):
                continue
            both_combined = plan.rows[one].combination and plan.rows[other].combination
            if both_combined:  # the solver looks at all combinations together
                continue
            excluded += 1
            assert place[one] < place[other], (plan.rows[one].key, plan.rows[other].key)
    assert excluded > 8 or len(plan.rows) == 1
