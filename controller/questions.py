"""What a technician may ask the board: a row a question, for the service and for who asks without one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from controller.bits import named_bits
from controller.board_config import CONFIG_KEYS
from firmware_bridge import messages as m
from firmware_bridge.wire import Message

EDGES = 16
BIN_MS = 8
BINS = 9
LOGGED = 32
"""Faults that the board tells of its log."""
MOTORS_TOLD = 8


@dataclass(frozen=True, slots=True)
class Question:
    """One question: its command by argument, the class of its answer, and what that says in plain values.

    `least` and `most` bound the argument: a side, the first of 16 inputs, a record, a seed. `held` is told
    only to who holds the port himself: the view of the service is read by everybody at the table.
    """

    name: str
    command: Callable[[int], Message]
    answer: type[Message]
    told: Callable[[Any], dict[str, Any]]
    least: int = 0
    most: int = 0
    held: Callable[[Any], dict[str, Any]] = lambda report: {}


def inputs_told(report: m.InputsReport) -> dict[str, Any]:
    """Return raw and debounced inputs by device id, and the pulses of the four counters."""
    return {
        "raw": {**named_bits("sensors", report.raw_sensors), **named_bits("keys", report.raw_keys)},
        "on": {**named_bits("sensors", report.sensors), **named_bits("keys", report.keys)},
        "pulses": [report.pulses_1, report.pulses_2, report.pulses_3, report.pulses_4],
    }


def _as_it_is(report: Any) -> dict[str, Any]:
    return {each.name: int(getattr(report, each.name)) for each in fields(report)}


def _edges(report: m.EdgesReport) -> dict[str, Any]:
    return {"first": report.first, "edges": [getattr(report, f"edges_{n}") for n in range(EDGES)]}


def _margin(report: m.MarginReport) -> dict[str, Any]:
    return {
        "side": report.side,
        "shortest_ms": report.shortest_ms,
        "longest_ms": report.longest_ms,
        "too_short": report.too_short,
        "too_long": report.too_long,
        "bins": [getattr(report, f"bin_{n}") for n in range(BINS)],
    }


def _statistics(report: m.StatisticsReport) -> dict[str, Any]:
    told = {name: getattr(report, name) for name in ("builds", "tiles", "lifts", "throws", "faults", "boots")}
    return {**told, "jams": [getattr(report, f"jams_{side}") for side in range(1, 5)]}


def _motor_seconds(report: m.MotorSecondsReport) -> dict[str, Any]:
    return {
        "first": report.first,
        "seconds": [getattr(report, f"seconds_{n}") for n in range(MOTORS_TOLD)],
    }


def _config(report: m.ConfigReport) -> dict[str, Any]:
    values = {name: int(getattr(report, name)) for name in CONFIG_KEYS if name != "service_code"}
    is_set = report.service_code != 0
    return {"crc": report.crc, "valid": bool(report.valid), "service_code_set": is_set, **values}


def loopback(seed: int) -> m.Loopback:
    """Return 32 bytes that differ from one seed to the next, zeros and ones among them."""
    words = [(seed * 0x9E3779B1 + n * 0x85EBCA77) & 0xFFFFFFFF for n in range(6)]
    return m.Loopback(*[*words, 0, 0xFFFFFFFF])


def words_of(report: m.Loopback | m.LoopbackReport) -> dict[str, Any]:
    """Return the 32 bytes as eight numbers."""
    return {"words": [getattr(report, each.name) for each in fields(report)]}


QUESTIONS: Mapping[str, Question] = {
    row.name: row
    for row in (
        Question("inputs", lambda _: m.ReadInputs(), m.InputsReport, inputs_told),
        Question("selftest", lambda _: m.SelfTest(), m.SelfTestReport, _as_it_is),
        Question("analog", lambda _: m.ReadAnalog(), m.AnalogReport, _as_it_is),
        Question("edges", m.ReadEdges, m.EdgesReport, _edges, most=32),
        Question("margin", m.ReadMargin, m.MarginReport, _margin, least=1, most=4),
        Question("loopback", loopback, m.LoopbackReport, words_of, most=65_535),
        Question("fault_log", m.ReadFaultLog, m.FaultLogReport, _as_it_is, most=LOGGED - 1),
        Question("statistics", lambda _: m.ReadStatistics(), m.StatisticsReport, _statistics),
        Question("motor_seconds", m.ReadMotorSeconds, m.MotorSecondsReport, _motor_seconds, most=MOTORS_TOLD),
        Question(
            "config",
            lambda _: m.ReadConfig(),
            m.ConfigReport,
            _config,
            held=lambda report: {"service_code": report.service_code},
        ),
    )
}
BY_ANSWER: Mapping[type[Message], Question] = {row.answer: row for row in QUESTIONS.values()}
