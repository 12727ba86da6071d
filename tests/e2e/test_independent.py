"""The ledger of a play against a settlement that shares no line with the scoring engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.checker import is_complete, payments
from tests.e2e.live_table import cli

HANDS = 3


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("[NNN,1] 34999p 567s PP + 2p", True),
        ("[888m,1] 345m 2344688s + 5s", True),
        ("[888m,1] 345m 2344668s + 5s", False),
        ("11223344556677m", True),
        ("(PPPP) [7777s+,2] [345m,1] 888p 6m + 6m", True),
        ("123m 456p 789s EEE C + F", False),
        ("[123m,1] 456p 789s EEE C", False),
        ("[124m,1] 456p 789s EEE C + C", False),
    ],
)
def test_the_checker_knows_a_hand(text: str, complete: bool) -> None:
    assert is_complete(text) is complete


def test_the_checker_pays() -> None:
    hand = {"kind": "win", "hand_text": "[NNN,1] 34999p 567s PP + 2p"}
    assert payments([{**hand, "seat": "E", "by": "self_draw", "from": None}]) == {
        "E": 6,
        "S": -2,
        "W": -2,
        "N": -2,
    }
    assert payments([{**hand, "seat": "E", "by": "discard", "from": "W"}]) == {
        "E": 1,
        "S": 0,
        "W": -1,
        "N": 0,
    }
    kong = {"kind": "kong", "seat": "S", "kong": "concealed_kong"}
    assert payments([kong]) == {"E": -2, "S": 6, "W": -2, "N": -2}
    with pytest.raises(ValueError, match="no complete hand"):
        payments([{**hand, "hand_text": "123m", "seat": "E", "by": "discard", "from": "W"}])


@pytest.mark.e2e
@pytest.mark.xdist_group("twin-play")
def test_the_ledger_pays_what_an_independent_settlement_pays(tmp_path: Path) -> None:
    trace, kept = tmp_path / "trace.jsonl", tmp_path / "kept"
    done = cli(
        "twin", "play", "--seed", "6", "--hands", str(HANDS), "--trace", str(trace), "--keep", str(kept)
    )
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in trace.read_text().splitlines()]
    assert len(rows) == HANDS
    truth: list[dict[str, Any]] = [
        json.loads(line) for line in (kept / "truth.jsonl").read_text().splitlines()
    ]
    for row in rows:
        events = [event for event in truth if event["hand"] == row["hand"]]
        assert row["deltas"] == payments(events), events
