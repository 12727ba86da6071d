"""Options of a table: equal choices are one object, whose plan is made once."""

from __future__ import annotations

from typing import Any

import pytest

from rules import plan as plans
from rules.options import MAX_KEPT, Choice, Option, resolve_rows
from rules.plan import plan_of
from rules.records import answer_record
from rules.variant import resolve_options
from rules.variants import get_variant

HAND = "[123m,1] 456p 79s 666m NN + 8s"


def test_equal_choices_are_one_object_however_they_are_told() -> None:
    variant = get_variant("lianzhong")
    told: list[dict[str, Any]] = [
        {"wilds": "off", "min_fan": "6"},
        {"min_fan": 6},
        {"min_fan": 6, "exclusions": "国标"},
    ]
    first, *others = (resolve_options(variant, given) for given in told)
    assert all(each is first for each in others)
    assert resolve_options(variant, {"min_fan": 7}) is not first
    assert resolve_options(variant, {"min_fan": 8}) is resolve_options(variant, {})


def test_values_that_only_compare_equal_are_different_choices() -> None:
    def rows(kind: str, default: Any) -> tuple[Option, ...]:
        return (Option("x", kind, (Choice("1", "一", "one"),), default, "某", "some", low=0, high=9),)

    found = [resolve_rows("test", rows(kind, default), {}) for kind, default in (("bool", True), ("int", 1))]
    assert [each["x"] is True for each in found] == [True, False]
    assert found[0].on("x")
    assert found[1].number("x") == 1


def test_a_table_with_options_makes_one_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    variant, made = get_variant("lianzhong"), []
    real = plans.Plan

    def counted(*given: Any) -> Any:
        made.append(given)
        return real(*given)

    monkeypatch.setattr(plans, "Plan", counted)
    for _ in range(5):
        answer_record(variant, {"hand": HAND, "options": {"min_fan": 61}}, explain=True)
        answer_record(variant, {"hand": HAND, "options": {"min_fan": "61"}})
    assert len(made) == 1


def test_no_more_choices_are_kept_than_bounds_say() -> None:
    variant = get_variant("lianzhong")
    first = resolve_options(variant, {"min_fan": 1})
    plan_of(variant, first)
    for number in range(2, MAX_KEPT + 3):
        resolve_options(variant, {"min_fan": number})
    again = resolve_options(variant, {"min_fan": 1})
    assert again is not first
    assert dict(again) == dict(first)
