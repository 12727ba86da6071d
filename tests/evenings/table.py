"""A table without a machine: decide, the real ledger on disk, and a power supply that fails at random.

A crash takes the files as a disk has them at that moment: the ledger, and a log whose last write is torn at a
random byte. What was acknowledged must be there, what was being written must be there whole or not at all.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from controller.decide import Decision, World, decide
from controller.evening import agreed_settings
from controller.facts import Fact, Record
from controller.fold import apply_fact, stamp
from controller.history import remembered
from controller.inputs import TableInput
from controller.journal_read import each_record
from controller.live_values import Live
from controller.snapshots import open_ledger, recheck, snapshot_of, snapshot_path, write_snapshot
from controller.state import TableState
from rules.seats import Seat
from rules.variants import get_variant

SNAPSHOT_ROWS = 400
"""Far more often than in use, so that starts from a snapshot and starts without one are both met."""


@dataclass
class Counts:
    """What was met, for those who read the figures."""

    hands: int = 0
    inputs: int = 0
    refused: int = 0
    rows: int = 0
    crashes: int = 0
    torn: int = 0
    lost_unacknowledged: int = 0
    corrections: int = 0
    kinds: dict[str, int] = field(default_factory=dict)

    def met(self, what: str) -> None:
        """Count something by name."""
        self.kinds[what] = self.kinds.get(what, 0) + 1


class Table:
    """Takes inputs as the service does: decide, write, acknowledge; `state` is what a client is shown."""

    def __init__(
        self, folder: Path, game: Mapping[str, Any], chance: Random, counts: Counts, tears: float
    ) -> None:
        """Start a service on an empty ledger.

        Args:
            game: variant, options and procedure that the table agreed on.
            tears: how many of 1 writes the power fails in.
        """
        rules = get_variant(game["variant"])
        agreed = agreed_settings(rules.key, game["options"], game["procedure"])
        self.game = {"table": "6", "variant": rules.key, "unit": rules.unit, "tiles": rules.tiles}
        self.game |= {"options": dict(agreed.options), "procedure": dict(agreed.procedure)}
        self.chance, self.counts, self.tears = chance, counts, 0.0
        self.folder, self.starts = folder, 0
        self.seen: dict[int, str] = {}
        self.sabotage = ""
        self.decided_in = 0
        self.changed_seats = False
        self._open(folder / "0" / "ledger.db")
        self.tears = tears

    # ---- the service starts

    def _open(self, path: Path) -> None:
        opened = open_ledger(path)
        self.path, self.journal, self.history = path, opened.journal, opened.history
        self.state, self.live = opened.state, Live(link="up")
        self.starts += 1
        self._given(TableInput("restarted", body=self.game, source="machine"))

    def crash(self) -> None:
        """The power fails between two writes."""
        state, seq = self.state, self.journal.seq
        files = self._files()
        lost = len(files["-wal"]) // 2 if self.sabotage == "lost-commit" else 0
        self._restart_on(files, files["-wal"][: len(files["-wal"]) - lost])
        assert self.state == state, "the ledger folds to something else than what was shown"
        assert self.journal.seq == seq

    def _files(self) -> dict[str, bytes]:
        names = {"": self.path, "-wal": self.path.with_name(self.path.name + "-wal")}
        return {end: path.read_bytes() if path.exists() else b"" for end, path in names.items()}

    def _restart_on(self, files: Mapping[str, bytes], log: bytes) -> None:
        self.counts.crashes += 1
        old = self.path
        self.journal.close()
        path = self.folder / str(self.starts) / "ledger.db"
        path.parent.mkdir()
        path.write_bytes(files[""])
        path.with_name(path.name + "-wal").write_bytes(log)
        snapshot = snapshot_path(old)
        if snapshot.exists():
            content = snapshot.read_bytes()
            torn = self.chance.random() < 0.2
            snapshot_path(path).write_bytes(content[: len(content) // 2] if torn else content)
        shutil.rmtree(old.parent)
        self._open(path)
        assert not self.seen or self._has(max(self.seen)), "what was acknowledged is lost"

    def _has(self, seq: int) -> bool:
        record = self.journal.record(seq)
        return record is not None and record.hash == self.seen[seq]

    # ---- inputs

    def do(
        self,
        name: str,
        seat: str | None = None,
        *,
        role: str = "player",
        rung: str = "",
        reading: Any = None,
        **body: Any,
    ) -> Decision:
        """Give an input and write what it brings about; after a crash that lost it, people do it again.

        Args:
            seat: whose key is pressed; None = it comes from a page (or the camera, with a `reading`).
            rung: a timer that rings before.
        """
        body = {key.rstrip("_"): value for key, value in body.items()}
        source = "page" if seat is None else "key"
        pressed = None if seat is None else Seat(seat)
        if name.startswith("photo"):
            source, body = "camera", {"purpose": "hand", "why": "frozen"}
        elif name in ("machine_fault", "fault_cleared"):
            source = "machine"
        given = TableInput(name, pressed, body, source, role, reading, "ab" * 32)
        while True:
            if rung:
                self._given(TableInput("timer", None, {"timer": rung}, "clock"))
            self.decided_in = self.starts
            made = self._given(given)
            if made is not None:
                self.counts.inputs += 1
                self.counts.refused += not made.ok
                return made

    def machine(self, *facts: Fact) -> None:
        """The machine and the deal bring the hand on: no subject of these tests."""
        while not self._write(facts, self.live):
            pass

    def _given(self, given: TableInput) -> Decision | None:
        """Decide and write; None = the power failed and nothing of it is on disk."""
        made = decide(World(self.state, self.live), given)
        if not made.ok or not made.facts:
            self.live = made.live or self.live
            return made
        return made if self._write(made.facts, made.live or self.live) else None

    def _write(self, facts: tuple[Fact, ...], live: Live) -> bool:
        if self.sabotage == "moved-point":
            facts = tuple(_moved(fact) for fact in facts)
        for fact in facts:
            deltas = fact.body.get("deltas") or {}
            assert sum(deltas.values()) == 0, fact
            self.changed_seats |= fact.kind == "seats_changed"
        if self.chance.random() < self.tears:
            return self._torn(facts)
        records = self.journal.append(facts)
        self._acknowledged(records)
        self.state, self.live = _after(self.state, records), live
        before, self.history = self.state.seq // SNAPSHOT_ROWS, remembered(self.history, records)
        if (self.state.seq - len(records)) // SNAPSHOT_ROWS < before:
            write_snapshot(snapshot_path(self.path), snapshot_of(self.state, self.history))
        return True

    def _acknowledged(self, records: tuple[Record, ...]) -> None:
        self.counts.rows += len(records)
        self.seen |= {record.seq: record.hash for record in records}

    def _torn(self, facts: tuple[Fact, ...]) -> bool:
        """The power fails while these facts are written; return whether they are on disk all the same."""
        self.counts.torn += 1
        before, seq, state = self._files(), self.journal.seq, self.state
        records = self.journal.append(facts)
        log = self._tear(before["-wal"], self._files()["-wal"])
        self._restart_on(before, log)
        if self.journal.seq == seq:
            self.counts.lost_unacknowledged += len(facts)
            assert self.state == state
            return False
        assert self.journal.seq == records[-1].seq, "a half of one write is on disk"
        assert [record.hash for record in self.journal.replay(seq)] == [record.hash for record in records]
        self._acknowledged(records)
        assert self.state == _after(state, records)
        return True

    def _tear(self, old: bytes, new: bytes) -> bytes:
        """Return the log as it is when only the first bytes of its last write came to the disk."""
        first, last = alike(old, new), len(new)
        if last <= len(old):
            last = max(first, last - alike(old[last - 1 :: -1], new[::-1]))
        cut = self.chance.randint(first, last)
        rest = old[cut:]
        if not rest:
            room = last - cut
            rest = self.chance.choice([b"", bytes(room), self.chance.randbytes(room)])
        return new[:cut] + rest

    # ---- the end

    def close(self) -> None:
        """Close the ledger, check it as a sceptical player does: every seal, every row seen, a new fold."""
        head = self.journal.head
        write_snapshot(snapshot_path(self.path), snapshot_of(self.state, self.history))
        self.journal.close()
        stored = {record.seq: record.hash for record in each_record(self.path)}
        assert stored == {**stored, **self.seen}
        assert stored[max(stored)] == head
        assert recheck(self.path) is None, "verify says no, or the rows fold to something else"

    @property
    def scores(self) -> dict[str, int]:
        """Return every entry's score in halves of a point."""
        unit = int(self.game["unit"])
        return {place.account: place.score * 2 // unit for place in self.state.seats}


def alike(one: bytes, other: bytes) -> int:
    """Return how many bytes are the same at the beginning.

    >>> alike(b"torn", b"today"), alike(b"", b"x"), alike(b"same", b"same again")
    (2, 0, 4)
    """
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


def _after(state: TableState, records: tuple[Record, ...]) -> TableState:
    """Return the state as a running service has it: facts first, their seals once they are on disk."""
    for record in records:
        state = apply_fact(state, Fact(record.kind, record.body))
    for record in records:
        state = stamp(state, record)
    return state


def _moved(fact: Fact) -> Fact:
    """Sabotage: a settlement in which East has a unit of South's; its sum is still zero."""
    if fact.kind != "settled":
        return fact
    deltas = dict(fact.body["deltas"])
    deltas |= {"E": deltas["E"] + 1, "S": deltas["S"] - 1}
    return Fact(fact.kind, {**fact.body, "deltas": deltas})
