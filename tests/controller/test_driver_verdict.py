"""The judge of a play: an honest hand passes, and each way of being wrong moves the right figure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from controller.facts import Record
from controller.verdict import Summary, canonical, compare, summarise

HAND = "[555p,2] 123m 678s EE 23m + 4m"
DELTAS = {"E": 6, "S": -2, "W": -2, "N": -2}


def honest() -> tuple[list[tuple[str, dict[str, Any]]], list[dict[str, Any]]]:
    """Return facts and truth of a won hand with one kong; one point is two units."""
    facts: list[tuple[str, dict[str, Any]]] = [
        ("game_started", {"unit": 2}),
        ("hand_started", {"hand": 1, "dealer": "E"}),
        ("lamp_read", {"side": 1, "asked": 1, "sure": True, "score": 1.0, "sense": 1}),
        ("dice_read", {"seat": "E", "pips": None, "source": "camera", "sure": False}),
        ("dice_read", {"seat": "E", "pips": [2, 5], "source": "camera", "sure": True}),
        ("dice_read", {"seat": "W", "pips": [1, 1], "source": "camera", "sure": True}),
        ("wall_opened", {}),
        ("kong", {"seat": "S", "kind": "exposed_kong", "deltas": {"E": -2, "S": 2}}),
        ("claim", {"seat": "E", "by": "self_draw", "from": None}),
        ("hand_read", {"seat": "E", "hand": HAND, "sure": True}),
        (
            "settled",
            {
                "hand": 1,
                "kind": "win",
                "hand_text": HAND,
                "deltas": {seat: 2 * n for seat, n in DELTAS.items()},
            },
        ),
    ]
    truth: list[dict[str, Any]] = [
        {"hand": 1, "kind": "lamp", "side": 1},
        {"hand": 1, "kind": "throw", "seat": "E", "pips": [6, 6]},
        {"hand": 1, "kind": "throw", "seat": "E", "pips": [5, 2]},
        {"hand": 1, "kind": "throw", "seat": "W", "pips": [1, 1]},
        {"hand": 1, "kind": "kong", "seat": "S", "deltas": {"E": -1, "S": 1}},
        {
            "hand": 1,
            "kind": "win",
            "seat": "E",
            "hand_text": "[555p,2] 678s 123m 32m EE + 4m",
            "deltas": DELTAS,
        },
    ]
    return facts, truth


def judge(facts: list[tuple[str, dict[str, Any]]], truth: list[dict[str, Any]]) -> Summary:
    records = [Record(n, kind, body, "ab" * 32) for n, (kind, body) in enumerate(facts, start=1)]
    return summarise(compare(records, truth, 2, 1), 1.0)


def test_an_honest_hand_passes() -> None:
    summary = judge(*honest())
    assert summary == Summary(1, 1, 0, 0, 1, 1, 1, 0, True, 0, 1.0)
    assert summary.missed(1) == []
    assert list(summary.as_json()) == [
        "hands",
        "wins",
        "washouts",
        "void",
        "wins_read_exact",
        "dice_read_exact",
        "lamp_read_exact",
        "wrong_and_confident",
        "ledger_matches_truth",
        "ledger_sum",
        "seconds",
    ]


def changed(
    kind: str, which: int = 0, **news: Any
) -> tuple[list[tuple[str, dict[str, Any]]], list[dict[str, Any]]]:
    facts, truth = honest()
    places = [n for n, fact in enumerate(facts) if fact[0] == kind]
    facts[places[which]] = (kind, {**facts[places[which]][1], **news})
    return facts, truth


@pytest.mark.parametrize(
    ("case", "figures"),
    [
        (changed("lamp_read", side=2), {"lamp_read_exact": 0, "wrong_and_confident": 1}),
        (changed("lamp_read", side=2, sure=False), {"lamp_read_exact": 0}),
        (changed("dice_read", 1, pips=[2, 4]), {"dice_read_exact": 0, "wrong_and_confident": 1}),
        (changed("dice_read", 0, pips=[5, 5]), {"dice_read_exact": 0, "wrong_and_confident": 1}),
        (
            changed("hand_read", hand=HAND.replace("4m", "1m")),
            {"wins_read_exact": 0, "wrong_and_confident": 1},
        ),
        (changed("hand_read", hand=None, sure=False), {"wins_read_exact": 0}),
        (
            changed("settled", deltas={"E": 12, "S": -4, "W": -4, "N": -2}),
            {"ledger_matches_truth": False, "ledger_sum": 1},
        ),
        (changed("settled", deltas={"E": 12, "S": -4, "W": -2, "N": -6}), {"ledger_matches_truth": False}),
        (changed("kong", deltas={"E": 2, "S": -2}), {"ledger_matches_truth": False}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else "",
)
def test_each_wrong_moves_its_figure(case: Any, figures: dict[str, Any]) -> None:
    expected = replace(judge(*honest()), **figures)
    summary = judge(*case)
    assert summary == expected
    assert summary.missed(1)


@pytest.mark.parametrize(
    ("read", "true", "figures"),
    [
        ([["a", 0.99], ["e", 0.99]], ["a", "e"], {}),
        ([], [], {}),
        ([], ["a"], {"wins_read_exact": 0, "wrong_and_confident": 1}),
        ([["a", 0.99]], ["b"], {"wins_read_exact": 0, "wrong_and_confident": 1}),
        ([["a", 0.99]], None, {"wins_read_exact": 0, "wrong_and_confident": 1}),
        ([["?", 0.4]], ["a"], {"wins_read_exact": 0}),
        (None, ["a"], {"wins_read_exact": 0}),
    ],
)
def test_flowers_belong_to_the_hand(read: Any, true: Any, figures: dict[str, Any]) -> None:
    facts, truth = changed("hand_read", flowers=read)
    truth[-1]["flowers"] = true
    assert judge(facts, truth) == replace(judge(*honest()), **figures)


def test_dice_typed_in_by_people_belong_to_the_throw_before() -> None:
    facts, truth = honest()
    facts.insert(4, ("dice_read", {"seat": "E", "pips": [6, 6], "source": "page", "sure": True}))
    del facts[5]
    truth = [row for row in truth if row.get("pips") != [5, 2]]
    assert judge(facts, truth).dice_read_exact == 1


def test_a_lamp_that_stays_lit_is_true_for_the_next_hand() -> None:
    facts, truth = honest()
    again = [
        (kind, {**body, "hand": 2}) if "hand" in body and kind != "hand_read" else (kind, body)
        for kind, body in facts
    ]
    records = [Record(n, kind, body, "ab" * 32) for n, (kind, body) in enumerate(facts + again[1:], start=1)]
    truth += [{**row, "hand": 2} for row in truth if row["kind"] != "lamp"]
    summary = summarise(compare(records, truth, 2, 2), 1.0)
    assert (summary.lamp_read_exact, summary.missed(2)) == (2, [])


def test_too_few_hands_or_wins_are_missed() -> None:
    summary = Summary(3, 1, 2, 0, 1, 3, 3, 0, True, 0, 1.0)
    assert len(summary.missed(4)) == 2


@pytest.mark.parametrize(
    ("left", "right"),
    [("[555p,2][123m,1] 55s 678m 23m + 4m", "[123m,1] [555p,2] 678m 32m 55s + 4m"), ("nonsense", "nonsense")],
)
def test_equal_hands_have_one_text(left: str, right: str) -> None:
    assert canonical(left) == canonical(right)
    assert canonical(None) is None
