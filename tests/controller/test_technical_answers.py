"""What the board answers to a technician stands in the machine view, numbered, until the next answer."""

from __future__ import annotations

from controller import wire
from controller.live_values import Live
from controller.projections import machine_view
from controller.state import TableState
from firmware_bridge import messages as m


def test_raw_and_debounced_inputs_are_told_by_name() -> None:
    report = m.InputsReport(1 << 27, 0b10, 1 << 8, 0, 3, 0, 65535, 7)
    live = wire.observe(Live(), report).live
    told = machine_view(TableState(), live)["inputs"]
    assert told is not None
    assert (told["number"], told["pulses"]) == (1, [3, 0, 65535, 7])
    assert {name for name, on in told["raw"].items() if on} == {"estop", "key_lift_b"}
    assert {name for name, on in told["on"].items() if on} == {"stack_home_1"}


def test_each_answer_has_a_number_of_its_own() -> None:
    live = wire.observe(Live(), m.SelfTestReport(255, 4, 6000)).live
    assert machine_view(TableState(), live)["selftest"] == {
        "number": 1,
        "ran": 255,
        "failed": 4,
        "stack_free": 6000,
    }
    live = wire.observe(live, m.SelfTestReport(255, 0, 6000)).live
    told = machine_view(TableState(), live)
    assert (told["selftest"] or {})["number"] == 2
    assert told["inputs"] is None
    assert told["answers"] == {"selftest": told["selftest"]}
