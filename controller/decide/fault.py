"""Machine faults: named, shown, and cleared by a person only; people's play is never interrupted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from controller.decide.kit import Decision, World, refused, to_phase
from controller.facts import Fact
from controller.faults import fault_code
from controller.inputs import TableInput
from controller.live_values import Due, Live, Order
from controller.state import PLAY_PHASES, FaultState, Phase

CLEAR_MS = 3_000
RANK = {"info": 0, "warn": 1, "stop": 2, "latched": 3}


def machine_fault(world: World, given: TableInput) -> Decision:
    """Something is wrong with the machine: `stop` and `latched` need a person, the rest is only told.

    The body has code, side, key, severity, origin (mcu, link, gpio, brain) and detail.
    """
    state, body = world.state, dict(given.body)
    if RANK.get(body["severity"], 3) < RANK["stop"]:
        event = Fact("machine_event", {"event": "fault", **body})
        return Decision((event,), world.live.noting(body["key"], side=body["side"], number=body["code"]))
    standing = state.fault
    if standing is not None and not _outranks(body["key"], standing):
        return _beside(world, body, standing)
    waits = standing if state.phase is Phase.FAULT else None  # a hand by hand has left the old place behind
    phase, step = (waits.phase, waits.step) if waits else (state.phase, state.step)
    fault = Fact("fault", {**body, "phase": phase.value, "step": step})
    interrupts = state.phase not in PLAY_PHASES and state.phase is not Phase.FAULT
    facts = (fault, to_phase(Phase.FAULT)) if interrupts else (fault,)
    return Decision(facts, _stopped(world))


def _beside(world: World, body: Mapping[str, Any], standing: FaultState) -> Decision:
    """Keep another fault while one stands; STATUS tells it again and again, which is no news."""
    told, live = (str(body["key"]), int(body["side"])), world.live
    if told == (standing.key, standing.side) or told in live.beside:
        return Decision()
    event = Fact("machine_event", {"event": "fault", **body})
    return Decision((event,), replace(live, beside=live.beside | {told}))


def _outranks(key: str, standing: FaultState) -> bool:
    return key == "fault.estop" and standing.key != "fault.estop"


def stop_standing(world: World) -> tuple[Fact, ...]:
    """Return the fact that a person's stop takes the place of the fault that stands.

    A board that has latched already does not tell of the stop, and whoever clears the other fault without
    having heard of it must not clear the stop unseen.
    """
    standing = world.state.fault
    if standing is None or standing.key in ("fault.stop", "fault.estop"):
        return ()
    body = {"code": fault_code("fault.stop"), "side": 0, "key": "fault.stop", "severity": "latched"}
    place = {"phase": standing.phase.value, "step": standing.step}
    return (Fact("fault", {**body, "origin": "mcu", "detail": 0, **place}),)


def _stopped(world: World) -> Live:
    return replace(world.live, order=None, accepted=False, behind=None)


def clear_fault(world: World, given: TableInput) -> Decision:
    """A person says that the cause is gone; the board is asked to unlatch, then the step is derived anew."""
    state, live = world.state, world.live
    fault = state.fault
    if fault is None:
        return refused("refuse.clear_fault", phase=state.phase.value)
    if live.estop:
        return refused("refuse.estop")
    if live.link != "up":
        return refused("refuse.link", link=live.link, why=live.why)
    live = replace(live, may_move=True)
    if live.machine.fault or live.machine.stopped or fault.origin in ("mcu", "gpio"):
        order = Order(f"clear:{state.seq}", "clear_fault", moves=False, limit_ms=CLEAR_MS)
        return Decision(live=live, orders=(order,))
    return cleared(World(state, live), given)


def cleared(world: World, given: TableInput) -> Decision:
    """The board has unlatched (or there was nothing to unlatch): back to where the table was."""
    state, live = world.state, world.live
    fault = state.fault
    if fault is None:
        return Decision()
    body = {"code": fault.code, "key": fault.key, "source": given.source}
    facts: tuple[Fact, ...] = (Fact("fault_cleared", body),)
    if state.phase is Phase.FAULT:
        facts = (*facts, to_phase(fault.phase, _way_on(fault)))
    machine = replace(live.machine, fault=0, known=False)
    if fault.phase in (Phase.BUILDING, Phase.LIFTING) or state.behind == "inside":
        live = replace(live, must_home=True)
    live = replace(live, machine=machine, attempt=live.attempt + 1, done=None, unsure=None, refused=0)
    live = replace(live, beside=frozenset())
    status = Order(f"status:{state.seq}", "status", moves=False)
    return Decision(facts, live, orders=(status,))


def _way_on(fault: FaultState) -> str | None:
    """Return the step to go on with; dice that were cut short are thrown again."""
    if fault.phase is Phase.DICE and fault.step in ("spin", "read"):
        return "throw"
    return fault.step


def due(world: World) -> Due:
    """Nothing is due while a fault stands."""
    return Due()
