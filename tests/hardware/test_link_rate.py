"""A host at the slower rate: the board follows it, comes back, and is not led astray by rubbish."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from firmware_bridge import link as fb
from firmware_bridge import messages as m
from firmware_bridge.messages import BAUD, BAUD_FALLBACK
from hardware.campaigns.link import Bench
from hardware.firmware.devices import load_devices

pytestmark = pytest.mark.e2e
FOLLOWS_MS = 3_000


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench(5, None)
    made.harness.host_baud(BAUD)
    made.run(60)
    made.link.connected(made.now_us // 1000)
    made.run(FOLLOWS_MS, lambda: made.link.state == "ready")
    assert made.link.state == "ready"
    yield made
    made.harness.close()


def lamp_ms(bench: Bench, side: int) -> float:
    outcome, took_us = bench.order(m.Lamp(side))
    assert isinstance(outcome, fb.Done)
    return took_us / 1000


def change(bench: Bench, baud: int) -> None:
    bench.harness.host_baud(baud)
    bench.link.disconnected(bench.now_us // 1000)
    bench.link.connected(bench.now_us // 1000)


def test_the_board_follows_and_comes_back(bench: Bench) -> None:
    quick = lamp_ms(bench, 1)
    for baud in (BAUD_FALLBACK, BAUD, BAUD_FALLBACK):
        change(bench, baud)
        assert bench.link.state == "hello"
        bench.run(FOLLOWS_MS, lambda: bench.link.state == "ready")
        assert bench.link.state == "ready"
        took = lamp_ms(bench, 2)
        assert (took > 1.5 * quick) == (baud == BAUD_FALLBACK)
        assert took < 5.0


def test_a_wrong_rate_is_rubbish(bench: Bench) -> None:
    """Else the test above shows nothing: before the board follows, neither hears a frame of the other."""
    frames = bench.decoder.frames
    change(bench, BAUD_FALLBACK)
    bench.run(1_000)
    assert bench.decoder.frames == frames
    assert bench.link.state == "hello"


def test_motors_are_off_long_before_the_rate_changes(bench: Bench) -> None:
    assert isinstance(bench.order(m.Home())[0], fb.Done)
    bench.run(100)
    assert isinstance(bench.order(m.Dice(3_000))[0], fb.Done)
    bench.run(50)
    assert bench.harness.outputs() != idle(bench)
    change(bench, BAUD_FALLBACK)
    bench.run(700)
    assert bench.harness.outputs() == idle(bench)


def idle(bench: Bench) -> dict[str, int]:
    """Return the outputs with the dice motor off."""
    row = next(row for row in load_devices()["devices"]["actuators"] if row["id"] == "dice")
    outputs = bench.harness.outputs()
    return {**outputs, row["port"]: outputs[row["port"]] & ~(1 << row["bit"])}


@pytest.mark.parametrize("pauses_ms", [(0,) * 40, (400,) * 40, (2_000, 2_000, 2_000)])
def test_rubbish_now_and_then_leads_nobody_astray(bench: Bench, pauses_ms: tuple[int, ...]) -> None:
    """Bursts of rubbish between good frames, and after a silence: the next order is answered at once."""
    chance = random.Random(1)
    for pause_ms in pauses_ms:
        bench.harness.send(chance.randbytes(23) + b"\0")
        bench.run(pause_ms + 5)
        assert lamp_ms(bench, 3) < 20.0
