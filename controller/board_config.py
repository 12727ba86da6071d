"""The board counts with as many sets of tiles as the table is set to: asked at each start, put right then.
A technician changes other values of it, through the service or without one.

Nothing depends on it but what the board says of its sets (STATUS `built`, `in_play`, state in_play); a board
that does not know the question, or moves just now, is left as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from controller.live_values import Order
from firmware_bridge import messages as m
from firmware_bridge.wire import Message

READ, WRITE = "read_config", "write_config"
CHANGE, STORE = "change_config", "configure"
"""The two steps of a technician's change: read what is there, then write all of it with what is to change."""
TWO_SETS = 1
"""Bit of HelloReport.capabilities."""
CONFIG_KEYS = tuple(each.name for each in fields(m.WriteConfig) if each.name != "was")


def question(hello: m.HelloReport) -> Order | None:
    """Return the order that reads the configuration of a board that knows of two sets."""
    return Order(READ, READ, moves=False) if hello.capabilities & TWO_SETS else None


def correction(answer: Message | None, sets: int) -> Order | None:
    """Return the order that changes the number of sets and nothing else, None where it is right."""
    if not isinstance(answer, m.ConfigReport) or answer.sets == sets:
        return None
    return Order(WRITE, WRITE, _with(answer, {"sets": sets}), moves=False)


def change(answer: Message, order: Order) -> Order | None:
    """Return the order that stores what a technician wants, None where somebody has changed it meanwhile."""
    wanted = dict(order.params)
    if not isinstance(answer, m.ConfigReport) or answer.crc != wanted.pop("was"):
        return None
    return Order(STORE, STORE, _with(answer, wanted), moves=False)


def write_message(report: m.ConfigReport, wanted: Mapping[str, int]) -> m.WriteConfig:
    """Return the command that changes some values and leaves all others."""
    return m.WriteConfig(**dict(_with(report, wanted)))


def _with(report: m.ConfigReport, wanted: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    values = {name: int(getattr(report, name)) for name in CONFIG_KEYS}
    return (("was", report.crc), *{**values, **wanted}.items())
