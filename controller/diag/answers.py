"""What can be told about a machine, the same whether the board was asked directly or through the service.

None means: whoever was asked does not tell it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from controller.bits import device_rows


@dataclass(frozen=True, slots=True)
class Answer:
    """Base: `source` is board or service, `place` its device or address."""

    source: str
    place: str

    def as_json(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class StatusAnswer(Answer):
    """Who the board is, what it does, where things stand; `problem_*` says why nothing may be ordered."""

    link: str
    state: str
    fault: int
    fault_key: str | None
    side: int
    stopped: bool
    homed: bool
    trays: str | None
    dome: str | None
    lamp: int | None
    counts: tuple[int, ...]
    running: tuple[str, ...]
    lid_open: bool
    estop: bool
    uptime_ms: int
    boot_id: int | None
    boot_count: int | None = None
    reset_cause: str | None = None
    board: str | None = None
    firmware: str | None = None
    source_hash: str | None = None
    layout: str | None = None
    problem_zh: str | None = None
    problem_en: str | None = None


@dataclass(frozen=True, slots=True)
class InputRow:
    """One input: `on` is what the machine believes, `raw` what the pin says now, `level` 0 = low voltage."""

    id: str
    zh: str
    en: str
    pin: str
    side: int
    on: bool
    raw: bool | None
    level: int | None


@dataclass(frozen=True, slots=True)
class InputsAnswer(Answer):
    """All inputs, and the pulses that the four tile counters saw since the board started."""

    inputs: tuple[InputRow, ...]
    pulses: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CountersAnswer(Answer):
    """Counters of both ends; after `asks` questions also how long an answer takes."""

    counters: Mapping[str, int]
    asks: int = 0
    lost: int = 0
    p50_ms: float | None = None
    p99_ms: float | None = None


@dataclass(frozen=True, slots=True)
class SelfTestAnswer(Answer):
    """Bits of the tests that ran and of those that failed."""

    ran: int
    failed: int
    stack_free: int


def input_rows(on: Mapping[str, bool], raw: Mapping[str, bool] | None) -> tuple[InputRow, ...]:
    """Return a row for every input of the pin map whose state is known."""
    return tuple(_rows(on, raw))


def _rows(on: Mapping[str, bool], raw: Mapping[str, bool] | None) -> Iterator[InputRow]:
    for row in device_rows("sensors", "keys"):
        name = row["id"]
        if name not in on:
            continue
        now = None if raw is None else raw.get(name)
        level = None if now is None else int(now == (row["active"] == "high"))
        yield InputRow(
            name, row["zh"], row["en"], f"P{row['port']}{row['bit']}", row["side"], on[name], now, level
        )
