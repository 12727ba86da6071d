"""The technician's questions, put to whoever answers: the board itself or the service that holds it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from controller.bits import device_rows
from controller.diag.answers import Answer, InputRow, InputsAnswer, SelfTestAnswer, input_rows
from controller.diag.desk import Desk
from controller.questions import BIN_MS, EDGES, loopback, words_of

SIDES = (1, 2, 3, 4)
KEY_BASE = 32
"""Keys are inputs 32 and on: questions count all inputs in one row."""
NTC_OHM, NTC_BETA, NTC_KELVIN, PULL_OHM, SUPPLY_MV = 10_000.0, 3950.0, 298.15, 10_000.0, 5_000.0
"""hardware/wiring: 10 k at 25 degrees C with B 3950 to ground, 10 k to 5 V."""
DIVIDER = 6.0


@dataclass(frozen=True, slots=True)
class AnalogAnswer(Answer):
    """Voltages at the pins, what they mean, and the current of each group of motors."""

    supply_mv: int
    supply_v: float
    temperature_mv: int
    temperature_c: float | None
    feed_ma: int
    stack_ma: int
    main_ma: int


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """How often one input has changed since the board started, modulo 65536."""

    id: str
    zh: str
    en: str
    edges: int


@dataclass(frozen=True, slots=True)
class EdgesAnswer(Answer):
    """Changes of all inputs."""

    inputs: tuple[EdgeRow, ...]


@dataclass(frozen=True, slots=True)
class MarginRow:
    """How long tiles darkened the counter of a side: (from ms, how many) by bins, the last one open."""

    side: int
    shortest_ms: int
    longest_ms: int
    too_short: int
    too_long: int
    bins: tuple[tuple[int, int], ...]

    @property
    def tiles(self) -> int:
        """Return how many pulses counted as tiles."""
        return sum(count for _, count in self.bins)


@dataclass(frozen=True, slots=True)
class MarginAnswer(Answer):
    """The counters of the sides that were asked about."""

    sides: tuple[MarginRow, ...]


@dataclass(frozen=True, slots=True)
class LoopbackAnswer(Answer):
    """How many times 32 bytes were sent, and how many came back as they were."""

    sent: int
    same: int


def inputs(desk: Desk) -> InputsAnswer:
    """Return all inputs."""
    told = desk.told("inputs")
    return InputsAnswer(desk.kind, desk.place, input_rows(told["on"], told["raw"]), tuple(told["pulses"]))


def changes(desk: Desk, wait: Callable[[], bool]) -> Iterator[InputRow]:
    """Yield every input when it is seen to change, until `wait` says that it was enough."""
    before = {row.id: row.on for row in inputs(desk).inputs}
    while wait():
        for row in inputs(desk).inputs:
            if row.on != before[row.id]:
                before[row.id] = row.on
                yield row


def selftest(desk: Desk) -> SelfTestAnswer:
    """Run the board's self-test, in which nothing moves."""
    told = desk.told("selftest")
    return SelfTestAnswer(desk.kind, desk.place, told["ran"], told["failed"], told["stack_free"])


def celsius(millivolt: int) -> float | None:
    """Return the temperature at the sensor; None when the wire is broken or shorted.

    >>> celsius(2500)
    25.0
    """
    if not 0 < millivolt < SUPPLY_MV - 20:
        return None
    ohm = PULL_OHM * millivolt / (SUPPLY_MV - millivolt)
    return round(1 / (1 / NTC_KELVIN + math.log(ohm / NTC_OHM) / NTC_BETA) - 273.15, 1)


def analog(desk: Desk) -> AnalogAnswer:
    """Return voltages, temperature and currents."""
    told = desk.told("analog")
    volts = round(told["supply_mv"] * DIVIDER / 1000, 1)
    return AnalogAnswer(
        desk.kind, desk.place, **told, supply_v=volts, temperature_c=celsius(told["temperature_mv"])
    )


def edges(desk: Desk) -> EdgesAnswer:
    """Return how often every input has changed."""
    counts: dict[int, int] = {}
    for first in range(0, KEY_BASE + EDGES, EDGES):
        told = desk.told("edges", first)
        counts.update(enumerate(told["edges"], first))
    rows = tuple(
        EdgeRow(row["id"], row["zh"], row["en"], counts[row["status"] + base])
        for group, base in (("sensors", 0), ("keys", KEY_BASE))
        for row in device_rows(group)
    )
    return EdgesAnswer(desk.kind, desk.place, rows)


def margin(desk: Desk, sides: tuple[int, ...] = SIDES) -> MarginAnswer:
    """Return the widths of pulses at the counters."""
    return MarginAnswer(desk.kind, desk.place, tuple(_margin(desk.told("margin", side)) for side in sides))


def _margin(told: dict[str, Any]) -> MarginRow:
    bins = tuple((place * BIN_MS, count) for place, count in enumerate(told["bins"]))
    names = ("side", "shortest_ms", "longest_ms", "too_short", "too_long")
    return MarginRow(**{name: told[name] for name in names}, bins=bins)


def loop_back(desk: Desk, count: int) -> LoopbackAnswer:
    """Send 32 bytes so many times, other ones each time, and see whether they come back."""
    same = sum(desk.told("loopback", seed) == words_of(loopback(seed)) for seed in range(count))
    return LoopbackAnswer(desk.kind, desk.place, count, same)
