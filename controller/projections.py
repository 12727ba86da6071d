"""What is shown: views of state and live values as plain JSON. Amounts become points, players become names.

Robots look at the same state view: nothing in it is hidden from the players at the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, Literal

from controller.acts import acts
from controller.claim_views import (
    also_views,
    false_win_view,
    irregularity_views,
    referee_is_asked,
    stated_view,
)
from controller.decide.confirm import still_to_confirm
from controller.decide.kit import World
from controller.decide.reading import as_read, known_flowers
from controller.drawing import seats_draw
from controller.explained import of_claim
from controller.faults import fault_view, fault_views
from controller.hand_views import amended, hand_view, letter, points
from controller.hand_views import history_view as history_view
from controller.judge import has_flowers, kongs_are_paid, may_several_win, stacks_by_side
from controller.live_values import Live, MachineLive
from controller.sheet_views import correction_view, over_view, seat_change_view
from controller.state import PLAY_PHASES, SEATS, Phase, TableState, Throw
from controller.timers import time_view
from controller.views import (
    BuildView,
    ClaimView,
    DiceView,
    DrawView,
    LampView,
    MachineView,
    OtherSetView,
    ReadingView,
    ResultView,
    SeatView,
    StateView,
    TableView,
    ThrowView,
    WallView,
)
from controller.views_now import KongView
from rules.errors import RuleError
from rules.scoring import amount_to_number
from rules.seats import Seat
from rules.variants import get_variant

Four = tuple[int, int, int, int]


def state_view(
    state: TableState,
    live: Live,
    *,
    epoch: int = 0,
    names: Mapping[str, str] | None = None,
    now_ms: int = 0,
) -> StateView:
    """Return the view of everything that players may see; `names` by player id, `now_ms` steady time."""
    unit = _unit(state)
    return {
        "epoch": epoch,
        "seq": state.seq,
        "head": state.head[:8],
        "table": _table(state),
        "phase": state.phase.value,
        "step": state.step,
        "hand": state.hand,
        "circle": state.circle,
        "circle_wind": Seat.at(state.circle - 1).value,
        "dealer": state.dealer.value,
        "run": state.run,
        "seats": _seats(state, names or {}, unit),
        "act": acts(World(state, live)),
        "build": _build(state, live),
        "dice": _dice(state),
        "draw": _draw(state),
        "finds_seats": state.phase is Phase.IDLE and seats_draw(state) is not None,
        "lamp": _lamp(state),
        "wall": _wall(state, live),
        "kongs": _kongs(state, unit),
        "kongs_called": [seat.value for seat in state.called],
        "claim": _claim(state),
        "reading": _reading(state, live),
        "result": _result(state, unit),
        "stated": stated_view(state),
        "false_win": false_win_view(state, unit),
        "also": also_views(state),
        "irregularities": irregularity_views(state),
        "referee": referee_is_asked(state, live),
        "confirm": _confirm(state, live),
        "aside": [seat.value for seat in SEATS if seat in state.aside],
        "last": None if state.last is None else hand_view(state.table, state.last, amended(state), unit),
        "correction": correction_view(state, live, names or {}),
        "over": over_view(state),
        "seat_change": seat_change_view(state),
        "time": time_view(state, live, now_ms),
        "fault": None if state.fault is None else fault_view(state.fault),
        "notices": [{"code": notice.code, "params": dict(notice.params)} for notice in live.notices],
        "health": {
            "link": live.link,
            "camera": live.camera,
            "clock_ok": live.clock_ok,
            "ledger": live.ledger,
        },
    }


def _unit(state: TableState) -> int:
    return 1 if state.table is None else state.table.unit


def _table(state: TableState) -> TableView:
    if state.table is None:
        return {
            "name": "",
            "variant": "",
            "variant_zh": "",
            "variant_en": "",
            "mode": "",
            "circumstances": [],
            "flowers": False,
            "several": False,
            "kongs": False,
        }
    variant = get_variant(state.table.variant)
    return {
        "name": state.table.name,
        "variant": variant.key,
        "variant_zh": variant.zh,
        "variant_en": variant.en,
        "mode": str(state.table.procedure.get("mode", "circles")),
        "circumstances": list(variant.circumstances),
        "flowers": has_flowers(state),
        "several": _may_several_win(state),
        "kongs": kongs_are_paid(state),
    }


def _may_several_win(state: TableState) -> bool:
    """Return whether one tile may have several winners; a page is shown whatever the table agreed on."""
    try:
        return may_several_win(state)
    except RuleError:
        return False


def _seats(state: TableState, names: Mapping[str, str], unit: int) -> dict[str, SeatView]:
    dealer = state.dealer.index
    return {
        place.seat.value: {
            "side": place.side,
            "player": place.player,
            "name": names.get(place.player, place.player),
            "entry": place.account,
            "score": amount_to_number(place.score, unit),
            "wind": Seat.at(place.seat.index - dealer).value,
            "dead": place.seat in state.dead,
        }
        for place in state.seats
    }


_PAUSE: Mapping[str, Literal["no", "yes"]] = {"building": "no", "paused": "yes"}


_RAISED = PLAY_PHASES | {Phase.LIFTING, Phase.DICE}
"""Whole walls rise or stand on the table: with two sets they may have been built in the hand before."""


def _build(state: TableState, live: Live) -> BuildView:
    tiles = 0 if state.table is None else state.table.tiles
    target = [0, 0, 0, 0] if state.table is None else [2 * stacks for stacks in stacks_by_side(state)]
    other = _other_set(state, live, tiles)
    if state.built is not None:
        return _walls(tiles, list(state.built), target, True, live, other)
    where = state.fault.phase if state.phase is Phase.FAULT and state.fault else state.phase
    raised = where in _RAISED and not state.is_drawing
    if raised or (state.behind == "built" and where is Phase.BUILDING):
        return _walls(tiles, target, target, True, live, other)
    counting = state.phase is Phase.BUILDING and state.step in ("build", "behind")
    counts = list(live.machine.counts) if counting else [0, 0, 0, 0]
    return _walls(tiles, counts, target, False, live, other)


def _walls(
    tiles: int, counts: list[int], target: list[int], done: bool, live: Live, other: OtherSetView | None
) -> BuildView:
    return {
        "tiles": tiles,
        "counts": counts,
        "target": target,
        "done": done,
        "other": other,
        "pause": _PAUSE.get(live.machine.state) if live.link == "up" else None,
    }


def _other_set(state: TableState, live: Live, tiles: int) -> OtherSetView | None:
    if live.sets == 1 and state.behind == "out":
        return None
    where, counted = state.behind, {"out": 0, "inside": sum(live.machine.counts), "built": tiles}
    if where == "inside":
        builds = live.machine.state in ("building", "homing") and state.fault is None
        where = "building" if builds else "waiting"
    return {"set": 3 - (state.playing or 2), "state": where, "tiles": counted[state.behind]}


def _throws(throws: Iterable[Throw]) -> list[ThrowView]:
    return [{"seat": throw.seat.value, "pips": list(throw.pips), "source": throw.source} for throw in throws]


def _draw(state: TableState) -> DrawView | None:
    draw = state.drawing
    if draw is None:
        return None
    return {"what": draw.what, "thrower": letter(draw.thrower), "throws": _throws(draw.throws)}


def _dice(state: TableState) -> DiceView:
    throwing = state.phase is Phase.DICE
    opening = None if state.is_drawing else state.opening
    drawn = state.drawing.throws if state.drawing is not None and state.is_drawing else None
    return {
        "throws": _throws(state.throws if drawn is None else drawn),
        "thrower": state.thrower().value if throwing else None,
        "asking": throwing and state.step == "ask",
        "opening": None
        if opening is None
        else {
            "count_seat": opening.count_seat.value,
            "count": opening.count,
            "seat": opening.seat.value,
            "stack": opening.stack,
        },
    }


def _lamp(state: TableState) -> LampView:
    lamp = state.lamp
    if lamp is None:
        return {"asked": None, "seen": None, "sense": None, "score": None, "agree": None}
    agree = None if lamp.side is None else lamp.side == lamp.asked
    return {"asked": lamp.asked, "seen": lamp.side, "sense": lamp.sense, "score": lamp.score, "agree": agree}


def _wall(state: TableState, live: Live) -> WallView:
    """Return what is left of the walls; only a look at them tells, for nobody reports a draw."""
    if state.opening is None or live.stacks is None or live.camera != "up":
        return {"left": None, "stacks": None, "source": None}
    return {"left": 2 * sum(live.stacks), "stacks": list(live.stacks), "source": "camera"}


def _kongs(state: TableState, unit: int) -> list[KongView]:
    return [
        {
            "seat": kong.seat.value,
            "kind": kong.kind,
            "tile": kong.tile,
            "from": None if kong.source_seat is None else kong.source_seat.value,
            "robbed": kong.robbed,
            "deltas": points(kong.deltas, unit),
        }
        for kong in state.kongs
    ]


def _claim(state: TableState) -> ClaimView | None:
    claim = state.claim
    if claim is None:
        return None
    hand = state.reading.hand if state.reading is not None else None
    return {
        "kind": claim.kind,
        "seat": letter(claim.seat),
        "by": claim.by,
        "from": letter(claim.from_seat),
        "win_tile": None if hand is None else hand.rpartition("+")[2].strip(),
        "flags": list(claim.flags),
        "sources": dict(claim.sources),
    }


def _reading(state: TableState, live: Live) -> ReadingView | None:
    reading = state.reading
    if reading is None:
        return None
    boxes = live.boxes if len(live.boxes) == len(reading.tiles) else (None,) * len(reading.tiles)
    return {
        "seat": reading.seat.value,
        "hand": reading.hand,
        "sure": reading.sure,
        "source": reading.source,
        "tiles": [
            {
                "tile": tile,
                "score": score,
                "sure": tile != "?",
                "alternatives": list(reading.doubts.get(str(index), ())),
                "box": None if box is None else list(box),
            }
            for index, ((tile, score), box) in enumerate(zip(reading.tiles, boxes, strict=True))
        ],
        "laid": reading.is_laid,
        "melds": [{"kind": kind, "source": source, "tiles": n} for kind, source, n in reading.melds],
        "flowers": None
        if reading.flowers is None
        else [{"tile": tile, "score": score, "sure": tile != "?"} for tile, score in reading.flowers],
        "problems": list(reading.problems),
        "evidence": reading.evidence,
    }


def _result(state: TableState, unit: int) -> ResultView | None:
    result = state.result
    if result is None:
        return None
    flowers = () if state.reading is None else known_flowers(as_read(state.reading))
    told = of_claim(state, flowers)
    return {
        "legal": result.legal,
        "reason": result.reason,
        "elements": told.elements,
        "not_counted": told.not_counted,
        "total": result.total,
        "minimum": told.minimum,
        "without_flowers": told.without_flowers,
        "deltas": points(result.deltas, unit),
    }


def _confirm(state: TableState, live: Live) -> dict[str, str | None]:
    is_open = state.claim is not None or state.accused is not None
    if not is_open or state.phase not in (Phase.CONFIRM, Phase.REVIEW):
        return {}
    asked = {*still_to_confirm(World(state, live)), *state.confirmed, *state.disputed}
    answers: dict[str, str | None] = {}
    for seat in SEATS:
        if seat in asked:
            answers[seat.value] = (
                "yes" if seat in state.confirmed else "no" if seat in state.disputed else None
            )
    return answers


def machine_view(state: TableState, live: Live, counters: Mapping[str, int] | None = None) -> MachineView:
    """Return the technician's view: what the board says, what was ordered, the fault table."""
    machine = live.machine
    return {
        "link": live.link,
        "why": live.why,
        "state": machine.state,
        "busy": machine.busy,
        "homed": machine.homed,
        "trays": machine.trays,
        "dome": machine.dome,
        "lamp": machine.lamp,
        "counts": list(machine.counts),
        "boot_id": machine.boot_id,
        "uptime_ms": machine.uptime_ms,
        "order": None if live.order is None else live.order.name,
        "sensors": dict(machine.sensors),
        "actuators": dict(machine.actuators),
        "counters": {**machine.counters, **(counters or {})},
        "answers": {name: dict(told) for name, told in machine.answers.items()},
        "inputs": _answer(machine, "inputs"),
        "selftest": _answer(machine, "selftest"),
        "lamps_sense": None if live.sense is None else list(live.sense),
        "estop": live.estop,
        "camera": live.camera,
        "marks_off": list(live.marks_off),
        "fault": None if state.fault is None else fault_view(state.fault),
        "faults": fault_views(),
    }


def _answer(machine: MachineLive, name: str) -> dict[str, Any] | None:
    told = machine.answers.get(name)
    return None if told is None else dict(told)


def plain(state: TableState) -> dict[str, Any]:
    """Return the whole state as plain values, for `journal replay` and tests."""
    return asdict(state)
