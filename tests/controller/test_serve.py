"""What the service puts together: the clock its rows are stamped with, the names at its seats."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.clock import TrustClock
from controller.config import ConfigError
from controller.facts import Fact
from controller.journal import Journal
from controller.players import Players
from controller.serve import name_players


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


@pytest.mark.parametrize("name", ["", "  ", "x" * 25])
def test_a_name_that_is_none_is_named_with_its_seat(tmp_path: Path, name: str) -> None:
    players = Players(tmp_path / "players.db")
    with pytest.raises(ConfigError, match=r"players\.E: a name has 1 to 24"):
        name_players(players, {"E": name})
    players.rename("p1", "龙井")
    with pytest.raises(ConfigError):
        name_players(players, {"E": name})


def test_a_name_given_on_a_page_stays(tmp_path: Path) -> None:
    players = Players(tmp_path / "players.db")
    name_players(players, {"E": "东", "S": "南"})
    players.rename("p1", "龙井")
    name_players(players, {"E": "东", "S": "南"})
    assert players.names() == {"p1": "龙井", "p2": "南"}
