"""The other set, where there are two: built under the table beside DICE ... SETTLED, whatever the hand does.

Nobody waits for its orders: what the board says decides what is due next, so a restart, a cleared fault or a
lost answer needs no memory. Only what must outlive the service is in the ledger: that the set was pushed in
(phase LIFTING) and that its walls stand (build_done).
"""

from __future__ import annotations

from dataclasses import replace

from controller.decide.build import home_order, missing_fault, switch_agrees, switch_told
from controller.decide.kit import Decision, World, to_phase
from controller.facts import Fact
from controller.judge import stacks_by_side
from controller.live_values import BEHIND, Order
from controller.state import PLAY_PHASES, Phase

PHASES = PLAY_PHASES | {Phase.DICE, Phase.SETTLED, Phase.IDLE}


def is_due(world: World) -> bool:
    """Return whether the machine may work at the other set now."""
    state = world.state
    may = state.phase in PHASES or (state.phase, state.step) == (Phase.BUILDING, "behind")
    is_well = state.fault is None and not state.emptying
    return may and is_well and state.behind == "inside"  # with one set from now on, too: it must get out


def advance(world: World) -> Decision | None:
    """The walls of the other set stand: kept in the ledger, the hand goes on as it was."""
    state, live = world.state, world.live
    if not is_due(world) or live.must_home or state.table is None:
        return None
    if live.machine.built is None:
        told = switch_told(world) if live.link == "up" and live.machine.known else None
        return _begun(world) if told is None else told
    counts = live.machine.built
    built = Fact("build_done", {"counts": list(counts), "tiles": state.table.tiles, "behind": True})
    live = replace(live, machine=replace(live.machine, built=None))
    want = tuple(2 * stacks for stacks in stacks_by_side(state))
    if tuple(counts) == want:
        return Decision((built,), live)
    missing = missing_fault(counts, want, state.phase, state.step)
    facts = (missing,) if state.phase in PLAY_PHASES else (missing, to_phase(Phase.FAULT))
    return Decision(facts, live)


def _begun(world: World) -> Decision | None:
    """Keep in the ledger, before the order, that a build begins: from now on a board can lose its count."""
    order = due(world)
    if world.state.begun or order is None or order.name != "build":
        return None
    return Decision((Fact("machine_event", {"event": "other_begun"}),))


def due(world: World) -> Order | None:
    """Return the order that brings the other set on; None while it needs nothing, or something else moves."""
    live, machine = world.live, world.live.machine
    moves = live.order is not None and live.order.moves and live.order.name != "dice"
    if not is_due(world) or moves or live.behind is not None or not live.may_move or live.estop:
        return None
    if live.link != "up" or not machine.known or machine.busy:
        return None
    if not machine.homed or live.must_home:
        return home_order(f"{BEHIND}home")  # walls that stand already count only from here on
    if (
        machine.built is not None
        or machine.trays != "down"
        or machine.dome != "down"
        or not switch_agrees(world)
    ):
        return None
    assert world.state.table is not None
    sides = tuple(2 * stacks for stacks in stacks_by_side(world.state))
    return Order(f"{BEHIND}build", "build", (("tiles", world.state.table.tiles), ("sides", sides)))
