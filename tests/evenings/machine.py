"""The state machine that hypothesis drives: an evening of hands, corrections, crashes, looks at the pages."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tests.evenings import amending
from tests.evenings.book import Agreed
from tests.evenings.evening import Evening
from tests.evenings.table import Counts

MEMORY = Path("/dev/shm")
"""Where the ledgers lie if there is such a place: flushing a real disk 2,500 times is no subject here."""
SEED = st.binary(min_size=8, max_size=8)
"""Bytes, since of numbers hypothesis likes the same few best: it would play the same hands all evening."""
SIMPLEST = st.builds(
    Agreed,
    base=st.sampled_from([1, 3]),
    system=st.sampled_from(["1-2", "1-2-4", "1-2-3"]),
    pay_mode=st.sampled_from(["none", "half", "full"]),
    exposed_payer=st.sampled_from(["all", "feeder"]),
    several=st.booleans(),
    fine=st.sampled_from([0, 3, 10]),
    fine_ends_hand=st.booleans(),
    reveal=st.sampled_from([0, 2]),
    lost_if_unstated=st.booleans(),
    referee=st.booleans(),
    hands=st.sampled_from([0, 0, 12]),
    loss_limit=st.sampled_from([0, 0, 60]),
)
MCR = st.builds(
    Agreed,
    variant=st.just("mcr"),
    fine=st.sampled_from([10, 20]),
    fine_ends_hand=st.booleans(),
    reveal=st.sampled_from([0, 5]),
    lost_if_unstated=st.booleans(),
    referee=st.booleans(),
)


class Evenings(RuleBasedStateMachine):
    """One evening; what happens in a hand comes from a seed, so that hypothesis can leave out whole hands."""

    hands = 100
    """An evening has at least so many."""
    tears = 0.002
    counts = Counts()
    evenings = 0
    sabotage = ""

    evening: Evening | None = None
    is_whole = True
    """Nothing has failed, so that the evening can be played to its end."""

    @initialize(agreed=st.one_of(SIMPLEST, SIMPLEST, MCR), seed=SEED)
    def sit_down(self, agreed: Agreed, seed: bytes) -> None:
        self.folder = tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None)
        self.evening = Evening(Path(self.folder.name), agreed, seed, self.counts, self.tears)
        self.evening.table.sabotage = self.sabotage
        self.played = 0

    @contextmanager
    def doing(self, seed: bytes) -> Iterator[Evening]:
        """Do something by chance; what fails in it is the end of the evening."""
        assert self.evening is not None
        self.is_whole = False
        self.evening.chance.seed(seed)
        yield self.evening
        self.is_whole = True

    def _play(self, seed: bytes) -> None:
        with self.doing(seed) as evening:
            evening.play()
        self.played += 1

    @precondition(lambda self: self.played < self.hands)
    @rule(seeds=st.lists(SEED, min_size=1, max_size=6))
    def play(self, seeds: list[bytes]) -> None:
        for seed in seeds:
            self._play(seed)

    @rule(seed=SEED)
    def put_right(self, seed: bytes) -> None:
        with self.doing(seed) as evening:
            evening.amend()

    @rule(seed=SEED)
    def power_fails(self, seed: bytes) -> None:
        with self.doing(seed) as evening:
            if evening.maybe(0.4):  # each start folds, which is most of what an evening costs
                evening.crash()

    @rule()
    def look(self) -> None:
        with self.doing(b"") as evening:
            evening.look()

    @rule(seed=SEED)
    def end_the_game(self, seed: bytes) -> None:
        with self.doing(seed) as evening:
            if evening.maybe(0.3):
                amending.end(evening)
                evening.compare()

    def teardown(self) -> None:
        """Play the evening to its end, check it, and leave nothing behind."""
        if self.evening is None:
            return
        try:
            while self.is_whole and self.played < self.hands:
                self._play(b"%d" % self.played)
            if self.is_whole:
                self.evening.end()
                type(self).evenings += 1
        finally:
            self.evening.table.journal.close()
            self.folder.cleanup()


def machine(**settled: Any) -> type[Evenings]:
    """Return the machine with figures of its own."""
    return type("Evenings", (Evenings,), {"counts": Counts(), "evenings": 0, **settled})
