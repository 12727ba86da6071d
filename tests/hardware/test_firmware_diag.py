"""What the board tells a technician: timelines of inputs, and the answers to questions after them."""

from __future__ import annotations

import pytest

from firmware_bridge import link as fb
from firmware_bridge import messages as m
from firmware_bridge.wire import Message
from tests.hardware.test_firmware_core import DEVICES, INPUT, Desk, build, desk, tile

__all__ = ["desk"]
LAMP = {row["id"]: 1 << row["status"] for row in DEVICES["lamps"]}
READY = sum(LAMP[f"ready_{n}"] for n in (1, 2, 3, 4))


def ask(desk: Desk, question: Message) -> Message:
    assert desk.order(question) == "ok"
    done = [event for event in desk.heard if isinstance(event, fb.Done)]
    return done[-1].response


def edges(desk: Desk) -> dict[str, int]:
    """Every input that changed, by name."""
    words: list[int] = []
    for first in (0, 16, 32):
        told = ask(desk, m.ReadEdges(first))
        assert isinstance(told, m.EdgesReport)
        assert told.first == first
        words += [getattr(told, f"edges_{place}") for place in range(16)]
    assert words[len(INPUT) + 2 :] == [0] * (48 - len(INPUT) - 2), "beyond the keys there is nothing"
    return {name: words[bit] for name, bit in INPUT.items() if words[bit]}


def margin(desk: Desk, side: int) -> m.MarginReport:
    told = ask(desk, m.ReadMargin(side))
    assert isinstance(told, m.MarginReport)
    return told


def bins(told: m.MarginReport) -> list[int]:
    return [getattr(told, f"bin_{place}") for place in range(9)]


def test_edges_are_counted_after_debouncing_since_the_start(desk: Desk) -> None:
    desk.up()
    assert edges(desk) == {}
    for level in (1, 0, 1):  # bounces for 6 ms, debounced for 20
        desk.set(jam_3=level)
        desk.run(2)
    desk.run(50)
    desk.set(jam_3=0, key_dice_2=1)
    desk.run(50)
    assert edges(desk) == {"jam_3": 2, "key_dice_2": 1}
    assert edges(desk) == {"jam_3": 2, "key_dice_2": 1}, "asking changes nothing"
    desk.power()
    desk.run(60)
    assert edges(desk) == {}


def test_pulse_widths_are_kept_by_side(desk: Desk) -> None:
    desk.jump = 1
    desk.up()
    for side, width in ((2, 10), (2, 35), (2, 44), (2, 44), (2, 300), (2, 2_100), (4, 30)):
        desk.set(**{f"count_{side}": 1})
        desk.run(width)
        desk.set(**{f"count_{side}": 0})
        desk.run(40)
    told = margin(desk, 2)
    assert (told.too_short, told.too_long) == (1, 1)
    assert (told.shortest_ms, told.longest_ms) == (35, 300)
    assert bins(told) == [0, 0, 0, 0, 1, 2, 0, 0, 1]
    assert bins(margin(desk, 4)) == [0, 0, 0, 1, 0, 0, 0, 0, 0]
    assert margin(desk, 1) == m.MarginReport(1, *[0] * 13)


@pytest.mark.parametrize("side", [0, 5, 255])
def test_a_side_that_there_is_not_has_no_pulses(desk: Desk, side: int) -> None:
    desk.up()
    tile(desk, 1)
    assert margin(desk, side) == m.MarginReport(side, *[0] * 13)


def test_loopback_brings_every_byte_back(desk: Desk) -> None:
    desk.up()
    for words in ((0,) * 8, (0xFFFFFFFF,) * 8, tuple(0x03020100 + 0x04040404 * n for n in range(8))):
        assert ask(desk, m.Loopback(*words)) == m.LoopbackReport(*words)


def test_voltages_are_told_at_the_pin(desk: Desk) -> None:
    desk.up()
    desk.ask("a 0 3900")
    desk.ask("a 1 1200")
    desk.run(300)
    told = ask(desk, m.ReadAnalog())
    assert isinstance(told, m.AnalogReport)
    assert (told.supply_mv, told.temperature_mv) == (3900, 1200)


def test_lamps_are_tested_for_a_while_and_are_then_as_before(desk: Desk) -> None:
    desk.up()
    desk.order(m.Lamp(2))
    every = sum(LAMP.values())
    assert desk.order(m.LampTest(every, 500)) == "ok"
    assert desk.lamps == every
    desk.run(400)
    assert desk.lamps == every
    desk.run(200)
    assert desk.lamps == LAMP["lamp_2"]
    assert desk.order(m.LampTest(LAMP["buzzer"], 10_000)) == "ok"
    assert desk.order(m.LampTest(0, 0)) == "ok"
    assert desk.lamps == LAMP["lamp_2"], "no time: over at once"
    for bad in (m.LampTest(1, 10_001), m.LampTest(1 << len(LAMP), 10)):
        assert desk.order(bad) == "bad_value"
    assert desk.lamps == LAMP["lamp_2"]


def blinks(desk: Desk, ms: int = 2_000) -> list[int]:
    """What the lamps show, change by change."""
    seen = [desk.lamps]
    for _ in range(ms // 10):
        desk.run(10)
        if desk.lamps != seen[-1]:
            seen.append(desk.lamps)
    return seen


def test_ready_lamps_blink_for_a_fault_until_it_is_cleared(desk: Desk) -> None:
    desk.homed()
    assert desk.lamps == 0
    desk.order(m.Lift(m.Target.trays, m.Direction.up))
    for side in (1, 2, 3, 4):
        desk.set(**{f"tray_down_{side}": 0, f"tray_up_{side}": side != 3})
    desk.run(4_200)
    assert desk.faults() == [(403, 3)]
    assert set(blinks(desk)) == {0, LAMP["ready_3"]}
    assert len(blinks(desk)) in range(8, 10), "twice a second on, twice off"
    desk.order(m.ClearFault(desk.status().stops))
    assert blinks(desk)[-1] == 0
    desk.set(estop=1)
    desk.run(50)
    assert set(blinks(desk)) == {0, READY}, "the whole table's: all of them"


def test_ready_lamps_are_lit_when_the_wall_is_built(desk: Desk) -> None:
    desk.homed()
    build(desk, 108, (28, 26, 28, 26))
    assert desk.status().state == m.State.ready
    assert desk.lamps == READY
    desk.order(m.Lamp(4))
    assert desk.lamps == READY | LAMP["lamp_4"]
    desk.order(m.Stop())
    assert READY in {lamps & READY for lamps in blinks(desk)}
    assert 0 in {lamps & READY for lamps in blinks(desk)}
