"""A build that waits for tiles, and the programme switch at the machine, as the service sees them."""

from __future__ import annotations

from typing import Any

import pytest

from controller.state import Phase
from firmware_bridge import messages as m


@pytest.fixture
def building(table: Any) -> Any:
    """A table in the middle of a build."""
    table.to_load()
    table.key("lift_a")
    table.run(8_000)
    table.at(Phase.BUILDING, "build")
    assert table.board.state is m.State.building
    return table


def pauses(table: Any) -> list[bool]:
    return [message.on for message in table.board.sent if isinstance(message, m.Pause)]


def codes(table: Any) -> list[str]:
    return [notice["code"] for notice in table.view["notices"]]


def test_a_page_lets_the_build_wait_and_go_on(building: Any) -> None:
    table = building
    assert table.view["build"]["pause"] == "no"
    table.ok("pause")
    table.run(1_000)
    assert pauses(table) == [True]
    assert table.view["build"]["pause"] == "yes"
    table.at(Phase.BUILDING, "build")
    table.run(600_000)  # ten minutes on the floor looking for a tile
    assert table.view["fault"] is None
    beats = [at for at in table.board.beats if at > table.now - 10_000]
    assert len(beats) > 80, "the dome may move at any time, at the touch of a key"
    table.ok("resume")
    table.run(3_000)
    assert pauses(table) == [True, False]
    assert table.view["build"]["pause"] == "no"
    table.run(20_000)
    table.at(Phase.READY)
    assert table.view["build"]["pause"] is None
    assert [row.kind for row in table.rows].count("build_done") == 1


def test_lift_keys_belong_to_the_machine_while_it_builds_or_waits(building: Any) -> None:
    table = building
    sent = len(table.board.sent)
    for key in ("lift_a", "lift_b"):
        table.key(key)
    table.board.stand(table.now)
    table.run(1_000)
    table.key("lift_b")
    table.run(1_000)
    assert codes(table) == []
    assert not [each for each in table.board.sent[sent:] if not isinstance(each, m.GetStatus)]
    table.board.go_on(table.now)
    table.run(25_000)
    table.at(Phase.READY)


def test_what_is_not_there_cannot_wait_or_go_on(table: Any) -> None:
    assert table.do("pause").code == "refuse.pause"
    assert table.do("resume").code == "refuse.resume"


def test_a_build_does_not_go_on_twice(building: Any) -> None:
    assert building.do("resume").code == "refuse.resume"
    building.ok("pause")
    building.run(1_000)
    assert building.do("pause").code == "refuse.pause"


def test_a_refusal_of_the_board_is_told(building: Any) -> None:
    table = building
    table.ok("pause")
    table.run(1_000)
    table.board.refusing[m.Pause] = m.Reason.lid_open
    table.ok("resume")
    table.run(1_000)
    assert table.view["notices"] == [
        {"code": "order.refused", "params": {"order": "pause", "reason": "lid_open"}}
    ]
    assert table.view["build"]["pause"] == "yes"
    table.board.refusing.clear()
    table.ok("resume")
    table.run(1_000)
    assert codes(table) == [], "the lid is closed: nothing stands in the way any more"
    table.run(29_000)
    table.at(Phase.READY)


def test_a_board_that_starts_anew_in_a_pause_lost_count_as_in_a_build(building: Any) -> None:
    table = building
    table.ok("pause")
    table.run(1_000)
    table.board.reboot(table.now, m.ResetCause.brown_out)
    table.run(1_000)
    assert table.view["fault"]["key"] == "fault.reset"
    assert table.state.emptying


# ---------------------------------------------------------------- the rotary switch


@pytest.mark.parametrize(("position", "builds"), [(0, True), (5, True), (2, False), (6, False), (9, False)])
def test_the_switch_must_agree_before_a_build(table: Any, position: int, builds: bool) -> None:
    """The game is one of 136 tiles: position 5."""
    table.board.switch = position
    table.to_load()
    table.key("lift_a")
    table.run(10_000)
    table.at(Phase.BUILDING, "build")
    ordered = [each for each in table.board.sent if isinstance(each, m.Build)]
    if builds:
        assert ordered == [m.Build(136, 34, 34, 34, 34)]
        assert codes(table) == []
        return
    assert ordered == []
    assert table.view["notices"] == [
        {"code": "machine.programme", "params": {"at": position, "want": 5, "tiles": 136}}
    ]
    table.board.switch = 5
    table.run(5_000)
    assert codes(table) == []
    table.run(25_000)
    table.at(Phase.READY)


def test_a_switch_turned_in_a_build_is_a_remark(building: Any) -> None:
    table = building
    table.board.tell(m.Fault(343, 0, 2), table.now)
    table.board.switch = 2
    table.run(25_000)
    table.at(Phase.READY)
    assert table.view["fault"] is None


def test_a_service_that_starts_anew_in_a_pause_finds_it_so(building: Any) -> None:
    table = building
    table.ok("pause")
    table.run(1_000)
    table.restart()
    table.run(1_000)
    table.at(Phase.BUILDING, "build")
    assert table.view["build"]["pause"] == "yes"
    table.ok("resume")
    table.run(30_000)
    table.at(Phase.READY)
    assert [row.kind for row in table.rows].count("build_done") == 1
    assert pauses(table) == [True, False]
