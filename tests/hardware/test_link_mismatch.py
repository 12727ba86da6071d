"""Host and board of different builds on the real binary: status and stop work, nothing moves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from firmware_bridge import link as fb
from firmware_bridge import messages as m
from firmware_bridge.frames import FrameClass, encode
from firmware_bridge.wire import Message
from hardware.campaigns.link import Bench

pytestmark = pytest.mark.e2e
OTHER = 0x01020304
MOTIONS: tuple[Message, ...] = (
    m.Home(),
    m.Build(136),
    m.Lift(m.Target.trays, m.Direction.up),
    m.Dice(1_000),
    m.Lamp(1),
    m.ClearFault(0),
)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """A host that expects another layout of the messages."""
    monkeypatch.setattr(fb, "LAYOUT_HASH", OTHER)
    made = Bench(5, None)
    made.run(60)
    made.link.connected(made.now_us // 1000)
    made.run(500, lambda: made.link.state == "mismatch")
    yield made
    made.harness.close()


def test_the_host_asks_for_no_motion_and_may_look_and_stop(bench: Bench) -> None:
    assert bench.link.state == "mismatch"
    assert [type(event) for event in bench.heard if not isinstance(event, fb.Status)] == [fb.Mismatch]
    for motion in MOTIONS:
        outcome, _ = bench.order(motion)
        assert isinstance(outcome, fb.Refused)
        assert outcome.reason_key == "mismatch"
    told, _ = bench.order(m.GetStatus())
    assert isinstance(told, fb.Done)
    assert isinstance(told.response, m.StatusReport)
    assert not told.response.stopped
    bench.link.stop(bench.now_us // 1000)
    bench.run(100)
    assert not bench.link.stopping
    assert bench.status is not None
    assert bench.status.stopped


@pytest.mark.parametrize("motion", MOTIONS, ids=lambda motion: type(motion).__name__)
def test_the_board_takes_no_order_of_another_build(bench: Bench, motion: Message) -> None:
    """Whatever the host believes: the seed of the CRC is another one."""
    bench.look()
    before = (bench.harness.outputs(), bench.commands.good + bench.commands.repeated)
    for seq in range(200, 204):
        bench.harness.send(encode(FrameClass.COMMAND, seq, bench.link.boot_id, motion, layout=OTHER))
        bench.run(50)
    bench.look()
    assert (bench.harness.outputs(), bench.commands.good + bench.commands.repeated) == before
    bench.run(1_100)
    assert bench.status is not None
    assert bench.status.crc_errors == 4


@pytest.mark.parametrize("version", [0, 1, 15])
def test_another_version_is_told_apart(bench: Bench, version: int) -> None:
    """A greeting of any version is answered; that is how a new host learns whom it has before it."""
    answers = bench.decoder.frames
    hello = m.Hello(version, 77, OTHER)
    bench.harness.send(encode(FrameClass.COMMAND, 1, 0, hello))
    bench.run(20)
    assert bench.decoder.frames > answers
