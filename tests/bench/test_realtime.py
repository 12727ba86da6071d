"""What the watch over a live table notices; the watch itself is long and runs by hand."""

from __future__ import annotations

from itertools import cycle

import pytest

from tests.bench.realtime import Watched

MINUTES = 10
FLAT = (190.0, 180.0, 195.0, 175.0)
# megabytes of the twin at the end of each minute, what is missed of them
MEMORY = (
    ("flat after the first minute", [150.0, *[200.0] * 9], False),
    ("a collector's rhythm", [mb for mb, _ in zip(cycle(FLAT), range(MINUTES), strict=False)], False),
    ("a megabyte a minute", [200.0 + minute for minute in range(MINUTES)], False),
    ("three megabytes a minute", [200.0 + 3 * minute for minute in range(MINUTES)], True),
    ("too short to tell", [100.0, 200.0], False),
)


@pytest.mark.parametrize(("name", "twin", "grew"), MEMORY, ids=[row[0] for row in MEMORY])
def test_memory_that_grows_is_noticed(name: str, twin: list[float], grew: bool) -> None:
    watched = Watched(memory=[{"service": 180.0, "twin": mb} for mb in twin])
    assert [text.split(" grew")[0] for text in watched.missed()] == (["memory of the twin"] if grew else [])


@pytest.mark.parametrize(
    ("board", "passed", "missed"), [(0.5, 10.0, False), (1.0, 10.0, True), (1.0, 4.0, False)]
)
def test_a_machine_that_costs_too_much_is_noticed(board: float, passed: float, missed: bool) -> None:
    watched = Watched()
    for _ in range(2):
        spent = {"service": 3.0, "board": board / 2, "machine": 0.1, "camera": 3.0}
        watched.note("BUILDING", passed / 2, spent)
    assert watched.share("BUILDING", "board") == pytest.approx(board / passed)
    assert [text.split(":")[0] for text in watched.missed()] == (["BUILDING"] if missed else [])
