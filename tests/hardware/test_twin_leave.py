"""A twin that is asked to leave: it closes to the end whatever line the wish strikes in."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from hardware.twin import command
from hardware.twin.leave import SIGNALS, Leave

MOST_LINES = 2_000
WAIT_S = 20.0


@pytest.fixture
def leave() -> Iterator[Leave]:
    before = {number: signal.getsignal(number) for number in SIGNALS}
    wish = Leave()
    wish.listen()
    yield wish
    for number, handler in before.items():
        signal.signal(number, handler)


def ask() -> None:
    signal.raise_signal(signal.SIGTERM)


def test_who_is_asked_while_he_waits_leaves_at_once_and_then_closes_in_peace(leave: Leave) -> None:
    with pytest.raises(SystemExit) as left:
        leave.wait(ask)
    assert left.value.code == 0
    ask()
    signal.raise_signal(signal.SIGINT)


def test_who_is_asked_in_the_middle_of_a_step_does_it_to_its_end(leave: Leave) -> None:
    waited: list[str] = []
    assert leave.wait(lambda: 5) == 5
    ask()
    with pytest.raises(SystemExit):
        leave.wait(lambda: waited.append("what nobody wants any more"))
    assert not waited


def test_who_is_asked_before_anything_is_set_up_leaves_at_once(leave: Leave) -> None:
    with pytest.raises(SystemExit):
        ask()
    ask()


class Asked:
    """A stand-in for the twin's board and table that counts how often it was closed."""

    def __init__(self) -> None:
        self.closed = 0
        self.lines = 0
        self.ends = False

    def speak(self, baud: int) -> None:
        """Nobody listens."""

    def whereabouts(self) -> dict[str, Any]:
        self.ends = True
        return {"where": "-"}

    def close(self) -> None:
        """Several steps: only who does the last one has closed it."""
        for step in range(3):
            self.closed += step == 2

    def strike_at(self, line: int) -> Any:
        """Return a trace function that asks the twin to leave at that line after the last request."""

        def trace(frame: FrameType, event: str, argument: object) -> Any:
            if event == "line" and self.ends:
                self.lines += 1
                if self.lines == line:
                    ask()
            return trace

        return trace


def last_request(path: Path) -> None:
    until = time.monotonic() + WAIT_S
    while not path.exists() and time.monotonic() < until:
        time.sleep(0.001)
    with socket.socket(socket.AF_UNIX) as client, contextlib.suppress(OSError):
        client.connect(str(path))
        client.sendall(b'{"op":"state"}\n{"op":"quit"}\n')
        answers = client.makefile("rb")
        assert json.loads(answers.readline())
        answers.readline()


def test_a_twin_is_closed_whatever_line_of_its_end_is_struck(
    tmp_path: Path, leave: Leave, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client that ends a hand says quit, and ends the process at the same moment."""
    monkeypatch.setattr(command, "build_harness", lambda: None)
    monkeypatch.setattr(command, "build_firmware", lambda: None)
    monkeypatch.setattr(command, "Harness", lambda *_: contextlib.nullcontext())
    before, struck = sys.gettrace(), 0
    for line in range(1, MOST_LINES):
        twin, path = Asked(), tmp_path / f"{line}.sock"
        monkeypatch.setattr(command, "Twin", lambda *_, twin=twin: twin)
        wish = Leave()
        wish.listen()
        given = command.parser().parse_args(["--stepped", "--socket", str(path)])
        client = threading.Thread(target=last_request, args=(path,))
        client.start()
        sys.settrace(twin.strike_at(line))
        with contextlib.suppress(SystemExit):
            command._run(given, wish)
        sys.settrace(before)
        client.join(WAIT_S)
        assert twin.closed == 1, f"struck at line {line} of its end"
        if twin.lines < line:
            break
        struck += 1
    assert 20 < struck < MOST_LINES - 1
