"""Which set is on the table and which one is built, as the board tells it: see `test_firmware_core.Desk`."""

from __future__ import annotations

from dataclasses import fields

import pytest

from firmware_bridge import link as fb
from firmware_bridge import messages as m
from tests.hardware import test_firmware_core as core
from tests.hardware.test_firmware_core import SIDES, Desk, build, tile

UP, DOWN = m.Direction.up, m.Direction.down
EVEN = (28, 28, 28, 28)
desk = core.desk
WRITTEN = [each.name for each in fields(m.WriteConfig) if each.name != "was"]


@pytest.fixture
def two(desk: Desk) -> Desk:
    """A table whose configuration says two sets, homed."""
    desk.homed()
    assert desk.order(m.ReadConfig()) == "ok"
    answers = [event.response for event in desk.heard if isinstance(event, fb.Done)]
    (was,) = [answer for answer in answers if isinstance(answer, m.ConfigReport)]
    values = {name: getattr(was, name) for name in WRITTEN}
    assert desk.order(m.WriteConfig(was.crc, **{**values, "sets": 2})) == "ok"
    return desk


def trays(desk: Desk, direction: m.Direction) -> None:
    assert desk.order(m.Lift(m.Target.trays, direction)) == "ok"
    up = direction == UP
    desk.set(**{f"tray_{end}_{n}": end == "up" and up for n in SIDES for end in ("up", "down")})
    desk.set(**{f"tray_down_{n}": not up for n in SIDES})
    desk.run(120)
    assert desk.motors == set()


def dome(desk: Desk) -> None:
    """Up, people push tiles in, down."""
    for up in (True, False):
        assert desk.order(m.Lift(m.Target.dome, UP if up else DOWN)) == "ok"
        desk.set(dome_up=up, dome_down=not up)
        desk.run(120)


def told(desk: Desk) -> tuple[str, str, str]:
    status = desk.status()
    return status.state.name, status.built.name, status.in_play.name


def test_one_set_is_the_first_one_wherever_it_is(desk: Desk) -> None:
    desk.homed()
    assert told(desk) == ("idle", "none", "none")
    for _ in range(2):
        build(desk, 112, EVEN)
        assert told(desk) == ("ready", "first", "none")
        trays(desk, UP)
        assert told(desk) == ("in_play", "none", "first")
        trays(desk, DOWN)
        assert told(desk) == ("idle", "none", "first")
        dome(desk)
        assert told(desk) == ("idle", "none", "none")


def test_a_watchdog_reset_keeps_what_another_reset_forgets(desk: Desk) -> None:
    desk.homed()
    build(desk, 112, EVEN)
    trays(desk, UP)
    desk.power(m.ResetCause.watchdog)
    desk.run(200)
    assert told(desk)[2] == "first"
    desk.power(m.ResetCause.external)
    desk.run(200)
    assert told(desk)[2] == "none"


def test_of_two_sets_one_is_built_while_the_other_is_played(two: Desk) -> None:
    desk = two
    build(desk, 112, EVEN)
    assert told(desk) == ("ready", "first", "none")
    trays(desk, UP)
    trays(desk, DOWN)
    assert told(desk) == ("in_play", "none", "first")
    dome(desk)  # the second set comes in beside the play
    assert told(desk) == ("in_play", "none", "first")
    order = ["second", "first", "second"]
    for built, played in zip(order, ["first", "second", "first"], strict=True):
        assert desk.order(m.Build(112)) == "ok"
        assert told(desk) == ("building", "none", played)
        assert desk.order(m.Dice(500)) == "ok", "dice are thrown beside a build"
        desk.run(1_300)
        assert m.DiceDone() in desk.events()
        build_on(desk)
        assert told(desk) == ("ready", built, played)
        dome(desk)  # the hand is over: the played set goes in
        assert told(desk) == ("ready", built, "none")
        trays(desk, UP)
        trays(desk, DOWN)
        assert told(desk) == ("in_play", "none", built)
    desk.quiet_minute()


def build_on(desk: Desk) -> None:
    for _ in range(28):
        for side in SIDES:
            tile(desk, side)
    desk.run(100)


@pytest.mark.parametrize(
    ("target", "up", "reason"),
    [(m.Target.dome, "dome", "busy"), (m.Target.trays, "trays", "busy")],
    ids=["dome", "trays"],
)
def test_beside_play_the_interlocks_are_as_ever(two: Desk, target: m.Target, up: str, reason: str) -> None:
    """The build of the other set moves nothing that holds the one in play, and nothing else may move."""
    build(two, 112, EVEN)
    trays(two, UP)
    assert two.order(m.Lift(m.Target.dome, UP)) == "trays_not_down"
    assert two.order(m.Build(112)) == "trays_not_down"
    trays(two, DOWN)
    assert two.order(m.Build(112)) == "ok"
    assert two.order(m.Lift(target, UP)) == reason
    two.set(dome_down=0)
    two.run(100)
    assert two.faults() == [(412, 0)]
    assert two.motors == set()


def test_a_jam_beside_play_leaves_both_sets_known(two: Desk) -> None:
    build(two, 112, EVEN)
    trays(two, UP)
    trays(two, DOWN)
    assert two.order(m.Build(112)) == "ok"
    two.run(1_000)
    tile(two, 2)
    two.power(m.ResetCause.watchdog)
    two.run(200)
    status = two.status()
    assert (status.in_play, status.built, status.count_2) == (m.SetId.first, m.SetId.none, 1)
