"""Two sets: the other one is built beside the hand, never in its way, and a restart finds where it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from controller.decide import World, build
from controller.facts import Fact, Record
from controller.fold import apply_fact, fold
from controller.inputs import TableInput
from controller.play import changeovers_s
from controller.state import Phase, TableState
from firmware_bridge import messages as m
from tests.controller.conftest import FakeTable


@pytest.fixture
def two() -> FakeTable:
    table = FakeTable(sets=2)
    table.connect()
    return table


def to_dice(table: FakeTable) -> None:
    """The first hand: one set up, the other one in, the dice asked for."""
    table.to_ready()
    table.ok("lift")
    table.run(8_000)
    table.at(Phase.LIFTING, "load")
    table.ok("start")
    table.run(3_500)
    table.at(Phase.DICE, "throw")


def to_dealing(table: FakeTable) -> None:
    for _ in range(2):
        table.ok("throw")
        table.run(3_500)
    table.at(Phase.DEALING)


def finish(table: FakeTable) -> None:
    """A hand that counts for nobody."""
    table.ok("void", reason="test")
    table.at(Phase.SETTLED)


def other(table: FakeTable) -> tuple[int, str, int]:
    told = table.view["build"]["other"]
    return told["set"], told["state"], told["tiles"]


def sent(table: FakeTable, kind: type) -> int:
    return sum(isinstance(each, kind) for each in table.board.sent)


def test_dice_and_lamp_do_not_wait_for_the_other_set(two: FakeTable) -> None:
    to_dice(two)
    assert two.state.behind == "inside"
    assert other(two)[:2] == (2, "building")
    assert two.board.state is m.State.building
    to_dealing(two)
    two.run(16_000)
    assert (two.state.behind, two.phase) == ("built", Phase.DEALING)
    assert other(two) == (2, "built", 136)
    assert sent(two, m.Build) == 2
    two.run(60_000)
    assert sent(two, m.Build) == 2


def test_one_key_and_the_other_walls_rise(two: FakeTable) -> None:
    to_dice(two)
    to_dealing(two)
    two.run(20_000)
    finish(two)
    two.key("lift_a")
    two.run(4_000)
    two.at(Phase.BUILDING, "load")
    two.key("lift_b")
    two.run(4_500)
    two.at(Phase.LIFTING, "lower")
    assert (two.state.playing, two.state.behind) == (2, "inside")
    assert [act["do"] for act in two.view["act"]] == []
    two.run(3_000)
    two.at(Phase.DICE, "throw")
    assert other(two)[:2] == (1, "building")
    assert sent(two, m.Build) == 3


def test_a_hand_that_is_over_first_waits_for_the_other_set(two: FakeTable) -> None:
    to_dice(two)
    finish(two)
    two.ok("start")
    two.at(Phase.BUILDING, "behind")
    two.run(1_000)
    assert two.view["build"]["counts"] == list(two.runtime.live.machine.counts)
    two.run(25_000)
    two.at(Phase.BUILDING, "load")
    assert two.state.behind == "built"
    assert sent(two, m.Build) == 2


def test_a_fault_of_the_other_set_leaves_the_hand_alone(two: FakeTable) -> None:
    to_dice(two)
    to_dealing(two)
    two.board.fail(302, 2, two.now)
    two.run(100)
    two.at(Phase.DEALING)
    assert two.state.fault is not None
    assert (two.state.fault.key, other(two)[1]) == ("fault.jam", "waiting")
    two.ok("dealt")
    finish(two)
    assert two.do("start").code == "refuse.fault"
    two.ok("clear_fault")
    two.run(4_000)
    assert two.state.fault is None
    assert other(two)[1] == "building", "after homing it goes on by itself, where it was"
    assert sent(two, m.Home) == 2
    two.run(25_000)
    assert two.state.behind == "built"


def test_a_fault_while_the_dice_are_thrown_stops_the_dice_too(two: FakeTable) -> None:
    """The board has locked all motors: without them there is no throw."""
    to_dice(two)
    two.board.fail(302, 2, two.now)
    two.run(100)
    two.at(Phase.FAULT)
    two.ok("clear_fault")
    two.run(4_000)
    two.at(Phase.DICE, "throw")
    assert other(two)[1] == "building"


def test_lift_keys_belong_to_the_build_while_there_is_one(two: FakeTable) -> None:
    to_dice(two)
    to_dealing(two)
    two.ok("dealt")
    two.key("lift_a")
    two.at(Phase.PLAYING)
    two.run(20_000)
    two.key("lift_a")
    two.at(Phase.CONFIRM)


def test_a_stop_is_not_undone_by_the_other_set(two: FakeTable) -> None:
    to_dice(two)
    to_dealing(two)
    builds = sent(two, m.Build)
    two.ok("stop")
    two.run(60_000)
    assert (two.phase, sent(two, m.Build)) == (Phase.DEALING, builds)
    two.ok("clear_fault")
    two.run(5_000)
    assert sent(two, m.Build) == builds + 1


def test_a_board_that_forgot_its_count_has_the_walls_taken_out(two: FakeTable) -> None:
    to_dice(two)
    to_dealing(two)
    two.board.reboot(two.now)
    two.run(1_000)
    two.at(Phase.DEALING)
    assert two.state.emptying
    two.ok("clear_fault")
    two.run(5_000)
    finish(two)
    two.ok("start")
    two.run(10_000)
    two.at(Phase.BUILDING, "empty")
    assert sent(two, m.Build) == 2, "nothing is built onto a wall that nobody has counted"
    two.ok("start")
    two.run(5_000)
    two.at(Phase.BUILDING, "load")
    assert two.state.behind == "out"


def test_a_restarted_service_builds_on(two: FakeTable) -> None:
    to_dice(two)
    to_dealing(two)
    two.run(2_000)
    builds = sent(two, m.Build)
    two._new_runtime(fold(two.rows))
    two.connect()
    two.run(25_000)
    assert (two.state.behind, sent(two, m.Build)) == ("built", builds)


def test_nothing_moves_after_a_restart_before_somebody_is_there(two: FakeTable) -> None:
    to_dice(two)
    to_dealing(two)
    two.board._later.clear()
    two.board.state = m.State.idle
    builds = sent(two, m.Build)
    two._new_runtime(fold(two.rows))
    two.connect()
    two.run(20_000)
    assert (other(two)[1], sent(two, m.Build)) == ("waiting", builds)
    finish(two)
    two.ok("start")
    two.run(1_000)
    assert sent(two, m.Build) == builds + 1


def test_a_build_that_the_board_refuses_again_and_again_is_a_fault(two: FakeTable) -> None:
    two.to_ready()
    two.board.refusing[m.Build] = m.Reason.stacker_not_home
    two.ok("lift")
    two.run(8_000)
    two.ok("start")
    two.run(6_000)
    assert two.state.fault is not None
    assert two.state.fault.key == "fault.refused"


def test_a_motor_that_rests_after_one_wall_is_waited_for_beside_the_dice(two: FakeTable) -> None:
    two.to_ready()
    two.ok("lift")
    two.run(8_000)
    two.board.refusing[m.Build] = m.Reason.resting
    builds = sent(two, m.Build)
    two.ok("start")
    two.run(3_500)
    to_dealing(two)
    two.run(30_000)
    assert two.state.fault is None
    assert 3 <= sent(two, m.Build) - builds <= 9
    two.board.refusing.clear()
    two.run(30_000)
    assert two.state.behind == "built"


@pytest.mark.parametrize("state", ["building", "paused"])
@pytest.mark.parametrize("phase", ["DEALING", "PLAYING", "SETTLED", "IDLE"])
def test_lift_keys_mean_the_build_of_the_other_set(two: FakeTable, state: str, phase: str) -> None:
    to_dice(two)
    to_dealing(two)
    if phase == "PLAYING":
        two.ok("dealt")
    elif phase != "DEALING":
        finish(two)
    if phase == "IDLE":
        assert two.do("new_game", "owner").ok
    two.run(500)
    if state == "paused":
        two.board.stand(two.now)
    two.run(500)
    assert (two.phase.value, two.runtime.live.machine.state) == (phase, state)
    rows, notices = len(two.rows), two.view["notices"]
    two.key("lift_a")
    two.key("lift_b")
    assert (two.phase.value, len(two.rows), two.view["notices"]) == (phase, rows, notices)


PHASES: tuple[tuple[str, tuple[tuple[str, str | None], ...], tuple[str, int]], ...] = (
    ("the first hand", (("LIFTING", "raise"), ("LIFTING", "lower")), ("out", 1)),
    ("its other set", (("LIFTING", "open"), ("LIFTING", "load"), ("LIFTING", "close")), ("inside", 1)),
    ("told again after a fault", (("FAULT", None), ("LIFTING", "close")), ("inside", 1)),
    ("built beside the hand", (("DICE", "lamp"), ("build_done", None)), ("built", 1)),
    ("the next one", (("BUILDING", "close"), ("LIFTING", "raise"), ("LIFTING", "lower")), ("inside", 2)),
    ("a fault on the way down", (("FAULT", None), ("LIFTING", "lower")), ("inside", 2)),
)


def test_the_ledger_tells_where_each_set_is() -> None:
    state = TableState()
    for name, steps, want in PHASES:
        for phase, step in steps:
            body: dict[str, Any] = {"phase": phase, "step": step}
            if phase == "build_done":
                fact = Fact("build_done", {"counts": [34] * 4, "tiles": 136, "behind": True})
            else:
                fact = Fact("phase", body)
            state = apply_fact(state, fact)
        assert (state.behind, state.playing) == want, name


def test_a_new_twin_has_its_sets_in_their_boxes(two: FakeTable) -> None:
    to_dice(two)
    fresh = apply_fact(two.state, Fact("machine_event", {"event": "fresh_table"}))
    assert (fresh.behind, fresh.playing, fresh.emptying) == ("out", 0, False)


def test_changeovers_are_measured_from_the_closing_dome_to_the_walls() -> None:
    rows = (
        ("hand_started", None, 0),
        ("BUILDING", "close", 1_000),
        ("build_done", None, 20_000),
        ("LIFTING", "lower", 22_000),
        ("hand_started", None, 90_000),
        ("BUILDING", "close", 100_000),
        ("LIFTING", "raise", 101_200),
        ("LIFTING", "lower", 103_400),
    )
    records = [
        Record(number, kind, {}, "", at)
        if kind in ("hand_started", "build_done")
        else Record(number, "phase", {"phase": kind, "step": step}, "", at)
        for number, (kind, step, at) in enumerate(rows)
    ]
    assert changeovers_s(records) == (3.4,)


@pytest.mark.parametrize(("tiles", "suits"), [(136, True), (144, True), (112, True), (108, False)])
def test_walls_that_depend_on_the_dealer_are_not_built_a_hand_ahead(
    two: FakeTable, tiles: int, suits: bool
) -> None:
    assert two.state.table is not None
    live = two.runtime.live
    state = replace(two.state, table=replace(two.state.table, tiles=tiles))
    made = build.start(World(state, live), TableInput("start"))
    assert (made.ok, made.code) == ((True, "ok") if suits else (False, "refuse.sets_uneven"))
    one = build.start(World(state, replace(live, sets=1)), TableInput("start"))
    assert one.ok


@pytest.mark.parametrize(("sets", "at_board", "written"), [(2, 1, [2]), (2, 2, []), (1, 2, [1]), (1, 1, [])])
def test_the_board_is_told_how_many_sets_there_are(sets: int, at_board: int, written: list[int]) -> None:
    table = FakeTable(sets=sets)
    table.board.capabilities = 1
    table.board.config = replace(table.board.config, sets=at_board)
    table.connect()
    orders = [each for each in table.board.sent if isinstance(each, m.WriteConfig)]
    assert [order.sets for order in orders] == written
    for order in orders:
        assert (order.was, order.jam_ms, order.main_limit_ma) == (7, 800, 8000)


@pytest.mark.parametrize("refused", [m.ReadConfig, m.WriteConfig])
def test_a_board_that_does_not_take_it_is_left_alone(refused: type) -> None:
    table = FakeTable(sets=2)
    table.board.capabilities = 1
    table.board.refusing[refused] = m.Reason.unknown_command
    table.connect()
    assert table.view["notices"] == []
    to_dice(table)


def test_old_news_of_a_rest_does_not_begin_a_build_twice(two: FakeTable) -> None:
    """Events wait for each other: one of before the build may come in the middle of it."""
    to_dice(two)
    builds = sent(two, m.Build)
    for wait_ms in (0, 300, 1_000):
        two.run(wait_ms)
        two.board.tell(m.StateChanged(m.State.idle), two.now)
        two.run(20)
    assert (sent(two, m.Build), two.runtime.live.behind_refused) == (builds, 0)
