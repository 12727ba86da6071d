"""Snapshots: a start folds few rows, and nothing in a snapshot is believed that the rows do not say."""

from __future__ import annotations

import ast
import asyncio
import dataclasses
import json
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest

from controller import snapshots
from controller.errors import JournalDamaged
from controller.facts import Fact
from controller.history import HANDS_KEPT, History, remembered
from controller.journal import Journal, fold_records, read_records
from controller.projections import history_view
from controller.snapshots import (
    Opened,
    SnapshotKeeper,
    open_ledger,
    read_snapshot,
    recheck,
    recheck_behind,
    snapshot_of,
    snapshot_path,
    write_snapshot,
)
from controller.state import TableState
from tests.controller.ledgers import hand_facts, start_facts

HANDS = 30


def played(path: Path, hands: int = HANDS) -> Opened:
    """Write some hands and return the ledger, open."""
    opened = open_ledger(path)
    opened.journal.append(start_facts())
    for hand in range(1, hands + 1):
        for fact in hand_facts(hand):
            opened.journal.append([fact])
    opened.journal.close()
    return open_ledger(path)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


def kept(path: Path) -> Opened:
    """Return a ledger with a snapshot of it, closed, and five rows more."""
    opened = played(path)
    write_snapshot(snapshot_path(path), snapshot_of(opened.state, opened.history))
    for fact in list(hand_facts(HANDS + 1))[:5]:
        opened.journal.append([fact])
    opened.journal.close()
    return opened


def test_a_start_from_a_snapshot_comes_to_the_same(path: Path) -> None:
    before = kept(path)
    from_snapshot = open_ledger(path)
    from_snapshot.journal.close()
    assert from_snapshot.journal.checked_from == before.state.seq
    snapshot_path(path).unlink()
    from_rows = open_ledger(path)
    from_rows.journal.close()
    assert from_rows.journal.checked_from == 0
    assert (from_snapshot.state, from_snapshot.history) == (from_rows.state, from_rows.history)
    assert from_rows.state == fold_records(read_records(path), path)
    assert from_snapshot.journal.head == from_rows.journal.head
    assert recheck(path) is None


def test_a_long_fold_says_that_it_goes_on(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(path)
    told: list[int] = []
    monkeypatch.setattr(snapshots, "EVERY_ROWS", 100)
    open_ledger(path, going_on=told.append).journal.close()
    assert told == [], "a start from a snapshot is short"
    snapshot_path(path).unlink()
    opened = open_ledger(path, going_on=told.append)
    opened.journal.close()
    assert told == list(range(100, opened.state.seq + 1, 100))
    assert opened.history.total == HANDS


def test_a_start_from_a_snapshot_reads_no_row_before_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(path)
    read: list[int] = []
    is_sealed = snapshots.Journal.__init__.__globals__["is_sealed"]
    for module in ("controller.journal", "controller.journal_rows"):
        monkeypatch.setattr(f"{module}.is_sealed", lambda row: read.append(row[0]) or is_sealed(row))
    opened = open_ledger(path)
    opened.journal.close()
    last = opened.state.seq
    assert read == list(range(last - 5, last + 1))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda place, snapshot: place.write_bytes(place.read_bytes()[:-40]),
        lambda place, snapshot: place.write_bytes(b""),
        lambda place, snapshot: place.write_bytes(place.read_bytes().replace(b'"hand":30', b'"hand":31')),
        lambda place, snapshot: write_snapshot(place, replace(snapshot, fold="0" * 64)),
        lambda place, snapshot: write_snapshot(place, replace(snapshot, format=99)),
        lambda place, snapshot: write_snapshot(place, replace(snapshot, head="ab" * 32)),
        lambda place, snapshot: write_snapshot(place, replace(snapshot, seq=snapshot.seq + 1)),
        lambda place, snapshot: write_snapshot(place, replace(snapshot, seq=snapshot.seq + 1000)),
    ],
    ids=["torn", "empty", "changed", "other code", "other form", "other head", "other row", "no such row"],
)
def test_a_snapshot_that_does_not_fit_is_not_used(path: Path, spoil: object) -> None:
    kept(path)
    place = snapshot_path(path)
    snapshot = read_snapshot(place)
    assert snapshot is not None
    spoil(place, snapshot)  # type: ignore[operator]
    opened = open_ledger(path)
    opened.journal.close()
    assert opened.journal.checked_from == 0
    assert opened.state == fold_records(read_records(path), path)


def test_a_forged_snapshot_is_found_behind_the_start_and_removed(path: Path) -> None:
    kept(path)
    snapshot = read_snapshot(snapshot_path(path))
    assert snapshot is not None
    richer = replace(snapshot.state.seats[0], score=snapshot.state.seats[0].score + 2)
    poorer = replace(snapshot.state.seats[1], score=snapshot.state.seats[1].score - 2)
    forged = replace(snapshot.state, seats=(richer, poorer, *snapshot.state.seats[2:]))
    write_snapshot(snapshot_path(path), replace(snapshot, state=forged))
    with pytest.raises(JournalDamaged, match="not what the rows"):
        asyncio.run(recheck_behind(path))
    assert not snapshot_path(path).exists()
    asyncio.run(recheck_behind(path))


def test_a_service_that_started_from_a_forged_snapshot_ends_by_name(path: Path) -> None:
    kept(path)
    snapshot = read_snapshot(snapshot_path(path))
    assert snapshot is not None
    write_snapshot(snapshot_path(path), replace(snapshot, state=replace(snapshot.state, hand=99)))
    words = [sys.executable, "-m", "controller.cli", "run", "--port", "0", "--data", str(path.parent)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(f"mahjong-table: {snapshot_path(path)}: not what the rows")
    assert not snapshot_path(path).exists()


def test_an_old_row_that_was_changed_is_found_behind_the_start(path: Path) -> None:
    kept(path)
    with sqlite3.connect(path) as db:
        db.execute("DROP TRIGGER journal_no_update")
        db.execute("UPDATE journal SET clock_ok = 1 - clock_ok WHERE seq = 9")
    opened = open_ledger(path)
    opened.journal.close()
    assert opened.journal.checked_from > 9
    wrong = recheck(path)
    assert wrong is not None
    assert "row 9 breaks the chain" in wrong
    with pytest.raises(JournalDamaged, match="row 9"):
        open_ledger(path)


def test_a_snapshot_is_taken_every_so_many_rows(path: Path) -> None:
    opened = played(path)
    keeper = SnapshotKeeper(snapshot_path(path), opened.state.seq - 9, every=10)
    assert keeper.committed(opened.state, opened.history) is None
    keeper = SnapshotKeeper(snapshot_path(path), opened.state.seq - 10, every=10)
    writing = keeper.committed(opened.state, opened.history)
    assert writing is not None
    writing.result()
    assert keeper.committed(opened.state, opened.history) is None
    keeper.close()
    snapshot = read_snapshot(snapshot_path(path))
    assert snapshot is not None
    assert (snapshot.state, snapshot.history, snapshot.head) == (
        opened.state,
        opened.history,
        opened.journal.head,
    )
    opened.journal.close()


def test_a_snapshot_that_cannot_be_written_stops_nothing(path: Path) -> None:
    opened = played(path, 1)
    keeper = SnapshotKeeper(path.parent / "no such folder" / "ledger.snapshot", 0, every=1)
    writing = keeper.committed(opened.state, opened.history)
    assert writing is not None
    assert writing.exception() is None
    keeper.close()
    opened.journal.close()


def test_the_history_keeps_the_last_hands_and_counts_all(path: Path) -> None:
    opened = played(path)
    opened.journal.close()
    rows = read_records(path)
    shown = history_view(opened.history.rows, total=opened.history.total)
    assert shown == history_view(rows)
    assert (shown["total"], len(shown["hands"])) == (HANDS, HANDS_KEPT)
    assert len(opened.history.rows) == HANDS_KEPT + 1  # and the game they belong to
    one_by_one = History()
    for row in rows:
        one_by_one = remembered(one_by_one, [row])
    assert one_by_one == opened.history


def test_the_whole_state_passes_through_a_snapshot(path: Path) -> None:
    opened = played(path, 2)
    state = opened.state
    for fact in hand_facts(3):
        (record,) = opened.journal.append([fact])
        state = fold_records([record], path, state)
        write_snapshot(snapshot_path(path), snapshot_of(state, opened.history))
        snapshot = read_snapshot(snapshot_path(path))
        assert snapshot is not None
        assert snapshot.state == state, fact.kind
    opened.journal.close()


def test_the_fold_of_other_code_has_another_print(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = snapshots.fold_print()
    folder = Path(snapshots.__file__).parent
    copied = {path.name for pattern in snapshots._FOLDERS for path in folder.glob(pattern)}
    assert {"facts.py", "fold.py", "fold_machine.py", "state.py", "history.py"} <= copied
    for name in copied:
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    monkeypatch.setattr(snapshots, "__file__", str(tmp_path / "snapshots.py"))
    assert snapshots.fold_print.__wrapped__() == mine
    (tmp_path / "fold_more.py").write_text("")
    assert snapshots.fold_print.__wrapped__() != mine


def test_all_code_that_folds_is_in_the_print() -> None:
    folder = Path(snapshots.__file__).parent
    covered = {path for pattern in snapshots._FOLDERS for path in folder.glob(pattern)}
    names = {f"controller.{path.stem}" for path in covered}
    for path in covered:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
            if module.split(".")[0] in ("controller", "rules"):
                assert module in {*names, "rules.seats"}, f"{path.name} folds by {module}"


def test_every_field_of_the_state_can_stand_in_a_snapshot() -> None:
    """JSON gives these types back as they were; a list, a set or a bare `Any` would be another."""
    seen: set[type] = set()

    def look(kind: Any, where: str) -> None:
        origin, parts = get_origin(kind), get_args(kind)
        if origin in (Union, UnionType, tuple, frozenset):
            for part in parts:
                if part is not Ellipsis:
                    look(part, where)
        elif origin is Mapping:
            assert parts[0] is str, where
            if parts[1] is not Any:
                look(parts[1], where)
        elif dataclasses.is_dataclass(kind) and isinstance(kind, type):
            if kind not in seen:
                seen.add(kind)
                for name, hint in get_type_hints(kind).items():
                    look(hint, f"{kind.__name__}.{name}")
        else:
            plain = (str, int, float, bool, type(None))
            assert kind in plain or (isinstance(kind, type) and issubclass(kind, Enum)), f"{where}: {kind}"

    look(TableState, "TableState")
    assert len(seen) > 10


def test_a_bad_row_behind_the_snapshot_is_refused_at_start(path: Path) -> None:
    opened = kept(path)
    with sqlite3.connect(path) as db:
        db.execute("DROP TRIGGER journal_no_update")
        db.execute("UPDATE journal SET clock_ok = 1 - clock_ok WHERE seq = ?", (opened.state.seq + 2,))
    with pytest.raises(JournalDamaged, match=f"row {opened.state.seq + 2} breaks"):
        open_ledger(path)
    Journal(path.with_name("other.db")).close()  # and the writer's place was given back
    with pytest.raises(JournalDamaged):
        open_ledger(path)


def test_facts_of_the_tests_are_those_of_a_table() -> None:
    kinds = [fact.kind for fact in hand_facts(1)]
    assert {"hand_started", "claim", "hand_read", "confirmed", "settled"} <= set(kinds)
    for fact in hand_facts(1):
        assert json.loads(json.dumps(fact.body)) == fact.body
        assert isinstance(fact, Fact)
