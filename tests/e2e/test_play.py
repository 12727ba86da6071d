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
    {"name": "supply_low", "hand": 2, "when": "building:close", "after_ms": 300},
    {"name": "camera_freeze", "hand": 2, "when": "ready", "for_ms": 20_000},
)


def test_broken_things_cost_certainty_and_never_the_truth(tmp_path: Path) -> None:
    """A board that hangs, a jam, a supply that drops with the dome half way, and a camera that froze on the
    lamp of the hand before."""
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


def test_chinese_official_with_flowers_from_start_key_to_ledger(tmp_path: Path) -> None:
    """144 tiles: the walls are built, flowers replaced and read, and a win pays eight more than it counts."""
    trace, kept = tmp_path / "trace.jsonl", tmp_path / "kept"
    words = ("--variant", "mcr", "--hands", "2", "--trace", str(trace), "--keep", str(kept))
    code, summary, errors = play(*words)
    assert (summary["hands"], summary["void"], summary["wrong_and_confident"]) == (2, 0, 0), errors
    assert summary["wins_read_exact"] == summary["wins"] > 0, errors
    assert summary["dice_read_exact"] == summary["lamp_read_exact"] == 2, errors
    assert (summary["ledger_matches_truth"], summary["ledger_sum"], code) == (True, 0, 0), errors
    rows = [json.loads(line) for line in trace.read_text().splitlines()]
    assert any(row["true_flowers"] for row in rows)
    exported = cli("journal", "export", "--data", str(kept))
    facts = [json.loads(line) for line in exported.stdout.splitlines()]
    assert [fact["body"]["counts"] for fact in facts if fact["kind"] == "build_done"] == [[36] * 4] * 2
    settled = [fact["body"] for fact in facts if fact["kind"] == "settled"]
    assert [(body["circle"], body["next_dealer"]) for body in settled] == [(1, "S"), (1, "W")]
    for row, body in zip(rows, settled, strict=True):
        if body["kind"] != "win":
            continue
        assert body["around"]["flowers"] == row["true_flowers"]
        assert body["around"]["round_wind"] == "E"
        assert body["total"] >= 8 + len(row["true_flowers"])
        payers = [seat for seat in "ESWN" if seat != body["seat"]]
        paid = dict.fromkeys(payers, 8)
        for seat in payers if body["by"] == "self_draw" else [body["from"]]:
            paid[seat] += body["total"]
        assert {seat: -body["deltas"][seat] for seat in payers} == paid
