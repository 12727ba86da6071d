"""The service mode on the whole twin: tiles counted past one side, every motor held on for a moment."""

from __future__ import annotations

from firmware_bridge import messages as m
from hardware.campaigns.rig import Rig

CODE = 1234
"""The factory's service code (core/config.c)."""


def test_the_tiles_of_one_side_are_counted_and_stacked() -> None:
    with Rig(11) as rig:
        rig.home()
        rig.load()
        assert rig.order(m.Service(True, CODE)) == "ok"
        since = rig.mark()
        assert rig.order(m.CountTest(2, 5)) == "ok"
        tested = rig.wait_for(since, 21_000, m.CountTested)
        assert isinstance(tested, m.CountTested)
        plant = rig.machine.plant
        assert (tested.side, tested.tiles) == (2, 5)
        assert plant.sides[2].built == 5
        assert len(plant.sides[2].stacks) == 2, "two are a stack; the fifth waits in the mouth"
        assert plant.motors_on == frozenset()
        assert [side.built for number, side in plant.sides.items() if number != 2] == [0, 0, 0]
        status = rig.ask_status()
        assert (status.state, status.homed) == (m.State.service, False)
        assert (status.count_1, status.count_2) == (0, 0)
        assert rig.order(m.Service(False, 0)) == "ok"
        assert rig.faults(0) == []


def test_every_motor_of_a_table_at_rest_can_be_held_on_for_a_moment() -> None:
    """Nothing collides, and the board homes what was moved."""
    with Rig(12) as rig:
        rig.home()
        assert rig.order(m.Service(True, CODE)) == "ok"
        for actuator in (8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 14, 12, 13):
            assert rig.order(m.Jog(actuator, 400)) == "ok", actuator
            rig.run(600)
            assert rig.machine.plant.motors_on == frozenset()
            if actuator in range(4, 8):  # a stacker cut short in its push is brought home by hand
                while not rig.ask_status().sensors >> (actuator + 4) & 1:
                    assert rig.order(m.Jog(actuator, 20)) in ("ok", "resting")
                    rig.run(60)
        assert rig.order(m.Service(False, 0)) == "ok"
        rig.home()
        assert rig.faults(0) == []
