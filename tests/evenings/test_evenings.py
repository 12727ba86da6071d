"""Random evenings against the model, see `book.py`; the long run is `make campaign-evenings`."""

from __future__ import annotations

import json

import pytest

from tests.campaigns.evenings import SABOTAGES, main

EVENINGS, HANDS = 10, 200
SEEDS = (6, 7, 8)
"""Always the same evenings here: a new one is the campaign's matter, a red run can be played again."""


@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("seed", SEEDS)
def test_random_evenings_come_to_what_the_model_says(seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--n", str(EVENINGS), "--hands", str(HANDS), "--seed", str(seed), "--json"]
    assert main(words) == 0, capsys.readouterr().err
    figures = json.loads(capsys.readouterr().out)
    assert figures["evenings"] >= EVENINGS
    assert figures["hands"] >= EVENINGS * HANDS
    assert figures["torn_writes"]
    assert figures["facts_lost_before_they_were_acknowledged"]
    assert {"put_aside", "kongs_told_anew", "undo_result", "correct_result"} <= figures.keys()


@pytest.mark.parametrize("sabotage", SABOTAGES)
def test_the_model_notices(sabotage: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--n", "10", "--hands", "5", "--seed", "1", "--sabotage", sabotage]
    assert main(words) == 1
    assert "seed 1: table and model differ" in capsys.readouterr().err
