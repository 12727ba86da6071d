"""The shared rule cases, and what `answer_case` does with lines that make no sense."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cases import answer_case
from rules.errors import RuleError
from tests.rules.shared_cases import CASES, cases

NOW = ("simplest", "table-procedure", "base-scoring")  # lianzhong, tile-odds: test_lianzhong.py, test_odds.py


ALL = [case for slug in NOW for case in cases(slug)]


@pytest.mark.skipif(not ALL, reason=f"shared rule cases not beside the checkout: {CASES}")
def test_cases_are_there() -> None:
    assert len(ALL) > 90


@pytest.mark.parametrize("case", ALL, ids=lambda case: case["id"])
def test_shared_case(case: dict[str, Any]) -> None:
    question = {key: value for key, value in case.items() if key != "expect"}
    answer = answer_case(question)
    expected = case["expect"]
    if "elements" in expected:
        answer["elements"].sort()
        expected["elements"].sort()
    assert {key: answer[key] for key in expected} == expected
    json.dumps(answer)


def win_case(**more: Any) -> dict[str, Any]:
    winner = {"seat": "S", "hand": "[555m] 123m 678p EE 34s + 5s", "by": "discard", "from": "W"}
    return {"variant": "simplest", "dealer": "E", "winner": {**winner, **more.pop("winner", {})}, **more}


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ({}, "needs a winner, events or an op"),
        ({"variant": "simplest"}, "needs a winner"),
        (win_case(variant="mahjong"), "no variant 'mahjong'"),
        (win_case(variant=None), "variant is missing"),
        (win_case(dealer=None), "dealer is missing"),
        (win_case(dealer="X"), "dealer is a seat"),
        (win_case(dealer=["E"]), "dealer is a seat"),
        (win_case(players="ESWN"), "players must be a list"),
        (win_case(players=["E"]), "at least two"),
        (win_case(players=["S", "W", "N"]), "dealer E does not play"),
        (win_case(options=[]), "options must be an object"),
        (win_case(options={"nope": 1}), "no option nope"),
        (win_case(winner={"hand": None}), "winner.hand is missing"),
        (win_case(winner={"hand": 5}), "winner.hand must be text"),
        (win_case(winner={"hand": "11111m + 2m"}), "winner.hand: a fifth 1m"),
        (win_case(winner={"by": "luck"}), "winner.by is one of"),
        (win_case(winner={"from": None}), "who fed"),
        (win_case(winner={"flags": "last_tile"}), "winner.flags must be a list"),
        (win_case(winner={"flags": [["x"]]}), "winner.flags are among"),
        (win_case(winner={"wall_left": True}), "winner.wall_left is a whole number"),
        (win_case(events=[]), "not both"),
        ({"variant": "simplest", "dealer": "E", "events": [1]}, r"events\[0\] must be an object"),
        ({"variant": "simplest", "dealer": "E", "events": [{"t": "nap"}]}, r"events\[0\].t is one of"),
        ({"variant": "simplest", "dealer": "E", "events": [{"t": "win", "wins": []}]}, "no win"),
        ({"variant": "simplest", "dealer": "E", "events": [{"t": "kong", "kind": "big"}]}, "kind is one of"),
        ({"variant": "simplest", "op": "nope", "in": {}}, "no op 'nope'"),
        ({"variant": "simplest", "op": "precedence"}, "in is missing"),
        ({"variant": "simplest", "op": "precedence", "in": {"claims": [1], "discarder": "E"}}, "a claim is"),
        ({"variant": "simplest", "op": "tail", "in": {}}, "no op 'tail'"),
        ({"variant": "table-procedure", "op": "legal_action", "in": {}}, "no op"),
    ],
)
def test_a_line_that_makes_no_sense_says_what_is_wrong(case: dict[str, Any], words: str) -> None:
    with pytest.raises(RuleError, match=words):
        answer_case(case)


def test_an_illegal_win_among_events_is_an_answer() -> None:
    won = {"seat": "S", "hand": "[555m] 123m 678p EE 35s + 6s", "by": "self_draw"}
    case = {"variant": "simplest", "dealer": "E", "events": [{"t": "win", "wins": [won]}]}
    assert answer_case(case) == {"legal": False, "reason": "not_win", "event": 0}


def test_the_next_event_belongs_to_the_next_hand_with_the_new_dealer() -> None:
    won = {"seat": "S", "hand": "[555m] 123m 678p EE 34s + 5s", "by": "self_draw"}
    events = [{"t": "win", "wins": [won]}, {"t": "win", "wins": [won]}, {"t": "wall_end"}]
    case = {"variant": "simplest", "dealer": "E", "options": {"system": "1-2-4"}, "events": events}
    ledger = answer_case(case)["ledger"]
    assert [entry["next_dealer"] for entry in ledger] == ["S", "S", "S"]
    assert [entry["deltas"]["S"] for entry in ledger] == [8, 12, 0]


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 200)
    | st.floats()
    | st.sampled_from(["", "E", "5m", "x", "win"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["seat", "t", "hand"]), inner)
    ),
    max_leaves=5,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every value inside a JSON document."""
    children: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        children = list(value.items())
    elif isinstance(value, list):
        children = list(enumerate(value))
    return [path, *(found for key, child in children for found in places(child, (*path, key)))]


@pytest.mark.skipif(not ALL, reason=f"shared rule cases not beside the checkout: {CASES}")
@settings(max_examples=400, deadline=None)
@given(st.data())
def test_no_field_with_an_odd_value_ends_in_another_error(data: st.DataObject) -> None:
    case = copy.deepcopy(data.draw(st.sampled_from(ALL)))
    del case["expect"]
    where = data.draw(st.sampled_from(places(case)[1:]))
    target = case
    for key in where[:-1]:
        target = target[key]
    target[where[-1]] = data.draw(JUNK)
    try:
        answer = answer_case(case)
    except RuleError as error:
        answer = {"error": str(error)}
    json.dumps(answer)
