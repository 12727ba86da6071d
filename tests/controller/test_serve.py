"""What the service puts together: the clock its rows are stamped with."""

from __future__ import annotations

from pathlib import Path

from controller.facts import Fact
from controller.journal import Journal
from controller.serve import TrustClock


def test_rows_say_whether_the_clock_was_trusted_then(tmp_path: Path) -> None:
    answers = iter((False, False, True))
    clock = TrustClock(lambda: next(answers))
    journal = Journal(tmp_path / "ledger.db", clock=clock.stamp)
    fact = Fact("machine_event", {"event": "test"})
    assert not journal.append([fact])[0].clock_ok
    assert not clock.refresh()
    assert clock.refresh()
    assert journal.append([fact])[0].clock_ok
    journal.close()
