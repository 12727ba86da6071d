"""The shapes of what is only true now: remarks, health, deadlines."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict


class NoticeView(TypedDict):
    """A remark that changes nothing."""

    code: str
    params: dict[str, Any]


class HealthView(TypedDict):
    """link: up, down, connecting, mismatch; camera: up, frozen, blind (covered, dark), moved, down, none.

    ledger: ok, low (the disk is nearly full: photos are no longer kept), full (the table waits for room).
    """

    link: str
    camera: str
    clock_ok: bool
    ledger: str


class TimerView(TypedDict):
    """A deadline: what = deal, claim_window, turn; at_ms when, of_ms its whole length, `seats` it is for;
    then = play, late, noted follows."""

    what: str
    at_ms: int
    of_ms: int
    seats: list[str]
    then: str


class TimeView(TypedDict):
    """Deadlines by the service's own steady clock: `now_ms` is its time when this was told."""

    now_ms: int
    timers: list[TimerView]


KongView = TypedDict(
    "KongView",
    {
        "seat": str,
        "kind": str,
        "tile": str | None,
        "from": str | None,
        "robbed": bool,
        "deltas": dict[str, int | float],
    },
)
"""A declared kong; `tile` is null while it lies face down before whoever looks."""
