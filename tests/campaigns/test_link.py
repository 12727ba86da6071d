"""A slice of `campaign link`, its sabotages, and the noise that it is made of."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.campaigns import CAMPAIGNS, link
from hardware.campaigns.noise import Noise, Rates

# sabotage, commands, counters that must be above zero, counters that must be zero
SLICES: tuple[tuple[str | None, int, tuple[str, ...], tuple[str, ...]], ...] = (
    (None, 1000, ("corrupted", "link_retries", "board_duplicates"), ("lost", "repeated", "undetected")),
    ("no-dedup", 200, ("repeated",), ("undetected",)),
    ("no-crc", 200, ("undetected",), ()),
)


@pytest.mark.e2e
@pytest.mark.parametrize(("sabotage", "n", "some", "none"), SLICES, ids=[str(row[0]) for row in SLICES])
def test_a_slice(sabotage: str | None, n: int, some: tuple[str, ...], none: tuple[str, ...]) -> None:
    figures = link.run(n, 4, sabotage)
    assert all(figures[name] > 0 for name in some), figures
    assert all(figures[name] == 0 for name in none), figures
    assert bool(figures["missed"]) == (sabotage is not None)
    if sabotage is None:
        assert figures["commands"] >= n
        assert figures["events"] >= n
        assert figures["corrupted"] >= 0.2 * n
        assert figures["clean_p50_ms"] <= link.CLEAN_P50_MS
        slow = figures["at_115200"]
        assert (slow["lost"], slow["repeated"], slow["undetected"]) == (0, 0, 0)
        assert slow["commands"] >= n / link.FALLBACK_SHARE
        assert 1.5 * figures["clean_p50_ms"] < slow["clean_p50_ms"] <= slow["clean_p99_ms"] < 5
        assert slow["noisy_p50_ms"] < slow["noisy_p99_ms"]


@pytest.mark.e2e
def test_the_same_seed_runs_the_same_way() -> None:
    def figures(seed: int) -> dict[str, Any]:
        return link.run(100, seed)

    assert figures(3) == figures(3)
    assert figures(3) != figures(5)


@pytest.mark.e2e
def test_the_command_says_no_when_a_figure_is_missed() -> None:
    def mahjong_table(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "controller.cli", "twin", "campaign", "link", *words]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    good = mahjong_table("--n", "60", "--seed", "2", "--json")
    assert (good.returncode, good.stderr) == (0, "")
    assert json.loads(good.stdout)["lost"] == 0
    bad = mahjong_table("--n", "60", "--seed", "2", "--json", "--sabotage", "no-dedup")
    assert bad.returncode == 1
    assert bad.stderr.startswith("mahjong-table: repeated: ")
    assert json.loads(bad.stdout)["repeated"] > 0
    assert mahjong_table("--sabotage", "list").stdout.split()[0] == "no-dedup"


def test_a_wire_that_is_too_good_is_no_campaign() -> None:
    figures = {"lost": 0, "repeated": 0, "undetected": 0, "corrupted": 19_999, "clean_p50_ms": 1.0}
    assert link._missed(figures, CAMPAIGNS["link"].n) == ["corrupted: 19999, not 20000 or more"]


frames = st.lists(
    st.binary(min_size=1, max_size=12).map(lambda data: data.replace(b"\0", b"\1")), max_size=30
)
rates = st.builds(
    Rates,
    flip=st.sampled_from([0.0, 0.1]),
    drop=st.sampled_from([0.0, 0.1]),
    insert=st.sampled_from([0.0, 0.1]),
)


@given(frames, rates, st.integers(0, 1000), st.data())
def test_noise_counts_what_it_touches(
    parts: list[bytes], rates: Rates, seed: int, data: st.DataObject
) -> None:
    """Frames one at a time or in pieces: the same damage; a frame that arrives as it was is not counted."""
    whole, pieces = Noise(seed, rates), Noise(seed, rates)
    stream = b"".join(part + b"\0" for part in parts)
    arrived = [whole.through(part + b"\0") for part in parts]
    cut = data.draw(st.integers(0, len(stream)))
    assert pieces.through(stream[:cut]) + pieces.through(stream[cut:]) == b"".join(arrived)
    assert (pieces.frames, pieces.corrupted, pieces.bytes) == (whole.frames, whole.corrupted, whole.bytes)
    assert whole.frames == len(parts)
    changed = sum(got != part + b"\0" for got, part in zip(arrived, parts, strict=True))
    assert changed <= whole.corrupted <= whole.bytes
    if not rates.any:
        assert b"".join(arrived) == stream


def test_noise_is_as_strong_as_it_says() -> None:
    noise = Noise(1, link.NOISE)
    size = sum(len(noise.through(b"\x55" * 40)) for _ in range(5_000))
    assert 0.019 < noise.bytes / 200_000 < 0.023
    assert -0.011 < size / 200_000 - 1 < -0.007
