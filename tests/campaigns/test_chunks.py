"""A campaign in chunks: what is kept is not played again, whatever stopped the run before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.campaigns import evenings
from tests.campaigns.chunks import play_chunks


class Played:
    """Plays chunks; what it plays as the `stops`-th ends the run."""

    def __init__(self, stops: int | None = None) -> None:
        self.chunks: list[tuple[int, int]] = []
        self.stops = stops

    def __call__(self, seed: int, size: int) -> dict[str, Any]:
        if len(self.chunks) == self.stops:
            raise KeyboardInterrupt
        self.chunks.append((seed, size))
        return {"kills": size, "ms_most": seed, "phases": {"IDLE": 1}, "seconds": 0.1}


WHOLE = {"seed": 5, "kills": 7, "ms_most": 7, "phases": {"IDLE": 3}, "seconds": 0.3}


def test_every_chunk_has_a_seed_of_its_own_and_the_figures_are_those_of_all(
    capsys: pytest.CaptureFixture[str],
) -> None:
    play = Played()
    assert play_chunks(7, 3, 5, play) == WHOLE
    assert play.chunks == [(5, 3), (6, 3), (7, 1)]
    told = capsys.readouterr().err.splitlines()
    assert [line.split(" {")[0] for line in told] == [
        "1/3 --seed 5 --n 3",
        "2/3 --seed 6 --n 3",
        "3/3 --seed 7 --n 1",
    ]


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    with pytest.raises(KeyboardInterrupt):
        play_chunks(7, 3, 5, Played(stops=2), kept)
    with kept.open("a", encoding="utf-8") as file:
        file.write('{"seed": 7, "size": 1, "figu')  # it was killed while it wrote
    play = Played()
    assert play_chunks(7, 3, 5, play, kept) == WHOLE
    assert play.chunks == [(7, 1)]
    again = Played()
    assert play_chunks(7, 3, 5, again, kept) == WHOLE
    assert again.chunks == []
    rows = [json.loads(line) for line in kept.read_text("utf-8").splitlines() if line.endswith("}")]
    assert [row["seed"] for row in rows] == [5, 6, 7]


def test_a_chunk_of_another_size_is_another_one(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    play_chunks(3, 3, 5, Played(), kept)
    play = Played()
    play_chunks(4, 2, 5, play, kept)
    assert play.chunks == [(5, 2), (6, 2)]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, pytest.fail.Exception, TimeoutError])
def test_what_stops_an_evening_is_not_told_as_a_difference(
    stop: type[BaseException], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise stop("out of time")

    monkeypatch.setattr(evenings, "run_state_machine_as_test", stopped)
    with pytest.raises(stop):
        evenings.main(["--n", "1", "--seed", "1"])
    assert "differ" not in capsys.readouterr().err
