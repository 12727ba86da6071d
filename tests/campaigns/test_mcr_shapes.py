"""A slice of the campaign on distances and waits, and the proof that its figures can fail."""

from __future__ import annotations

import json

import pytest

from tests.campaigns.mcr_shapes import SABOTAGES, Figures, compare, main, run

SEED = 7


def test_ours_and_the_peer_agree() -> None:
    figures = run(600, SEED)
    assert (figures.hands, figures.differences, figures.shown) == (600, 0, [])
    assert 200 <= figures.ready < 400
    assert figures.shapes > 1500


def test_the_peer_plans_with_a_fifth_copy_and_ours_does_not() -> None:
    figures = Figures()
    compare(["1111456678999m"], None, figures)  # complete only with a fifth 1m
    assert (figures.fifth_copy, figures.differences) == (1, 0)


@pytest.mark.parametrize("name", SABOTAGES)
def test_a_sabotage_is_noticed(name: str) -> None:
    assert run(60, SEED, name).differences >= 20


def test_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--n", "30", "--seed", "5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hands"] == 30
    assert main(["--n", "30", "--seed", "5", "--sabotage", "lost-wait"]) == 1
    assert "waits for" in capsys.readouterr().err
