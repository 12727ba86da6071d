"""kill -9 of the service in a twin evening; the long run is `make campaign-kills`."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(900)]
KILLS = 20


def campaign(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the campaign in a process of its own, which forks and must have no other threads."""
    line = [sys.executable, "-m", "tests.campaigns.kills", "--json", *words]
    return subprocess.run(line, capture_output=True, text=True, check=False)


def test_kill_9_at_random_moments_of_an_evening_loses_nothing_that_was_told() -> None:
    done = campaign("--n", str(KILLS), "--seed", "6")
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert (figures["kills"], figures["lost"]) == (KILLS, 0)
    assert figures["rows_seen"] >= KILLS
    assert len(figures["phases"]) > 1, "all died in one phase"


def test_a_ledger_that_forgets_is_noticed() -> None:
    done = campaign("--n", "3", "--seed", "1", "--sabotage", "forgetful")
    assert done.returncode == 1
    assert "that were told are lost" in done.stderr
