"""Scoring a hand from its text."""

from __future__ import annotations

import time

from rules.notation import parse_hand
from rules.scoring import Win, score
from rules.seats import Seat
from rules.situation import Situation
from rules.variants import get_variant
from tests.bench.row import Row, median

HANDS = (
    "[555m] 123m 678p EE 34s + 5s",
    "1133m 5577m 2288p E + E",
    "(7777p)[222m] 999s 44p EE + E",
    "111222333m 4p 555s + 4p",
)


def rows() -> list[Row]:
    """Return the median time to parse and score one hand of `simplest`, options 258."""
    variant = get_variant("simplest")
    situation = Situation(dealer=Seat.E, options={"pair_rule": "258"})
    times = []
    for _ in range(200):
        for text in HANDS:
            started = time.perf_counter()
            score(variant, Win(Seat.S, parse_hand(text), "self_draw", None), situation)
            times.append((time.perf_counter() - started) * 1e6)
    return [Row("rules: score from text, simplest 258, median", median(times), "us")]
