"""The service mode over the link: entering it, one actuator held on, tiles counted past one counter, lamps.

Whoever holds something on is its dead-man: we repeat the order while the time lasts, and the board ends it
150 ms after the last one, or after its own two seconds, or 600 ms after our last sign of life.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from controller.bits import device_rows
from controller.diag.board import Board
from controller.diag.desk import Desk
from controller.diag.errors import DiagError
from controller.diag.moves import trouble_of
from controller.diag.words import refusal_words
from firmware_bridge import messages as m

HOLD_MS = 150
REPEAT_S = 0.06
LONGEST_JOG_MS = 2_000
MOST_TILES = 36
LATCHED = frozenset(state.name for state in (m.State.fault, m.State.safe, m.State.estop, m.State.stopped))
AT_WORK = frozenset(
    state.name
    for state in (m.State.homing, m.State.building, m.State.paused, m.State.lifting, m.State.in_play)
)
"""States in which the board lets nobody take it, whatever the code."""
_BUSY = (
    "机器正忙，或桌上立着牌墙：打完这一盘，或按住两个升降键再开机",
    "the machine is busy, or walls stand on the table: finish the hand, or hold both lift keys while "
    "you switch the table on",
)
COUNT_S = 25.0
"""The board gives up after 20 s; a stack is pushed to its end."""


@dataclass(frozen=True, slots=True)
class JogResult:
    """What was held on, and for how long."""

    actuator: str
    ran_ms: int


@dataclass(frozen=True, slots=True)
class CountResult:
    """What passed the counter of a side, of what was wanted."""

    side: int
    wanted: int
    tiles: int
    elapsed_ms: int


def motors() -> tuple[dict[str, Any], ...]:
    """Return the actuators that can be jogged, in the order of the pin map."""
    return tuple(row for row in device_rows("actuators") if row["kind"] == "motor")


def enter(desk: Desk, code: Callable[[], int]) -> bool:
    """Take the machine; returns whether it was taken already.

    What the machine does is looked at first, and the code is asked for only if it can be taken: so the
    refusals come in one order, whether the board is asked or the service.

    Raises:
        DiagError: if it is refused; why is said by reason.
    """
    state = desk.status().state
    if state in LATCHED:
        raise DiagError("latched", *refusal_words("latched"))
    if state in AT_WORK:
        raise DiagError("busy", *_BUSY)
    _give(desk, m.Service(True, code()))
    return state == m.State.service.name


def leave(desk: Desk) -> bool:
    """Give the machine back; returns whether it was in service mode. It is not homed then.

    Raises:
        DiagError: if nobody hears it.
    """
    was_on = desk.status().state == m.State.service.name
    _give(desk, m.Service(False, 0))
    return was_on


def lamps(desk: Desk, which: int, run_ms: int) -> None:
    """Light lamps for a while.

    Raises:
        DiagError: if it is refused.
    """
    _give(desk, m.LampTest(which, run_ms))


@contextlib.contextmanager
def served(board: Board, code: Callable[[], int]) -> Iterator[None]:
    """Hold the service mode while the block runs; it is left again unless it was on before.

    A stop that came meanwhile has ended it already. When we are interrupted, all motors are stopped.

    Raises:
        DiagError: as `enter`.
    """
    was_on = enter(board, code)
    board.beats(True)
    try:
        yield
    except BaseException as error:
        if not isinstance(error, DiagError):
            board.stop()
        raise
    finally:
        board.beats(False)
        with contextlib.suppress(DiagError):  # a board that is gone leaves by itself
            if not was_on and board.raw_status().state == m.State.service:
                leave(board)


def jog(board: Board, actuator: str, run_ms: int, now: Callable[[], float] = time.monotonic) -> JogResult:
    """Hold one actuator on; in service mode.

    Raises:
        DiagError: if the board refuses it, at once or on the way, or stops for a fault.
    """
    number = next(int(row["status"]) for row in motors() if row["id"] == actuator)
    board.heard.clear()
    since = now()
    ends = since + run_ms / 1000
    while (left := round((ends - now()) * 1000)) > 0:
        _give(board, m.Jog(number, min(HOLD_MS, left)))
        until = min(now() + REPEAT_S, ends)
        board.pump_until(lambda: now() >= until, REPEAT_S)  # noqa: B023
        _see_trouble(board)
    ran = round((now() - since) * 1000)
    _give(board, m.Jog(number, 0))
    return JogResult(actuator, ran)


def count(board: Board, side: int, tiles: int) -> CountResult:
    """Feed one side until so many tiles passed, or 20 s; in service mode.

    Raises:
        DiagError: if the board refuses it, stops for a fault, or says nothing.
    """
    board.heard.clear()
    _give(board, m.CountTest(side, tiles))

    def over() -> bool:
        return any(isinstance(each, m.CountTested) for each in board.heard) or trouble_of(board) is not None

    board.pump_until(over, COUNT_S)
    _see_trouble(board)
    for each in board.heard:
        if isinstance(each, m.CountTested):
            return CountResult(each.side, tiles, each.tiles, each.elapsed_ms)
    board.stop()
    raise DiagError("no_answer", "没有按时数完，已全停", "the count did not end in time; all motors stopped")


def _give(desk: Desk, message: m.Service | m.Jog | m.CountTest | m.LampTest) -> None:
    reason = desk.order(message)
    if reason != "none":
        raise DiagError(reason, *_words(message, reason))


def _words(message: object, reason: str) -> tuple[str, str]:
    if isinstance(message, m.Service) and reason == "busy":
        return _BUSY
    return refusal_words(reason)


def _see_trouble(board: Board) -> None:
    trouble = trouble_of(board)
    if trouble is not None:
        raise DiagError("stopped", *trouble)
