"""Hands of Chinese Official without wood, for trying out how robots play: who steers, who wins, how fast."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import thread_time
from typing import Any
from unittest import mock

from hardware.twin.robots import mind, steer
from hardware.twin.robots.eyes import Eyes
from hardware.twin.robots.quick import quick_hands
from rules.seats import ALL_SEATS, Seat

NO_THOUGHT_S = 0.0005  # most claims are none at all: the rules do not allow them
DECISIONS = ("pick_discard", "pick_own_kong", "wants_kong", "wants_pung", "wants_chow")


@dataclass
class Tally:
    """What came of some hands: how they ended, who won, points of a seat, seconds of each thought."""

    ends: Counter[str] = field(default_factory=Counter)
    wins: Counter[Seat] = field(default_factory=Counter)
    points: Counter[Seat] = field(default_factory=Counter)
    decisions_s: list[float] = field(default_factory=list)

    @property
    def hands(self) -> int:
        """All hands played."""
        return self.ends.total()

    def decision_ms(self, share: float) -> float:
        """Return the processor time within which this share of the decisions was made."""
        ranked = sorted(self.decisions_s)
        return 1000 * ranked[min(len(ranked) - 1, int(share * len(ranked)))]


def play(seed: int, hands: int, steering: frozenset[Seat] = frozenset(ALL_SEATS)) -> Tally:
    """Play hands at which only some seats steer; the others go the nearest way to any complete hand."""
    tally = Tally()
    with _only(steering), _timed(tally.decisions_s):
        for outcome in quick_hands(seed, hands, "mcr"):
            tally.ends[outcome.by or "washout"] += 1
            if outcome.seat is not None:
                tally.wins[outcome.seat] += 1
                assert outcome.points is not None
                tally.points.update({Seat(seat): points for seat, points in outcome.points.items()})
    return tally


@contextmanager
def _only(steering: frozenset[Seat]) -> Iterator[None]:
    def steers(eyes: Eyes) -> bool:
        return eyes.seat in steering

    with mock.patch.object(steer, "steers", steers):
        yield


@contextmanager
def _timed(seconds: list[float]) -> Iterator[None]:
    def timed(decide: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any) -> Any:
            begun = thread_time()
            answer = decide(*args)
            took = thread_time() - begun
            if took > NO_THOUGHT_S:
                seconds.append(took)
            return answer

        return wrapped

    with mock.patch.multiple(mind, **{name: timed(getattr(mind, name)) for name in DECISIONS}):
        yield
