"""The same press acts once: in a run, after a restart, and when the service dies before it could answer."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from controller.answers import KEY_REUSED, press_text
from controller.driver import Driver
from controller.effects import Answer, TakePhoto
from controller.facts import Fact, Record
from controller.inputs import PageCommand, PortDown, Restarted
from controller.journal import verify
from controller.journal_read import each_record
from controller.runtime import Runtime
from controller.snapshots import open_ledger

PRESS = press_text("phone", "k1", "new_game", {})


class Brain:
    """Ledger, runtime and driver of one life of a service; `dies` names the moment of kill -9."""

    def __init__(self, path: Path, dies: str = "") -> None:
        opened = open_ledger(path)
        self.journal = opened.journal
        self.dies = ""
        runtime = Runtime("simplest", state=opened.state, earlier=opened.latest())
        self.driver = Driver(runtime, self, self)
        self.answers: list[Answer] = []
        self.driver.feed(Restarted(), 0)
        self.driver.feed(PortDown("none"), 0)
        self.dies = dies

    def ask(self, press: str, name: str = "new_game", role: str = "technician") -> Answer:
        self.driver.feed(PageCommand("", name, {}, role, press), 0)
        return self.answers[-1]

    def append(self, facts: Sequence[Fact]) -> tuple[Record, ...]:
        self._moment("before")
        records = self.journal.append(facts)
        self._moment("between")
        return records

    def answer(self, answer: Answer) -> None:
        self.answers.append(answer)

    def committed(self, records: tuple[Record, ...]) -> None:
        pass

    def send(self, data: bytes) -> None:
        pass

    def take_photo(self, want: TakePhoto) -> None:
        pass

    def set_line(self, line: str, level: int) -> None:
        pass

    def _moment(self, name: str) -> None:
        if self.dies == name:
            os.kill(os.getpid(), signal.SIGKILL)


@contextmanager
def life(path: Path) -> Iterator[Brain]:
    brain = Brain(path)
    try:
        yield brain
    finally:
        brain.journal.close()


def killed(path: Path, dies: str) -> None:
    """Let a service of its own be asked and die of kill -9 at that moment."""
    pid = os.fork()
    if not pid:
        try:
            Brain(path, dies).ask(PRESS)
        finally:
            os._exit(1)
    assert os.WTERMSIG(os.waitpid(pid, 0)[1]) == signal.SIGKILL


def games(path: Path) -> int:
    return sum(record.kind == "game_started" for record in each_record(path))


def test_a_press_acts_once_and_is_told_its_own_row_whatever_came_since(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with life(path) as brain:
        first = brain.ask(PRESS)
        other = brain.ask(press_text("phone", "k2", "new_game", {}))
        assert (first.ok, other.ok, other.seq > first.seq) == (True, True, True)
        assert brain.ask(PRESS) == first
        assert brain.ask(press_text("phone", "k1", "stop", {}), "stop").code == KEY_REUSED
    assert games(path) == 3, "the first of a new ledger, and two that were asked for"


def test_a_press_is_known_after_a_restart_from_its_rows_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with life(path) as brain:
        first = brain.ask(PRESS)
    with life(path) as brain:
        assert brain.ask(PRESS) == first
        assert brain.ask(press_text("phone", "k1", "stop", {}), "stop").code == KEY_REUSED
        assert brain.ask(press_text("tablet", "k1", "new_game", {})).seq > first.seq, "a key of another's"
    assert games(path) == 3
    assert verify(path).ok
    assert [record.press for record in each_record(path) if record.press] == [
        PRESS,
        press_text("tablet", "k1", "new_game", {}),
    ]


@pytest.mark.parametrize("dies", ["before", "between"])
def test_asked_again_after_kill_9_before_the_answer_it_acts_once(tmp_path: Path, dies: str) -> None:
    path = tmp_path / "journal.db"
    with life(path):
        pass
    killed(path, dies)
    assert games(path) == {"before": 1, "between": 2}[dies], "it died at that moment"
    with life(path) as brain:
        assert brain.ask(PRESS).ok
    assert games(path) == 2


def test_a_refusal_is_repeated_while_the_service_runs_and_not_kept(tmp_path: Path) -> None:
    press = press_text("phone", "k1", "confirm", {})
    with life(tmp_path / "journal.db") as brain:
        rows = brain.journal.seq
        said = brain.ask(press, "confirm")
        assert (said.ok, said.code) == (False, "refuse.confirm")
        assert brain.ask(press, "confirm") == said
        assert brain.journal.seq == rows


def test_the_body_of_a_row_is_the_same_with_and_without_a_press(tmp_path: Path) -> None:
    """No fold, page or comparison of ledgers ever sees it."""
    bodies: list[Any] = []
    for press in ("", PRESS):
        path = tmp_path / f"journal{len(press)}.db"
        with life(path) as brain:
            brain.ask(press)
        bodies.append([(record.kind, record.body) for record in each_record(path)])
    assert bodies[0] == bodies[1]
