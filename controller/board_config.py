"""The board counts with as many sets of tiles as the table is set to: asked at each start, put right then.

Nothing depends on it but what the board says of its sets (STATUS `built`, `in_play`, state in_play); a board
that does not know the question, or moves just now, is left as it is.
"""

from __future__ import annotations

from dataclasses import fields

from controller.live_values import Order
from firmware_bridge import messages as m
from firmware_bridge.wire import Message

READ, WRITE = "read_config", "write_config"
TWO_SETS = 1
"""Bit of HelloReport.capabilities."""
_WRITTEN = [each.name for each in fields(m.WriteConfig) if each.name != "was"]


def question(hello: m.HelloReport) -> Order | None:
    """Return the order that reads the configuration of a board that knows of two sets."""
    return Order(READ, READ, moves=False) if hello.capabilities & TWO_SETS else None


def correction(answer: Message | None, sets: int) -> Order | None:
    """Return the order that changes the number of sets and nothing else, None where it is right."""
    if not isinstance(answer, m.ConfigReport) or answer.sets == sets:
        return None
    values = {name: getattr(answer, name) for name in _WRITTEN}
    return Order(WRITE, WRITE, (("was", answer.crc), *{**values, "sets": sets}.items()), moves=False)
