"""No predicate counts where its row of needs says that it cannot."""

from __future__ import annotations

from rules import patterns
from rules.evaluate import claimed, readings
from rules.needs import NEEDS
from rules.plan import plan_of
from rules.records import read_record
from rules.variants import get_variant
from rules.view import View
from tests.rules.mcr_hands import hands

MCR = get_variant("mcr")


def test_what_a_predicate_needs_is_there_whenever_it_counts() -> None:
    plan = plan_of(MCR, MCR.default_options)
    counted = set()
    predicates = {predicate for predicate in NEEDS if predicate is not patterns.nothing_but_flowers}
    for record in hands(seed=41, count=3000):
        win, situation = read_record(MCR, record)
        same = claimed(plan, win, situation)
        for reading in readings(plan, win.hand):
            view = View(same, reading)
            for predicate in predicates:
                if predicate(view):
                    counted.add(predicate)
                    assert not NEEDS[predicate] & ~view.features, (predicate, record["hand"])
    never = {predicate.__name__ for predicate in predicates - counted}
    assert never <= {"heavenly", "earthly_on_first_discard"}  # which this rule set does not have
