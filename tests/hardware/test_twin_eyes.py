"""Dirt and light on the counters, more or less of it; tiles that are missing or of another set: what the real
firmware makes of them."""

from __future__ import annotations

import itertools

import pytest

from firmware_bridge import messages as m
from firmware_bridge.faults import FAULTS
from hardware.campaigns.rig import Rig
from hardware.twin.plant.breakage import COUNTS, LEVELS, mend
from hardware.twin.plant.chance import stream
from hardware.twin.plant.eye import LONGEST_US, THRESHOLD, Eye, pulse_us
from hardware.twin.plant.plant import SIDES
from hardware.twin.plant.schedule import Schedule

FINE = 0
BUILD_MS = 120_000


def stops(rig: Rig, since: int) -> list[m.Fault]:
    """Return what stopped the machine; what it got over by itself (a side turned back) is left out."""
    return [fault for fault in rig.faults(since) if FAULTS[fault.code].severity in ("stop", "latched")]


def built(rig: Rig, side: int) -> int:
    """Build; return 0 if the walls stand, right and untold, else the number that was told for side 1 of four,
    or -1 if it was told of another side than `side`."""
    rig.load()
    since = rig.mark()
    assert rig.order(m.Build(136)) == "ok"
    done = rig.build_ended(since, BUILD_MS)
    faults = stops(rig, since)
    if done is not None:
        assert faults == []
        stands = [sum(map(len, rig.machine.plant.sides[each].stacks)) for each in SIDES]
        assert stands == [34] * 4
        return FINE
    assert len(faults) == 1
    code, at = faults[0].code, faults[0].side
    return code - (at - 1 if code not in (341, 342) else 0) if at in (0, side) or code in (341, 342) else -1


@pytest.mark.parametrize("clean_us", [30_000, 60_000])
def test_a_pulse_gets_shorter_with_dirt_and_vanishes(clean_us: int) -> None:
    widths = [pulse_us(clean_us, 1.0 - dirt / 100) for dirt in range(101)]
    assert widths[0] == clean_us
    assert all(more >= less for more, less in itertools.pairwise(widths))
    assert widths[64] > 0
    assert widths[66] == 0
    assert pulse_us(clean_us, THRESHOLD) == 0


def test_false_pulses_are_more_and_longer_in_more_light() -> None:
    seen: dict[float, list[int]] = {}
    for light in (0.0, 0.2, 0.6, 1.0):
        schedule, edges = Schedule(), list[tuple[int, bool]]()
        eye = Eye(schedule, lambda on: edges.append((schedule.now_us, on)))  # noqa: B023 used in this turn only
        eye.shine(light, stream(1, "light", 1))
        schedule.play(10_000_000)
        ups = [at for at, on in edges if on]
        downs = [at for at, on in edges if not on]
        seen[light] = [down - up for up, down in zip(ups, downs, strict=False)]
        eye.shade()
        count = len(edges)
        schedule.play(20_000_000)
        assert len(edges) == count, "shaded: nothing more"
    assert seen[0.0] == []
    assert len(seen[0.2]) < len(seen[0.6]) < len(seen[1.0])
    assert max(seen[0.2]) < 4_000 < max(seen[1.0]) <= LONGEST_US < 16_000


@pytest.mark.e2e
@pytest.mark.parametrize(
    ("name", "level", "right"),
    [
        pytest.param("dirt", 0.0, {FINE}, id="clean"),
        pytest.param("dirt", 0.2, {FINE}, id="a little dust"),
        pytest.param("dirt", 0.4, {FINE}, id="dust"),
        pytest.param(
            "dirt", 0.6, {FINE, 321, 341, 301}, id="some are missed: they back up or another side lacks them"
        ),
        pytest.param("dirt", 0.7, {321}, id="blind"),
        pytest.param("dirt", 1.0, {321}, id="covered"),
        pytest.param("light", 0.1, {FINE}, id="a lamp"),
        pytest.param("light", 0.25, {FINE}, id="a bright room"),
        pytest.param("light", 0.5, {FINE, 331}, id="at the window"),
        pytest.param("light", 0.8, {331}, id="sun"),
        pytest.param("light", 1.0, {331}, id="sun right into it"),
    ],
)
def test_the_firmware_works_on_or_names_the_eye(name: str, level: float, right: set[int]) -> None:
    """Never a wall that is told as right and is not, at any level."""
    for seed in (1, 2, 3):
        with Rig(seed) as rig:
            side = 1 + seed % 4
            rig.home()
            LEVELS[name](rig.machine.plant, side, level)
            assert built(rig, side) in right, f"seed {seed}"


@pytest.mark.e2e
@pytest.mark.parametrize("gap_ms", [0, 1, 2, 3])
def test_flickers_that_follow_closely_are_no_tile(gap_ms: int) -> None:
    """Debounced, two of 10 ms are as long as a tile, but a tile's shadow has no gap (0: it is one)."""
    with Rig(3) as rig:
        rig.home()
        rig.load()
        since = rig.mark()
        assert rig.order(m.Build(136)) == "ok"
        rig.wait(lambda: bool(rig.events(since, m.Count)), 5_000, "first tile")
        side = rig.machine.plant.sides[2]
        side.queue.clear()
        side.others = list  # nothing comes this way any more
        rig.run(500)
        before = len([count for count in rig.events(since, m.Count) if count.side == 2])
        for at_ms, on in ((0, True), (10, False), (10 + gap_ms, True), (20 + gap_ms, False)):
            rig.machine.schedule.after(at_ms * 1_000, lambda on=on: side._tell("count_2", on))  # type: ignore[misc]
        rig.run(200)
        counts = [count for count in rig.events(since, m.Count) if count.side == 2]
        assert len(counts) - before == (1 if gap_ms == 0 else 0)


@pytest.mark.e2e
def test_a_wiped_eye_counts_again() -> None:
    with Rig(5) as rig:
        rig.home()
        LEVELS["dirt"](rig.machine.plant, 2, 0.9)
        assert built(rig, 2) == 321
        mend(rig.machine.plant)
        rig.run(300)
        assert rig.clear() == "ok"
        rig.home()
        since = rig.mark()
        assert rig.order(m.Build(136)) == "ok"
        assert rig.build_ended(since, BUILD_MS) is not None


@pytest.mark.e2e
@pytest.mark.parametrize(
    ("name", "count", "code", "detail"),
    [
        ("missing_tile", 1, 341, 1),
        ("missing_tile", 3, 341, 3),
        ("mixed_set", 1, 342, 35),
        ("mixed_set", 4, 342, 35),
    ],
)
def test_tiles_too_few_or_too_many_are_told_by_their_number(
    name: str, count: int, code: int, detail: int
) -> None:
    with Rig(6) as rig:
        rig.home()
        if name == "missing_tile":
            COUNTS[name][1](rig.machine.plant, count)
        rig.load()
        since = rig.mark()
        assert rig.order(m.Build(136)) == "ok"
        if name == "mixed_set":
            COUNTS[name][1](rig.machine.plant, count)
        assert rig.build_ended(since, BUILD_MS) is None
        told = [(fault.code, fault.detail) for fault in stops(rig, since)]
        assert told == [(code, detail)]
