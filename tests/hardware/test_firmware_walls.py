"""Programmes, uneven walls and the rotary switch, on the core of the firmware, see `Desk`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from firmware_bridge import messages as m
from tests.hardware.test_firmware_core import SIDES, Desk, made_desk, tile

PROGRAMMES = (0, 72, 108, 112, 120, 136, 144)
"""By position of the switch."""


@pytest.fixture(scope="module")
def table() -> Iterator[Desk]:
    yield from made_desk(7)


@pytest.fixture
def desk(table: Desk) -> Desk:
    table.again()
    return table


def counts(desk: Desk) -> tuple[int, int, int, int]:
    (done,) = desk.events(m.BuildDone)
    assert isinstance(done, m.BuildDone)
    return done.count_1, done.count_2, done.count_3, done.count_4


def feed(desk: Desk, shares: tuple[int, int, int, int]) -> None:
    """Give every side its tiles, but only through a feed that runs."""
    left = list(shares)
    while any(left):
        for side in SIDES:
            if left[side - 1]:
                assert f"feed_{side}" in desk.motors, side
                tile(desk, side)
                left[side - 1] -= 1
    desk.run(100)


def turn(desk: Desk, position: int) -> None:
    desk.set(**{f"decksel_{bit + 1}": position >> bit & 1 for bit in range(4)})
    desk.run(100)


@pytest.mark.parametrize(
    ("order", "shares"),
    [
        (m.Build(72), (18, 18, 18, 18)),
        (m.Build(108), (28, 26, 28, 26)),
        (m.Build(112), (28, 28, 28, 28)),
        (m.Build(120), (30, 30, 30, 30)),
        (m.Build(136), (34, 34, 34, 34)),
        (m.Build(144), (36, 36, 36, 36)),
        (m.Build(108, 26, 28, 26, 28), (26, 28, 26, 28)),  # the dealer sits at side 2
        (m.Build(108, 36, 36, 36, 0), (36, 36, 36, 0)),  # three players
        (m.Build(72, 36, 0, 36, 0), (36, 0, 36, 0)),  # two players, face to face
        (m.Build(84, 28, 28, 0, 28), (28, 28, 0, 28)),
        (m.Build(36, 0, 36), (0, 36, 0, 0)),
    ],
    ids=str,
)
def test_walls_are_as_ordered(desk: Desk, order: m.Build, shares: tuple[int, int, int, int]) -> None:
    desk.homed()
    assert desk.order(order) == "ok"
    desk.run(100)
    assert {name for name in desk.motors if name.startswith("feed")} == {
        f"feed_{side}" for side in SIDES if shares[side - 1]
    }
    feed(desk, shares)
    assert counts(desk) == shares
    pushes = [name for _, name, on in desk.edges if on and name.startswith("stack_")]
    assert [pushes.count(f"stack_{side}") for side in SIDES] == [share // 2 for share in shares]
    assert desk.motors == set()
    assert desk.status().state == m.State.ready
    assert desk.faults() == []


@pytest.mark.parametrize(
    "order",
    [
        m.Build(0),
        m.Build(100),
        m.Build(137),
        m.Build(148),
        m.Build(136, 34, 34, 34, 32),  # 134
        m.Build(136, 34, 34, 34, 36),  # 138
        m.Build(108, 27, 27, 27, 27),  # odd
        m.Build(108, 38, 36, 34, 0),  # longer than a tray
        m.Build(76, 38, 0, 38, 0),
        m.Build(0, 254, 2),  # 256 is no 0
    ],
    ids=str,
)
def test_walls_that_cannot_be_are_refused(desk: Desk, order: m.Build) -> None:
    desk.homed()
    assert desk.order(order) == "bad_value"
    assert desk.status().tiles == 0
    assert desk.motors == set()


def test_a_tile_at_a_side_without_a_wall_is_one_too_many(desk: Desk) -> None:
    desk.homed()
    assert desk.order(m.Build(72, 36, 0, 36, 0)) == "ok"
    tile(desk, 2)
    assert desk.faults() == [(342, 2)]


def test_half_a_wall_goes_on_only_as_it_was_planned(desk: Desk) -> None:
    desk.homed()
    assert desk.order(m.Build(108, 26, 28, 26, 28)) == "ok"
    for side in SIDES:
        tile(desk, side)
    desk.link.stop(desk.now)
    desk.flush()
    desk.run(700)
    assert desk.order(m.ClearFault(0)) == "ok"
    assert desk.order(m.Build(108)) == "wall_inside"  # the same tiles, other sides
    desk.power(m.ResetCause.watchdog)
    desk.run(300)
    assert desk.order(m.Home(), 100) == "ok"
    assert desk.order(m.Build(108, 28, 26, 28, 26)) == "wall_inside"
    assert desk.order(m.Build(108, 26, 28, 26, 28)) == "ok"
    feed(desk, (25, 27, 25, 27))
    assert counts(desk) == (26, 28, 26, 28)


# ---------------------------------------------------------------- the rotary switch


@pytest.mark.parametrize("position", range(16))
def test_the_switch_allows_its_own_programme_only(desk: Desk, position: int) -> None:
    desk.homed()
    turn(desk, position)
    assert desk.status().programme_switch == position
    for tiles in PROGRAMMES[1:]:
        fits = position == 0 or (position < len(PROGRAMMES) and PROGRAMMES[position] == tiles)
        assert desk.order(m.Build(tiles)) == ("ok" if fits else "programme_switch")
        if fits:
            desk.link.stop(desk.now)
            desk.flush()
            desk.run(400)  # the currents of a motor that ran for one long step are forgotten
            assert desk.order(m.ClearFault(0)) == "ok"
    fits = position in (0, PROGRAMMES.index(108))
    assert desk.order(m.Build(108, 36, 36, 36)) == ("ok" if fits else "programme_switch")


def test_a_switch_turned_in_a_build_is_told_once_and_counts_for_the_next_one(desk: Desk) -> None:
    desk.homed()
    turn(desk, 2)
    assert desk.order(m.Build(108)) == "ok"
    tile(desk, 1)
    for passing in (3, 4, 5):  # 3 and 4 are on the way
        turn(desk, passing)
    assert desk.faults() == []
    desk.run(400)
    (told,) = desk.events(m.Fault)
    assert told == m.Fault(343, 0, 5)
    desk.run(2_000)
    assert desk.faults() == [(343, 0)]
    assert desk.status().state == m.State.building
    for side in SIDES[1:]:
        tile(desk, side)
    desk.set(jam_3=1)
    desk.run(3_000)  # turned back twice in vain
    desk.set(jam_3=0)
    assert desk.order(m.ClearFault(0), 50) == "ok"
    assert desk.order(m.Build(108)) == "ok", "the wall that is begun goes on"
    feed(desk, (27, 25, 27, 25))
    assert counts(desk) == (28, 26, 28, 26)
    raise_walls(desk)
    assert desk.order(m.Build(108)) == "programme_switch"
    assert desk.order(m.Build(136)) == "ok"


def raise_walls(desk: Desk) -> None:
    for up in (True, False):
        assert desk.order(m.Lift(m.Target.trays, m.Direction.up if up else m.Direction.down)) == "ok"
        desk.set(**{f"tray_down_{n}": not up for n in SIDES}, **{f"tray_up_{n}": up for n in SIDES})
        desk.run(100)


def test_a_switch_turned_at_rest_is_no_news(desk: Desk) -> None:
    desk.homed()
    turn(desk, 5)
    assert desk.order(m.Build(136)) == "ok"
    desk.run(1_000)
    turn(desk, 6)
    turn(desk, 5)  # and back again before it stood still
    desk.run(1_000)
    assert desk.faults() == []


# ---------------------------------------------------------------- tiles that do not come


@pytest.mark.parametrize(
    ("order", "left_out", "told"),
    [
        (m.Build(72, 36, 0, 36, 0), (0, 0, 1, 0), (341, 3)),  # one tile lies on the floor
        (m.Build(72, 36, 0, 36, 0), (1, 0, 1, 0), (341, 0)),
        (m.Build(72, 36, 0, 36, 0), (6, 0, 0, 0), (321, 1)),  # so many from one side: its eye is blind
        (m.Build(108, 36, 36, 0, 36), (0, 0, 0, 2), (341, 4)),
        (m.Build(108, 26, 28, 26, 28), (2, 0, 2, 0), (341, 0)),
    ],
    ids=str,
)
def test_a_wall_that_stays_short_names_its_side(
    desk: Desk, order: m.Build, left_out: tuple[int, int, int, int], told: tuple[int, int]
) -> None:
    """Sides without a wall are missing nothing."""
    desk.homed()
    assert desk.order(order) == "ok"
    desk.run(100)
    shares = (order.side_1, order.side_2, order.side_3, order.side_4)
    one, two, three, four = (share - less for share, less in zip(shares, left_out, strict=True))
    feed(desk, (one, two, three, four))
    desk.run(14_000)
    assert desk.faults() == []
    desk.run(1_500)
    assert desk.faults() == [told]
    assert desk.motors == set()
    (fault,) = desk.events(m.Fault)
    assert isinstance(fault, m.Fault)
    assert fault.detail == (sum(left_out) if told[0] == 341 else 36 - 6)
