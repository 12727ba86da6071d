"""A cable out, a frozen camera, a board that hangs, a service that hangs: each has a name and a way on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from controller.config import journal_path
from controller.journal import verify
from controller.play import PlayOrder, PlaySession
from controller.projections import state_view
from controller.state import Phase, TableState
from controller.virtual import VirtualTable

pytestmark = pytest.mark.e2e

HOST_DEATH_MS = 600


@pytest.fixture
def session(tmp_path: Path) -> Iterator[PlaySession]:
    with ExitStack() as stack:
        made = PlaySession(PlayOrder(1), tmp_path, stack, lambda _text: None)
        made.table.start()
        yield made
        assert verify(journal_path(tmp_path)).ok


def run_until(table: VirtualTable, is_there: Callable[[TableState], bool], limit_ms: int = 300_000) -> None:
    end_ms = table.now_ms + limit_ms
    while not is_there(table.runtime.state):
        table.step()
        assert table.now_ms < end_ms, (
            table.runtime.state.phase,
            table.runtime.state.step,
            table.refusals[-3:],
        )


def at(phase: Phase, step: str | None = None) -> Callable[[TableState], bool]:
    return lambda state: (state.phase, state.step) == (phase, step)


def run_for(table: VirtualTable, time_ms: int) -> None:
    end_ms = table.now_ms + time_ms
    while table.now_ms < end_ms:
        table.step(end_ms)


def shown(table: VirtualTable) -> dict[str, Any]:
    return dict(state_view(table.runtime.state, table.runtime.live))


def motors(table: VirtualTable) -> list[str]:
    return list(table.twin.ask("state")["motors"])


def clear(table: VirtualTable) -> None:
    """Press clear until it is taken, as a person does (the robots may have been first)."""
    for _ in range(20):
        if table.runtime.state.phase is not Phase.FAULT or table.post("clear_fault"):
            return
        run_for(table, 500)
    raise AssertionError(table.refusals[-3:])


def to_half_a_wall(table: VirtualTable) -> None:
    run_until(table, at(Phase.BUILDING, "build"))
    run_for(table, 8_000)
    assert motors(table)


@pytest.mark.parametrize(
    ("fault", "key"),
    [
        ({"name": "unplug", "for_ms": 4_000}, "fault.link"),
        ({"name": "hang"}, "fault.reset"),
        ({"name": "reset"}, "fault.reset"),
    ],
    ids=["cable", "watchdog", "reset"],
)
def test_a_build_that_is_cut_short_has_a_name_and_a_way_on(
    session: PlaySession, fault: dict[str, Any], key: str
) -> None:
    table = session.table
    to_half_a_wall(table)
    table.twin.fault(**fault)
    run_until(table, at(Phase.FAULT), 10_000)
    screen = shown(table)
    assert screen["fault"]["key"] == key
    assert all(screen["fault"][text] for text in ("zh", "en", "remedy_zh", "remedy_en"))
    assert {act["do"] for act in screen["act"]} == {"clear"}
    run_for(table, HOST_DEATH_MS)  # a board that cannot be told stops by itself
    assert not motors(table)
    run_for(table, 5_000)
    clear(table)
    run_until(table, at(Phase.READY))
    assert shown(table)["build"]["done"]
    assert sum(shown(table)["build"]["counts"]) == 136


@pytest.mark.parametrize("after_ms", [0, 137, 411], ids=lambda ms: f"{ms}ms")
def test_motors_are_off_within_600_ms_when_the_host_dies(session: PlaySession, after_ms: int) -> None:
    table = session.table
    to_half_a_wall(table)
    run_for(table, after_ms)
    table.idle(HOST_DEATH_MS)
    assert motors(table) == []


def test_a_frozen_camera_is_named_and_people_are_asked(session: PlaySession) -> None:
    table = session.table
    run_until(table, at(Phase.LIFTING))
    table.twin.fault("camera_freeze")
    run_until(table, at(Phase.DICE, "ask"))
    screen = shown(table)
    assert screen["health"]["camera"] == "frozen"
    assert screen["dice"]["asking"]
    assert screen["lamp"]["seen"] is None
    table.twin.fault("camera_back")
    run_until(table, at(Phase.DEALING))
    assert shown(table)["health"]["camera"] == "up"


def test_a_knocked_camera_is_told_and_the_table_is_measured_anew(session: PlaySession) -> None:
    table = session.table
    run_until(table, at(Phase.LIFTING))
    assert shown(table)["health"]["camera"] == "up"
    table.twin.fault("camera_knock")
    run_until(table, at(Phase.DICE, "throw"))
    codes = [notice["code"] for notice in shown(table)["notices"]]
    assert "camera.measured" in codes
    assert shown(table)["health"]["camera"] == "up"
    assert shown(table)["lamp"]["agree"]
    run_until(table, at(Phase.DEALING))
    assert not table.refusals


def test_a_camera_that_looks_away_is_named_until_somebody_puts_it_straight(session: PlaySession) -> None:
    table = session.table
    run_until(table, at(Phase.LIFTING))
    table.twin.fault("camera_turned")
    run_until(table, at(Phase.DICE, "ask"))
    screen = shown(table)
    assert screen["health"]["camera"] == "moved"
    assert screen["dice"]["asking"]
    assert screen["lamp"]["seen"] is None
    table.twin.fault("camera_straight")
    run_until(table, at(Phase.DEALING))
    assert shown(table)["health"]["camera"] == "up"


def test_a_camera_that_is_gone_does_not_stop_the_hand(session: PlaySession) -> None:
    table = session.table
    run_until(table, at(Phase.LIFTING))
    table.twin.fault("camera_gone")
    run_until(table, at(Phase.DICE, "ask"))
    assert shown(table)["health"]["camera"] == "down"
    throws = 0
    while table.runtime.state.phase is Phase.DICE:
        if table.runtime.state.step == "ask":
            throws += 1
            table.post("set_dice", pips=[3, 4])
        table.step()
    assert throws == 2
    assert table.runtime.state.opening is not None
