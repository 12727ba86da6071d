"""The service mode as timelines: how it begins and ends, its tests by number, the dead-man of its motors."""

from __future__ import annotations

import pytest

from firmware_bridge import messages as m
from firmware_bridge.wire import Message
from tests.hardware.test_firmware_avr import Board, board
from tests.hardware.test_firmware_core import DEVICES, REST, Desk, desk, turn_stackers

__all__ = ["board", "desk"]
CODE = 1234
"""The factory's service code (core/config.c)."""
LAMP = {row["id"]: 1 << row["status"] for row in DEVICES["lamps"]}
NUMBER = {row["id"]: row["status"] for row in DEVICES["actuators"]}
BUZZER = LAMP["buzzer"]
READY = sum(LAMP[f"ready_{n}"] for n in (1, 2, 3, 4))
SINGLE = sorted(name for name in NUMBER if name != "reverse")


def keys_at_power_on(desk: Desk, hold_ms: int = 1_100) -> None:
    """Both lift keys are held while the table is switched on."""
    desk.set(key_lift_a=1, key_lift_b=1)
    desk.power()
    desk.run(hold_ms)
    desk.set(key_lift_a=0, key_lift_b=0)
    desk.run(700)


def serve(desk: Desk) -> Desk:
    desk.up()
    assert desk.order(m.Service(True, CODE)) == "ok"
    desk.run(600)
    return desk


def press(desk: Desk, key: str, ms: int = 60) -> None:
    desk.set(**{key: 1})
    desk.run(ms)
    desk.set(**{key: 0})
    desk.run(100)


def shown(desk: Desk) -> int:
    """The number on the four dealer lamps, lamp 1 the highest bit."""
    return sum(8 >> place for place in range(4) if desk.lamps >> place & 1)


def choose(desk: Desk, number: int) -> None:
    """Step to a test with a dice key and run it with a lift key."""
    for _ in range(16):
        if shown(desk) == number:
            break
        press(desk, "key_dice_1")
    assert shown(desk) == number
    press(desk, "key_lift_a")


def jog(desk: Desk, name: str, run_ms: int, ms: int = 25) -> str:
    return desk.order(m.Jog(NUMBER[name], run_ms), ms)


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


# ---------------------------------------------------------------- orders that move


def test_jog_is_only_for_the_service_mode(desk: Desk) -> None:
    desk.homed()
    assert jog(desk, "dome_raise", 200) == "not_service"
    assert desk.order(m.CountTest(1, 4)) == "not_service"
    desk.run(100)
    assert [edge for edge in desk.edges if edge[1] != "dice"] == []


@pytest.mark.parametrize("name", SINGLE)
def test_each_actuator_runs_as_long_as_ordered(desk: Desk, name: str) -> None:
    serve(desk)
    if name.endswith("lower"):
        kind = name.removesuffix("_lower")
        names = ["dome_down"] if kind == "dome" else [f"tray_down_{n}" for n in (1, 2, 3, 4)]
        desk.set(**dict.fromkeys(names, 0))
        desk.run(60)
    assert jog(desk, name, 300) == "ok"
    assert desk.motors == {name}
    desk.run(400)
    assert desk.motors == set()
    (on, off) = [at for at, moved, _ in desk.edges if moved == name]
    assert off - on in range(285, 310)
    assert jog(desk, name, 2_000) == "ok"
    assert jog(desk, name, 0) == "ok"
    assert desk.motors == set()
    assert desk.order(m.Service(False, 0)) == "ok"
    desk.quiet_minute()


@pytest.mark.parametrize("bad", [m.Jog(15, 100), m.Jog(16, 100), m.Jog(255, 100), m.Jog(0, 2_001)])
def test_what_is_no_motor_and_what_is_too_long_is_refused(desk: Desk, bad: Message) -> None:
    assert serve(desk).order(bad) == "bad_value"


def test_repeating_holds_it_on_for_two_seconds_at_most(desk: Desk) -> None:
    serve(desk)
    for _ in range(40):
        jog(desk, "ring", 150, 100)
    times = [at for at, name, _ in desk.edges if name == "ring"]
    assert len(times) == 2
    assert times[1] - times[0] in range(1_950, 2_010)
    assert jog(desk, "ring", 150) == "resting"
    desk.run(300)
    assert jog(desk, "ring", 150) == "ok"


def test_one_at_a_time(desk: Desk) -> None:
    serve(desk)
    assert jog(desk, "turn", 1_000) == "ok"
    assert jog(desk, "ring", 1_000) == "busy"
    assert desk.order(m.CountTest(1, 4)) == "busy"
    assert desk.motors == {"turn"}


NEEDS = [
    ("tray_raise", {"dome_down": 0}, "dome_not_down"),
    ("tray_lower", {"dome_down": 0}, "dome_not_down"),
    ("dome_raise", {"tray_down_3": 0}, "trays_not_down"),
    ("dome_lower", {"tray_down_1": 0}, "trays_not_down"),
    ("stack_2", {"tray_down_2": 0}, "trays_not_down"),
    ("feed_3", {"dome_down": 0}, "dome_not_down"),
    ("turn", {"dome_down": 0}, "dome_not_down"),
    *((name, {"lid": 1}, "lid_open") for name in SINGLE),
]


@pytest.mark.parametrize(("name", "levels", "reason"), NEEDS)
def test_the_rules_that_protect_hands_hold(
    desk: Desk, name: str, levels: dict[str, int], reason: str
) -> None:
    serve(desk)
    desk.set(**levels)
    desk.run(100)
    assert jog(desk, name, 500) == reason
    assert desk.edges == []


@pytest.mark.parametrize(
    ("name", "levels", "fault"),
    [
        ("tray_raise", {"dome_down": 0}, (412, 0)),
        ("turn", {"dome_down": 0}, (412, 0)),
        ("dome_raise", {"tray_down_2": 0}, (402, 2)),
        ("stack_1", {"tray_down_4": 0}, (404, 4)),
        ("feed_1", {"lid": 1}, (601, 0)),
        ("dice", {"estop": 1}, (602, 0)),
    ],
)
def test_they_hold_on_the_way(desk: Desk, name: str, levels: dict[str, int], fault: tuple[int, int]) -> None:
    serve(desk)
    assert jog(desk, name, 1_500) == "ok"
    desk.set(**levels)
    desk.run(40)
    assert desk.motors == set()
    assert desk.faults() == [fault]
    assert jog(desk, name, 500) in ("latched", "estop")
    desk.set(**{name: int(name in REST) for name in levels})
    desk.run(60)
    assert desk.order(m.ClearFault(desk.status().stops)) == "ok"
    assert desk.status().state == m.State.idle, "a stop ends the mode"
    assert jog(desk, name, 500) == "not_service"


def test_a_silent_host_stops_it(desk: Desk) -> None:
    serve(desk)
    assert jog(desk, "ring", 2_000) == "ok"
    desk.beating = False
    desk.run(700)
    assert desk.motors == set()
    desk.beating = True
    assert desk.status().state == m.State.safe


def test_a_lift_stops_at_its_limit(desk: Desk) -> None:
    serve(desk)
    assert jog(desk, "dome_raise", 1_500) == "ok"
    desk.set(dome_down=0)
    desk.run(300)
    assert desk.motors == {"dome_raise"}
    desk.set(dome_up=1)
    desk.run(40)
    assert desk.motors == set()
    assert jog(desk, "dome_raise", 500) == "ok"
    assert desk.motors == set(), "there is no further"
    assert jog(desk, "dome_lower", 500) == "ok"
    assert desk.motors == {"dome_lower"}


# ---------------------------------------------------------------- counting


def tile(desk: Desk, side: int) -> None:
    desk.set(**{f"count_{side}": 1})
    desk.run(35)
    desk.set(**{f"count_{side}": 0})
    desk.run(35)
    turn_stackers(desk)


def test_tiles_of_one_side_are_counted_and_stacked(desk: Desk) -> None:
    serve(desk)
    assert desk.order(m.CountTest(3, 5)) == "ok"
    for _ in range(5):
        assert desk.motors == {"turn", "ring", "feed_3"}
        tile(desk, 3)
    desk.run(60)
    (tested,) = desk.events(m.CountTested)
    assert isinstance(tested, m.CountTested)
    assert (tested.side, tested.tiles) == (3, 5)
    assert desk.motors == set()
    pushes = [at for at, name, on in desk.edges if name == "stack_3" and on]
    assert len(pushes) == 2
    assert desk.status().count_3 == 0, "no build: the board does not count on what lies there now"
    assert desk.order(m.Service(False, 0)) == "ok"
    desk.quiet_minute()


def test_it_ends_after_twenty_seconds_or_when_let_go(desk: Desk) -> None:
    serve(desk)
    assert desk.order(m.CountTest(1, 36)) == "ok"
    tile(desk, 1)
    desk.run(20_500)
    (tested,) = desk.events(m.CountTested)
    assert tested == m.CountTested(1, 1, tested.elapsed_ms)  # type: ignore[attr-defined]
    assert desk.motors == set()
    assert desk.order(m.CountTest(2, 36), 100) == "ok"
    assert jog(desk, "turn", 0) == "ok"
    desk.run(50)
    assert desk.motors == set()
    assert len(desk.events(m.CountTested)) == 2


@pytest.mark.parametrize("bad", [m.CountTest(0, 4), m.CountTest(5, 4), m.CountTest(1, 0), m.CountTest(1, 37)])
def test_a_count_that_makes_no_sense_is_refused(desk: Desk, bad: Message) -> None:
    assert serve(desk).order(bad) == "bad_value"


def test_a_jam_in_it_is_a_jam(desk: Desk) -> None:
    serve(desk)
    assert desk.order(m.CountTest(4, 10)) == "ok"
    desk.set(jam_4=1)
    desk.run(1_000)
    assert desk.faults() == [(304, 4)]
    assert desk.motors == set()
    assert desk.events(m.CountTested) == []


def test_by_keys_it_runs_while_a_key_is_held_and_shows_how_many(desk: Desk) -> None:
    desk.beating = False
    keys_at_power_on(desk)
    choose(desk, 13)
    desk.set(key_dice_2=1)
    desk.run(100)
    assert desk.motors == {"turn", "ring", "feed_2"}
    for _ in range(3):
        tile(desk, 2)
    green = desk.lamps >> 4 & 15
    assert green == 0b1100, "0011 from lamp 1 to lamp 4"
    desk.set(key_dice_2=0)
    desk.run(60)
    assert desk.motors == set()


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
