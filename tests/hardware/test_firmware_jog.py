"""Orders of the service mode as timelines: the dead-man of its motors, and the count of one side."""

from __future__ import annotations

import pytest

from firmware_bridge import messages as m
from firmware_bridge.wire import Message
from tests.hardware.service_desk import SINGLE, choose, jog, keys_at_power_on, serve
from tests.hardware.test_firmware_core import REST, Desk, desk, turn_stackers

__all__ = ["desk"]


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
