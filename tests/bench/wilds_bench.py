"""Best value of a hand with four wild tiles, against trying every way to take it."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import replace

from rules.engine import Ruleset, Told
from rules.engine_value import value_of
from rules.engine_wilds import everything
from rules.hand import Hand
from rules.seats import Seat
from rules.situation import Situation, Win
from rules.variants.tianjin import TIANJIN
from tests.bench.row import Row, median
from tests.rules.wild_hands import WILD, winning_hand

HANDS = 60


def _times(rules: Ruleset, hands: Sequence[Hand]) -> list[float]:
    """Return the milliseconds that each hand takes."""
    found = []
    for hand in hands:
        started = time.perf_counter()
        value_of(rules, Win(Seat.S, hand, "self_draw"), Situation(Seat.E), Told(wild=WILD))
        found.append((time.perf_counter() - started) * 1e3)
    return found


def rows() -> list[Row]:
    """Return the times for a hand with four wild tiles, and their part of trying every reading."""
    rng = random.Random(1)
    hands = [winning_hand(rng, 4) for _ in range(HANDS)]
    every = _times(replace(TIANJIN, matters=everything), hands)
    own = _times(TIANJIN, hands)
    ratio = sum(own) / sum(every)
    return [
        Row("rules: best value with four wilds, median", median(own), "ms", "<= 5"),
        Row("rules: the same against trying every reading", ratio, "ratio"),
    ]
