"""A slice of the campaign of resets in a build, and the proof that its figures can fail."""

from __future__ import annotations

import json

import pytest

from hardware.campaigns import reset
from hardware.campaigns.__main__ import main


@pytest.mark.e2e
def test_after_a_reset_nothing_moves_and_the_host_goes_on() -> None:
    figures = reset.run(8, 3)
    assert (figures["missed"], figures["shown"]) == ([], [])
    assert figures["in_build"] == 8
    assert figures["states"] == {"idle": 7, "fault": 1}  # a start for no known reason waits for a person
    assert figures["builds_brought_to_an_end"] == 1
    assert figures["ready_after_boot_ms"]["most"] <= reset.RECOVERY_MS


@pytest.mark.e2e
def test_a_motor_that_runs_on_is_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reset", "--n", "1", "--sabotage", "keep-motor", "--json"]) == 1
    figures = json.loads(capsys.readouterr().out)
    assert figures["moved_after_reset"] == 1
    assert "turn" in "".join(figures["shown"])
