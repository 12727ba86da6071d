"""The fold's own `replace` gives what that of `dataclasses` gives."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from controller.fold_replace import replace
from controller.fold_rows import Amendment, HandRow, Outcome, PaidKong, Proposal, Tally
from controller.state import SEATS, ClaimState, LastHand, ReadingState, SeatState, TableState

ZERO = (0, 0, 0, 0)
VALUES: tuple[tuple[Any, dict[str, Any]], ...] = (
    (TableState(), {"seq": 3, "head": "ab", "dealer": SEATS[2], "guests": 7}),
    (SeatState(SEATS[1], 2, "p2"), {"score": 4, "player": ""}),
    (ClaimState("win", SEATS[0], "discard"), {"from_seat": SEATS[3]}),
    (ReadingState(SEATS[0], None, False, "camera"), {"flowers": None}),
    (PaidKong(SEATS[0], "added_kong", "5s", ZERO), {"robbed": True}),
    (Outcome("win", ZERO, ZERO, 4), {"kind": "void"}),
    (Amendment(1, "undo", "", None, "seats", (), None, None), {"head": "cd"}),
    (Proposal(1, "undo", "", None), {"agreed": frozenset(SEATS)}),
    (Tally("p1", "p1"), {"points": 2}),
    (HandRow(1, 1, Outcome("win", ZERO, ZERO, 4), SEATS[0], 1, 1, ("",) * 4, ("",) * 4), {"run": 2}),
    (LastHand(1, "win", None, None, None, None, (), 0, ZERO, None, 1), {"head": "ef", "laid": "x"}),
)


@pytest.mark.parametrize(("value", "changes"), VALUES, ids=lambda each: type(each).__name__)
def test_it_is_the_same_value(value: Any, changes: dict[str, Any]) -> None:
    made = replace(value, **changes)
    assert made == dataclasses.replace(value, **changes)
    assert made != value
    assert replace(value) == value


def test_what_is_no_field_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        replace(TableState(), scores=())
