"""What facts of the machine change: where it stands, its walls, its faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from controller.fold_replace import replace
from controller.state import FaultState, Phase, TableState

Body = Mapping[str, Any]


def _phase(state: TableState, body: Body) -> TableState:
    phase, step = Phase(body["phase"]), body.get("step")
    loaded = state.loaded or (phase is Phase.BUILDING and step in ("close", "build"))
    emptying, behind, playing = state.emptying, state.behind, state.playing
    match phase, step:
        case Phase.BUILDING, "empty":
            loaded = False
        case Phase.BUILDING, "open":
            emptying, behind = False, "out" if emptying else behind
        case Phase.LIFTING, "lower" if (state.phase, state.step) == (Phase.LIFTING, "raise"):
            # the walls below are in play; the set that was played has been pushed in before, if there was one
            playing, behind = 3 - (playing or 2), "inside" if behind == "built" else "out"
        case Phase.LIFTING, "close":
            behind = "inside"
    begun = state.begun and (state.behind, behind) != ("built", "inside") and behind != "out"
    return replace(
        state,
        phase=phase,
        step=step,
        aside=frozenset(),
        loaded=loaded,
        emptying=emptying,
        behind=behind,
        begun=begun,
        playing=playing,
    )


def _build_done(state: TableState, body: Body) -> TableState:
    if body.get("behind"):
        return replace(state, behind="built")
    return replace(state, built=tuple(int(count) for count in body["counts"]))


def has_walls_below(state: TableState) -> bool:
    """Return whether walls, whole or begun, stand in the trays and were not raised yet.

    Walls of another set that were built beside the hand before stay there for the next one.
    """
    fault = state.fault if state.phase is Phase.FAULT else None
    where, step = (fault.phase, fault.step) if fault else (state.phase, state.step)
    if state.behind != "out":
        return False
    if where is Phase.LIFTING:
        return step in (None, "raise")
    return where is Phase.READY or (where is Phase.BUILDING and state.loaded)


def _fault(state: TableState, body: Body) -> TableState:
    fault = FaultState(
        int(body["code"]),
        int(body["side"]),
        body["key"],
        body["severity"],
        body["origin"],
        int(body["detail"]),
        Phase(body["phase"]),
        body["step"],
    )
    building = (fault.phase, fault.step) == (Phase.BUILDING, "build") or _is_begun(state)
    return replace(state, fault=fault, emptying=state.emptying or (fault.key == "fault.reset" and building))


def _is_begun(state: TableState) -> bool:
    return state.behind == "inside" and state.begun


def _machine_event(state: TableState, body: Body) -> TableState:
    """A board that starts anew in the middle of a wall no longer knows how many tiles are in it."""
    if body["event"] == "fresh_table":
        return replace(state, emptying=False, behind="out", begun=False, playing=0)
    if body["event"] == "other_begun":
        return replace(state, begun=True)
    if body["event"] == "take_out":
        return replace(state, emptying=True)
    where = (state.fault.phase, state.fault.step) if state.phase is Phase.FAULT and state.fault else None
    is_building = (where or (state.phase, state.step)) == (Phase.BUILDING, "build")
    is_building |= _is_begun(state)
    is_reset = body["event"] == "rebooted" or body.get("key") == "fault.reset"
    return replace(state, emptying=True) if is_reset and is_building else state


def _by_hand(state: TableState, body: Body) -> TableState:
    """Walls built by people: what the machine has below the table is taken out before it builds again."""
    has_tiles = has_walls_below(state) or (state.is_open and state.behind != "out")
    return replace(state, by_hand=True, emptying=state.emptying or has_tiles)


def _fault_cleared(state: TableState, body: Body) -> TableState:
    return replace(state, fault=None)


MACHINE_CHANGES: dict[str, Callable[[TableState, Body], TableState]] = {
    "phase": _phase,
    "build_done": _build_done,
    "by_hand": _by_hand,
    "fault": _fault,
    "machine_event": _machine_event,
    "fault_cleared": _fault_cleared,
}
