"""A slice of the campaign of interlocks, and that it notices each rule's absence."""

from __future__ import annotations

import json

import pytest

from hardware.campaigns import interlocks
from hardware.campaigns.__main__ import main

STEPS = 40_000


def test_no_rule_is_broken_and_every_state_is_reached() -> None:
    figures = interlocks.run(STEPS, 11)
    assert (figures["missed"], figures["shown"]) == ([], [])
    reached = {
        "idle",
        "homing",
        "lifting",
        "building",
        "paused",
        "loading",
        "in_play",
        "fault",
        "safe",
        "estop",
        "stopped",
    }
    assert reached <= set(figures["states"])


@pytest.mark.parametrize("rule", interlocks.RULES)
def test_a_firmware_without_a_rule_is_noticed(rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["interlocks", "--n", str(3 * STEPS), "--sabotage", rule, "--json"]) == 1
    figures = json.loads(capsys.readouterr().out)
    assert figures["broken_by_rule"][rule] > 0
    assert figures["shown"]
