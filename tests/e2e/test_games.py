"""Short games on the twin, from seating to report, held against the match of the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.verdict import read_truth
from tests.campaigns.games import Game, figures, hold, play_game

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("twin-play")]

SHORT = {
    "circles": Game("simplest", {"max_hands": 1, "hands": 2}, "agreed_hands", 2),
    "winner": Game("simplest", {"mode": "winner_deals", "loss_limit": 1}, "loss_limit"),
    "dice": Game(
        "simplest", {"mode": "dice_each_hand", "first_dealer": "dice_high", "hands": 2}, "agreed_hands", 2
    ),
}
"""Chinese Official always has sixteen hands: `make campaign-games` plays it, and full-length others."""


@pytest.mark.parametrize("kind", SHORT)
def test_a_game_from_seating_to_report(kind: str, tmp_path: Path) -> None:
    made = play_game(SHORT[kind], 3, tmp_path)
    assert made.differences == []
    summary = made.played.summary
    assert (summary.wrong_and_confident, summary.ledger_matches_truth, summary.ledger_sum) == (0, True, 0)
    assert made.state.over is not None
    told = figures(kind, made)
    assert (told["right"], told["score_sum"], told["hands"]) == (True, 0, summary.hands)
    # the same game by other rules is not right: that is what the comparison is for
    other = {"mode": "discarder_deals", "hands": 2, "first_dealer": SHORT[kind].procedure.get("first_dealer")}
    agreed = {key: value for key, value in other.items() if value is not None}
    wrong = hold(
        Game("simplest", agreed, "agreed_hands", 2), made.played, read_truth(tmp_path / "truth.jsonl")
    )
    assert wrong.differences
    assert not figures(kind, wrong)["right"]
    assert [record.kind for record in made.played.records].count("seats_changed") == 1
