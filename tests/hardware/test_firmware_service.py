"""The service mode as timelines: how it begins and ends, and its tests by number."""

from __future__ import annotations

import pytest

from firmware_bridge import messages as m
from tests.hardware.service_desk import (
    BUZZER,
    CODE,
    LAMP,
    READY,
    choose,
    keys_at_power_on,
    press,
    serve,
    shown,
)
from tests.hardware.test_firmware_avr import Board, board
from tests.hardware.test_firmware_core import DEVICES, Desk, desk

__all__ = ["board", "desk"]


# ---------------------------------------------------------------- in and out


def test_both_lift_keys_held_at_power_on_enter_it_without_a_host(desk: Desk) -> None:
    desk.beating = False
    keys_at_power_on(desk)
    assert desk.lamps & 15 == 0
    green = {desk.lamps & READY}
    for _ in range(20):
        desk.run(100)
        green.add(desk.lamps & READY)
    assert green == {LAMP["ready_1"] | LAMP["ready_3"], LAMP["ready_2"] | LAMP["ready_4"]}
    desk.beating = True
    assert desk.up().status().state == m.State.service
    assert desk.edges == []


@pytest.mark.parametrize(
    ("keys", "hold_ms", "cause"),
    [
        pytest.param(("key_lift_a", "key_lift_b"), 900, 1, id="let go too early"),
        pytest.param(("key_lift_a",), 2_000, 1, id="one key"),
        pytest.param(("key_lift_a", "key_lift_b"), 2_000, 4, id="a watchdog reset"),
        pytest.param(("key_lift_a", "key_lift_b"), 2_000, 2, id="the reset line: a host opened the port"),
    ],
)
def test_nothing_else_at_the_start_enters_it(
    desk: Desk, keys: tuple[str, ...], hold_ms: int, cause: int
) -> None:
    desk.set(**dict.fromkeys(keys, 1))
    desk.power(m.ResetCause(cause))
    desk.run(hold_ms)
    desk.set(**dict.fromkeys(keys, 0))
    desk.run(1_500)
    assert desk.up().status().state == m.State.idle


def test_keys_held_later_do_not_enter_it(desk: Desk) -> None:
    desk.up()
    desk.set(key_lift_a=1, key_lift_b=1)
    desk.run(3_000)
    assert desk.status().state == m.State.idle


@pytest.mark.parametrize(("code", "reason"), [(0, "wrong_code"), (1233, "wrong_code"), (CODE, "ok")])
def test_an_order_names_the_code(desk: Desk, code: int, reason: str) -> None:
    desk.homed()
    assert desk.order(m.Service(True, code)) == reason
    assert (desk.status().state == m.State.service) == (reason == "ok")


def test_it_is_refused_while_a_wall_is_on_the_table_and_while_something_moves(desk: Desk) -> None:
    desk.homed()
    desk.order(m.Lift(m.Target.trays, m.Direction.up))
    assert desk.order(m.Service(True, CODE)) == "busy"
    for side in (1, 2, 3, 4):
        desk.set(**{f"tray_down_{side}": 0, f"tray_up_{side}": 1})
    desk.run(100)
    assert desk.status().state == m.State.in_play
    assert desk.order(m.Service(True, CODE)) == "busy"
    desk.order(m.Stop())
    assert desk.order(m.Service(True, CODE)) == "latched"


def test_it_ends_by_order_and_the_table_is_not_homed(desk: Desk) -> None:
    desk.homed()
    assert desk.order(m.Service(True, CODE)) == "ok"
    assert not desk.status().homed
    for order in (m.Home(), m.Build(136), m.Lift(m.Target.dome, m.Direction.up)):
        assert desk.order(order) == "busy"
    assert desk.order(m.Service(False, 0)) == "ok"
    status = desk.status()
    assert (status.state, status.homed) == (m.State.idle, False)
    assert desk.order(m.Build(136)) == "not_homed"
    assert desk.events(m.StateChanged)[-2:] == [m.StateChanged(m.State.service), m.StateChanged(m.State.idle)]
    assert desk.lamps == 0


def test_nobody_touches_it_for_ten_minutes_and_it_ends(desk: Desk) -> None:
    serve(desk)
    desk.jump = 50
    desk.run(590_000)
    press(desk, "key_dice_2", 150)
    assert shown(desk) == 1
    desk.run(598_000)
    assert desk.status().state == m.State.service
    desk.run(3_000)
    assert desk.status().state == m.State.idle
    desk.quiet_minute()


def test_a_power_cycle_ends_it(desk: Desk) -> None:
    serve(desk)
    desk.power()
    desk.run(1_500)
    assert desk.status().state == m.State.idle


# ---------------------------------------------------------------- tests by number


def test_a_dice_key_steps_the_number_and_a_lift_key_runs_and_leaves(desk: Desk) -> None:
    serve(desk)
    for number in (*range(1, 16), 0, 1):
        press(desk, f"key_dice_{number % 4 + 1}")
        assert shown(desk) == number
    desk.set(key_dice_1=1)
    desk.run(40)
    assert desk.lamps & BUZZER, "a key that was taken beeps"
    desk.set(key_dice_1=0)
    desk.run(500)
    assert not desk.lamps & BUZZER
    press(desk, "key_lift_b")
    press(desk, "key_dice_1")
    press(desk, "key_lift_a")
    assert shown(desk) == 2, "while a test runs the number stands"


def test_0111_shows_the_jam_sensors(desk: Desk) -> None:
    serve(desk)
    choose(desk, 0b0111)
    assert desk.lamps & 15 == 0
    desk.set(jam_2=1)
    desk.run(40)
    assert desk.lamps == LAMP["lamp_2"] | BUZZER
    desk.run(200)
    assert desk.lamps == LAMP["lamp_2"]
    desk.set(jam_2=0, jam_4=1)
    desk.run(300)
    assert desk.lamps == LAMP["lamp_4"]


@pytest.mark.parametrize(
    ("number", "inputs"),
    [(2, ("count",)), (3, ("stack_home",)), (4, ("side_full",)), (5, ("tray_up",)), (6, ("tray_down",))],
)
def test_sensors_of_four_sides_are_shown(desk: Desk, number: int, inputs: tuple[str, ...]) -> None:
    (name,) = inputs
    serve(desk)
    for side in (1, 2, 3, 4):
        desk.set(**{f"{name}_{side}": 0})
    choose(desk, number)
    for side in (1, 2, 3, 4):
        desk.set(**{f"{name}_{side}": 1})
        desk.run(200)
        assert desk.lamps == LAMP[f"lamp_{side}"]
        desk.set(**{f"{name}_{side}": 0})
        desk.run(200)
        assert desk.lamps == 0


def test_test_8_shows_dome_lid_and_switch(desk: Desk) -> None:
    serve(desk)
    choose(desk, 8)
    desk.set(dome_down=1, lid=1, decksel_3=1)
    desk.run(300)
    assert desk.lamps == LAMP["lamp_2"] | LAMP["lamp_3"] | LAMP["ready_3"]


def test_lamps_walk(desk: Desk) -> None:
    serve(desk)
    choose(desk, 0)
    seen = []
    for _ in range(300):
        desk.run(10)
        if not seen or seen[-1] != desk.lamps:
            seen.append(desk.lamps)
    assert set(seen) == set(LAMP.values()), "every lamp alone"
    assert len(seen) in (12, 13), "a quarter of a second each"


def test_keys_are_echoed(desk: Desk) -> None:
    serve(desk)
    choose(desk, 1)
    for key, lamps in (("key_dice_3", LAMP["lamp_3"]), ("key_lift_b", READY)):
        desk.set(**{key: 1})
        desk.run(60)
        assert desk.lamps == lamps | BUZZER
        desk.set(**{key: 0})
        desk.run(60)
        assert desk.lamps == 0
    press(desk, "key_lift_a")
    assert shown(desk) == 1


def test_power_and_the_boards_own_test_are_shown(desk: Desk) -> None:
    serve(desk)
    choose(desk, 14)
    assert desk.lamps & 15 == LAMP["lamp_1"] | LAMP["lamp_2"]
    press(desk, "key_lift_a")
    choose(desk, 15)
    assert desk.lamps & 255 == 255
    desk.set(tray_up_2=1, stack_home_1=0)
    desk.run(60)
    assert desk.lamps & 255 == 255 & ~LAMP["lamp_4"] & ~LAMP["ready_2"]


@pytest.mark.parametrize(
    ("number", "key", "motor"),
    [(9, 1, "feed_1"), (9, 4, "feed_4"), (10, 2, "stack_2"), (11, 1, "turn"), (11, 2, "ring"),
     (11, 3, "dice"), (12, 1, "tray_raise"), (12, 3, "dome_raise")],
)  # fmt: skip
def test_a_motor_runs_while_its_key_is_held_and_no_longer_than_two_seconds(
    desk: Desk, number: int, key: int, motor: str
) -> None:
    desk.beating = False  # the finger is the dead-man: no host is there
    keys_at_power_on(desk)
    choose(desk, number)
    assert desk.motors == set()
    desk.set(**{f"key_dice_{key}": 1})
    desk.run(500)
    assert desk.motors == {motor}
    assert desk.lamps & 15 == LAMP[f"lamp_{key}"]
    desk.set(**{f"key_dice_{key}": 0})
    desk.run(40)
    assert desk.motors == set()
    desk.run(300)
    desk.edges.clear()
    desk.set(**{f"key_dice_{key}": 1})
    desk.run(1_000)
    assert desk.motors == {motor}
    desk.run(6_000)
    assert desk.motors == set(), "held on: two seconds, and not again"
    (on, off) = [at for at, name, _ in desk.edges if name == motor]
    assert off - on in range(1_950, 2_010)
    desk.set(**{f"key_dice_{key}": 0})
    desk.run(300)
    desk.set(**{f"key_dice_{key}": 1})
    desk.run(100)
    assert desk.motors == {motor}, "let go, and the next go begins"
    desk.set(**{f"key_dice_{key}": 0})
    desk.run(100)
    assert desk.motors == set()


def test_a_second_key_moves_nothing_more(desk: Desk) -> None:
    serve(desk)
    choose(desk, 9)
    desk.set(key_dice_1=1)
    desk.run(100)
    desk.set(key_dice_2=1)
    desk.run(100)
    assert desk.motors == {"feed_1"}
    desk.set(key_lift_a=1)
    desk.run(50)
    assert desk.motors == set(), "a lift key leaves the test, whatever is held"


# ---------------------------------------------------------------- the real binary


def lamps(board: Board) -> set[str]:
    levels = board.harness.outputs()
    return {row["id"] for row in DEVICES["lamps"] if levels[row["port"]] >> row["bit"] & 1}


def test_the_chip_enters_it_by_keys_and_a_held_key_moves_one_motor(board: Board) -> None:
    board.beating = False
    for key in ("key_lift_a", "key_lift_b"):
        board.pin(key, True)
    board.harness.reset("power")
    board.run(1_200)
    for key in ("key_lift_a", "key_lift_b"):
        board.pin(key, False)
    board.run(800)
    assert lamps(board) in ({"ready_1", "ready_3"}, {"ready_2", "ready_4"})
    for key in [*["key_dice_2"] * 9, "key_lift_a"]:
        board.pin(key, True)
        board.run(60)
        board.pin(key, False)
        board.run(60)
    board.edges.clear()
    board.pin("key_dice_3", True)
    board.run(300)
    assert board.running() == {"feed_3"}
    assert lamps(board) == {"lamp_3"}
    board.run(3_000)
    assert board.running() == set()
    (on, off) = [at for name, _, at in board.edges if name == "feed_3"]
    assert 1_990_000 <= off - on <= 2_010_000
    board.pin("key_dice_3", False)


def test_the_chip_answers_a_technician(board: Board) -> None:
    board.pin("jam_1", True)
    board.run(60)
    words = tuple(0x01020304 * n for n in range(8))
    for question, wanted in (
        (m.Loopback(*words), m.LoopbackReport(*words)),
        (m.ReadMargin(2), m.MarginReport(2, *[0] * 13)),
        (m.ReadEdges(0), m.EdgesReport(0, 0, 0, 0, 0, 1, *[0] * 11)),
    ):
        told = board.order(question)
        assert getattr(told, "response", None) == wanted
