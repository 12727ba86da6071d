"""A build paused to add tiles: by both lift keys or by the host, and what may happen meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from firmware_bridge import messages as m
from tests.hardware.test_firmware_core import SIDES, Desk, made_desk, tile

S = m.State
DRUM = {"turn", "ring", "feed_1", "feed_2", "feed_3", "feed_4"}


@pytest.fixture(scope="module", params=[1, 7], ids=["smooth", "jumping"])
def table(request: pytest.FixtureRequest) -> Iterator[Desk]:
    yield from made_desk(request.param)


@pytest.fixture
def desk(table: Desk) -> Desk:
    table.again()
    table.homed()
    assert table.order(m.Build(136)) == "ok"
    for side in (1, 2, 2, 3):
        tile(table, side)
    return table


def press(desk: Desk, *keys: str, apart_ms: int = 0) -> None:
    for number, key in enumerate(keys):
        if number:
            desk.run(apart_ms)
        desk.set(**{f"key_lift_{key}": 1})
    desk.run(100)
    desk.set(key_lift_a=0, key_lift_b=0)
    desk.run(50)


def dome(desk: Desk, up: bool) -> None:
    """The dome's motor has it leave one end and reach the other."""
    assert desk.motors == {"dome_raise" if up else "dome_lower"}
    desk.set(dome_down=0, dome_up=0)
    desk.run(1_000)
    desk.set(dome_up=int(up), dome_down=int(not up))
    desk.run(50)


def pause(desk: Desk) -> None:
    assert desk.order(m.Pause(True)) == "ok"
    desk.run(600)
    dome(desk, True)
    assert desk.motors == set()
    assert desk.status().state == S.paused


def states(desk: Desk) -> list[S]:
    return [event.state for event in desk.events(m.StateChanged) if isinstance(event, m.StateChanged)]


@pytest.mark.parametrize("by_keys", [True, False])
def test_pause_and_go_on(desk: Desk, by_keys: bool) -> None:
    if by_keys:
        press(desk, "a", "b", apart_ms=200)
    else:
        assert desk.order(m.Pause(True)) == "ok"
    assert desk.status().state == S.paused
    assert desk.motors == set(), "drum and feeds stand at once"
    desk.run(600)
    dome(desk, True)
    desk.run(60_000)  # people look for tiles
    assert (desk.motors, desk.status().state, desk.status().homed) == (set(), S.paused, True)
    if by_keys:
        press(desk, "b")
    else:
        assert desk.order(m.Pause(False)) == "ok"
    dome(desk, False)
    desk.run(600)
    assert desk.motors == DRUM
    status = desk.status()
    assert (status.state, status.tiles) == (S.building, 136)
    assert (status.count_1, status.count_2, status.count_3, status.count_4) == (1, 2, 1, 0)
    left = {1: 33, 2: 32, 3: 33, 4: 34}
    while any(left.values()):
        for side in SIDES:
            if left[side]:
                tile(desk, side)
                left[side] -= 1
    desk.run(100)
    (done,) = desk.events(m.BuildDone)
    assert isinstance(done, m.BuildDone)
    assert (done.count_1, done.count_2, done.count_3, done.count_4) == (34, 34, 34, 34)
    assert done.elapsed_ms < 60_000, "without the pause"
    assert states(desk) == [S.homing, S.idle, S.building, S.paused, S.building, S.ready]
    assert desk.faults() == []
    desk.quiet_minute()


@pytest.mark.parametrize(
    ("keys", "apart_ms"), [(("a",), 0), (("b",), 0), (("a", "b"), 400), (("b", "a"), 400)]
)
def test_one_key_or_two_too_far_apart_pause_nothing(desk: Desk, keys: tuple[str, ...], apart_ms: int) -> None:
    press(desk, *keys, apart_ms=apart_ms)
    desk.run(1_000)
    assert (desk.status().state, desk.motors & {"turn", "ring"}) == (S.building, {"turn", "ring"})


def test_a_push_under_way_is_finished_before_the_dome_rises(desk: Desk) -> None:
    """And one that is due waits until the build goes on: no stacker ever turns with the dome up."""
    desk.set(count_1=1)
    desk.run(40)
    desk.set(count_1=0)
    desk.run(40)
    assert "stack_1" in desk.motors
    desk.set(stack_home_1=0, count_3=1)
    assert desk.order(m.Pause(True)) == "ok"
    assert desk.motors == {"stack_1"}
    desk.set(count_3=0)  # this one was in the channel: it counts, and makes a stack
    desk.run(600)
    assert desk.motors == {"stack_1"}, "the dome waits for it"
    desk.set(stack_home_1=1)
    desk.run(50)
    dome(desk, True)
    assert desk.events(m.Count)[-1] == m.Count(3, 2, 6)
    assert desk.order(m.Pause(False)) == "ok"
    dome(desk, False)
    desk.run(100)
    assert desk.faults() == []
    assert "stack_3" in desk.motors
    assert "stack_1" not in desk.motors
    assert desk.faults() == []


def test_a_stacker_that_hangs_in_the_last_push_is_a_fault_of_its_own(desk: Desk) -> None:
    desk.set(count_1=1)
    desk.run(40)
    desk.set(count_1=0)
    desk.run(40)
    desk.set(stack_home_1=0)
    assert desk.order(m.Pause(True)) == "ok"
    desk.run(1_000)
    assert (desk.faults(), desk.motors) == ([(311, 1)], set())
    status = desk.status()
    assert (status.state, status.homed) == (S.fault, False)


def test_a_tray_that_is_away_when_all_stand(desk: Desk) -> None:
    """Nothing runs then, so nothing watches it: the dome does not start."""
    assert desk.order(m.Pause(True)) == "ok"
    desk.run(100)
    desk.set(tray_down_3=0)
    desk.run(1_000)
    assert (desk.faults(), desk.motors) == ([(403, 3)], set())
    assert not [edge for edge in desk.edges if edge[1] == "dome_raise"]


def test_a_tile_that_stood_under_its_eye_counts_when_it_has_passed(desk: Desk) -> None:
    desk.set(count_4=1)
    desk.run(20)
    pause(desk)
    desk.set(count_1=1)  # a hand
    desk.run(500)
    assert desk.order(m.Pause(False)) == "ok"
    dome(desk, False)
    desk.run(100)
    desk.set(count_4=0, count_1=0)
    desk.run(50)
    status = desk.status()
    assert (status.count_1, status.count_4) == (1, 1)


def test_what_nobody_may_order_in_a_pause(desk: Desk) -> None:
    pause(desk)
    for order in (m.Home(), m.Build(136), m.Lift(m.Target.dome, m.Direction.down)):
        assert desk.order(order) == "busy"
    assert desk.order(m.Lift(m.Target.trays, m.Direction.up)) == "busy"
    assert desk.order(m.Pause(True)) == "ok", "it is what it is"
    assert desk.order(m.Dice(500)) == "ok", "the dice may always be thrown"


@pytest.mark.parametrize(
    ("levels", "reason"),
    [
        ({"lid": 1}, "lid_open"),
        ({"tray_down_2": 0}, "trays_not_down"),
        ({"stack_home_4": 0}, "stacker_not_home"),
    ],
)
def test_nothing_closes_while_something_is_open(desk: Desk, levels: dict[str, int], reason: str) -> None:
    pause(desk)
    desk.set(**levels)
    desk.run(100)
    assert desk.status().state == S.paused, "looking inside is what a pause is for"
    assert desk.order(m.Pause(False)) == reason
    press(desk, "a")
    assert desk.motors == set()
    desk.set(**{name: 1 - level for name, level in levels.items()})
    desk.run(100)
    press(desk, "a")
    dome(desk, False)
    assert desk.status().state == S.building


def test_a_stacker_turned_by_hand_while_the_dome_comes_down(desk: Desk) -> None:
    pause(desk)
    assert desk.order(m.Pause(False)) == "ok"
    desk.set(stack_home_2=0)
    dome(desk, False)
    assert (desk.faults(), desk.motors) == ([(312, 2)], set())


def test_the_dome_comes_down_again_when_someone_was_too_quick(desk: Desk) -> None:
    assert desk.order(m.Pause(True)) == "ok"
    press(desk, "a")
    desk.run(600)
    dome(desk, True)
    assert desk.order(m.Pause(True)) == "busy"
    dome(desk, False)
    assert desk.status().state == S.building


@pytest.mark.parametrize(("up", "code"), [(True, 411), (False, 412)])
def test_a_dome_that_does_not_arrive(desk: Desk, up: bool, code: int) -> None:
    if up:
        assert desk.order(m.Pause(True)) == "ok"
    else:
        pause(desk)
        assert desk.order(m.Pause(False)) == "ok"
    desk.set(dome_down=0, dome_up=0)
    desk.run(4_000)
    assert (desk.faults(), desk.motors) == ([(code, 0)], set())
    status = desk.status()
    assert (status.state, status.homed) == (S.fault, False)


WHEN = ("standing", "raising", "open", "lowering")


def bring_to(desk: Desk, when: str) -> None:
    assert desk.order(m.Pause(True)) == "ok"
    if when == "standing":
        return
    desk.run(600)
    if when == "raising":
        desk.set(dome_down=0)
        desk.run(100)
        return
    dome(desk, True)
    if when == "lowering":
        assert desk.order(m.Pause(False)) == "ok"
        desk.set(dome_up=0)
        desk.run(100)


@pytest.mark.parametrize("when", WHEN)
@pytest.mark.parametrize(
    ("what", "state", "faults"),
    [
        ("stop", S.stopped, []),
        ("estop", S.estop, [(602, 0)]),
        ("lid", S.fault, [(601, 0)]),
        ("silence", S.safe, [(201, 0)]),
    ],
)
def test_stops_hold_in_a_pause_as_everywhere(
    desk: Desk, when: str, what: str, state: S, faults: list[tuple[int, int]]
) -> None:
    bring_to(desk, when)
    if what == "stop":
        desk.link.stop(desk.now)
        desk.flush()
    elif what == "silence":
        desk.beating = False
        desk.run(700)
        desk.beating = True
    else:
        desk.set(**{what: 1})
    desk.run(1_000 if when == "standing" else 100)
    if (what, when) in (("lid", "open"), ("lid", "standing"), ("silence", "open")):
        assert (desk.status().state, desk.faults(), desk.motors) == (S.paused, [], set()), "nothing moves"
        return
    assert desk.motors == set()
    assert (desk.status().state, desk.faults()) == (state, faults)
    moving = when != "open"
    assert desk.status().homed != moving
    counts = (desk.status().count_1, desk.status().count_2, desk.status().count_3, desk.status().count_4)
    desk.set(estop=0, lid=0)
    desk.run(100)
    assert desk.order(m.ClearFault(0)) == "ok"
    desk.set(dome_up=0, dome_down=1)  # where homing or a lift would bring it
    desk.run(100)
    if moving:
        assert desk.order(m.Home(), 100) == "ok"
    assert desk.order(m.Build(136)) == "ok", "and the build goes on"
    desk.run(100)
    after = desk.status()
    assert (after.count_1, after.count_2, after.count_3, after.count_4) == counts


def test_a_reset_in_a_pause_keeps_the_counts(desk: Desk) -> None:
    pause(desk)
    desk.power(m.ResetCause.watchdog)
    desk.run(300)
    status = desk.status()
    assert (status.state, status.homed, status.tiles, status.count_2) == (S.loading, False, 136, 2)
    assert desk.motors == set()


@pytest.mark.parametrize("at", ["idle", "ready to play"])
def test_there_is_nothing_to_pause_outside_a_build(table: Desk, at: str) -> None:
    table.again()
    table.homed()
    if at != "idle":
        table.set(**{f"tray_down_{n}": 0 for n in SIDES}, **{f"tray_up_{n}": 1 for n in SIDES})
        table.run(100)
    for on in (True, False):
        assert table.order(m.Pause(on)) == "bad_value"
    press(table, "a", "b")
    assert table.motors == set()


def test_timers_stand_still_in_a_pause(desk: Desk) -> None:
    """No 341 after 15 s without tiles, no 351 after 80 s, no 352 after 200 s: a pause is no part of them."""
    desk.run(10_000)
    pause(desk)
    desk.run(300_000)
    assert desk.order(m.Pause(False)) == "ok"
    dome(desk, False)
    desk.run(4_000)
    assert desk.faults() == []
    desk.run(1_500)
    assert desk.faults() == [(341, 0)]


def test_a_switch_turned_in_a_pause_is_told(desk: Desk) -> None:
    pause(desk)
    desk.set(decksel_2=1)
    desk.run(600)
    assert desk.events(m.Fault) == [m.Fault(343, 0, 2)]
    assert desk.status().state == S.paused
