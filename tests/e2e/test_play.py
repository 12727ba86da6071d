"""`twin play`: three whole hands on real firmware and pixels, and each sabotage is found out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.live_table import cli

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("twin-play")]


def play(*words: str) -> tuple[int, dict[str, Any], str]:
    done = cli("twin", "play", "--seed", "1", "--json", *words)
    summary = json.loads(done.stdout) if done.stdout else {}
    return done.returncode, summary, done.stderr


def test_three_hands_from_start_key_to_ledger(tmp_path: Path) -> None:
    code, summary, errors = play(
        "--hands", "3", "--trace", str(tmp_path / "trace.jsonl"), "--keep", str(tmp_path / "kept")
    )
    assert code == 0, errors
    assert summary["hands"] == summary["dice_read_exact"] == summary["lamp_read_exact"] == 3
    assert summary["wins"] + summary["washouts"] + summary["void"] == 3
    assert (summary["wrong_and_confident"], summary["ledger_matches_truth"], summary["ledger_sum"]) == (
        0,
        True,
        0,
    )
    trace = [json.loads(line) for line in (tmp_path / "trace.jsonl").read_text().splitlines()]
    assert [row["hand"] for row in trace] == [1, 2, 3]
    assert all(sum(row["deltas"].values()) == 0 for row in trace)
    verified = cli("journal", "verify", "--head", trace[1]["head"], "--data", str(tmp_path / "kept"))
    assert verified.returncode == 0, verified.stderr


@pytest.mark.parametrize(
    ("name", "counter"),
    [
        ("lying-face", "wrong_and_confident"),
        ("lying-dice", "wrong_and_confident"),
        ("stolen-point", "ledger_sum"),
    ],
)
def test_a_sabotage_is_found_out(name: str, counter: str) -> None:
    code, summary, errors = play("--hands", "3", "--sabotage", name)
    assert code == 1
    assert summary[counter] > 0, errors


FAULTS = (
    {"name": "hang", "hand": 1, "when": "building:build", "after_ms": 6_000},
    {"name": "jam:2", "hand": 2, "when": "building:build", "after_ms": 6_000},
    {"name": "camera_freeze", "hand": 2, "when": "ready", "for_ms": 20_000},
)


def test_broken_things_cost_certainty_and_never_the_truth(tmp_path: Path) -> None:
    """A board that hangs, a jam, and a camera that froze on the lamp of the hand before."""
    faults = tmp_path / "faults.jsonl"
    faults.write_text("".join(json.dumps(fault) + "\n" for fault in FAULTS))
    _, summary, errors = play("--hands", "2", "--faults", str(faults))
    assert (summary["hands"], summary["void"]) == (2, 0), errors
    assert (summary["wrong_and_confident"], summary["ledger_matches_truth"], summary["ledger_sum"]) == (
        0,
        True,
        0,
    )


def test_the_list_of_sabotages() -> None:
    done = cli("twin", "play", "--sabotage", "list")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == [
        "lying-face",
        "lying-dice",
        "stolen-point",
    ]
