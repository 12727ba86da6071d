"""Other programs on the board, real binaries in simavr: an older one is looked at and never moved, unknown
numbers are told and survived, and the right program puts all in order again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge import link as fb
from firmware_bridge import messages as m
from firmware_bridge.frames import FrameClass, encode
from firmware_bridge.wire import Message
from hardware.campaigns.rig import Rig
from hardware.firmware.build import build_firmware
from hardware.twin.programs import PROGRAMS
from tests.hardware.test_twin_process import Stepped

pytestmark = pytest.mark.e2e
MOTIONS: tuple[Message, ...] = (
    m.Home(),
    m.Build(136),
    m.Lift(m.Target.trays, m.Direction.up),
    m.Lift(m.Target.dome, m.Direction.up),
    m.Dice(1_000),
    m.Lamp(1),
    m.Jog(0, 500),
    m.Pause(True),
    m.ClearFault(0),
)
YOUNGER: tuple[Message, ...] = (m.ReadInputs(), m.SelfTest(), m.ReadStatistics(), m.EnterUpdate(0x55504454))
"""Open messages that version 1 did not have: nothing waits for an answer that cannot come."""
BACK_S = 2.0
LOST_S = 6.0
"""What either says unasked is rubbish to the other: the host misses the board for 2.5 s and greets anew, the
board may have tried the slower rate meanwhile, for 1.5 s."""


@pytest.fixture(scope="module")
def old() -> Iterator[Rig]:
    with Rig(3, elf=build_firmware(PROGRAMS["old_firmware"])) as rig:
        yield rig


def test_an_old_board_is_told_by_its_version(old: Rig) -> None:
    assert old.link.state == "mismatch"
    told = [event for event in old.heard if not isinstance(event, fb.Status)]
    assert told == [fb.Mismatch("protocol version 1, ours is 2")]


@pytest.mark.parametrize("order", [*MOTIONS, *YOUNGER], ids=lambda order: type(order).__name__)
def test_an_old_board_is_asked_for_nothing_that_it_might_take_otherwise(old: Rig, order: Message) -> None:
    before = old.machine.harness.outputs()
    assert old.order(order) == "mismatch"
    old.run(60)
    assert old.machine.harness.outputs() == before


def test_an_old_board_obeys_no_frame_of_ours_either(old: Rig) -> None:
    """Whatever the host believes: version and CRC are other ones."""
    before, crc_errors = old.machine.harness.outputs(), old.ask_status().crc_errors
    for seq in range(200, 204):
        for motion in (m.Dice(1_000), m.Lamp(2)):
            old.machine.send(encode(FrameClass.COMMAND, seq, old.link.boot_id, motion))
        old.run(50)
    assert old.machine.harness.outputs() == before
    assert old.ask_status().crc_errors - crc_errors == 8


def test_an_old_board_tells_its_state_and_stops(old: Rig) -> None:
    status = old.ask_status()
    assert status.state is m.State.idle
    assert not status.stopped
    assert (status.built, status.programme_switch) == (m.SetId.none, 0), "what version 1 did not have is 0"
    since = old.mark()
    old.run(2_500)
    assert sum(isinstance(event, fb.Status) for event in old.heard[since:]) >= 2, "also unasked"
    old.link.stop(old.now_ms)
    old.run(100)
    assert not old.link.stopping
    assert old.ask_status().stopped


def test_unknown_numbers_are_told_and_hold_nothing_up() -> None:
    with Rig(3, elf=build_firmware(PROGRAMS["strange_firmware"])) as rig:
        rig.wait(lambda: any(fault.code == 999 for fault in rig.faults(0)), 1_000, "fault 999")
        assert fb.Unknown(0x9F) in rig.heard
        (fault,) = rig.faults(0)
        assert (fault.code, fault.side, fault.detail) == (999, 2, 9)
        rig.home()
        rig.load()
        rig.do(m.Dice(600), m.DiceDone())
        assert rig.link.counters["unknown"] == 1, "acknowledged: it is not sent again"
        assert rig.ask_status().events_lost == 0


def test_programs_are_flashed_by_name(tmp_path: Path) -> None:
    twin = Stepped(tmp_path, "--seed", "5")
    try:
        twin.wait(fb.Ready, 3)
        twin.order(m.Home(), m.HomeDone)
        assert twin.ask(op="fault", name="old_firmware") == {}
        assert twin.wait(fb.Mismatch, LOST_S).why.startswith("protocol version 1")
        twin.link.send(m.Home(), twin.now_us // 1000)
        assert twin.wait(fb.Refused, 1).reason_key == "mismatch"
        assert twin.ask(op="state")["motors"] == []
        assert twin.ask(op="fault", name="strange_firmware") == {}
        assert twin.wait(fb.Unknown, BACK_S).code == 0x9F
        assert twin.wait(m.Fault, 1).code == 999
        assert twin.ask(op="fault", name="right_firmware") == {}
        assert twin.wait(fb.Ready, BACK_S).hello.version == m.PROTOCOL_VERSION
        twin.order(m.Home(), m.HomeDone)
        twin.ask(op="quit")
    finally:
        twin.close()
