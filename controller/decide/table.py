"""The phase table: (phase, input) -> who decides, and where that may lead. A missing pair is refused by name.

`docs/phases.md` is printed from here: `python -m controller.decide.diagram`.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.decide import (
    aside,
    build,
    by_hand,
    claim,
    clock,
    confirm,
    corrections,
    dice,
    draws,
    false_win,
    fault,
    irregular,
    lift,
    pause,
    play,
    referee,
    review,
    settle,
    stated,
    system,
)
from controller.decide.kit import Handler
from controller.state import Phase

P = Phase


@dataclass(frozen=True, slots=True)
class Row:
    """One entry: `handler` decides, `leads` are the phases this may lead to besides staying."""

    phase: Phase
    input: str
    handler: Handler
    leads: tuple[Phase, ...] = ()


def _rows(phase: Phase, *rows: tuple[str, Handler, tuple[Phase, ...]]) -> tuple[Row, ...]:
    return tuple(Row(phase, *row) for row in rows)


_PLAY = (
    ("seat_long", play.seat_long, (P.CLAIM,)),
    ("claim", play.claim, (P.CLAIM,)),
    ("declare_kong", play.declare_kong, ()),
    ("withdraw_kong", play.withdraw_kong, ()),
    ("washout", play.washout, (P.CONFIRM,)),
    ("false_win", false_win.call, (P.CONFIRM,)),
    ("irregularity", irregular.note, ()),
    ("rule_false_win", false_win.rule, (P.PLAYING, P.SETTLED)),
    ("void", settle.void, (P.SETTLED,)),
    ("timer", play.timer, (P.PLAYING,)),
    ("photo_read", play.photo_read, ()),
    ("photo_failed", play.photo_failed, ()),
)

ROWS: tuple[Row, ...] = (
    *_rows(
        P.IDLE,
        ("start", build.start, (P.BUILDING, P.DICE)),
        ("lift_key", build.start, (P.BUILDING, P.DICE)),
        ("find_seats", draws.find_seats, (P.DICE,)),
        ("new_game", system.new_game, ()),
        ("seat_short", corrections.agree, ()),
        ("by_hand", by_hand.begin, (P.DICE,)),
        ("seat_long", by_hand.seat_long, (P.DICE,)),
    ),
    *_rows(
        P.BUILDING,
        ("start", build.loaded, ()),
        ("lift_key", build.loaded, ()),
        ("void", settle.void, (P.SETTLED,)),
        ("by_hand", by_hand.begin, (P.DICE,)),
        ("seat_long", by_hand.seat_long, (P.DICE,)),
    ),
    *_rows(
        P.READY,
        ("lift", lift.lift, (P.LIFTING,)),
        ("lift_key", lift.lift, (P.LIFTING,)),
        ("void", settle.void, (P.SETTLED,)),
        ("by_hand", by_hand.begin, (P.DICE,)),
        ("seat_long", by_hand.seat_long, (P.DICE,)),
    ),
    *_rows(
        P.LIFTING,
        ("start", lift.loaded, ()),
        ("lift_key", lift.loaded, ()),
        ("void", settle.void, (P.SETTLED,)),
        ("by_hand", by_hand.begin, (P.DICE,)),
        ("seat_long", by_hand.seat_long, (P.DICE,)),
    ),
    *_rows(
        P.DICE,
        ("throw", dice.throw, ()),
        ("dice_key", dice.throw, ()),
        ("set_dice", dice.set_dice, (P.DEALING, P.BUILDING, P.IDLE)),
        ("set_wall", by_hand.set_wall, (P.DEALING,)),
        ("dealt", by_hand.dealt, (P.PLAYING,)),
        ("seat_short", by_hand.seat_short, (P.PLAYING,)),
        ("photo_read", dice.photo_read, (P.DEALING, P.BUILDING, P.IDLE)),
        ("photo_failed", dice.photo_failed, ()),
        ("timer", dice.timer, ()),
        ("void", settle.void, (P.SETTLED,)),
    ),
    *_rows(
        P.DEALING,
        ("dealt", play.dealt, (P.PLAYING,)),
        ("seat_short", play.seat_short, (P.PLAYING, P.CLAIM)),
        *_PLAY,
    ),
    *_rows(
        P.PLAYING,
        ("seat_short", play.seat_short, (P.CLAIM,)),
        ("lift_key", play.lift_key, (P.CONFIRM,)),
        ("call_clock", clock.call, ()),
        ("stop_clock", clock.stop, ()),
        *_PLAY,
    ),
    *_rows(
        P.CLAIM,
        ("seat_short", claim.seat_short, ()),
        ("seat_long", claim.seat_long, (P.PLAYING,)),
        ("timer", claim.timer, ()),
        ("answer_from", claim.answer_from, ()),
        ("state_points", stated.state_points, ()),
        ("irregularity", irregular.note, ()),
        ("laid", claim.laid, ()),
        ("claim", claim.restate, ()),
        ("declare_kong", play.declare_kong, ()),
        ("withdraw_kong", play.withdraw_kong, ()),
        ("withdraw", claim.withdraw, (P.PLAYING,)),
        ("false_win", false_win.call, (P.CONFIRM,)),
        ("rule_false_win", false_win.rule, (P.PLAYING, P.SETTLED)),
        ("void", settle.void, (P.SETTLED,)),
        ("photo_read", claim.photo_read, (P.CONFIRM, P.REVIEW)),
        ("photo_failed", claim.photo_failed, (P.REVIEW,)),
    ),
    *_rows(
        P.CONFIRM,
        ("seat_short", confirm.confirm, (P.SETTLED, P.PLAYING)),
        ("check_win", referee.check, (P.PLAYING, P.SETTLED)),
        ("confirm", confirm.confirm, (P.SETTLED, P.PLAYING)),
        ("state_points", stated.state_points, ()),
        ("irregularity", irregular.note, ()),
        ("seat_long", confirm.dispute, (P.REVIEW, P.CLAIM, P.PLAYING)),
        ("dispute", confirm.dispute, (P.REVIEW, P.CLAIM, P.PLAYING)),
        ("withdraw_kong", confirm.withdraw_kong, (P.REVIEW,)),
        ("withdraw", confirm.withdraw, (P.PLAYING, P.REVIEW, P.CLAIM)),
        ("rule_false_win", false_win.rule, (P.PLAYING, P.SETTLED)),
        ("void", settle.void, (P.SETTLED,)),
    ),
    *_rows(
        P.REVIEW,
        ("seat_short", aside.seat_short, (P.CLAIM, P.SETTLED)),
        ("seat_long", false_win.seat_long, (P.PLAYING, P.CONFIRM)),
        ("set_aside", aside.agree, (P.SETTLED,)),
        ("correct", review.correct, (P.CONFIRM,)),
        ("correct_tile", review.correct_tile, (P.CONFIRM,)),
        ("set_flowers", review.set_flowers, (P.CONFIRM,)),
        ("answer_from", review.answer_from, (P.CONFIRM,)),
        ("state_points", stated.state_points, (P.CONFIRM,)),
        ("irregularity", irregular.note, ()),
        ("claim", review.claim, (P.CONFIRM,)),
        ("declare_kong", review.declare_kong, (P.CONFIRM,)),
        ("withdraw_kong", review.withdraw_kong, (P.CONFIRM,)),
        ("reshoot", review.reshoot, (P.CLAIM,)),
        ("withdraw", claim.withdraw, (P.PLAYING,)),
        ("false_win", false_win.call, (P.CONFIRM,)),
        ("rule_false_win", false_win.rule, (P.PLAYING, P.SETTLED)),
        ("void", settle.void, (P.SETTLED,)),
    ),
    *_rows(
        P.SETTLED,
        ("start", build.start, (P.BUILDING, P.DICE)),
        ("lift_key", build.start, (P.BUILDING, P.DICE)),
        ("new_game", system.new_game, (P.IDLE,)),
        ("seat_short", corrections.agree, ()),
        ("by_hand", by_hand.begin, (P.DICE,)),
        ("seat_long", by_hand.seat_long, (P.DICE,)),
    ),
    *_rows(
        P.FAULT,
        ("void", settle.void, (P.SETTLED,)),
        ("by_hand", by_hand.begin, (P.DICE,)),
        ("seat_long", by_hand.seat_long, (P.DICE,)),
    ),
)

MACHINE_PHASES = (P.IDLE, P.BUILDING, P.READY, P.LIFTING, P.DICE, P.SETTLED)

_EVERYWHERE: tuple[tuple[str, Handler], ...] = (
    ("restarted", system.restarted),
    ("stop", system.stop),
    ("clear_fault", fault.clear_fault),
    ("machine_fault", fault.machine_fault),
    ("fault_cleared", fault.cleared),
    ("pause", pause.pause),
    ("resume", pause.resume),
    ("selftest", system.technical),
    ("read_inputs", system.technical),
    ("ask", system.ask),
    ("service", system.service),
    ("lamp_test", system.lamp_test),
    ("configure", system.configure),
    ("rebooted", system.rebooted),
    ("machine_event", system.told),
    ("photo_read", system.photo_put_aside),
    ("photo_failed", system.photo_put_aside),
    ("timer", system.noted),
    *((name, corrections.propose) for name in corrections.ASKS),
    ("agree_correction", corrections.agree),
    ("reject_correction", corrections.reject),
    ("rule_correction", corrections.rule),
)

# what the machine brings about by itself: (phase, because of, leads to)
FOLLOWED: tuple[tuple[Phase, str, Phase], ...] = (
    (P.BUILDING, "walls built", P.READY),
    (P.BUILDING, "other set in", P.LIFTING),
    (P.LIFTING, "walls up", P.DICE),
    (P.DICE, "not needed any more", P.SETTLED),
    *((phase, "machine_fault", P.FAULT) for phase in MACHINE_PHASES),
    *((P.FAULT, "clear_fault", phase) for phase in MACHINE_PHASES),
    *((phase, "end_game", P.SETTLED) for phase in P if phase not in (P.IDLE, P.SETTLED)),
)

TABLE: dict[tuple[Phase, str], Row] = {}
for _phase in Phase:
    for _name, _handler in _EVERYWHERE:
        TABLE[_phase, _name] = Row(_phase, _name, _handler)
for _row in ROWS:
    TABLE[_row.phase, _row.input] = _row

INPUTS: tuple[str, ...] = tuple(dict.fromkeys(name for _, name in TABLE))
COMMANDS: frozenset[str] = frozenset(
    {
        "start",
        "by_hand",
        "lift",
        "throw",
        "set_dice",
        "set_wall",
        "dealt",
        "claim",
        "declare_kong",
        "withdraw_kong",
        "washout",
    }
    | {
        "answer_from",
        "laid",
        "withdraw",
        "confirm",
        "dispute",
        "correct",
        "correct_tile",
        "set_flowers",
        "reshoot",
        "set_aside",
        "call_clock",
        "stop_clock",
        "void",
        "state_points",
        "irregularity",
        "check_win",
        "false_win",
        "rule_false_win",
        "stop",
        "clear_fault",
        "pause",
        "resume",
    }
    | {"find_seats"}
    | {"selftest", "read_inputs", "ask", "service", "lamp_test", "configure", "new_game"}
    | {*corrections.ASKS, "agree_correction", "reject_correction", "rule_correction"}
)
"""The names that a page may use; all other inputs come from keys, board, camera and clock."""
