"""Effects run in order, a commit is on disk and back in the brain before anything after it."""

from __future__ import annotations

from collections.abc import Sequence

from controller.driver import Driver
from controller.effects import Answer, Commit, Effect, SendBytes, SetLine, TakePhoto
from controller.facts import Fact, Record
from controller.inputs import Committed, Input, PortUp, Tick

FACT = Fact("machine_event", {"event": "test"})


class Story:
    """Brain, ledger and hands in one; everything that happens is written down in order."""

    def __init__(self, effects: list[Effect], deadline_ms: int | None = None) -> None:
        self.lines: list[str] = []
        self._effects = effects
        self._deadline_ms = deadline_ms

    def feed(self, given: Input, now_ms: int) -> list[Effect]:
        self.lines.append(f"feed {type(given).__name__} {now_ms}")
        return [] if isinstance(given, Committed) else self._effects

    def next_deadline_ms(self) -> int | None:
        return self._deadline_ms

    def append(self, facts: Sequence[Fact]) -> tuple[Record, ...]:
        self.lines.append(f"append {len(facts)}")
        return tuple(Record(n, fact.kind, fact.body, "") for n, fact in enumerate(facts, start=1))

    def send(self, data: bytes) -> None:
        self.lines.append(f"send {data!r}")

    def take_photo(self, want: TakePhoto) -> None:
        self.lines.append(f"photo {want.purpose}")

    def set_line(self, line: str, level: int) -> None:
        self.lines.append(f"line {line} {level}")

    def answer(self, answer: Answer) -> None:
        self.lines.append(f"answer {answer.code}")

    def committed(self, records: tuple[Record, ...]) -> None:
        self.lines.append(f"committed {len(records)}")


def test_effects_run_in_order() -> None:
    story = Story(
        [
            SendBytes(b"a"),
            Commit((FACT, FACT)),
            SetLine("mcu_reset", 1),
            TakePhoto("p1", "lamp"),
            SendBytes(b"b"),
            Answer("r1", True, "ok"),
        ]
    )
    Driver(story, story, story).feed(PortUp(), 7)
    assert story.lines == [
        "feed PortUp 7",
        "send b'a'",
        "append 2",
        "feed Committed 7",
        "committed 2",
        "line mcu_reset 1",
        "photo lamp",
        "send b'b'",
        "answer ok",
    ]


def test_a_ledger_that_cannot_write_lets_nothing_happen_after_it() -> None:
    class Full(Story):
        def append(self, facts: Sequence[Fact]) -> tuple[Record, ...]:
            raise OSError("full")

    story = Full([Commit((FACT,)), SendBytes(b"motor on")])
    try:
        Driver(story, story, story).feed(PortUp(), 0)
    except OSError:
        pass
    else:
        raise AssertionError("the error must rise")
    assert story.lines == ["feed PortUp 0"]


def test_tick_only_when_a_deadline_has_passed() -> None:
    story = Story([], deadline_ms=100)
    driver = Driver(story, story, story)
    assert not driver.tick(99)
    assert driver.tick(100)
    assert story.lines == [f"feed {Tick.__name__} 100"]
    assert not Driver(Story([]), story, story).tick(10**9)
