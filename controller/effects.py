"""What the brain wants done. A driver runs the effects of one `feed` IN ORDER.

`Commit` is durable before the next effect runs; its rows come back as `Committed` at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from controller.facts import Fact

Purpose = Literal["dice", "lamp", "hand", "wall"]


@dataclass(frozen=True, slots=True)
class Commit:
    """Append these facts in one transaction, then feed `Committed(records)` before the next effect."""

    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class SendBytes:
    """Write these bytes to the serial port."""

    data: bytes


@dataclass(frozen=True, slots=True)
class TakePhoto:
    """Take a frame that arrives after now, read it for `purpose`, feed `PhotoRead` or `PhotoFailed`."""

    effect_id: str
    purpose: Purpose
    side: int | None = None
    flowers: bool = False
    """Whether flowers that the player of `side` laid aside are to be read with his hand."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer a page command: `code` is "ok" or a refusal such as "refuse.lift"; `params` fill the text.

    `seq` is the last row of the ledger when it was first given.
    """

    request_id: str
    ok: bool
    code: str
    params: Mapping[str, Any] = field(default_factory=dict)
    seq: int = 0


@dataclass(frozen=True, slots=True)
class SetLine:
    """Set a GPIO output (mcu_reset) to a logical level."""

    line: str
    level: int


Effect = Commit | SendBytes | TakePhoto | Answer | SetLine
