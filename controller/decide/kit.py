"""What every reducer uses: the world it looks at, the decision it gives back, refusals by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.errors import Refused
from controller.facts import Fact
from controller.inputs import TableInput
from controller.live_values import Live, Order
from controller.state import Phase, TableState
from rules.seats import Seat


@dataclass(frozen=True, slots=True)
class World:
    """Everything a reducer may look at."""

    state: TableState
    live: Live


@dataclass(frozen=True, slots=True)
class Decision:
    """Facts to commit, live values to take over, orders that are not waited for, and the answer."""

    facts: tuple[Fact, ...] = ()
    live: Live | None = None
    orders: tuple[Order, ...] = ()
    ok: bool = True
    code: str = "ok"
    params: Mapping[str, Any] = field(default_factory=dict)


Handler = Callable[[World, TableInput], Decision]


def refused(code: str, **params: Any) -> Decision:
    """Return a refusal; nothing changes."""
    return Decision(ok=False, code=code, params=params)


def to_phase(phase: Phase, step: str | None = None) -> Fact:
    """Return the fact that the table is in `phase` now."""
    return Fact("phase", {"phase": phase.value, "step": step})


def asked_seat(world: World, given: TableInput, key: str = "seat") -> Seat:
    """Return the seat of the key that was pressed or the one that the command names."""
    if given.seat is not None:
        return given.seat
    return body_seat(given.body, key)


def body_seat(body: Mapping[str, Any], key: str) -> Seat:
    """Return the seat named in a command.

    Raises:
        Refused: if it is missing or none of E S W N.
    """
    try:
        return Seat(str(body.get(key)))
    except ValueError:
        raise Refused("refuse.invalid", field=key) from None


def optional_seat(body: Mapping[str, Any], key: str) -> Seat | None:
    """Return the seat named in a command, or None if the field is absent."""
    return None if body.get(key) is None else body_seat(body, key)


def body_text(body: Mapping[str, Any], key: str, limit: int = 200) -> str:
    """Return a short text of a command."""
    text = body.get(key)
    if not isinstance(text, str) or not 0 < len(text) <= limit:
        raise Refused("refuse.invalid", field=key)
    return text
