"""A slice of the campaign of programmes, uneven walls and pauses, and the proof that its figures can fail."""

from __future__ import annotations

import json

import pytest

from hardware.campaigns import walls
from hardware.campaigns.__main__ import main


@pytest.mark.e2e
def test_every_programme_and_wall_counts_right_with_pauses_too() -> None:
    figures = walls.run(len(walls.PLANS), 3)
    assert (figures["missed"], figures["shown"]) == ([], [])
    assert figures["builds"] == len(figures["by_plan"]) == len(walls.PLANS)
    assert figures["pauses"] >= 3
    assert figures["tiles_added"] >= 1


def test_every_plan_is_one_that_a_table_can_build() -> None:
    for tiles, sides in walls.PLANS:
        assert sides is None or (sum(sides) == tiles and max(sides) <= 36)
    assert {tiles for tiles, _ in walls.PLANS} >= {72, 108, 112, 120, 136, 144}


@pytest.mark.e2e
@pytest.mark.parametrize(
    ("sabotage", "counter"), [("one-short", "wrong_wall_counts"), ("tile-kept", "false_alarms")]
)
def test_what_is_wrong_is_noticed(capsys: pytest.CaptureFixture[str], sabotage: str, counter: str) -> None:
    assert main(["walls", "--n", "1", "--sabotage", sabotage, "--json"]) == 1
    figures = json.loads(capsys.readouterr().out)
    assert figures[counter] == 1
    assert figures["shown"]
