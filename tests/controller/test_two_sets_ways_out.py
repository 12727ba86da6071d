"""Two sets: no wait without a word, and a way out of each: switch, cable, other tiles, back to one set."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from controller.decide import World, build
from controller.fold import fold
from controller.inputs import PortDown
from controller.state import Phase
from firmware_bridge import messages as m
from tests.controller.conftest import FakeTable
from tests.controller.test_two_sets import finish, other, sent, to_dealing, to_dice


@pytest.fixture
def two() -> FakeTable:
    table = FakeTable(sets=2)
    table.connect()
    return table


def again(table: FakeTable, sets: int = 2) -> None:
    """Start the service anew on the same ledger."""
    table.sets = sets
    table._new_runtime(fold(table.rows))
    table.connect()


def taken_out(table: FakeTable) -> None:
    table.at(Phase.BUILDING, "empty")
    assert table.board.trays is m.Position.up
    table.ok("start")
    table.run(5_000)
    table.at(Phase.BUILDING, "load")
    assert table.state.behind == "out"


@pytest.mark.parametrize("before_ms", [1_000, 25_000], ids=["begun", "built"])
def test_back_to_one_set_has_the_other_one_finished_and_taken_out(two: FakeTable, before_ms: int) -> None:
    to_dice(two)
    two.run(before_ms)
    finish(two)
    again(two, sets=1)
    two.ok("start")
    two.run(40_000)
    taken_out(two)
    two.ok("start")
    two.run(30_000)
    two.at(Phase.READY)


def test_one_set_after_a_restart_while_the_table_waits_for_the_other(two: FakeTable) -> None:
    to_dice(two)
    finish(two)
    two.ok("start")
    two.at(Phase.BUILDING, "behind")
    two.board._later.clear()
    two.board.state, two.board.counts = m.State.idle, [8, 0, 0, 0]
    again(two, sets=1)
    two.run(10_000)
    assert other(two)[1] == "waiting"
    two.ok("start")
    two.run(40_000)
    taken_out(two)


def notices(table: FakeTable) -> list[str]:
    return [notice["code"] for notice in table.view["notices"]]


def with_switch(table: FakeTable, at: int) -> None:
    """The other set is in, and the switch does not let the board begin it."""
    table.to_ready()
    table.board.switch = at
    table.ok("lift")
    table.run(8_000)
    table.ok("start")
    table.run(5_000)


@pytest.mark.parametrize("is_over", [False, True], ids=["in play", "the next hand waits"])
def test_a_switch_that_holds_the_other_set_up_is_told(two: FakeTable, is_over: bool) -> None:
    with_switch(two, 2)
    if is_over:
        finish(two)
        two.ok("start")
        two.run(2_000)
        two.at(Phase.BUILDING, "behind")
    assert (sent(two, m.Build), other(two)[1]) == (1, "waiting")
    assert notices(two) == ["machine.programme"]
    two.board.switch = 0
    two.run(5_000)
    assert (sent(two, m.Build), notices(two)) == (2, [])


def test_a_board_that_starts_anew_before_the_other_set_was_begun_has_lost_no_count(two: FakeTable) -> None:
    with_switch(two, 2)
    two.board.reboot(two.now, m.ResetCause.power_on)
    two.run(2_000)
    assert (two.state.behind, two.state.begun, two.state.emptying) == ("inside", False, False)


def test_walls_that_were_finished_while_the_cable_was_off_count_after_homing(two: FakeTable) -> None:
    to_dice(two)
    to_dealing(two)
    two.ok("dealt")
    two.run(5_000)
    two.feed(PortDown("gone"))
    two.board.state, two.board.counts = m.State.ready, [34] * 4
    two.connect()
    two.run(2_000)
    two.ok("clear_fault")
    two.run(10_000)
    assert (two.state.behind, sent(two, m.Build)) == ("built", 2)


def test_a_new_game_with_other_tiles_waits_for_the_other_set_and_has_it_taken_out(two: FakeTable) -> None:
    to_dice(two)
    two.run(1_000)
    finish(two)
    two.variant = "mcr"
    again(two)
    two.run(1_000)
    assert two.do("new_game", role="owner").code == "refuse.set_inside"
    two.run(25_000)
    assert two.state.behind == "built"
    two.ok("new_game", role="owner")
    assert two.state.emptying
    two.ok("start")
    two.run(10_000)
    taken_out(two)


def test_a_new_game_with_the_same_walls_keeps_them(two: FakeTable) -> None:
    to_dice(two)
    two.run(25_000)
    finish(two)
    two.ok("new_game", role="owner")
    assert (two.state.behind, two.state.emptying) == ("built", False)


def test_a_hand_is_not_called_off_with_the_other_set_half_in(two: FakeTable) -> None:
    two.to_ready()
    two.ok("lift")
    two.run(8_000)
    two.at(Phase.LIFTING, "load")
    assert two.do("void", reason="test").code == "refuse.void_load"
    two.board.fail(302, 2, two.now)
    two.run(100)
    two.at(Phase.FAULT)
    assert two.do("void", reason="test").code == "refuse.void_load"


def test_walls_built_in_the_hand_before_are_told_as_done(two: FakeTable) -> None:
    to_dice(two)
    two.run(25_000)
    finish(two)
    two.ok("start")
    two.run(6_000)
    two.ok("start")
    two.run(9_000)
    two.at(Phase.DICE, "throw")
    assert (two.view["build"]["done"], two.view["build"]["counts"]) == (True, [34] * 4)


def test_host_and_board_know_the_same_positions_of_the_switch() -> None:
    source = Path("hardware/firmware/core/programme.c").read_text()
    found = re.search(r"PROGRAMMES\[\] = \{([\d, ]+)\}", source)
    assert found is not None
    assert tuple(int(each) for each in found[1].split(",")) == build.PROGRAMMES


def test_tiles_without_a_position_are_built_at_0_only(two: FakeTable) -> None:
    assert two.state.table is not None
    live = replace(two.runtime.live, machine=replace(two.runtime.live.machine, programme_switch=2))
    state = replace(two.state, table=replace(two.state.table, tiles=84))
    made = build.switch_told(World(state, live))
    assert made is not None
    assert made.live is not None
    assert [(note.code, note.params) for note in made.live.notices] == [
        ("machine.programme_0", {"at": 2, "tiles": 84})
    ]
