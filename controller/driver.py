"""Runs what the brain wants done, in order: one place for the live and the virtual table.

A commit is durable before the next effect runs; its rows go back into the brain at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from controller.effects import Answer, Commit, Effect, SendBytes, SetLine, TakePhoto
from controller.errors import JournalFull
from controller.facts import Fact, Record
from controller.inputs import Committed, Input, Tick


class Brain(Protocol):
    """What a driver needs of `controller.runtime.Runtime`."""

    def feed(self, given: Input, now_ms: int) -> list[Effect]:
        """Take one input; return what is to be done, in order."""

    def next_deadline_ms(self) -> int | None:
        """Return when a `Tick` is due at the latest."""


class Ledger(Protocol):
    """What a driver needs of `controller.journal.Journal`."""

    def append(self, facts: Sequence[Fact]) -> tuple[Record, ...]:
        """Write the facts in one transaction; they are on disk when this returns."""


class Hands(Protocol):
    """What a driver does to the world; nothing of it may wait for the world."""

    def send(self, data: bytes) -> None:
        """Write bytes to the board."""

    def take_photo(self, want: TakePhoto) -> None:
        """Take and read a photo; `PhotoRead` or `PhotoFailed` with the same id must follow."""

    def set_line(self, line: str, level: int) -> None:
        """Drive an output line."""

    def answer(self, answer: Answer) -> None:
        """Tell whoever asked."""

    def committed(self, records: tuple[Record, ...]) -> None:
        """Facts are on disk: show them."""


class Driver:
    """Feeds the brain one input at a time and runs the effects of each before the next."""

    def __init__(self, brain: Brain, ledger: Ledger, hands: Hands) -> None:
        self.brain = brain
        self._ledger = ledger
        self._hands = hands
        self._held: list[Effect] = []

    @property
    def is_held(self) -> bool:
        """Whether facts could not be written: `retry` comes before anything else is fed."""
        return bool(self._held)

    def retry(self, now_ms: int) -> None:
        """Go on where the ledger could not be written.

        Raises:
            JournalFull: if it still cannot.
        """
        self._run(self._held, now_ms)  # holds the rest of them where it fails
        self._held = []

    def feed(self, given: Input, now_ms: int) -> None:
        """Give the brain an input and do what it wants.

        Raises:
            JournalFull: if its facts cannot be written; they, and all that was to follow, are held.
        """
        self._run(self.brain.feed(given, now_ms), now_ms)

    def tick(self, now_ms: int) -> bool:
        """Give the brain the time if a deadline has passed; returns whether one had."""
        due_ms = self.brain.next_deadline_ms()
        if due_ms is None or due_ms > now_ms:
            return False
        self.feed(Tick(), now_ms)
        return True

    def _run(self, effects: list[Effect], now_ms: int) -> None:
        for at, effect in enumerate(effects):
            match effect:
                case Commit(facts):
                    try:
                        records = self._ledger.append(facts)
                    except JournalFull:
                        self._held = effects[at:]
                        raise
                    self._run(self.brain.feed(Committed(records), now_ms), now_ms)
                    self._hands.committed(records)
                case SendBytes(data):
                    self._hands.send(data)
                case TakePhoto():
                    self._hands.take_photo(effect)
                case SetLine(line, level):
                    self._hands.set_line(line, level)
                case Answer():
                    self._hands.answer(effect)
