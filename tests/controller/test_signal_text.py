"""What the sensors say in words: margins of counters, temperature, edges."""

from __future__ import annotations

import pytest

from controller.cli.score_text import Lang
from controller.diag.asked import (
    AnalogAnswer,
    EdgeRow,
    EdgesAnswer,
    MarginAnswer,
    MarginRow,
    celsius,
)
from controller.diag.signal_text import analog_lines, edges_lines, margin_lines, margin_words


def margin(*counts: int, shortest: int = 34, longest: int = 58, short: int = 0, long: int = 0) -> MarginRow:
    bins = tuple((8 * place, count) for place, count in enumerate((*counts, *[0] * (9 - len(counts)))))
    return MarginRow(2, shortest, longest, short, long, bins)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (margin(), "no tile has passed"),
        (margin(0, 0, 0, 0, 9, 20, 5), "good"),
        (margin(0, 0, 3, 9, 20, shortest=17), "narrow"),
        (margin(0, 0, 0, 0, 20, short=2), "light of the room"),
        (margin(short=1), "light of the room"),
        (margin(0, 0, 0, 0, 100, short=2), "good"),
        (margin(0, 0, 0, 0, 20, long=1), "stood before"),
    ],
)
def test_what_the_pulses_of_a_counter_say(row: MarginRow, says: str) -> None:
    zh, en = margin_words(row)
    assert says in en
    assert zh


def test_margins_are_drawn() -> None:
    answer = MarginAnswer("board", "/dev/x", (margin(0, 0, 0, 0, 10, 20, 0, 0, 1),))
    lines = list(margin_lines(answer, Lang.EN))
    assert lines[0] == "side 2  tiles 31  34-58 ms  good"
    assert [line.split("█")[0].split() for line in lines[1:]] == [
        ["32-40", "ms", "10"],
        ["40-48", "ms", "20"],
        ["64-", "ms", "1"],
    ]
    assert [line.count("█") for line in lines[1:]] == [20, 40, 2]


@pytest.mark.parametrize(
    ("millivolt", "degrees"),
    [(2500, 25.0), (560, 80.0), (4000, 0.0), (0, None), (4999, None), (5000, None)],
)
def test_temperature_of_the_divider(millivolt: int, degrees: float | None) -> None:
    told = celsius(millivolt)
    if degrees is None or told is None:
        assert told is degrees
    else:
        assert abs(told - degrees) < 7, "the board stops at about 80 degrees"


def test_a_broken_wire_is_no_temperature() -> None:
    answer = AnalogAnswer("board", "x", 4000, 24.0, 5000, None, 0, 0, 1850)
    text = "\n".join(analog_lines(answer, Lang.EN))
    assert "broken or shorted wire" in text
    assert "24.0 V" in text
    assert "1850 mA" in text


def test_only_what_changed_is_listed() -> None:
    rows = (EdgeRow("lid", "机盖打开", "lid open", 0), EdgeRow("jam_1", "堵牌", "jam sensor, side 1", 7))
    assert list(edges_lines(EdgesAnswer("board", "x", rows), Lang.EN)) == [
        "jam_1               7  jam sensor, side 1",
        "the other 1 have not changed since the start",
    ]
