"""A slice of the campaign of clean builds, and the proof that its figures can fail."""

from __future__ import annotations

import json

import pytest

from hardware.campaigns import builds
from hardware.campaigns.__main__ import main


@pytest.mark.e2e
@pytest.mark.parametrize(("tiles", "count"), [(136, 3), (144, 1), (112, 1), (108, 1)])
def test_clean_builds_count_right_and_alarm_nobody(tiles: int, count: int) -> None:
    figures = builds.run(count, 5, tiles=tiles)
    assert figures["missed"] == []
    assert figures["builds"] == count
    assert figures["conservation_checks"] > 1_000 * count
    assert 15 < figures["median_s"] < 60


@pytest.mark.e2e
@pytest.mark.parametrize("sabotage", sorted(builds.SABOTAGES))
def test_a_lost_tile_is_noticed(capsys: pytest.CaptureFixture[str], sabotage: str) -> None:
    assert main(["builds", "--n", "1", "--sabotage", sabotage, "--json"]) == 1
    figures = json.loads(capsys.readouterr().out)
    assert figures["lost_tiles"] == 1
    assert "wall_1" in figures["shown"][0]
