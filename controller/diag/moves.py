"""Movements a technician may ask for: whole motions that the board guards itself, one after the other.

The board checks its interlocks for every one of them; we look before and ask first, beat while something moves,
and stop all motors when we are interrupted or something goes wrong.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from controller.bits import named_bits
from controller.diag.board import Board
from controller.diag.errors import DiagError
from controller.diag.words import refusal_words
from firmware_bridge import link as fb
from firmware_bridge import messages as m
from firmware_bridge.faults import FAULTS
from firmware_bridge.wire import Message

RESTING = frozenset({m.State.idle, m.State.loading, m.State.ready, m.State.in_play})
LAMP_S = 0.8
SPIN_MS = 800


@dataclass(frozen=True, slots=True)
class Step:
    """One order, the event that ends it (None = its acknowledgement), and the longest time it may take."""

    order: Message
    done: Message | None
    limit_s: float
    hold_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Move:
    """A movement by name: `what_*` says what a person at the table will see."""

    key: str
    zh: str
    en: str
    what_zh: str
    what_en: str
    steps: tuple[Step, ...]
    raises_wall: bool = False


def _lift(target: m.Target, direction: m.Direction, limit_s: float) -> Step:
    return Step(m.Lift(target, direction), m.LiftDone(target, direction), limit_s)


# fmt: off
# ruff: noqa: E501
MOVES: dict[str, Move] = {move.key: move for move in (
    Move("lamps", "庄家灯", "dealer lamps", "四盏庄家灯依次亮一下，没有电机动", "the four dealer lamps light one after the other; no motor moves",
         (*(Step(m.Lamp(side), None, 1.0, LAMP_S) for side in (1, 2, 3, 4)), Step(m.Lamp(0), None, 1.0))),
    Move("dice", "骰子", "dice", "骰子转 0.8 秒", "the dice spin for 0.8 s",
         (Step(m.Dice(SPIN_MS), m.DiceDone(), 4.0),)),
    Move("home", "回零", "homing", "升降台和承牌板降到底，叠推各回原点", "dome and trays go to the bottom, stackers to their home",
         (Step(m.Home(), m.HomeDone(), 20.0),)),
    Move("dome", "升降台", "dome", "升降台升起，再降下", "the dome goes up and down again",
         (_lift(m.Target.dome, m.Direction.up, 5.0), _lift(m.Target.dome, m.Direction.down, 5.0))),
    Move("trays", "承牌板", "trays", "四边承牌板升起，再降下", "the four trays go up and down again",
         (_lift(m.Target.trays, m.Direction.up, 6.0), _lift(m.Target.trays, m.Direction.down, 6.0)), raises_wall=True),
)}
# fmt: on


@dataclass(frozen=True, slots=True)
class MoveResult:
    """How a movement went: why not in both languages, and how long each of its steps took."""

    key: str
    zh: str
    en: str
    ok: bool
    step_ms: tuple[int, ...]
    why_zh: str = ""
    why_en: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {"key": self.key, "ok": self.ok, "step_ms": list(self.step_ms), "why_zh": self.why_zh, "why_en": self.why_en}  # fmt: skip


def objections(status: m.StatusReport, moves: list[Move]) -> list[tuple[str, str]]:
    """Return in both languages what must be put right before anything moves; empty = go."""
    sensors, found = named_bits("sensors", status.sensors), []
    if sensors["estop"]:
        found.append(refusal_words("estop"))
    if sensors["lid"]:
        found.append(refusal_words("lid_open"))
    if status.stopped or status.fault:
        found.append(refusal_words("latched"))
    elif status.state not in RESTING:
        found.append(refusal_words("busy"))
    if status.keys:
        found.append(("有按键按着：手离开按键", "a key is held: take the hand off the keys"))
    inside = status.count_1 + status.count_2 + status.count_3 + status.count_4
    if any(move.raises_wall for move in moves) and inside and status.trays != m.Position.up:
        found.append(
            (
                f"里面有 {inside} 张牌：先把这一副打完或取出，承牌板会把牌升上来",
                f"{inside} tiles are inside: play or take them out first, the trays would raise them",
            )
        )
    return found


def run_move(board: Board, move: Move, now: Callable[[], float] = time.monotonic) -> MoveResult:
    """Do one movement to its end; everything is stopped when it does not end well or we are interrupted.

    Raises:
        DiagError: if the board is gone: its own 600 ms without a heartbeat stop the motors then.
    """
    times: list[int] = []
    board.beats(True)
    try:
        for step in move.steps:
            since = now()
            why = _run_step(board, step, since + step.limit_s, now)
            times.append(round((now() - since) * 1000))
            if why is not None:
                return MoveResult(move.key, move.zh, move.en, False, tuple(times), *why)
        return MoveResult(move.key, move.zh, move.en, True, tuple(times))
    except BaseException as error:
        if not isinstance(error, DiagError):
            board.stop()
        raise
    finally:
        board.beats(False)


def _run_step(board: Board, step: Step, until: float, now: Callable[[], float]) -> tuple[str, str] | None:
    """Return None when the step is done, else why not."""
    board.heard.clear()
    board.reboots = 0
    told = board.outcome(step.order)
    if isinstance(told, fb.Refused):
        return refusal_words(told.reason_key)
    if not isinstance(told, fb.Done):
        board.stop()
        return "控制板没有应答，已全停", "the board did not answer; all motors stopped"
    if step.done is None:
        board.pump_until(lambda: False, step.hold_s)
        return None
    ended = board.pump_until(lambda: step.done in board.heard or trouble_of(board) is not None, until - now())
    trouble = trouble_of(board)
    if trouble is not None:
        return trouble
    if not ended:
        board.stop()
        return "没有按时做完，已全停", "not done in time; all motors stopped"
    return None


def trouble_of(board: Board) -> tuple[str, str] | None:
    """Return the fault, stop or restart that the board has told of, if any."""
    if board.reboots:
        return "控制板重启了：查供电", "the board restarted: check its supply"
    for message in board.heard:
        if isinstance(message, m.Fault):
            row = FAULTS.get(message.code)
            if row is None:
                return f"故障 {message.code}", f"fault {message.code}"
            if row.severity in ("stop", "latched"):
                return f"{row.code} {row.zh}：{row.remedy_zh}", f"{row.code} {row.en}: {row.remedy_en}"
        if isinstance(message, m.Stopped) and message.reason.name not in (
            "fault",
            "estop",
            "lid",
            "heartbeat",
        ):
            return "电机被停下", "the motors were stopped"
    return None
