"""Whole hands with dirty and sunlit eyes, a mixed set, a cable that is pulled, slowed or overrun, and another
program on the board: faults are named, people mend them, and the ledger is what happened."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.live_table import cli

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("twin-play")]
FAULTS: tuple[dict[str, Any], ...] = (
    {"name": "dirt:2", "level": 0.8, "hand": 1, "when": "building:build", "after_ms": 3_000},
    {"name": "overrun", "hand": 1, "when": "building:build", "after_ms": 2_000},
    {"name": "slow_adapter", "for_ms": 6_000, "hand": 1, "when": "play", "after_ms": 500},
    {"name": "mixed_set", "count": 2, "hand": 2, "when": "building:build", "after_ms": 100},
    {"name": "unplug", "for_ms": 1_500, "hand": 2, "when": "play", "after_ms": 1_000},
    {"name": "light:3", "level": 0.9, "hand": 3, "when": "building:build", "after_ms": 2_500},
    {"name": "old_firmware", "for_ms": 8_000, "hand": 3, "when": "play", "after_ms": 1_000},
    {"name": "strange_firmware", "hand": 3, "when": "confirm", "after_ms": 100},
)
TOLD = [(322, 2), (342, None), (333, 3), (999, 2)]


def test_three_hands_through_all_of_it(tmp_path: Path) -> None:
    faults, kept = tmp_path / "faults.jsonl", tmp_path / "kept"
    faults.write_text("".join(json.dumps(fault) + "\n" for fault in FAULTS))
    words = ("--hands", "3", "--seed", "5", "--faults", str(faults), "--keep", str(kept), "--json")
    done = cli("twin", "play", *words)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert (summary["hands"], summary["void"], summary["wrong_and_confident"]) == (3, 0, 0)
    assert (summary["ledger_matches_truth"], summary["ledger_sum"]) == (True, 0)
    rows = [json.loads(line) for line in cli("journal", "export", "--data", str(kept)).stdout.splitlines()]
    told = [(row["body"]["code"], row["body"]["side"]) for row in rows if row["kind"] == "fault"]
    for code, side in TOLD:
        assert any(code == was and side in (at, None) for was, at in told), (code, told)
    built = [row["body"]["counts"] for row in rows if row["kind"] == "build_done"]
    assert built == [[34] * 4] * 3
