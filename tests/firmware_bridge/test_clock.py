"""The board's clock on ours: good samples win, old ones age, 49 days wrap, a new boot starts anew."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import link as fb
from firmware_bridge import messages as m
from firmware_bridge.clock import WRAP, BoardClock
from firmware_bridge.frames import FrameClass, FrameDecoder, encode


@given(
    st.integers(0, WRAP - 1),
    st.floats(-0.005, 0.005),
    st.integers(0, 2**32),
    st.lists(st.booleans(), min_size=1),
)
def test_it_is_never_further_off_than_it_says(start: int, drift: float, seed: int, asked: list[bool]) -> None:
    """The board drifts as resonators may, answers come after 2 to 200 ms, statuses 2 to 12 ms late."""
    chance, clock, now = random.Random(seed), BoardClock(), 1_000

    def uptime(at_ms: float) -> int:
        return round(start + (at_ms - 1_000) * (1 + drift)) % WRAP

    for is_asked in asked:
        now += chance.randrange(10, 3_000)
        if is_asked:
            there, back = chance.randrange(1, 100), chance.randrange(1, 100)
            clock.answered(uptime(now + there), now, now + there + back)
            now += there + back
        else:
            clock.told(uptime(now), now + 2 + chance.randrange(10))
            now += 12
        later = now + chance.randrange(2_000)
        error, host = clock.error_ms(later), clock.host_ms(uptime(later))
        assert error is not None
        assert host is not None
        assert abs(host - later) <= error + 2.0


def test_the_quick_answer_wins_until_it_is_old() -> None:
    clock = BoardClock()
    assert (clock.host_ms(5), clock.error_ms(5)) == (None, None)
    clock.answered(1_000, 10_000, 10_002)
    assert (clock.host_ms(1_500), clock.error_ms(10_001)) == (10_501, 2.0)
    clock.answered(1_100, 10_100, 10_200)
    assert clock.host_ms(1_500) == 10_501
    clock.answered(61_000, 70_050, 70_060)
    assert clock.host_ms(61_000) == 70_055
    clock.new_boot()
    assert clock.host_ms(5) is None


def test_the_link_asks_its_clock() -> None:
    link = fb.Link(0, session=7)
    link.connected(1_000)
    (hello,) = FrameDecoder().feed(link.take_output())
    report = m.HelloReport(
        m.PROTOCOL_VERSION, m.LAYOUT_HASH, m.Board.host, 0, 1, 0, 0, m.ResetCause.power_on, 1, 9, False, 40
    )
    link.feed(encode(FrameClass.RESPONSE, hello.seq, 9, report), 1_004)
    assert link.clock.host_ms(140) == 1_102
    assert link.counters["clock_error_ms"] == 3
