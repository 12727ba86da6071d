"""Rows tell whether their time can be trusted: clocks that nobody set, that jump, that run backwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.clock import EARLIEST, TrustClock, clock_is_trusted, steady_ms, utc_text, wall_ms
from controller.facts import Fact
from controller.journal import Journal, Stamp, read_records

NOW = 1_796_000_000_000
"""30 November 2026."""
FACT = Fact("machine_event", {"event": "test"})


class Clocks:
    """A wall clock that can be set, a steady one, and a kernel that trusts or does not."""

    def __init__(self, wall: int = NOW) -> None:
        self.wall_ms = wall
        self.steady_ms = 5_000
        self.is_held = True

    def pass_ms(self, ms: int) -> None:
        self.wall_ms += ms
        self.steady_ms += ms

    def made(self) -> TrustClock:
        return TrustClock(lambda: self.is_held, wall=lambda: self.wall_ms, steady=lambda: self.steady_ms)


def test_a_clock_that_is_held_is_trusted() -> None:
    clocks = Clocks()
    clock = clocks.made()
    clocks.pass_ms(86_400_000)
    assert clock.stamp().clock_ok
    assert clock.stamp().at_utc == utc_text(NOW + 86_400_000)
    assert not clock.refresh()


def test_a_kernel_that_does_not_know_the_time() -> None:
    clocks = Clocks()
    clock = clocks.made()
    clocks.is_held = False
    assert clock.refresh()
    assert not clock.refresh()
    assert not clock.stamp().clock_ok
    clocks.is_held = True
    assert clock.refresh()
    assert clock.stamp().clock_ok


@pytest.mark.parametrize("step", [-3_600_000, -1_001, 1_001, 3_600_000])
def test_a_jump_is_told_in_the_row_and_until_the_clock_is_steady_again(step: int) -> None:
    clocks = Clocks()
    clock = clocks.made()
    clocks.pass_ms(1000)
    clocks.wall_ms += step
    assert not clock.stamp().clock_ok
    clocks.pass_ms(1000)
    assert not clock.stamp().clock_ok, "one more row does not make it right"
    assert not clock.is_ok
    clock.refresh()
    assert clock.stamp().clock_ok


def test_a_jump_that_only_the_watch_sees_is_told_too() -> None:
    clocks = Clocks()
    clock = clocks.made()
    clocks.wall_ms += 60_000
    assert clock.refresh()
    assert not clock.is_ok
    clocks.pass_ms(60_000)
    assert clock.refresh()
    assert clock.is_ok


@pytest.mark.parametrize("drift", [-1_000, -500, 500, 1_000])
def test_a_clock_that_is_drawn_right_slowly_is_no_jump(drift: int) -> None:
    clocks = Clocks()
    clock = clocks.made()
    clocks.wall_ms += drift
    assert clock.stamp().clock_ok


def test_a_clock_that_nobody_has_set() -> None:
    clock = Clocks(wall=1_000).made()
    assert utc_text(1_000) < EARLIEST
    assert not clock.stamp().clock_ok


def test_a_clock_behind_the_last_trusted_row_is_wrong_until_it_has_passed_it() -> None:
    clocks = Clocks()
    clock = clocks.made()
    clock.follow(Stamp(0, utc_text(NOW + 60_000), False))
    assert clock.stamp().clock_ok, "a row that was not trusted proves nothing"
    clock.follow(Stamp(0, utc_text(NOW + 60_000), True))
    assert not clock.stamp().clock_ok
    clocks.pass_ms(60_000)
    assert clock.stamp().clock_ok


def test_rows_carry_it(tmp_path: Path) -> None:
    clocks = Clocks()
    clock = clocks.made()
    journal = Journal(tmp_path / "ledger.db", clock=clock.stamp)
    assert journal.last_stamp() is None
    journal.append([FACT])
    clocks.wall_ms -= 7_200_000
    journal.append([FACT])
    assert [row.clock_ok for row in read_records(journal.path)] == [True, False]
    last = journal.last_stamp()
    assert last is not None
    assert (last.at_utc, last.clock_ok) == (utc_text(NOW - 7_200_000), False)
    journal.close()


def test_a_process_put_aside_between_two_reads_sees_no_jump() -> None:
    clocks = Clocks()
    clock = clocks.made()
    pauses = iter((30_000, 0))
    read = clock._wall

    def put_aside() -> int:
        clocks.pass_ms(next(pauses, 0))
        return read()

    clock._wall = put_aside
    assert clock.stamp().clock_ok


def test_the_clocks_of_this_machine() -> None:
    assert clock_is_trusted() in (True, False)
    before = steady_ms()
    assert before <= steady_ms()
    assert utc_text(wall_ms()).endswith("Z")
