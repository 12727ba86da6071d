"""What the link tells: one frozen value for each thing that happened."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from firmware_bridge.messages import HelloReport, ResetCause, StatusReport
from firmware_bridge.wire import Message

Why = Literal["timeout", "reset", "disconnected", "stopped"]


@dataclass(frozen=True, slots=True)
class Ready:
    """The board has answered our greeting and speaks our layout: orders may be sent."""

    hello: HelloReport


@dataclass(frozen=True, slots=True)
class Received:
    """An event of the board, delivered once and in order; `at_ms` is the board's clock when it happened."""

    message: Message
    at_ms: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Unknown:
    """An event whose number this program does not know: it was acknowledged, and nothing follows from it."""

    code: int
    at_ms: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Status:
    """STATUS that came unasked."""

    message: StatusReport


@dataclass(frozen=True, slots=True)
class Done:
    """The command was accepted; `response` is its answer (Ack, StatusReport ...)."""

    ticket: int
    response: Message


@dataclass(frozen=True, slots=True)
class Refused:
    """The command was not acted on; `reason_key` names why."""

    ticket: int
    reason_code: int
    reason_key: str


@dataclass(frozen=True, slots=True)
class Failed:
    """It is not known whether the board acted on the command; `stopped`: a stop has overtaken it."""

    ticket: int
    why: Why


@dataclass(frozen=True, slots=True)
class Rebooted:
    """The board has started anew since we last spoke: it is not homed, nothing moves."""

    boot_id: int
    cause: ResetCause


@dataclass(frozen=True, slots=True)
class Lost:
    """Nothing valid was heard for too long, or nothing was answered; the link goes on greeting."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The board speaks another layout: STATUS and stop work, motion is refused here."""

    why: str


LinkEvent = Ready | Received | Unknown | Status | Done | Refused | Failed | Rebooted | Lost | Mismatch
