"""100,000 damaged streams into each decoder, and what the fuzz would notice."""

from __future__ import annotations

import random

import pytest

from hardware.campaigns import fuzz


def test_a_slice_ends_well() -> None:
    figures = fuzz.run(100_000, 3)
    assert figures["missed"] == []
    assert (figures["crashes"], figures["wrong"]) == (0, 0)
    assert 0 < figures["wrong_expected"] < 0.001
    for side in ("host", "board"):
        assert figures[f"{side}_streams"] == 100_000
        assert figures[f"{side}_accepted"] > 50_000
        assert figures[f"{side}_crc_errors"] > 10_000
        assert figures[f"{side}_cobs_errors"] > 10_000
    assert figures["board_resets"] > 0


@pytest.mark.parametrize(("sabotage", "counter"), [("no-crc", "wrong"), ("long-frame", "crashes")])
def test_what_is_broken_is_noticed(sabotage: str, counter: str, capfd: pytest.CaptureFixture[str]) -> None:
    figures = fuzz.run(3_000, 3, sabotage)
    assert figures[counter] > 0
    assert figures["missed"]
    words = capfd.readouterr().err
    assert ("Sanitizer" in words or "runtime error" in words) == (sabotage == "long-frame")


def test_every_harm_is_done() -> None:
    chance = random.Random(1)
    stream = bytes(range(1, 21))
    made = {fuzz.harm(stream, chance) for _ in range(4_000)}
    assert stream not in {each for each in made if len(each) < 20}
    assert {len(each) - 20 for each in made} >= {-19, -1, 0, 1, 5}
    assert len(made) > 500
