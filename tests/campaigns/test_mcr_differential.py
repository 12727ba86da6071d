"""A slice of the campaign, and the proof that its figures can fail."""

from __future__ import annotations

import json
import re

import pytest

from tests.campaigns.mcr_differential import SABOTAGES, main, run

SEED = 3


def test_ours_and_the_peer_agree() -> None:
    figures = run(300, 0, SEED)
    assert (figures.compared, figures.differences, figures.shown) == (300, 0, [])
    assert len(figures.fans) > 75


def test_ours_scores_whatever_wins() -> None:
    figures = run(0, 1000, SEED)
    assert (figures.scored, figures.errors, figures.shown) == (1000, 0, [])


@pytest.mark.parametrize("name", SABOTAGES)
def test_a_sabotage_is_noticed(name: str) -> None:
    figures = run(300, 0, SEED, name)
    assert figures.differences > 0
    assert figures.shown


def test_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--n", "50", "--alone", "20", "--seed", "5", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["compared"], found["scored_alone"], found["seed"]) == (50, 20, 5)
    assert main(["--n", "50", "--alone", "0", "--seed", "5", "--sabotage", "stolen-point"]) == 1
    told = capsys.readouterr()
    assert re.search(r"^differences +50$", told.out, re.MULTILINE)
    assert "ours" in told.err
